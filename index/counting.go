package index

import (
	"context"
	"slices"
	"sync"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/blevesearch/bleve/v2/search/query"

	"razao/index/bitmap"
	"razao/index/column"
	"razao/index/facet"
	"razao/index/filter"
	"razao/index/folder"
	"razao/index/match"
	"razao/index/term"
)

// counting is facet counting for one query. Its text is searched once, without filters; the matches are narrowed once for
// each facet that has a filter of its own, because such a facet ignores it, and once for all others.
type counting struct {
	index   *Index
	query   Query
	groups  []facetGroup
	visited int // documents
}

// facetGroup are facets that are counted together.
type facetGroup struct {
	facets  []facet.Facet
	filters filter.Set
	query   query.Query
	found   int // documents
	tallies []tally
	sources []uint32 // documents with records in each source, nil when that is not counted
}

// tally counts the values of neighbouring bits of facets.
type tally struct {
	shift, bits int
	counts      []uint32
}

// newCounting groups the facets of a query.
func newCounting(ix *Index, q *Query) *counting {
	c := &counting{index: ix, query: *q}
	c.query.Order, c.query.ByCompany = ByName, false // any order that finds everything
	c.query.Offset, c.query.Limit = 0, 0
	together := facetGroup{filters: q.Filters, query: match.All(q.Filters.Queries()...)}
	for _, f := range facet.List() {
		open := q.Filters.Without(f.Filters...)
		if open == q.Filters {
			together.facets = append(together.facets, f)
			continue
		}
		g := facetGroup{facets: []facet.Facet{f}, filters: open, query: match.All(open.Queries()...)}
		if f.Bits > 0 {
			g.tallies = []tally{{shift: f.Shift, bits: f.Bits}}
		}
		c.groups = append(c.groups, g)
	}
	// Five counters to bump for a document are faster than twelve: neighbouring facets share one.
	for _, cut := range [...][2]int{
		{0, column.UFShift},
		{column.UFShift, column.YearShift},
		{column.YearShift, column.MunicipioShift},
		{column.MunicipioShift, column.NaturezaShift},
		{column.NaturezaShift, column.FacetBits},
	} {
		together.tallies = append(together.tallies, tally{shift: cut[0], bits: cut[1] - cut[0]})
	}
	c.groups = append(c.groups, together)
	return c
}

