package snapshot

import (
	"slices"
	"strings"
	"testing"

	"razao/index"
	"razao/index/filter"
	"razao/internal/data/glossary"
	"razao/internal/data/record"
)

// TestCaveats checks what is said with the answers to queries, and that each query says only that.
func TestCaveats(t *testing.T) {
	t.Parallel()
	partner := []Match{{Why: index.WhyPartner, Partner: &record.Partner{}}}
	for _, c := range []struct {
		query   index.Query
		matches []Match
		want    string
	}{
		{index.Query{Text: "padaria"}, nil, ""},
		{index.Query{Filters: filter.Of("situacao", "08")}, nil, ""},
		{index.Query{Filters: filter.Of("situacao", "-02")}, nil, ""},
		{index.Query{Filters: filter.Of("situacao", "08", "situacao", "02")}, nil, "ativa"},
		{index.Query{Filters: filter.Of("simples", "sim", "mei", "-sim")}, nil, "simples mei"},
		{index.Query{Filters: filter.Of("capital_de", "1000")}, nil, "capital-social"},
		{index.Query{Order: index.ByCapital}, nil, "capital-social"},
		{index.Query{Text: "maria", Scope: index.InPartners}, nil, "cpf-mascarado participacao"},
		{index.Query{Text: "maria"}, partner, "cpf-mascarado participacao"},
		{index.Query{Text: "padaria"}, []Match{{Why: index.WhyActivity}}, "cnae"},
		{index.Query{Filters: filter.Of("socio_tipo", "empresa")}, nil, "participacao qsa"},
		{index.Query{Filters: filter.Of("divida_de", "1")}, nil, "divida-ativa"},
		{index.Query{Filters: filter.Of("fonte", "pgfn")}, nil, "divida-ativa"},
		{index.Query{Filters: filter.Of("fonte", "-ceis")}, nil, "sem-ocorrencia"},
		{index.Query{Filters: filter.Of("fonte", "pgfn", "sancao", "nao")}, nil, "sem-ocorrencia divida-ativa"},
		{index.Query{Filters: filter.Of("contratos_ano", "2024", "emprestimos_de", "1")}, nil, "pncp vinculo-inferido"},
		{index.Query{Filters: filter.Of("telefone", "sim", "porte", "01")}, nil, "dado-pessoal porte"},
	} {
		var got []string
		for _, caveat := range caveats(&c.query, c.matches) {
			got = append(got, caveat.ID)
		}
		if want := strings.Fields(c.want); !slices.Equal(got, want) {
			t.Errorf("%q %s: %q, want %q", c.query.Text, c.query.Filters.String(), got, want)
		}
	}
}

// TestFiltersHaveTheirCaveat: every filter by what is only declared, masked, partial or late says so. Whom filters that look for a contact
// leave out is counted instead: see Found.Unsought.
func TestFiltersHaveTheirCaveat(t *testing.T) {
	t.Parallel()
	plain := strings.Fields("uf regiao municipio pais situacao_de situacao_ate motivo abertura_de abertura_ate ano_de ano_ate natureza tipo estabelecimentos_de estabelecimentos_ate " +
		"bairro logradouro numero cep ddd telefone_numero email_endereco email_dominio")
	for _, f := range filter.All() {
		parts := []string{f.Name}
		for _, value := range append([]filter.Option{{Value: "02"}}, f.Options...) {
			parts = append(parts, f.Name+"="+value.Value)
		}
		if got := glossary.Caveats(parts); (len(got) == 0) != slices.Contains(plain, f.Name) {
			t.Errorf("%s has %d caveats", f.Name, len(got))
		}
	}
}
