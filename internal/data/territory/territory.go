// Package territory embeds the states and municipalities of Brazil: their codes at the tax
// authority (RFB) and at IBGE, names, URL slugs, population and coordinates. [Open] reads the
// tables once into an [Atlas], which finds a municipality by either code or by slug.
//
// The tables may be older than a release: a new municipality appears in the published files first.
// Every look-up therefore reports whether the code is known.
package territory

import (
	"embed"
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// PopulationYear is the year of IBGE's population estimates.
const PopulationYear = 2021

// Abroad is the UF that the tax authority uses for addresses outside Brazil.
const Abroad = "EX"

//go:embed data/municipios.csv data/ufs.csv
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
	bySlug         map[string]int // key: UF/slug
}

// Open parses the embedded tables. An error means that the program was built with damaged tables.
func Open() (*Atlas, error) {
	a := &Atlas{ufByCode: map[string]UF{}, byRFB: map[string]int{}, byIBGE: map[string]int{}, bySlug: map[string]int{}}
	if err := eachRow("data/ufs.csv", a.addUF); err != nil {
		return nil, err
	}
	if err := eachRow("data/municipios.csv", a.addMunicipality); err != nil {
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
