package world

import (
	"fmt"
	"strings"

	"razao/internal/sample/draw"
)

// City is a municipality.
type City struct {
	Code, Name, UF, DDD string // Name as the tax authority writes it
	Prefix              int    // first of its five-digit CEP prefixes
	Prefixes            int    // how many it has, at least 1

	IBGE, Title         string // IBGE's code, and its name with small letters and accents
	Latitude, Longitude string // of the seat, in degrees with a point
	State               *State
}

// ForeignCity is a place of the address of a company abroad.
type ForeignCity struct{ Country, Name string }

// State is a row of ufs.csv.
type State struct {
	Title string
	Name  string // the same in capitals without accents
	Unit  string // two digits that begin PGFN's numbers

	first, last int // CEP prefixes
	ddds        []string
	next        int // municipalities placed so far
}

func (w *World) readPlaces() error {
	names, err := readDomain("MUNICCSV")
	if err != nil {
		return err
	}
	nameOf := make(map[string]string, len(names))
	for _, row := range names {
		nameOf[row[0]] = row[1]
	}
	states, err := readStates()
	if err != nil {
		return err
	}
	lines, err := readLines("municipios.csv")
	if err != nil {
		return err
	}
	var weights []uint64
	for _, line := range lines {
		f := strings.Split(line, ";")
		people, err := atoi(f[3])
		if err != nil {
			return err
		}
		weights = append(weights, uint64(people))
		c := City{
			Code: f[0], Name: nameOf[f[0]], UF: f[1], IBGE: f[4], Title: f[5], Latitude: f[6], Longitude: f[7], State: states[f[1]],
		}
		c.place(f[2] == "1", people)
		w.Cities = append(w.Cities, c)
	}
	w.Population = draw.NewWeighted(weights)
	lines, err = readLines("exterior.csv")
	for _, line := range lines {
		country, name, _ := strings.Cut(line, ";")
		w.Abroad = append(w.Abroad, ForeignCity{country, name})
	}
	return err
}

// place gives a municipality its area code and its share of the state's postcodes: the first of both to the capital,
// about one prefix for 20,000 people.
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

func readStates() (map[string]*State, error) {
	lines, err := readLines("ufs.csv")
	if err != nil {
		return nil, err
	}
	states := make(map[string]*State, len(lines))
	for _, line := range lines {
		f := strings.Split(line, ";")
		s := &State{ddds: strings.Split(f[2], ","), Title: f[3], Name: Fold(strings.ToUpper(f[3])), Unit: f[4]}
		if _, err := fmt.Sscanf(f[1], "%d-%d", &s.first, &s.last); err != nil {
			return nil, fmt.Errorf("embedded ufs.csv: %w", err)
		}
		states[f[0]] = s
	}
	return states, nil
}
