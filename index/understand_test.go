package index

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"razao/index/build"
	"razao/index/filter"
	"razao/index/indextest"
	"razao/index/term"
)

// streets is a registry of names that people write in many ways, listed in rank order. Everybody in it is invented.
func streets(t testing.TB) []build.Doc {
	t.Helper()
	var docs []build.Doc
	add := func(uf, municipio, legal, trade string, partners ...build.Partner) {
		docs = append(docs, build.Doc{
			CNPJ: number(t, fmt.Sprintf("%08d", 30_000_000+16*len(docs)), "0001"), HeadOffice: true, RazaoSocial: legal, NomeFantasia: trade,
			Partners: partners, UF: uf, Municipio: municipio, SituacaoCadastral: "02", PorteEmpresa: "01", Branches: 1,
		})
	}
	add("SP", "6291", "PADARIA CENTRAL LTDA", "")                                                                                                                  // 0 Campinas
	add("SP", "7107", "PADARIA CENTRAL LTDA", "")                                                                                                                  // 1 São Paulo
	add("RJ", "6001", "PADARIA CAMPINAS LTDA", "")                                                                                                                 // 2 Rio de Janeiro
	add("SP", "7107", "J. C. SOUZA E FILHOS LTDA", "", build.Partner{Name: "ANA LIMA", Document: ""}, build.Partner{Name: "BRUNO COSTA", Document: "***456789**"}) // 3
	add("SP", "7107", "CIA DE ALIMENTOS FICTICIOS S.A.", "")                                                                                                       // 4
	add("SP", "7107", "CONST HORIZONTE LTDA", "")                                                                                                                  // 5
	add("SP", "7107", "CONSTRUTORA AURORA LTDA", "")                                                                                                               // 6
	add("SP", "7107", "CASA 3 MATERIAIS LTDA", "FARMACIA 24 HORAS")                                                                                                // 7
	add("SP", "7107", "41.330.504 CARLA EXEMPLO", "")                                                                                                              // 8
	add("SP", "7107", "DIEGO EXEMPLO ***123456**", "")                                                                                                             // 9
	add("SP", "7107", "BAR DO PORTO AZUL LTDA", "")                                                                                                                // 10
	add("SP", "7107", "BAR AZUL DO PORTO LTDA", "")                                                                                                                // 11
	add("BA", "3849", "SORVETERIA D'ÁGUA & GELO S/A", "")                                                                                                          // 12 Salvador
	add("SP", "7107", "BORRACHARIA MARTELO", "", build.Partner{Name: "HELENA PRADO DIAS", Document: ""}, build.Partner{Name: "PAULO PRADO NEVES", Document: ""})   // 13
	add("SP", "7107", "CLINICA M A R LTDA", "", build.Partner{Name: "EMPRESA MODELO PARTICIPACOES S A", Document: "11222333000181"}, build.Partner{})              // 14
	return docs
}

func openStreets(t testing.TB) (*Index, []build.Doc) {
	t.Helper()
	docs := streets(t)
	return open(t, indextest.Build(t, docs, build.Options{BucketBytes: 1 << 10, ShardDocs: 3})), docs
}

// answered renders hits as the number of the document and the reason.
func answered(docs []build.Doc, hits []Hit) []string {
	names := []string{"cnpj", "exact", "name", "prefix", "partner", "activity", "sound", "corrected", "partial", "listed"}
	out := []string{}
	for _, hit := range hits {
		for i := range docs {
			if docs[i].CNPJ == hit.CNPJ {
				out = append(out, fmt.Sprint(i, " ", names[hit.Why]))
			}
		}
	}
	return out
}

