package index

import (
	"cmp"
	"context"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/blevesearch/bleve/v2/search/query"

	"razao/index/filter"
	"razao/index/flags"
	"razao/index/folder"
	"razao/index/term"
	"razao/internal/data/source"
)

// counting counts the facets of one query. The text is searched once, without filters, and the
// matches are narrowed once for each distinct set of filters: one for all facets without a filter
// of their own, and one for each facet that has one, because it ignores that filter. Narrowing is
// an evaluation of filters within the matches, so all facets cost about as many evaluations as the
// query has filters.
type counting struct {
	index   *Index
	query   Query
	groups  []facetGroup
	visited int // documents counted, for the decision to cache
}

// facetGroup is facets that are counted under the same filters, in one pass.
type facetGroup struct {
	facets  []facet
	filters filter.Set
	query   query.Query
	found   int // documents counted
	counter *facetCounter
	sources []uint32         // counts of facetSource by source, nil if it is not in the group
	owners  []uint32         // the same of companies
	below   map[string]int64 // counts of facetBelow by subclass, nil if it is not in the group
}

// newCounting groups the facets of a query by the filters under which they are counted.
func newCounting(ix *Index, q *Query) *counting {
	c := &counting{index: ix, query: *q}
	c.query.Order, c.query.ByCompany, c.query.CompanyRecords = ByName, false, q.asksOfCompanies() // any order but ByRank, which would stop early
	c.query.Offset, c.query.Limit = 0, 0
	together := facetGroup{filters: q.Filters}
	for _, f := range allFacets() {
		open := q.Filters.Without(f.filters...)
		if open == q.Filters {
			together.facets = append(together.facets, f)
			continue
		}
		c.groups = append(c.groups, facetGroup{facets: []facet{f}, filters: open})
	}
	if activity := q.Filters.Activity(); activity != "" {
		c.groups = append(c.groups, facetGroup{filters: q.Filters.With(filter.CNAE, activity), below: map[string]int64{}})
	}
	c.groups = append(c.groups, together)
	for i := range c.groups {
		c.groups[i].query = allOf(c.groups[i].filters.Queries()...)
	}
	return c
}

// run searches the text, narrows and counts.
func (c *counting) run(ctx context.Context) (out counted, err error) {
	defer c.index.noteDamage(&err)
	defer folder.Guard(&err)()
	base := c.query
	base.Filters = filter.Set{}
	s := c.index.begin(&base, &page{}, boundless())
	defer s.end()
	if base.Text != "" {
		if err := s.gather(ctx); err != nil {
			return out, err
		}
	}
	for i := range c.groups {
		g := &c.groups[i]
		g.counter = newFacetCounter(g.facets, s.eval.scratch)
		if slices.ContainsFunc(g.facets, func(f facet) bool { return f.bits == 0 }) {
			g.sources, g.owners = make([]uint32, len(source.IDs())), make([]uint32, len(source.IDs()))
		}
	}
	if err := c.narrowAll(ctx, s); err != nil {
		return out, err
	}
	out = counted{Facets{}, Facets{}}
	for i := range c.groups {
		g := &c.groups[i]
		if c.isWhole(g) {
			whole, err := c.index.count(ctx, &Query{}, facetKey{})
			if err != nil {
				return out, err
			}
			name := g.facets[0].name
			out.establishments[name], out.companies[name] = whole.establishments[name], whole.companies[name]
			continue
		}
		if g.found == 0 && base.Text != "" && s.page.total > 0 {
			if err := c.searchAgain(ctx, g); err != nil {
				return out, err
			}
		}
		if err := g.addTo(&out); err != nil {
			return out, err
		}
	}
	return out, nil
}

