package index

import (
	"fmt"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"razao/index/build"
	"razao/index/filter"
	"razao/index/indextest"
)

// TestConditionsInWords asks in words for what filters say, of bakeries that differ in place, day of opening, capital and situação.
func TestConditionsInWords(t *testing.T) {
	t.Parallel()
	var docs []build.Doc
	add := func(uf, municipio, name string, opening int, reais int64, situacao string) {
		docs = append(docs, build.Doc{
			CNPJ: number(t, fmt.Sprintf("%08d", 30_000_000+16*len(docs)), "0001"), HeadOffice: true, RazaoSocial: name, UF: uf, Municipio: municipio,
			SituacaoCadastral: situacao, PorteEmpresa: "01", Branches: 1, CNAE: "4721102", Opening: opening, Capital: reais * 100,
		})
	}
	add("MG", "4123", "PADARIA HORIZONTE LTDA", 20_210_315, 900_000, "02")    // 0
	add("MG", "4123", "FORNADA DO DIA LTDA", 20_210_101, 100_000, "02")       // 1
	add("MG", "4123", "PADARIA ANTIGA LTDA", 20_200_101, 80_000, "02")        // 2
	add("MG", "4123", "MASSAS E CIA LTDA", 20_220_101, 99_999, "02")          // 3
	add("SP", "7107", "PADARIA PAULISTANA LTDA", 20_220_101, 70_000, "02")    // 4
	add("MG", "4123", "PADARIA QUE FECHOU LTDA", 20_230_101, 60_000, "08")    // 5
	add("MG", "4123", "CONTABILIDADE NOVAS ATIVAS LTDA", 20_230_101, 1, "02") // 6
	ix := open(t, indextest.Build(t, docs, build.Options{ShardDocs: 3}))
	for _, tt := range []struct {
		text       string
		want       []string
		conditions string
	}{
		{"padarias em BH abertas depois de 2020 e capital acima de R$ 100 mil", []string{"0 activity", "1 activity"}, "abertura_de=2021-01-01&capital_de=100000"},
		{"padarias em BH abertas até 2020", []string{"2 activity"}, "abertura_ate=2020-12-31"},
		{"padarias baixadas em belo horizonte", []string{"5 activity"}, "situacao=08"},
		{"padaria paulistana aberta desde 2022", []string{"4 exact"}, "abertura_de=2022-01-01"},
		{"empresas abertas em 2022 com capital até R$ 99.999,00", []string{"3 listed", "4 listed"}, "abertura_de=2022-01-01&abertura_ate=2022-12-31&capital_ate=99999"},
		{"contabilidade novas ativas", []string{"6 exact"}, ""},                  // a name
		{"padarias em BH abertas depois de 2025", nil, "abertura_de=2026-01-01"}, // what was understood is not dropped
		{"padaria horzonte aberta em 2021", []string{"0 corrected"}, "abertura_de=2021-01-01&abertura_ate=2021-12-31"},
	} {
		q := Query{Text: tt.text, Limit: 10}
		r, err := ix.Search(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		got := answered(docs, r.Hits)
		if diff := gocmp.Diff(append([]string{}, tt.want...), got); diff != "" || r.Understood.Filters().String() != tt.conditions || r.Total != len(tt.want) {
			t.Errorf("%s: %d results, conditions %q (-want +got)\n%s", tt.text, r.Total, r.Understood.Filters(), diff)
		}
		counts, err := ix.Facets(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		counted := int64(0)
		for _, v := range counts["tipo"] {
			counted += v.Count
		}
		if counted != int64(len(tt.want)) {
			t.Errorf("%s: facets count %d", tt.text, counted)
		}
		literal := q
		literal.LiteralPlaces = true
		if r, err := ix.Search(t.Context(), literal); err != nil || !r.Understood.Filters().Empty() {
			t.Errorf("%s, literally: conditions %v, %v", tt.text, r.Understood.Conditions, err)
		}
	}
	r, err := ix.Search(t.Context(), Query{Text: "padarias abertas em 2021", Filters: filter.Of(filter.UF, "SP"), Limit: 10})
	if err != nil || r.Total != 0 {
		t.Errorf("filters beside words: %d, %v", r.Total, err)
	}
}
