package index

import (
	"github.com/RoaringBitmap/roaring/v2"

	"razao/index/filter"
	"razao/index/flags"
	"razao/internal/record"
)

// SourceError says that it is not known which companies a source has records of. Queries that do not filter by it are answered.
type SourceError = flags.SourceError

// ForLoads returns the same index with what loads, by the ids of their sources, have records of; a source without a load has
// none. Where that cannot be read the error is a *SourceError for each, and the index answers all but queries that filter by
// such a source, whose facet lacks it. Close one of the two indexes only.
func (ix *Index) ForLoads(loads map[string]int64) (*Index, error) {
	sources, err := flags.OpenAll(ix.dir, &ix.manifest, loads)
	return &Index{files: ix.files, sources: sources}, err
}

// Unflagged returns the sources of which it is not known whom they have records of.
func (ix *Index) Unflagged() []string { return ix.sources.Unknown() }

// measured returns the documents of the shard of which a source says a number from one to another, both included. The error is a
// *SourceError.
func (v *shardSearch) measured(source string, m flags.Measure, from, to int64) (*roaring.Bitmap, error) {
	return v.search.index.sources.Between(source, v.number, m, from, to)
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
