package index

import (
	"context"
	"math"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/blevesearch/bleve/v2/search/query"

	"razao/index/bitmap"
	"razao/index/column"
	"razao/index/filter"
	"razao/index/match"
	"razao/internal/cnpj"
)

const (
	// So many documents, and one of so many of the index, are tried in an order before all that is found is put in order.
	maxScanned, scannedShare = 1 << 13, 1 << 7
	// minBatch is how many are tried at once.
	minBatch = 1 << 8
	// maxLookups is how many companies may have to be looked up for a page; rather than more, all that is found is grouped.
	maxLookups = 1 << 11
)

// orderedScan is how a page of an order is found when filters leave more than is counted: finding and grouping millions takes long, and a page
// needs few. Shards are searched until the count is reached, and then documents tried in the order. When few of these pass, all that is
// found is put in order after all, and grouped as far as the page goes.
type orderedScan struct {
	query           query.Query
	found           int // in the shards that were searched
	companies       int // of these, at least
	complete        bool
	positions       []uint32             // of the results up to the page, when walked
	uncollapsed     bool                 // kept is all that is found
	representatives map[cnpj.Root]uint32 // documents that stand for companies that were looked up
}

// listOrdered finds what filters leave for a page of an order.
func (s *search) listOrdered(ctx context.Context) error {
	n := &s.scan
	n.query = match.All(s.filters...)
	for _, i := range s.shardOrder() {
		if err := ctx.Err(); err != nil {
			return err
		}
		v, counted := s.shard(i), n.companies > s.page.count
		var err error
		if v.found, err = v.Evaluate(n.query, nil); err != nil {
			return err
		}
		s.countFound(v)
		if counted || n.companies <= s.page.count || s.manyLookups() {
			continue
		}
		if err := s.scanOrder(); err != nil || n.complete {
			s.setTotal(max(n.companies, len(n.positions)))
			return err
		}
	}
	return nil
}

// collapseFound groups what was found for an order other than rank: as far as is counted, and the rest as far as the page goes. Exports need all
// of it.
func (s *search) collapseFound() {
	n := &s.scan
	for i := range s.shards {
		if v := s.shard(i); !v.searched { // it was gone through by tiers, if at all
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

// setTotal takes so many companies, of which there may be more, for the total of what was found.
func (s *search) setTotal(companies int) {
	s.page.total, s.page.collapsed = companies, max(s.scan.found-companies, 0)
}

// countFound counts what was found in a shard.
func (s *search) countFound(v *shardSearch) {
	v.searched = true
	s.scan.found += bitmap.Size(v.found)
	if s.scan.companies += bitmap.Size(v.found); s.byCompany && !bitmap.IsEmpty(v.found) {
		s.scan.companies -= int(v.found.AndCardinality(s.index.companies.Others(v.Number)))
	}
}

// manyLookups says whether more companies than is cheap would have to be looked up for the results up to the page.
func (s *search) manyLookups() bool {
	return (s.page.skip+s.page.limit)*(s.scan.found-s.scan.companies) > maxLookups*s.scan.found
}

// collapseUpTo keeps what stands for companies; it ends when these are more than most.
func (s *search) collapseUpTo(most int) {
	s.page.total = 0
	for i, v := range s.shards {
		v.kept = s.collapse(i, v.found, most)
		v.seen = v.found
		if s.page.total += bitmap.Size(v.kept); s.page.total > most {
			return
		}
	}
}

// firstShards is how many shards, small ones, are searched before the last ones: what is rare among the most important documents may be
// common among the others.
const firstShards = 4

// shardOrder returns the shards in an order in which enough is found early.
func (s *search) shardOrder() []int {
	order := make([]int, len(s.shards))
	for i := range order {
		if order[i] = i; i >= firstShards {
			order[i] = len(order) - 1 + firstShards - i
		}
	}
	return order
}

// scanOrder tries documents in the order of the query, a few at first: those that pass tell how many more a page takes. It gives up when
// that is too many.
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
			if tried+needed > left {
				return nil
			}
			batch = slices.Grow(batch[:0], min(needed, tried))
		}
	}
	return s.scanBatch(&sequence, batch)
}

// scanBatch adds the positions of those that are results, of some candidates, to those that were found before.
func (s *search) scanBatch(sequence *column.Sequence, positions []uint32) error {
	passing := make([]*roaring.Bitmap, len(s.shards))
	for _, position := range positions {
		i, local, ok := s.index.locate(sequence.Doc(position))
		if !ok {
			return errUnlisted
		}
		if passing[i] == nil {
			passing[i] = roaring.New()
		}
		passing[i].Add(local)
	}
	for i, docs := range passing {
		if !bitmap.IsEmpty(docs) {
			var err error
			if passing[i], err = s.passing(i, docs); err != nil {
				return err
			}
		}
	}
	for _, position := range positions {
		doc := sequence.Doc(position)
		if i, local, _ := s.index.locate(doc); bitmap.IsEmpty(passing[i]) || !passing[i].Contains(local) {
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

// stretches returns where in an order documents may pass the filters: a range of what it is ordered by has its place there.
func (s *search) stretches(sequence *column.Sequence) []column.Stretch {
	for _, q := range s.filters {
		if r, ok := q.(*filter.Range); ok && (r.Measure == filter.OpeningDay || r.Measure == filter.CapitalCents) {
			if stretches, ok := sequence.Stretches(s.eval.Range(r)); ok {
				return stretches
			}
		}
	}
	return []column.Stretch{{To: sequence.Docs}}
}

// passing returns which documents of a shard the filters leave.
func (s *search) passing(i int, docs *roaring.Bitmap) (*roaring.Bitmap, error) {
	v := s.shard(i)
	if v.searched {
		return v.And(v.found, docs), nil
	}
	return v.Evaluate(s.scan.query, docs)
}

// represents says whether a document that passes the filters stands for its company: none of it that passes them comes before.
func (s *search) represents(doc uint32) (bool, error) {
	principal := s.index.companies.Principal(doc)
	if !s.byCompany || principal == doc && !s.index.companies.IsLate(doc) {
		return true, nil
	}
	if principal < doc { // it comes first, mostly
		i, local, _ := s.index.locate(principal)
		if passes, err := s.passing(i, roaring.BitmapOf(local)); err != nil || !bitmap.IsEmpty(passes) {
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

// representativeOf returns the first document of a company of those that pass the filters.
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
		if !bitmap.IsEmpty(docs) {
			return v.Base + docs.Minimum(), nil
		}
	}
	return 0, nil
}

// collapsedPage returns the positions of the page, rising, in an order in which what is kept was not grouped.
func (s *search) collapsedPage(sequence *column.Sequence, to int) ([]uint32, error) {
	kept := s.kept()
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
