package country

import (
	"math"

	"razao/internal/data/cnpj"
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
	Activity int    // index of Country.Activities
	City     int    // index of Country.Cities: of the head office when the company became known
	Abroad   int    // 1 + index of Country.Abroad, 0 in Brazil
	Branches int    // establishments besides the first
	Opened   int    // how many of them were opened by events, the last ones

	Demonstration bool // the one that changes every month

	When [Events]uint16 // month after the first release in which each event last happened, 0 for never

	began   string // status before any event, and since when
	beganOn Day
}

// Business reports whether the company trades in Brazil.
func (c *Company) Business() bool {
	switch c.Kind.Style {
	case Commercial, Professional, Stock, Personal:
		return true
	}
	return false
}

// Firm reports whether the company is a business other than an individual entrepreneur.
func (c *Company) Firm() bool { return c.Business() && c.Kind.Style != Personal }

// Company derives company i, from 0 to Companies-1, as it stands in this month.
func (c *Country) Company(i int) Company {
	of := c.newcomer(i)
	of.began, of.beganOn = of.Status, of.Changed
	c.live(&of)
	return of
}

// newcomer derives company i as the first release that has it, before any event.
func (c *Country) newcomer(i int) Company {
	d := c.Dice(ofCompany, uint64(i))
	of := Company{Index: i, Root: c.Root(i), Known: c.publications[c.monthOf(i)], Start: c.startOf(i, &d), Demonstration: i == c.Founders}
	kind := c.kinds.Pick(&d)
	of.Activity = c.Frequent.Pick(&d)
	of.City = c.seats.Pick(&d)
	of.Status, of.Changed = c.statusOf(&of, &d)
	if giant := c.GiantOf(i); giant != nil {
		of.Kind, of.Activity, of.Branches = &kinds[corporation], giant.activity, giant.Branches
		of.Status, of.Changed = Active, of.Start
		return of
	}
	switch {
	case of.Demonstration:
		kind = limited
	case kind == soleLimited && (of.Start < soleLimitedFrom || of.Start > soleLimitedTo):
		kind = limited
	case kinds[kind].Style == Candidate && of.Start < confirmed:
		kind = individual // candidates had no number yet
	}
	of.Kind = &kinds[kind]
	if of.Demonstration {
		of.Activity = c.activities["4721102"] // a bakery
	}
	if of.Kind.activity != "" {
		of.Activity = c.activities[of.Kind.activity]
	}
	if d := c.Dice(ofBranches, uint64(i)); of.Kind.Branches && i < c.Founders && d.Permille(60) {
		const largest = 300 // a power law with exponent 2.5
		of.Branches = min(largest, int(math.Pow(float64(1+d.N(1e9))/1e9, -1/1.5)))
	}
	if of.Kind.Style == Foreign {
		of.Abroad = 1 + i%len(c.Abroad)
	}
	return of
}

// startOf draws the start of a company so that the registry grows over the years as the real one
// did: lower indexes are older, and ages holds, per thousand of the time since 1966, where each
// sixteenth of the companies begins.
func (c *Country) startOf(i int, d *Dice) Day {
	if i >= c.Founders {
		return c.dayIn(d, c.monthOf(i))
	}
	if i >= c.roots.numeric {
		return Since(d, firstLetters, c.publications[0])
	}
	const shares = 16
	ages := [shares + 1]int{0, 250, 400, 520, 610, 690, 750, 795, 835, 868, 895, 917, 937, 955, 970, 986, 1000}
	span := int(min(c.publications[0], firstLetters))
	share := c.roots.numeric/shares + 1
	s := i / share
	from, to := span*ages[s]/1000, span*ages[s+1]/1000
	start := from + (to-from)*(i%share)/share
	if d.Permille(300) {
		start -= d.N(400) // number and start of activity do not have the same order
	}
	return Day(max(start, 0))
}

// statusOf draws the first status: the older a company, the more likely it is closed. Companies
// opened after the first release begin as active.
func (c *Country) statusOf(of *Company, d *Dice) (status string, since Day) {
	if of.Index >= c.Founders {
		return Active, of.Start
	}
	u := d.N(1_000_000) - 250_000 - 352_000*of.Index/c.Founders
	if u >= 0 {
		status = Ladder(u, []int{114_000, 3_000, 1_000, 1_000_000}, Inapt, Suspended, Null, Closed)
		return status, Since(d, of.Start, of.Known)
	}
	if of.Start < confirmed && d.Permille(800) {
		return Active, min(confirmed, of.Known)
	}
	return Active, of.Start
}

// Establishment is what all rows about an establishment agree on, as it stands in one month.
type Establishment struct {
	Company *Company
	Full    cnpj.Full
	First   bool // number 0: what happens to a head office happens to it, even after a HeadMove
	Head    bool // head office
	Start   Day
	Status  string // situacao_cadastral
	Changed Day    // since when it has Status
	Former  string // status before any event, if one has changed it, else ""
	City    int    // index of Country.Cities
	DDD     string // area code of its telephones; a move does not change it
}

