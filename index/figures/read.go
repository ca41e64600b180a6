package figures

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"os"
	"path/filepath"
	"slices"

	"razao/index/column"
	"razao/index/folder"
	"razao/index/term"
)

// Read reads what write has written.
func Read(dir string) (*Rankings, error) {
	file, err := os.Open(filepath.Join(dir, rankingsFile))
	if err != nil {
		return nil, fmt.Errorf("%w (%w)", folder.ErrDamaged, err)
	}
	defer file.Close()
	r := &Rankings{
		country: Sums{Capital: new(big.Int)}, ufs: make(map[string]*Sums), municipalities: make(map[string]*Sums),
	}
	in := &varints{r: bufio.NewReader(file)}
	for !in.atEnd() {
		if err := r.readPlace(in); err != nil {
			return nil, fmt.Errorf("%w (%s: %w)", folder.ErrDamaged, rankingsFile, err)
		}
	}
	return r, r.readMoves(dir)
}

var errFigures = errors.New("figures of no place")

// readPlace reads one place. The country is the sum of the UFs.
func (r *Rankings) readPlace(in *varints) error {
	municipality, number := in.next() == 1, in.next()
	f := &Sums{ActiveCompanies: int64(in.next())}
	f.Capital = new(big.Int).SetUint64(in.next())
	f.Capital.Lsh(f.Capital, 64).Add(f.Capital, new(big.Int).SetUint64(in.next()))
	for range in.next() {
		situacao := in.next()
		o := OpeningCount{Year: int(in.next()), Count: int64(in.next())}
		if in.err != nil || situacao > 6 {
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
	v.err = folder.Truncated(err)
	return n
}

func (v *varints) atEnd() bool {
	_, err := v.r.Peek(1)
	return err != nil
}

// readMoves completes the figures with what writeMoves has written, if that is there.
func (r *Rankings) readMoves(dir string) error {
	body, err := os.ReadFile(filepath.Join(dir, placesFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("%w (%w)", folder.ErrDamaged, err)
	}
	in := &varints{r: bufio.NewReader(bytes.NewReader(body))}
	r.since, r.until = int(in.next()), int(in.next())
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
	f.Opened, f.Closed = int64(in.next()), int64(in.next())
	for n := in.next(); n > 0 && in.err == nil; n-- {
		f.Closings = append(f.Closings, ClosingCount{int(in.next()), int64(in.next())})
	}
	for n := in.next(); n > 0 && in.err == nil; n-- {
		code := in.next()
		if names[code] == "" {
			names[code] = fmt.Sprintf("%07d", code)
		}
		f.Activities = append(f.Activities, ActivityCount{names[code], int64(in.next())})
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
