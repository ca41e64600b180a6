package index

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"sync/atomic"

	"github.com/blevesearch/vellum/levenshtein"

	"razao/index/bitmap"
	"razao/index/column"
	"razao/index/company"
	"razao/index/facet"
	"razao/index/figures"
	"razao/index/flags"
	"razao/index/folder"
	"razao/index/gate"
	"razao/index/hidden"
	"razao/index/intent"
	"razao/index/segment"
	"razao/internal/cnpj"
)

// Index is an open index folder, with what the sources of one snapshot have records of: see ForLoads. All its methods but Close
// are safe for concurrent use.
type Index struct {
	*files
	sources    flags.Sources
	facetCache facet.Memory[facetKey, Facets]
	flights    gate.Flights // of questions about these sources
}

// files are what an index folder holds, which does not change.
type files struct {
	dir       string
	manifest  folder.Manifest
	shards    []*segment.Shard
	bases     []uint32 // number of each shard's first document in the whole index
	columns   *column.Columns
	companies *company.Table
	rankings  *figures.Rankings

	gazetteer  *intent.Gazetteer
	activities *intent.Activities
	scratches  sync.Pool  // of *bitmap.Scratch
	Gate       *gate.Gate // what questions pass before they are asked
	typos      *levenshtein.LevenshteinAutomatonBuilder
	opened     map[string]fs.FileInfo // the files before they were verified
	damage     atomic.Pointer[error]  // see Damage
	hidden     atomic.Pointer[hidden.Contacts]
}

// Open is OpenContext without an end.
func Open(dir string) (*Index, error) { return OpenContext(context.Background(), dir) }

// OpenContext opens an index folder for reading; any number of processes may. Before anything is parsed, every file is
// compared with its checksum, unless that was done before (folder.VerifyOnce). The errors are ErrFormat and ErrDamaged, the
// latter also wrapping fs.ErrNotExist when there is no folder, and those of ctx. What sources have records of is not known before
// ForLoads.
func OpenContext(ctx context.Context, dir string) (*Index, error) {
	m, err := folder.Read(dir)
	ix := &Index{files: &files{dir: dir, manifest: m, opened: m.Stat(dir), Gate: gate.New()}}
	if err == nil {
		err = m.VerifyOnce(ctx, dir)
	}
	if err != nil {
		return nil, fmt.Errorf("index %s: %w", dir, err)
	}
	if err := ix.open(); err != nil {
		return nil, fmt.Errorf("index %s: %w", dir, errors.Join(err, ix.Close()))
	}
	return ix, nil
}

func (ix *Index) open() (err error) {
	defer ix.noteDamage(&err)
	defer folder.Guard(&err)()
	if ix.shards, err = segment.OpenAll(ix.dir, ix.manifest.Shards); err != nil {
		return err
	}
	if ix.columns, err = column.Open(ix.dir, ix.manifest.Docs); err != nil {
		return err
	}
	if ix.companies, err = company.Open(ix.dir, ix.manifest.Shards); err != nil {
		return err
	}
	if ix.rankings, err = figures.Read(ix.dir, ix.manifest.Docs); err != nil {
		return err
	}
	if ix.gazetteer, err = intent.OpenGazetteer(); err != nil {
		return err
	}
	if ix.activities, err = intent.OpenActivities(); err != nil {
		return err
	}
	if ix.typos, err = levenshtein.NewLevenshteinAutomatonBuilder(1, true); err != nil {
		return err
	}
	base := uint32(0)
	for _, s := range ix.manifest.Shards {
		ix.bases = append(ix.bases, base)
		base += uint32(s.Docs)
	}
	if base != ix.columns.Docs {
		return fmt.Errorf("%w (%d documents in the shards instead of %d)", folder.ErrDamaged, base, ix.columns.Docs)
	}
	return nil
}

// Close releases the files. The caller sees to it that no query is running and none follows: the files are mapped into
// memory, and a query on a closed index would crash the process.
func (ix *Index) Close() error {
	ix.Gate.Wait()
	err := segment.CloseAll(ix.shards)
	if ix.columns != nil {
		err = errors.Join(err, ix.columns.Close())
	}
	if ix.companies != nil {
		err = errors.Join(err, ix.companies.Close())
	}
	return err
}

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

// Manifest returns the description of the index.
func (ix *Index) Manifest() folder.Manifest { return ix.manifest }

// Folder returns the folder of the index, for the files that the maker put beside the index's own.
func (ix *Index) Folder() string { return ix.dir }

// Verify reads every file and compares it with its checksum. The error of a change is ErrDamaged.
func (ix *Index) Verify() error { return ix.manifest.Verify(context.Background(), ix.dir) }

// Warm reads the files, so that the first queries find them in memory.
func (ix *Index) Warm(ctx context.Context) error { return ix.manifest.Warm(ctx, ix.dir) }

// WarmFacets counts the facets of everything and of every single filter that they show. They are remembered with what sources
// have records of, so that is to be known.
func (ix *Index) WarmFacets(ctx context.Context) error {
	whole, err := ix.Facets(ctx, Query{})
	if err != nil {
		return err
	}
	for _, f := range facet.List() {
		for _, v := range whole[f.Name] {
			if _, err := ix.Facets(ctx, Query{Filters: f.Chosen(v.Value)}); err != nil {
				return err
			}
		}
	}
	return nil
}

// scratch returns one that nobody else uses until it is put back.
func (ix *Index) scratch() *bitmap.Scratch {
	w, ok := ix.scratches.Get().(*bitmap.Scratch)
	if !ok {
		w = &bitmap.Scratch{}
	}
	w.Reset()
	return w
}

// Hide tells which establishments no filter by place within a municipality, telephone or e-mail may find, from the next question on.
func (ix *Index) Hide(numbers []cnpj.Full) (err error) {
	defer ix.noteDamage(&err)
	defer folder.Guard(&err)()
	contacts, err := ix.hidden.Load().Follow(ix.shards, numbers)
	if err == nil {
		ix.hidden.Store(contacts)
	}
	return err
}
