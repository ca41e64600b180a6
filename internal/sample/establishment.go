package sample

import (
	"bytes"

	"razao/internal/cnpj"
)

// establishment is what the rows about an establishment agree on.
type establishment struct {
	company *company
	full    cnpj.Full
	head    bool // identificador_matriz_filial 1
	start   day
	status  string
	changed day
	city    int
	trap    trap // of the company, in the first establishment only
}

// establishment derives the k-th establishment of a company, 0 to c.branches; 0 is the head office of nearly all.
func (g *generator) establishment(c *company, k int) establishment {
	e := establishment{company: c, head: k == 0, start: c.start, status: c.status, changed: c.changed, city: c.city}
	order := c.orderOf(k)
	if k == 0 {
		e.trap = c.trap
		e.head = !c.swapped || c.branches > 0
		e.full = cnpj.Join(c.root, order)
		return e
	}
	d := newDice(g.seed, topicEstablishment, uint64(c.index)<<20|uint64(k))
	e.start = c.start + day(d.n(int(g.release-c.start)+1))
	if e.start >= firstLetters && d.permille(500) {
		order = letteredOrder(c, k)
	}
	e.full = cnpj.Join(c.root, order)
	if c.branches > 300 || d.permille(400) {
		e.city = g.population.pick(&d)
	}
	g.statusOfBranch(&e, &d)
	return e
}

func (g *generator) statusOfBranch(e *establishment, d *dice) {
	if e.company.closed() {
		e.changed = max(e.changed, e.start)
		return
	}
	e.changed = e.start
	if e.status != "02" {
		return
	}
	switch u := d.n(100); {
	case u < 48:
		e.status = "08"
		e.changed = e.start + day(d.n(int(g.release-e.start)+1))
	case u < 52:
		e.status = "04"
		e.changed = e.start + day(d.n(int(g.release-e.start)+1))
	}
}

// orderOf returns the numeric order of the k-th establishment; a tenth of the companies left numbers out.
func (c *company) orderOf(k int) cnpj.Order {
	switch {
	case k == 0:
		return decimalOrder(int(c.headOrder()))
	case k == 1 && c.headOrder() == 2:
		return decimalOrder(1)
	case c.index%10 == 3 && c.branches < 3000:
		return decimalOrder(3*k + 1)
	}
	return decimalOrder(k + 1)
}

func decimalOrder(n int) cnpj.Order { return cnpj.Order(decimalRoot(n)) }

// letteredOrder returns an order that begins with a letter, another one for every k of a company.
func letteredOrder(c *company, k int) cnpj.Order {
	const threePlaces = 36 * 36 * 36
	letter := 10 + c.index%26
	return cnpj.Order(letter*threePlaces + k*7919%threePlaces)
}

// establishments appends the first establishments of the companies at positions from to to-1, and the branches of as many
// other companies: the establishments of one company do not stand together.
func (g *generator) establishments(b []byte, heads, branches shuffle, from, to int) ([]byte, int) {
	r := row{b}
	rows := 0
	for x := from; x < to; x++ {
		if c := g.company(heads.at(x)); c.inEstablishments() {
			e := g.establishment(&c, 0)
			g.establishmentRow(&r, &e)
			rows++
		}
		if i := heads.at((x + g.n/2) % g.n); g.trapAt(i) == duplicateEstablishment {
			c := g.company(i)
			e := g.establishment(&c, 0)
			g.establishmentRow(&r, &e)
			rows++
		}
		rows += g.branchRows(&r, branches.at(x), x)
	}
	return r.b, rows
}

// branchRows appends the branches of company i, and those branches of the giants that fall on position x.
func (g *generator) branchRows(r *row, i, x int) int {
	rows := 0
	if g.giantOf(i) == nil && g.mayHaveBranches(i) {
		if c := g.company(i); c.inEstablishments() && c.trap != onlyEstablishment {
			for k := 1; k <= c.branches; k++ {
				e := g.establishment(&c, k)
				g.establishmentRow(r, &e)
				rows++
			}
		}
	}
	for _, giant := range g.giants {
		first, last := x*giant.branches/g.n, (x+1)*giant.branches/g.n
		if first == last {
			continue
		}
		c := g.company(giant.index)
		for k := first + 1; k <= last; k++ {
			e := g.establishment(&c, k)
			g.establishmentRow(r, &e)
			rows++
		}
	}
	return rows
}

