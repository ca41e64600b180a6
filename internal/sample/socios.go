package sample

// partner is a row of Socios.
type partner struct {
	kind          byte // identificador_socio: 1 company, 2 person, 3 foreigner
	person        personID
	number        personID // whose masked CPF the row shows
	holder        *company // the partner when it is a company
	nameless      bool
	qualification string
	country       string
	since         day
	minor         bool
	age           byte
}

const (
	companyPartner = '1'
	personPartner  = '2'
	foreignPartner = '3'
)

// partnersOf returns how many partner rows a company has. Closed companies have mostly lost theirs.
func (g *generator) partnersOf(c *company) int {
	if c.kind.partner == "" || !c.hasRelations() {
		return 0
	}
	d := newDice(g.seed, topicPartner, uint64(c.index)*16+15)
	switch {
	case c.trap == duplicatePartner || c.trap == sameMask:
		return min(2, c.kind.partners)
	case c.closed() && !d.permille(120):
		return 0
	}
	n := 1
	for n < c.kind.partners && d.permille(300) {
		n++
	}
	return n
}

// partners appends the first partners of the companies at positions from to to-1, and the other partners of as many
// other companies: those of one company do not stand together.
func (g *generator) partners(b []byte, first, others shuffle, from, to int) ([]byte, int) {
	r := row{b}
	rows := 0
	for x := from; x < to; x++ {
		if c := g.company(first.at(x)); g.partnersOf(&c) > 0 {
			g.partnerRow(&r, &c, 0)
			rows++
		}
		if i := first.at((x + g.n/2) % g.n); g.trapAt(i) == duplicatePartner {
			if c := g.company(i); g.partnersOf(&c) > 0 {
				g.partnerRow(&r, &c, 0)
				rows++
			}
		}
		c := g.company(others.at(x))
		for k := 1; k < g.partnersOf(&c); k++ {
			g.partnerRow(&r, &c, k)
			rows++
		}
	}
	return r.b, rows
}

// partner derives the k-th partner of a company.
func (g *generator) partner(c *company, k int, d *dice) partner {
	p := partner{kind: personPartner, qualification: c.kind.partner, since: c.start}
	p.person = g.someone(c, k, 350, d)
	p.number, p.age = p.person, g.ageOf(p.person)
	if k > 0 && !d.permille(250) {
		p.qualification = c.kind.others
	}
	if d.permille(300) {
		p.since += day(d.n(int(g.release-c.start) + 1))
	}
	switch u := d.n(10_000); {
	case c.trap == namelessPartner && k == 0:
		p.nameless = true
	case c.trap == sameMask && k == 1:
		owner := newDice(g.seed, topicPartner, uint64(c.index)*16)
		p.number = g.someone(c, 0, 350, &owner)
	case c.trap == unknownPartnerCountry && k == 0:
		p.qualification, p.country = "38", "498"
	case c.trap != noTrap:
	case u < 5:
		p.kind, p.qualification, p.country = foreignPartner, "38", g.abroad[d.n(len(g.abroad))].country
	case u < 320 && (c.kind.style == commercial || c.kind.style == stock):
		g.replaceByHolder(&p, c, d)
	case u > 9_950 && p.qualification == "22":
		p.qualification, p.country = "38", g.abroad[d.n(len(g.abroad))].country
	case u > 9_900 && p.qualification == "22":
		p.qualification, p.minor, p.age = "30", true, '1'+byte(d.n(2))
	}
	return p
}

// replaceByHolder makes another company the partner, one that has a head office; now and then one of the giants.
func (g *generator) replaceByHolder(p *partner, c *company, d *dice) {
	for try := range 8 {
		i := d.n(g.n)
		if try == 0 && d.permille(10) {
			i = g.giants[0].index
		}
		h := g.company(i)
		if i == c.index || !h.hasRelations() || !h.kind.branches && !h.kind.abroad {
			continue
		}
		p.kind, p.holder, p.qualification, p.age = companyPartner, &h, "22", '0'
		if h.kind.abroad {
			p.qualification, p.country = "37", g.abroad[h.abroad-1].country
		}
		return
	}
}

func (g *generator) partnerRow(r *row, c *company, k int) {
	d := newDice(g.seed, topicPartner, uint64(c.index)*16+uint64(k))
	p := g.partner(c, k, &d)
	r.begin()
	r.b = c.root.Append(r.b)
	r.next()
	r.b = append(r.b, p.kind)
	r.next()
	switch {
	case p.holder != nil:
		r.b = g.appendName(r.b, p.holder)
		r.next()
		e := g.establishment(p.holder, 0)
		r.b = e.full.Append(r.b)
	case p.kind == foreignPartner:
		r.b = g.appendPerson(r.b, p.person, false)
		r.next()
	default:
		if !p.nameless {
			r.b = g.appendPerson(r.b, p.person, d.permille(3))
		}
		r.next()
		r.b = g.appendMasked(r.b, p.number)
	}
	r.field(p.qualification)
	r.date(g.calendar, p.since, "")
	r.field(p.country)
	g.guardianFields(r, c, &p, k, &d)
	r.next()
	r.b = append(r.b, p.age)
	r.end()
}

// guardianFields appends the legal representative, whom 3 % of the partners have.
func (g *generator) guardianFields(r *row, c *company, p *partner, k int, d *dice) {
	represented := d.permille(25) || p.minor || p.country != "" && d.permille(700)
	if !represented || c.trap == unnamedGuardian && k == 0 {
		r.field("***000000**")
		r.empty(1)
		if c.trap == unnamedGuardian && k == 0 {
			r.field("05")
		} else {
			r.field("00")
		}
		return
	}
	guardian := g.someone(c, 7, 0, d)
	r.next()
	r.b = g.appendMasked(r.b, guardian)
	r.next()
	r.b = g.appendPerson(r.b, guardian, false)
	switch {
	case p.minor:
		r.field(oneOf(d, "14", "15", "35"))
	case p.country != "":
		r.field("17")
	default:
		r.field(oneOf(d, "05", "17", "09"))
	}
}
