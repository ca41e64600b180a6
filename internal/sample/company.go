package sample

import (
	"math"

	"razao/internal/cnpj"
)

// company is what every row about a company agrees on. All of it follows from the seed and the index.
type company struct {
	index    int
	root     cnpj.Root
	kind     *kind
	start    day
	status   string // situacao_cadastral of the head office
	changed  day    // since when
	activity int
	city     int
	abroad   int // 1 + index of the foreign city, 0 in Brazil
	trap     trap
	swapped  bool // the head office has order 0002 and a branch order 0001, or there is only that branch
	branches int  // establishments beside the first
}

// inCompanies, inEstablishments and hasRelations say which tables know the company.
func (c *company) inCompanies() bool { return c.trap != onlyEstablishment && c.trap != onlySimples }

func (c *company) inEstablishments() bool { return c.trap != noEstablishment && c.trap != onlySimples }

func (c *company) hasRelations() bool { return c.inCompanies() && c.inEstablishments() }

func (c *company) closed() bool { return c.status == "08" }

// giant is one of the two companies with very many branches.
type giant struct{ index, branches, activity int }

// company derives the company of an index.
func (g *generator) company(i int) company {
	d := newDice(g.seed, topicCompany, uint64(i))
	c := company{index: i, root: g.numbers.root(i), start: g.startOf(i, &d)}
	k := g.kinds.pick(&d)
	c.activity = g.activity.pick(&d)
	c.city = g.population.pick(&d)
	c.status, c.changed = g.statusOf(&c, &d)
	c.swapped = d.permille(1)
	var forced bool
	c.trap, forced = g.trapOf(i)
	if giant := g.giantOf(i); giant != nil {
		c.kind, c.activity, c.branches, c.trap = &kinds[corporation], giant.activity, giant.branches, noTrap
		c.status, c.changed, c.swapped = "02", c.start, false
		return c
	}
	if forced {
		k, c.status, c.changed, c.swapped = limited, "02", c.start, false
	}
	switch {
	case k == soleLimited && (c.start < soleLimitedFrom || c.start > soleLimitedTo):
		k = limited
	case kinds[k].style == candidate && c.start < confirmed:
		k = individual // candidates had no number yet
	}
	c.kind = &kinds[k]
	if g.fixed[k] >= 0 {
		c.activity = g.fixed[k]
	}
	c.branches = g.branchesOf(&c)
	if c.kind.abroad || c.trap == unknownCountry {
		c.abroad = 1 + i%len(g.abroad)
	}
	return c
}

func (g *generator) giantOf(i int) *giant {
	for k := range g.giants {
		if g.giants[k].index == i {
			return &g.giants[k]
		}
	}
	return nil
}

// startOf follows the growth of the registry: lower indexes are older.
func (g *generator) startOf(i int, d *dice) day {
	if i >= g.numbers.numeric {
		from := firstLetters
		return from + day(d.n(int(g.release-from)+1))
	}
	const shares = 16
	ages := [shares + 1]int{0, 250, 400, 520, 610, 690, 750, 795, 835, 868, 895, 917, 937, 955, 970, 986, 1000}
	span := int(g.lastNumeric)
	share := g.numbers.numeric/shares + 1
	s := i / share
	from, to := span*ages[s]/1000, span*ages[s+1]/1000
	start := from + (to-from)*(i%share)/share
	if d.permille(300) {
		start -= d.n(400) // the number was older than its use, or the other way round
	}
	return day(max(start, 0))
}

// statusOf closes older companies more often.
func (g *generator) statusOf(c *company, d *dice) (status string, since day) {
	active := 250_000 + 352_000*c.index/g.n
	switch u := d.n(1_000_000); {
	case u < active:
		if c.start < confirmed && d.permille(800) {
			return "02", min(confirmed, g.release)
		}
		return "02", c.start
	case u < active+114_000:
		return "04", c.start + day(d.n(int(g.release-c.start)+1))
	case u < active+117_000:
		return "03", c.start + day(d.n(int(g.release-c.start)+1))
	case u < active+118_000:
		return "01", c.start + day(d.n(int(g.release-c.start)+1))
	}
	return "08", c.start + day(d.n(int(g.release-c.start)+1))
}

// branchesOf returns a number with a heavy tail, 0 for most.
func (g *generator) branchesOf(c *company) int {
	if !c.kind.branches || !g.mayHaveBranches(c.index) {
		return 0
	}
	d := newDice(g.seed, topicBranches, ^uint64(c.index))
	return 1 + g.branchSizes.pick(&d)
}

// mayHaveBranches spares the derivation of most companies when only those with branches matter.
func (g *generator) mayHaveBranches(i int) bool {
	d := newDice(g.seed, topicBranches, uint64(i))
	return d.permille(60)
}

// branchWeights falls with the power 2.5 of the size.
func branchWeights() []uint64 {
	const largest = 300
	w := make([]uint64, largest)
	for i := range w {
		n := float64(i + 1)
		w[i] = uint64(1e12 / (n * n * math.Sqrt(n)))
	}
	return w
}

// headOrder returns the order of the company's head office.
func (c *company) headOrder() cnpj.Order {
	if c.swapped && c.branches > 0 {
		return 2
	}
	return 1
}
