package places

import (
	"cmp"
	"math/big"
	"slices"
	"strconv"

	"razao/index/figures"
	"razao/internal/data/ptbr"
)

// measure is a figure of places: a column that rankings can be ordered by and that maps show.
type measure struct {
	Name  string // value of the parameter "ordem"; "" for the default
	Text  string // column heading
	Above string // the order in words, above the table
	// Fields for maps. label is "" for the order by name, which has no map.
	label string
	value func(p *figures.Place) float64
	text  func(p *figures.Place) string
	note  func(p *figures.Place) string // caveat added to text; nil for none
	exact func(a, b *figures.Place) int // order; nil means by descending value
}

// Names of measures that code refers to. Maps show the one per inhabitant when the order is by
// name, because the others mostly show where people live.
const (
	perThousand = "por_mil"
	byName      = "nome"
)

// measuresOf returns the measures in column order, the default first, the order by name last. The
// one per inhabitant is left out when all has no population.
func measuresOf(all *figures.Places) []measure {
	opened := "abertos em " + strconv.Itoa(all.Year)
	measures := []measure{
		measure{
			Text: "Empresas ativas", Above: "por empresas ativas", label: "Empresas ativas",
		}.counting(func(p *figures.Place) int64 { return p.ActiveCompanies }),
		{
			Name: perThousand, Text: "Por mil habitantes", Above: "por empresas ativas por mil habitantes", label: "Empresas ativas por mil habitantes",
			value: (*figures.Place).PerThousand, text: func(p *figures.Place) string { return ptbr.Rate(p.PerThousand()) },
		},
		measure{
			Name: "aberturas", Text: "Aberturas em " + strconv.Itoa(all.Year), Above: "por estabelecimentos " + opened, label: "Estabelecimentos " + opened,
		}.counting(func(p *figures.Place) int64 { return p.OpenedInYear }),
		measure{
			Name: "baixas", Text: "Baixados", Above: "por estabelecimentos baixados", label: "Estabelecimentos baixados",
		}.counting(func(p *figures.Place) int64 { return p.ClosedEstablishments }),
		{
			Name: "capital", Text: "Capital social", Above: "pela soma do capital social das empresas ativas", label: "Capital social das empresas ativas",
			value: func(p *figures.Place) float64 {
				amount, _ := new(big.Float).SetInt(p.Capital).Float64()
				return amount
			},
			text:  func(p *figures.Place) string { return ptbr.Rounded(p.Capital) },
			note:  func(p *figures.Place) string { return ptbr.LeftOut(p.ImplausibleCompanies, p.PublishedCapital) },
			exact: func(a, b *figures.Place) int { return b.Capital.Cmp(a.Capital) },
		},
		{Name: byName, Text: "Nome", Above: "por nome", exact: func(a, b *figures.Place) int { return cmp.Compare(a.Slug, b.Slug) }},
	}
	if all.PeopleYear == 0 {
		measures = slices.DeleteFunc(measures, func(m measure) bool { return m.Name == perThousand })
	}
	return measures
}

// counting returns the measure with value and text taken from a count.
func (m measure) counting(count func(p *figures.Place) int64) measure {
	m.value = func(p *figures.Place) float64 { return float64(count(p)) }
	m.text = func(p *figures.Place) string { return ptbr.Count(count(p)) }
	return m
}

// compare orders places by the measure, most first. Capital is compared exactly as big.Int: a
// float64 would merge close sums.
func (m *measure) compare(a, b *figures.Place) int {
	if m.exact != nil {
		return m.exact(a, b)
	}
	return cmp.Compare(m.value(b), m.value(a))
}

// measureNamed finds a measure by the value of the parameter "ordem"; "" is the default.
func measureNamed(all []measure, name string) (measure, bool) {
	at := slices.IndexFunc(all, func(m measure) bool { return m.Name == name })
	if at < 0 {
		return measure{}, false
	}
	return all[at], true
}

// mapMeasure returns the measure that maps show when places are ordered by by: itself or, for the order
// by name, the one per inhabitant.
func mapMeasure(all []measure, by measure) measure {
	if by.label != "" {
		return by
	}
	if usual, ok := measureNamed(all, perThousand); ok {
		return usual
	}
	return all[0]
}