// Establishment derives a company's k-th establishment, k from 0 to of.Branches. Number 0 becomes
// known as the head office. The result refers to of.
func (c *Country) Establishment(of *Company, k int) Establishment {
	e := c.establishmentAsKnown(of, k)
	if month := int(of.When[Departure]); k == 0 && month > 0 {
		d := c.eventDice(ofMove, of.Index, month)
		e.City = c.seats.Pick(&d)
	}
	e.Head = k == c.headOffice(of)
	known, opened, closed := e.Status, c.openedIn(of, k), c.closedIn(of, k)
	become := func(status string, month int) {
		if status != e.Status {
			e.Status, e.Changed, e.Former = status, c.dayOf(of, month), known
		}
	}
	for event := range of.Past() {
		month := int(of.When[event])
		if closed > 0 && closed < month {
			become(Closed, closed)
		}
		status := statusAfter[event]
		switch {
		case status == "", month <= opened:
		case status == Closed,
			status == Active && (k == 0 || e.Status == Suspended || e.Status == Inapt),
			status != Active && e.Status == Active:
			become(status, month)
		}
	}
	if closed > 0 {
		become(Closed, closed)
	}
	return e
}

// establishmentAsKnown derives an establishment without what events have changed of it.
func (c *Country) establishmentAsKnown(of *Company, k int) Establishment {
	e := Establishment{Company: of, First: k == 0, Start: of.Start, Status: of.began, Changed: of.beganOn, City: of.City}
	o := cnpj.Order(decimalRoot(k + 1))
	if k > 0 {
		d := c.Dice(ofEstablishment, uint64(of.Index)<<20|uint64(k))
		opened := c.openedIn(of, k)
		if opened > 0 {
			e.Start = c.dayOf(of, opened)
		} else {
			e.Start = Since(&d, of.Start, of.Known)
		}
		if opened == 0 && e.Start >= firstLetters && d.Permille(500) {
			o = of.letteredOrder(k)
		}
		if of.Branches > 300 || d.Permille(400) {
			e.City = c.seats.Pick(&d)
		}
		if opened > 0 {
			e.Status, e.Changed = Active, e.Start
		} else {
			e.closeBranch(&d)
		}
	}
	e.Full = cnpj.Join(of.Root, o)
	e.DDD = c.Cities[e.City].DDD
	return e
}

// openedIn returns the month in which an event opened the k-th establishment, 0 for none.
func (c *Country) openedIn(of *Company, k int) int {
	if known := of.Branches - of.Opened; k > known {
		return int(of.When[BranchOpening]) - (of.Opened-(k-known))*len(demonstrated)
	}
	return 0
}

// closedIn returns the month in which a BranchClosure closed the k-th establishment, 0 for none. Of
// the demonstration company it closes the newest, of others one of those that it became known with.
func (c *Country) closedIn(of *Company, k int) int {
	month, times := int(of.When[BranchClosure]), of.Times(BranchClosure)
	switch {
	case k == 0 || k > times && of.Demonstration:
		return 0
	case of.Demonstration:
		return month - (times-k)*len(demonstrated)
	case k != c.closedBranch(of) || k == c.headOffice(of):
		return 0
	}
	return month
}

// closedBranch draws the branch that a BranchClosure closes, 0 for none.
func (c *Country) closedBranch(of *Company) int {
	known := of.Branches - of.Opened
	if of.When[BranchClosure] == 0 || known == 0 {
		return 0
	}
	d := c.eventDice(ofBranches, of.Index, int(of.When[BranchClosure]))
	return 1 + d.N(known)
}

// headOffice returns the number of the head office: 0, or 1 after a HeadMove if that was an active
// branch.
func (c *Country) headOffice(of *Company) int {
	if of.When[HeadMove] == 0 || of.Branches == of.Opened || of.When[BranchClosure] < of.When[HeadMove] && c.closedBranch(of) == 1 {
		return 0
	}
	if e := c.establishmentAsKnown(of, 1); e.Status != Active {
		return 0
	}
	return 1
}

// ActivityOf returns the index of the main activity of a company's k-th establishment.
func (c *Country) ActivityOf(of *Company, k int) int {
	if month := int(of.When[NewActivity]); month > 0 && k == 0 {
		d := c.Dice(ofEvent, 1<<63|uint64(month)<<32|uint64(of.Index))
		return c.Frequent.Pick(&d)
	}
	return of.Activity
}

// Nature returns the kind whose legal nature and partners' qualifications the company has: its own,
// or that of limited companies after a Conversion.
func (c *Company) Nature() *Kind {
	if c.When[Conversion] > 0 && (c.Kind == &kinds[soleLimited] || c.Kind == &kinds[corporation] || c.Kind.Code == simpleLimited) {
		return &kinds[limited]
	}
	return c.Kind
}

// closeBranch draws the status of a branch: a closed company closes its branches, and half of the
// others close before it.
func (e *Establishment) closeBranch(d *Dice) {
	if e.Status == Closed {
		e.Changed = max(e.Changed, e.Start)
		return
	}
	e.Changed = e.Start
	if e.Status != Active {
		return
	}
	if status := Ladder(d.N(100), []int{48, 4}, Closed, Inapt); status != "" {
		e.Status, e.Changed = status, Since(d, e.Start, e.Company.Known)
	}
}

// letteredOrder returns an order that begins with a letter, distinct for every k of a company.
func (c *Company) letteredOrder(k int) cnpj.Order {
	const threePlaces = 36 * 36 * 36
	letter := 10 + c.Index%26
	return cnpj.Order(letter*threePlaces + k*7919%threePlaces)
}
