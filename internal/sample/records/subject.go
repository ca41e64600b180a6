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

// known says whether both tables of the release have the company and its address is in Brazil.
func known(c *company) bool { return c.InBoth() && c.Abroad == 0 }

// business says whether the company is one that trades.
func business(c *company) bool {
	switch c.Kind.Style {
	case world.Commercial, world.Professional, world.Stock, world.Personal:
		return known(c)
	}
	return false
}

// firm is a business that is not one person.
func firm(c *company) bool { return business(c) && c.Kind.Style != world.Personal }

// branched says whether the company is a firm with branches.
func branched(c *company) bool { return firm(c) && c.Branches > 0 }

// entrepreneur says whether the company is one person.
func entrepreneur(c *company) bool { return known(c) && c.Kind.Style == world.Personal }

// nameEndsInCPF says whether an entrepreneur's name has the owner's number.
func (s *sources) nameEndsInCPF(c *company) bool {
	if !entrepreneur(c) {
		return false
	}
	name := s.PlainName(c)
	last := name[len(name)-1]
	return last >= '0' && last <= '9'
}

// big returns the company that has thousands of records in several sources.
func (s *sources) big() company { return s.Company(s.Giants[0].Index) }

// crowd is the companies that a source has records of. Every tier below the first gives half of the records to a tenth of
// the companies above it, so that a few have very many.
type crowd struct {
	at          func(x int) int
	size, tiers int
}

// newCrowd returns one company in every oneIn, other ones for every number which.
func newCrowd(w *world.World, which uint64, oneIn int) crowd {
	return crowd{w.Scattered(w.Founders, which).At, max(1, w.Founders/oneIn), 4}
}

// evenly returns the crowd of size companies from the first on, which all have the same chance.
func evenly(first, size int) *crowd { return &crowd{func(x int) int { return first + x }, size, 1} }

// anywhere returns a company that fits, drawn from all.
func (s *sources) anywhere(d *dice, fits func(*company) bool) company {
	return s.find(d, evenly(0, s.Founders), fits)
}

// find returns a company of the crowd that fits; the big one when none is found.
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

// somewhere returns the head office of a company, or with so many chances in a thousand a branch.
func (s *sources) somewhere(d *dice, c *company, branch int) world.Establishment {
	k := 0
	if c.Branches > 0 && d.Permille(branch) {
		k = 1 + d.N(c.Branches)
	}
	return s.Establishment(c, k)
}

// place returns an establishment of a company of the crowd that fits.
func (s *sources) place(d *dice, w *crowd, branch int, fits func(*company) bool) world.Establishment {
	c := s.find(d, w, fits)
	return s.somewhere(d, &c, branch)
}

// bigPlace returns an establishment of the big company for its share of the records: one in oneIn of the total, at most
// so many. For the others it returns false.
func (s *sources) bigPlace(d *dice, total, oneIn, most, branch int) (world.Establishment, bool) {
	if d.N(total) >= min(total/oneIn, most) {
		return world.Establishment{}, false
	}
	c := s.big()
	return s.somewhere(d, &c, branch), true
}

// anyBranch returns a branch of a firm, or the head office of the big company when there are none.
func (s *sources) anyBranch(d *dice) world.Establishment {
	c := s.anywhere(d, branched)
	return s.Establishment(&c, min(1, c.Branches))
}

// publicBodies returns the indexes of companies that contract for the state. They are looked for among the first in a
// scattered order, so that the largest registry takes no longer; when there are none, the giants stand for them.
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

// party is whom a record is about: an establishment or a person.
type party struct {
	place   world.Establishment
	person  world.PersonID
	natural bool
	city    int
}

func at(e world.Establishment) party { return party{place: e, city: e.City} }

// resident returns a person who lives somewhere.
func (s *sources) resident(d *dice) party {
	return party{natural: true, person: s.Anyone(d), city: s.Population.Pick(d)}
}

func (s *sources) nameOf(p *party) string {
	if p.natural {
		return s.Person(p.person, false)
	}
	return s.PlainName(p.place.Company)
}

// numberOf returns the CNPJ or CPF as people write it, a spoiled CNPJ with wrong check digits.
func (s *sources) numberOf(p *party, spoil bool) string {
	switch {
	case p.natural:
		return dotted(s.CPF(p.person))
	case spoil:
		return spoiled(p.place.Full.Masked())
	}
	return p.place.Full.Masked()
}

// spoiled changes the last digit of a CNPJ.
func spoiled(number string) string {
	last := len(number) - 1
	return number[:last] + string('0'+(number[last]-'0'+1)%10)
}

// dotted returns a CPF as people write it.
func dotted(cpf string) string { return cpf[:3] + "." + cpf[3:6] + "." + cpf[6:9] + "-" + cpf[9:] }

// choose returns one of two texts. Both are computed, so neither may draw.
func choose(which bool, yes, no string) string {
	if which {
		return yes
	}
	return no
}
