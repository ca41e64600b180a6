package eval

import (
	"github.com/RoaringBitmap/roaring/v2"

	"razao/internal/cnpj"
)

// KeyCost is what walking one key takes from a budget, in bytes of postings that are intersected meanwhile.
const KeyCost = 384

// Between returns the documents whose numbers are from first to last, both included, as many as the budget allows.
func (s *Shard) Between(first, last cnpj.Full) (*roaring.Bitmap, error) {
	c, more, err := s.Keys(first, last)
	if err != nil || !more {
		return nil, err
	}
	marks := s.evaluator.Scratch.Bits(int(s.Docs()))
	for ; more && s.evaluator.Budget.Visit(KeyCost); more, err = c.Next() {
		marks[c.Doc/64] |= 1 << (c.Doc % 64)
	}
	return roaring.FromDense(marks, true), err
}
