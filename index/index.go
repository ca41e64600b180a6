package index

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"sync/atomic"

	"github.com/blevesearch/vellum/levenshtein"
	lru "github.com/hashicorp/golang-lru/v2"

	"razao/index/column"
	"razao/index/figures"
	"razao/index/flags"
	"razao/index/folder"
	"razao/index/intent"
	"razao/index/segment"
	"razao/internal/data/cnpj"
)

// Index is an open index folder together with what the loads of one snapshot's sources know: see
// [Index.ForLoads]. Indexes of several snapshots share the files, the limiter and the scratch memory. All
// methods but Close are safe for concurrent use.
type Index struct {
	*files
	sources    flags.Sources
	facetCache *lru.Cache[facetKey, counted] // by set of loads: the facet "fonte" depends on it
	flights    flights                       // identical queries in progress, likewise
}

// files is everything that does not depend on loads. It is shared by the indexes that ForLoads
// returns.
type files struct {
	dir       string
	manifest  folder.Manifest
	shards    []*segment.Shard
	bases     []uint32 // number of each shard's first document in the index
	columns   *column.Columns
	companies *column.Companies
	rankings  *figures.Rankings

	gazetteer  *intent.Gazetteer
	activities *intent.Activities
	scratches  sync.Pool // of *column.Scratch
	limiter    *limiter  // admits every query
	typos      *levenshtein.LevenshteinAutomatonBuilder
	misspelt   *lru.Cache[string, []string] // similar words of words: see search.similar
	opened     map[string]fs.FileInfo       // taken before verification: see Check
	damage     atomic.Pointer[error]        // see Damage
	hidden     atomic.Pointer[hiddenContacts]
}

// Open is [OpenContext] with a background context.
func Open(dir string) (*Index, error) { return OpenContext(context.Background(), dir) }

