package index

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"math/big"
	"math/bits"
	"os"
	"path/filepath"
	"slices"
)

// rankingsFile holds the figures of all places: see totals.write.
const rankingsFile = "rankings"

// totals adds up the figures of places while an index is built.
type totals struct {
	lately   period
	openings map[cell]int64
	sums     map[place]*sum
}

// place is a municipality or a UF by its number; the country is UF 0 of no municipality.
type place struct {
	municipality bool
	number       int
}

// cell is one figure of a place.
type cell struct {
	place
	situacao, year int
}

// sum is the number of the active companies of a place and their capital, which may exceed 64 bits.
type sum struct {
	companies int64
	hi, lo    uint64
	moves     *moves
}

func newTotals(month string) *totals {
	return &totals{twelveMonths(month), make(map[cell]int64), make(map[place]*sum)}
}

// add counts one document.
func (t *totals) add(a *attributes) {
	places := [...]place{{false, a.facets.uf()}, {true, a.facets.municipio()}}
	for i, p := range places {
		if i == 0 && p.number == 0 || i == 1 && p.number == unknownCode {
			continue
		}
		t.openings[cell{p, a.facets.situacao(), a.facets.year()}]++
		s := t.sums[p]
		if s == nil {
			s = &sum{moves: newMoves()}
			t.sums[p] = s
		}
		s.moves.add(a, t.lately)
		if a.facets.active() && a.facets.headOffice() {
			s.companies++
			var carry uint64
			s.lo, carry = bits.Add64(s.lo, uint64(max(a.capital, 0)), 0)
			s.hi += carry
		}
	}
}

// write writes the figures, in order: for every place its kind and number, number of active companies, the two halves
// of their capital, number of cells, and per cell situação, year and count, all as varints.
func (t *totals) write(path string) error {
	cells := make([]cell, 0, len(t.openings))
	for c := range t.openings {
		cells = append(cells, c)
	}
	slices.SortFunc(cells, func(a, b cell) int {
		return cmp.Or(comparePlaces(a.place, b.place), cmp.Compare(a.situacao, b.situacao), cmp.Compare(a.year, b.year))
	})
	var out []byte
	for len(cells) > 0 {
		p, n := cells[0].place, 1
		for n < len(cells) && cells[n].place == p {
			n++
		}
		s := t.sums[p]
		for _, v := range [...]uint64{bit(p.municipality), uint64(p.number), uint64(s.companies), s.hi, s.lo, uint64(n)} {
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

// readRankings reads what write has written.
func readRankings(dir string) (*Rankings, error) {
	file, err := os.Open(filepath.Join(dir, rankingsFile))
	if err != nil {
		return nil, fmt.Errorf("%w (%w)", ErrDamaged, err)
	}
	defer file.Close()
	r := &Rankings{
		country: PlaceFigures{Capital: new(big.Int)}, ufs: make(map[string]*PlaceFigures), municipalities: make(map[string]*PlaceFigures),
	}
	in := &varints{r: bufio.NewReader(file)}
	for !in.atEnd() {
		if err := r.readPlace(in); err != nil {
			return nil, fmt.Errorf("%w (%s: %w)", ErrDamaged, rankingsFile, err)
		}
	}
	return r, r.readMoves(dir)
}

var errFigures = errors.New("figures of no place")

// readPlace reads one place. The country is the sum of the UFs.
func (r *Rankings) readPlace(in *varints) error {
	municipality, number := in.next() == 1, in.next()
	f := &PlaceFigures{ActiveCompanies: int64(in.next())}
	f.Capital = new(big.Int).SetUint64(in.next())
	f.Capital.Lsh(f.Capital, 64).Add(f.Capital, new(big.Int).SetUint64(in.next()))
	for range in.next() {
		situacao := in.next()
		o := OpeningCount{Year: int(in.next()), Count: int64(in.next())}
		if in.err != nil || situacao > 6 {
			return cmp.Or(in.err, errFigures)
		}
		if situacao > 0 {
			o.Situacao = situacaoCode(int(situacao))
		}
		f.Openings = append(f.Openings, o)
	}
	switch {
	case in.err != nil:
		return in.err
	case municipality && number < unknownCode:
		r.municipalities[fmt.Sprintf("%04d", number)] = f
	case !municipality && number > 0 && int(number) <= len(knownUFs)/3:
		r.ufs[ufCode(int(number))] = f
		r.country.add(f)
	default:
		return errFigures
	}
	return nil
}

// add adds the figures of a part.
func (f *PlaceFigures) add(part *PlaceFigures) {
	f.ActiveCompanies += part.ActiveCompanies
	f.Capital.Add(f.Capital, part.Capital)
	for _, o := range part.Openings {
		i, ok := slices.BinarySearchFunc(f.Openings, o, func(a, b OpeningCount) int {
			return cmp.Or(cmp.Compare(a.Situacao, b.Situacao), cmp.Compare(a.Year, b.Year))
		})
		if !ok {
			f.Openings = slices.Insert(f.Openings, i, OpeningCount{o.Situacao, o.Year, 0})
		}
		f.Openings[i].Count += o.Count
	}
}

// varints reads numbers one by one and keeps the first error.
type varints struct {
	r   *bufio.Reader
	err error
}

func (v *varints) next() uint64 {
	if v.err != nil {
		return 0
	}
	n, err := binary.ReadUvarint(v.r)
	v.err = noEOF(err)
	return n
}

func (v *varints) atEnd() bool {
	_, err := v.r.Peek(1)
	return err != nil
}
