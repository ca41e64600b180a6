package bndes

import (
	"context"
	"fmt"
	"strings"

	"razao/ingest/rows"
	"razao/internal/slug"
)

// chosen is a file to read and how.
type chosen struct {
	file   *rows.File
	layout *layout
	page   bool // an answer of the datastore, else a table
}

// choose picks the files of operations by their names; others, such as the one of the direct public administration, which
// has no CNPJ, are left alone. Both kinds must be there: the smaller one is a hundredth of the rows, and no count of rows
// would miss it.
func choose(in *rows.Input) ([]chosen, error) {
	var files []chosen
	for _, l := range layouts() {
		before := len(files)
		for _, f := range in.Files {
			switch l.format(f) {
			case "csv":
				files = append(files, chosen{f, &l, false})
			case "json":
				files = append(files, chosen{f, &l, true})
			}
		}
		if len(files) == before {
			return nil, fmt.Errorf("both files of operations are needed: %w", in.NoFile(l.file))
		}
	}
	return files, nil
}

// format returns how a file ends that is called as those of this layout are, "" when it is not.
func (l *layout) format(f *rows.File) string {
	name := strings.TrimSuffix(slug.Make(f.Name), "-gz")
	if !strings.Contains(name, l.part) {
		return ""
	}
	return name[strings.LastIndexByte(name, '-')+1:]
}

// read packs the operations of the file.
func (c chosen) read(ctx context.Context, in *rows.Input, out *rows.Output, s *spool) error {
	if c.page {
		return c.layout.readPage(ctx, c.file, out, s)
	}
	t := rows.Table{Quoted: true, Columns: c.layout.frameColumns(), Visit: c.layout.visit(s)}
	return t.Read(ctx, in, c.file, out)
}
