package world

import (
	"math"

	"razao/internal/data/cnpj"
	"razao/internal/sample/draw"
)

// Values of situacao_cadastral.
const (
	Null      = "01" // nula
	Active    = "02" // ativa
	Suspended = "03" // suspensa
	Inapt     = "04" // inapta
	Closed    = "08" // baixada
)

// Company is what all rows about a company agree on, as it stands in one month. It is a value: copy
// and change it freely.
type Company struct {
	Index    int
	Root     cnpj.Root
	Kind     *Kind
	Start    Day    // of its activity
	Known    Day    // publication of the first release that has it
	Status   string // situacao_cadastral of the head office
	Changed  Day    // data_situacao_cadastral: since when it has Status
	Activity int    // index of World.Activities
	City     int    // index of World.Cities: of the head office when the company became known
	Abroad   int    // 1 + index of World.Abroad, 0 in Brazil
	Trap     Trap
	Branches int // establishments besides the first

	When [Events]uint16 // month after the first release in which each event happened, 0 for never

	swapped bool     // order 0002 is the head office, or the only establishment is a branch
	began   standing // before any event
}

// InCompanies reports whether Empresas has the company.
func (c *Company) InCompanies() bool { return c.Trap != OnlyEstablishment && c.Trap != OnlySimples }

// InEstablishments reports whether Estabelecimentos has the company.
func (c *Company) InEstablishments() bool { return c.Trap != NoEstablishment && c.Trap != OnlySimples }

// InBoth reports whether both tables have the company, as nearly always.
func (c *Company) InBoth() bool { return c.InCompanies() && c.InEstablishments() }

// Closed reports whether the registration has ended (baixada).
func (c *Company) Closed() bool { return c.Status == Closed }

// Company derives company i, from 0 to Companies-1, as it stands in the month of this world.
func (w *World) Company(i int) Company {
	c := w.newcomer(i)
	c.began = standing{c.Status, c.Changed}
	w.live(&c)
	return c
}

