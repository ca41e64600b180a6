package assistant

import (
	"math/big"
	"slices"
	"strings"
	"testing"

	"razao/internal/testing/fixture"
)

// TestInventedCompaniesAreNotPerInhabitant expects no figures per inhabitant for invented
// companies.
func TestInventedCompaniesAreNotPerInhabitant(t *testing.T) {
	t.Parallel()
	a := open(t, fixture.Shared(t))
	if _, err := a.Ranking(t.Context(), RankingQuery{Ordem: "por_mil_habitantes"}); refusalOf(t, err).Kind != Malformed {
		t.Error(err)
	}
	got, err := a.Ranking(t.Context(), RankingQuery{})
	if err != nil || got.AnoPopulacao != 0 || got.Itens[0].Populacao != nil || got.Itens[0].EmpresasPorMil != nil || strings.Contains(got.Text(), "por mil") {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestRankingSetsImplausibleCapitalApart checks Campinas, where a chain of the fixture has a
// capital of 999.999.999.999,00.
func TestRankingSetsImplausibleCapitalApart(t *testing.T) {
	t.Parallel()
	a := open(t, fixture.Shared(t))
	got, err := a.Ranking(t.Context(), RankingQuery{Ordem: "capital_social", Municipios: []string{"6291"}})
	if err != nil {
		t.Fatal(err)
	}
	m := got.Itens[0]
	capital, _ := new(big.Rat).SetString(m.CapitalSocial.String())
	with, _ := new(big.Rat).SetString(m.CapitalPublicado.String())
	if m.Improvaveis != 1 || new(big.Rat).Sub(with, capital).Cmp(big.NewRat(999_999_999_999, 1)) != 0 {
		t.Errorf("%+v", m)
	}
	if text := got.Text(); !strings.Contains(text, ", sem 1 empresa de capital improvável; com ela R$ 1,0 trilhão. ") {
		t.Error(text)
	}
	chain, err := a.Record(t.Context(), RecordQuery{CNPJ: fixture.Chain})
	if err != nil || !strings.Contains(chain.Text(), "R$ 999.999.999.999,00 (valor publicado, improvável).") {
		t.Errorf("%v, %v", chain, err)
	}
}

func TestRankingOrders(t *testing.T) {
	t.Parallel()
	a := open(t, published.Shared(t))
	figure := map[string]func(*Municipality) float64{
		"empresas_ativas":    func(m *Municipality) float64 { return float64(m.EmpresasAtivas) },
		"por_mil_habitantes": func(m *Municipality) float64 { f, _ := m.EmpresasPorMil.Float64(); return f },
		"aberturas":          func(m *Municipality) float64 { return float64(m.Aberturas) },
		"baixadas":           func(m *Municipality) float64 { return float64(m.Baixadas) },
		"capital_social":     func(m *Municipality) float64 { f, _ := m.CapitalSocial.Float64(); return f },
	}
	for ordem, of := range figure {
		got, err := a.Ranking(t.Context(), RankingQuery{Ordem: ordem, Limite: 5})
		if err != nil {
			t.Fatal(err)
		}
		if got.Itens[0].Posicao != 1 || got.Ordem != ordem || of(&got.Itens[0]) == 0 && ordem != "aberturas" {
			t.Errorf("%s: %+v", ordem, got.Itens[0])
		}
		if !slices.IsSortedFunc(got.Itens, func(x, y Municipality) int { return int(1e6 * (of(&y) - of(&x))) }) {
			t.Errorf("%s: %+v", ordem, got.Itens)
		}
	}
	compared, err := a.Ranking(t.Context(), RankingQuery{Municipios: []string{"São Paulo/SP", "6291"}})
	if err != nil || compared.Total != 2 || compared.Itens[0].Municipio != "Campinas" || compared.Itens[1].Posicao != 2 {
		t.Errorf("%+v, %v", compared, err)
	}
}