func TestUnderstanding(t *testing.T) {
	t.Parallel()
	ix, docs := openStreets(t)
	campinas := PlaceFilter{UF: "SP", Municipio: "6291"}
	named := func(words string, p PlaceFilter) Understood {
		p.Words = words
		return Understood{Places: []PlaceFilter{p}}
	}
	corrected := func(u Understood) Understood {
		u.Corrections = []Correction{{"boracharia", "borracharia"}}
		return u
	}
	without := func(word string, u Understood) Understood {
		u.Dropped = []string{word}
		return u
	}
	cases := []struct {
		text string
		want []string
		how  Understood
	}{
		{"padaria central campinas sp", []string{"0 exact"}, named("campinas sp", campinas)},
		{"campinas padaria central", []string{"0 exact"}, named("campinas", campinas)},
		{"padaria central campinas são paulo", []string{"0 exact"}, named("campinas sao paulo", campinas)},
		{"padaria campinas", []string{"2 exact", "0 name"}, named("campinas", campinas)},
		{"padaria sp", []string{"0 name", "1 name"}, named("sp", PlaceFilter{UF: "SP"})},
		{"padaria rio de janeiro", []string{"2 name"}, named("rio de janeiro", PlaceFilter{UF: "RJ", Municipio: "6001"})},
		{"sorveteria bahia", []string{"12 name"}, named("bahia", PlaceFilter{UF: "BA"})},
		{"padaria central", []string{"0 exact", "1 exact"}, Understood{}},
		{"J. C. Souza", []string{"3 name"}, Understood{}},
		{"j c souza e filhos", []string{"3 exact"}, Understood{}},
		{"JC SOUZA", []string{"3 name"}, Understood{}},
		{"J.C. SOUZA & FILHOS", []string{"3 exact"}, Understood{}},
		{"j souza", []string{"3 name"}, Understood{}},
		{"clinica mar", []string{"14 exact"}, Understood{}},
		{"clinica m a r", []string{"14 exact"}, Understood{}},
		{"companhia de alimentos ficticios", []string{"4 exact"}, Understood{}},
		{"cia alimentos ficticios s/a", []string{"4 exact"}, Understood{}},
		{"construtora horizonte", []string{"5 name"}, Understood{}},
		{"const aurora", []string{"6 name"}, Understood{}},
		{"constr. aurora", []string{"6 name"}, Understood{}},
		{"casa 3", []string{"7 name"}, Understood{}},
		{"farmacia 24 horas", []string{"7 exact"}, Understood{}},
		{"farmacia 24h", []string{"7 partial"}, Understood{Dropped: []string{"24h"}}},
		{`"porto azul"`, []string{"10 name"}, Understood{Phrases: []string{"porto azul"}}},
		{`bar "azul do porto"`, []string{"11 exact"}, Understood{Phrases: []string{"azul do porto"}}},
		{"bar porto azul", []string{"10 exact", "11 name"}, Understood{}},
		{"sorveteria dagua e gelo", []string{"12 exact"}, Understood{}},
		{"sorveteria d agua", []string{"12 name"}, Understood{}},
		{"sorveteria d-água gelo", []string{"12 exact"}, Understood{}},
		{"agua gelo", []string{"12 name"}, Understood{}},
		{`"d agua gelo"`, []string{"12 name"}, Understood{Phrases: []string{"d agua gelo"}}},
		{"sorveterya d'agua", []string{"12 sound"}, Understood{}},
		{"helena dias", []string{"13 partner"}, Understood{}},
		{"prado paulo", []string{"13 partner"}, Understood{}},
		{"empresa modelo s.a.", []string{"14 partner"}, Understood{}},
		{"elena dyas", []string{"13 partner"}, Understood{}},
		{"elena neves", []string{"13 partial"}, Understood{}}, // of two persons
		{"borrasharia martello", []string{"13 sound"}, Understood{}},
		{"borachria", []string{}, Understood{}},
		{"boracharia martelo", []string{"13 corrected"}, Understood{Corrections: []Correction{{"boracharia", "borracharia"}}}},
		{"borrahcaria", []string{"13 corrected"}, Understood{Corrections: []Correction{{"borrahcaria", "borracharia"}}}},
		{"helena prdao", []string{"13 corrected"}, Understood{Corrections: []Correction{{"prdao", "prado"}}}},
		{"boracharia martello", []string{"13 corrected"}, Understood{Corrections: []Correction{{"boracharia", "borracharia"}, {"martello", "martelo"}}}},
		{"construtora aurora inexistente", []string{"6 partial"}, Understood{Dropped: []string{"inexistente"}}},
		{"borracharia martelo rio de janeiro", []string{}, named("rio de janeiro", PlaceFilter{UF: "RJ", Municipio: "6001"})},
		{"boracharia martelo sao paulo", []string{"13 corrected"}, corrected(named("sao paulo", PlaceFilter{UF: "SP", Municipio: "7107"}))},
		{"borracharia inexistente sao paulo", []string{"13 partial"}, without("inexistente", named("sao paulo", PlaceFilter{UF: "SP", Municipio: "7107"}))},
		{"ana costa", []string{"3 partial"}, Understood{}},
		{"xkcdq wvutz", []string{}, Understood{}},
	}
	for _, c := range cases {
		r, err := ix.Search(t.Context(), Query{Text: c.text, Limit: 20})
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		if diff := gocmp.Diff(c.want, answered(docs, r.Hits)); diff != "" {
			t.Errorf("%q (%+v): %s", c.text, r.Understood, diff)
		}
		if c.how.Dropped == nil && len(r.Hits) > 0 && r.Hits[0].Why == WhyPartial {
			c.how.Dropped = r.Understood.Dropped
		}
		if diff := gocmp.Diff(c.how, r.Understood); diff != "" {
			t.Errorf("%q: understood: %s", c.text, diff)
		}
	}
}