// run searches and counts.
func (c *counting) run(ctx context.Context) (_ Facets, err error) {
	defer c.index.remember(&err)
	defer folder.Guard(&err)()
	base := c.query
	base.Filters = filter.Set{}
	s := c.index.begin(&base, &page{})
	defer s.end()
	s.budget = boundless()
	if base.Text != "" {
		if err := s.gather(ctx); err != nil {
			return nil, err
		}
	}
	for i := range c.groups {
		c.groups[i].clear(s.work)
	}
	if err := c.narrowAll(ctx, s); err != nil {
		return nil, err
	}
	out := Facets{}
	for i := range c.groups {
		g := &c.groups[i]
		if c.isWhole(g) {
			whole, err := c.index.count(ctx, &Query{}, facetKey{})
			if err != nil {
				return nil, err
			}
			out[g.facets[0].Name] = whole[g.facets[0].Name]
			continue
		}
		if g.found == 0 && base.Text != "" && s.page.total > 0 {
			if err := c.searchAgain(ctx, g); err != nil {
				return nil, err
			}
		}
		for j := range g.facets {
			if out[g.facets[j].Name], err = g.facets[j].Top(g.countsOf(&g.facets[j])); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// isWhole says that a group counts all documents because its facet has the only filter: that is known already.
func (c *counting) isWhole(g *facetGroup) bool {
	return c.query.Text == "" && g.filters.Empty() && !c.query.Filters.Empty()
}

// narrowAll counts, for every group, what its filters leave of what the search has found.
func (c *counting) narrowAll(ctx context.Context, s *search) error {
	if s.rescued {
		return nil // filters might have led to another correction
	}
	for i := range s.shards {
		if err := ctx.Err(); err != nil {
			return err
		}
		v := s.shard(i)
		var base *roaring.Bitmap
		if c.query.Text != "" {
			if base = v.seen; bitmap.IsEmpty(base) {
				continue
			}
		}
		for j := range c.groups {
			g := &c.groups[j]
			if c.isWhole(g) {
				continue
			}
			docs, err := v.evaluate(g.query, base)
			if err != nil {
				return err
			}
			if err := c.add(g, v, docs); err != nil {
				return err
			}
		}
	}
	return nil
}

// searchAgain searches with the filters of a group: a text that then finds nothing as it stands is read in other ways.
func (c *counting) searchAgain(ctx context.Context, g *facetGroup) error {
	q := c.query
	q.Filters = g.filters
	s := c.index.begin(&q, &page{})
	defer s.end()
	s.budget = boundless()
	if err := s.gather(ctx); err != nil {
		return err
	}
	for _, v := range s.shards {
		if v == nil {
			continue
		}
		if err := c.add(g, v, v.seen); err != nil {
			return err
		}
	}
	return nil
}

// add counts documents of a shard.
func (c *counting) add(g *facetGroup, v *shardSearch, docs *roaring.Bitmap) error {
	if len(g.tallies) > 0 {
		v.search.work.Containers(docs, func(first uint32, lows []uint16) {
			cells := v.search.index.columns.FacetsFrom(v.base + first)
			if len(g.tallies) == 1 {
				g.tallies[0].add(lows, cells)
			} else {
				g.addAll(lows, cells)
			}
		})
	}
	g.found += bitmap.Size(docs)
	c.visited += bitmap.Size(docs)
	for i := range g.sources {
		records, err := v.flagged(term.Sources()[i])
		if err != nil {
			continue // the facet lacks the source: see ForLoads
		}
		if !bitmap.IsEmpty(records) && !bitmap.IsEmpty(docs) {
			g.sources[i] += uint32(docs.AndCardinality(records))
		}
	}
	return nil
}

func (t *tally) add(lows []uint16, cells column.Cells) {
	counts, shift, mask := t.counts, t.shift, column.Facets(1)<<t.bits-1
	for _, low := range lows {
		counts[cells.At(low)>>shift&mask]++
	}
}

// addAll adds to the tallies of all bits at once.
func (g *facetGroup) addAll(lows []uint16, cells column.Cells) {
	small := (*[1 << column.UFShift]uint32)(g.tallies[0].counts)
	places := (*[1 << (column.YearShift - column.UFShift)]uint32)(g.tallies[1].counts)
	years := (*[1 << (column.MunicipioShift - column.YearShift)]uint32)(g.tallies[2].counts)
	municipios := (*[1 << (column.NaturezaShift - column.MunicipioShift)]uint32)(g.tallies[3].counts)
	naturezas := (*[1 << (column.FacetBits - column.NaturezaShift)]uint32)(g.tallies[4].counts)
	for _, low := range lows {
		f := cells.At(low)
		small[f%(1<<column.UFShift)]++
		places[f>>column.UFShift%(1<<(column.YearShift-column.UFShift))]++
		years[f>>column.YearShift%(1<<(column.MunicipioShift-column.YearShift))]++
		municipios[f>>column.MunicipioShift%(1<<(column.NaturezaShift-column.MunicipioShift))]++
		naturezas[f>>column.NaturezaShift%(1<<(column.FacetBits-column.NaturezaShift))]++
	}
}

// clear gives a group tallies of zeros.
func (g *facetGroup) clear(w *bitmap.Scratch) {
	for i := range g.tallies {
		g.tallies[i].counts = w.Zeros(1 << g.tallies[i].bits)
	}
	if slices.ContainsFunc(g.facets, func(f facet.Facet) bool { return f.Bits == 0 }) {
		g.sources = make([]uint32, len(term.Sources()))
	}
}

// countsOf returns the counts of one facet's numbers.
func (g *facetGroup) countsOf(f *facet.Facet) []uint32 {
	if f.Bits == 0 {
		return g.sources
	}
	i := slices.IndexFunc(g.tallies, func(t tally) bool { return f.Shift >= t.shift && f.Shift < t.shift+t.bits })
	t := &g.tallies[i]
	if t.bits == f.Bits {
		return t.counts
	}
	out := make([]uint32, 1<<f.Bits)
	for i, n := range t.counts {
		out[i>>(f.Shift-t.shift)%len(out)] += n
	}
	return out
}

const (
	// maxRemembered is how many queries' facets are kept. One takes about 6 kB.
	maxRemembered    = 2000
	worthRemembering = 10_000 // documents that were visited
)

// facetKey is all of a query that decides its facets.
type facetKey struct {
	text          string
	scope         Scope
	literalPlaces bool
	filters       filter.Set
}

// facetMemory keeps the facets of queries, which never change with the same loads.
type facetMemory struct {
	mu   sync.Mutex
	kept map[facetKey]Facets
}

func (m *facetMemory) get(k facetKey) Facets {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.kept[k]
}

// put keeps facets; when there are too many, others are evicted at random.
func (m *facetMemory) put(k facetKey, counts Facets) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.kept == nil {
		m.kept = make(map[facetKey]Facets)
	}
	for other := range m.kept {
		if len(m.kept) < maxRemembered {
			break
		}
		delete(m.kept, other)
	}
	m.kept[k] = counts
}
