package figures

import (
	"cmp"
	"math/big"
	"slices"
	"time"

	"razao/internal/data/ptbr"
	"razao/internal/data/record"
	"razao/internal/data/territory"
)

// Places has the figures of all municipalities, all states and the country, with their names and populations. It must not be changed.
type Places struct {
	Year   int         // of Place.OpenedInYear: the last complete one; 0 if the load has no month
	Lately record.Date // first day of the twelve months of Sums.Opened and Closed; 0 if these were not counted
	// PeopleYear is the year of Place.Population, 0 without it: in an invented load, ratios to the
	// real population would mean nothing.
	PeopleYear     int
	Country        Place
	States         []Place // without places abroad, in IBGE's order
	Municipalities []Place // the same, in the order of the tax authority's codes

	rankings *Rankings
}

// Place is a municipality, a state or the country.
type Place struct {
	Sums
	Name         string
	UF           string                 // two letters; "" for the country
	Slug         string                 // of the name; sorting by it sorts the names
	Municipality territory.Municipality // zero for a state and the country
	Population   int                    // estimate for Places.PeopleYear; 0: none

	ActiveEstablishments, ClosedEstablishments int64 // with the status ativa, baixada
	OpenedInYear                               int64 // establishments opened in Places.Year
}

// PerThousand returns the number of active companies per 1,000 inhabitants, 0 without a Population.
func (p *Place) PerThousand() float64 {
	if p.Population == 0 {
		return 0
	}
	return float64(p.ActiveCompanies) * 1000 / float64(p.Population)
}

// Of returns a municipality by the tax authority's code or, if that is "", a state by its UF. A place abroad has figures only. An unknown place
// has zero figures.
func (p *Places) Of(uf, municipality string) Place {
	known := p.States
	if municipality != "" {
		known = p.Municipalities
	}
	for i := range known {
		if place := &known[i]; place.Municipality.RFB == municipality && (municipality != "" || place.UF == uf) {
			return *place
		}
	}
	sums, _ := p.rankings.Municipality(municipality)
	if municipality == "" {
		sums, _ = p.rankings.UF(uf)
	}
	return newPlace(sums, p.Year)
}

// Together returns the sum of places under a name. Its Openings and Closings are concatenated:
// unsorted, and with several entries for a year. UF, Slug and Municipality are empty.
func (p *Places) Together(name string, places []Place) Place {
	sums := Sums{Capital: new(big.Int), PublishedCapital: new(big.Int)}
	people := 0
	for i := range places {
		one := &places[i]
		sums.Openings, sums.Closings = append(sums.Openings, one.Openings...), append(sums.Closings, one.Closings...)
		sums.Opened, sums.Closed = sums.Opened+one.Opened, sums.Closed+one.Closed
		sums.Months = AddMonths(sums.Months, one.Months)
		sums.ActiveCompanies += one.ActiveCompanies
		sums.ImplausibleCompanies += one.ImplausibleCompanies
		sums.Capital.Add(sums.Capital, one.Capital)
		sums.PublishedCapital.Add(sums.PublishedCapital, one.PublishedCapital)
		people += one.Population
	}
	all := newPlace(sums, p.Year)
	all.Name, all.Population = name, people
	return all
}

// AddUp computes the figures of all places of the atlas. month is that of the load (AAAA-MM); the people of an invented one are not counted.
func AddUp(rankings *Rankings, atlas *territory.Atlas, month string, invented bool) *Places {
	since, _ := rankings.Lately()
	p := &Places{Year: lastWholeYear(month), Lately: record.MakeDate(since/10_000, since/100%100, since%100), rankings: rankings}
	p.Country = newPlace(rankings.Country(), p.Year)
	p.Country.Name = "Brasil"
	if !invented {
		p.PeopleYear = territory.PopulationYear
	}
	people := map[string]int{}
	for _, m := range atlas.Municipalities() {
		if m.UF == territory.Abroad {
			continue
		}
		sums, _ := rankings.Municipality(m.RFB)
		place := newPlace(sums, p.Year)
		place.Name, place.UF, place.Slug, place.Municipality = m.Name, m.UF, m.Slug, m
		if p.PeopleYear > 0 {
			place.Population = m.Population
			people[m.UF] += m.Population
		}
		p.Municipalities = append(p.Municipalities, place)
	}
	for _, uf := range atlas.UFs() {
		if uf.Code == territory.Abroad {
			continue
		}
		sums, _ := rankings.UF(uf.Code)
		place := newPlace(sums, p.Year)
		place.Name, place.UF, place.Slug, place.Population = uf.Name, uf.Code, ptbr.Slug(uf.Name), people[uf.Code]
		p.States = append(p.States, place)
	}
	return p
}

// newPlace derives the figures of a place from its sums; year is Places.Year.
func newPlace(sums Sums, year int) Place {
	p := Place{Sums: sums}
	if p.Capital == nil { // no establishment at all
		p.Capital, p.PublishedCapital = new(big.Int), new(big.Int)
	}
	for _, o := range sums.Openings {
		switch o.Situacao {
		case record.SituacaoAtiva:
			p.ActiveEstablishments += o.Count
		case record.SituacaoBaixada:
			p.ClosedEstablishments += o.Count
		}
		if o.Year == year {
			p.OpenedInYear += o.Count
		}
	}
	return p
}

// lastWholeYear returns the last year that has ended by the end of a month (AAAA-MM), 0 for other
// labels.
func lastWholeYear(month string) int {
	t, err := time.Parse("2006-01", month)
	if err != nil {
		return 0
	}
	return t.AddDate(0, 1, 0).Year() - 1
}

// Ranked returns pointers to the elements of places, sorted by compare. Ties are broken by the
// number of active companies, descending, then by name.
func Ranked(places []Place, compare func(a, b *Place) int) []*Place {
	ranked := make([]*Place, len(places))
	for i := range places {
		ranked[i] = &places[i]
	}
	slices.SortStableFunc(ranked, func(a, b *Place) int {
		return cmp.Or(compare(a, b), cmp.Compare(b.ActiveCompanies, a.ActiveCompanies), cmp.Compare(a.Slug, b.Slug))
	})
	return ranked
}
