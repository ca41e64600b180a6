package column

import (
	"encoding/binary"

	"razao/internal/record"
)

// Attributes are what is known of a document beside its terms: what facets and rankings count, and what orders sort by.
type Attributes struct {
	Facets   Facets
	Opening  uint32 // AAAAMMDD, 0 unknown
	Closing  uint32 // AAAAMMDD, 0 unknown or not closed
	Activity uint32 // main activity, a subclass as a number, UnknownActivity for none
	Capital  int64  // cents, negative when unknown
	Numbers  [CountOfNumbers]uint16
	name     []byte // folded words of the legal name, cut at MaxNameKey
}

// Implausible reports whether the capital is one that no company has: orders and sums by capital set it apart.
func (a *Attributes) Implausible() bool { return record.ImplausibleCapital(record.Cents(a.Capital)) }

// MaxNameKey is how many bytes of a name decide its place in the order by name. What is equal so far follows by rank.
const MaxNameKey = 48

// fixedAttributes is the length of the encoded form without the name.
const fixedAttributes = numbersAt + 2*int(CountOfNumbers) + 1

const numbersAt = 8 + 4 + 4 + 4 + 8

// Append appends the encoded form, EncodedLen bytes.
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

// EncodedLen returns the length of the encoded form at the beginning of b.
func EncodedLen(b []byte) int { return fixedAttributes + int(b[fixedAttributes-1]) }

// Decode reads what Append has written; the name shares memory with b.
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
