package index

import (
	"context"
	"math"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/blevesearch/bleve/v2/search/query"

	"razao/index/column"
	"razao/index/filter"
	"razao/internal/data/cnpj"
)

const (
	// A scan gives up after maxScanned documents plus 1/scannedShare of the index. Then all matches
	// are collected and sorted, which is bounded by the matches instead of the index.
	maxScanned, scannedShare = 1 << 13, 1 << 7
	// minBatch is the size of the first batch of documents that a scan filters.
	minBatch = 1 << 8
	// minScanned is how many documents a scan filters before it may give up: those of one day, among
	// which the branches stand together, tell little about the next.
	minScanned = 1 << 12
	// maxLookups is how many companies may be looked up to collapse a page. If more are expected,
	// the whole result set is collapsed.
	maxLookups = 1 << 11
)

// orderedScan is the state of a query in another order than ByRank.
//
// A page needs twenty documents of what may be thirty million matches. When there are more matches
// than are counted, the order is scanned from its beginning (or from the place of a range over its
// key) and documents are filtered in batches, until the page is full: an index scan with a filter,
// in the terms of databases. The alternative is to collect all matches and sort them. Which is
// cheaper depends on how the matches are spread over the order, so the scan starts with a small
// batch, extrapolates from its hit rate, and gives up when the page would take too many documents.
//
// Collapsing by company follows the same idea: of millions of matches only those up to the page are
// collapsed, if that takes few look-ups.
type orderedScan struct {
	query           query.Query
	found           int                  // matches in the shards that were searched
	companies       int                  // lower bound of the companies of these
	complete        bool                 // positions has the page: nothing needs sorting
	positions       []uint32             // of the results so far, up to the end of the page
	uncollapsed     bool                 // shardSearch.kept is not collapsed: see collapsedPage
	representatives map[cnpj.Root]uint32 // documents that represent the companies looked up
}

// listOrdered collects what filters leave for a page of an order. Shards are evaluated until more
// matches are found than are counted. Then the scan is tried, once, unless the page would take too
// many look-ups. If it gives up, the other shards are evaluated, too.
func (s *search) listOrdered(ctx context.Context) error {
	n := &s.scan
	n.query = allOf(s.filters...)
	tried := false
	for _, i := range s.shardOrder() {
		if err := ctx.Err(); err != nil {
			return err
		}
		v := s.shard(i)
		var err error
		if v.found, err = v.evaluate(n.query, nil); err != nil {
			return err
		}
		s.countFound(v)
		if tried || n.companies <= s.page.count || s.manyLookups() {
			continue
		}
		tried = true
		if err := s.scanOrder(); err != nil || n.complete {
			s.setTotal(max(n.companies, len(n.positions)))
			return err
		}
	}
	return nil
}

// collapseFound collapses what was found for an order other than ByRank: all of it if the total is
// within what is counted, if an export needs all of it, or if the page would take too many
// look-ups. Otherwise only the page is collapsed, later, and the total is a floor.
func (s *search) collapseFound() {
	n := &s.scan
	for i := range s.shards {
		if v := s.shard(i); !v.searched { // found by tiers, or not at all
			v.found, v.seen = v.seen, nil
			s.countFound(v)
		}
	}
	if !s.byCompany || s.page.count == 0 || s.manyLookups() {
		s.collapseUpTo(math.MaxInt)
		return
	}
	if n.companies <= s.page.count {
		s.collapseUpTo(s.page.count)
		n.companies = s.page.total
	}
	if n.uncollapsed = n.companies > s.page.count; n.uncollapsed {
		s.setTotal(n.companies)
		for _, v := range s.shards {
			v.kept = v.found
		}
	}
}

// setTotal makes companies the total. There may be more of them: this is for totals above what is
// counted.
func (s *search) setTotal(companies int) {
	s.page.total, s.page.collapsed = companies, max(s.scan.found-companies, 0)
}

// countFound counts the matches of a shard. Principal documents are companies for certain; the
// others may belong to companies counted already.
func (s *search) countFound(v *shardSearch) {
	v.searched = true
	s.scan.found += sizeOf(v.found)
	if s.scan.companies += sizeOf(v.found); s.byCompany && !isEmpty(v.found) {
		s.scan.companies -= int(v.found.AndCardinality(s.index.companies.Others(v.number)))
	}
}

// manyLookups reports whether collapsing up to the end of the page would look up more than
// maxLookups companies, if matches that are not principal are spread evenly.
func (s *search) manyLookups() bool {
	return (s.page.skip+s.page.limit)*(s.scan.found-s.scan.companies) > maxLookups*s.scan.found
}

// collapseUpTo collapses the matches of all shards, and stops when there are more than most
// companies.
func (s *search) collapseUpTo(most int) {
	s.page.total = 0
	for i, v := range s.shards {
		v.kept = s.collapse(i, v.found, most)
		v.seen = v.found
		if s.page.total += sizeOf(v.kept); s.page.total > most {
			return
		}
	}
}

// firstShards is how many shards, the small ones, are evaluated before the last. What is rare among
// the most important documents may be common among the least important ones.
const firstShards = 4

// shardOrder returns the order in which shards are evaluated: the first few, then the others from
// the last on. It matters only for how soon enough is found.
func (s *search) shardOrder() []int {
	order := make([]int, len(s.shards))
	for i := range order {
		if order[i] = i; i >= firstShards {
			order[i] = len(order) - 1 + firstShards - i
		}
	}
	return order
}

