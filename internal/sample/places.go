package sample

import (
	"fmt"
	"strings"
)

// city is a municipality.
type city struct {
	code, name, uf, ddd string
	prefix              int // first of its five-digit CEP prefixes
	prefixes            int // how many it has, at least 1

	ibge, title         string // IBGE's code, and its name in UTF-8, with small letters and accents
	latitude, longitude string // of the seat, in degrees with a point
	state               *state
}

// foreignCity is a place of the address of a company abroad.
type foreignCity struct{ country, name string }

// state is a row of ufs.csv.
type state struct {
	first, last int // CEP prefixes
	ddds        []string
	next        int    // municipalities placed so far
	title       string // its name in UTF-8
	name        string // the same in capitals without accents
	unit        string // two digits that begin PGFN's numbers
}

const (
	abroadUF   = "EX"
	abroadCode = "9707"
)

func (w *world) readPlaces() error {
	names, err := readNames()
	if err != nil {
		return err
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
		c := states[f[1]].place(f[0], names[f[0]], f[1], f[2] == "1", people)
		c.ibge, c.title, c.latitude, c.longitude, c.state = f[4], f[5], f[6], f[7], states[f[1]]
		w.cities = append(w.cities, c)
	}
	w.population = newWeighted(weights)
	lines, err = readLines("exterior.csv")
	if err != nil {
		return err
	}
	for _, line := range lines {
		country, name, _ := strings.Cut(line, ";")
		w.abroad = append(w.abroad, foreignCity{country, name})
	}
	return nil
}

// place gives a municipality its area code and its share of the state's postcodes: the first of both to the capital,
// about one prefix for 20,000 people.
func (s *state) place(code, name, uf string, capital bool, people int) city {
	c := city{code: code, name: name, uf: uf, ddd: s.ddds[0], prefix: s.first, prefixes: 1 + people/20_000}
	if !capital {
		s.next++
		c.ddd = s.ddds[s.next%len(s.ddds)]
		c.prefix = s.first + (s.last-s.first)/10 + s.next*13%((s.last-s.first)*9/10)
	}
	c.prefixes = min(c.prefixes, s.last-c.prefix+1)
	return c
}

func readStates() (map[string]*state, error) {
	lines, err := readLines("ufs.csv")
	if err != nil {
		return nil, err
	}
	states := make(map[string]*state, len(lines))
	for _, line := range lines {
		f := strings.Split(line, ";")
		s := &state{ddds: strings.Split(f[2], ","), title: f[3], name: fold(strings.ToUpper(f[3])), unit: f[4]}
		if _, err := fmt.Sscanf(f[1], "%d-%d", &s.first, &s.last); err != nil {
			return nil, fmt.Errorf("embedded ufs.csv: %w", err)
		}
		states[f[0]] = s
	}
	return states, nil
}

// readNames returns the municipalities' names as the tax authority writes them.
func readNames() (map[string]string, error) {
	lines, err := readLines("MUNICCSV.latin1.csv")
	if err != nil {
		return nil, err
	}
	names := make(map[string]string, len(lines))
	for _, line := range lines {
		names[line[1:5]] = strings.TrimSuffix(line[8:], `"`)
	}
	return names, nil
}
