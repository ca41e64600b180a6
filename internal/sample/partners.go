package sample

import (
	"iter"

	"razao/internal/sample/country"
)

// Values of identificador_socio.
const (
	companyPartner = "1"
	personPartner  = "2"
	foreignPartner = "3"
)

const (
	noGuardian = "***000000**"
	// entrant is the number of the partner who enters by an Entry event, beyond those that a company
	// can begin with; he who enters by another has a number that is larger by places.
	entrant, places = 14, 16
	// personOfEntrant is his number for Country.Someone, which has only 8 people per company.
	personOfEntrant = 6
)

// partner is a row of Socios.
type partner struct {
	kind                   string // identificador_socio
	name, number           string // masked when it is a CPF
	qualification, country string
	since                  country.Day
	age                    string // faixa_etaria
}

// partners appends the rows of Socios of a company.
func (g *release) partners(r *rowBuffer, c *company) {
	if c.When[country.Removal] > 0 {
		return
	}
	for k := range g.partnerNumbers(c) {
		r.add(g.partner(c, k)...)
	}
}

// maskedCPF returns a CPF as it is published in Socios, ***456789**.
func (g *release) maskedCPF(id country.PersonID) string { return "***" + g.CPF(id)[3:9] + "**" }

// partnerDice returns the sequence of a company's k-th partner.
func (g *release) partnerDice(c *company, k int) dice {
	return g.Dice(ofPartner, uint64(k/places)<<40+uint64(c.Index)*places+uint64(k%places))
}

// partnersOf returns the number of partners that a company became known with. Most closed companies
// have none left.
func (g *release) partnersOf(c *company) int {
	d := g.partnerDice(c, 15)
	if first := c.AsKnown(); c.Kind.Partner == "" || first.Status == country.Closed && !d.Permille(120) {
		return 0
	}
	n := 1
	for n < c.Kind.Partners && d.Permille(300) {
		n++
	}
	return n
}

// partnerNumbers yields the numbers of the present partners: the original ones, without the last of
// several after an Exit, and entrant after an Entry. Of the demonstration company it is the entrant who
// leaves.
func (g *release) partnerNumbers(c *company) iter.Seq[int] {
	return func(yield func(int) bool) {
		n := g.partnersOf(c)
		last := n
		if n > 1 && c.When[country.Exit] > 0 && !c.Demonstration {
			last--
		}
		for k := range last {
			if !yield(k) {
				return
			}
		}
		gone := c.Demonstration && c.When[country.Exit] > c.When[country.Entry]
		if n > 0 && n < personOfEntrant && c.Kind.Partners > 1 && c.When[country.Entry] > 0 && !gone {
			yield(entrant + places*(c.Times(country.Entry)-1))
		}
	}
}

// partner returns the row of a company's k-th partner as events have left him.
func (g *release) partner(c *company, k int) []string {
	d := g.partnerDice(c, k)
	p := g.partnerAsEntered(c, k, &d)
	switch {
	case k >= entrant:
		p.since = g.EventDay(c, country.Entry)
	case k > 0 || c.Times(country.Requalified)%2 == 0:
	case p.qualification == c.Kind.Others:
		p.qualification = c.Kind.Partner
	default:
		p.qualification = c.Kind.Others
	}
	p.convert(c)
	row := []string{c.Root.String(), p.kind, p.name, p.number, p.qualification, g.Compact(p.since), p.country, noGuardian, "", "00", p.age}
	if minor := p.age == "1" || p.age == "2"; minor || p.country != "" || d.Permille(20) {
		guardian := g.Someone(c, 7, 0, &d)
		row[7], row[8], row[9] = g.maskedCPF(guardian), g.Person(guardian), "17"
		if minor {
			row[9] = d.OneOf("14", "15", "35")
		}
	}
	return row
}

// convert gives a partner the qualification that corresponds to his own in a company that has been
// converted.
func (p *partner) convert(c *company) {
	nature := c.Nature()
	switch {
	case nature == c.Kind:
	case p.qualification == c.Kind.Partner:
		p.qualification = nature.Partner
	case p.qualification == c.Kind.Others:
		p.qualification = nature.Others
	}
}

// partnerAsEntered derives the k-th partner as he entered the company.
func (g *release) partnerAsEntered(c *company, k int, d *dice) partner {
	who, shared := k, 350
	if k >= entrant {
		who = personOfEntrant
	}
	if k > entrant {
		shared = 1000 // not the one who entered before
	}
	id := g.Someone(c, who, shared, d)
	p := partner{
		kind: personPartner, name: g.Person(id), number: g.maskedCPF(id), qualification: c.Kind.Partner, since: c.Start, age: g.ageOf(id),
	}
	if k > 0 && !d.Permille(250) {
		p.qualification = c.Kind.Others
	}
	if d.Permille(300) {
		p.since = country.Since(d, c.Start, c.Known)
	}
	abroad := g.Abroad[d.N(len(g.Abroad))].Country
	switch u := d.N(1000); {
	case u < 100:
		if h, ok := g.holderOf(c, d); ok {
			p.kind, p.name, p.number, p.qualification, p.age = companyPartner, g.Name(&h), g.Establishment(&h, 0).Full.String(), "22", "0"
			p.since = max(p.since, h.Start)
			if h.Abroad > 0 {
				p.qualification, p.country = "37", g.Abroad[h.Abroad-1].Country
			}
		}
	case u == 100:
		p.kind, p.qualification, p.country, p.number = foreignPartner, "38", abroad, ""
	case u < 105 && p.qualification == "22":
		p.qualification, p.country = "38", abroad
	case u < 110 && p.qualification == "22":
		p.qualification, p.age = "30", d.OneOf("1", "2")
	}
	return p
}

// ageOf returns faixa_etaria, 3 (21 to 30 years) to 9 (over 80).
func (g *release) ageOf(id country.PersonID) string {
	d := g.Dice(ofAge, uint64(id))
	return "3344445555556666777889"[d.N(22):][:1]
}

// Companies form groups: the first of every groupSize is the head that holds some of the others, and
// the first of every groupSize heads holds some of the heads.
const groupSize = country.GroupSize

// holderOf returns the company that may be a partner of c, the head of its group or now and then a
// giant, as it became known: its own events must not change rows of companies that it holds.
func (g *release) holderOf(c *company, d *dice) (h company, ok bool) {
	head := c.Index - c.Index%groupSize
	if head == c.Index {
		head = c.Index - c.Index%(groupSize*groupSize)
	}
	if d.Permille(50) {
		head = g.Giants[0].Index
	}
	if head == c.Index || c.Demonstration || c.Kind.Style != country.Commercial && c.Kind.Style != country.Stock {
		return h, false
	}
	h = g.Company(head)
	h = h.AsKnown()
	return h, h.Kind.Branches || h.Abroad > 0
}
