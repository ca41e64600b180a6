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
	mostTried, triedShare = 1 << 13, 1 << 7
	// leastTried is how many are tried at once.
	leastTried = 1 << 8
	// mostLookups is how many companies may have to be looked up for a page; rather than more, all that is found is grouped.
	mostLookups = 1 << 11
)

// near is how a page of an order is found when filters leave more than is counted: finding and grouping millions takes long, and a page
// needs few. Shards are searched until the count is reached, and then documents tried in the order. When few of these pass, all that is
// found is put in order after all, and grouped as far as the page goes.
type near struct {
	query     query.Query
	found     int // in the shards that were searched
	companies int // of these, at least
	walked    bool
	positions []uint32             // of the results up to the page, when walked
	ungrouped bool                 // kept is all that is found
	firsts    map[cnpj.Root]uint32 // documents that stand for companies that were looked up
}

// listNear finds what filters leave for a page of an order.
func (s *search) listNear(ctx context.Context) error {
	n := &s.near
	n.query = match.All(s.filters...)
	for _, i := range s.byChance() {
		if err := ctx.Err(); err != nil {
			return err
		}
		v, counted := s.shard(i), n.companies > s.page.count
		var err error
		if v.found, err = v.Evaluate(n.query, nil); err != nil {
			return err
		}
		s.searched(v)
		if counted || n.companies <= s.page.count || s.manyLookups() {
			continue
		}
		if err := s.walk(); err != nil || n.walked {
			s.count(max(n.companies, len(n.positions)))
			return err
		}
	}
	return nil
}

// settle groups what was found for an order other than rank: as far as is counted, and the rest as far as the page goes. Exports need all
// of it.
func (s *search) settle() {
	n := &s.near
	for i := range s.shards {
		if v := s.shard(i); !v.searched { // it was gone through by tiers, if at all
			v.found, v.seen = v.seen, nil
			s.searched(v)
		}
	}
	if !s.byCompany || s.page.count == 0 || s.manyLookups() {
		s.keepFirsts(math.MaxInt)
		return
	}
	if n.companies <= s.page.count {
		s.keepFirsts(s.page.count)
		n.companies = s.page.total
	}
	if n.ungrouped = n.companies > s.page.count; n.ungrouped {
		s.count(n.companies)
		for _, v := range s.shards {
			v.kept = v.found
		}
	}
}

// count takes so many companies, of which there may be more, for the total of what was found.
func (s *search) count(companies int) {
	s.page.total, s.page.grouped = companies, max(s.near.found-companies, 0)
}

// searched counts what was found in a shard.
func (s *search) searched(v *shardSearch) {
	v.searched = true
	s.near.found += bitmap.Size(v.found)
	if s.near.companies += bitmap.Size(v.found); s.byCompany && !bitmap.IsEmpty(v.found) {
		s.near.companies -= int(v.found.AndCardinality(s.index.companies.Others(v.Number)))
	}
}

// manyLookups says whether more companies than is cheap would have to be looked up for the results up to the page.
func (s *search) manyLookups() bool {
	return (s.page.skip+s.page.limit)*(s.near.found-s.near.companies) > mostLookups*s.near.found
}

// keepFirsts keeps what stands for companies; it ends when these are more than most.
func (s *search) keepFirsts(most int) {
	s.page.total = 0
	for i, v := range s.shards {
		v.kept = s.group(i, v.found, most)
		v.seen = v.found
		if s.page.total += bitmap.Size(v.kept); s.page.total > most {
			return
		}
	}
}

// firstShards is how many shards, small ones, are searched before the last ones: what is rare among the most important documents may be
// common among the others.
const firstShards = 4

// byChance returns the shards in an order in which enough is found early.
func (s *search) byChance() []int {
	order := make([]int, len(s.shards))
	for i := range order {
		if order[i] = i; i >= firstShards {
			order[i] = len(order) - 1 + firstShards - i
		}
	}
	return order
}

// walk tries documents in the order of the query, a few at first: those that pass tell how many more a page takes. It gives up when
// that is too many.
func (s *search) walk() error {
	wanted := s.page.skip + s.page.limit
	if s.near.walked = s.page.limit == 0; s.near.walked {
		return nil
	}
	sequence, left, tried := s.index.sequence(s.query.Order), mostTried+int(s.index.columns.Docs/triedShare), 0
	batch := make([]uint32, 0, leastTried)
	for _, stretch := range s.stretches(&sequence) {
		for position := stretch.From; position < stretch.To; position++ {
			if batch = append(batch, position); len(batch) < cap(batch) {
				continue
			}
			if err := s.try(&sequence, batch); err != nil || s.near.walked {
				return err
			}
			tried += len(batch)
			needed := (wanted - len(s.near.positions)) * tried / max(len(s.near.positions), 1)
			if tried+needed > left {
				return nil
			}
			batch = slices.Grow(batch[:0], min(needed, tried))
		}
	}
	return s.try(&sequence, batch)
}

// try adds the positions of those that are results, of some candidates, to those that were found before.
func (s *search) try(sequence *column.Sequence, positions []uint32) error {
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
		switch first, err := s.isFirst(doc); {
		case err != nil:
			return err
		case first:
			s.near.positions = append(s.near.positions, position)
		}
		if s.near.walked = len(s.near.positions) == s.page.skip+s.page.limit; s.near.walked {
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
	return v.Evaluate(s.near.query, docs)
}

// isFirst says whether a document that passes the filters stands for its company: none of it that passes them comes before.
func (s *search) isFirst(doc uint32) (bool, error) {
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
	first, known := s.near.firsts[root]
	if !known {
		if first, err = s.firstOf(root); err != nil {
			return false, err
		}
		s.near.firsts[root] = first
	}
	return first == doc, nil
}

// firstOf returns the first document of a company of those that pass the filters.
func (s *search) firstOf(root cnpj.Root) (uint32, error) {
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

// firstOfKept returns the positions of the page, rising, in an order in which what is kept was not grouped.
func (s *search) firstOfKept(sequence *column.Sequence, to int) ([]uint32, error) {
	kept := s.kept()
	var firsts []uint32
	for tried, next := 0, 2*to; ; next *= 2 {
		positions, err := pageOf(kept, sequence, 0, min(next, kept.Total))
		if err != nil {
			return nil, err
		}
		for _, position := range positions[tried:] {
			switch first, err := s.isFirst(sequence.Doc(position)); {
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
