package registry

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"sort"
	"sync"
	"sync/atomic"

	"razao/internal/data/cnpj"
)

// RowCache is an open row cache. It is safe for concurrent use. After Close, reading is os.ErrClosed.
type RowCache struct {
	file    *os.File
	first   []rowKey  // of each block, ascending
	ends    []uint64  // offset behind each block, ascending
	buffers sync.Pool // of *[]byte, for blocks
	damage  atomic.Pointer[error]
}

// OpenRowCache opens the cache in a folder and reads its index. The error is fs.ErrNotExist if there is none,
// and another one if it is cut or its index altered; blocks are checked when they are read.
func OpenRowCache(dir string) (*RowCache, error) {
	file, err := os.Open(filepath.Join(dir, RowCacheName))
	if err != nil {
		return nil, err
	}
	f := &RowCache{file: file}
	if err := f.readIndex(); err != nil {
		_ = file.Close()
		return nil, err
	}
	return f, nil
}

// readIndex reads and checks magic, trailer and index.
func (f *RowCache) readIndex() error {
	info, err := f.file.Stat()
	if err != nil {
		return err
	}
	size := info.Size()
	if size < int64(len(cacheMagic)+trailerBytes) {
		return cacheDamaged("it has %d bytes", size)
	}
	head, tail := make([]byte, len(cacheMagic)), make([]byte, trailerBytes)
	if err := f.readAt(head, 0); err != nil {
		return err
	}
	if err := f.readAt(tail, size-trailerBytes); err != nil {
		return err
	}
	blocks := binary.LittleEndian.Uint64(tail)
	if string(head) != cacheMagic || blocks > uint64(size)/entryBytes {
		return cacheDamaged("it does not begin or end as such a file")
	}
	start := size - trailerBytes - int64(blocks)*entryBytes
	index := make([]byte, int64(blocks)*entryBytes)
	if start < int64(len(cacheMagic)) {
		return cacheDamaged("its index does not fit")
	}
	if err := f.readAt(index, start); err != nil {
		return err
	}
	sum := crc32.Update(crc32.Checksum(index, castagnoli), castagnoli, tail[:8])
	if sum != binary.LittleEndian.Uint32(tail[8:]) {
		return cacheDamaged("the content of its index has changed")
	}
	return f.parseIndex(index, uint64(start))
}

// parseIndex fills first and ends. The blocks must lie one behind the other and end at end.
func (f *RowCache) parseIndex(index []byte, end uint64) error {
	before := uint64(len(cacheMagic))
	for ; len(index) > 0; index = index[entryBytes:] {
		first, behind := rowKey(binary.LittleEndian.Uint64(index)), binary.LittleEndian.Uint64(index[8:])
		if n := len(f.first); n > 0 && first <= f.first[n-1] || behind <= before+sumBytes || behind > end {
			return cacheDamaged("its blocks are out of order")
		}
		f.first, f.ends, before = append(f.first, first), append(f.ends, behind), behind
	}
	if before != end {
		return cacheDamaged("its blocks do not fill it")
	}
	return nil
}

// readAt fills b. A file that is too short is errCacheDamaged.
func (f *RowCache) readAt(b []byte, at int64) error {
	_, err := f.file.ReadAt(b, at)
	if errors.Is(err, io.EOF) {
		return cacheDamaged("it is cut")
	}
	if err != nil {
		return fmt.Errorf("row cache: %w", err)
	}
	return nil
}

// Close closes the file; reads in progress end first.
func (f *RowCache) Close() error { return f.file.Close() }

// Row returns the doc of a row, which the caller owns; found is false if there is no such row. An
// error other than os.ErrClosed is remembered, see Damage.
func (f *RowCache) Row(root cnpj.Root, seq int32) (doc []byte, found bool, err error) {
	if !fitsRowKey(root, seq) {
		return nil, false, nil
	}
	k := rowKeyOf(root, seq)
	behind := sort.Search(len(f.first), func(i int) bool { return f.first[i] > k })
	if behind == 0 {
		return nil, false, nil
	}
	buf, _ := f.buffers.Get().(*[]byte)
	if buf == nil {
		buf = new([]byte)
	}
	defer f.buffers.Put(buf)
	rows, err := f.block(behind-1, buf)
	if err == nil {
		doc, found, err = findRow(rows, k)
	}
	f.remember(err)
	if err != nil {
		return nil, false, err
	}
	return bytes.Clone(doc), found, nil
}

