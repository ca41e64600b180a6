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

// Keys is how many orders there are, by the keys from 0 on.
const Keys = Key(len(orderFiles))

// positionsAtOnce is how many documents' positions are found in one pass over an order: 16 MB.
const positionsAtOnce = 4 << 20

// FacetsWriter writes the facets of all documents, in rank order. Not safe for concurrent use.
type FacetsWriter struct {
	file *os.File
	out  *bufio.Writer
}

// CreateFacets begins the facets of the index folder dir.
func CreateFacets(dir string) (*FacetsWriter, error) {
	file, err := os.Create(filepath.Join(dir, facetsFile))
	if err != nil {
		return nil, err
	}
	return &FacetsWriter{file, bufio.NewWriterSize(file, 256<<10)}, nil
}

// Add takes those of the next document. An error is kept for Close.
func (w *FacetsWriter) Add(f Facets) {
	w.out.Write(binary.LittleEndian.AppendUint64(w.out.AvailableBuffer(), uint64(f)))
}

// Close ends the file.
func (w *FacetsWriter) Close() error { return errors.Join(w.out.Flush(), w.file.Close()) }

// unknown is the key of documents that have none: it is behind all others.
const unknown = "\xff"

// behindCapital begins the keys of implausible capital: those of plausible capital are below 1 << 63.
const behindCapital = 0x80

// AppendKey appends what the document is sorted by in an order: at least one byte, at most MaxNameKey. Keys compare as bytes.
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

// numberOf returns the number of which AppendKey has made a key.
func numberOf(key []byte) int64 {
	if n := len(key); n > 8 {
		key = key[n-8:]
	}
	return int64(1<<63 - 1 - binary.BigEndian.Uint64(key))
}

// OrderWriter takes the documents of an order.
type OrderWriter struct {
	out         *bufio.Writer
	docs, known int64
	key         []byte // of the last documents
	keys        []byte // see keyTable; only of orders with numbers for keys
	numbered    bool
}

// Add takes the next documents of the order, which share a key and rise. All documents of a key need not come at once.
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

// WriteOrder writes an order of the index folder dir, all documents of which fill hands over.
func WriteOrder(dir string, by Key, fill func(*OrderWriter) error) (err error) {
	file, err := os.OpenFile(filepath.Join(dir, orderFiles[by]), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	w := &OrderWriter{out: bufio.NewWriterSize(file, 256<<10), numbered: keyFiles[by] != ""}
	w.out.Write(make([]byte, orderHeader)) // the error stays in out
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

// appendPositions appends the position and then the stage of every document to a file that has the documents in order.
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
	shift := StageShift(uint32(docs))
	err := eachCell(file, docs, docs, func(position uint32) { out.WriteByte(byte(position >> shift)) })
	return errors.Join(err, out.Flush())
}

// eachCell reads so many cells of an order file, from one on.
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
