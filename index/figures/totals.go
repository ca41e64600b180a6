package figures

import (
	"encoding/binary"
	"errors"
	"math/bits"
	"os"
	"path/filepath"

	"razao/index/column"
)

// rankingsFile holds the sums of all places: see Totals.writeSums.
const rankingsFile = "rankings"

// Totals adds up the figures of places while an index is built. Not safe for concurrent use.
type Totals struct {
	lately period
	places [2][column.UnknownCode]*sum // by kind and number of the place; nil: no document is there
}

// The kinds of places, as they are encoded. The number of a place is that of column.Facets.
const (
	ofUF = iota
	ofMunicipality
)

// sum has the openings of a place, its active head offices and their capital in cents: capital
// without the implausible amounts, published with them.
type sum struct {
	openings               map[uint32]uint32 // by situação and year, see opening
	companies, implausible int64
	capital, published     amount
	moves                  *moves
}

// opening is the key of one OpeningCount: the situação above 16 bits of the year.
func opening(f column.Facets) uint32 { return uint32(f.Situacao()<<16 | f.Year()) }

// amount is an unsigned 128-bit sum of cents. Published fields filled with nines overflow 64 bits.
type amount struct{ hi, lo uint64 }

func (a *amount) add(cents uint64) {
	var carry uint64
	a.lo, carry = bits.Add64(a.lo, cents, 0)
	a.hi += carry
}

// NewTotals returns empty totals. The month (AAAA-MM) is the last of the twelve for which openings
// and closings are counted; with any other text none are.
func NewTotals(month string) *Totals { return &Totals{lately: twelveMonths(month)} }

// Add counts one document in its municipality and in its UF, where these are known.
func (t *Totals) Add(a *column.Attributes) {
	if uf := a.Facets.UF(); uf != 0 {
		t.count(ofUF, uf, a)
	}
	if municipality := a.Facets.Municipio(); municipality != column.UnknownCode {
		t.count(ofMunicipality, municipality, a)
	}
}

// count counts a document in one place.
func (t *Totals) count(kind, number int, a *column.Attributes) {
	s := t.places[kind][number]
	if s == nil {
		s = &sum{openings: make(map[uint32]uint32), moves: newMoves()}
		t.places[kind][number] = s
	}
	s.openings[opening(a.Facets)]++
	s.moves.add(a, t.lately)
	if a.Facets.Active() && a.Facets.HeadOffice() {
		s.add(a)
	}
}

// each calls visit for the places that have a document, UFs before municipalities, each by number.
func (t *Totals) each(visit func(kind, number uint64, s *sum)) {
	for kind := range t.places {
		for number, s := range t.places[kind] {
			if s != nil {
				visit(uint64(kind), uint64(number), s)
			}
		}
	}
}

// add counts an active head office. Unknown capital is negative and counts as 0.
func (s *sum) add(a *column.Attributes) {
	s.companies++
	cents := uint64(max(a.Capital, 0))
	s.published.add(cents)
	if a.Implausible() {
		s.implausible++
	} else {
		s.capital.add(cents)
	}
}

// Write writes both files into the folder of an index that is being built. They are not synced:
// folder.Publish does that.
func (t *Totals) Write(dir string) error {
	return errors.Join(t.writeSums(filepath.Join(dir, rankingsFile)), t.writeMoves(filepath.Join(dir, placesFile)))
}

// writeSums writes the places in order. Each has kind, number, active companies, plausible capital
// (two halves), companies with an implausible one, all capital (two halves), the number of its
// cells, and for each cell situação, year and count.
func (t *Totals) writeSums(path string) error {
	var out []byte
	t.each(func(kind, number uint64, s *sum) {
		openings := byCode(s.openings)
		for _, v := range [...]uint64{
			kind, number, uint64(s.companies), s.capital.hi, s.capital.lo,
			uint64(s.implausible), s.published.hi, s.published.lo, uint64(len(openings)),
		} {
			out = binary.AppendUvarint(out, v)
		}
		for _, o := range openings {
			out = binary.AppendUvarint(out, uint64(o.code>>16))
			out = binary.AppendUvarint(out, uint64(o.code&0xffff))
			out = binary.AppendUvarint(out, uint64(o.count))
		}
	})
	return os.WriteFile(path, out, 0o600)
}
