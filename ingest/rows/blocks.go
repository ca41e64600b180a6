package rows

import (
	"bytes"
	"context"
	"io"
	"sync"
)

// Block is a run of whole rows of one file.
type Block struct {
	File *File
	Line int64  // number of the first line, from 1
	Long bool   // Data are the beginning of a row that is too long; the rest of its line was skipped
	Data []byte // valid until the function that handles the block returns
}

// Blocks passes pieces of files, cut between rows, from the goroutines that read to those that
// parse. The queue is bounded, so reading waits for parsing (backpressure), and buffers are reused.
type Blocks struct {
	cut     func(data []byte) int
	queue   chan Block
	buffers sync.Pool
}

// NewBlocks returns a queue that holds up to size blocks. cut returns the offset in data at which
// the last row begins whose beginning is certain; 0 or less if only the first row is.
func NewBlocks(size int, cut func(data []byte) int) *Blocks {
	return &Blocks{cut: cut, queue: make(chan Block, size)}
}

// Cut reads r to its end and sends it as blocks of whole rows. line is the number of its first
// line. A row longer than a block makes the block grow, up to 4 MiB: from then on blocks end with any
// line, and a longer line is sent as a block of its own. Several goroutines may cut different files. It
// returns the error of r, or that of ctx when it ends.
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
				if cap(data) < maxRow {
					data = append(make([]byte, 0, 2*cap(data)), data...)
					continue
				}
				cut = bytes.LastIndexByte(data, '\n') + 1
			}
		}
		if cut == 0 && !end {
			if err := s.Send(ctx, Block{File: f, Line: line, Data: data, Long: true}); err != nil {
				return err
			}
			line++
			if data, err = s.nextLine(r); err != nil {
				return err
			}
			continue
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

// nextLine skips what r gives up to the end of the line, and returns what was read behind it.
func (s *Blocks) nextLine(r io.Reader) ([]byte, error) {
	data := s.buffer()
	for {
		var end bool
		var err error
		if data, end, err = fill(r, data[:0]); err != nil {
			return nil, err
		}
		if i := bytes.IndexByte(data, '\n'); i >= 0 || end {
			return append(data[:0], data[max(i+1, 0):]...), nil
		}
	}
}

// Send sends one block as it is. It waits while the queue is full.
func (s *Blocks) Send(ctx context.Context, b Block) error {
	select {
	case s.queue <- b:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Done closes the queue: no more blocks will be sent. Each then returns when the queue is empty.
func (s *Blocks) Done() { close(s.queue) }

// Each calls handle for blocks until the queue is closed and empty, ctx ends or handle fails.
// Several goroutines share the blocks; the memory of a block is reused after handle returns.
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

// buffer returns an empty buffer of at least blockBytes.
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
		if err == io.EOF { // not io.ErrUnexpectedEOF, which means a truncated archive
			return data, true, nil
		}
		if err != nil {
			return data, false, err
		}
	}
	return data, false, nil
}
