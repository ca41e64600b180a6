package rows

import (
	"bytes"
	"context"
	"strings"

	"golang.org/x/sync/errgroup"
)

// readLines reads a table whose rows are lines: one goroutine cuts the file into blocks at line
// ends, workers goroutines parse them.
func (t *Table) readLines(ctx context.Context, b *openedTable, workers int, out *Output) error {
	g, ctx := errgroup.WithContext(ctx)
	blocks := NewBlocks(workers, func(data []byte) int { return bytes.LastIndexByte(data, '\n') + 1 })
	g.Go(func() error {
		defer blocks.Done()
		return blocks.Cut(ctx, b.file, b.rest, b.line+1)
	})
	for range workers {
		w := out.Writer()
		v := t.newVisitor(b, w)
		g.Go(func() error {
			err := blocks.Each(ctx, func(b Block) error { return v.lines(b, t.comma()) })
			if closed := w.Close(); err == nil {
				err = closed
			}
			return err
		})
	}
	return g.Wait()
}

// lines handles the rows of a block. Empty lines count as lines and not as rows.
func (v *visitor) lines(b Block, comma byte) error {
	if b.Long {
		v.w.Row()
		return v.w.Reject(v.file, b.Line, "", "the row has more than 4 MiB", b.Data)
	}
	line := b.Line - 1
	for row := range bytes.Lines(b.Data) {
		line++
		row = trimLineEnd(row)
		if len(row) == 0 {
			continue
		}
		n := split(view(row), comma, v.fields)
		if err := v.handle(v.fields, n, line, row); err != nil {
			return err
		}
	}
	return nil
}

// trimLineEnd removes LF or CR LF.
func trimLineEnd(row []byte) []byte {
	if n := len(row); n > 0 && row[n-1] == '\n' {
		row = row[:n-1]
	}
	if n := len(row); n > 0 && row[n-1] == '\r' {
		row = row[:n-1]
	}
	return row
}

// split cuts a row at every comma into fields and returns how many there are; those beyond
// len(fields) are only counted. The fields are views into row.
func split(row string, comma byte, fields []string) int {
	for n := range fields {
		i := strings.IndexByte(row, comma)
		if i < 0 {
			fields[n] = row
			return n + 1
		}
		fields[n] = row[:i]
		row = row[i+1:]
	}
	return len(fields) + 1 + strings.Count(row, string(rune(comma)))
}
