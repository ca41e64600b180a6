// Package territory embeds the states and municipalities of Brazil: their codes at the tax
// authority (RFB) and at IBGE, names past and present, URL slugs, population and coordinates; and the
// codes of countries. [Open] reads the tables once into an [Atlas], which finds a municipality by either
// code, by slug or by any of its names.
//
// The tables may be older than a release: a new municipality appears in the published files first.
// Every look-up therefore reports whether the code is known.
package territory

import (
	"cmp"
	"embed"
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// PopulationYear is the year of IBGE's population estimates.
const PopulationYear = 2021

// Abroad is the UF that the tax authority uses for addresses outside Brazil.
const Abroad = "EX"

//go:embed data/municipios.csv data/nomes.csv data/paises.csv data/ufs.csv
var data embed.FS

// UF is a state, the federal district, or Abroad.
type UF struct {
	Code   string // two letters, upper case
	Name   string
	IBGE   string // two digits; "" for Abroad
	Region string // "" for Abroad
}

// Municipality is a municipality, or the single entry that the tax authority has for places abroad.
type Municipality struct {
	RFB        string  // the tax authority's code, 4 digits
	RFBName    string  // upper case, without accents
	IBGE       string  // 7 digits; "" abroad
	Name       string  // as IBGE writes it
	UF         string  // Code of its UF; Abroad for places abroad
	Slug       string  // unique within the UF; part of public URLs
	Capital    bool    // capital of its state
	Population int     // estimate of PopulationYear; 0 if there is none
	Latitude   float64 // of the seat, in degrees, south negative; 0, 0 abroad
	Longitude  float64 // west negative
}

// Atlas is the set of states and municipalities. Get one from Open. It is immutable and safe for
// concurrent use.
type Atlas struct {
	ufs            []UF // in IBGE's order
	ufByCode       map[string]UF
	municipalities []Municipality // in order of RFB
	byRFB          map[string]int // the maps hold positions in municipalities
	byIBGE         map[string]int
	bySlug         map[string]int      // key: UF/slug
	otherNames     map[string][]string // by RFB: former names and spellings of others
	countries      map[string]string   // ISO 3166-1 by RFB
}

// Open returns the embedded tables, which it parses once. An error means that the program was built with
// damaged tables.
func Open() (*Atlas, error) { return opened() }

var opened = sync.OnceValues(parse)

func parse() (*Atlas, error) {
	a := &Atlas{
		ufByCode: map[string]UF{}, byRFB: map[string]int{}, byIBGE: map[string]int{}, bySlug: map[string]int{}, otherNames: map[string][]string{},
		countries: map[string]string{},
	}
	if err := eachRow("data/ufs.csv", a.addUF); err != nil {
		return nil, err
	}
	if err := eachRow("data/municipios.csv", a.addMunicipality); err != nil {
		return nil, err
	}
	if err := eachRow("data/nomes.csv", a.addName); err != nil {
		return nil, err
	}
	if err := eachRow("data/paises.csv", a.addCountry); err != nil {
		return nil, err
	}
	return a, nil
}

// eachRow calls add with every row of an embedded CSV table, as a map from column name to value.
func eachRow(name string, add func(map[string]string) error) error {
	f, err := data.Open(name)
	if err != nil {
		return fmt.Errorf("read table: %w", err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return fmt.Errorf("read table %s: %w", name, err)
	}
	for line, row := range rows[1:] {
		named := make(map[string]string, len(row))
		for i, value := range row {
			named[rows[0][i]] = value
		}
		if err := add(named); err != nil {
			return fmt.Errorf("read table %s, row %d: %w", name, line+1, err)
		}
	}
	return nil
}

func (a *Atlas) addUF(row map[string]string) error {
	uf := UF{Code: row["uf"], Name: row["nome"], IBGE: row["codigo_ibge"], Region: row["regiao"]}
	a.ufs = append(a.ufs, uf)
	a.ufByCode[uf.Code] = uf
	return nil
}

func (a *Atlas) addMunicipality(row map[string]string) error {
	m := Municipality{
		RFB: row["codigo_rfb"], RFBName: row["nome_rfb"], IBGE: row["codigo_ibge"], Name: row["nome_ibge"],
		UF: row["uf"], Slug: row["slug"], Capital: row["capital"] == "1",
	}
	if m.UF != Abroad {
		if err := m.measures(row); err != nil {
			return err
		}
		a.byIBGE[m.IBGE] = len(a.municipalities)
	}
	a.byRFB[m.RFB] = len(a.municipalities)
	a.bySlug[m.UF+"/"+m.Slug] = len(a.municipalities)
	a.municipalities = append(a.municipalities, m)
	return nil
}

// addName adds a name to a municipality.
func (a *Atlas) addName(row map[string]string) error {
	m, ok := a.BySlug(row["uf"], row["slug"])
	if !ok {
		return fmt.Errorf("no municipality %s/%s", row["uf"], row["slug"])
	}
	a.otherNames[m.RFB] = append(a.otherNames[m.RFB], row["nome"])
	return nil
}

func (a *Atlas) addCountry(row map[string]string) error {
	a.countries[row["codigo"]] = row["iso"]
	return nil
}

// measures parses the numbers of a row.
func (m *Municipality) measures(row map[string]string) (err error) {
	if m.Latitude, err = strconv.ParseFloat(row["latitude"], 64); err != nil {
		return err
	}
	if m.Longitude, err = strconv.ParseFloat(row["longitude"], 64); err != nil {
		return err
	}
	if people := row["populacao_estimada_2021"]; people != "" {
		m.Population, err = strconv.Atoi(people)
	}
	return err
}

// UFs returns the 26 states, the federal district and Abroad, in IBGE's order. The slice is the
// caller's.
func (a *Atlas) UFs() []UF { return slices.Clone(a.ufs) }

// UF returns a state by its two letters, upper or lower case, and whether it exists.
func (a *Atlas) UF(code string) (UF, bool) {
	uf, ok := a.ufByCode[strings.ToUpper(code)]
	return uf, ok
}

// Municipalities returns all municipalities, Abroad included, in order of the tax authority's
// codes. The slice is the caller's.
func (a *Atlas) Municipalities() []Municipality { return slices.Clone(a.municipalities) }

// ByRFB returns a municipality by the tax authority's code, and whether the table has it.
func (a *Atlas) ByRFB(code string) (Municipality, bool) { return a.at(a.byRFB, code) }

// ByIBGE returns a municipality by IBGE's code, and whether the table has it. Abroad has no such
// code.
func (a *Atlas) ByIBGE(code string) (Municipality, bool) { return a.at(a.byIBGE, code) }

// BySlug returns a municipality by UF, upper or lower case, and slug, and whether the table has it.
func (a *Atlas) BySlug(uf, slug string) (Municipality, bool) {
	return a.at(a.bySlug, strings.ToUpper(uf)+"/"+slug)
}

// Country returns the two letters (ISO 3166-1) of the country of the tax authority's code; "" for what is no country
// today, or not one alone.
func (a *Atlas) Country(code string) string { return a.countries[code] }

// ByName returns the municipalities of Brazil under the key of each of their names: IBGE's, the tax
// authority's, former ones, those of other registries, each with the spellings of its apostrophes and
// hyphens. Under one key those come first whose name it is today, then the most populous.
func (a *Atlas) ByName(key func(name string) string) map[string][]Municipality {
	named, others := map[string][]Municipality{}, map[string][]Municipality{}
	for _, m := range a.municipalities {
		if m.UF == Abroad {
			continue
		}
		for _, name := range spellings(m.Name, m.RFBName) {
			addOnce(named, key(name), m)
		}
		for _, name := range spellings(a.otherNames[m.RFB]...) {
			addOnce(others, key(name), m)
		}
	}
	for _, index := range []map[string][]Municipality{named, others} {
		for _, same := range index {
			slices.SortStableFunc(same, func(x, y Municipality) int { return cmp.Compare(y.Population, x.Population) })
		}
	}
	for key, list := range others {
		for _, m := range list {
			addOnce(named, key, m)
		}
	}
	return named
}

// addOnce adds a municipality to those under a key, unless it is there.
func addOnce(index map[string][]Municipality, key string, m Municipality) {
	if !slices.Contains(index[key], m) {
		index[key] = append(index[key], m)
	}
}

// spellings returns names as people write them: an apostrophe or hyphen as such, as a blank or not at
// all, and d'Oeste as do Oeste or the other way round.
func spellings(names ...string) []string {
	all := slices.Clone(names)
	for _, pair := range [][2]string{{"D'Oeste", "do Oeste"}, {"d'Oeste", "do Oeste"}, {"do Oeste", "d'Oeste"}, {"'", " "}, {"'", ""}, {"-", " "}, {"-", ""}} {
		for _, name := range all {
			if other := strings.ReplaceAll(name, pair[0], pair[1]); other != name {
				all = append(all, other)
			}
		}
	}
	return all
}

// at returns the municipality whose position a map has under a key.
func (a *Atlas) at(positions map[string]int, key string) (Municipality, bool) {
	i, ok := positions[key]
	if !ok {
		return Municipality{}, false
	}
	return a.municipalities[i], true
}

// IBGE translates the tax authority's code of a municipality to IBGE's. It returns "" for places
// abroad and for unknown codes.
func (a *Atlas) IBGE(rfb string) string {
	if i, ok := a.byRFB[rfb]; ok {
		return a.municipalities[i].IBGE
	}
	return ""
}

// Regions returns the names of the five regions, in IBGE's order.
func (a *Atlas) Regions() []string {
	var names []string
	for _, uf := range a.ufs {
		if uf.Region != "" && !slices.Contains(names, uf.Region) {
			names = append(names, uf.Region)
		}
	}
	return names
}
