package flags

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/RoaringBitmap/roaring/v2"

	"razao/index/filter"
	"razao/index/folder"
	"razao/internal/data/record"
	"razao/internal/data/source"
)

// Sources has the flags of all sources for the loads of one snapshot, or why they cannot be read.
// It is immutable and safe for concurrent use. In the zero value no source is known: each query
// returns a *SourceError.
type Sources struct {
	all       map[string]known
	companies bool // of the companies that documents belong to
}

// OfCompanies returns the same sources, which answer for each document with what they know of its whole
// company.
func (s *Sources) OfCompanies() *Sources { return &Sources{s.all, true} }

// known is the set of a source, or the error of reading it.
type known struct {
	set *Set
	err error
}

// SourceError reports that the flags of a source cannot be read, so its filters cannot be answered.
type SourceError struct {
	Source string
	Err    error // wraps ErrUnusable when the file is at fault
}

// Error names the source and the cause, for logs.
func (e *SourceError) Error() string {
	return fmt.Sprintf("companies in source %s: %v", e.Source, e.Err)
}

// Unwrap returns Err.
func (e *SourceError) Unwrap() error { return e.Err }

// OpenAll reads the flags of the given loads (by source id) from an index folder. A source without
// a load has no records. The result is usable even with an error, which joins a *SourceError for
// each source that cannot be read. An index without a file for source.Receita is no error: it may be
// older than such files.
func OpenAll(dir string, m *folder.Manifest, loads map[string]int64) (Sources, error) {
	out := Sources{all: map[string]known{}}
	var errs []error
	for _, id := range source.IDs() {
		of := known{set: &Set{}}
		if load, ok := loads[id]; ok {
			of.set, of.err = Open(dir, m, id, load)
		}
		if of.err != nil {
			errs = append(errs, &SourceError{id, of.err})
		}
		out.all[id] = of
	}
	changed, err := Open(dir, m, source.Receita, loads[source.Receita])
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		errs = append(errs, &SourceError{source.Receita, err})
	}
	out.all[source.Receita] = known{changed, err}
	return out, errors.Join(errs...)
}

// Unknown returns the sources whose flags cannot be read, in the order of package source; nil for
// none.
func (s *Sources) Unknown() []string {
	var ids []string
	for _, id := range source.IDs() {
		if of, ok := s.all[id]; !ok || of.err != nil {
			ids = append(ids, id)
		}
	}
	return ids
}

// errNoLoads is the error of every source in an index that was opened without loads.
var errNoLoads = errors.New("the index is open without the loads of the sources")

// of returns the set of a source. The error is a *SourceError.
func (s *Sources) of(source string) (*Set, error) {
	of, ok := s.all[source]
	if !ok {
		of.err = errNoLoads
	}
	if of.err != nil {
		return nil, &SourceError{source, of.err}
	}
	return of.set, nil
}

// In returns the documents of a shard that a source has records of: see Set.In. The error is a
// *SourceError.
func (s *Sources) In(source string, shard int) (*roaring.Bitmap, error) {
	set, err := s.of(source)
	if err != nil {
		return nil, err
	}
	if s.companies {
		return set.InOfCompanies(shard), nil
	}
	return set.In(shard), nil
}

// InForce returns the documents of a shard that have a record of the source in force today, in the
// time zone of record.Today; nil for none. The error is a *SourceError.
func (s *Sources) InForce(source string, shard int) (*roaring.Bitmap, error) {
	today := int64(record.Today())
	return s.between(source, shard, InForce, today, today)
}

// Range returns the documents of a shard that match q; nil for none. ofSource is false when the
// measure of q is a column of the index instead of a source. The error is a *SourceError.
func (s *Sources) Range(shard int, q *filter.Range) (docs *roaring.Bitmap, ofSource bool, err error) {
	source, measure, ofSource := measureOf(q.Measure)
	if ofSource {
		docs, err = s.between(source, shard, measure, q.From, q.To)
	}
	return docs, ofSource, err
}

func (s *Sources) between(source string, shard int, m Measure, from, to int64) (*roaring.Bitmap, error) {
	set, err := s.of(source)
	if err != nil {
		return nil, err
	}
	if s.companies {
		return set.BetweenOfCompanies(shard, m, from, to), nil
	}
	return set.Between(shard, m, from, to), nil
}

// measureOf maps a measure of a filter to a source and its measure; ok is false for columns of the
// index.
func measureOf(m filter.Measure) (source string, measure Measure, ok bool) {
	switch m {
	case filter.DebtCents:
		return "pgfn", Total, true
	case filter.ContractCents:
		return "pncp", Total, true
	case filter.ContractYears:
		return "pncp", Year, true
	case filter.LoanCents:
		return "bndes", Total, true
	case filter.LoanYears:
		return "bndes", Year, true
	}
	return "", 0, false
}
