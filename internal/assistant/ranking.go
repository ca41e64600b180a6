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
	"time"

	"razao/index"
	"razao/internal/snapshot"
	"razao/internal/territory"
)

const (
	usualRanked   = 10
	mostRanked    = 100
	mostComparing = 20 // municipalities that one question may name

	situacaoAtiva   = "02"
	situacaoBaixada = "08"
)

// RankingQuestion asks for the figures of municipalities, in order.
type RankingQuestion struct {
	UF         string   `json:"uf,omitempty" jsonschema:"sigla do estado; o país inteiro se ausente"`
	Municipios []string `json:"municipios,omitempty" jsonschema:"só estes municípios, para comparar: nomes com a sigla do estado (Campinas/SP) ou códigos; até 20"`
	Ordem      string   `json:"ordem,omitempty" jsonschema:"do maior para o menor; empresas_ativas se ausente" enum:"empresas_ativas,por_mil_habitantes,aberturas,baixadas,capital_social"`
	Limite     int      `json:"limite,omitempty" jsonschema:"municípios por página; 10 se ausente" minimum:"1" maximum:"100"`
	Cursor     string   `json:"cursor,omitempty" jsonschema:"proximo_cursor da página anterior"`
}

// Municipality is one municipality of the ranking, with the figures and names of /municipios.csv.
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
	CapitalSocial    json.Number  `json:"capital_social" jsonschema:"soma em reais, das empresas ativas"`
	Populacao        *int         `json:"populacao" jsonschema:"estimativa de ano_populacao"`
	EmpresasPorMil   *json.Number `json:"empresas_ativas_por_mil_habitantes"`
	URL              string       `json:"url"`

	slug    string
	capital *big.Int // cents
}

func (t *Municipality) perThousand() float64 {
	if t.Populacao == nil {
		return 0
	}
	return float64(t.EmpresasAtivas) * 1000 / float64(*t.Populacao)
}

// RankingAnswer is a page of municipalities in an order.
type RankingAnswer struct {
	Origin
	Ordem        string `json:"ordem"`
	AnoAberturas int    `json:"ano_aberturas"`
	AnoPopulacao int    `json:"ano_populacao"`
	Page[Municipality]
}

// figures are those of all municipalities in one snapshot. They are never changed.
type figures struct {
	snapshot int64
	year     int // of the openings: the last one that is complete
	towns    []Municipality
}

// order compares two municipalities, the larger figure first.
type order func(a, b *Municipality) int

func orders() map[string]order {
	companies := func(a, b *Municipality) int { return cmp.Compare(b.EmpresasAtivas, a.EmpresasAtivas) }
	return map[string]order{
		"":                   companies,
		"empresas_ativas":    companies,
		"por_mil_habitantes": func(a, b *Municipality) int { return cmp.Compare(b.perThousand(), a.perThousand()) },
		"aberturas":          func(a, b *Municipality) int { return cmp.Compare(b.Aberturas, a.Aberturas) },
		"baixadas":           func(a, b *Municipality) int { return cmp.Compare(b.Baixadas, a.Baixadas) },
		"capital_social":     func(a, b *Municipality) int { return b.capital.Cmp(a.capital) },
	}
}

// Ranking answers with municipalities in an order.
func (a *Assistant) Ranking(_ context.Context, q RankingQuestion) (*RankingAnswer, error) {
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
	w := walk{fmt.Sprint("ranking ", uf, chosen, ordem), "index " + snap.View.Snapshot.IndexName}
	from, err := w.from(q.Cursor)
	if err != nil {
		return nil, err
	}
	all := a.figuresOf(snap)
	towns := all.ranked(uf, by)
	if len(chosen) > 0 {
		towns = slices.DeleteFunc(towns, func(t Municipality) bool { return !slices.Contains(chosen, t.Codigo) })
	}
	path := "/municipios"
	if uf != "" {
		path = statePath(uf)
	}
	answer := &RankingAnswer{Origin: a.origin(snap, path), Ordem: ordem, AnoAberturas: all.year, AnoPopulacao: territory.PopulationYear}
	first := min(from, len(towns))
	answer.Itens = towns[first:min(first+limit, len(towns))]
	answer.closing(len(towns), first, w)
	return answer, nil
}

