package world

import (
	"math"

	"razao/internal/cnpj"
	"razao/internal/sample/draw"
)

// The situations of a registration.
const (
	Null      = "01"
	Active    = "02"
	Suspended = "03"
	Inapt     = "04"
	Closed    = "08"
)

// Company is what every row about a company agrees on.
type Company struct {
	Index    int
	Root     cnpj.Root
	Kind     *Kind
	Start    Day
	Status   string // situacao_cadastral of the head office
	Changed  Day    // since when
	Activity int
	City     int
	Abroad   int // 1 + index of the foreign city, 0 in Brazil
	Trap     Trap
	Branches int // establishments beside the first

	swapped bool // the head office has order 0002 and a branch order 0001, or there is only that branch
}

// InCompanies says whether Empresas knows the company.
func (c *Company) InCompanies() bool { return c.Trap != OnlyEstablishment && c.Trap != OnlySimples }

// InEstablishments says whether Estabelecimentos knows the company.
func (c *Company) InEstablishments() bool { return c.Trap != NoEstablishment && c.Trap != OnlySimples }

// InBoth says whether both tables know the company.
func (c *Company) InBoth() bool { return c.InCompanies() && c.InEstablishments() }

// Closed says whether the company exists no more.
func (c *Company) Closed() bool { return c.Status == Closed }

// Company derives the company of an index.
func (w *World) Company(i int) Company {
	d := w.Dice(draw.Company, uint64(i))
	c := Company{Index: i, Root: w.Root(i), Start: w.startOf(i, &d)}
	k := w.kinds.Pick(&d)
	c.Activity = w.Frequent.Pick(&d)
	c.City = w.Population.Pick(&d)
	c.Status, c.Changed = w.statusOf(&c, &d)
	c.swapped = d.Permille(1)
	var forced bool
	c.Trap, forced = w.trapOf(i)
	if giant := w.GiantOf(i); giant != nil {
		c.Kind, c.Activity, c.Branches, c.Trap = &kinds[corporation], giant.activity, giant.Branches, NoTrap
		c.Status, c.Changed, c.swapped = Active, c.Start, false
		return c
	}
	if forced {
		k, c.Status, c.Changed, c.swapped = limited, Active, c.Start, false
	}
	switch {
	case k == soleLimited && (c.Start < soleLimitedFrom || c.Start > soleLimitedTo):
		k = limited
	case kinds[k].Style == Candidate && c.Start < confirmed:
		k = individual // candidates had no number yet
	}
	c.Kind = &kinds[k]
	if w.fixed[k] >= 0 {
		c.Activity = w.fixed[k]
	}
	c.Branches = w.branchesOf(&c)
	if c.Kind.Abroad || c.Trap == UnknownCountry {
		c.Abroad = 1 + i%len(w.Abroad)
	}
	return c
}

// startOf follows the growth of the registry: lower indexes are older.
func (w *World) startOf(i int, d *draw.Dice) Day {
	if i >= w.roots.numeric {
		return w.Since(d, firstLetters)
	}
	const shares = 16
	ages := [shares + 1]int{0, 250, 400, 520, 610, 690, 750, 795, 835, 868, 895, 917, 937, 955, 970, 986, 1000}
	span := int(w.lastNumeric)
	share := w.roots.numeric/shares + 1
	s := i / share
	from, to := span*ages[s]/1000, span*ages[s+1]/1000
	start := from + (to-from)*(i%share)/share
	if d.Permille(300) {
		start -= d.N(400) // the number was older than its use, or the other way round
	}
	return Day(max(start, 0))
}

// statusOf closes older companies more often.
func (w *World) statusOf(c *Company, d *draw.Dice) (status string, since Day) {
	u := d.N(1_000_000) - 250_000 - 352_000*c.Index/w.Companies
	if u >= 0 {
		status = draw.Ladder(u, []int{114_000, 3_000, 1_000, 1_000_000}, Inapt, Suspended, Null, Closed)
		return status, w.Since(d, c.Start)
	}
	if c.Start < confirmed && d.Permille(800) {
		return Active, min(confirmed, w.Release)
	}
	return Active, c.Start
}

// branchesOf returns a number with a heavy tail, 0 for most.
func (w *World) branchesOf(c *Company) int {
	if !c.Kind.Branches || !w.MayHaveBranches(c.Index) {
		return 0
	}
	d := w.Dice(draw.Branches, ^uint64(c.Index))
	return 1 + w.branchSizes.Pick(&d)
}

// MayHaveBranches spares the derivation of most companies when only those with branches matter.
func (w *World) MayHaveBranches(i int) bool {
	d := w.Dice(draw.Branches, uint64(i))
	return d.Permille(60)
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
