package rows

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"sync"
)

// Block is a run of whole rows of a file.
type Block struct {
	File *File
	Line int64  // of the first row
	Data []byte // used again when the block was handled
}

// Blocks passes files, cut between rows, from the goroutines that read to those that parse.
type Blocks struct {
	cut     func(data []byte) int
	queue   chan Block
	buffers sync.Pool
}

// NewBlocks returns room for some blocks. cut tells where the last row begins that begins in data for certain, 0 or less
// when none but the first does.
func NewBlocks(room int, cut func(data []byte) int) *Blocks {
	return &Blocks{cut: cut, queue: make(chan Block, room)}
}

// Cut sends the blocks of r, whose first line has this number.
func (s *Blocks) Cut(ctx context.Context, f *File, r io.Reader, line int64) error {
	data := s.buffer()
	for {
		var end bool
		var err error
		if data, end, err = fill(r, data); err != nil {
			return err
		}
		cut := len(data)
		if !end {
			if cut = s.cut(data); cut <= 0 {
				if cap(data) >= maxRow {
					return fmt.Errorf("%s line %d: no row ends within %d bytes: not a file of this kind", f.Path, line, maxRow)
				}
				data = append(make([]byte, 0, 2*cap(data)), data...)
				continue
			}
		}
		next := append(s.buffer(), data[cut:]...)
		lines := int64(bytes.Count(data[:cut], []byte{'\n'}))
		if err := s.Send(ctx, Block{File: f, Line: line, Data: data[:cut]}); err != nil || end {
			return err
		}
		line += lines
		data = next
	}
}

// Send sends a block that is not cut.
func (s *Blocks) Send(ctx context.Context, b Block) error {
	select {
	case s.queue <- b:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Done says that no more blocks will be sent.
func (s *Blocks) Done() { close(s.queue) }

// Each handles blocks until there are no more. Several goroutines share them.
func (s *Blocks) Each(ctx context.Context, handle func(Block) error) error {
	for b := range s.queue {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := handle(b); err != nil {
			return err
		}
		s.buffers.Put(&b.Data)
	}
	return nil
}

func (s *Blocks) buffer() []byte {
	if b, ok := s.buffers.Get().(*[]byte); ok {
		return (*b)[:0]
	}
	return make([]byte, 0, blockBytes)
}

// fill reads until data is full or r ends.
func fill(r io.Reader, data []byte) (_ []byte, end bool, err error) {
	for len(data) < cap(data) {
		n, err := r.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		if err == io.EOF { // unlike io.ErrUnexpectedEOF, which says that an archive is cut short
			return data, true, nil
		}
		if err != nil {
			return data, false, err
		}
	}
	return data, false, nil
}
