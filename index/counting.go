package index

import (
	"cmp"
	"context"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/blevesearch/bleve/v2/search/query"

	"razao/index/bitmap"
	"razao/index/facet"
	"razao/index/filter"
	"razao/index/folder"
	"razao/index/gate"
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
	counter *facet.Counter
	sources []uint32      // documents with records in each source, nil when that is not counted
	below   *facet.Deeper // nil when that is not counted
}

// newCounting groups the facets of a query.
func newCounting(ix *Index, q *Query) *counting {
	c := &counting{index: ix, query: *q}
	c.query.Order, c.query.ByCompany = ByName, false // any order that finds everything
	c.query.Offset, c.query.Limit = 0, 0
	together := facetGroup{filters: q.Filters}
	for _, f := range facet.List() {
		open := q.Filters.Without(f.Filters...)
		if open == q.Filters {
			together.facets = append(together.facets, f)
			continue
		}
		c.groups = append(c.groups, facetGroup{facets: []facet.Facet{f}, filters: open})
	}
	if deeper := facet.DeeperThan(q.Filters); deeper != nil {
		c.groups = append(c.groups, facetGroup{filters: q.Filters.With(filter.CNAE, deeper.Activity), below: deeper})
	}
	c.groups = append(c.groups, together)
	for i := range c.groups {
		c.groups[i].query = match.All(c.groups[i].filters.Queries()...)
	}
	return c
}

// run searches and counts.
func (c *counting) run(ctx context.Context) (_ Facets, err error) {
	defer c.index.noteDamage(&err)
	defer folder.Guard(&err)()
	base := c.query
	base.Filters = filter.Set{}
	s := c.index.begin(&base, &page{}, gate.Boundless())
	defer s.end()
	if base.Text != "" {
		if err := s.gather(ctx); err != nil {
			return nil, err
		}
	}
	for i := range c.groups {
		g := &c.groups[i]
		g.counter = facet.NewCounter(g.facets, s.eval.Scratch)
		if slices.ContainsFunc(g.facets, func(f facet.Facet) bool { return f.Bits == 0 }) {
			g.sources = make([]uint32, len(term.Sources()))
		}
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
			f := &g.facets[j]
			counts := g.sources
			if f.Bits > 0 {
				counts = g.counter.CountsOf(f)
			}
			if out[f.Name], err = f.Top(counts); err != nil {
				return nil, err
			}
		}
		if g.below != nil {
			out[facet.Below] = g.below.Values()
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
			docs, err := v.Evaluate(g.query, base)
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
	s := c.index.begin(&q, &page{}, gate.Boundless())
	defer s.end()
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
	if g.counter.Counts() {
		v.search.eval.Scratch.Containers(docs, func(first uint32, lows []uint16) {
			g.counter.Add(lows, v.search.index.columns.FacetsFrom(v.Base+first))
		})
	}
	if err := g.addBelow(v, docs); err != nil {
		return err
	}
	g.found += bitmap.Size(docs)
	c.visited += bitmap.Size(docs)
	for i := range g.sources {
		records, err := v.search.index.sources.In(term.Sources()[i], v.Number)
		if err != nil {
			continue // the facet lacks the source: see ForLoads
		}
		if !bitmap.IsEmpty(records) && !bitmap.IsEmpty(docs) {
			g.sources[i] += uint32(docs.AndCardinality(records))
		}
	}
	return nil
}

// addBelow counts documents of a shard by the subclasses of an activity.
func (g *facetGroup) addBelow(v *shardSearch, docs *roaring.Bitmap) error {
	if g.below == nil || bitmap.IsEmpty(docs) {
		return nil
	}
	var bad error
	err := v.Terms(term.FieldFilter, []byte(term.MainCNAE+g.below.Activity), nil, func(text string) bool {
		code := text[len(term.MainCNAE):]
		if !g.below.Has(code) {
			return true
		}
		var having *roaring.Bitmap
		if having, bad = v.DocsWith(term.NameOfField(term.FieldFilter), text); bad == nil && !bitmap.IsEmpty(having) {
			g.below.Add(code, int64(docs.AndCardinality(having)))
		}
		return bad == nil
	})
	return cmp.Or(err, bad)
}

// worthRemembering is how many documents have to be visited for facets that are kept.
const worthRemembering = 10_000

// facetKey is all of a query that decides its facets.
type facetKey struct {
	text          string
	scope         Scope
	literalPlaces bool
	filters       filter.Set
}
