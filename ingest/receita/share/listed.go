package share

import (
	"slices"

	"razao/internal/record"
)

// Are says whether the files that the share lists for a month are those that were loaded: by name and size, and by ETag and
// checksum as far as dir, where the month was downloaded to, still has its manifest. The zips need not be there any more.
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
