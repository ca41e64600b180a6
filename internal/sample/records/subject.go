package records

import (
	"slices"

	"razao/internal/sample/draw"
	"razao/internal/sample/table"
	"razao/internal/sample/world"
)

type (
	company = world.Company
	dice    = draw.Dice
	row     = table.Row
)

// known reports whether both tables of the release have the company and its address is in Brazil.
func known(c *company) bool { return c.InBoth() && c.Abroad == 0 }

// business reports whether the company is a known one that trades.
func business(c *company) bool {
	switch c.Kind.Style {
	case world.Commercial, world.Professional, world.Stock, world.Personal:
		return known(c)
	}
	return false
}

// firm reports whether the company is a business other than an individual entrepreneur.
func firm(c *company) bool { return business(c) && c.Kind.Style != world.Personal }

// branched reports whether the company is a firm with branches.
func branched(c *company) bool { return firm(c) && c.Branches > 0 }

// entrepreneur reports whether the company is an individual entrepreneur.
func entrepreneur(c *company) bool { return known(c) && c.Kind.Style == world.Personal }

// nameEndsInCPF reports whether an entrepreneur's name ends in the owner's CPF.
func (s *sources) nameEndsInCPF(c *company) bool {
	if !entrepreneur(c) {
		return false
	}
	name := s.PlainName(c)
	last := name[len(name)-1]
	return last >= '0' && last <= '9'
}

// big returns the giant that has thousands of records in several sources.
func (s *sources) big() company { return s.Company(s.Giants[0].Index) }

// crowd is the set of companies from which a source draws, with a skewed distribution: half of the
// draws go to the whole crowd, half of the rest to its first tenth, and so on for each tier, so a
// few companies get very many records.
type crowd struct {
	at          func(x int) int // index of the x-th company of the crowd
	size, tiers int
}

// newCrowd returns a crowd of one founder in oneIn with four tiers. which selects one of many such
// crowds.
func newCrowd(w *world.World, which uint64, oneIn int) crowd {
	return crowd{w.Scattered(w.Founders, which).At, max(1, w.Founders/oneIn), 4}
}

// evenly returns the size companies from index first on, all with the same probability.
func evenly(first, size int) *crowd { return &crowd{func(x int) int { return first + x }, size, 1} }

// anywhere draws a company that fits from all founders.
func (s *sources) anywhere(d *dice, fits func(*company) bool) company {
	return s.find(d, evenly(0, s.Founders), fits)
}

// find draws companies from the crowd until one fits, at most 500 times; then it returns the big
// company.
func (s *sources) find(d *dice, w *crowd, fits func(*company) bool) company {
	for range 500 {
		part := w.size
		for tier := 1; tier < w.tiers && part > 1 && d.Permille(500); tier++ {
			part = part/10 + 1
		}
		if c := s.Company(w.at(d.N(part))); fits(&c) {
			return c
		}
	}
	return s.big()
}

// somewhere returns the head office of a company, or with probability branch/1000 one of its
// branches.
func (s *sources) somewhere(d *dice, c *company, branch int) world.Establishment {
	k := 0
	if c.Branches > 0 && d.Permille(branch) {
		k = 1 + d.N(c.Branches)
	}
	return s.Establishment(c, k)
}

// place draws an establishment of a company of the crowd that fits; branch is as in somewhere.
func (s *sources) place(d *dice, w *crowd, branch int, fits func(*company) bool) world.Establishment {
	c := s.find(d, w, fits)
	return s.somewhere(d, &c, branch)
}

// bigPlace returns an establishment of the big company for its share of total records, one in oneIn
// but at most most. ok is false for the other records.
func (s *sources) bigPlace(d *dice, total, oneIn, most, branch int) (world.Establishment, bool) {
	if d.N(total) >= min(total/oneIn, most) {
		return world.Establishment{}, false
	}
	c := s.big()
	return s.somewhere(d, &c, branch), true
}

// anyBranch returns a branch of a firm, or the first establishment of the big company when no firm
// has branches.
func (s *sources) anyBranch(d *dice) world.Establishment {
	c := s.anywhere(d, branched)
	return s.Establishment(&c, min(1, c.Branches))
}

// publicBodies returns the indexes of active public bodies. It looks at no more than 60,000
// companies, in a scattered order, so that a large registry takes no longer. If it finds none, the
// giants stand in.
func publicBodies(w *world.World) []int {
	const looks = 60_000
	order := w.Scattered(w.Founders, 20)
	var bodies []int
	for x := range min(looks, w.Founders) {
		i := order.At(x)
		if c := w.Company(i); c.Kind.Style == world.Public && c.Status == world.Active && known(&c) {
			bodies = append(bodies, i)
		}
	}
	if len(bodies) == 0 {
		for _, giant := range slices.Backward(w.Giants) {
			bodies = append(bodies, giant.Index)
		}
	}
	return bodies
}

// party is whom a record is about: an establishment, or if natural is set a person.
type party struct {
	place   world.Establishment
	person  world.PersonID
	natural bool
	city    int // index of World.Cities
}

// at returns an establishment as a party.
func at(e world.Establishment) party { return party{place: e, city: e.City} }

// resident draws a person and where he lives.
func (s *sources) resident(d *dice) party {
	return party{natural: true, person: s.Anyone(d), city: s.Population.Pick(d)}
}

func (s *sources) nameOf(p *party) string {
	if p.natural {
		return s.Person(p.person, false)
	}
	return s.PlainName(p.place.Company)
}

// numberOf returns the CNPJ or CPF with punctuation; with wrong a CNPJ has a wrong check digit.
func (s *sources) numberOf(p *party, wrong bool) string {
	switch {
	case p.natural:
		return dotted(s.CPF(p.person))
	case wrong:
		return wrongCheckDigit(p.place.Full.Masked())
	}
	return p.place.Full.Masked()
}

// wrongCheckDigit changes the last digit of a CNPJ, so that its check digits are wrong.
func wrongCheckDigit(number string) string {
	last := len(number) - 1
	return number[:last] + string('0'+(number[last]-'0'+1)%10)
}

// dotted returns a CPF with punctuation.
func dotted(cpf string) string { return cpf[:3] + "." + cpf[3:6] + "." + cpf[6:9] + "-" + cpf[9:] }

// ifElse returns yes or no. Both arguments are evaluated, so neither may draw from a sequence.
func ifElse(which bool, yes, no string) string {
	if which {
		return yes
	}
	return no
}
