package receita

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"razao/ingest/rows"
)

// openFile is a file of a release and its contents: itself, or the only member of its zip.
type openFile struct {
	*File
	rows *rows.File
}

// openAll opens the files of the release and checks their members. Close the input when done.
func (rel *Release) openAll(workers int) (*rows.Input, []openFile, error) {
	in := rows.NewInput(rel.Month, workers)
	var files []openFile
	for i := range rel.Files {
		f := &rel.Files[i]
		members, err := in.Add(f.Path)
		if err == nil {
			err = f.check(members, rel.Month)
		}
		if err != nil && !errors.As(err, new(*fs.PathError)) { // which may be read another time
			err = &otherError{err}
		}
		if err != nil {
			_ = in.Close()
			return nil, nil, err
		}
		members[0].Name = f.Name // rejects name the published file
		files = append(files, openFile{f, members[0]})
	}
	return in, files, nil
}

// check returns why the opened members are not those of the file: exactly one is expected.
func (f *File) check(members []*rows.File, month string) error {
	if len(members) != 1 {
		return fmt.Errorf("%s has %d members, 1 is expected", f.Path, len(members))
	}
	name, zipped := strings.CutPrefix(members[0].Path, f.Path+"/")
	if !zipped {
		name = filepath.Base(f.Path)
	}
	return checkMember(f, name, month)
}
