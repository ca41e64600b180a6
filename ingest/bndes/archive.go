package bndes

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
)

// Archive keeps the blobs of a load in a file until they go into the record store. It is safe for concurrent use.
type Archive struct {
	mu   sync.Mutex
	file *os.File
	out  *bufio.Writer
}

// NewArchive makes the file in a folder. Close the archive.
func NewArchive(dir string) (*Archive, error) {
	file, err := os.Create(filepath.Join(dir, "archive"))
	if err != nil {
		return nil, fmt.Errorf("archive: %w", err)
	}
	return &Archive{file: file, out: bufio.NewWriterSize(file, 1<<20)}, nil
}

// Keep appends a blob.
func (a *Archive) Keep(blob []byte) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if _, err := a.out.Write(binary.BigEndian.AppendUint32(nil, uint32(len(blob)))); err != nil {
		return fmt.Errorf("archive: %w", err)
	}
	if _, err := a.out.Write(blob); err != nil {
		return fmt.Errorf("archive: %w", err)
	}
	return nil
}

// Reader returns a function that yields the blobs in order, and io.EOF at the end.
func (a *Archive) Reader() (func() ([]byte, error), error) {
	if err := a.out.Flush(); err != nil {
		return nil, fmt.Errorf("archive: %w", err)
	}
	if _, err := a.file.Seek(0, io.SeekStart); err != nil {
		return nil, fmt.Errorf("archive: %w", err)
	}
	in := bufio.NewReaderSize(a.file, 1<<20)
	return func() ([]byte, error) {
		var size [4]byte
		if _, err := io.ReadFull(in, size[:]); err != nil {
			return nil, err // io.EOF between blobs
		}
		blob := make([]byte, binary.BigEndian.Uint32(size[:]))
		_, err := io.ReadFull(in, blob)
		return blob, err
	}, nil
}

// Close closes the file, which stays.
func (a *Archive) Close() error { return a.file.Close() }
