package bndes

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
)

// spool keeps blobs of packed operations in a temporary file between the passes of a load, and
// hands each to the archive as it is written. Any number of packers fill it; once they have been
// flushed, blobs can be read back by number from several goroutines.
type spool struct {
	archive func([]byte) error

	mu      sync.Mutex // guards the fields below while the spool is being filled
	file    *os.File
	ends    []int64 // offset behind each blob
	packers []*packer
}

// newSpool creates the file in dir; the caller deletes dir.
func newSpool(dir string, archive func([]byte) error) (*spool, error) {
	f, err := os.Create(filepath.Join(dir, "operacoes"))
	if err != nil {
		return nil, fmt.Errorf("file for operations: %w", err)
	}
	return &spool{archive: archive, file: f}, nil
}

func (s *spool) close() { _ = s.file.Close() }

// add appends a blob and archives it. It copies the blob and is safe for concurrent use.
func (s *spool) add(blob []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	start := s.start(len(s.ends))
	if _, err := s.file.WriteAt(blob, start); err != nil {
		return fmt.Errorf("keep operations: %w", err)
	}
	s.ends = append(s.ends, start+int64(len(blob)))
	if err := s.archive(blob); err != nil {
		return fmt.Errorf("archive operations: %w", err)
	}
	return nil
}

// start returns the offset of blob i.
func (s *spool) start(i int) int64 {
	if i == 0 {
		return 0
	}
	return s.ends[i-1]
}

// packer packs the operations of one goroutine into blobs of about blobBytes.
type packer struct {
	spool   *spool
	encoder *encoder
}

// packer returns a new packer, whose last blob is written by the spool's flush.
func (s *spool) packer() *packer {
	p := &packer{s, newEncoder()}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.packers = append(s.packers, p)
	return p
}

// add packs a copy of the operation and writes the blob once it is full.
func (p *packer) add(o *operation) error {
	p.encoder.add(o)
	if len(p.encoder.blob) < blobBytes {
		return nil
	}
	return p.flush()
}

func (p *packer) flush() error {
	if p.encoder.empty() {
		return nil
	}
	defer p.encoder.reset()
	return p.spool.add(p.encoder.blob)
}

// flush writes the unfinished blobs of all packers. It runs after the last add and before blobs and
// each.
func (s *spool) flush() error {
	for _, p := range s.packers {
		if err := p.flush(); err != nil {
			return err
		}
	}
	s.packers = nil
	return nil
}

// blobs returns the number of blobs.
func (s *spool) blobs() int { return len(s.ends) }

// each calls visit for the operations of blob i; see unpack. It is safe for concurrent use after
// flush.
func (s *spool) each(i int, visit func(*operation) error) error {
	blob := make([]byte, s.ends[i]-s.start(i))
	if _, err := s.file.ReadAt(blob, s.start(i)); err != nil {
		return fmt.Errorf("read operations back: %w", err)
	}
	return unpack(blob, visit)
}
