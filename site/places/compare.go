package places

import (
	"cmp"
	"fmt"
	"math/big"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"razao/index/figures"
	"razao/internal/data/ptbr"
	"razao/internal/data/record"
	"razao/internal/data/territory"
	"razao/internal/store/snapshot"
	"razao/site/chart"
	"razao/site/page"
)

// Bounds of a comparison.
const (
	mostCompared   = 5
	choicesShown   = 20 // municipalities found by name
	neighborsShown = 5  // suggested from the state of the first choice
	comparedParts  = 5  // CNAE divisions listed for each
)

// ComparisonPath returns the path that compares municipalities, given their seven-digit IBGE codes.
func ComparisonPath(codes ...string) string {
	v := url.Values{}
	for _, code := range codes {
		v.Add("m", code)
	}
	return page.WithParameters("/municipios/comparar", v)
}

// comparisonPage is the view model of /municipios/comparar: one column per municipality, one row
// per figure.
type comparisonPage struct {
	page.Frame
	Chosen     []comparedMunicipality
	Rows       []comparedRow // nil with fewer than two municipalities
	Bars       []*chart.Bars // of the same figures, a chart for each, with a bar for each municipality
	Full       bool          // mostCompared are chosen
	Name       string        // name typed to find more; "" for none
	Choices    []choice
	Near       bool        // Choices are suggestions from the same state, not found by name
	More       int         // matches beyond Choices
	Example    page.Crumb  // link to an example, when nothing is chosen
	CSV        string      // the same municipalities as CSV
	PeopleYear int         // year of the population estimate; 0: say nothing per inhabitant
	Since      record.Date // first day of the last twelve months; 0 when the index has no such counts
}

// choice is a municipality that can be added; URL is the comparison with it.
type choice struct {
	*figures.Place
	URL string
}

// comparedMunicipality is a chosen municipality.
type comparedMunicipality struct {
	*Summary // nil when only one is chosen: nothing to compare
	Code     string
	Text     string // Campinas/SP
	URL      string
	Without  string         // the comparison without it
	Years    *chart.Columns // openings and closings, to the scale of all; nil when the load has no month
}

// comparedRow is one figure, with a cell for each chosen municipality.
type comparedRow struct {
	Label string
	Cells []string
}

// comparison answers /municipios/comparar.
func (hs *Handlers) comparison(c *gin.Context, snap *snapshot.Snapshot) (page.Reply, error) {
	chosen, err := hs.readChosen(c)
	if err != nil {
		return page.Reply{}, err
	}
	all, err := snap.Places()
	if err != nil {
		return page.Reply{}, fmt.Errorf("comparison: %w", err)
	}
	q := rankingQuery{by: measuresOf(all)[0]}
	if err := q.readName(c, hs.towns); err != nil {
		return page.Reply{}, err
	}
	p := &comparisonPage{Full: len(chosen) == mostCompared, Name: q.name, PeopleYear: all.PeopleYear, Since: all.Lately}
	p.Crumbs = page.Trail("Municípios", "/municipios", "Comparar")
	p.describe(chosen, snap.Load.Period)
	if len(chosen) > 1 {
		for i, m := range chosen {
			in := Place{UF: m.UF, Municipio: m.RFB}
			if p.Chosen[i].Summary, err = hs.Summary(c.Request.Context(), snap, in, hs.namer(snap, in)); err != nil {
				return page.Reply{}, err
			}
		}
		p.compare()
	}
	places, err := ordered(snap, q.by)
	if err == nil && !p.Full {
		p.choose(&q, places, chosen)
	}
	return page.Reply{Page: p}, err
}

// readChosen parses the municipalities of the address, IBGE codes in parameters m, dropping
// repetitions. The error is a *page.InvalidParameter.
func (hs *Handlers) readChosen(c *gin.Context) ([]territory.Municipality, error) {
	var chosen []territory.Municipality
	for _, code := range c.QueryArray("m") {
		m, ok := hs.atlas.ByIBGE(code)
		switch {
		case code == "" || slices.Contains(chosen, m):
		case !ok:
			return nil, unknown("m", "O município", code, "Deve ser o código de um município no IBGE, com sete dígitos.")
		case len(chosen) == mostCompared:
			return nil, unknown("m", "O sexto município", code, "Uma comparação tem no máximo cinco.")
		default:
			chosen = append(chosen, m)
		}
	}
	return chosen, nil
}

// describe fills in what follows from the address alone.
func (p *comparisonPage) describe(chosen []territory.Municipality, month string) {
	var codes, names []string
	for _, m := range chosen {
		codes, names = append(codes, m.IBGE), append(names, m.Name+"/"+m.UF)
	}
	for i, m := range chosen {
		p.Chosen = append(p.Chosen, comparedMunicipality{
			Code: m.IBGE, Text: names[i], URL: page.MunicipalityPath(m), Without: ComparisonPath(slices.Delete(slices.Clone(codes), i, i+1)...),
		})
	}
	p.Title = "Comparar municípios"
	if len(names) > 1 {
		p.Title = "Comparação: " + strings.Join(names, ", ")
		p.CSV = page.WithParameters("/municipios.csv", url.Values{"m": codes})
	}
	p.Description = "Até cinco municípios lado a lado: empresas ativas, por mil habitantes, aberturas, baixas, capital social, portes e setores, " +
		"competência " + ptbr.Month(month) + "."
	p.Canonical = ComparisonPath(codes...)
	p.NoIndex = len(chosen) > 0 || p.Name != ""
}

