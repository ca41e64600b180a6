package assistant

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"razao/index/figures"
	"razao/index/filter"
	"razao/internal/data/glossary"
	"razao/internal/data/ptbr"
	"razao/internal/store/registry"
)

const (
	usualRanked   = 10  // per page, by default
	mostRanked    = 100 // per page, at most
	mostComparing = 20  // municipalities that a query may name
	perThousand   = "por_mil_habitantes"
)

// RankingQuery asks for a ranking of municipalities, or for the figures of some.
type RankingQuery struct {
	UF         string   `json:"uf,omitempty" jsonschema:"sigla do estado; o país inteiro se ausente"`
	Municipios []string `json:"municipios,omitempty" jsonschema:"só estes municípios, para comparar: nomes com a sigla do estado (Campinas/SP) ou códigos; até 20"`
	Ordem      string   `json:"ordem,omitempty" jsonschema:"do maior para o menor; empresas_ativas se ausente" enum:"empresas_ativas,por_mil_habitantes,aberturas,baixadas,capital_social"`
	Limite     int      `json:"limite,omitempty" jsonschema:"municípios por página; 10 se ausente" minimum:"1" maximum:"100"`
	Cursor     string   `json:"cursor,omitempty" jsonschema:"o da página anterior"`
}

// Municipality is a row of the ranking, with the names and figures of /municipios.csv.
type Municipality struct {
	Posicao          int          `json:"posicao" jsonschema:"no estado pedido ou no país"`
	Municipio        string       `json:"municipio"`
	UF               string       `json:"uf"`
	Codigo           string       `json:"codigo_municipio" jsonschema:"código na Receita Federal"`
	CodigoIBGE       string       `json:"codigo_municipio_ibge"`
	EmpresasAtivas   int64        `json:"empresas_ativas"`
	Estabelecimentos int64        `json:"estabelecimentos_ativos"`
	Aberturas        int64        `json:"aberturas" jsonschema:"estabelecimentos abertos em ano_aberturas"`
	Baixadas         int64        `json:"baixadas" jsonschema:"estabelecimentos baixados"`
	CapitalSocial    json.Number  `json:"capital_social" jsonschema:"soma em reais, das empresas ativas, sem o que nenhuma empresa tem, como 999.999.999.999,00"`
	Improvaveis      int64        `json:"empresas_capital_improvavel" jsonschema:"empresas ativas que capital_social não conta"`
	CapitalPublicado json.Number  `json:"capital_social_publicado" jsonschema:"soma com o capital dessas empresas"`
	Populacao        *int         `json:"populacao" jsonschema:"estimativa de ano_populacao"`
	EmpresasPorMil   *json.Number `json:"empresas_ativas_por_mil_habitantes"`
	URL              string       `json:"url"`

	published *big.Int // CapitalPublicado in cents
}

// RankingAnswer is a page of the ranking.
type RankingAnswer struct {
	Origin
	Ordem        string   `json:"ordem"`
	AnoAberturas int      `json:"ano_aberturas"`
	AnoPopulacao int      `json:"ano_populacao" jsonschema:"0 quando as empresas são fictícias: nada é dito por habitante"`
	Avisos       []string `json:"avisos"`
	Page[Municipality]
}

// order compares two municipalities, the larger figure first.
type order func(a, b *figures.Place) int

// orders returns the comparison for each value of the argument ordem.
func orders() map[string]order {
	companies := func(a, b *figures.Place) int { return cmp.Compare(b.ActiveCompanies, a.ActiveCompanies) }
	return map[string]order{
		"":                companies,
		"empresas_ativas": companies,
		perThousand:       func(a, b *figures.Place) int { return cmp.Compare(b.PerThousand(), a.PerThousand()) },
		"aberturas":       func(a, b *figures.Place) int { return cmp.Compare(b.OpenedInYear, a.OpenedInYear) },
		"baixadas":        func(a, b *figures.Place) int { return cmp.Compare(b.ClosedEstablishments, a.ClosedEstablishments) },
		"capital_social":  func(a, b *figures.Place) int { return b.Capital.Cmp(a.Capital) },
	}
}

// Ranking returns a page of municipalities in an order. Named municipalities keep their position in
// the whole ranking. It needs the search index, which holds the figures (see [NeedsIndex]).
func (a *Assistant) Ranking(_ context.Context, q RankingQuery) (*RankingAnswer, error) {
	limit, err := limitOf(q.Limite, usualRanked, mostRanked)
	if err != nil {
		return nil, err
	}
	by, err := oneOf("ordem", q.Ordem, orders())
	if err != nil {
		return nil, err
	}
	uf, err := a.uf(q.UF)
	if err != nil {
		return nil, err
	}
	chosen, err := a.chosen(q.Municipios, uf)
	if err != nil {
		return nil, err
	}
	snap, err := a.acquire()
	if err != nil {
		return nil, err
	}
	defer snap.Release()
	ordem := cmp.Or(q.Ordem, "empresas_ativas")
	w := walk{fmt.Sprint("ranking ", uf, chosen, ordem), snap.StateOf(filter.Set{})}
	from, err := w.from(q.Cursor)
	if err != nil {
		return nil, err
	}
	places, err := snap.Places()
	if err != nil {
		return nil, fmt.Errorf("ranking of municipalities: %w", err)
	}
	if ordem == perThousand && places.PeopleYear == 0 {
		return nil, refuse(Malformed, "As empresas desta carga são fictícias e não se comparam com a população: escolha outra ordem.")
	}
	towns := ranked(places.Municipalities, uf, by)
	if len(chosen) > 0 {
		towns = slices.DeleteFunc(towns, func(t rankedTown) bool { return !slices.Contains(chosen, t.Municipality.RFB) })
	}
	path := "/municipios"
	if uf != "" {
		path = statePath(uf)
	}
	return &RankingAnswer{
		Origin: a.origin(snap, path), Ordem: ordem, AnoAberturas: places.Year, AnoPopulacao: places.PeopleYear,
		Avisos: a.caveats(glossary.Caveats([]string{"empresas_ativas", "capital_social"})),
		Page:   pageOf(towns, registry.Range{From: from, Limit: limit}, w, a.town),
	}, nil
}

