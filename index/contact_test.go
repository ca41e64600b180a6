package index

import (
	"fmt"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"razao/index/build"
	"razao/index/filter"
	"razao/index/indextest"
	"razao/internal/data/cnpj"
)

// TestContactsInWords asks for telephones, e-mail addresses and street addresses as people type them.
func TestContactsInWords(t *testing.T) {
	t.Parallel()
	var docs []build.Doc
	add := func(uf, municipio, name, street, house, bairro, ddd, phone, email string) {
		docs = append(docs, build.Doc{
			CNPJ: number(t, fmt.Sprintf("%08d", 40_000_000+16*len(docs)), "0001"), HeadOffice: true, RazaoSocial: name, UF: uf, Municipio: municipio,
			SituacaoCadastral: "02", PorteEmpresa: "01", Branches: 1, CNAE: "9602501", Opening: 20_210_315, Capital: int64(100 - len(docs)),
			Street: street, HouseNumber: house, Bairro: bairro, DDDs: [2]string{ddd}, Telephones: [2]string{phone}, Email: email,
		})
	}
	add("SP", "6291", "PADARIA DO DUQUE LTDA", "RUA DUQUE DE CAXIAS", "589", "CENTRO", "43", "15467271", "CONTATO@PADARIA.EXEMPLO") // 0
	add("SP", "6291", "ACOUGUE LTDA", "RUA DUQUE DE CAXIAS", "589", "CAMBUI", "43", "15467271", "contato@acougue.exemplo")          // 1
	add("PR", "7667", "LIVRARIA LTDA", "R DUQUE CAXIAS", "00589-A", "CENTRO", "43", "98765432", "contato@padaria.exemplo")          // 2
	add("SP", "6291", "FLORES LTDA", "RUA DUQUE DE CAXIAS", "15", "CENTRO", "19", "915467271", "")                                  // 3
	add("SP", "6291", "AVENIDA BRASIL LTDA", "RUA 25 DE MARCO", "7", "CENTRO", "", "", "")                                          // 4
	add("SP", "6291", "RUA DAS PALMEIRAS RESTAURANTE LTDA", "AVENIDA BRASIL", "S/N", "CENTRO", "", "", "")                          // 5
	add("SP", "6291", "SOCIEDADE SEM CONTATO LTDA", "", "", "", "", "", "")                                                         // 6
	ix := open(t, indextest.Build(t, docs, build.Options{ShardDocs: 3}))
	const phone, duque = "telefone_numero=4315467271", "logradouro=Rua+Duque+de+Caxias"
	for _, tt := range []struct {
		text       string
		want       []string
		conditions string
	}{
		{"(43) 1546-7271", []string{"0 listed", "1 listed"}, phone},
		{"4315467271", []string{"0 listed", "1 listed"}, phone},
		{"+55 43 15467271", []string{"0 listed", "1 listed"}, phone},
		{"(43) 99876-5432", []string{"2 listed"}, "telefone_numero=43998765432"}, // published with eight digits
		{"(19) 1546-7271", nil, "telefone_numero=1915467271"},
		{"contato@padaria.exemplo", []string{"0 listed", "2 listed"}, "email_endereco=contato%40padaria.exemplo"},
		{"contato@padaria.exemplo campinas", []string{"0 listed"}, "email_endereco=contato%40padaria.exemplo"},
		{"livraria contato@padaria.exemplo", []string{"2 exact"}, "email_endereco=contato%40padaria.exemplo"},
		{"ontato@padaria.exemplo", nil, "email_endereco=ontato%40padaria.exemplo"},
		{"Rua Duque de Caxias 589", []string{"0 listed", "1 listed", "2 listed"}, duque + "&numero=589"},
		{"rua duque de caxias, 589 campinas", []string{"0 listed", "1 listed"}, "logradouro=rua+duque+de+caxias&numero=589"},
		{"Rua Duque de Caxias, 589 - Cambuí, Campinas - SP", []string{"1 listed"}, "bairro=cambui&" + duque + "&numero=589"},
		{"Rua Duque de Caxias, 589, Cambuí", []string{"1 listed"}, "bairro=cambui&" + duque + "&numero=589"},
		{"Rua Duque de Caxias, 589 padaria", []string{"0 name"}, duque + "&numero=589"},
		{"Rua Duque de Caxias, Campinas", []string{"0 listed", "1 listed", "3 listed"}, duque},
		{"rua duque de caxias campinas sp", []string{"0 listed", "1 listed", "3 listed"}, "logradouro=rua+duque+de+caxias"},
		{"Rua Duque de Caxias", []string{"0 listed", "1 listed", "2 listed", "3 listed"}, duque},
		{"rua 25 de março", []string{"4 listed"}, "logradouro=rua+25+de+mar%C3%A7o"},
		{"rua 25 de março 7", []string{"4 listed"}, "logradouro=rua+25+de+mar%C3%A7o&numero=7"},
		{"rua sem ninguem 5", nil, ""},
		{"avenida brasil", []string{"4 exact"}, ""},   // a name
		{"rua das palmeiras", []string{"5 name"}, ""}, // a name, because nobody is there
		{"40000016", []string{"1 cnpj"}, ""},          // a number
		{"4000001600", []string{"1 cnpj"}, ""},        // as long as a telephone
	} {
		q := Query{Text: tt.text, Limit: 10}
		for _, order := range []Order{ByRank, ByOldest} {
			q.Order = order
			r, err := ix.Search(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			want := append([]string{}, tt.want...)
			got := answered(docs, r.Hits)
			if order != ByRank { // the same ones
				got, want = nil, nil
			}
			if diff := gocmp.Diff(want, got); diff != "" || r.Understood.Filters().String() != tt.conditions || r.Total != len(tt.want) {
				t.Errorf("%s, order %d: %d results, conditions %q (-want +got)\n%s", tt.text, order, r.Total, r.Understood.Filters(), diff)
			}
		}
		if !q.AsksContact() && tt.conditions != "" {
			t.Errorf("%s does not ask for contacts", tt.text)
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
		q.Order = ByRank
		for _, literal := range []Query{{Text: tt.text, LiteralPlaces: true}, {Text: tt.text, Scope: InPartners}, {Text: tt.text, Scope: InNames}} {
			if r, err := ix.Search(t.Context(), literal); err != nil || r.Understood.Filters().Has(filter.Phone) || r.Understood.Filters().Has(filter.Street) || literal.AsksContact() {
				t.Errorf("%+v: conditions %v, %v", literal, r.Understood.Conditions, err)
			}
		}
	}

	// What is hidden is found by nothing, and again once it is shown.
	find := func(text string) (got []string) {
		r, err := ix.Search(t.Context(), Query{Text: text, Limit: 10})
		if err != nil {
			t.Fatal(err)
		}
		return answered(docs, r.Hits)
	}
	for _, step := range []struct {
		hidden []cnpj.Full
		want   []string
	}{
		{[]cnpj.Full{docs[0].CNPJ}, []string{"1 listed"}},
		{[]cnpj.Full{docs[0].CNPJ, docs[1].CNPJ}, nil},
		{nil, []string{"0 listed", "1 listed"}},
	} {
		if err := ix.Hide(step.hidden); err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{"(43) 1546-7271", "rua duque de caxias, 589 campinas"} {
			if diff := gocmp.Diff(append([]string{}, step.want...), append([]string{}, find(text)...)); diff != "" {
				t.Errorf("%s, hidden %v (-want +got)\n%s", text, step.hidden, diff)
			}
		}
	}
}
