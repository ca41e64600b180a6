package figures

import (
	"cmp"
	"encoding/binary"
	"errors"
	"math/bits"
	"os"
	"path/filepath"
	"slices"

	"razao/index/column"
)

// rankingsFile holds the sums of all places: see Totals.writeSums.
const rankingsFile = "rankings"

// Totals adds up the figures of places while an index is built. Not safe for concurrent use.
type Totals struct {
	lately   period
	openings map[cell]int64
	sums     map[placeKey]*sum
}

// placeKey is a municipality or a UF by its number: see column.Facets and term.UFNumber.
type placeKey struct {
	municipality bool
	number       int
}

// kind is the encoding of the kind of a place, 1 for a municipality and 0 for a UF.
func (p placeKey) kind() uint64 {
	if p.municipality {
		return 1
	}
	return 0
}

// cell is a place, a situação and a year of opening: the key of one OpeningCount.
type cell struct {
	placeKey
	situacao, year int
}

// sum has the active head offices of a place and their capital in cents: capital without the
// implausible amounts, published with them.
type sum struct {
	companies, implausible int64
	capital, published     amount
	moves                  *moves
}

// amount is an unsigned 128-bit sum of cents. Published fields filled with nines overflow 64 bits.
type amount struct{ hi, lo uint64 }

func (a *amount) add(cents uint64) {
	var carry uint64
	a.lo, carry = bits.Add64(a.lo, cents, 0)
	a.hi += carry
}

// NewTotals returns empty totals. The month (AAAA-MM) is the last of the twelve for which openings
// and closings are counted; with any other text none are.
func NewTotals(month string) *Totals {
	return &Totals{twelveMonths(month), make(map[cell]int64), make(map[placeKey]*sum)}
}

// Add counts one document in its municipality and in its UF, where these are known.
func (t *Totals) Add(a *column.Attributes) {
	places := [...]placeKey{{false, a.Facets.UF()}, {true, a.Facets.Municipio()}}
	for i, p := range places {
		if i == 0 && p.number == 0 || i == 1 && p.number == column.UnknownCode {
			continue
		}
		t.openings[cell{p, a.Facets.Situacao(), a.Facets.Year()}]++
		s := t.sums[p]
		if s == nil {
			s = &sum{moves: newMoves()}
			t.sums[p] = s
		}
		s.moves.add(a, t.lately)
		if a.Facets.Active() && a.Facets.HeadOffice() {
			s.add(a)
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
	cells := make([]cell, 0, len(t.openings))
	for c := range t.openings {
		cells = append(cells, c)
	}
	slices.SortFunc(cells, func(a, b cell) int {
		return cmp.Or(comparePlaces(a.placeKey, b.placeKey), cmp.Compare(a.situacao, b.situacao), cmp.Compare(a.year, b.year))
	})
	var out []byte
	for len(cells) > 0 {
		p, n := cells[0].placeKey, 1
		for n < len(cells) && cells[n].placeKey == p {
			n++
		}
		s := t.sums[p]
		for _, v := range [...]uint64{
			p.kind(), uint64(p.number), uint64(s.companies), s.capital.hi, s.capital.lo,
			uint64(s.implausible), s.published.hi, s.published.lo, uint64(n),
		} {
			out = binary.AppendUvarint(out, v)
		}
		for _, c := range cells[:n] {
			out = binary.AppendUvarint(out, uint64(c.situacao))
			out = binary.AppendUvarint(out, uint64(c.year))
			out = binary.AppendUvarint(out, uint64(t.openings[c]))
		}
		cells = cells[n:]
	}
	return os.WriteFile(path, out, 0o600)
}
