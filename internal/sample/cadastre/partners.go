package cadastre

import (
	"iter"

	"razao/internal/sample/draw"
	"razao/internal/sample/table"
	"razao/internal/sample/world"
)

// partner is a row of Socios.
type partner struct {
	kind                   string // identificador_socio
	name, number           string // masked when it is a CPF
	qualification, country string
	since                  world.Day
	minor                  bool
	age                    string // faixa_etaria
}

// Values of identificador_socio.
const (
	companyPartner = "1"
	personPartner  = "2"
	foreignPartner = "3"
)

// masked returns a CPF as it is published in Socios, ***456789**.
func (g *registry) masked(id world.PersonID) string { return "***" + g.CPF(id)[3:9] + "**" }

// dice returns the sequence of a company's k-th partner, k below 16.
func (g *registry) dice(c *world.Company, k int) draw.Dice {
	return g.Dice(draw.Partner, uint64(c.Index)*16+uint64(k))
}

// partnersOf returns the number of partners that a company became known with. Most closed companies
// have none left.
func (g *registry) partnersOf(c *world.Company) int {
	if c.Kind.Partner == "" || !c.InBoth() {
		return 0
	}
	d := g.dice(c, 15)
	switch {
	case c.Trap == world.DuplicatePartner || c.Trap == world.SameMask:
		return min(2, c.Kind.Partners)
	case c.Closed() && c.When[world.Closure] == 0 && !d.Permille(120):
		return 0
	}
	n := 1
	for n < c.Kind.Partners && d.Permille(300) {
		n++
	}
	return n
}

// partners appends the rows of Socios at position x: the first partner of one company, a row that
// repeats that of the opposite position, and the other partners of another company.
func (g *registry) partners(r *table.Rows, first, others draw.Shuffle, x int) {
	if c := g.Company(first.At(x)); g.partnersOf(&c) > 0 {
		g.partnerRow(r, &c, 0)
	}
	if i := first.At(g.opposite(x)); g.TrapAt(i) == world.DuplicatePartner {
		if c := g.Company(i); g.partnersOf(&c) > 0 {
			g.partnerRow(r, &c, 0)
		}
	}
	c := g.Company(others.At(x))
	for k := range g.partnerNumbers(&c) {
		if k > 0 {
			g.partnerRow(r, &c, k)
		}
	}
}

// entrant is the number of the partner who enters by an Entry event. It is beyond those that a
// company can begin with.
const entrant = 14

// partnerNumbers yields the numbers of the present partners: the original ones, without the last of
// several after an Exit, and entrant after an Entry.
func (g *registry) partnerNumbers(c *world.Company) iter.Seq[int] {
	return func(yield func(int) bool) {
		n := g.partnersOf(c)
		last := n
		if n > 1 && c.When[world.Exit] > 0 {
			last--
		}
		for k := range last {
			if !yield(k) {
				return
			}
		}
		if n > 0 && n < personOfEntrant && c.Kind.Partners > 1 && c.When[world.Entry] > 0 {
			yield(entrant)
		}
	}
}

// personOfEntrant is the number of the entrant for World.Someone, which has only 8 people per
// company.
const personOfEntrant = 6

// partnerRow appends the row of a company's k-th partner.
func (g *registry) partnerRow(r *table.Rows, c *world.Company, k int) {
	d := g.dice(c, k)
	p := g.partner(c, k, &d)
	r.Fields(c.Root.String(), p.kind, p.name, p.number, p.qualification, g.Compact(p.since), p.country)
	g.guardian(r, c, &p, k, &d)
	r.Add(p.age)
}

// partner derives the k-th partner as events have left him.
func (g *registry) partner(c *world.Company, k int, d *draw.Dice) partner {
	p := g.partnerAsEntered(c, k, d)
	switch {
	case k == entrant:
		p.since = g.EventDay(c, world.Entry)
	case k > 0 || c.When[world.Requalified] == 0:
	case p.qualification == c.Kind.Others:
		p.qualification = c.Kind.Partner
	default:
		p.qualification = c.Kind.Others
	}
	return p
}

