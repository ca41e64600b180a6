package index

import "razao/index/flags"

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
