package index

import (
	"cmp"
	"context"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/blevesearch/bleve/v2/search/query"

	"razao/index/bitmap"
	"razao/index/match"
	"razao/internal/cnpj"
)

// group returns which of the documents that a tier has found in shard i stand for their companies in the results: those of which
// nothing of the same company came before, in an earlier tier or in rank order. seen of the shard has earlier tiers only.
func (s *search) group(i int, found *roaring.Bitmap) *roaring.Bitmap {
	if !s.query.ByCompany {
		return found
	}
	kept, _ := s.groupUntil(i, found, func(uint32) bool { return false })
	return kept
}

// groupUntil is group; it ends early when it has come to the company of a principal document with which that is enough.
func (s *search) groupUntil(i int, found *roaring.Bitmap, enough func(principal uint32) bool) (kept *roaring.Bitmap, whole bool) {
	v := s.shard(i)
	others := v.and(found, s.index.companies.Others(i))
	first := roaring.New()
	whole = bitmap.IsEmpty(others) || s.index.companies.Walk(others, v.base, func(doc, principal uint32) (more bool) {
		before := principal >= v.base && principal < v.base+doc && found.Contains(principal-v.base)
		if before || !s.stand(principal) {
			return true
		}
		first.Add(doc)
		return !enough(principal)
	})
	kept = bitmap.Union([]*roaring.Bitmap{bitmap.Without(bitmap.Without(found, others), v.stood), first})
	s.page.grouped += bitmap.Size(found) - bitmap.Size(kept)
	return kept, whole
}

// siblingCost is how many documents are grouped in the time in which the siblings of one are looked up.
const siblingCost = 512

// listInOrder finds what filters leave, for another order than rank. Grouping millions takes longer than finding them: when there are more
// companies than are counted, only documents that come near the page are asked whether they stand for theirs.
func (s *search) listInOrder(ctx context.Context) error {
	companies, others := 0, 0 // at least; documents that are not the principal ones
	for i := range s.shards {
		if err := ctx.Err(); err != nil {
			return err
		}
		v := s.shard(i)
		var err error
		if v.kept, err = v.evaluate(match.All(s.filters...), nil); err != nil {
			return err
		}
		if !bitmap.IsEmpty(v.kept) {
			n := int(v.kept.AndCardinality(s.index.companies.Others(i)))
			companies, others = companies+bitmap.Size(v.kept)-n, others+n
		}
	}
	few := others <= (s.page.skip+s.page.limit)*siblingCost
	whole := few || companies <= s.page.count
	for i := 0; i < len(s.shards) && whole; i++ {
		v := s.shards[i]
		found := v.kept
		v.kept, whole = s.groupUntil(i, found, func(principal uint32) bool {
			if !s.has(principal) {
				companies++
			}
			return !few && companies > s.page.count
		})
		v.seen = found
		s.page.total += bitmap.Size(v.kept)
	}
	if !whole {
		s.leaveUngrouped(companies)
	}
	return nil
}

// leaveUngrouped keeps all found documents, of so many companies at least: which of them stand for these is left to the order.
func (s *search) leaveUngrouped(companies int) {
	s.ungrouped, s.page.total, s.page.grouped = true, companies, -companies
	for _, v := range s.shards {
		v.kept = cmp.Or(v.seen, v.kept)
		s.page.grouped += bitmap.Size(v.kept)
	}
}

// has says whether a document is among those that are kept.
func (s *search) has(doc uint32) bool {
	i, local, ok := s.index.locate(doc)
	return ok && !bitmap.IsEmpty(s.shards[i].kept) && s.shards[i].kept.Contains(local)
}

// isFirst says whether a document that is kept ungrouped is the first of its company.
func (s *search) isFirst(doc uint32) (bool, error) {
	switch principal := s.index.companies.Principal(doc); {
	case principal == doc && !s.index.companies.IsLate(doc):
		return true, nil
	case principal < doc && s.has(principal):
		return false, nil
	}
	i, local, ok := s.index.locate(doc)
	if !ok {
		return false, nil
	}
	number, err := s.index.shards[i].CNPJ(local)
	if err != nil {
		return false, err
	}
	root := number.Root()
	first, known := s.firsts[root]
	if !known {
		if first, err = s.firstOf(root); err != nil {
			return false, err
		}
		s.firsts[root] = first
	}
	return first == doc, nil
}

// firstOf returns the first kept document of a company that has one.
func (s *search) firstOf(root cnpj.Root) (uint32, error) {
	for _, v := range s.shards {
		if bitmap.IsEmpty(v.kept) {
			continue
		}
		first := v.Docs()
		c, more, err := v.Keys(cnpj.Join(root, 0), cnpj.Join(root, cnpj.Orders-1))
		for ; more; more, err = c.Next() {
			if v.kept.Contains(c.Doc) {
				first = min(first, c.Doc)
			}
		}
		if err != nil || first < v.Docs() {
			return v.base + first, err
		}
	}
	return 0, nil
}

// stand notes that some establishment stands for the company of a principal document; false: another one does already, or that one.
func (s *search) stand(principal uint32) bool {
	i, local, ok := s.index.locate(principal)
	if !ok {
		return false
	}
	v := s.shard(i)
	if v.seen != nil && v.seen.Contains(local) {
		return false
	}
	if v.stood == nil {
		v.stood = roaring.New()
	}
	return v.stood.CheckedAdd(local)
}

// represent replaces the hits of a page by the head offices of their companies where those have all the words in their names, too: a
// branch that is found by a trade name is not what people call the company.
func (s *search) represent() error {
	if !s.query.ByCompany {
		return nil
	}
	for i := range s.page.hits {
		hit := &s.page.hits[i]
		if hit.Why == WhyCNPJ || hit.Why == WhyListed {
			continue
		}
		if err := s.representOne(hit, s.page.docs[i]); err != nil {
			return err
		}
	}
	return nil
}

func (s *search) representOne(hit *Hit, doc uint32) error {
	principal := s.index.companies.Principal(doc)
	i, local, ok := s.index.locate(principal)
	if !ok || principal == doc {
		return nil
	}
	v, alone := s.shard(i), roaring.BitmapOf(local)
	for _, r := range s.readings {
		docs, err := v.evaluate(match.All(append([]query.Query{nameTier.query(&r.words)}, r.filters...)...), alone)
		if err != nil {
			return err
		}
		if !bitmap.IsEmpty(docs) {
			hit.CNPJ, err = s.index.shards[i].CNPJ(local)
			return err
		}
	}
	return nil
}
