package registry

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"

	"razao/internal/data/cnpj"
)

// RowCacheWriter writes a row cache. It is not safe for concurrent use. Defer Abort.
type RowCacheWriter struct {
	file  *os.File
	out   *bufio.Writer
	end   uint64 // offset behind what has been written
	index []byte
	rows  int64

	block []byte // sum and rows of the open block; empty without one
	root  cnpj.Root
	last  rowKey
}

// CreateRowCache creates the cache in a folder (mode 0600), replacing a former one.
func CreateRowCache(dir string) (*RowCacheWriter, error) {
	file, err := os.OpenFile(filepath.Join(dir, RowCacheName), os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, fmt.Errorf("row cache: %w", err)
	}
	w := &RowCacheWriter{file: file, out: bufio.NewWriterSize(file, 1<<18)}
	return w, w.write([]byte(cacheMagic))
}

// Add appends a row, whose key must be above that of the row before. It keeps nothing of doc.
func (w *RowCacheWriter) Add(root cnpj.Root, seq int32, doc []byte) error {
	k := rowKeyOf(root, seq)
	if !fitsRowKey(root, seq) || w.rows > 0 && k <= w.last {
		return fmt.Errorf("row cache: the row %s, %d is out of order", root, seq)
	}
	if len(w.block) == 0 {
		w.index = binary.LittleEndian.AppendUint64(w.index, uint64(k))
		w.block, w.root = append(w.block, make([]byte, sumBytes)...), 0
	}
	w.block = binary.AppendUvarint(w.block, uint64(root-w.root))
	w.block = binary.AppendVarint(w.block, int64(seq))
	w.block = binary.AppendUvarint(w.block, uint64(len(doc)))
	w.block = append(w.block, doc...)
	w.root, w.last = root, k
	w.rows++
	if len(w.block) >= blockBytes {
		return w.closeBlock()
	}
	return nil
}

// closeBlock writes the open block, if there is one.
func (w *RowCacheWriter) closeBlock() error {
	if len(w.block) == 0 {
		return nil
	}
	binary.LittleEndian.PutUint32(w.block, crc32.Checksum(w.block[sumBytes:], castagnoli))
	if err := w.write(w.block); err != nil {
		return err
	}
	w.index = binary.LittleEndian.AppendUint64(w.index, w.end)
	w.block = w.block[:0]
	return nil
}

func (w *RowCacheWriter) write(b []byte) error {
	n, err := w.out.Write(b)
	w.end += uint64(n)
	if err != nil {
		return fmt.Errorf("row cache: %w", err)
	}
	return nil
}

// Close completes the file. The caller syncs it, as it does the whole folder.
func (w *RowCacheWriter) Close() error {
	if err := w.closeBlock(); err != nil {
		return err
	}
	tail := binary.LittleEndian.AppendUint64(w.index, uint64(len(w.index)/entryBytes))
	tail = binary.LittleEndian.AppendUint32(tail, crc32.Checksum(tail, castagnoli))
	if err := w.write(tail); err != nil {
		return err
	}
	err := errors.Join(w.out.Flush(), w.file.Close())
	w.file = nil
	if err != nil {
		return fmt.Errorf("row cache: %w", err)
	}
	return nil
}

// Abort deletes an unfinished file. After Close it does nothing.
func (w *RowCacheWriter) Abort() {
	if w.file != nil {
		_ = w.file.Close()
		_ = os.Remove(w.file.Name())
	}
}