// scanOrder reads the order and filters documents in batches until the page is full, setting
// scan.complete. After each batch the hit rate tells how many more documents the page takes: the
// size of the next batch, and the reason to give up.
func (s *search) scanOrder() error {
	wanted := s.page.skip + s.page.limit
	if s.scan.complete = s.page.limit == 0; s.scan.complete {
		return nil
	}
	sequence, left, tried := s.index.sequence(s.query.Order), maxScanned+int(s.index.columns.Docs/scannedShare), 0
	batch := make([]uint32, 0, minBatch)
	for _, stretch := range s.stretches(&sequence) {
		for position := stretch.From; position < stretch.To; position++ {
			if batch = append(batch, position); len(batch) < cap(batch) {
				continue
			}
			if err := s.scanBatch(&sequence, batch); err != nil || s.scan.complete {
				return err
			}
			tried += len(batch)
			needed := (wanted - len(s.scan.positions)) * tried / max(len(s.scan.positions), 1)
			if tried+needed > left && tried >= minScanned {
				return nil
			}
			batch = slices.Grow(batch[:0], min(needed, tried))
		}
	}
	return s.scanBatch(&sequence, batch)
}

// scanBatch filters the documents at some positions and adds those that are results to
// scan.positions, in order, up to the end of the page. They are grouped by shard first, so a filter
// is evaluated once per shard and batch.
func (s *search) scanBatch(sequence *column.Sequence, positions []uint32) error {
	locals, passing := make([][]uint32, len(s.shards)), make([]*roaring.Bitmap, len(s.shards))
	for _, position := range positions {
		i, local, ok := s.index.locate(sequence.Doc(position))
		if !ok {
			return errUnlisted
		}
		locals[i] = append(locals[i], local)
	}
	for i, docs := range locals {
		if len(docs) == 0 {
			continue
		}
		slices.Sort(docs) // a bitmap grows at its end without moving anything
		var err error
		if passing[i], err = s.passing(i, roaring.BitmapOf(docs...)); err != nil {
			return err
		}
	}
	for _, position := range positions {
		doc := sequence.Doc(position)
		if i, local, _ := s.index.locate(doc); isEmpty(passing[i]) || !passing[i].Contains(local) {
			continue
		}
		switch first, err := s.represents(doc); {
		case err != nil:
			return err
		case first:
			s.scan.positions = append(s.scan.positions, position)
		}
		if s.scan.complete = len(s.scan.positions) == s.page.skip+s.page.limit; s.scan.complete {
			return nil
		}
	}
	return nil
}

// stretches returns the parts of an order to scan: those of a filter by range over its key, or all
// of it.
func (s *search) stretches(sequence *column.Sequence) []column.Stretch {
	for _, q := range s.filters {
		if r, ok := q.(*filter.Range); ok && (r.Measure == filter.OpeningDay || r.Measure == filter.CapitalCents) {
			if stretches, ok := sequence.Stretches(s.eval.rangeOf(r)); ok {
				return stretches
			}
		}
	}
	return []column.Stretch{{To: sequence.Docs}}
}

// passing returns which of docs in shard i pass the filters.
func (s *search) passing(i int, docs *roaring.Bitmap) (*roaring.Bitmap, error) {
	v := s.shard(i)
	if v.searched {
		return v.and(v.found, docs), nil
	}
	return v.evaluate(s.scan.query, docs)
}

// represents reports whether a document that passes the filters represents its company in the
// results: no other one of it that passes comes before. The answer is free for most documents. For
// the others the principal document is tried first, and the company is looked up only if that does
// not pass.
func (s *search) represents(doc uint32) (bool, error) {
	principal := s.index.companies.Principal(doc)
	if !s.byCompany || principal == doc && !s.index.companies.IsLate(doc) {
		return true, nil
	}
	if principal < doc { // the usual case
		i, local, _ := s.index.locate(principal)
		if passes, err := s.passing(i, roaring.BitmapOf(local)); err != nil || !isEmpty(passes) {
			return false, err
		}
	}
	i, local, _ := s.index.locate(doc)
	number, err := s.index.shards[i].CNPJ(local)
	if err != nil {
		return false, err
	}
	root := number.Root()
	first, known := s.scan.representatives[root]
	if !known {
		if first, err = s.representativeOf(root); err != nil {
			return false, err
		}
		s.scan.representatives[root] = first
	}
	return first == doc, nil
}

// representativeOf returns the first document of a company that passes the filters, by its keys in
// every shard.
func (s *search) representativeOf(root cnpj.Root) (uint32, error) {
	for i := range s.shards {
		v, docs := s.shard(i), roaring.New()
		c, more, err := v.Keys(cnpj.Join(root, 0), cnpj.Join(root, cnpj.Orders-1))
		for ; more; more, err = c.Next() {
			docs.Add(c.Doc)
		}
		if err == nil && !docs.IsEmpty() {
			docs, err = s.passing(i, docs)
		}
		if err != nil {
			return 0, err
		}
		if !isEmpty(docs) {
			return v.base + docs.Minimum(), nil
		}
	}
	return 0, nil
}

// collapsedPage returns the positions of the page, ascending, when kept is not collapsed: it takes
// twice as many documents of the order as the page ends at, collapses them, and doubles until there
// are enough.
func (s *search) collapsedPage(sequence *column.Sequence, to int) ([]uint32, error) {
	kept := s.selection(sequence)
	var firsts []uint32
	for tried, next := 0, 2*to; ; next *= 2 {
		positions, err := pageOf(kept, sequence, 0, min(next, kept.Total))
		if err != nil {
			return nil, err
		}
		for _, position := range positions[tried:] {
			switch first, err := s.represents(sequence.Doc(position)); {
			case err != nil:
				return nil, err
			case first:
				firsts = append(firsts, position)
			}
		}
		if tried = len(positions); len(firsts) >= to || tried == kept.Total {
			return firsts[min(s.page.skip, len(firsts)):min(to, len(firsts))], nil
		}
	}
}
