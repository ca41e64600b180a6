package index

import (
	"slices"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/blevesearch/bleve/v2/search/query"

	"razao/index/term"
)

// collapse returns the representatives among the documents that a tier has found in shard i: for
// each company the first in rank order, unless an earlier tier or shard has found another one of
// it. Call it before found is added to seen. With more than most representatives some may be
// missing.
//
// A principal document represents its company unless another one was claimed to: a difference of
// bitmaps. Only documents that are not principal are looked up in the table of companies.
func (s *search) collapse(i int, found *roaring.Bitmap, most int) *roaring.Bitmap {
	if !s.byCompany || isEmpty(found) {
		return found
	}
	v := s.shard(i)
	others := roaring.And(found, s.index.companies.Others(i))
	var first *roaring.Bitmap
	if !isEmpty(others) {
		first = s.representatives(i, found, others, most)
	}
	kept := union([]*roaring.Bitmap{without(without(found, others), v.claimed), first})
	s.page.collapsed += sizeOf(found) - sizeOf(kept)
	return kept
}

// representatives returns which of others, found documents that are not principal, are the first
// found of their companies, up to one more than most.
func (s *search) representatives(i int, found, others *roaring.Bitmap, most int) *roaring.Bitmap {
	v, first := s.shard(i), roaring.New()
	s.index.companies.Walk(others, v.base, func(doc, principal uint32) (more bool) {
		before := principal >= v.base && principal < v.base+doc && found.Contains(principal-v.base)
		if !before && s.claim(principal) {
			first.Add(doc)
			most--
		}
		return most >= 0
	})
	return first
}

// claim notes that a document represents the company of a principal one. It returns false if the
// company is represented already, by another document or by the principal one.
func (s *search) claim(principal uint32) bool {
	i, local, ok := s.index.locate(principal)
	if !ok {
		return false
	}
	v := s.shard(i)
	if v.seen != nil && v.seen.Contains(local) {
		return false
	}
	if v.claimed == nil {
		v.claimed = roaring.New()
	}
	return v.claimed.CheckedAdd(local)
}

// showHeadOffices replaces hits by the head offices of their companies, if these have all the words
// in their names, too, or if the root of the company was typed. A branch that is found by a trade name of its own stays: the company is not
// known by that name.
func (s *search) showHeadOffices() error {
	if !s.query.ByCompany {
		return nil
	}
	for i := range s.page.hits {
		hit := &s.page.hits[i]
		if hit.Why == WhyCNPJ && !s.wantsCompanies() || hit.Why == WhyListed {
			continue
		}
		if err := s.showHeadOffice(hit, s.page.docs[i]); err != nil {
			return err
		}
	}
	return nil
}

// showHeadOffice replaces one hit if the principal document matches one of the readings or, for the root of a
// company, the filters. The principal one of a company without a head office is no better than another.
func (s *search) showHeadOffice(hit *Hit, doc uint32) error {
	principal := s.index.companies.Principal(doc)
	i, local, ok := s.index.locate(principal)
	if !ok || principal == doc {
		return nil
	}
	var conditions [][]query.Query
	if hit.Why == WhyCNPJ {
		conditions = [][]query.Query{append(s.filters[:len(s.filters):len(s.filters)], hasTerm(term.FieldFilter, term.HeadOffice))}
	} else {
		for _, r := range s.readings {
			conditions = append(conditions, slices.Concat([]query.Query{nameTier.query(&r.words)}, r.filters, r.ranges))
		}
	}
	v, alone := s.shard(i), roaring.BitmapOf(local)
	for _, all := range conditions {
		docs, err := v.evaluate(allOf(all...), alone)
		if err != nil {
			return err
		}
		if !isEmpty(docs) {
			hit.CNPJ, err = s.index.shards[i].CNPJ(local)
			return err
		}
	}
	return nil
}
