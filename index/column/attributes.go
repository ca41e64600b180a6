package column

import (
	"encoding/binary"

	"razao/internal/data/record"
)

// Attributes are the column values of one document, on their way from the encoder to the files.
type Attributes struct {
	Facets   Facets
	Opening  uint32 // AAAAMMDD, 0 unknown
	Closing  uint32 // AAAAMMDD, 0 unknown or not closed
	Activity uint32 // main activity: the subclass as a number, UnknownActivity for none
	Capital  int64  // cents, negative when unknown
	Numbers  [CountOfNumbers]uint16
	name     []byte // sort key of the legal name: folded words, cut at MaxNameKey
}

// Implausible reports whether no company can have this capital (record.ImplausibleCapital). Orders
// put such amounts behind all others, sums keep them apart.
func (a *Attributes) Implausible() bool { return record.ImplausibleCapital(record.Cents(a.Capital)) }

// MaxNameKey is how many bytes of a name its sort key has. Names that agree so far follow by rank.
const MaxNameKey = 48

// fixedAttributes is the length of the encoded form without the name; its last byte is the length
// of the name.
const fixedAttributes = numbersAt + 2*int(CountOfNumbers) + 1

// numbersAt is where the numbers begin in the encoded form.
const numbersAt = 8 + 4 + 4 + 4 + 8

// Append appends the encoded form to dst and returns the result.
func (a *Attributes) Append(dst []byte) []byte {
	dst = binary.LittleEndian.AppendUint64(dst, uint64(a.Facets))
	dst = binary.LittleEndian.AppendUint32(dst, a.Opening)
	dst = binary.LittleEndian.AppendUint32(dst, a.Closing)
	dst = binary.LittleEndian.AppendUint32(dst, a.Activity)
	dst = binary.LittleEndian.AppendUint64(dst, uint64(a.Capital))
	for _, n := range a.Numbers {
		dst = binary.LittleEndian.AppendUint16(dst, n)
	}
	dst = append(dst, byte(len(a.name)))
	return append(dst, a.name...)
}

// EncodedLen returns the length of the encoded form that b begins with.
func EncodedLen(b []byte) int { return fixedAttributes + int(b[fixedAttributes-1]) }

// Decode reads the encoded form that b begins with. The name is a slice of b.
func Decode(b []byte) Attributes {
	a := Attributes{
		Facets:   Facets(binary.LittleEndian.Uint64(b)),
		Opening:  binary.LittleEndian.Uint32(b[8:]),
		Closing:  binary.LittleEndian.Uint32(b[12:]),
		Activity: binary.LittleEndian.Uint32(b[16:]),
		Capital:  int64(binary.LittleEndian.Uint64(b[20:])),
		name:     b[fixedAttributes:EncodedLen(b)],
	}
	for n := range a.Numbers {
		a.Numbers[n] = binary.LittleEndian.Uint16(b[numbersAt+2*n:])
	}
	return a
}
