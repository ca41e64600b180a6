package country

import (
	"fmt"

	"razao/internal/data/cnpj"
)

const (
	usualSpan      = 66_000_000 // numeric roots issued before alphanumeric ones
	largestNumeric = 99_999_998
	demonstration  = 99_999_999 // root of the demonstration company
	maxCompanies   = 70_000_000
	sixPlaces      = 36 * 36 * 36 * 36 * 36 * 36
	lettersSpan    = (36*36 - 10*10) * sixPlaces // prefixes with a letter, times the rest
)

// numbering maps indexes of companies to roots, one to one and without a table. Indexes form four
// runs, in each of which roots ascend: numeric and alphanumeric roots of the first release, spread
// evenly with one in each equal share of the numbers; then numeric and alphanumeric roots issued
// later, the numeric ones behind the others, the alphanumeric ones in the odd places, of which the
// first release has the even. The first company opened later is the demonstration company, whose root
// is the same in every series.
type numbering struct {
	seed                     uint64
	numeric, first, lettered int // ends of the first three runs
	span                     int // numeric roots of the first release
	prefixes                 []int64
}

// newNumbering numbers companies: indexes below numeric and from first to lettered get numeric
// roots, the others up to total alphanumeric ones.
func newNumbering(seed uint64, numeric, first, lettered, total int) (numbering, error) {
	m := numbering{seed: seed, numeric: numeric, first: first, lettered: lettered, span: max(usualSpan, first*7/5)}
	if m.span+lettered-first > largestNumeric || total-lettered > maxCompanies {
		return m, fmt.Errorf("%d companies and %d opened later: there are no numbers for so many", first, total-first)
	}
	for p := range int64(36 * 36) {
		if p/36 > 9 || p%36 > 9 {
			m.prefixes = append(m.prefixes, p)
		}
	}
	return m, nil
}

// root returns the root of index i.
func (m *numbering) root(i int) cnpj.Root {
	const half, stride = lettersSpan / 2, lettersSpan / 2 / maxCompanies
	switch {
	case i < m.numeric:
		return decimalRoot(1 + m.slot(i, i, m.numeric, m.span))
	case i < m.first:
		return m.letters(2 * m.slot(i, i-m.numeric, m.first-m.numeric, half))
	case i == m.first:
		return decimalRoot(demonstration)
	case i < m.lettered:
		return decimalRoot(m.span + 1 + i - m.first)
	}
	d := newDice(m.seed, ofNumber, uint64(i))
	return m.letters(2*((i-m.lettered)*stride+d.N(stride)) + 1)
}

// slot draws a number from the j-th of count equal shares of 0 to span-1.
func (m *numbering) slot(i, j, count, span int) int {
	from, to := j*span/count, (j+1)*span/count
	d := newDice(m.seed, ofNumber, uint64(i))
	return from + d.N(to-from)
}

// letters returns the p-th of all roots with a letter in the first two positions.
func (m *numbering) letters(p int) cnpj.Root {
	return cnpj.Root(m.prefixes[p/sixPlaces]*sixPlaces + int64(p%sixPlaces))
}

// decimalRoot returns the root that is written as n in decimal. Roots are base 36, so its value is
// not n.
func decimalRoot(n int) cnpj.Root {
	var root, place cnpj.Root = 0, 1
	for ; n > 0; n /= 10 {
		root += cnpj.Root(n%10) * place
		place *= 36
	}
	return root
}

// Demonstration returns the head office of the company that has an event in every month: the same
// number in every series, in all of its releases but the first.
func Demonstration() cnpj.Full {
	return cnpj.Join(decimalRoot(demonstration), cnpj.Order(decimalRoot(1)))
}

// Root returns the root of company i.
func (c *Country) Root(i int) cnpj.Root { return c.roots.root(i) }
