package world

import (
	"iter"
	"sort"

	"razao/internal/cnpj"
	"razao/internal/sample/draw"
)

const (
	blocks       = 64
	usualSpan    = 66_000_000 // numbers issued before letters came
	lettersSpan  = 1196 * sixPlaces
	sixPlaces    = 36 * 36 * 36 * 36 * 36 * 36
	maxCompanies = 70_000_000 // beyond, eight digits do not hold them at this spread
)

// numbering is a one-to-one map from indexes to roots that grows with the index, first over the numeric roots, then
// over those with letters. Numeric roots lie in blocks of unequal density, as real ones do.
type numbering struct {
	seed     uint64
	numeric  int // indexes below have numeric roots
	total    int
	block    int             // width of a block in numbers
	starts   [blocks + 1]int // first index of every block
	prefixes []int64         // the pairs of positions that hold at least one letter, ascending
}

func newNumbering(seed uint64, numeric, total int) *numbering {
	m := &numbering{seed: seed, numeric: numeric, total: total, block: max(usualSpan, total*7/5) / blocks}
	var sums [blocks + 1]int
	for b := range blocks {
		d := draw.New(seed, draw.Number, uint64(b))
		sums[b+1] = sums[b] + 80 + d.N(40) // the densest block is well under the 7/5 of room
	}
	for b := range sums {
		m.starts[b] = numeric * sums[b] / sums[blocks]
	}
	for p := range int64(36 * 36) {
		if p/36 > 9 || p%36 > 9 {
			m.prefixes = append(m.prefixes, p)
		}
	}
	return m
}

// root returns the root of index i.
func (m *numbering) root(i int) cnpj.Root {
	if i >= m.numeric {
		return m.lettered(i - m.numeric)
	}
	b := sort.Search(blocks, func(b int) bool { return m.starts[b+1] > i })
	j, count := i-m.starts[b], m.starts[b+1]-m.starts[b]
	n := b*m.block + m.slot(i, j, count, m.block) + 1
	return decimalRoot(n)
}

// lettered spreads the roots with letters over all their prefixes.
func (m *numbering) lettered(k int) cnpj.Root {
	p := m.slot(m.numeric+k, k, m.total-m.numeric, lettersSpan)
	return cnpj.Root(m.prefixes[p/sixPlaces]*sixPlaces + int64(p%sixPlaces))
}

// slot returns a number of the j-th of count equal shares of a span.
func (m *numbering) slot(i, j, count, span int) int {
	from, to := j*span/count, (j+1)*span/count
	d := draw.New(m.seed, draw.Number, uint64(blocks+i))
	return from + d.N(to-from)
}

// decimalRoot returns the root that is written with the decimal digits of n.
func decimalRoot(n int) cnpj.Root {
	var root, place cnpj.Root = 0, 1
	for ; n > 0; n /= 10 {
		root += cnpj.Root(n%10) * place
		place *= 36
	}
	return root
}

// split returns how many numeric roots and how many with letters are among the first x in ascending order.
func (m *numbering) split(x int) (numeric, lettered int) {
	letters := m.total - m.numeric
	lettered = sort.Search(letters, func(a int) bool {
		n := x - a - 1
		return n < 0 || n < m.numeric && m.root(m.numeric+a) > m.root(n)
	})
	return x - lettered, lettered
}

// Root returns the root of a company.
func (w *World) Root(i int) cnpj.Root { return w.roots.root(i) }

// ByRoot returns the indexes of the companies whose roots are, in ascending order, the from-th to the to-1st.
func (w *World) ByRoot(from, to int) iter.Seq[int] {
	m := w.roots
	return func(yield func(int) bool) {
		numeric, lettered := m.split(from)
		for range to - from {
			i := m.numeric + lettered
			if i == m.total || numeric < m.numeric && m.root(numeric) < m.root(i) {
				i = numeric
				numeric++
			} else {
				lettered++
			}
			if !yield(i) {
				return
			}
		}
	}
}
