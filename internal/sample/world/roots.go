package world

import (
	"fmt"
	"iter"
	"math"
	"slices"
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

	largestNumeric = 99_999_999
)

// numbering is a one-to-one map from indexes to roots. It grows in each of four runs of indexes: the numeric roots of the
// first release, its roots with letters, the numeric ones issued later, those with letters issued later. The numeric
// roots of the first release lie in blocks of unequal density, as real ones do.
type numbering struct {
	seed     uint64
	runs     [4]run
	block    int             // width of a block in numbers
	starts   [blocks + 1]int // first index of every block
	prefixes []int64         // the pairs of positions that hold at least one letter, ascending
}

// run is the indexes from the first to the one before the last.
type run struct{ from, to int }

// The runs.
const (
	numericFirst = iota
	letteredFirst
	numericLater
	letteredLater
)

// newNumbering numbers the companies of the first release, of which so many have numeric roots, and those that follow.
func newNumbering(seed uint64, numeric, first int) *numbering {
	m := &numbering{seed: seed, block: max(usualSpan, first*7/5) / blocks}
	m.runs = [...]run{{0, numeric}, {numeric, first}, {first, first}, {first, first}}
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

// issue numbers the companies that were opened later, below the index letters with numeric roots.
func (m *numbering) issue(letters, total int) error {
	first := m.runs[letteredFirst].to
	if m.block*blocks+letters-first > largestNumeric || total-letters > maxCompanies {
		return fmt.Errorf("%d companies and %d opened later: there are no numbers for so many", first, total-first)
	}
	m.runs[numericLater], m.runs[letteredLater] = run{first, letters}, run{letters, total}
	return nil
}

// root returns the root of index i.
func (m *numbering) root(i int) cnpj.Root {
	switch {
	case i >= m.runs[letteredLater].from:
		return m.letters(m.later(i))
	case i >= m.runs[numericLater].from:
		return decimalRoot(m.block*blocks + 1 + i - m.runs[numericLater].from)
	case i >= m.runs[letteredFirst].from:
		return m.letters(m.lettered(i - m.runs[letteredFirst].from))
	}
	b := sort.Search(blocks, func(b int) bool { return m.starts[b+1] > i })
	j, count := i-m.starts[b], m.starts[b+1]-m.starts[b]
	n := b*m.block + m.slot(i, j, count, m.block) + 1
	return decimalRoot(n)
}

// letters returns the p-th of all roots whose first two positions hold a letter.
func (m *numbering) letters(p int) cnpj.Root {
	return cnpj.Root(m.prefixes[p/sixPlaces]*sixPlaces + int64(p%sixPlaces))
}

// lettered spreads the roots with letters of the first release over all their prefixes.
func (m *numbering) lettered(k int) int {
	r := m.runs[letteredFirst]
	return m.slot(r.from+k, k, r.to-r.from, lettersSpan)
}

// later issues roots with letters in their order, past those that the first release has.
func (m *numbering) later(i int) int {
	const stride = lettersSpan / maxCompanies
	d := draw.New(m.seed, draw.Number, uint64(blocks+i))
	p := (i-m.runs[letteredLater].from)*stride + d.N(stride-2)
	for m.taken(p) { // twice at most: shares have one root each
		p++
	}
	return p
}

// taken says whether the first release has the p-th root with letters: it lies in the share of p, or in the next one.
func (m *numbering) taken(p int) bool {
	count := m.runs[letteredFirst].to - m.runs[letteredFirst].from
	share := p * count / lettersSpan
	return count > 0 && (m.lettered(share) == p || share+1 < count && m.lettered(share+1) == p)
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

// split returns the index in every run at which the roots begin that are not among the first x in ascending order.
func (m *numbering) split(x int) (at [4]int) {
	below := func(root cnpj.Root) (n int) {
		for k, r := range m.runs {
			at[k] = r.from + sort.Search(r.to-r.from, func(j int) bool { return m.root(r.from+j) >= root })
			n += at[k] - r.from
		}
		return n
	}
	below(cnpj.Root(sort.Search(36*36*sixPlaces, func(root int) bool { return below(cnpj.Root(root)) >= x })))
	return at
}

// Root returns the root of a company.
func (w *World) Root(i int) cnpj.Root { return w.roots.root(i) }

// ByRoot returns the indexes of the companies whose roots are, in ascending order, the from-th to the to-1st.
func (w *World) ByRoot(from, to int) iter.Seq[int] {
	m := w.roots
	return func(yield func(int) bool) {
		var heads [4]cnpj.Root // the next root of every run
		at := m.split(from)
		head := func(k int) cnpj.Root {
			if at[k] == m.runs[k].to {
				return math.MaxInt64
			}
			return m.root(at[k])
		}
		for k := range heads {
			heads[k] = head(k)
		}
		for range to - from {
			k := slices.Index(heads[:], slices.Min(heads[:]))
			i := at[k]
			at[k]++
			heads[k] = head(k)
			if !yield(i) {
				return
			}
		}
	}
}
