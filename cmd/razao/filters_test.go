package main

import (
	"encoding/csv"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"razao/index/filter"
)

// narrowing is a value for every filter, as somebody may write it, that leaves some of the invented establishments.
var narrowing = map[string]string{
	"uf": "são paulo", "regiao": "Sudeste", "municipio": "Campinas/SP", "bairro": "cambui", "logradouro": "R. das Palmeiras", "numero": "0214",
	"telefone_numero": "(19) 3233-4455", "email_endereco": "Contato@Padaria.exemplo", "cep": "13024-100", "ddd": "19", "pais": "845",
	"cnae": "10.91-1/02", "cnae_todos": "5611203", "cnae_secundario": "56", "situacao": "Ativa", "situacao_de": "2015", "situacao_ate": "31/12/2018", "motivo": "01",
	"tipo": "Filial", "natureza": "206-2", "porte": "micro", "capital": "100K-1M", "capital_de": "R$ 480 mil", "capital_ate": "480.000,00", "abertura_de": "2009-03-14",
	"abertura_ate": "março de 2009", "ano_de": "2009", "ano_ate": "2010", "simples": "Optante", "mei": "-nao", "simples_de": "2012", "simples_ate": "2012-01-01",
	"mei_de": "2021", "mei_ate": "2021", "estabelecimentos_de": "4", "estabelecimentos_ate": "4", "socios_de": "1", "socios_ate": "2",
	"socio_tipo": "Pessoa física", "socio_qualificacao": "37", "socio_faixa": "51 a 60 anos", "telefone": "Sim", "email": "-nao",
	"email_dominio": "contato@Padaria.exemplo", "fonte": "-pgfn", "fonte_todas": "pgfn", "divida_de": "R$ 1", "divida_ate": "1 bilhão", "sancao": "Sim",
	"contratos_de": "1", "contratos_ate": "1 bilhão", "contratos_ano": "2026", "emprestimos_de": "1", "emprestimos_ate": "1 bilhão", "emprestimos_ano": "2024",
}

// TestFiltersAgree asks the site, the API and the assistant by every filter: they find the same establishments. That pages show what the
// site's files have is a test of package site.
func TestFiltersAgree(t *testing.T) {
	t.Parallel()
	r := openServer(t)
	all := len(r.onFile(url.Values{"agrupar": {"nao"}, "uf": {"-AC"}})) // where none is
	for _, c := range filter.All() {
		value, ok := narrowing[c.Name]
		if !ok {
			t.Errorf("filter %s is not asked by", c.Name)
			continue
		}
		asked := url.Values{"agrupar": {"nao"}, c.Name: {value}}
		file := r.onFile(asked)
		called := numbersIn(r.walkREST("/v2/busca?limite=100&" + asked.Encode()))
		answer := numbersIn(r.walkTool("buscar_empresas", object{"agrupar": "nao", "limite": 50, c.Name: value}))
		if len(file) == 0 || len(file) == all {
			t.Errorf("%s=%s leaves %d establishments of %d", c.Name, value, len(file), all)
		}
		if diff := cmp.Diff(file, called); diff != "" {
			t.Errorf("%s=%s (-site +API):\n%s", c.Name, value, diff)
		}
		if diff := cmp.Diff(file, answer); diff != "" {
			t.Errorf("%s=%s (-site +assistant):\n%s", c.Name, value, diff)
		}
	}
}

// onFile returns the numbers in the file of a search, sorted. A new person downloads each, as one
// may not have so many at once.
func (r *restrainedServer) onFile(asked url.Values) []string {
	r.t.Helper()
	r.beSomebodyElse(r.t)
	r.calls = 0
	got := r.whole.read(r.t, http.MethodGet, "/busca.csv?"+asked.Encode())
	rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(got.body, "\ufeff"))).ReadAll()
	if err != nil || got.status != http.StatusOK {
		r.t.Errorf("%v: %d %s", asked, got.status, got.body)
		return nil
	}
	at := slices.Index(rows[0], "cnpj")
	var numbers []string
	for _, row := range rows[1:] {
		numbers = append(numbers, row[at])
	}
	slices.Sort(numbers)
	return numbers
}

// numbersIn returns the numbers of items, sorted.
func numbersIn(items []any) []string {
	var numbers []string
	for _, item := range items {
		numbers = append(numbers, item.(object)["cnpj"].(string))
	}
	slices.Sort(numbers)
	return numbers
}
