package segment

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"os"

	"github.com/RoaringBitmap/roaring/v2"
	bleveindex "github.com/blevesearch/bleve_index_api"
	"github.com/blevesearch/vellum"
	zap "github.com/blevesearch/zapx/v17"

	"razao/index/term"
)

// Writer writes a segment in version 17 of the zap format; see the package comment for the layout. Its calls come in the
// order Key for each document, EndKeys, Term for each term. A test of package build holds it to the library by writing the
// same documents both ways.
//
// Frequencies and norms are left out the way the format has for it (offset 0), which Bleve reads as zero.
type Writer struct {
	file     *os.File
	buf      *bufio.Writer
	written  uint64
	crc      uint32
	docs     uint64
	err      error // the first failed write
	scratch  []byte
	bitmap   *roaring.Bitmap
	encoded  bytes.Buffer
	dict     *vellum.Builder
	dictData bytes.Buffer
	field    byte // whose terms are being written, 0 before the first
	fields   []fieldEntry
	stored   uint64 // where the list of stored documents begins
}

type fieldEntry struct {
	letter byte
	offset uint64
}

// storedRecord is the size of a document in the first part of the file: three lengths, the 8 bytes of its key, which
// come after storedKey bytes, an empty snappy block.
const (
	storedRecord = 12
	storedKey    = 3
)

// Write writes a segment of so many documents to path, synced. fill hands over the content; its error is returned, and the
// file then is of no use.
func Write(path string, docs uint64, fill func(*Writer) error) (err error) {
	w, err := newWriter(path, docs)
	if err != nil {
		return err
	}
	if err := fill(w); err != nil {
		return errors.Join(err, w.abandon())
	}
	if err := w.finish(); err != nil {
		return errors.Join(err, w.abandon())
	}
	return nil
}

func newWriter(path string, docs uint64) (*Writer, error) {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, err
	}
	w := &Writer{file: file, buf: bufio.NewWriterSize(file, 1<<20), docs: docs, bitmap: roaring.New()}
	if w.dict, err = vellum.New(&w.dictData, nil); err != nil {
		return nil, err
	}
	return w, nil
}

// write appends b; the first error is kept for finish.
func (w *Writer) write(b []byte) {
	if w.err != nil {
		return
	}
	w.crc = crc32.Update(w.crc, crc32.IEEETable, b)
	w.written += uint64(len(b))
	_, w.err = w.buf.Write(b)
}

// Key stores the key of the next document, 8 bytes.
func (w *Writer) Key(id []byte) {
	w.scratch = append(w.scratch[:0], 1, byte(len(id)+1), byte(len(id)))
	w.scratch = append(w.scratch, id...)
	w.write(append(w.scratch, 0))
}

// EndKeys ends the keys: it writes the offsets of the stored documents.
func (w *Writer) EndKeys() {
	w.stored = w.written
	for i := range w.docs {
		w.scratch = binary.BigEndian.AppendUint64(w.scratch[:0], i*storedRecord)
		w.write(w.scratch)
	}
	w.write([]byte{0}) // no nested documents
}

// Term writes the postings of one term. Keys (field letter and term) rise from call to call; documents rise and are at least
// one.
func (w *Writer) Term(key []byte, docs []uint32) error {
	if key[0] != w.field {
		if err := w.endField(); err != nil {
			return err
		}
		w.field = key[0]
	}
	if len(docs) == 1 {
		return w.dict.Insert(key[1:], zap.FSTValEncode1Hit(uint64(docs[0]), zap.NormBits1Hit))
	}
	w.bitmap.Clear()
	w.bitmap.AddMany(docs)
	w.bitmap.RunOptimize()
	w.encoded.Reset()
	if _, err := w.bitmap.WriteTo(&w.encoded); err != nil {
		return err
	}
	at := w.written
	w.scratch = append(w.scratch[:0], 0, 0) // no frequencies, no locations
	w.write(binary.AppendUvarint(w.scratch, uint64(w.encoded.Len())))
	w.write(w.encoded.Bytes())
	return w.dict.Insert(key[1:], at)
}

// endField writes the dictionary of the field that ends, if any.
func (w *Writer) endField() error {
	if w.field == 0 {
		return nil
	}
	if err := w.dict.Close(); err != nil {
		return err
	}
	at := w.written
	w.write(binary.AppendUvarint(w.scratch[:0], uint64(w.dictData.Len())))
	w.write(w.dictData.Bytes())
	w.fields = append(w.fields, fieldEntry{w.field, w.written})
	w.scratch = binary.AppendUvarint(w.scratch[:0], math.MaxUint64) // no doc values: neither start
	w.scratch = binary.AppendUvarint(w.scratch, math.MaxUint64)     // nor end
	w.write(binary.AppendUvarint(w.scratch, at))
	w.dictData.Reset()
	return w.dict.Reset(&w.dictData)
}

// finish writes the list of fields and the footer and closes the file.
func (w *Writer) finish() error {
	if err := w.endField(); err != nil {
		return err
	}
	offsets := make([]uint64, len(w.fields))
	for i, f := range w.fields {
		offsets[i] = w.written
		w.write(appendField(w.scratch[:0], f))
	}
	at := w.written
	w.scratch = binary.AppendUvarint(w.scratch[:0], uint64(len(offsets)))
	for _, offset := range offsets {
		w.scratch = binary.BigEndian.AppendUint64(w.scratch, offset)
	}
	w.write(w.scratch)

	w.scratch = binary.BigEndian.AppendUint32(w.scratch[:0], 0) // nothing encrypts this file
	w.scratch = binary.BigEndian.AppendUint64(w.scratch, w.docs)
	w.scratch = binary.BigEndian.AppendUint64(w.scratch, w.stored)
	w.scratch = binary.BigEndian.AppendUint64(w.scratch, at)
	w.scratch = binary.BigEndian.AppendUint32(w.scratch, zap.DefaultChunkMode)
	w.write(binary.BigEndian.AppendUint32(w.scratch, zap.Version))
	w.write(binary.BigEndian.AppendUint32(nil, w.crc))
	if w.err != nil {
		return w.err
	}
	if err := w.buf.Flush(); err != nil {
		return err
	}
	if err := w.file.Sync(); err != nil {
		return err
	}
	return w.file.Close()
}

// appendField appends the entry of one field: name, options, and its one section with its address.
func appendField(dst []byte, f fieldEntry) []byte {
	name := term.NameOfField(f.letter)
	options := bleveindex.IndexField | bleveindex.SkipFreqNorm
	if f.letter == term.FieldID {
		options = bleveindex.IndexField | bleveindex.StoreField
	}
	dst = binary.AppendUvarint(dst, uint64(len(name)))
	dst = append(dst, name...)
	dst = binary.AppendUvarint(dst, uint64(options))
	dst = binary.AppendUvarint(dst, 1)
	dst = binary.BigEndian.AppendUint16(dst, zap.SectionInvertedTextIndex)
	return binary.BigEndian.AppendUint64(dst, f.offset)
}

// abandon closes the file of a segment that will not be finished.
func (w *Writer) abandon() error {
	if err := w.file.Close(); err != nil {
		return fmt.Errorf("closing a segment: %w", err)
	}
	return nil
}