// TestApostrophesHyphensAndBlanksAreOne asks for names with an apostrophe in every way in which they are written.
func TestApostrophesHyphensAndBlanksAreOne(t *testing.T) {
	t.Parallel()
	var docs []build.Doc
	for i, name := range []string{
		"CAIXA D'AGUA LIMPEZAS", "CAIXA D AGUA REPAROS", "CAIXA D-AGUA VENDAS", "CAIXA DAGUA", "BOB'S LANCHES", "BOB S BEBIDAS", "BOB-S DOCES",
		"SANT'ANA TECIDOS", "SANT ANA COUROS", "SANT-ANA FIOS", "SANTANA CHAPEUS", "CAIXA AGUA", "HOLDING",
	} {
		docs = append(docs, build.Doc{
			CNPJ: number(t, fmt.Sprintf("%08d", 40_000_000+i), "0001"), HeadOffice: true, RazaoSocial: name, SituacaoCadastral: "02", PorteEmpresa: "01",
		})
	}
	docs[12].Partners = []build.Partner{{Name: "MARIA D AVILA REGO"}}
	ix := open(t, indextest.Build(t, docs, build.Options{}))
	for _, c := range []struct {
		typed []string
		want  []string
	}{
		{[]string{"caixa d'agua", "caixa d agua", "caixa d-água", "caixa d’água", "caixa d´ água", `"caixa d agua"`, `"caixa d'agua"`}, []string{"0 name", "1 name", "2 name", "3 exact"}},
		{[]string{"agua limpezas", `"agua limpezas"`, "caixa d'agua limpezas", "limpezas d'ag"}, []string{"0"}},
		{[]string{"bob's", "bob s", "bob-s"}, []string{"4 name", "5 name", "6 name"}},
		{[]string{"bob's lanches", "bob s lanches", `"bob s lanches"`}, []string{"4"}},
		{[]string{"sant'ana", "sant ana", "sant-ana"}, []string{"7 name", "8 name", "9 name", "10 name"}},
		{[]string{"maria d'avila", "maria d avila", "avila maria", "maria d-avila rego", "d'ávilla maria"}, []string{"12 partner"}},
	} {
		for _, text := range c.typed {
			r, err := ix.Search(t.Context(), Query{Text: text, Limit: 20})
			if err != nil {
				t.Fatal(err)
			}
			got := answered(docs, r.Hits)
			slices.Sort(got)
			want := slices.Sorted(slices.Values(c.want))
			if !slices.EqualFunc(want, got, func(a, b string) bool { return a == b || !strings.Contains(a, " ") && strings.HasPrefix(b, a+" ") }) {
				t.Errorf("%q finds %v, want %v", text, got, want)
			}
		}
	}
}

