package ibama

import (
	"fmt"
	"slices"
	"strings"

	"razao/ingest/rows"
)

// pick returns the files of the form. A file that lies both in the publisher's zip and beside it
// (same name, same size) is taken once; two different files for the same part are refused, since
// one of them is out of date.
func (f *form) pick(in *rows.Input) ([]*rows.File, error) {
	var picked []*rows.File
	parts := map[string]*rows.File{}
	for _, file := range in.Files {
		m := f.files.FindStringSubmatch(file.Name)
		if m == nil {
			continue
		}
		part := strings.ToLower(m[1])
		other := parts[part]
		switch {
		case other == nil:
			parts[part] = file
			picked = append(picked, file)
		case other.Name != file.Name || other.Size != file.Size:
			return nil, fmt.Errorf("%s (%d bytes) and %s (%d bytes) both hold %s of %s: leave the newer one",
				other.Path, other.Size, file.Path, file.Size, part, f.source)
		}
	}
	if len(picked) > 0 {
		return picked, nil
	}
	if i := slices.IndexFunc(in.Files, f.isOld); i >= 0 {
		return nil, f.oldError(in.Files[i])
	}
	return nil, in.NoFile(f.expected)
}

// isOld reports whether a file's name is that of the withdrawn layout.
func (f *form) isOld(file *rows.File) bool {
	return f.oldFile != nil && f.oldFile.MatchString(file.Name)
}

// refuseOld returns an error if the file's header is that of the withdrawn layout.
func (f *form) refuseOld(table *rows.Table, file *rows.File) error {
	header, err := table.Header(file)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(f.oldColumns, func(name string) bool { return slices.Contains(header, name) }) {
		return f.oldError(file)
	}
	return nil
}

func (f *form) oldError(file *rows.File) error {
	return fmt.Errorf("%s has %s, which is no longer published and not read: fetch %s", file.Name, f.oldLayout, f.expected)
}
