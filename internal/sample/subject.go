package sample

import (
	"slices"

	"razao/internal/cnpj"
)

// appendPlainName appends razao_social as the other publishers have it.
func (g *generator) appendPlainName(b []byte, c *company) []byte {
	at := len(b)
	return plain(g.appendName(b, c), at)
}

// known says whether both tables of the release have the company and its address is in Brazil.
func (c *company) known() bool { return c.hasRelations() && c.abroad == 0 }

// business says whether the company is one that trades.
func (c *company) business() bool {
	switch c.kind.style {
	case commercial, professional, stock, personal:
		return c.known()
	}
	return false
}

// firm is a business that is not one person.
func (c *company) firm() bool { return c.business() && c.kind.style != personal }

// big returns the company that has thousands of records in several sources.
func (g *generator) big() company { return g.company(g.giants[0].index) }

// find returns a company that fits, drawn from all; the big one when none is found.
func (g *generator) find(d *dice, fits func(*company) bool) company {
	return g.findIn(d, g.n, 1, func(i int) int { return i }, fits)
}

// crowd is a part of the companies: those that a source has records of, few of them often.
type crowd struct {
	order shuffle
	size  int
}

// newCrowd returns one company in every oneIn, other ones for every number which.
func (g *generator) newCrowd(which uint64, oneIn int) crowd {
	return crowd{order: newShuffle(g.seed, g.n, int(float64(g.n)*0.6180339887), which), size: max(1, g.n/oneIn)}
}

// crowdTiers is how many times a tenth of a crowd takes half of its records.
const crowdTiers = 4

// oneOfCrowd returns a company of the crowd that fits.
func (g *generator) oneOfCrowd(d *dice, w *crowd, fits func(*company) bool) company {
	return g.findIn(d, w.size, crowdTiers, w.order.at, fits)
}

func (g *generator) findIn(d *dice, size, tiers int, at func(int) int, fits func(*company) bool) company {
	for range 500 {
		part := size
		for tier := 1; tier < tiers && part > 1 && d.permille(500); tier++ {
			part = part/10 + 1
		}
		if c := g.company(at(d.n(part))); fits(&c) {
			return c
		}
	}
	return g.big()
}

// somewhere returns the head office of a company, or with so many chances in a thousand a branch.
func (g *generator) somewhere(d *dice, c *company, branch int) establishment {
	k := 0
	if c.branches > 0 && d.permille(branch) {
		k = 1 + d.n(c.branches)
	}
	return g.establishment(c, k)
}

// anyBranch returns a branch of a firm, or the head office of the big company when there are none.
func (g *generator) anyBranch(d *dice) establishment {
	c := g.find(d, func(c *company) bool { return c.firm() && c.branches > 0 })
	return g.establishment(&c, min(1, c.branches))
}

// publicBodies returns the indexes of companies that contract for the state. They are looked for among the first in a
// scattered order, so that the largest registry takes no longer; when there are none, the giants stand for them.
func (g *generator) publicBodies() []int {
	const looks = 60_000
	order := g.scattered(20)
	var bodies []int
	for x := range min(looks, g.n) {
		i := order.at(x)
		if c := g.company(i); c.kind.style == public && c.status == "02" && c.known() {
			bodies = append(bodies, i)
		}
	}
	if len(bodies) == 0 {
		for i := range slices.Backward(g.giants) {
			bodies = append(bodies, g.giants[i].index)
		}
	}
	return bodies
}

// anyone returns a person of the pool, some more often.
func (g *generator) anyone(d *dice) personID { return personID(skewed(d, g.pool())) }

// appendFull appends a CNPJ as people write it.
func appendFull(b []byte, f cnpj.Full) []byte {
	var buf [14]byte
	s := f.Append(buf[:0])
	b = append(b, s[0], s[1], '.', s[2], s[3], s[4], '.', s[5], s[6], s[7], '/')
	b = append(b, s[8:12]...)
	return append(b, '-', s[12], s[13])
}

// spoil changes the last digit of a CNPJ, which b ends with.
func spoil(b []byte) { b[len(b)-1] = '0' + (b[len(b)-1]-'0'+1)%10 }

// appendCPF appends a person's number as people write it.
func appendCPF(b []byte, n [11]byte) []byte {
	b = append(append(b, n[0:3]...), '.')
	b = append(append(b, n[3:6]...), '.')
	b = append(append(b, n[6:9]...), '-')
	return append(b, n[9:]...)
}