// TestTownsAreNotCorrected asks for towns of which nothing is loaded, whose names are one letter away
// from those of larger ones, and for towns alone.
func TestTownsAreNotCorrected(t *testing.T) {
	t.Parallel()
	var docs []build.Doc
	for i, d := range []struct{ uf, municipio, name string }{
		{"RS", "8683", "MOVEIS GRAVATAI LTDA"},        // 0 Gravataí
		{"RS", "8683", "PADARIA EXEMPLO DE GRAVATAI"}, // 1
		{"MG", "5143", "PADARIA BOM EXEMPLO LTDA"},    // 2 Santa Bárbara
		{"SP", "7017", "PADARIA MELHOR EXEMPLO LTDA"}, // 3 Santa Bárbara d'Oeste
		{"RJ", "5875", "POUSADA FICTICIA LTDA"},       // 4 Paraty
		{"RJ", "6001", "PADARIA FICTICIA LTDA"},       // 5 Rio de Janeiro
		{"RJ", "6001", "COMERCIO DE PARATIS LTDA"},    // 6
	} {
		docs = append(docs, build.Doc{
			CNPJ: number(t, fmt.Sprintf("%08d", 30_000_000+16*i), "0001"), HeadOffice: true, RazaoSocial: d.name, UF: d.uf, Municipio: d.municipio,
			SituacaoCadastral: "02", PorteEmpresa: "01", Branches: 1,
		})
	}
	ix := open(t, indextest.Build(t, docs, build.Options{BucketBytes: 1 << 10, ShardDocs: 3}))
	in := func(words, uf, municipio string) []PlaceFilter { return []PlaceFilter{{words, uf, municipio}} }
	for _, c := range []struct {
		text   string
		want   []string
		places []PlaceFilter
		towns  []string
	}{
		{"gravata", nil, in("gravata", "PE", "2427"), []string{"2427"}},
		{"gravata pe", nil, in("gravata pe", "PE", "2427"), []string{"2427"}},
		{"padaria em gravata", nil, in("gravata", "PE", "2427"), nil},
		{"padaria gravata pe", nil, in("gravata pe", "PE", "2427"), nil},
		{"padria gravata pe", nil, in("gravata pe", "PE", "2427"), nil},
		{"gravatai", []string{"0 name", "1 name"}, nil, []string{"8683"}},
		{"gravatia", []string{"0 corrected", "1 corrected"}, nil, nil}, // no town
		{"padaria em santa barbara d oeste", []string{"3 name"}, in("santa barbara d oeste", "SP", "7017"), nil},
		{"padaria em santa barbara", []string{"2 name"}, in("santa barbara", "MG", "5143"), nil},
		{"parati rj", []string{"4 listed"}, in("parati rj", "RJ", "5875"), []string{"5875"}},
		{"em paraty", []string{"4 listed"}, in("paraty", "RJ", "5875"), []string{"5875"}},
		{"moveis gravata", []string{"0 prefix"}, nil, nil}, // gravata may be the beginning of a word, and the answer says so
		{"gravata moveis", []string{"0 partial"}, nil, nil},
		{"pousada parati rj", []string{"4 name"}, in("parati rj", "RJ", "5875"), nil},
	} {
		r, err := ix.Search(t.Context(), Query{Text: c.text, Limit: 20})
		if diff := gocmp.Diff(c.want, answered(docs, r.Hits), cmpopts.EquateEmpty()); err != nil || diff != "" {
			t.Errorf("%q: %v, %+v %s", c.text, err, r.Understood, diff)
		}
		if diff := gocmp.Diff(c.places, r.Understood.Places); diff != "" || c.places != nil && r.Understood.Dropped != nil || c.want == nil && r.Understood.Corrections != nil {
			t.Errorf("%q: %+v %s", c.text, r.Understood, diff)
		}
		if diff := gocmp.Diff(c.towns, r.Understood.Towns); diff != "" {
			t.Errorf("%q: %s", c.text, diff)
		}
		hits, err := ix.Suggest(t.Context(), c.text, 10)
		for _, h := range hits {
			if h.Why == WhyCorrected && c.want == nil {
				t.Errorf("%q suggests %v, %v", c.text, hits, err)
			}
		}
	}
	if r, err := ix.Search(t.Context(), Query{Text: "gravata", LiteralPlaces: true, Limit: 9}); err != nil || r.Understood.Places != nil || r.Understood.Towns != nil {
		t.Errorf("literally: %+v, %v", r, err)
	}
}

func TestLiteralPlaces(t *testing.T) {
	t.Parallel()
	ix, docs := openStreets(t)
	r, err := ix.Search(t.Context(), Query{Text: "padaria campinas", LiteralPlaces: true, Limit: 9})
	if diff := gocmp.Diff([]string{"2 exact"}, answered(docs, r.Hits)); err != nil || diff != "" || r.Understood.Places != nil {
		t.Errorf("%v %s, understood %+v", err, diff, r.Understood)
	}
}

func TestTextWithFilters(t *testing.T) {
	t.Parallel()
	ix, docs := openStreets(t)
	cases := []struct {
		query Query
		want  []string
	}{
		{Query{Text: "padaria", Filters: narrowed("uf=RJ")}, []string{"2 name"}},
		{Query{Text: "padaria central", Filters: narrowed("municipio=7107")}, []string{"1 exact"}},
		{Query{Text: "padaria central", Filters: narrowed("uf=BA")}, []string{}},
		{Query{Text: "3000", Filters: narrowed("uf=RJ")}, []string{"2 cnpj"}},
		{Query{Text: "3000", Filters: narrowed("uf=RJ"), Order: ByName}, []string{"2 cnpj"}},
		{Query{Text: "padaria", Order: ByName}, []string{"2 name", "0 name", "1 name"}},
	}
	for _, c := range cases {
		c.query.Limit = 20
		r, err := ix.Search(t.Context(), c.query)
		if diff := gocmp.Diff(c.want, answered(docs, r.Hits)); err != nil || diff != "" || r.Total != len(c.want) {
			t.Errorf("%+v: total %d, %v, %s", c.query, r.Total, err, diff)
		}
	}
}

