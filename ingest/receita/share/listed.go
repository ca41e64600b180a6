package share

import (
	"slices"

	"razao/internal/data/record"
)

// Are reports whether the files that the share lists for a month are those of a load, so that it
// need not be downloaded. It compares names and sizes, and ETags and checksums if the manifest in
// dir, the month's download folder, still exists. The zips may be gone. An unreadable manifest is
// an error.
func Are(listed []File, loaded []record.SourceFile, dir, month string) (bool, error) {
	if len(listed) != len(loaded) {
		return false, nil
	}
	f := folder{dir: dir}
	if err := f.read(month); err != nil {
		return false, err
	}
	for _, file := range listed {
		r, known := f.manifest.Files[file.Name]
		i := slices.IndexFunc(loaded, func(l record.SourceFile) bool { return l.Nome == file.Name && l.Bytes == file.Bytes })
		if i < 0 || known && (!r.of(file) || r.SHA256 != loaded[i].SHA256) {
			return false, nil
		}
	}
	return true, nil
}
