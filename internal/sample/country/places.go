package country

import (
	"strconv"
	"strings"

	"razao/internal/data/territory"
)

// City is a municipality of Brazil.
type City struct {
	territory.Municipality
	DDD      string // telephone area code
	Prefix   int    // first of its CEP prefixes, which have five digits
	Prefixes int    // number of CEP prefixes, at least 1
	State    *State
}

// ForeignCity is a city abroad; Country is the tax authority's code of three digits.
type ForeignCity struct{ Country, Name string }

// State is a federative unit.
type State struct {
	Name  string // in capitals without accents
	Title string
	Unit  string // first two digits of the numbers of PGFN's unit

	first, last int // CEP prefixes
	ddds        []string
	next        int // municipalities placed so far
}

// readPlaces takes municipalities and states from package territory and gives them postcodes and
// area codes.
func (c *Country) readPlaces() error {
	atlas, err := territory.Open()
	if err != nil {
		return err
	}
	states := map[string]*State{}
	for _, line := range readLines("ufs.csv") {
		f := strings.Split(line, ";")
		first, last, _ := strings.Cut(f[1], "-")
		uf, _ := atlas.UF(f[0])
		states[f[0]] = &State{Name: f[3], Title: uf.Name, Unit: f[4], first: atoi(first), last: atoi(last), ddds: strings.Split(f[2], ",")}
	}
	var weights, seats []uint64
	for _, m := range atlas.Municipalities() {
		state := states[m.UF]
		if state == nil {
			continue // abroad
		}
		if m.Population == 0 {
			m.Population = 2000 // too new for an estimate
		}
		weights = append(weights, uint64(m.Population))
		seats = append(seats, uint64(m.Population*density(len(seats), m.Population)))
		city := City{Municipality: m, State: state}
		city.place()
		c.Cities = append(c.Cities, city)
	}
	c.Population, c.seats = newWeighted(weights), newWeighted(seats)
	for _, line := range readLines("exterior.csv") {
		country, name, _ := strings.Cut(line, ";")
		c.Abroad = append(c.Abroad, ForeignCity{country, name})
	}
	return nil
}

// density returns the companies per thousand inhabitants of the k-th municipality. The mean is
// about 90, as of twenty million active companies; small municipalities differ by up to a factor of
// five.
func density(k, people int) int {
	d := newDice(0, ofDensity, uint64(k))
	if people < 100_000 {
		return 30 + d.N(121)
	}
	return 75 + d.N(31)
}

// place gives a municipality its area code and its CEP prefixes, about one for 20,000 inhabitants.
// The capital has the first of both in its state.
func (c *City) place() {
	s := c.State
	c.DDD, c.Prefix = s.ddds[0], s.first
	if !c.Capital {
		s.next++
		c.DDD = s.ddds[s.next%len(s.ddds)]
		c.Prefix = s.first + (s.last-s.first)/10 + s.next*13%((s.last-s.first)*9/10)
	}
	c.Prefixes = min(1+c.Population/20_000, s.last-c.Prefix+1)
}

// CEP draws a postcode in the municipality's range, eight digits. Small municipalities mostly have a
// single one, which ends in 000.
func (c *City) CEP(d *Dice) string {
	cep := (c.Prefix + d.N(c.Prefixes)) * 1000
	if c.Prefixes > 2 || d.Permille(200) {
		cep += d.N(900)
	}
	return Digits(cep, 8)
}

// Digits returns n in decimal, padded with zeros to width, at most 15.
func Digits(n, width int) string {
	s := strconv.Itoa(n)
	if len(s) >= width {
		return s
	}
	return "000000000000000"[:width-len(s)] + s
}

// atoi reads a number of an embedded file and panics if it is none.
func atoi(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		panic(err)
	}
	return n
}
