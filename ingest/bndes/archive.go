package bndes

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
)

// Archive keeps a load's blobs in a temporary file until they are copied into the record store:
// each is a 4-byte big-endian length followed by its bytes. Keep is safe for concurrent use; Reader
// and Close are not.
type Archive struct {
	mu   sync.Mutex
	file *os.File
	out  *bufio.Writer
}

// NewArchive creates the file "archive" in dir. The caller closes the archive and deletes the
// folder.
func NewArchive(dir string) (*Archive, error) {
	file, err := os.Create(filepath.Join(dir, "archive"))
	if err != nil {
		return nil, fmt.Errorf("archive: %w", err)
	}
	return &Archive{file: file, out: bufio.NewWriterSize(file, 1<<20)}, nil
}

// Keep appends a copy of blob.
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

// Reader flushes the archive and returns a function that yields its blobs in the order in which
// they were kept, then io.EOF; io.ErrUnexpectedEOF if the file is cut inside a blob. Each blob is
// the caller's to keep. Keep must not be called any more.
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
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF // cut behind the length: not the end between blobs
		}
		return blob, err
	}, nil
}

// Close closes the file without deleting it.
func (a *Archive) Close() error { return a.file.Close() }
