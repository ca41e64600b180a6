package flags

import (
	"errors"
	"fmt"

	"github.com/RoaringBitmap/roaring/v2"

	"razao/index/filter"
	"razao/index/folder"
	"razao/index/term"
	"razao/internal/record"
)

// Sources is what the loads of all sources have records of, as far as it can be read. It never changes; the zero value knows of none.
type Sources struct{ all map[string]known }

// known is a source's set, or why there is none.
type known struct {
	set *Set
	err error
}

// SourceError says that it is not known which companies a source has records of.
type SourceError struct {
	Source string
	Err    error // ErrUnusable among others
}

func (e *SourceError) Error() string {
	return fmt.Sprintf("companies in source %s: %v", e.Source, e.Err)
}

// Unwrap returns why it is not known.
func (e *SourceError) Unwrap() error { return e.Err }

// OpenAll reads the flags that loads, by the ids of their sources, have in an index folder; a source without a load has no records. The
// error is a *SourceError for each that cannot be read; the others are known.
func OpenAll(dir string, m *folder.Manifest, loads map[string]int64) (Sources, error) {
	out := Sources{map[string]known{}}
	var errs []error
	for _, id := range term.Sources() {
		of := known{set: &Set{}}
		if load, ok := loads[id]; ok {
			of.set, of.err = Open(dir, m, id, load)
		}
		if of.err != nil {
			errs = append(errs, &SourceError{id, of.err})
		}
		out.all[id] = of
	}
	return out, errors.Join(errs...)
}

// Unknown returns the sources that are not known, in the order of term.Sources.
func (s *Sources) Unknown() []string {
	var ids []string
	for _, id := range term.Sources() {
		if of, ok := s.all[id]; !ok || of.err != nil {
			ids = append(ids, id)
		}
	}
	return ids
}

var errNoLoads = errors.New("the index is open without the loads of the sources")

// Of returns what a source knows. The error is a *SourceError.
func (s *Sources) Of(source string) (*Set, error) {
	of, ok := s.all[source]
	if !ok {
		of.err = errNoLoads
	}
	if of.err != nil {
		return nil, &SourceError{source, of.err}
	}
	return of.set, nil
}

// In returns the documents of a shard that a source has records of, as Set.In. The error is a *SourceError.
func (s *Sources) In(source string, shard int) (*roaring.Bitmap, error) {
	set, err := s.Of(source)
	if err != nil {
		return nil, err
	}
	return set.In(shard), nil
}

// InForce returns the documents of a shard of which a record of a source is in force today. The error is a *SourceError.
func (s *Sources) InForce(source string, shard int) (*roaring.Bitmap, error) {
	today := int64(record.Today())
	return s.between(source, shard, InForce, today, today)
}

// Range returns the documents of a shard in a range of what a source says, false when it is about something else. The error is a
// *SourceError.
func (s *Sources) Range(shard int, q *filter.Range) (docs *roaring.Bitmap, ofSource bool, err error) {
	source, measure, ofSource := measureOf(q.Measure)
	if ofSource {
		docs, err = s.between(source, shard, measure, q.From, q.To)
	}
	return docs, ofSource, err
}

func (s *Sources) between(source string, shard int, m Measure, from, to int64) (*roaring.Bitmap, error) {
	set, err := s.Of(source)
	if err != nil {
		return nil, err
	}
	return set.Between(shard, m, from, to), nil
}

// measureOf returns which source says a measure of a filter, false for those that are columns of the index.
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
