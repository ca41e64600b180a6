package site

import (
	"context"
	"math/big"
	"net/url"
	"strconv"
	"strings"
	"time"

	"razao/index"
	"razao/internal/cnpj"
	"razao/internal/ptbr"
	"razao/internal/registry"
	"razao/internal/snapshot"
	"razao/internal/territory"
)

// componentsPage shows every component of the design with invented content, for those who work on the site.
type componentsPage struct {
	frame
	listing
	Crumbs  []crumb
	Colours []string // tokens without their dashes
	Badges  []status
	Sizes   []bar
	Columns columnChart
	Chart   *yearChart
	Map     *stateMap
	Dots    *dotMap
	Near    *dotMap
	Places  []placeRow
	Cards   []card
	Code    code
	Last    pager
}

func (*componentsPage) template() string { return "components" }

// components answers /componentes.
func (s *Site) components(context.Context, *snapshot.Snapshot) page {
	p := &componentsPage{
		Colours: []string{"paper", "sheet", "ink", "soft", "rule", "green", "green-wash", "amber", "amber-wash"},
		Crumbs:  []crumb{{"Início", "/"}, {"Componentes", ""}},
		Badges:  []status{{Text: "Ativa", Tone: "ok"}, {Text: "Inapta", Tone: "fact"}, {Text: "Baixada", Tone: "mute"}},
		Sizes:   bars([]bar{{"Microempresa", "/componentes", 1330, ""}, {"Empresa de Pequeno Porte", "", 104, ""}, {"Demais", "", 348, ""}}),
		Chart:   newYearChart(inventedYears(), "2026-09", true),
		Code:    code{"Um comando", "curl -H \"Authorization: Bearer $RAZAO_CHAVE\" \\\n  \"$RAZAO_URL/v2/empresas/12345678/full\""},
		Cards:   exampleCards(),
		listing: exampleListing(),
	}
	p.Columns = newColumnChart(p.Sizes)
	p.NoIndex, p.SearchInContent = true, true
	p.Title, p.Canonical = "Componentes", "/componentes"
	p.Description = "Todos os componentes do site, com conteúdo inventado."
	p.Last = pagerOf("Páginas de um exemplo", 3, 20, 187, func(int) string { return "/componentes" })
	p.Last.Ends = true
	s.exampleMaps(p)
	return p
}

// exampleMaps draws maps of invented figures: the more inhabitants, the more companies.
func (s *Site) exampleMaps(p *componentsPage) {
	var states, all, near []placeRow
	people := map[string]int{}
	for _, m := range s.atlas.Municipalities() {
		row := placeRow{Name: m.Name, UF: m.UF, URL: "/componentes", Companies: int64(m.Population / 20), Population: m.Population, municipality: m}
		people[m.UF] += m.Population
		all = append(all, row)
		if m.UF == "SC" {
			near = append(near, row)
		}
	}
	for i, uf := range s.atlas.UFs() {
		if uf.Code != territory.Abroad {
			states = append(states, placeRow{
				Name: uf.Name, UF: uf.Code, URL: "/componentes", Companies: int64(people[uf.Code] / 20 * (i % 7)), Population: people[uf.Code],
				Capital: new(big.Int),
			})
		}
	}
	p.Map = newStateMap(s.outlines, states, measures[perThousand])
	p.Dots, p.Near = newDotMap(s.outlines, all), newStateDots(s.outlines["SC"], "SC", near)
	p.Places = near[:min(9, len(near))]
}

func inventedYears() *index.PlaceFigures {
	var f index.PlaceFigures
	for year := 2000; year <= 2026; year++ {
		n := int64(year-1995) * int64(20+year%6)
		f.Openings = append(f.Openings, index.OpeningCount{Situacao: situacaoAtiva, Year: year, Count: n})
		f.Closings = append(f.Closings, index.ClosingCount{Year: year, Count: n / 2})
	}
	return &f
}

// exampleCards are one of each state of a source, and one of old data.
func exampleCards() []card {
	loaded := time.Date(2026, 10, 2, 9, 0, 0, 0, time.UTC)
	from := registry.Provenance{Orgao: "Órgão de exemplo", Conjunto: "Conjunto de exemplo", Licenca: "CC BY 4.0"}
	cards := []card{
		{
			ID: "encontrado", Status: registry.Found, Total: 1, From: 1, Columns: []column{{Label: "Inscrição", Class: "id"}, {Label: "Descrição", Class: "wide"}, {Label: "Valor", Class: "num"}},
			Rows: []recordRow{{"registro-1", [][]piece{
				one(piece{Text: "80 6 19 000123-45"}),
				{shortened("Texto longo, como as fontes publicam. " + strings.Repeat("Continua e continua. ", 8)), {Text: "em cobrança", Soft: true}},
				one(piece{Text: "R$" + ptbr.NBSP + "18.204,11"}),
			}}},
		},
		{ID: "sem_ocorrencia", Status: registry.None, Stale: true},
		{ID: "indisponivel", Status: registry.Unavailable},
		{ID: "erro", Status: registry.Failed},
	}
	for i := range cards {
		c := &cards[i]
		c.Title, c.Description, c.Provenance = "Fonte de exemplo "+strconv.Itoa(i+1), "O que a fonte publica, em uma frase.", from
		if c.Found() || c.None() {
			c.Period, c.LoadedAt, c.Coverage = "06/2026", &loaded, "01/2023"
		}
	}
	return cards
}

func exampleListing() listing {
	here := &url.URL{Path: "/componentes"}
	values := []facetValue{{"São Paulo", 1806, "/componentes", true}, {"Minas Gerais", 819, "/componentes", false}}
	number, _ := cnpj.ParseFull("12345678000195")
	return listing{
		Chips: []chip{{"Estado: São Paulo", "/componentes"}}, Filtered: 1,
		Facets: []facet{{Label: "Estado", First: values, Rest: values[1:], Note: "Conforme a última construção do índice."}, {Label: "Abertura", First: values[1:], Years: &yearForm{Action: "/componentes"}}},
		Orders: []orderLink{{&order{Text: "maior capital"}, "/componentes", true}, {&order{Text: "nome"}, "/componentes", false}},
		Total:  187, Pager: newPager("Páginas de resultados", here, "pagina", "", 1, resultsPerPage, 187),
		Results: []result{
			{
				CNPJ: number, Name: "PADARIA ESTRELA DO SUL LTDA", TradeName: "ESTRELA DO SUL PÃES E DOCES", HeadOffice: "Matriz", City: "Campinas/SP",
				Status: status{Text: "Ativa", Tone: "ok"}, Activity: activity{Code: "1091-1/02", Text: "Fabricação de produtos de padaria"}, Reason: "Encontrada pelo nome",
			},
			{CNPJ: number, Name: "UMA RAZÃO SOCIAL COMPRIDA O BASTANTE PARA OCUPAR MAIS DE UMA LINHA EM QUALQUER TELEFONE LTDA", Status: status{Text: "Baixada", Tone: "mute"}},
		},
	}
}
