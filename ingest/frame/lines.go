package frame

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"
)

// block is a run of whole lines.
type block struct {
	line int64 // of the first one
	data []byte
}

// readLines reads a table without quotes: one goroutine cuts the file into blocks, the others parse them.
func (t *Table) readLines(ctx context.Context, b *beginning, workers int, out *Output) error {
	g, ctx := errgroup.WithContext(ctx)
	c := &cutter{file: b.file, blocks: make(chan block, workers)}
	g.Go(func() error {
		defer close(c.blocks)
		return c.cut(ctx, b.rest, b.line+1)
	})
	for range workers {
		w := out.Writer()
		v := t.newVisitor(b, w)
		g.Go(func() error {
			err := c.parse(ctx, v, t.comma())
			if closed := w.Close(); err == nil {
				err = closed
			}
			return err
		})
	}
	return g.Wait()
}

// cutter cuts a file into blocks between lines.
type cutter struct {
	file    *File
	blocks  chan block
	buffers sync.Pool
}

// cut sends the blocks of r, whose first line has this number.
func (c *cutter) cut(ctx context.Context, r io.Reader, line int64) error {
	data := c.buffer()
	for {
		var end bool
		var err error
		if data, end, err = fill(r, data); err != nil {
			return err
		}
		cut := len(data)
		if !end {
			if cut = bytes.LastIndexByte(data, '\n') + 1; cut == 0 {
				if cap(data) >= maxRow {
					return fmt.Errorf("%s line %d: no row ends within %d bytes: not a table", c.file.Path, line, maxRow)
				}
				data = append(make([]byte, 0, 2*cap(data)), data...)
				continue
			}
		}
		next := append(c.buffer(), data[cut:]...)
		lines := int64(bytes.Count(data[:cut], []byte{'\n'}))
		select {
		case c.blocks <- block{line: line, data: data[:cut]}:
		case <-ctx.Done():
			return ctx.Err()
		}
		if end {
			return nil
		}
		line += lines
		data = next
	}
}

// buffer returns an empty buffer for a block.
func (c *cutter) buffer() []byte {
	if b, ok := c.buffers.Get().(*[]byte); ok {
		return (*b)[:0]
	}
	return make([]byte, 0, blockBytes)
}

// fill reads until data is full or r ends.
func fill(r io.Reader, data []byte) (_ []byte, end bool, err error) {
	for len(data) < cap(data) {
		n, err := r.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		if err == io.EOF {
			return data, true, nil
		}
		if err != nil {
			return data, false, err
		}
	}
	return data, false, nil
}

// parse is one worker: it hands the rows of blocks on until there are no more.
func (c *cutter) parse(ctx context.Context, v *visitor, comma byte) error {
	fields := make([]string, v.width)
	for b := range c.blocks {
		if err := ctx.Err(); err != nil {
			return err
		}
		line := b.line - 1
		for row := range bytes.Lines(b.data) {
			line++
			row = trimLineEnd(row)
			if len(row) == 0 {
				continue
			}
			n := split(view(row), comma, fields)
			if err := v.handle(fields, n, line, row); err != nil {
				return err
			}
		}
		c.buffers.Put(&b.data)
	}
	return nil
}

func trimLineEnd(row []byte) []byte {
	if n := len(row); n > 0 && row[n-1] == '\n' {
		row = row[:n-1]
	}
	if n := len(row); n > 0 && row[n-1] == '\r' {
		row = row[:n-1]
	}
	return row
}

// split cuts a row at every comma and returns how many fields it has; those beyond the last of fields are only counted.
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
