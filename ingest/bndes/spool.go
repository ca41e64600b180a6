package bndes

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
)

// spool keeps packed operations in a file while the load works on them, and hands them to the archive.
type spool struct {
	archive func([]byte) error

	mu      sync.Mutex // guards the rest while files are read
	file    *os.File
	ends    []int64 // of the blobs in the file
	packers []*packer
}

// newSpool creates the file in dir, which is the caller's to delete.
func newSpool(dir string, archive func([]byte) error) (*spool, error) {
	f, err := os.Create(filepath.Join(dir, "operacoes"))
	if err != nil {
		return nil, fmt.Errorf("file for operations: %w", err)
	}
	return &spool{archive: archive, file: f}, nil
}

func (s *spool) close() { _ = s.file.Close() }

// add appends a blob. It is safe for concurrent use.
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

// start returns where a blob begins.
func (s *spool) start(i int) int64 {
	if i == 0 {
		return 0
	}
	return s.ends[i-1]
}

// packer packs the operations that one goroutine reads.
type packer struct {
	spool   *spool
	encoder *encoder
}

// packer returns a new packer. flush ends it.
func (s *spool) packer() *packer {
	p := &packer{s, newEncoder()}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.packers = append(s.packers, p)
	return p
}

// add copies an operation.
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

// flush writes what the packers still hold. Call it when all reading is done, before blobs and each.
func (s *spool) flush() error {
	for _, p := range s.packers {
		if err := p.flush(); err != nil {
			return err
		}
	}
	s.packers = nil
	return nil
}

// blobs returns how many blobs there are.
func (s *spool) blobs() int { return len(s.ends) }

// each calls visit for the operations of a blob; see unpack. It is safe for concurrent use once the spool is full.
func (s *spool) each(i int, visit func(*operation) error) error {
	blob := make([]byte, s.ends[i]-s.start(i))
	if _, err := s.file.ReadAt(blob, s.start(i)); err != nil {
		return fmt.Errorf("read operations back: %w", err)
	}
	return unpack(blob, visit)
}