// chosen returns the codes of the municipalities that a question names.
func (a *Assistant) chosen(names []string, uf string) ([]string, error) {
	if len(names) > mostComparing {
		return nil, refuse(Malformed, "São municípios demais: envie até %d.", mostComparing)
	}
	var codes []string
	for _, name := range names {
		if strings.TrimSpace(name) == "" {
			return nil, refuse(Malformed, "Há um município sem nome em municipios.")
		}
		m, err := a.findMunicipality(strings.TrimSpace(name), uf)
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

// ranked returns the municipalities of a UF, or all, in an order: equal ones by number of active companies, then by name.
func (f *figures) ranked(uf string, by order) []Municipality {
	var towns []Municipality
	for _, t := range f.towns {
		if uf == "" || t.UF == uf {
			towns = append(towns, t)
		}
	}
	slices.SortStableFunc(towns, func(a, b Municipality) int {
		return cmp.Or(by(&a, &b), cmp.Compare(b.EmpresasAtivas, a.EmpresasAtivas), cmp.Compare(a.slug, b.slug))
	})
	for i := range towns {
		towns[i].Posicao = i + 1
	}
	return towns
}

// figuresOf returns the figures of a snapshot, added up when it is first asked for them.
func (a *Assistant) figuresOf(snap *snapshot.Snapshot) *figures {
	a.mu.Lock()
	defer a.mu.Unlock()
	if id := snap.View.Snapshot.ID; a.figures == nil || a.figures.snapshot != id {
		a.figures = a.addUp(snap)
	}
	return a.figures
}

func (a *Assistant) addUp(snap *snapshot.Snapshot) *figures {
	f := &figures{snapshot: snap.View.Snapshot.ID, year: lastWholeYear(snap.Load.Period)}
	rankings := snap.Index.Rankings()
	for _, m := range a.atlas.Municipalities() {
		if m.UF == territory.Abroad {
			continue
		}
		place, _ := rankings.Municipality(m.RFB)
		f.towns = append(f.towns, a.municipalityFigures(&m, &place, f.year))
	}
	return f
}

func (a *Assistant) municipalityFigures(m *territory.Municipality, place *index.PlaceFigures, year int) Municipality {
	t := Municipality{
		Municipio: m.Name, UF: m.UF, Codigo: m.RFB, CodigoIBGE: m.IBGE, EmpresasAtivas: place.ActiveCompanies,
		URL: a.baseURL + statePath(m.UF) + "/" + m.Slug, slug: m.Slug, capital: place.Capital,
	}
	if t.capital == nil { // no establishment at all
		t.capital = new(big.Int)
	}
	t.CapitalSocial = sum(t.capital)
	for _, o := range place.Openings {
		switch o.Situacao {
		case situacaoAtiva:
			t.Estabelecimentos += o.Count
		case situacaoBaixada:
			t.Baixadas += o.Count
		}
		if o.Year == year {
			t.Aberturas += o.Count
		}
	}
	if m.Population > 0 {
		t.Populacao = &m.Population
		rate := json.Number(strconv.FormatFloat(t.perThousand(), 'f', 3, 64))
		t.EmpresasPorMil = &rate
	}
	return t
}

func statePath(uf string) string { return "/uf/" + strings.ToLower(uf) }

// sum writes a sum of cents as an exact amount.
func sum(cents *big.Int) json.Number {
	digits := cents.String()
	if len(digits) < 3 {
		digits = strings.Repeat("0", 3-len(digits)) + digits
	}
	return json.Number(digits[:len(digits)-2] + "." + digits[len(digits)-2:])
}

// lastWholeYear returns the last year that ends by a month (AAAA-MM), 0 for a load under another name.
func lastWholeYear(month string) int {
	t, err := time.Parse("2006-01", month)
	if err != nil {
		return 0
	}
	return t.AddDate(0, 1, 0).Year() - 1
}

// Text lists the municipalities.
func (r *RankingAnswer) Text() string {
	var t text
	t.line("Municípios por %s: %s; nesta página: %d. Aberturas de %d; população estimada em %d.",
		strings.ReplaceAll(r.Ordem, "_", " "), count(r.Total), len(r.Itens), r.AnoAberturas, r.AnoPopulacao)
	for i := range r.Itens {
		town := &r.Itens[i]
		rate := "sem estimativa de população"
		if town.EmpresasPorMil != nil {
			rate = strings.ReplaceAll(town.EmpresasPorMil.String(), ".", ",") + " por mil habitantes"
		}
		t.line("%d. %s/%s: %s empresas ativas (%s), %s estabelecimentos ativos, %s aberturas, %s baixadas, capital social %s. %s",
			town.Posicao, town.Municipio, town.UF, count(town.EmpresasAtivas), rate, count(town.Estabelecimentos), count(town.Aberturas),
			count(town.Baixadas), money(&town.CapitalSocial), town.URL)
	}
	t.more("ranking_municipios", r.ProximoCursor)
	t.origin(&r.Origin)
	return t.String()
}
