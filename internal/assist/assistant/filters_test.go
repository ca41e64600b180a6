package assistant

import (
	"encoding/json"
	"slices"
	"testing"

	"razao/index/filter"
	"razao/internal/testing/fixture"
)

// TestFiltersAsTheyAreWritten writes the same filters as strings, numbers, lists, codes and names.
func TestFiltersAsTheyAreWritten(t *testing.T) {
	t.Parallel()
	a := New(Config{Live: fixture.SharedRecords(t).Live})
	numbers := func(arguments string) []string {
		t.Helper()
		var q SearchQuery
		if err := json.Unmarshal([]byte(arguments), &q); err != nil {
			t.Fatal(err)
		}
		q.Agrupar, q.Limite = "nao", mostResults
		answer, err := a.Search(t.Context(), q)
		if err != nil {
			t.Fatalf("%s: %v", arguments, err)
		}
		found := []string{}
		for _, r := range answer.Itens {
			found = append(found, r.CNPJ)
		}
		return found
	}
	for one, other := range map[string]string{
		`{"uf":"SP"}`: `{"uf":["SP",null],"cnae":null}`,
		`{"municipio":"Campinas","situacao":"ativa"}`: `{"municipio":6291,"situacao":["02"]}`,
		`{"ano_de":2000,"tipo":"matriz"}`:             `{"abertura_de":"2000-01-01","tipo":"-filial"}`,
		`{"fonte":"pgfn"}`:                            `{"fonte_todas":["pgfn"]}`,
		`{"porte":"micro"}`:                           `{"porte":["01"]}`,
		`{"cnae":10}`:                                 `{"cnae":["10","-01"]}`,
		`{"capital_de":12500000.50}`:                  `{"capital_de":"R$ 12.500.000,50"}`,
	} {
		if got, want := numbers(other), numbers(one); len(want) == 0 || !slices.Equal(got, want) {
			t.Errorf("%s finds %v, %s %v", other, got, one, want)
		}
	}
	if both, one := numbers(`{"uf":["SP","MG"],"divida_de":0.01}`), numbers(`{"fonte":"pgfn"}`); len(both) == 0 || len(both) > len(one) {
		t.Errorf("%d with debt, %d with records", len(both), len(one))
	}
	for _, name := range filter.Names() {
		var f Filters
		if err := json.Unmarshal([]byte(`{"`+name+`":["a",2,3.50]}`), &f); err != nil || !slices.Equal(f[name], []string{"a", "2", "3.50"}) {
			t.Errorf("%s: %q, %v", name, f[name], err)
		}
	}
}
