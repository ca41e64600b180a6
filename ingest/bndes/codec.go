package bndes

import (
	"encoding/binary"
	"errors"
	"strings"
)

// The packed form of operations. All integers are unsigned varints. Each blob has its own
// dictionary of texts per field, so a blob decodes without any other.
//
//	blob       version byte, then operations up to its end
//	operation  position of the file, line, then every field but those of the link, in order
//	field      0, length and bytes of a text that is new to this field in this blob; or the
//	           number of an earlier text of this field, counted from 1: text 1 is the empty one
//
// Most fields repeat a few texts.
const (
	codecVersion = 1
	blobBytes    = 64 << 10 // an operation that takes a blob past this size closes it
	newText      = 0
	emptyText    = 1
)

// errCorrupt reports a blob that is damaged or was written with another codec version.
var errCorrupt = errors.New("packed operations do not decode")

// packed reports whether a field is stored. The CNPJ and the method of the link are not: each load
// computes them.
func packed(field int) bool { return field != cnpjVinculado && field != metodoVinculo }

// encoder packs operations into one blob after another. seen is the dictionary of the current blob,
// by field.
type encoder struct {
	blob []byte
	seen [fieldCount]map[string]uint64
}

func newEncoder() *encoder {
	e := &encoder{blob: make([]byte, 0, blobBytes+4<<10)}
	for field := range e.seen {
		e.seen[field] = map[string]uint64{}
	}
	e.reset()
	return e
}

// reset begins a new blob in the same memory.
func (e *encoder) reset() {
	e.blob = append(e.blob[:0], codecVersion)
	for _, texts := range e.seen {
		clear(texts)
		texts[""] = emptyText
	}
}

// empty reports whether the blob has no operation yet.
func (e *encoder) empty() bool { return len(e.blob) == 1 }

func (e *encoder) add(o *operation) {
	e.blob = binary.AppendUvarint(e.blob, uint64(o.where.File))
	e.blob = binary.AppendUvarint(e.blob, uint64(o.where.Line))
	for field, value := range &o.values {
		if packed(field) {
			e.text(field, value)
		}
	}
}

// text appends a value as the number of an earlier equal text, else in full, and then adds it to
// the dictionary.
func (e *encoder) text(field int, value string) {
	texts := e.seen[field]
	if n, ok := texts[value]; ok {
		e.blob = binary.AppendUvarint(e.blob, n)
		return
	}
	texts[strings.Clone(value)] = uint64(len(texts)) + 1
	e.blob = append(e.blob, newText)
	e.blob = binary.AppendUvarint(e.blob, uint64(len(value)))
	e.blob = append(e.blob, value...)
}

// unpack calls visit for every operation of a blob and stops at its first error. The operation is
// overwritten for the next call; its texts stay valid but share memory with the whole blob. A blob
// that does not decode gives errCorrupt, possibly after some calls; hostile lengths and numbers are
// checked against what is left of the blob.
func unpack(blob []byte, visit func(*operation) error) error {
	d := decoder{rest: string(blob)}
	if d.byte() != codecVersion {
		return errCorrupt
	}
	for field := range d.seen {
		d.seen[field] = []string{""}
	}
	var o operation
	for d.rest != "" {
		o = operation{}
		d.operation(&o)
		if d.bad {
			return errCorrupt
		}
		if err := visit(&o); err != nil {
			return err
		}
	}
	if d.bad {
		return errCorrupt
	}
	return nil
}

// decoder walks a blob. After the first fault it stays at the end with bad set, so callers check
// only once for each operation.
type decoder struct {
	rest string // what is left of the one copy of the blob; all texts are slices of it
	seen [fieldCount][]string
	bad  bool
}

func (d *decoder) operation(o *operation) {
	o.where.File = int(d.uvarint())
	o.where.Line = int64(d.uvarint())
	for field := range o.values {
		if packed(field) {
			o.values[field] = d.text(field)
		}
	}
}

func (d *decoder) text(field int) string {
	n := d.uvarint()
	if n != newText {
		if n > uint64(len(d.seen[field])) {
			d.fail()
			return ""
		}
		return d.seen[field][n-1]
	}
	size := d.uvarint()
	if size > uint64(len(d.rest)) {
		d.fail()
		return ""
	}
	value := d.rest[:size]
	d.rest = d.rest[size:]
	d.seen[field] = append(d.seen[field], value)
	return value
}

func (d *decoder) byte() byte {
	if d.rest == "" {
		d.fail()
		return 0
	}
	b := d.rest[0]
	d.rest = d.rest[1:]
	return b
}

// uvarint reads a varint of up to 63 bits; a longer one is a fault.
func (d *decoder) uvarint() (n uint64) {
	for shift := 0; shift < 63; shift += 7 {
		b := d.byte()
		n |= uint64(b&0x7f) << shift
		if b < 0x80 {
			return n
		}
	}
	d.fail()
	return 0
}

func (d *decoder) fail() {
	d.rest, d.bad = "", true
}
