package history

import (
	"encoding/binary"
	"errors"
	"fmt"

	"razao/internal/data/change"
	"razao/internal/data/cnpj"
	"razao/internal/data/record"
)

// Entry is what one load changed of one company.
type Entry struct {
	Root       cnpj.Root
	Individual bool // it is, or was before the load, a natural person in business
	Events     []change.Event
}

// ErrCorrupt means that a stored block does not decode.
var ErrCorrupt = errors.New("stored changes do not decode")

// The stored form of an entry. Integers are unsigned varints; a text is its length in bytes, then
// its bytes.
//
//	entry  root; number of events << 1 | individual; events
//	event  kind; order (Establishments) or three texts (Partners); date;
//	       sides (1 before, 2 after); bit set of the fields that either has; for each side, their values
const (
	hasBefore = 1
	hasAfter  = 2
)

// AppendEntry appends the stored form of an entry to dst.
func AppendEntry(dst []byte, e *Entry) []byte {
	dst = binary.AppendUvarint(dst, uint64(e.Root))
	n := uint64(len(e.Events)) << 1
	if e.Individual {
		n |= 1
	}
	dst = binary.AppendUvarint(dst, n)
	for i := range e.Events {
		dst = appendEvent(dst, &e.Events[i])
	}
	return dst
}

func appendEvent(dst []byte, e *change.Event) []byte {
	dst = append(dst, byte(e.Kind))
	switch e.Kind.Info().Part {
	case change.Establishments:
		dst = binary.AppendUvarint(dst, uint64(e.Order))
	case change.Partners:
		for _, text := range []string{e.Partner.Type, e.Partner.Name, e.Partner.Document} {
			dst = appendText(dst, text)
		}
	}
	dst = binary.AppendUvarint(dst, uint64(e.Date))
	var sides byte
	if e.Before != nil {
		sides |= hasBefore
	}
	if e.After != nil {
		sides |= hasAfter
	}
	dst = append(dst, sides)
	var set uint64
	for _, side := range [][]string{e.Before, e.After} {
		for i, value := range side {
			if value != "" {
				set |= 1 << i
			}
		}
	}
	dst = binary.AppendUvarint(dst, set)
	for _, side := range [][]string{e.Before, e.After} {
		for i, value := range side {
			if set>>i&1 != 0 {
				dst = appendText(dst, value)
			}
		}
	}
	return dst
}

func appendText(dst []byte, s string) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(s)))
	return append(dst, s...)
}

// decoder walks the entries of a block. After a fault bad is set and everything reads as zero.
type decoder struct {
	rest []byte
	bad  bool
}

func (d *decoder) uvarint() uint64 {
	v, n := binary.Uvarint(d.rest)
	if n <= 0 {
		d.rest, d.bad = nil, true
		return 0
	}
	d.rest = d.rest[n:]
	return v
}

func (d *decoder) byte() byte {
	if len(d.rest) == 0 {
		d.bad = true
		return 0
	}
	b := d.rest[0]
	d.rest = d.rest[1:]
	return b
}

func (d *decoder) text() string {
	n := d.uvarint()
	if n > uint64(len(d.rest)) {
		d.rest, d.bad = nil, true
		return ""
	}
	text := string(d.rest[:n])
	d.rest = d.rest[n:]
	return text
}

// next reads the next entry; more is false at the end of the block or after a fault.
func (d *decoder) next() (e Entry, more bool) {
	if len(d.rest) == 0 {
		return Entry{}, false
	}
	e.Root = cnpj.Root(d.uvarint())
	n := d.uvarint()
	e.Individual = n&1 != 0
	if n >>= 1; n > uint64(len(d.rest)) { // an event takes several bytes
		d.bad = true
		return Entry{}, false
	}
	e.Events = make([]change.Event, n)
	for i := range e.Events {
		d.event(&e.Events[i])
	}
	return e, !d.bad
}

func (d *decoder) event(e *change.Event) {
	e.Kind = change.Kind(d.byte())
	info := e.Kind.Info()
	if info == nil {
		d.rest, d.bad = nil, true
		return
	}
	switch info.Part {
	case change.Establishments:
		order := d.uvarint()
		d.bad = d.bad || order >= cnpj.Orders
		e.Order = cnpj.Order(order)
	case change.Partners:
		e.Partner = change.Partner{Type: d.text(), Name: d.text(), Document: d.text()}
	}
	e.Date = record.Date(d.uvarint())
	sides, set := d.byte(), d.uvarint()
	for i, side := range []*[]string{&e.Before, &e.After} {
		if sides>>i&1 != 0 {
			*side = d.values(len(info.Fields), set)
		}
	}
}

func (d *decoder) values(fields int, set uint64) []string {
	values := make([]string, fields)
	for i := range values {
		if set>>i&1 != 0 {
			values[i] = d.text()
		}
	}
	d.bad = d.bad || set>>fields != 0
	return values
}

// err returns ErrCorrupt after a fault.
func (d *decoder) err() error {
	if d.bad {
		return ErrCorrupt
	}
	return nil
}

// forEach calls visit for the entries of a block in order, until visit returns false. The error is
// ErrCorrupt if the block does not decode.
func forEach(doc []byte, visit func(*Entry) bool) error {
	raw, err := decompress(doc)
	if err != nil {
		return err
	}
	d := decoder{rest: raw}
	for {
		e, more := d.next()
		if !more {
			return d.err()
		}
		if !visit(&e) {
			return nil
		}
	}
}

// The first byte of a block says how the rest is stored. Blocks of small loads would grow by
// compression.
const (
	stored     = 0
	compressed = 1
	// maxBlock bounds the size of a block, so that a damaged one does not take all memory.
	maxBlock = 64 << 20
)

func compress(raw []byte) []byte {
	small := zstdEncoder.EncodeAll(raw, []byte{compressed})
	if len(small) <= len(raw) {
		return small
	}
	return append([]byte{stored}, raw...)
}

func decompress(doc []byte) ([]byte, error) {
	switch {
	case len(doc) > 0 && doc[0] == stored:
		return doc[1:], nil
	case len(doc) > 0 && doc[0] == compressed:
		raw, err := zstdDecoder.DecodeAll(doc[1:], nil)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
		}
		return raw, nil
	}
	return nil, ErrCorrupt
}
