package index

import (
	"errors"
	"fmt"

	"github.com/RoaringBitmap/roaring/v2"

	"razao/index/filter"
	"razao/index/flags"
	"razao/index/term"
	"razao/internal/record"
)

// sourceFlags are the documents that a source has records of, or why that is not known.
type sourceFlags struct {
	set *flags.Set
	err error
}

// SourceError says that it is not known which companies a source has records of. Queries that do not filter by it are answered.
type SourceError struct {
	Source string
	Err    error // flags.ErrUnusable among others
}

func (e *SourceError) Error() string {
	return fmt.Sprintf("companies in source %s: %v", e.Source, e.Err)
}

// Unwrap returns why it is not known.
func (e *SourceError) Unwrap() error { return e.Err }

var errNoLoads = errors.New("the index is open without the loads of the sources")

// ForLoads returns the same index with what loads, by the ids of their sources, have records of; a source without a load has
// none. Where that cannot be read the error is a *SourceError for each, and the index answers all but queries that filter by
// such a source, whose facet lacks it. Close one of the two indexes only.
func (ix *Index) ForLoads(loads map[string]int64) (*Index, error) {
	out := &Index{files: ix.files, sources: map[string]sourceFlags{}}
	var errs []error
	for _, id := range term.Sources() {
		known := sourceFlags{set: &flags.Set{}}
		if load, ok := loads[id]; ok {
			known.set, known.err = flags.Open(ix.dir, &ix.manifest, id, load)
		}
		if known.err != nil {
			errs = append(errs, &SourceError{id, known.err})
		}
		out.sources[id] = known
	}
	return out, errors.Join(errs...)
}

// Unflagged returns the sources of which it is not known whom they have records of.
func (ix *Index) Unflagged() []string {
	var ids []string
	for _, id := range term.Sources() {
		if known, ok := ix.sources[id]; !ok || known.err != nil {
			ids = append(ids, id)
		}
	}
	return ids
}

// flagged returns the documents of the shard that a source has records of. The error is a *SourceError.
func (v *shardSearch) flagged(source string) (*roaring.Bitmap, error) {
	known, err := v.knownOf(source)
	if err != nil {
		return nil, err
	}
	return known.In(v.number), nil
}

// knownOf returns what a source knows. The error is a *SourceError.
func (v *shardSearch) knownOf(source string) (*flags.Set, error) {
	known, ok := v.search.index.sources[source]
	if !ok {
		known.err = errNoLoads
	}
	if known.err != nil {
		return nil, &SourceError{source, known.err}
	}
	return known.set, nil
}

// measured returns the documents of the shard of which a source says a number from one to another, both included. The error is a
// *SourceError.
func (v *shardSearch) measured(source string, m flags.Measure, from, to int64) (*roaring.Bitmap, error) {
	known, err := v.knownOf(source)
	if err != nil {
		return nil, err
	}
	return known.Between(v.number, m, from, to), nil
}

// inForce returns the documents of the shard of which a record of a source is in force today.
func (v *shardSearch) inForce(source string) (*roaring.Bitmap, error) {
	today := int64(record.Today())
	return v.measured(source, flags.InForce, today, today)
}

// measureOf returns which source says a measure of a filter, false for those that are columns of the index.
func measureOf(m filter.Measure) (source string, measure flags.Measure, ok bool) {
	switch m {
	case filter.DebtCents:
		return "pgfn", flags.Total, true
	case filter.ContractCents:
		return "pncp", flags.Total, true
	case filter.ContractYears:
		return "pncp", flags.Year, true
	case filter.LoanCents:
		return "bndes", flags.Total, true
	case filter.LoanYears:
		return "bndes", flags.Year, true
	}
	return "", 0, false
}
