package segment

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"os"

	"github.com/RoaringBitmap/roaring/v2"
	bleveindex "github.com/blevesearch/bleve_index_api"
	"github.com/blevesearch/vellum"
	zap "github.com/blevesearch/zapx/v17"

	"razao/index/term"
)

// Writer writes a segment in version 17 of the zap format; the package comment has the layout.
// Calls come in the order Key for each document, EndKeys, then Term for each term. A test
// holds the result to Bleve's by writing the same documents both ways.
//
// Frequencies and norms are omitted in the way that the format provides (offset 0), which Bleve
// reads as zero. Write errors are sticky and returned at the end. Not safe for concurrent use.
type Writer struct {
	file    *os.File
	buf     *bufio.Writer
	written uint64
	crc     uint32
	docs    uint64
	err     error  // first failed write
	scratch []byte // reused between calls
	bitmap  *roaring.Bitmap
	encoded bytes.Buffer
	dict    *vellum.Builder
	spool   *os.File // what dict has written, too much for memory: its length precedes it
	spooled *bufio.Writer
	field   byte // current field, 0 before the first
	fields  []fieldEntry
	stored  uint64 // offset of the list of stored documents
}

// fieldEntry is a finished field and the offset of its section.
type fieldEntry struct {
	letter byte
	offset uint64
}

// storedRecord is the size of a stored document: three length bytes, the key of 8 bytes, and an
// empty snappy block of one byte.
const storedRecord = 12

// Write writes a segment of docs documents to path and syncs it. fill supplies the content; docs
// must be the number of its calls of Key. After an error, fill's own included, the file is left
// behind and is of no use.
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

// newWriter creates or truncates the file at path.
func newWriter(path string, docs uint64) (*Writer, error) {
	w := &Writer{docs: docs, bitmap: roaring.New()}
	var err error
	if w.file, err = os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600); err != nil {
		return nil, err
	}
	if w.spool, err = os.OpenFile(path+".dictionary", os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600); err != nil {
		return nil, errors.Join(err, w.file.Close())
	}
	w.spooled = bufio.NewWriterSize(w.spool, 256<<10)
	if w.dict, err = vellum.New(w.spooled, nil); err != nil {
		return nil, errors.Join(err, w.abandon())
	}
	w.buf = bufio.NewWriterSize(w.file, 1<<20)
	return w, nil
}

// write appends b to file and checksum.
func (w *Writer) write(b []byte) {
	if w.err != nil {
		return
	}
	w.crc = crc32.Update(w.crc, crc32.IEEETable, b)
	w.written += uint64(len(b))
	_, w.err = w.buf.Write(b)
}

// Key stores the key of the next document, exactly 8 bytes. Documents come in rank order, which is
// not the order of keys.
func (w *Writer) Key(id []byte) {
	w.scratch = append(w.scratch[:0], 1, byte(len(id)+1), byte(len(id)))
	w.scratch = append(w.scratch, id...)
	w.write(append(w.scratch, 0))
}

// EndKeys ends the stored documents with the index of their offsets, which are multiples of
// storedRecord.
func (w *Writer) EndKeys() {
	w.stored = w.written
	for i := range w.docs {
		w.scratch = binary.BigEndian.AppendUint64(w.scratch[:0], i*storedRecord)
		w.write(w.scratch)
	}
	w.write([]byte{0}) // no nested documents
}

// Term writes the postings of one term. Keys (field letter and term) must ascend strictly from call
// to call; docs must ascend and have at least one element. Neither slice is kept.
func (w *Writer) Term(key []byte, docs []uint32) error {
	if key[0] != w.field {
		if err := w.endField(); err != nil {
			return err
		}
		w.field = key[0]
	}
	// The document of a 1-hit term is encoded in the FST value itself.
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

// endField writes the term dictionary of the current field, if any, and its section.
func (w *Writer) endField() error {
	if w.field == 0 {
		return nil
	}
	if err := w.dict.Close(); err != nil {
		return err
	}
	at := w.written
	if err := w.copyDictionary(); err != nil {
		return err
	}
	w.fields = append(w.fields, fieldEntry{w.field, w.written})
	w.scratch = binary.AppendUvarint(w.scratch[:0], math.MaxUint64) // no doc values: neither start
	w.scratch = binary.AppendUvarint(w.scratch, math.MaxUint64)     // nor end
	w.write(binary.AppendUvarint(w.scratch, at))
	return w.dict.Reset(w.spooled)
}

// copyDictionary writes the spooled dictionary after its length, and rewinds the spool.
func (w *Writer) copyDictionary() error {
	if err := w.spooled.Flush(); err != nil {
		return err
	}
	size, err := w.spool.Seek(0, io.SeekCurrent)
	if err != nil {
		return err
	}
	w.write(binary.AppendUvarint(w.scratch[:0], uint64(size)))
	block := make([]byte, 64<<10)
	for at := int64(0); at < size; at += int64(len(block)) {
		block = block[:min(int64(len(block)), size-at)]
		if _, err := w.spool.ReadAt(block, at); err != nil {
			return err
		}
		w.write(block)
	}
	_, err = w.spool.Seek(0, io.SeekStart)
	return err
}

// finish writes the fields and the footer, flushes, syncs and closes the file.
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

	w.scratch = binary.BigEndian.AppendUint32(w.scratch[:0], 0) // no encryption
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
	return w.close()
}

// close closes both files and deletes the spool.
func (w *Writer) close() error {
	return errors.Join(w.file.Close(), w.spool.Close(), os.Remove(w.spool.Name()))
}

// appendField appends the entry of a field: name, options, and the address of its one section.
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

// abandon closes the files of a segment that failed.
func (w *Writer) abandon() error {
	if err := w.close(); err != nil {
		return fmt.Errorf("closing a segment: %w", err)
	}
	return nil
}
