package figures

import (
	"cmp"
	"errors"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"slices"

	"razao/index/column"
	"razao/index/folder"
	"razao/index/term"
)

// Read reads the files that Totals.Write has written for an index of docs documents. The error is
// folder.ErrDamaged when a file is missing, cut, or has a number that an index of this size cannot
// have; the Rankings must not be used then.
func Read(dir string, docs int64) (*Rankings, error) {
	r := &Rankings{
		country: Sums{Capital: new(big.Int), PublishedCapital: new(big.Int)}, ufs: make(map[string]*Sums), municipalities: make(map[string]*Sums),
	}
	err := cmp.Or(readFile(dir, rankingsFile, docs, r.readSums), readFile(dir, placesFile, docs, r.readMoves))
	for _, f := range r.ufs {
		r.country.add(f)
	}
	return r, err
}

// readFile passes a file to read, to its end or the first error.
func readFile(dir, name string, docs int64, read func(*varints)) error {
	body, err := os.ReadFile(filepath.Join(dir, name))
	if err == nil {
		in := &varints{folder.Reader{Rest: body}, uint64(docs)}
		read(in)
		err = in.Err
	}
	if err != nil {
		return fmt.Errorf("%w (%s: %w)", folder.ErrDamaged, name, err)
	}
	return nil
}

var (
	errFigures = errors.New("figures of no place")
	errRange   = errors.New("a figure that no place can have")
)

// placeOf returns the places of a kind and the code of one by its number; false for a number that no
// place has.
func (r *Rankings) placeOf(municipality bool, number uint64) (places map[string]*Sums, code string, ok bool) {
	switch {
	case municipality && number < column.UnknownCode:
		return r.municipalities, fmt.Sprintf("%04d", number), true
	case !municipality && number > 0 && number <= uint64(term.LastUF):
		return r.ufs, term.UFCode(int(number)), true
	}
	return nil, "", false
}

// readSums reads the first file.
func (r *Rankings) readSums(in *varints) {
	for len(in.Rest) > 0 {
		places, code, ok := r.placeOf(in.Uvarint() == 1, in.Uvarint())
		f := &Sums{ActiveCompanies: in.count(), Capital: in.amount(), ImplausibleCompanies: in.count(), PublishedCapital: in.amount()}
		for n := in.Uvarint(); n > 0 && in.Err == nil; n-- {
			situacao := in.upTo(term.LastSituacao)
			o := OpeningCount{Year: in.year(), Count: in.count()}
			if situacao > 0 {
				o.Situacao = term.SituacaoCode(int(situacao))
			}
			f.Openings = append(f.Openings, o)
		}
		if !ok {
			in.Fail(errFigures)
			return
		}
		places[code] = f
	}
}

// add adds the sums of a part of f, in which openings and closings stay sorted. Activities cannot be
// added: those of the parts are cut at maxActivities.
func (f *Sums) add(part *Sums) {
	f.ActiveCompanies += part.ActiveCompanies
	f.Capital.Add(f.Capital, part.Capital)
	f.ImplausibleCompanies += part.ImplausibleCompanies
	f.PublishedCapital.Add(f.PublishedCapital, part.PublishedCapital)
	for _, o := range part.Openings {
		i, ok := slices.BinarySearchFunc(f.Openings, o, func(a, b OpeningCount) int {
			return cmp.Or(cmp.Compare(a.Situacao, b.Situacao), cmp.Compare(a.Year, b.Year))
		})
		if !ok {
			f.Openings = slices.Insert(f.Openings, i, OpeningCount{o.Situacao, o.Year, 0})
		}
		f.Openings[i].Count += o.Count
	}
	f.Months = AddMonths(f.Months, part.Months)
	f.addUpYear()
	for _, c := range part.Closings {
		i, ok := slices.BinarySearchFunc(f.Closings, c, func(a, b ClosingCount) int { return cmp.Compare(a.Year, b.Year) })
		if !ok {
			f.Closings = slices.Insert(f.Closings, i, ClosingCount{Year: c.Year})
		}
		f.Closings[i].Count += c.Count
	}
}

// AddMonths adds part to sum, in which nil stands for zeros, and returns it.
func AddMonths(sum, part []MonthCount) []MonthCount {
	if sum == nil {
		return slices.Clone(part)
	}
	for i, m := range part {
		sum[i].Opened += m.Opened
		sum[i].Closed += m.Closed
	}
	return sum
}

// addUpYear sets Opened and Closed to the sums of the last twelve of Months.
func (f *Sums) addUpYear() {
	f.Opened, f.Closed = 0, 0
	for i, m := range f.Months {
		if i > 0 {
			f.Opened, f.Closed = f.Opened+m.Opened, f.Closed+m.Closed
		}
	}
}

// varints reads the numbers of a file.
type varints struct {
	folder.Reader
	docs uint64 // upper bound of every count
}

// count reads a number of documents.
func (v *varints) count() int64 { return int64(v.upTo(v.docs)) }

// amount reads a number of 128 bits, upper half first.
func (v *varints) amount() *big.Int {
	sum := new(big.Int).SetUint64(v.Uvarint())
	return sum.Lsh(sum, 64).Add(sum, new(big.Int).SetUint64(v.Uvarint()))
}

// year reads a year between term.FirstYear and term.LastYear, or 0 for unknown.
func (v *varints) year() int {
	year := int(v.upTo(term.LastYear))
	if year != 0 && !term.IsYear(year) {
		v.Fail(errRange)
	}
	return year
}

// upTo reads a number and fails with errRange when it is above most.
func (v *varints) upTo(most uint64) uint64 {
	n := v.Uvarint()
	if n > most {
		v.Fail(errRange)
		return 0
	}
	return n
}

// lastDay is the upper bound of a day in the form AAAAMMDD.
const lastDay = 9999_12_31

// readMoves completes the sums with the second file. Texts of codes, which repeat from place to place,
// are interned.
func (r *Rankings) readMoves(in *varints) {
	r.since, r.until = int(in.upTo(lastDay)), int(in.upTo(lastDay))
	names := map[uint64]string{}
	for len(in.Rest) > 0 {
		places, code, _ := r.placeOf(in.Uvarint() == 1, in.Uvarint())
		f := places[code] // nil when the first file does not have the place
		if f == nil {
			in.Fail(errFigures)
			return
		}
		if r.since != 0 {
			f.Months = make([]MonthCount, monthsKept)
			for i := range f.Months {
				f.Months[i] = MonthCount{in.count(), in.count()}
			}
			f.addUpYear()
		}
		for n := in.Uvarint(); n > 0 && in.Err == nil; n-- {
			f.Closings = append(f.Closings, ClosingCount{in.year(), in.count()})
		}
		for n := in.Uvarint(); n > 0 && in.Err == nil; n-- {
			code := in.upTo(column.UnknownActivity - 1)
			if names[code] == "" {
				names[code] = fmt.Sprintf("%07d", code)
			}
			f.Activities = append(f.Activities, ActivityCount{names[code], in.count()})
		}
	}
}
