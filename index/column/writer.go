package column

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"razao/index/folder"
)

// Keys is the number of orders; keys count from 0.
const Keys = Key(len(orderFiles))

// positionsAtOnce is for how many documents positions are inverted in one pass over an order, four
// bytes of memory each.
const positionsAtOnce = 4 << 20

// FacetsWriter writes the facets column in document order. Not safe for concurrent use.
type FacetsWriter struct {
	file *os.File
	out  *bufio.Writer
}

// CreateFacets begins the facets column in the index folder dir.
func CreateFacets(dir string) (*FacetsWriter, error) {
	file, err := os.Create(filepath.Join(dir, facetsFile))
	if err != nil {
		return nil, err
	}
	return &FacetsWriter{file, bufio.NewWriterSize(file, 256<<10)}, nil
}

// Add takes the facets of the next document. A write error is returned by Close.
func (w *FacetsWriter) Add(f Facets) {
	w.out.Write(binary.LittleEndian.AppendUint64(w.out.AvailableBuffer(), uint64(f)))
}

// Close flushes and closes the file.
func (w *FacetsWriter) Close() error { return errors.Join(w.out.Flush(), w.file.Close()) }

// unknown is the sort key of documents without one: it is behind all others.
const unknown = "\xff"

// behindCapital is the first byte of keys of implausible capital. Keys of plausible capital are
// numbers below 1 << 63, so theirs is smaller.
const behindCapital = 0x80

// AppendKey appends the sort key of the document in an order: at least one byte, at most
// MaxNameKey. Keys compare as bytes; descending numbers are stored as their complement, big endian.
func (a *Attributes) AppendKey(dst []byte, by Key) []byte {
	switch {
	case by == ByCapital && a.Implausible():
		return binary.BigEndian.AppendUint64(append(dst, behindCapital), 1<<63-1-uint64(a.Capital))
	case by == ByCapital && a.Capital >= 0:
		return binary.BigEndian.AppendUint64(dst, 1<<63-1-uint64(a.Capital))
	case by == ByName && len(a.name) > 0:
		return append(dst, a.name...)
	case by == ByOpening && a.Opening > 0:
		return binary.BigEndian.AppendUint64(dst, 1<<63-1-uint64(a.Opening))
	}
	return append(dst, unknown...)
}

// numberOf inverts AppendKey for numeric keys.
func numberOf(key []byte) int64 {
	if n := len(key); n > 8 {
		key = key[n-8:]
	}
	return int64(1<<63 - 1 - binary.BigEndian.Uint64(key))
}

// OrderWriter takes the documents of an order, key by key. Not safe for concurrent use.
type OrderWriter struct {
	out         *bufio.Writer
	docs, known int64
	key         []byte // the last key
	keys        []byte // the content of the keys file: see keyTable
	numbered    bool   // the order has one, because its keys are numbers
}

// Add takes the next documents of the order, which share a key and are ascending. A key may come in
// several calls in a row. Neither slice is kept.
func (w *OrderWriter) Add(key []byte, docs []uint32) error {
	if string(key) != unknown {
		if w.numbered && !bytes.Equal(key, w.key) {
			w.key = append(w.key[:0], key...)
			w.keys = binary.LittleEndian.AppendUint64(w.keys, uint64(numberOf(key)))
			w.keys = binary.LittleEndian.AppendUint32(w.keys, uint32(w.docs))
		}
		w.known += int64(len(docs))
	}
	w.docs += int64(len(docs))
	return writeCells(w.out, docs)
}

// WriteOrder writes an order of the index folder dir, and its keys file if it has one. fill must
// hand over every document once, in order; its error is returned.
func WriteOrder(dir string, by Key, fill func(*OrderWriter) error) (err error) {
	file, err := os.OpenFile(filepath.Join(dir, orderFiles[by]), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	w := &OrderWriter{out: bufio.NewWriterSize(file, 256<<10), numbered: keyFiles[by] != ""}
	w.out.Write(make([]byte, orderHeader)) // an error is sticky in out
	if err := fill(w); err != nil {
		return fmt.Errorf("%s: %w", orderFiles[by], err)
	}
	if err := w.out.Flush(); err != nil {
		return err
	}
	if w.numbered {
		if err := os.WriteFile(filepath.Join(dir, keyFiles[by]), w.keys, 0o600); err != nil {
			return err
		}
	}
	if _, err := file.WriteAt(binary.LittleEndian.AppendUint64(nil, uint64(w.known)), 0); err != nil {
		return err
	}
	return appendPositions(file, w.docs)
}

// appendPositions appends the inverse permutation and the stages to an order file that has its
// documents. It reads the file once for each positionsAtOnce documents instead of writing at random
// places.
func appendPositions(file *os.File, docs int64) error {
	out := bufio.NewWriterSize(file, 256<<10)
	positions := make([]uint32, min(docs, positionsAtOnce))
	for from := int64(0); from < docs; from += positionsAtOnce {
		chunk := positions[:min(docs-from, positionsAtOnce)]
		position := uint32(0)
		err := eachCell(file, 0, docs, func(doc uint32) {
			if i := int64(doc) - from; i >= 0 && i < int64(len(chunk)) {
				chunk[i] = position
			}
			position++
		})
		if err := errors.Join(err, writeCells(out, chunk)); err != nil {
			return err
		}
	}
	if err := out.Flush(); err != nil {
		return err
	}
	shift, group := stageShift(uint32(docs)), make([]uint16, 0, groupDocs)
	err := eachCell(file, docs, docs, func(position uint32) {
		if group = append(group, uint16(position>>shift)); len(group) == groupDocs {
			out.Write(appendSliced(out.AvailableBuffer(), group, stageBits))
			group = group[:0]
		}
	})
	out.Write(appendSliced(nil, group, stageBits))
	return errors.Join(err, out.Flush())
}

// eachCell reads n cells of an order file, from cell from on.
func eachCell(file *os.File, from, n int64, visit func(uint32)) error {
	in := io.NewSectionReader(file, orderHeader+from*orderCell, n*orderCell)
	for block := make([]byte, 64<<10); n > 0; n -= int64(len(block) / orderCell) {
		block = block[:min(n*orderCell, int64(len(block)))]
		if _, err := io.ReadFull(in, block); err != nil {
			return folder.Truncated(err)
		}
		for i := 0; i < len(block); i += orderCell {
			visit(binary.LittleEndian.Uint32(block[i:]))
		}
	}
	return nil
}

func writeCells(out *bufio.Writer, cells []uint32) error {
	for _, c := range cells {
		if _, err := out.Write(binary.LittleEndian.AppendUint32(out.AvailableBuffer(), c)); err != nil {
			return err
		}
	}
	return nil
}