// remember keeps the first error of reading for Damage.
func (f *RowCache) remember(err error) {
	if err != nil && !errors.Is(err, os.ErrClosed) {
		f.damage.CompareAndSwap(nil, &err)
	}
}

// Damage returns the first error that reading rows ran into; nil for a nil File.
func (f *RowCache) Damage() error {
	if f == nil {
		return nil
	}
	if err := f.damage.Load(); err != nil {
		return *err
	}
	return nil
}

// block reads and checks a block and returns its rows, which are valid until buf is used again.
func (f *RowCache) block(i int, buf *[]byte) (rows []byte, err error) {
	start := uint64(len(cacheMagic))
	if i > 0 {
		start = f.ends[i-1]
	}
	size := int(f.ends[i] - start)
	if cap(*buf) < size {
		*buf = make([]byte, size)
	}
	b := (*buf)[:size]
	if err := f.readAt(b, int64(start)); err != nil {
		return nil, err
	}
	if crc32.Checksum(b[sumBytes:], castagnoli) != binary.LittleEndian.Uint32(b) {
		return nil, cacheDamaged("the content of a block has changed")
	}
	return b[sumBytes:], nil
}

// Each calls visit for every row of the roots in a range, ascending by root and seq; visit may keep doc. It
// stops at the first error of visit, which it returns as it is, and when ctx ends. Other errors are
// remembered like those of Row.
func (f *RowCache) Each(ctx context.Context, in Roots, visit func(root cnpj.Root, seq int32, doc []byte) error) error {
	from, below := rowKey(in.From)<<seqBits, rowKey(in.Below)<<seqBits
	behind := sort.Search(len(f.first), func(i int) bool { return f.first[i] > from })
	for i := max(behind-1, 0); i < len(f.first) && f.first[i] < below; i++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		var fresh []byte // rows may be kept
		rows, err := f.block(i, &fresh)
		c := rowCursor{rows: rows}
		for err == nil && c.next() {
			if c.root < in.From {
				continue
			}
			if c.root >= in.Below {
				return nil
			}
			if err := visit(c.root, c.seq, c.doc); err != nil {
				return err
			}
		}
		if err = errors.Join(err, c.err); err != nil {
			f.remember(err)
			return err
		}
	}
	return nil
}

// findRow returns the doc of a row in a block.
func findRow(rows []byte, k rowKey) (doc []byte, found bool, err error) {
	c := rowCursor{rows: rows}
	for c.next() {
		if at := rowKeyOf(c.root, c.seq); at >= k {
			return c.doc, at == k, nil
		}
	}
	return nil, false, c.err
}

// rowCursor walks the rows of a block.
type rowCursor struct {
	rows []byte // what is left
	root cnpj.Root
	seq  int32
	doc  []byte
	err  error
}

// next moves to the next row. It is false behind the last one, and at one that does not decode, which
// sets err.
func (c *rowCursor) next() bool {
	if len(c.rows) == 0 {
		return false
	}
	step, a := binary.Uvarint(c.rows)
	if a <= 0 {
		return c.fail()
	}
	seq, b := binary.Varint(c.rows[a:])
	if b <= 0 {
		return c.fail()
	}
	size, n := binary.Uvarint(c.rows[a+b:])
	if n <= 0 || size > uint64(len(c.rows)-a-b-n) {
		return c.fail()
	}
	start, end := a+b+n, a+b+n+int(size)
	c.root, c.seq, c.doc, c.rows = c.root+cnpj.Root(step), int32(seq), c.rows[start:end:end], c.rows[end:]
	return true
}

func (c *rowCursor) fail() bool {
	c.err = cacheDamaged("a block does not decode")
	return false
}