// chosen returns the RFB codes of the municipalities that a query names, which must be in uf
// unless it is "".
func (a *Assistant) chosen(names []string, uf string) ([]string, error) {
	if len(names) > mostComparing {
		return nil, refuse(Malformed, "São municípios demais: envie até %d.", mostComparing)
	}
	var codes []string
	for _, name := range names {
		if strings.TrimSpace(name) == "" {
			return nil, refuse(Malformed, "Há um município sem nome em municipios.")
		}
		m, err := a.municipality(strings.TrimSpace(name), uf)
		if err != nil {
			return nil, err
		}
		if uf != "" && m.UF != uf {
			return nil, refuse(Malformed, "O município %s/%s não é do estado %s: retire uf para comparar municípios de vários estados.", m.Name, m.UF, uf)
		}
		codes = append(codes, m.RFB)
	}
	return codes, nil
}

// rankedTown is a municipality with its position in the ranking, from 1.
type rankedTown struct {
	*figures.Place
	position int
}

// ranked sorts the municipalities of a UF, or all if uf is "". It does not change the slice all.
func ranked(all []figures.Place, uf string, by order) []rankedTown {
	if uf != "" {
		all = slices.DeleteFunc(slices.Clone(all), func(p figures.Place) bool { return p.UF != uf })
	}
	var towns []rankedTown
	for i, town := range figures.Ranked(all, by) {
		towns = append(towns, rankedTown{town, i + 1})
	}
	return towns
}

// town converts a place. Figures per inhabitant are nil for invented companies, whose places have
// no population.
func (a *Assistant) town(p rankedTown) Municipality {
	t := Municipality{
		Posicao: p.position, Municipio: p.Name, UF: p.UF, Codigo: p.Municipality.RFB, CodigoIBGE: p.Municipality.IBGE,
		EmpresasAtivas: p.ActiveCompanies, Estabelecimentos: p.ActiveEstablishments, Aberturas: p.OpenedInYear,
		Baixadas: p.ClosedEstablishments, CapitalSocial: sum(p.Capital), Improvaveis: p.ImplausibleCompanies,
		CapitalPublicado: sum(p.PublishedCapital), published: p.PublishedCapital, URL: a.baseURL + statePath(p.UF) + "/" + p.Slug,
	}
	if p.Population > 0 {
		rate := json.Number(strconv.FormatFloat(p.PerThousand(), 'f', 3, 64))
		t.Populacao, t.EmpresasPorMil = &p.Population, &rate
	}
	return t
}

func statePath(uf string) string { return "/uf/" + strings.ToLower(uf) }

// sum converts cents to a JSON number with two decimals, without rounding.
func sum(cents *big.Int) json.Number {
	return json.Number(new(big.Rat).SetFrac(cents, big.NewInt(100)).FloatString(2))
}

// Text lists the municipalities.
func (r *RankingAnswer) Text() string {
	var t text
	people := "empresas fictícias: nada é dito por habitante"
	if r.AnoPopulacao > 0 {
		people = fmt.Sprint("população estimada em ", r.AnoPopulacao)
	}
	t.line("Municípios por %s: %s; nesta página: %d. Aberturas de %d; %s.",
		strings.ReplaceAll(r.Ordem, "_", " "), ptbr.Count(r.Total), len(r.Itens), r.AnoAberturas, people)
	for i := range r.Itens {
		r.Itens[i].write(&t)
	}
	for _, caveat := range r.Avisos {
		t.line("%s", caveat)
	}
	t.more("ranking_municipios", r.ProximoCursor)
	t.origin(&r.Origin)
	return t.String()
}

// write writes a municipality as a line of a text.
func (m *Municipality) write(t *text) {
	companies := ptbr.Count(m.EmpresasAtivas) + " empresas ativas"
	if m.EmpresasPorMil != nil {
		companies += " (" + ptbr.Number(m.EmpresasPorMil.String()) + " por mil habitantes)"
	}
	capital := ptbr.Join(", ", ptbr.Amount("R$", m.CapitalSocial.String()), ptbr.LeftOut(m.Improvaveis, m.published))
	t.line("%d. %s/%s: %s, %s estabelecimentos ativos, %s aberturas, %s baixadas, capital social %s. %s",
		m.Posicao, m.Municipio, m.UF, companies, ptbr.Count(m.Estabelecimentos), ptbr.Count(m.Aberturas),
		ptbr.Count(m.Baixadas), ptbr.Plain(capital), m.URL)
}
