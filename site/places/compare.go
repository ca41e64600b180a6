package places

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"razao/internal/ptbr"
	"razao/internal/record"
	"razao/internal/snapshot"
	"razao/internal/territory"
	"razao/site/page"
)

const (
	mostCompared   = 5
	choicesShown   = 20 // municipalities with a name
	neighborsShown = 5  // suggested beside the first one that was chosen
	comparedParts  = 5  // divisions of each
)

// ComparisonPath is where municipalities are compared, by IBGE's codes.
func ComparisonPath(codes ...string) string {
	v := url.Values{}
	for _, code := range codes {
		v.Add("m", code)
	}
	return page.WithParameters("/municipios/comparar", v)
}

// comparisonPage compares municipalities: one is a column.
type comparisonPage struct {
	page.Frame
	Crumbs     []page.Crumb
	Chosen     []compared
	Rows       []comparedRow // nil of fewer than two municipalities
	Full       bool          // no more can be added
	Name       string        // what is looked for in names; ""
	Choices    []choice
	Near       bool        // Choices are those of the same state, not those with a name
	More       int         // further choices
	Example    page.Crumb  // a comparison, when nothing is chosen
	CSV        string      // address of the same municipalities as a table
	PeopleYear int         // of the population; 0: nothing is said per inhabitant
	Since      record.Date // first day of the twelve months; 0 when they were not counted
}

func (*comparisonPage) Template() string { return "comparison" }

// choice is a municipality that can be added, and the address with it.
type choice struct {
	*snapshot.Place
	URL string
}

// compared is a municipality that was chosen.
type compared struct {
	*Summary // nil when it is alone
	Code     string
	Text     string // Campinas/SP
	URL      string
	Without  string // address of the comparison without it
}

// comparedRow is one figure of every municipality.
type comparedRow struct {
	Label string
	Cells []string
}

// comparison answers /municipios/comparar.
func (rm *Room) comparison(c *gin.Context, snap *snapshot.Snapshot) (page.Reply, error) {
	chosen, err := rm.readChosen(c)
	if err != nil {
		return page.Reply{}, err
	}
	all, err := snap.Places()
	if err != nil {
		return page.Reply{}, fmt.Errorf("comparison: %w", err)
	}
	a := asked{by: measuresOf(all)[0]}
	if err := a.readName(c); err != nil {
		return page.Reply{}, err
	}
	p := &comparisonPage{Full: len(chosen) == mostCompared, Name: a.name, PeopleYear: all.PeopleYear, Since: all.Lately}
	p.Crumbs = page.Trail("Municípios", "/municipios", "Comparar")
	p.describe(chosen, snap.Load.Period)
	if len(chosen) > 1 {
		for i, m := range chosen {
			in := Place{UF: m.UF, Municipio: m.RFB}
			if p.Chosen[i].Summary, err = rm.Summary(c.Request.Context(), snap, in, rm.namer(snap, in)); err != nil {
				return page.Reply{}, err
			}
		}
		p.compare()
	}
	places, err := ordered(snap, a.by)
	if err == nil && !p.Full {
		p.choose(&a, places, chosen)
	}
	return page.Reply{Page: p}, err
}

// readChosen returns the municipalities that an address names by IBGE's codes, each once. The error is one of the address.
func (rm *Room) readChosen(c *gin.Context) ([]territory.Municipality, error) {
	var chosen []territory.Municipality
	for _, code := range c.QueryArray("m") {
		m, ok := rm.atlas.ByIBGE(code)
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

// describe fills what follows from the address alone.
func (p *comparisonPage) describe(chosen []territory.Municipality, month string) {
	var codes, names []string
	for _, m := range chosen {
		codes, names = append(codes, m.IBGE), append(names, m.Name+"/"+m.UF)
	}
	for i, m := range chosen {
		p.Chosen = append(p.Chosen, compared{
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

// choose lists what can be added: municipalities with a name or, to one that is alone, the largest of its state.
func (p *comparisonPage) choose(a *asked, places []*snapshot.Place, chosen []territory.Municipality) {
	most := choicesShown
	if p.Near = a.name == ""; p.Near {
		if len(chosen) == 0 {
			first, second := places[0], places[1]
			p.Example = page.Crumb{Text: first.Name + " e " + second.Name, URL: ComparisonPath(first.Municipality.IBGE, second.Municipality.IBGE)}
		}
		if len(chosen) != 1 {
			return
		}
		a.uf.Code, most = chosen[0].UF, neighborsShown
	}
	var codes []string
	for _, m := range chosen {
		codes = append(codes, m.IBGE)
	}
	for _, place := range places {
		switch {
		case !a.holds(place) || slices.Contains(codes, place.Municipality.IBGE):
		case len(p.Choices) < most:
			p.Choices = append(p.Choices, choice{place, ComparisonPath(append(slices.Clone(codes), place.Municipality.IBGE)...)})
		default:
			p.More++
		}
	}
}

// compare fills the table.
func (p *comparisonPage) compare() {
	count := func(of func(s *Summary) int64) func(*Summary) string {
		return func(s *Summary) string { return ptbr.Count(of(s)) }
	}
	if p.row("Empresas ativas", count(func(s *Summary) int64 { return s.ActiveCompanies })); p.PeopleYear > 0 {
		p.row("Empresas ativas por mil habitantes", func(s *Summary) string { return s.peopled(ptbr.Rate(s.PerThousand())) })
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
	p.row("Estabelecimentos ativos", count(func(s *Summary) int64 { return s.ActiveEstablishments }))
	if p.Since != 0 {
		p.row("Abertos em doze meses", count(func(s *Summary) int64 { return s.Opened }))
		p.row("Baixados em doze meses", count(func(s *Summary) int64 { return s.Closed }))
	}
	p.row("Baixados, de qualquer ano", count(func(s *Summary) int64 { return s.ClosedEstablishments }))
	p.row("Capital social das empresas ativas", func(s *Summary) string {
		return ptbr.Join(", ", ptbr.Rounded(s.Capital), ptbr.LeftOut(s.ImplausibleCompanies, s.PublishedCapital))
	})
	p.sizes()
}

// row adds a figure of every municipality.
func (p *comparisonPage) row(label string, cell func(s *Summary) string) {
	row := comparedRow{Label: label}
	for i := range p.Chosen {
		row.Cells = append(row.Cells, cell(p.Chosen[i].Summary))
	}
	p.Rows = append(p.Rows, row)
}

// sizes adds the share that each porte has of the active companies.
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
			at := slices.IndexFunc(s.Sizes, func(b page.Bar) bool { return b.Text == porte })
			if at < 0 {
				return "0"
			}
			count := s.Sizes[at].Count
			return fmt.Sprintf("%s (%s%%)", ptbr.Count(count), ptbr.Number(page.Share(count, max(s.ActiveCompanies, 1))))
		})
	}
}

// Largest returns the largest divisions of a municipality.
func (c *compared) Largest() []page.Bar { return c.Divisions[:min(comparedParts, len(c.Divisions))] }
