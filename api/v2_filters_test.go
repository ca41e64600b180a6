package api

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"razao/internal/fixture"
)

// text returns a field of a record as it stands in JSON, a text without its quotes.
func (r *recordJSON) text(name string) string {
	raw := r.Estabelecimento[name]
	if raw == nil {
		raw = r.Empresa[name]
	}
	return strings.Trim(string(raw), `"`)
}

// opted says whether the company has opted for Simples or the MEI.
func (r *recordJSON) opted(name string) bool {
	var simples map[string]json.RawMessage
	return json.Unmarshal(r.Empresa["simples"], &simples) == nil && string(simples[name]) == "true"
}

// TestSearchFilters compares what each filter leaves with the records, looked at one by one.
func TestSearchFilters(t *testing.T) {
	t.Parallel()
	s := read(t, fixture.SharedRecords(t))
	records := map[string]recordJSON{}
	for _, raw := range s.walkSearch(t, everyEstablishment, 100) {
		var hit hitJSON
		if err := json.Unmarshal([]byte(raw), &hit); err != nil {
			t.Fatal(err)
		}
		records[hit.CNPJ] = s.record(t, hit.CNPJ)
	}
	// A head office stands for the records of its company, any other establishment for those that name it.
	withRecords := map[string]bool{}
	for number, record := range records {
		path := "/v2/estabelecimentos/" + number
		if record.text("identificador_matriz_filial") == "1" {
			path = "/v2/empresas/" + number[:8]
		}
		withRecords[number] = *s.collection(t, path+"/fontes/ceis").Total > 0
	}
	is := func(field string, values ...string) func(*recordJSON) bool {
		return func(r *recordJSON) bool { return slices.Contains(values, r.text(field)) }
	}
	not := func(f func(*recordJSON) bool) func(*recordJSON) bool {
		return func(r *recordJSON) bool { return !f(r) }
	}
	begins := func(field, prefix string) func(*recordJSON) bool {
		return func(r *recordJSON) bool { return strings.HasPrefix(r.text(field), prefix) }
	}
	between := func(field, from, to string) func(*recordJSON) bool {
		return func(r *recordJSON) bool {
			v := r.text(field)
			return v != "null" && v[:len(from)] >= from && v[:len(to)] <= to
		}
	}
	opted := func(name string) func(*recordJSON) bool { return func(r *recordJSON) bool { return r.opted(name) } }
	tests := map[string]func(*recordJSON) bool{
		"uf=SP": is("uf", "SP"), "uf=-SP": not(is("uf", "SP")), "uf=EX": is("uf", "EX"),
		"municipio=7107&municipio=9707": is("municipio", "7107", "9707"),
		"situacao=08":                   is("situacao_cadastral", "08"), "situacao=-08": is("situacao_cadastral", "02"),
		"porte=05&porte=01": is("porte_empresa", "05", "01"), "natureza=2062": is("natureza_juridica", "2062"),
		"cnae=10": begins("cnae_fiscal_principal", "10"), "cnae=109&cnae=-1091102": func(*recordJSON) bool { return false },
		"cnae=4711302": is("cnae_fiscal_principal", "4711302"), "cnae=K": begins("cnae_fiscal_principal", "64"),
		"cnae_todos=5611203": func(r *recordJSON) bool { return strings.Contains(r.text("cnae_fiscal_secundaria"), "5611203") },
		"tipo=filial":        is("identificador_matriz_filial", "2"), "tipo=-filial": is("identificador_matriz_filial", "1"),
		"simples=sim": opted("opcao_pelo_simples"), "mei=nao": not(opted("opcao_pelo_mei")),
		"ano_de=2009&ano_ate=2009": between("data_inicio_atividade", "2009", "2009"), "ano_de=2010": between("data_inicio_atividade", "2010", "9999"),
		"ano_ate=2010": between("data_inicio_atividade", "0001", "2010"), "capital=100k-1m": is("capital_social", "480000.00"),
		"fonte=ceis": func(r *recordJSON) bool { return withRecords[r.text("cnpj")] },
	}
	named := map[string]bool{}
	for question, holds := range tests {
		want := []string{}
		for number, record := range records {
			if holds(&record) {
				want = append(want, number)
			}
		}
		got := []string{}
		for _, raw := range s.walkSearch(t, "agrupar=nao&"+question, 100) {
			var hit hitJSON
			if err := json.Unmarshal([]byte(raw), &hit); err != nil {
				t.Fatal(err)
			}
			got = append(got, hit.CNPJ)
		}
		slices.Sort(want)
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", question, diff)
		}
		asked, err := url.ParseQuery(question)
		if err != nil {
			t.Fatal(err)
		}
		for name := range asked {
			named[name] = true
		}
	}
	for _, name := range searchFilters {
		if !named[name] {
			t.Errorf("filter %s is not tried", name)
		}
	}
}
