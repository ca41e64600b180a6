package world

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"sort"

	"razao/internal/data/cnpj"
	"razao/internal/sample/draw"
)

const (
	blocks       = 64               // of unequal density
	usualSpan    = 66_000_000       // numeric roots issued before alphanumeric ones
	lettersSpan  = 1196 * sixPlaces // 36²-10² prefixes with a letter, times the rest
	sixPlaces    = 36 * 36 * 36 * 36 * 36 * 36
	maxCompanies = 70_000_000 // more do not fit into eight digits at this spread

	largestNumeric = 99_999_999
)

// numbering maps indexes of companies to roots, one to one and without a table. Indexes form four
// runs, in each of which roots ascend:
//
//	numericFirst   numeric roots of the first release, in 64 blocks of unequal density
//	letteredFirst  alphanumeric roots of the first release, spread evenly over all their prefixes
//	numericLater   numeric roots issued later, one after the other behind the blocks
//	letteredLater  alphanumeric roots issued later, skipping those of the first release
//
// Within a block or run each index owns an equal share of the numbers and draws one of it (slot),
// so roots are unique without a set of those issued. Since every run ascends, all roots can be
// enumerated in order by a 4-way merge, from any rank found by binary search (split, ByRoot).
type numbering struct {
	seed     uint64
	runs     [4]run          // by numericFirst and so on
	block    int             // width of a block in numbers
	starts   [blocks + 1]int // first index of each block
	prefixes []int64         // values of the first two positions with at least one letter, ascending
}

// run is the half-open range of indexes [from, to).
type run struct{ from, to int }

// Positions in numbering.runs.
const (
	numericFirst = iota
	letteredFirst
	numericLater
	letteredLater
)

// newNumbering numbers the companies of the first release: indexes below numeric get numeric roots,
// those up to first alphanumeric ones.
func newNumbering(seed uint64, numeric, first int) *numbering {
	m := &numbering{seed: seed, block: max(usualSpan, first*7/5) / blocks}
	m.runs = [...]run{{0, numeric}, {numeric, first}, {first, first}, {first, first}}
	var sums [blocks + 1]int
	for b := range blocks {
		d := draw.New(seed, draw.Number, uint64(b))
		sums[b+1] = sums[b] + 80 + d.N(40) // the densest block stays below the 7/5 of room
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

// issue numbers the companies opened later: indexes below letters get numeric roots, those up to
// total alphanumeric ones. It is an error if the numbers do not suffice.
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

// letters returns the p-th of all roots with a letter in the first two positions.
func (m *numbering) letters(p int) cnpj.Root {
	return cnpj.Root(m.prefixes[p/sixPlaces]*sixPlaces + int64(p%sixPlaces))
}

// lettered returns the rank, among roots with letters, of the k-th such root of the first release.
func (m *numbering) lettered(k int) int {
	r := m.runs[letteredFirst]
	return m.slot(r.from+k, k, r.to-r.from, lettersSpan)
}

// later returns the rank, among roots with letters, of an index of letteredLater. Ranks ascend and
// skip those that the first release has.
func (m *numbering) later(i int) int {
	const stride = lettersSpan / maxCompanies
	d := draw.New(m.seed, draw.Number, uint64(blocks+i))
	p := (i-m.runs[letteredLater].from)*stride + d.N(stride-2)
	for m.taken(p) { // at most twice: each share has one root
		p++
	}
	return p
}

// taken reports whether the first release has the p-th root with letters. It can only be the one of
// p's share or of the next, since rounding may move p across a boundary.
func (m *numbering) taken(p int) bool {
	count := m.runs[letteredFirst].to - m.runs[letteredFirst].from
	share := p * count / lettersSpan
	return count > 0 && (m.lettered(share) == p || share+1 < count && m.lettered(share+1) == p)
}

// slot draws a number from the j-th of count equal shares of 0 to span-1, always the same for index
// i.
func (m *numbering) slot(i, j, count, span int) int {
	from, to := j*span/count, (j+1)*span/count
	d := draw.New(m.seed, draw.Number, uint64(blocks+i))
	return from + d.N(to-from)
}

// decimalRoot returns the root that is written as n in decimal. Roots are base 36, so the value is
// not n.
func decimalRoot(n int) cnpj.Root {
	var root, place cnpj.Root = 0, 1
	for ; n > 0; n /= 10 {
		root += cnpj.Root(n%10) * place
		place *= 36
	}
	return root
}

// split returns, for each run, the first index whose root is not among the x smallest of all. It
// searches over root values, with a binary search in each run at each step.
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

// Root returns the root of company i.
func (w *World) Root(i int) cnpj.Root { return w.roots.root(i) }

// ByRoot yields the indexes of the companies of rank from to to-1 in ascending order of root. It
// merges the four runs and costs O(1) per company after a search for the start.
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
