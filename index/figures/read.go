package figures

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/binary"
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
	file, err := os.Open(filepath.Join(dir, rankingsFile))
	if err != nil {
		return nil, fmt.Errorf("%w (%w)", folder.ErrDamaged, err)
	}
	defer file.Close()
	r := &Rankings{
		country: Sums{Capital: new(big.Int), PublishedCapital: new(big.Int)}, ufs: make(map[string]*Sums), municipalities: make(map[string]*Sums),
	}
	in := &varints{r: bufio.NewReader(file), docs: uint64(docs)}
	for !in.atEnd() {
		if err := r.readPlace(in); err != nil {
			return nil, fmt.Errorf("%w (%s: %w)", folder.ErrDamaged, rankingsFile, err)
		}
	}
	return r, r.readMoves(dir, uint64(docs))
}

var (
	errFigures = errors.New("figures of no place")
	errRange   = errors.New("a figure that no place can have")
)

// readPlace reads one place of the first file and adds UFs to the country.
func (r *Rankings) readPlace(in *varints) error {
	municipality, number := in.next() == 1, in.next()
	f := &Sums{ActiveCompanies: in.count(), Capital: in.amount(), ImplausibleCompanies: in.count(), PublishedCapital: in.amount()}
	for range in.next() {
		situacao := in.next()
		o := OpeningCount{Year: in.year(), Count: in.count()}
		if in.err != nil || situacao > term.LastSituacao {
			return cmp.Or(in.err, errFigures)
		}
		if situacao > 0 {
			o.Situacao = term.SituacaoCode(int(situacao))
		}
		f.Openings = append(f.Openings, o)
	}
	switch {
	case in.err != nil:
		return in.err
	case municipality && number < column.UnknownCode:
		r.municipalities[fmt.Sprintf("%04d", number)] = f
	case !municipality && number > 0 && int(number) <= term.LastUF:
		r.ufs[term.UFCode(int(number))] = f
		r.country.add(f)
	default:
		return errFigures
	}
	return nil
}

// add adds the sums of a part of f. Openings stay sorted.
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
}

// varints reads varints one by one. The first error sticks and later reads return 0, so a caller
// checks err once for each place.
type varints struct {
	r    *bufio.Reader
	docs uint64 // upper bound of every count
	err  error
}

// count reads a number of documents.
func (v *varints) count() int64 { return int64(v.upTo(v.docs)) }

// amount reads a number of 128 bits, upper half first.
func (v *varints) amount() *big.Int {
	sum := new(big.Int).SetUint64(v.next())
	return sum.Lsh(sum, 64).Add(sum, new(big.Int).SetUint64(v.next()))
}

// year reads a year between term.FirstYear and term.LastYear, or 0 for unknown.
func (v *varints) year() int {
	year := int(v.upTo(term.LastYear))
	if year != 0 && !term.IsYear(year) {
		v.err = cmp.Or(v.err, errRange)
	}
	return year
}

// upTo reads a number and fails with errRange when it is above most.
func (v *varints) upTo(most uint64) uint64 {
	n := v.next()
	if n > most {
		v.err = cmp.Or(v.err, errRange)
		return 0
	}
	return n
}

func (v *varints) next() uint64 {
	if v.err != nil {
		return 0
	}
	n, err := binary.ReadUvarint(v.r)
	v.err = folder.Truncated(err)
	return n
}

func (v *varints) atEnd() bool {
	_, err := v.r.Peek(1)
	return err != nil
}

// readMoves completes the sums with the file that Totals.writeMoves has written.
func (r *Rankings) readMoves(dir string, docs uint64) error {
	body, err := os.ReadFile(filepath.Join(dir, placesFile))
	if err != nil {
		return fmt.Errorf("%w (%w)", folder.ErrDamaged, err)
	}
	in := &varints{r: bufio.NewReader(bytes.NewReader(body)), docs: docs}
	r.since, r.until = int(in.upTo(lastDay)), int(in.upTo(lastDay))
	names := map[uint64]string{}
	for !in.atEnd() && in.err == nil {
		f := r.figures(in.next() == 1, in.next())
		if f == nil {
			in.err = cmp.Or(in.err, errFigures)
			break
		}
		f.readMoves(in, names)
	}
	if in.err != nil {
		return fmt.Errorf("%w (%s: %w)", folder.ErrDamaged, placesFile, in.err)
	}
	for _, f := range r.ufs {
		r.country.addMoves(f)
	}
	return nil
}

// lastDay is the upper bound of a day in the form AAAAMMDD.
const lastDay = 9999_12_31

// figures returns the sums of a place by kind and number, nil when the first file does not have it.
func (r *Rankings) figures(municipality bool, number uint64) *Sums {
	switch {
	case municipality && number < column.UnknownCode:
		return r.municipalities[fmt.Sprintf("%04d", number)]
	case !municipality && number > 0 && int(number) <= term.LastUF:
		return r.ufs[term.UFCode(int(number))]
	}
	return nil
}

// readMoves reads the varints of one place. names interns the texts of the codes, which repeat from
// place to place.
func (f *Sums) readMoves(in *varints, names map[uint64]string) {
	f.Opened, f.Closed = in.count(), in.count()
	for n := in.next(); n > 0 && in.err == nil; n-- {
		f.Closings = append(f.Closings, ClosingCount{in.year(), in.count()})
	}
	for n := in.next(); n > 0 && in.err == nil; n-- {
		code := in.upTo(column.UnknownActivity - 1)
		if names[code] == "" {
			names[code] = fmt.Sprintf("%07d", code)
		}
		f.Activities = append(f.Activities, ActivityCount{names[code], in.count()})
	}
}

// addMoves adds the openings and closings of a part of f. Activities cannot be added: those of the
// parts are cut at maxActivities.
func (f *Sums) addMoves(part *Sums) {
	f.Opened += part.Opened
	f.Closed += part.Closed
	for _, c := range part.Closings {
		i, ok := slices.BinarySearchFunc(f.Closings, c, func(a, b ClosingCount) int { return cmp.Compare(a.Year, b.Year) })
		if !ok {
			f.Closings = slices.Insert(f.Closings, i, ClosingCount{Year: c.Year})
		}
		f.Closings[i].Count += c.Count
	}
}