// partnerAsEntered derives the k-th partner as he entered the company.
func (g *registry) partnerAsEntered(c *world.Company, k int, d *draw.Dice) partner {
	who := k
	if k == entrant {
		who = personOfEntrant
	}
	person := g.Someone(c, who, 350, d)
	p := partner{
		kind: personPartner, number: g.masked(person), qualification: c.Kind.Partner, since: c.Start, age: g.ageOf(person),
	}
	if k > 0 && !d.Permille(250) {
		p.qualification = c.Kind.Others
	}
	if d.Permille(300) {
		p.since = world.Since(d, c.Start, c.Known)
	}
	switch u := d.N(10_000); {
	case c.Trap == world.NamelessPartner && k == 0:
		return p
	case c.Trap == world.SameMask && k == 1:
		owner := g.dice(c, 0)
		p.number = g.masked(g.Someone(c, 0, 350, &owner))
	case c.Trap == world.UnknownPartnerCountry && k == 0:
		p.qualification, p.country = "38", "498"
	case c.Trap != world.NoTrap:
	case u < 5:
		p.kind, p.qualification, p.country, p.name, p.number = foreignPartner, "38", g.anyCountry(d), g.Person(person, false), ""
		return p
	case u < 320 && (c.Kind.Style == world.Commercial || c.Kind.Style == world.Stock):
		if g.replaceByHolder(&p, c, d) {
			return p
		}
	case u > 9_950 && p.qualification == "22":
		p.qualification, p.country = "38", g.anyCountry(d)
	case u > 9_900 && p.qualification == "22":
		p.qualification, p.minor, p.age = "30", true, d.OneOf("1", "2")
	}
	p.name = g.Person(person, d.Permille(3))
	return p
}

func (g *registry) anyCountry(d *draw.Dice) string { return g.Abroad[d.N(len(g.Abroad))].Country }

// ageOf returns faixa_etaria, 3 (21–30 years) to 9 (over 80).
func (g *registry) ageOf(id world.PersonID) string {
	d := g.Dice(draw.Person, uint64(id)^1<<62)
	return "3344445555556666777889"[d.N(22):][:1]
}

// replaceByHolder makes another company the partner, now and then a giant, and reports whether it
// found one within eight draws.
func (g *registry) replaceByHolder(p *partner, c *world.Company, d *draw.Dice) bool {
	for try := range 8 {
		i := d.N(g.Founders)
		if try == 0 && d.Permille(10) {
			i = g.Giants[0].Index
		}
		now := g.Company(i)
		h := now.AsKnown() // its own events must not change rows of companies that it holds
		if i == c.Index || !h.InBoth() || !h.Kind.Branches && !h.Kind.Abroad {
			continue
		}
		p.kind, p.name, p.number, p.qualification, p.age = companyPartner, g.Name(&h), g.Establishment(&h, 0).Full.String(), "22", "0"
		if h.Kind.Abroad {
			p.qualification, p.country = "37", g.Abroad[h.Abroad-1].Country
		}
		return true
	}
	return false
}

// guardian appends the legal representative, whom 3 % of the partners have, ***000000** for none.
func (g *registry) guardian(r *table.Rows, c *world.Company, p *partner, k int, d *draw.Dice) {
	represented := d.Permille(25) || p.minor || p.country != "" && d.Permille(700)
	switch {
	case c.Trap == world.UnnamedGuardian && k == 0:
		r.Fields("***000000**", "", "05")
		return
	case !represented:
		r.Fields("***000000**", "", "00")
		return
	}
	guardian := g.Someone(c, 7, 0, d)
	r.Fields(g.masked(guardian), g.Person(guardian, false))
	switch {
	case p.minor:
		r.Fields(d.OneOf("14", "15", "35"))
	case p.country != "":
		r.Fields("17")
	default:
		r.Fields(d.OneOf("05", "17", "09"))
	}
}