// newcomer derives company i as the first release that has it, before any event.
func (w *World) newcomer(i int) Company {
	d := w.Dice(draw.Company, uint64(i))
	c := Company{Index: i, Root: w.Root(i), Known: w.publications[w.monthOf(i)], Start: w.startOf(i, &d)}
	k := w.kinds.Pick(&d)
	c.Activity = w.Frequent.Pick(&d)
	c.City = w.seats.Pick(&d)
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

// startOf draws the start of a company so that the registry grows over the years as the real one
// did: lower indexes are older, and ages holds, per thousand of the time since 1966, where each
// sixteenth of the companies begins.
func (w *World) startOf(i int, d *draw.Dice) Day {
	if i >= w.Founders {
		return w.dayIn(d, w.monthOf(i))
	}
	if i >= w.roots.runs[numericFirst].to {
		return Since(d, firstLetters, w.publications[0])
	}
	const shares = 16
	ages := [shares + 1]int{0, 250, 400, 520, 610, 690, 750, 795, 835, 868, 895, 917, 937, 955, 970, 986, 1000}
	span := int(min(w.publications[0], firstLetters))
	share := w.roots.runs[numericFirst].to/shares + 1
	s := i / share
	from, to := span*ages[s]/1000, span*ages[s+1]/1000
	start := from + (to-from)*(i%share)/share
	if d.Permille(300) {
		start -= d.N(400) // number and start of activity do not have the same order
	}
	return Day(max(start, 0))
}

// standing is a status and since when a company has it.
type standing struct {
	status string
	since  Day
}

// statusOf draws the first status: the older a company, the more likely it is closed. Companies
// opened after the first release begin as active.
func (w *World) statusOf(c *Company, d *draw.Dice) (status string, since Day) {
	if c.Index >= w.Founders {
		return Active, c.Start
	}
	u := d.N(1_000_000) - 250_000 - 352_000*c.Index/w.Founders
	if u >= 0 {
		status = draw.Ladder(u, []int{114_000, 3_000, 1_000, 1_000_000}, Inapt, Suspended, Null, Closed)
		return status, Since(d, c.Start, c.Known)
	}
	if c.Start < confirmed && d.Permille(800) {
		return Active, min(confirmed, c.Known)
	}
	return Active, c.Start
}

// branchesOf draws the number of branches: 0 for most, with a heavy tail.
func (w *World) branchesOf(c *Company) int {
	if !c.Kind.Branches || !w.MayHaveBranches(c.Index) {
		return 0
	}
	d := w.Dice(draw.Branches, ^uint64(c.Index))
	return 1 + w.branchSizes.Pick(&d)
}

// MayHaveBranches is a cheap test that is false for most companies without branches. It lets
// callers who only want branches skip the derivation of a company. Giants are not covered.
func (w *World) MayHaveBranches(i int) bool {
	d := w.Dice(draw.Branches, uint64(i))
	return i < w.Founders && d.Permille(60)
}

// branchWeights returns a power law with exponent 2.5 for 1 to 300 branches.
func branchWeights() []uint64 {
	const largest = 300
	w := make([]uint64, largest)
	for i := range w {
		n := float64(i + 1)
		w[i] = uint64(1e12 / (n * n * math.Sqrt(n)))
	}
	return w
}

// Establishment is what all rows about an establishment agree on, as it stands in one month.
type Establishment struct {
	Company *Company
	Full    cnpj.Full
	Head    bool // identificador_matriz_filial is 1
	Start   Day
	Status  string // situacao_cadastral
	Changed Day    // since when it has Status
	Former  string // status before a Closure event, else ""
	City    int    // index of World.Cities
	DDD     string // area code of its telephones; a move does not change it
	Moved   int    // month after the first release of its last move, 0 for never
	Trap    Trap   // that of the company in establishment 0, else NoTrap
}

// Establishment derives a company's k-th establishment, k from 0 to c.Branches. Number 0 is the
// head office, except in the few companies whose only establishment is a branch. The result refers
// to c.
func (w *World) Establishment(c *Company, k int) Establishment {
	e := w.establishment(c, k)
	e.DDD = w.Cities[e.City].DDD
	if k == 0 {
		w.move(&e)
	}
	if c.When[Closure] > 0 && e.Status != Closed {
		e.Status, e.Changed, e.Former = c.Status, c.Changed, e.Status
	}
	return e
}

// establishment derives an establishment before any event.
func (w *World) establishment(c *Company, k int) Establishment {
	e := Establishment{Company: c, Head: k == 0, Start: c.Start, Status: c.began.status, Changed: c.began.since, City: c.City}
	order := c.orderOf(k)
	if k == 0 {
		e.Trap = c.Trap
		e.Head = !c.swapped || c.Branches > 0
		e.Full = cnpj.Join(c.Root, order)
		return e
	}
	d := w.Dice(draw.Establishment, uint64(c.Index)<<20|uint64(k))
	e.Start = Since(&d, c.Start, c.Known)
	if e.Start >= firstLetters && d.Permille(500) {
		order = c.letteredOrder(k)
	}
	e.Full = cnpj.Join(c.Root, order)
	if c.Branches > 300 || d.Permille(400) {
		e.City = w.seats.Pick(&d)
	}
	w.closeBranch(&e, &d)
	return e
}

// closeBranch draws the status of a branch: a closed company closes its branches, and half of the
// others close before it.
func (w *World) closeBranch(e *Establishment, d *draw.Dice) {
	if e.Status == Closed {
		e.Changed = max(e.Changed, e.Start)
		return
	}
	e.Changed = e.Start
	if e.Status != Active {
		return
	}
	if status := draw.Ladder(d.N(100), []int{48, 4}, Closed, Inapt); status != "" {
		e.Status, e.Changed = status, Since(d, e.Start, e.Company.Known)
	}
}

// orderOf returns the numeric order of the k-th establishment. A tenth of the companies skip
// numbers.
func (c *Company) orderOf(k int) cnpj.Order {
	swapped := c.swapped && c.Branches > 0
	switch {
	case k == 0 && swapped:
		return decimalOrder(2)
	case k == 1 && swapped:
		return decimalOrder(1)
	case k > 0 && c.Index%10 == 3 && c.Branches < 3000:
		return decimalOrder(3*k + 1)
	}
	return decimalOrder(k + 1)
}

func decimalOrder(n int) cnpj.Order { return cnpj.Order(decimalRoot(n)) }

// letteredOrder returns an order that begins with a letter, distinct for every k of a company.
func (c *Company) letteredOrder(k int) cnpj.Order {
	const threePlaces = 36 * 36 * 36
	letter := 10 + c.Index%26
	return cnpj.Order(letter*threePlaces + k*7919%threePlaces)
}