// TestPersonsAreNotFoundByTheirNumbers asks for every piece of the numbers in names and of the CPFs of partners.
func TestPersonsAreNotFoundByTheirNumbers(t *testing.T) {
	t.Parallel()
	_, docs := openStreets(t)
	d := docs[3]
	d.CNPJ, d.RazaoSocial = number(t, "60000000", "0001"), "PEDRO EXEMPLO 98765432100"
	d.NomeFantasia = "PEDRO 987.654.321-00 987 654 321 00"
	ix := open(t, indextest.Build(t, append(docs, d), build.Options{}))
	for _, whole := range []string{"41330504", "123456", "456789", "98765432100", "***456789**", "***123456**"} {
		for from := range len(whole) {
			for to := from + 1; to <= len(whole); to++ {
				r, err := ix.Search(t.Context(), Query{Text: "exemplo " + whole[from:to], Limit: 20})
				if err != nil {
					t.Fatal(err)
				}
				for _, hit := range r.Hits {
					if hit.Why < WhyPartial && whole[from:to] != "3" && len(term.Tokens(whole[from:to])) > 0 {
						t.Errorf("%q is found by %q: %v", hit.CNPJ, whole[from:to], hit.Why)
					}
				}
			}
		}
	}
}

// shops is a registry of companies whose names do not say what they do, listed in rank order.
func shops(t testing.TB) []build.Doc {
	t.Helper()
	var docs []build.Doc
	for i, s := range []struct{ name, cnae, uf, municipio string }{
		{"PADARIA AURORA LTDA", "5611201", "SP", "6291"},
		{"SETE QUEDAS LTDA", "4721102", "SP", "6291"},
		{"TRES IRMAS LTDA", "4721102", "RJ", "6001"},
		{"HOTEL WALTER SOUZA LTDA", "5510801", "SP", "6291"},
		{"VIDROS LUIZ LTDA", "4743100", "SP", "6291"},
		{"ADVOCACIA LIMA S/S", "6911701", "RJ", "6001"},
	} {
		docs = append(docs, build.Doc{
			CNPJ: number(t, fmt.Sprintf("%08d", 50_000_000+16*i), "0001"), HeadOffice: true, RazaoSocial: s.name, CNAE: s.cnae,
			UF: s.uf, Municipio: s.municipio, SituacaoCadastral: "02", PorteEmpresa: "01", Branches: 1,
		})
	}
	return docs
}

func TestActivitiesAndSounds(t *testing.T) {
	t.Parallel()
	docs := shops(t)
	ix := open(t, indextest.Build(t, docs, build.Options{BucketBytes: 1 << 10, ShardDocs: 2}))
	const bakery = "Padaria e confeitaria com predominância de revenda"
	campinas := []PlaceFilter{{UF: "SP", Municipio: "6291", Words: "campinas"}}
	for _, c := range []struct {
		q    Query
		want []string
		how  Understood
	}{
		{Query{Text: "padaria"}, []string{"0 name", "1 activity", "2 activity"}, Understood{Activity: "padaria"}},
		{Query{Text: "padarias"}, []string{"1 activity", "2 activity"}, Understood{Activity: "padarias"}},
		{Query{Text: "padarias em campinas"}, []string{"1 activity"}, Understood{Activity: "padarias", Places: campinas}},
		{Query{Text: "padaria", Scope: InNames}, []string{"0 name"}, Understood{}},
		{Query{Text: "padaria", Filters: filter.Of(filter.UF, "RJ")}, []string{"2 activity"}, Understood{Activity: "padaria"}},
		{Query{Text: "4721-1/02"}, []string{"1 activity", "2 activity"}, Understood{Activity: bakery}},
		{Query{Text: "4721102 campinas"}, []string{"1 activity"}, Understood{Activity: bakery, Places: campinas}},
		{Query{Text: "sete quedas 4721-1/02"}, []string{"1 exact"}, Understood{Activity: bakery}},
		{Query{Text: "torres 4721-1/02"}, []string{}, Understood{}},
		{Query{Text: "advogados"}, []string{"5 activity"}, Understood{Activity: "Serviços advocatícios"}},
		{Query{Text: "otel valter sousa"}, []string{"3 sound"}, Understood{}},
		{Query{Text: "vidros luis campinas"}, []string{"4 sound"}, Understood{Places: campinas}},
	} {
		c.q.Limit = 20
		r, err := ix.Search(t.Context(), c.q)
		if diff := gocmp.Diff(c.want, answered(docs, r.Hits)); err != nil || diff != "" {
			t.Errorf("%q: %v %s", c.q.Text, err, diff)
		}
		if diff := gocmp.Diff(c.how, r.Understood); diff != "" {
			t.Errorf("%q understood: %s", c.q.Text, diff)
		}
	}
}
