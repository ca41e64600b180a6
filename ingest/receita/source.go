package receita

import (
	"fmt"
	"path/filepath"
	"strings"

	"razao/ingest/rows"
)

// opened is a file of a release and where its rows are: in itself, or in the one member of its zip.
type opened struct {
	*File
	rows *rows.File
}

// openAll opens the files of the release and checks what their members are called. Close the input when done.
func (rel *Release) openAll(workers int) (*rows.Input, []opened, error) {
	in := rows.NewInput(rel.Month, workers)
	var files []opened
	for i := range rel.Files {
		f := &rel.Files[i]
		members, err := in.Add(f.Path)
		if err == nil {
			err = f.check(members, rel.Month)
		}
		if err != nil {
			_ = in.Close()
			return nil, nil, err
		}
		members[0].Name = f.Name // in the account of its rows
		files = append(files, opened{f, members[0]})
	}
	return in, files, nil
}

// check compares what a file holds with what it should.
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