func (g *generator) establishmentRow(r *row, e *establishment) {
	c := e.company
	d := newDice(g.seed, topicAddress, uint64(e.full))
	var buf [14]byte
	full := e.full.Append(buf[:0])
	r.begin()
	r.b = append(r.b, full[:8]...)
	r.next()
	r.b = append(r.b, full[8:12]...)
	r.next()
	r.b = append(r.b, full[12:]...)
	if e.head {
		r.field("1")
	} else {
		r.field("2")
	}
	r.next()
	if share := tradeNameShare(c); e.trap == quotedComplement || d.permille(share) {
		r.b = g.appendTradeName(r.b, c, &d, e.trap)
	}
	g.statusFields(r, e, &d)
	g.countryFields(r, e)
	g.startField(r, e)
	g.activityFields(r, e, &d)
	g.addressFields(r, e, &d)
	g.contactFields(r, e, &d)
	if e.trap == specialSituation {
		r.field(oneOf(&d, "RECUPERACAO JUDICIAL", "EM LIQUIDACAO", "FALIDO", "ESPOLIO DE EVENTUAL"))
		r.date(g.calendar, e.changed, "")
	} else {
		r.empty(2)
	}
	r.end()
}

func tradeNameShare(c *company) int {
	switch c.kind.style {
	case personal:
		return 320
	case commercial, professional:
		return 480
	case stock:
		return 600
	}
	return 60
}

// reasonOf returns a motivo that explains a situation, the frequent ones more often.
func reasonOf(status string, d *dice) string {
	switch status {
	case "08":
		return oneOf(d, "01", "01", "01", "01", "73", "73", "71", "54", "09", "80")
	case "04":
		return oneOf(d, "63", "63", "63", "63", "63", "63", "64", "15")
	case "03":
		return oneOf(d, "18", "17", "72", "74")
	case "01":
		return oneOf(d, "11", "12", "16", "34")
	}
	return "00"
}

func (g *generator) statusFields(r *row, e *establishment, d *dice) {
	r.field(e.status)
	switch e.trap {
	case dateZero:
		r.field("0")
	case dateZeros:
		r.field("00000000")
	case dateSeven:
		r.field("2021221")
	default:
		r.date(g.calendar, e.changed, "")
	}
	if reason := reasonOf(e.status, d); e.trap == unknownReason {
		r.field("32")
	} else {
		r.field(reason)
	}
}

// countryFields appends the city abroad and the country.
func (g *generator) countryFields(r *row, e *establishment) {
	if a := e.company.abroad; a > 0 {
		r.field(g.abroad[a-1].name)
		if e.trap == unknownCountry {
			r.field("498")
		} else {
			r.field(g.abroad[a-1].country)
		}
		return
	}
	r.empty(1)
	switch e.trap {
	case zeroCountry:
		r.field("0")
	case shortCountry:
		r.field("63") // 063, Argentina
	case brazil:
		r.field("105")
	default:
		r.empty(1)
	}
}

func (g *generator) startField(r *row, e *establishment) {
	if e.trap == dateMedieval {
		r.field("11940512")
		return
	}
	r.date(g.calendar, e.start, "")
}

// activityFields appends the activity and the secondary ones: half the establishments have some, a few very many.
func (g *generator) activityFields(r *row, e *establishment, d *dice) {
	switch e.trap {
	case noActivity:
		r.field(notInformed)
	case retiredActivity:
		r.field(oneOf(d, g.retired...))
	default:
		r.field(g.activities[e.company.activity].code)
	}
	r.next()
	if !d.permille(460) {
		return
	}
	count := 1 + d.n(3) + d.n(4)
	if d.permille(2) {
		count = 10 + d.n(88)
	}
	r.b = g.appendActivities(r.b, g.activities[e.company.activity].code, count, d)
}

// appendActivities appends up to count different codes other than the main one.
func (g *generator) appendActivities(b []byte, main string, count int, d *dice) []byte {
	start := len(b)
	for range count {
		code := g.activities[g.activity.pick(d)].code
		if code == main || bytes.Contains(b[start:], []byte(code)) {
			continue
		}
		if len(b) > start {
			b = append(b, ',')
		}
		b = append(b, code...)
	}
	return b
}