// OpenContext opens an index folder for reading; any number of processes may have it open. Every
// file is verified against its checksum before it is parsed, unless this was done before
// (folder.VerifyOnce). The errors are folder.ErrFormat, folder.ErrDamaged, which also wraps
// fs.ErrNotExist if there is no folder, and that of ctx.
//
// The index knows no loads yet: filters by source are answered after [Index.ForLoads].
func OpenContext(ctx context.Context, dir string) (*Index, error) {
	m, err := folder.Read(dir)
	ix := view(&files{dir: dir, manifest: m, opened: m.Stat(dir), limiter: newLimiter()}, flags.Sources{})
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

// cachedFacets is how many results of Facets are cached, of some kilobytes each.
const cachedFacets = 2000

// cachedMisspelt is how many words have their similar words cached, a few each.
const cachedMisspelt = 1000

// view returns an index over files with the loads that sources know.
func view(f *files, sources flags.Sources) *Index {
	cache, err := lru.New[facetKey, counted](cachedFacets)
	if err != nil {
		panic(err) // a size that is not positive
	}
	return &Index{files: f, sources: sources, facetCache: cache}
}

// open maps and parses the files. The caller closes what was opened when it fails.
func (ix *Index) open() (err error) {
	defer ix.noteDamage(&err)
	defer folder.Guard(&err)()
	if ix.shards, err = segment.OpenAll(ix.dir, ix.manifest.Shards); err != nil {
		return err
	}
	if ix.columns, err = column.Open(ix.dir, ix.manifest.Docs); err != nil {
		return err
	}
	if ix.companies, err = column.OpenCompanies(ix.dir, ix.manifest.Shards); err != nil {
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
	if ix.misspelt, err = lru.New[string, []string](cachedMisspelt); err != nil {
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

// Close waits for counts that run in the background and releases the files. No query may be running
// or follow: the files are unmapped, and a read would fault. Indexes that ForLoads returned become
// unusable too.
func (ix *Index) Close() error {
	ix.limiter.wait()
	err := segment.CloseAll(ix.shards)
	if ix.columns != nil {
		err = errors.Join(err, ix.columns.Close())
	}
	if ix.companies != nil {
		err = errors.Join(err, ix.companies.Close())
	}
	return err
}

// SourceError says that it is unknown which companies a source has records of, because its flags
// are missing or damaged. Queries that do not filter by that source are answered.
type SourceError = flags.SourceError

// ForLoads returns an index over the same files for a snapshot whose sources are served from loads,
// load ids by source id. A source without a load has no records. The index is usable even when the
// error is not nil: the error joins a *SourceError for each source whose flags cannot be read,
// queries that filter by it fail with that error, and the facet "fonte" lacks it. Close only one of
// the indexes over the same files.
func (ix *Index) ForLoads(loads map[string]int64) (*Index, error) {
	sources, err := flags.OpenAll(ix.dir, &ix.manifest, loads)
	return view(ix.files, sources), err
}

// Unflagged returns the ids of the sources that [Index.ForLoads] could not read, or all before it.
func (ix *Index) Unflagged() []string { return ix.sources.Unknown() }

// Rankings returns the figures of places, which the index was built with. They are read-only.
func (ix *Index) Rankings() *figures.Rankings { return ix.rankings }

// Manifest returns the description of the index: load, month, shards and files.
func (ix *Index) Manifest() folder.Manifest { return ix.manifest }

// Folder returns the path of the index folder, for reading files that its builder put beside the
// index's own.
func (ix *Index) Folder() string { return ix.dir }

// Warm reads all files once, so that the first queries find them in the page cache.
func (ix *Index) Warm(ctx context.Context) error { return ix.manifest.Warm(ctx, ix.dir) }

// rehearsal is a search of each kind that visitors begin with, in words that very many names have.
var rehearsal = []Query{
	{Text: "comercio"},
	{Text: "silva servicos sao paulo"},
	{Text: "comrecio slva"}, // typing errors
	{Text: "maria silva", Scope: InPartners},
	{Text: "transportes", Order: ByName},
	{Text: "comercio", Order: ByCapital},
	{Text: "comercio", Order: ByNewest},
}

// Rehearse answers a few searches and completions, so that what nearly every query needs of dictionaries and
// postings is read from the disk before anybody waits for it: [Index.Warm] stops at a limit, which an index of
// the whole country exceeds.
func (ix *Index) Rehearse(ctx context.Context) error {
	for _, q := range rehearsal {
		q.Limit, q.ByCompany = 20, true
		if _, err := ix.Search(ctx, q); err != nil {
			return err
		}
		if _, err := ix.Suggest(ctx, q.Text, 8); err != nil {
			return err
		}
	}
	return nil
}

// WarmFacets fills the facet cache with the facets of everything and of each single filter that
// these list. Call it after [Index.ForLoads], whose index has its own cache.
func (ix *Index) WarmFacets(ctx context.Context) error {
	whole, err := ix.Facets(ctx, Query{})
	if err != nil {
		return err
	}
	for _, f := range allFacets() {
		for _, v := range whole[f.name] {
			if _, err := ix.Facets(ctx, Query{Filters: f.chosen(v.Value)}); err != nil {
				return err
			}
		}
	}
	return nil
}

// scratch takes working memory from the pool, or makes it. search.end puts it back.
func (ix *Index) scratch() *column.Scratch {
	w, ok := ix.scratches.Get().(*column.Scratch)
	if !ok {
		w = &column.Scratch{}
	}
	w.Reset()
	return w
}

// Hide sets which establishments the filters by contact (address, telephone, e-mail), and texts that are one,
// must not find, for all searches that begin afterwards, on all indexes over the same files. It is
// cheap when the list has not changed.
func (ix *Index) Hide(numbers []cnpj.Full) (err error) {
	defer ix.noteDamage(&err)
	defer folder.Guard(&err)()
	contacts, err := ix.hidden.Load().follow(ix.shards, numbers)
	if err == nil {
		ix.hidden.Store(contacts)
	}
	return err
}
