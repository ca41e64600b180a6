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

// Read reads what Totals.Write has written of so many documents. The error of what cannot be theirs is folder.ErrDamaged.
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

// readPlace reads one place. The country is the sum of the UFs.
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

// add adds the figures of a part.
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

// varints reads numbers one by one and keeps the first error.
type varints struct {
	r    *bufio.Reader
	docs uint64 // no count is higher
	err  error
}

// count reads how many documents are something.
func (v *varints) count() int64 { return int64(v.upTo(v.docs)) }

// amount reads a number of 128 bits: its two halves.
func (v *varints) amount() *big.Int {
	sum := new(big.Int).SetUint64(v.next())
	return sum.Lsh(sum, 64).Add(sum, new(big.Int).SetUint64(v.next()))
}

// year reads a year, 0 for unknown.
func (v *varints) year() int {
	year := int(v.upTo(term.LastYear))
	if year != 0 && !term.IsYear(year) {
		v.err = cmp.Or(v.err, errRange)
	}
	return year
}

// upTo reads a number that must not be higher than most.
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

// readMoves completes the figures with what writeMoves has written.
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

// lastDay is behind every AAAAMMDD.
const lastDay = 9999_12_31

// figures returns the figures of a place by its number, nil when it has none.
func (r *Rankings) figures(municipality bool, number uint64) *Sums {
	switch {
	case municipality && number < column.UnknownCode:
		return r.municipalities[fmt.Sprintf("%04d", number)]
	case !municipality && number > 0 && int(number) <= term.LastUF:
		return r.ufs[term.UFCode(int(number))]
	}
	return nil
}

// readMoves reads the numbers of one place; names keeps the texts of the activities.
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

// addMoves adds what has happened in a part. Activities are not added: those of the parts are not all there are.
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