// addTo adds the facets of a group, which has been counted.
func (g *facetGroup) addTo(out *counted) (err error) {
	for i := range g.facets {
		f, counts := &g.facets[i], g.sources
		if f.bits > 0 {
			counts = g.counter.countsOf(f)
		}
		if out.establishments[f.name], err = f.top(counts); err != nil {
			return err
		}
		out.companies[f.name] = out.establishments[f.name]
		if f.bits > 0 {
			continue
		}
		if out.companies[f.name], err = f.top(g.owners); err != nil {
			return err
		}
	}
	if g.below != nil {
		out.establishments[facetBelow] = topOf(g.below)
		out.companies[facetBelow] = out.establishments[facetBelow]
	}
	return nil
}

// isWhole reports whether a group counts all documents, because its facet has the only filter.
// These counts come from the cache.
func (c *counting) isWhole(g *facetGroup) bool {
	return c.query.Text == "" && g.filters.Empty() && !c.query.Filters.Empty()
}

// narrowAll evaluates the filters of every group within the matches of the text, or in the whole
// index, and counts.
func (c *counting) narrowAll(ctx context.Context, s *search) error {
	if s.rescued {
		return nil // with filters, another correction might have been chosen: see searchAgain
	}
	for i := range s.shards {
		if err := ctx.Err(); err != nil {
			return err
		}
		v := s.shard(i)
		var base *roaring.Bitmap
		if c.query.Text != "" {
			if base = v.seen; isEmpty(base) {
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

// searchAgain searches with the filters of a group, for a text whose matches as typed these filters
// exclude. Search would relax such a query, so the counts must, too.
func (c *counting) searchAgain(ctx context.Context, g *facetGroup) error {
	q := c.query
	q.Filters = g.filters
	s := c.index.begin(&q, &page{}, boundless())
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

// add counts documents of a shard for a group.
func (c *counting) add(g *facetGroup, v *shardSearch, docs *roaring.Bitmap) error {
	if g.counter.counts() {
		v.search.eval.scratch.Containers(docs, func(first uint32, lows []uint16) {
			g.counter.add(lows, v.search.index.columns.FacetsFrom(v.base+first))
		})
	}
	if err := g.addBelow(v, docs); err != nil {
		return err
	}
	g.found += sizeOf(docs)
	c.visited += sizeOf(docs)
	if !isEmpty(docs) {
		addSources(g.sources, &v.search.index.sources, v.number, docs)
		addSources(g.owners, v.search.index.sources.OfCompanies(), v.number, docs)
	}
	return nil
}

// addSources counts documents of a shard by the sources that have records of them. A source that is not known is
// missing: see ForLoads.
func addSources(counts []uint32, known *flags.Sources, shard int, docs *roaring.Bitmap) {
	for i := range counts {
		if records, err := known.In(source.IDs()[i], shard); err == nil && !isEmpty(records) {
			counts[i] += uint32(docs.AndCardinality(records))
		}
	}
}

// addBelow counts documents of a shard by the subclasses of the chosen activity: one intersection
// for each term below it.
func (g *facetGroup) addBelow(v *shardSearch, docs *roaring.Bitmap) error {
	if g.below == nil || isEmpty(docs) {
		return nil
	}
	var bad error
	err := v.Terms(term.FieldFilter, []byte(term.MainCNAE+g.filters.Value(filter.CNAE)), nil, func(text string) bool {
		code := text[len(term.MainCNAE):]
		if len(code) != term.SubclassDigits { // a group or class in between
			return true
		}
		var having *roaring.Bitmap
		if having, bad = v.docsWith(term.NameOfField(term.FieldFilter), text); bad == nil && !isEmpty(having) {
			g.below[code] += int64(docs.AndCardinality(having))
		}
		return bad == nil
	})
	return cmp.Or(err, bad)
}

// worthRemembering is how many documents must be visited for counts to be cached; counting fewer
// again is cheap.
const worthRemembering = 10_000

// facetKey is the part of a query that its facets depend on, the key of their cache.
type facetKey struct {
	text          string
	scope         Scope
	literalPlaces bool
	allWords      bool
	filters       filter.Set
	companies     bool // the filters look at the records of companies
}
