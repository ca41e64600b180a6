package eval

import (
	"github.com/RoaringBitmap/roaring/v2"

	"razao/internal/data/cnpj"
)

// KeyCost is the budget that walking one key of the dictionary takes: the bytes of postings that
// could be intersected in the same time.
const KeyCost = 384

// Between returns the documents whose CNPJ is from first to last, both included, by a range scan of
// the key dictionary. If the budget runs out, the highest numbers are missing. The result is the
// caller's.
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
