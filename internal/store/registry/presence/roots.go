package presence

import (
	"github.com/RoaringBitmap/roaring/v2/roaring64"

	"razao/internal/data/cnpj"
)

// Roots is the set of companies that a load of one source has records of, in two to four bytes each. It
// has no false positives and no false negatives. The zero value is empty; it is safe for concurrent
// use after the last Add.
type Roots struct {
	roots roaring64.Bitmap
}

// Add adds the company of an owner, given its key. Keys must ascend.
func (r *Roots) Add(key uint64) {
	root, _ := Split(key)
	r.roots.Add(uint64(root))
}

// Has reports whether the load has records of the company or of any of its establishments.
func (r *Roots) Has(root cnpj.Root) bool { return r.roots.Contains(uint64(root)) }

// Empty reports whether the load has no records at all.
func (r *Roots) Empty() bool { return r.roots.IsEmpty() }
