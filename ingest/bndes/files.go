package bndes

import (
	"context"
	"fmt"
	"strings"

	"razao/ingest/rows"
	"razao/internal/data/ptbr"
)

// chosen is one file to read, with its layout.
type chosen struct {
	file   *rows.File
	layout *layout
	page   bool // JSON from the datastore, else CSV
}

// choose picks the files of operations by name and ignores all others, such as that of the direct
// public administration, which has no CNPJ. It fails unless both layouts are present: without the
// file of non-automatic operations, one row in a hundred, a load would still pass the floor of its
// row count.
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

// format returns the extension of a file whose name belongs to this layout ("csv", "json"), else
// "". Names are compared as slugs, so case and accents do not matter.
func (l *layout) format(f *rows.File) string {
	name := strings.TrimSuffix(ptbr.Slug(f.Name), "-gz")
	if !strings.Contains(name, l.part) {
		return ""
	}
	return name[strings.LastIndexByte(name, '-')+1:]
}

// read packs the file's operations into the spool.
func (c chosen) read(ctx context.Context, in *rows.Input, out *rows.Output, s *spool) error {
	if c.page {
		return c.layout.readPage(ctx, c.file, out, s)
	}
	t := rows.Table{Quoted: true, Columns: c.layout.frameColumns(), Visit: c.layout.visit(s)}
	return t.Read(ctx, in, c.file, out)
}
