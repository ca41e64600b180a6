package registry

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"slices"

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

	ofRoot []copiedRow // buffer of AddRows
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

// AddRows appends rows in the binary COPY format, as package pack makes them: all rows of a root
// together, and roots in order.
func (w *RowCacheWriter) AddRows(rows []byte) error {
	for len(rows) > 0 {
		first, rest, err := cutRow(rows)
		if err != nil {
			return err
		}
		of := append(w.ofRoot[:0], first)
		for len(rest) > 0 {
			next, behind, err := cutRow(rest)
			if err != nil {
				return err
			}
			if next.root != first.root {
				break
			}
			of, rest = append(of, next), behind
		}
		slices.SortFunc(of, func(a, b copiedRow) int { return cmp.Compare(a.seq, b.seq) })
		for _, r := range of {
			if err := w.Add(r.root, r.seq, r.doc); err != nil {
				return err
			}
		}
		w.ofRoot, rows = of, rest
	}
	return nil
}

// copiedRow is a row in COPY format, decoded.
type copiedRow struct {
	root cnpj.Root
	seq  int32
	doc  []byte
}

// copyHead is the size of a row in COPY format before the bytes of doc: the number of columns, and
// the length and value of root, seq and doc.
const copyHead = 2 + 4 + 8 + 4 + 4 + 4

// cutRow cuts a row in COPY format off the front of rows.
func cutRow(rows []byte) (r copiedRow, rest []byte, err error) {
	if len(rows) < copyHead || binary.BigEndian.Uint16(rows) != 3 {
		return r, nil, errors.New("row cache: no row of three columns")
	}
	r.root, r.seq = cnpj.Root(binary.BigEndian.Uint64(rows[6:])), int32(binary.BigEndian.Uint32(rows[18:]))
	size, rest := binary.BigEndian.Uint32(rows[22:]), rows[copyHead:]
	if uint64(size) > uint64(len(rest)) {
		return r, nil, errors.New("row cache: a row is cut")
	}
	r.doc = rest[:size]
	return r, rest[size:], nil
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
