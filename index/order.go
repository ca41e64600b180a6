package index

import (
	"context"
	"fmt"
	"slices"

	"razao/index/column"
	"razao/index/folder"
)

// sequence returns the column of an order other than ByRank.
func (ix *Index) sequence(o Order) column.Sequence {
	switch o {
	case ByCapital:
		return ix.columns.Sequence(column.ByCapital, false)
	case ByName:
		return ix.columns.Sequence(column.ByName, false)
	default:
		return ix.columns.Sequence(column.ByOpening, o == ByOldest)
	}
}

// order fills the page from the positions of its documents, in other orders than ByRank. Each
// position is checked against the inverse permutation, so a damaged column gives an error, not a
// wrong page.
func (s *search) order(ctx context.Context) error {
	if s.query.Order == ByRank || s.page.limit == 0 || s.page.skip >= s.page.total {
		return nil
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	sequence := s.index.sequence(s.query.Order)
	positions, err := s.positions(&sequence)
	if err != nil {
		return err
	}
	s.page.grow(len(positions))
	for _, position := range positions {
		listed := sequence.Doc(position)
		i, doc, ok := s.index.locate(listed)
		if !ok {
			return errUnlisted
		}
		if sequence.Position(sequence.Positions(listed), 0) != position {
			return errTwice
		}
		number, err := s.index.shards[i].CNPJ(doc)
		if err != nil {
			return err
		}
		s.page.hit(Hit{number, s.shards[i].why(doc)}, listed)
	}
	return nil
}

// Damage to an order that is noticed when it is read.
var (
	errUnlisted = fmt.Errorf("%w (an order names a document that does not exist)", folder.ErrDamaged)
	errTwice    = fmt.Errorf("%w (an order has a document at two positions)", folder.ErrDamaged)
)

// positions returns the positions of the page: those of the scan, or selected from what is kept.
func (s *search) positions(sequence *column.Sequence) ([]uint32, error) {
	to := s.page.skip + min(s.page.limit, s.page.total-s.page.skip)
	switch {
	case s.scan.complete:
		return s.scan.positions[min(s.page.skip, len(s.scan.positions)):], nil
	case s.scan.uncollapsed:
		return s.collapsedPage(sequence, to)
	}
	return pageOf(s.selection(sequence), sequence, s.page.skip, to)
}

// pageOf returns the positions, ascending, of the kept documents from (included) to to (excluded)
// in an order.
func pageOf(kept *column.Selection, sequence *column.Sequence, from, to int) ([]uint32, error) {
	positions := kept.Page(sequence, from, to)
	for _, position := range positions {
		if !kept.Has(sequence.Doc(position)) {
			return nil, errTwice
		}
	}
	return positions, nil
}

// selection returns the results of all shards, for selecting a page of them in an order.
func (s *search) selection(sequence *column.Sequence) *column.Selection {
	kept := &column.Selection{Work: s.eval.scratch}
	for _, v := range s.shards {
		if v != nil {
			kept.Parts = append(kept.Parts, column.Part{Base: v.base, Docs: v.kept})
			kept.Total += sizeOf(v.kept)
		}
	}
	if stretches := s.stretches(sequence); len(stretches) > 0 {
		kept.First = stretches[0].From
	}
	return kept
}

// why returns the reason for which a document was found.
func (v *shardSearch) why(doc uint32) Why {
	for _, p := range v.parts {
		if p.docs.Contains(doc) {
			return p.why
		}
	}
	return WhyListed
}

// locate returns the shard of a document and its number within it; ok is false if there is no such
// document.
func (ix *Index) locate(doc uint32) (shard int, local uint32, ok bool) {
	i, exact := slices.BinarySearch(ix.bases, doc)
	if !exact {
		i--
	}
	if doc >= ix.columns.Docs {
		return 0, 0, false
	}
	return i, doc - ix.bases[i], true
}