// choose fills in the municipalities to add: those whose name matches, or the largest of the same
// state when one is chosen and no name was typed. places are in order of active companies.
func (p *comparisonPage) choose(q *rankingQuery, places []*figures.Place, chosen []territory.Municipality) {
	most := choicesShown
	if p.Near = q.name == ""; p.Near {
		if len(chosen) == 0 {
			first, second := places[0], places[1]
			p.Example = page.Crumb{Text: first.Name + " e " + second.Name, URL: ComparisonPath(first.Municipality.IBGE, second.Municipality.IBGE)}
		}
		if len(chosen) != 1 {
			return
		}
		q.uf.Code, most = chosen[0].UF, neighborsShown
	}
	var codes []string
	for _, m := range chosen {
		codes = append(codes, m.IBGE)
	}
	for _, place := range places {
		switch {
		case !q.matches(place) || slices.Contains(codes, place.Municipality.IBGE):
		case len(p.Choices) < most:
			p.Choices = append(p.Choices, choice{place, ComparisonPath(append(slices.Clone(codes), place.Municipality.IBGE)...)})
		default:
			p.More++
		}
	}
}

// compare fills in the rows and the charts.
func (p *comparisonPage) compare() {
	count := func(label string, of func(s *Summary) int64) {
		p.row(label, func(s *Summary) string { return ptbr.Count(of(s)) })
		p.bars(label, func(s *Summary) float64 { return float64(of(s)) })
	}
	count("Empresas ativas", func(s *Summary) int64 { return s.ActiveCompanies })
	if p.PeopleYear > 0 {
		p.row("Empresas ativas por mil habitantes", func(s *Summary) string { return s.peopled(ptbr.Rate(s.PerThousand())) })
		p.bars("Empresas ativas por mil habitantes", func(s *Summary) float64 { return s.PerThousand() })
		p.row("População em "+strconv.Itoa(p.PeopleYear), func(s *Summary) string { return s.peopled(s.People()) })
	}
	for _, label := range []string{inCountry, inState} {
		p.row(label+", por empresas ativas", func(s *Summary) string {
			at := slices.IndexFunc(s.Standings, func(one standing) bool { return one.Label == label })
			if at < 0 {
				return "nenhuma"
			}
			return s.Standings[at].First
		})
	}
	count("Estabelecimentos ativos", func(s *Summary) int64 { return s.ActiveEstablishments })
	if p.Since != 0 {
		count("Abertos em doze meses", func(s *Summary) int64 { return s.Opened })
		count("Baixados em doze meses", func(s *Summary) int64 { return s.Closed })
	}
	p.row("Baixados, de qualquer ano", func(s *Summary) string { return ptbr.Count(s.ClosedEstablishments) })
	if p.PeopleYear == 0 { // in place of what is said per inhabitant: six charts, two abreast
		p.bars("Baixados, de qualquer ano", func(s *Summary) float64 { return float64(s.ClosedEstablishments) })
	}
	p.row("Capital social das empresas ativas", func(s *Summary) string {
		return ptbr.Join(", ", ptbr.Rounded(s.Capital), ptbr.LeftOut(s.ImplausibleCompanies, s.PublishedCapital))
	})
	p.bars("Capital social das empresas ativas", func(s *Summary) float64 {
		amount, _ := new(big.Float).SetInt(s.Capital).Float64()
		return amount
	})
	p.sizes()
	p.scale()
}

// bars draws the last row: a bar for each municipality, with the text of its cell.
func (p *comparisonPage) bars(label string, value func(s *Summary) float64) {
	b := &chart.Bars{Label: "Gráfico: " + label, Caption: label, What: "Município", Unit: label, Brief: true}
	var most float64
	for i := range p.Chosen {
		most = max(most, value(p.Chosen[i].Summary))
	}
	for i := range p.Chosen {
		one := &p.Chosen[i]
		b.Rows = append(b.Rows, chart.Bar{Text: one.Text, Said: p.Rows[len(p.Rows)-1].Cells[i], Width: chart.Share(value(one.Summary), cmp.Or(most, 1))})
	}
	p.Bars = append(p.Bars, b)
}

// scale gives the charts by year one scale. The charts of summaries are shared, so it copies them.
func (p *comparisonPage) scale() {
	var most [2]int64
	for i := range p.Chosen {
		if years := p.Chosen[i].Chart; years != nil {
			for _, point := range years.Points {
				most = [2]int64{max(most[0], point.Values[0]), max(most[1], point.Values[1])}
			}
		}
	}
	for i := range p.Chosen {
		if years := p.Chosen[i].Chart; years != nil {
			own := *years
			own.Most = most
			p.Chosen[i].Years = &own
		}
	}
}

// row adds a figure, computed for each chosen municipality.
func (p *comparisonPage) row(label string, cell func(s *Summary) string) {
	row := comparedRow{Label: label}
	for i := range p.Chosen {
		row.Cells = append(row.Cells, cell(p.Chosen[i].Summary))
	}
	p.Rows = append(p.Rows, row)
}

// sizes adds a row for each porte that any of the municipalities has: count and share of the active
// companies.
func (p *comparisonPage) sizes() {
	var portes []string
	for i := range p.Chosen {
		for _, bar := range p.Chosen[i].Sizes {
			if !slices.Contains(portes, bar.Text) {
				portes = append(portes, bar.Text)
			}
		}
	}
	for _, porte := range portes {
		p.row("Porte: "+porte, func(s *Summary) string {
			at := slices.IndexFunc(s.Sizes, func(b chart.Bar) bool { return b.Text == porte })
			if at < 0 {
				return "0"
			}
			count := s.Sizes[at].Count
			return fmt.Sprintf("%s (%s%%)", ptbr.Count(count), ptbr.Number(chart.Share(count, max(s.ActiveCompanies, 1))))
		})
	}
}

// Largest returns the CNAE divisions with most active companies.
func (c *comparedMunicipality) Largest() []chart.Bar {
	return c.Divisions[:min(comparedParts, len(c.Divisions))]
}
