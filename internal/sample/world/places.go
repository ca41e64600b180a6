package world

import (
	"strconv"
	"strings"

	"razao/internal/sample/draw"
)

// City is a municipality of Brazil.
type City struct {
	Code, Name, UF, DDD string // TOM code and name of the tax authority; UF; telephone area code
	Prefix              int    // first of its CEP prefixes, which have five digits
	Prefixes            int    // number of CEP prefixes, at least 1

	IBGE, Title         string // IBGE code of seven digits; name in mixed case with accents
	Latitude, Longitude string // of the seat, decimal degrees
	State               *State
}

// ForeignCity is a city abroad; Country is the tax authority's code of three digits.
type ForeignCity struct{ Country, Name string }

// State is a federative unit.
type State struct {
	Title string // name in mixed case with accents
	Name  string // the same in capitals without accents
	Unit  string // first two digits of the numbers of PGFN's unit

	first, last int // CEP prefixes
	ddds        []string
	next        int // municipalities placed so far
}

// readPlaces reads municipalities, states and foreign cities from the embedded data.
func (w *World) readPlaces() {
	names := map[string]string{}
	for _, row := range readDomain("MUNICCSV") {
		names[row[0]] = row[1]
	}
	states := map[string]*State{}
	for _, line := range readLines("ufs.csv") {
		f := strings.Split(line, ";")
		first, last, _ := strings.Cut(f[1], "-")
		states[f[0]] = &State{
			Title: f[3], Name: Fold(strings.ToUpper(f[3])), Unit: f[4], first: atoi(first), last: atoi(last), ddds: strings.Split(f[2], ","),
		}
	}
	var weights, seats []uint64
	for _, line := range readLines("municipios.csv") {
		f := strings.Split(line, ";")
		people := atoi(f[3])
		weights = append(weights, uint64(people))
		seats = append(seats, uint64(people*density(len(seats), people)))
		c := City{
			Code: f[0], Name: names[f[0]], UF: f[1], IBGE: f[4], Title: f[5], Latitude: f[6], Longitude: f[7], State: states[f[1]],
		}
		c.place(f[2] == "1", people)
		w.Cities = append(w.Cities, c)
	}
	w.Population, w.seats = draw.NewWeighted(weights), draw.NewWeighted(seats)
	for _, line := range readLines("exterior.csv") {
		country, name, _ := strings.Cut(line, ";")
		w.Abroad = append(w.Abroad, ForeignCity{country, name})
	}
}

// density returns the companies per thousand inhabitants of the k-th municipality. The mean is
// about 90, as of twenty million active companies; small municipalities differ by up to a factor of
// five.
func density(k, people int) int {
	d := draw.New(0, draw.Density, uint64(k))
	if people < 100_000 {
		return 30 + d.N(121)
	}
	return 75 + d.N(31)
}

// place gives a municipality its area code and its CEP prefixes, about one for 20,000 inhabitants.
// The capital has the first of both in its state.
func (c *City) place(capital bool, people int) {
	s := c.State
	c.DDD, c.Prefix, c.Prefixes = s.ddds[0], s.first, 1+people/20_000
	if !capital {
		s.next++
		c.DDD = s.ddds[s.next%len(s.ddds)]
		c.Prefix = s.first + (s.last-s.first)/10 + s.next*13%((s.last-s.first)*9/10)
	}
	c.Prefixes = min(c.Prefixes, s.last-c.Prefix+1)
}

// atoi reads a number of an embedded file and panics if it is none.
func atoi(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		panic(err)
	}
	return n
}
