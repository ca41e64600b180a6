package assistant

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"razao/internal/data/source"
	"razao/internal/testing/fixture"
)

const (
	base    = "https://razao.example"
	bakery  = "12345678000195"
	holding = "98765432000198"
)

func open(t testing.TB, served *fixture.Served) *Assistant {
	t.Helper()
	return New(Config{Live: served.Live, BaseURL: base + "/"})
}

// refusalOf returns the *Refusal in an error.
func refusalOf(t *testing.T, err error) *Refusal {
	t.Helper()
	var r *Refusal
	if !errors.As(err, &r) {
		t.Fatalf("%v is no refusal", err)
	}
	return r
}

// TestEnumerations compares the enum of SourceQuery.Fonte with the declared sources.
func TestEnumerations(t *testing.T) {
	t.Parallel()
	field, _ := reflect.TypeFor[SourceQuery]().FieldByName("Fonte")
	if got := strings.Split(field.Tag.Get("enum"), ","); !slices.Equal(got, source.IDs()) {
		t.Errorf("%v, want %v", got, source.IDs())
	}
}

func TestRecordText(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	l.Records(t, "pgfn")
	a := open(t, &l.Served)
	got, err := a.Record(t.Context(), RecordQuery{CNPJ: "12.345.678/0001-95"})
	if err != nil {
		t.Fatal(err)
	}
	const want = `Padaria Estrela do Sul Ltda., CNPJ 12.345.678/0001-95
Natureza jurídica: Sociedade Empresária Limitada. Porte: Empresa de Pequeno Porte. Capital social: R$ 480.000,00.
Simples Nacional: sim. MEI: não.
Nome fantasia: Estrela do Sul Pães e Doces.
Matriz. Situação cadastral: Ativa desde 14/03/2009.
Início de atividade: 14/03/2009.
Atividade principal: 1091102 Fabricação de produtos de padaria e confeitaria com predominância de produção própria.
Endereço: Rua das Palmeiras, 214, Cambui, Campinas/SP, 13024100.
Contato publicado: 19 32334455, contato@padaria.exemplo.
Estabelecimentos da empresa: 4 (listar_estabelecimentos).
Sócios: 2.
- Estrela Participações S.A. (98.765.432/0001-98), Sócio desde 02/08/2019.
- Marta Figueira Inventada (***456789**), Sócio-Administrador desde 14/03/2009.
Registros públicos (consultar_fonte traz cada um):
`
	text := got.Text()
	if !strings.HasPrefix(text, want) {
		t.Errorf("(-want +got):\n%s", cmp.Diff(want, text))
	}
	for _, part := range []string{
		"- Dívida ativa da União e do FGTS (pgfn): encontrado, ", "(ceis): indisponivel, não foi possível consultar.", notCertificate,
		"Fonte: receita, competência " + fixture.Month + ", fotografia " + got.Fotografia + ". Página: " + base + "/" + bakery + "\n",
	} {
		if !strings.Contains(text, part) {
			t.Errorf("%q is not in\n%s", part, text)
		}
	}
	if got.URL != base+"/"+bakery || got.Disponibilidade != "parcial" {
		t.Errorf("url %s, disponibilidade %s", got.URL, got.Disponibilidade)
	}
}

// TestAppendedAsTagged compares the hand-written JSON with that of encoding/json, on which the
// schemas rely.
func TestAppendedAsTagged(t *testing.T) {
	t.Parallel()
	a := open(t, fixture.SharedRecords(t))
	for _, number := range []string{fixture.Bakery, bakery, fixture.Chain, fixture.Holding, fixture.OldMEI} {
		answer, err := a.Record(t.Context(), RecordQuery{CNPJ: number})
		if err != nil {
			t.Fatal(err)
		}
		type tagged RecordAnswer // without methods
		want := decoded(t, (*tagged)(answer))
		themes := ByTheme{}
		for _, s := range answer.RegistrosPublicos {
			if themes[s.Source.Theme] == nil {
				themes[s.Source.Theme] = map[string]SourceSummary{}
			}
			themes[s.Source.Theme][s.Source.ID] = s
		}
		want["registros_publicos"] = decoded(t, themes)
		maps.Copy(want["empresa"].(map[string]any), decoded(t, answer.Empresa.CompanyLists))
		if diff := cmp.Diff(want, decoded(t, answer)); diff != "" {
			t.Errorf("%s (-tagged +appended):\n%s", number, diff)
		}
	}
}

func decoded(t *testing.T, answer any) (object map[string]any) {
	t.Helper()
	raw, err := Encode(answer)
	if err == nil {
		err = json.Unmarshal(raw, &object)
	}
	if err != nil {
		t.Fatal(err)
	}
	return object
}

// TestPersonalData checks that no answer shows or finds a CPF that was published by mistake.
func TestPersonalData(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	a := open(t, fixture.Shared(t))
	record, err := a.Record(ctx, RecordQuery{CNPJ: fixture.OldMEI})
	if err != nil {
		t.Fatal(err)
	}
	search, err := a.Search(ctx, SearchQuery{Consulta: "jose inventado dos santos"})
	if err != nil || search.Total == 0 {
		t.Fatalf("%+v, %v", search, err)
	}
	fetch, err := a.Fetch(ctx, FetchQuery{ID: search.Itens[0].CNPJ})
	if err != nil {
		t.Fatal(err)
	}
	const published, written = "JOSE INVENTADO DOS SANTOS ***456789**", "Jose Inventado dos Santos ***456789**"
	for _, c := range []struct {
		answer any
		name   string
	}{
		{record, published},
		{record.Text(), written},
		{search, published},
		{search.Text(), written},
		{fetch, written},
	} {
		raw, err := json.Marshal(c.answer)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(raw), fixture.HiddenCPF) || !strings.Contains(string(raw), c.name) {
			t.Errorf("%s", raw)
		}
	}
	byNumber, err := a.Search(ctx, SearchQuery{Consulta: fixture.HiddenCPF})
	if err != nil || byNumber.Total != 0 {
		t.Errorf("a CPF found %d, %v", byNumber.Total, err)
	}
	_, err = a.Partnerships(ctx, PartnershipsQuery{Nome: "Marta Figueira", Documento: "123.456.789-09"})
	if r := refusalOf(t, err); !strings.Contains(r.Text, "Não envie um CPF inteiro") || strings.Contains(r.Text, "123") {
		t.Errorf("%s", r.Text)
	}
}

// TestPages checks that pages neither repeat nor skip items, also if the limit changes between
// pages.
func TestPages(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	a := open(t, fixture.Shared(t))
	for _, c := range []struct {
		name string
		page func(limit int, cursor *string) (keys []string, total int, next *string, err error)
		want int
	}{
		{"partners", func(limit int, cursor *string) (keys []string, total int, next *string, err error) {
			p, err := a.Partners(ctx, PartnersQuery{CNPJ: fixture.Chain, Limite: limit, Cursor: orEmpty(cursor)})
			for i := range p.Itens {
				keys = append(keys, p.Itens[i].CNPJCPFSocio)
			}
			return keys, p.Total, p.ProximoCursor, err
		}, fixture.ChainQSA},
		{"establishments", func(limit int, cursor *string) (keys []string, total int, next *string, err error) {
			p, err := a.Establishments(ctx, EstablishmentsQuery{CNPJ: fixture.Chain, Limite: limit, Cursor: orEmpty(cursor)})
			for i := range p.Itens {
				keys = append(keys, p.Itens[i].CNPJ.String())
			}
			return keys, p.Total, p.ProximoCursor, err
		}, fixture.ChainSize},
		{"search", func(limit int, cursor *string) (keys []string, total int, next *string, err error) {
			p, err := a.Search(ctx, SearchQuery{Consulta: "rede de lojas exemplo", Agrupar: "nao", Ordem: "nome", Limite: limit, Cursor: orEmpty(cursor)})
			for i := range p.Itens {
				keys = append(keys, p.Itens[i].CNPJ)
			}
			return keys, p.Total, p.ProximoCursor, err
		}, fixture.ChainSize},
		{"partnerships", func(limit int, cursor *string) (keys []string, total int, next *string, err error) {
			p, err := a.Partnerships(ctx, PartnershipsQuery{Nome: "Acionista Ficticio", Limite: limit, Cursor: orEmpty(cursor)})
			for i := range p.Itens {
				keys = append(keys, p.Itens[i].CNPJCPFSocio)
			}
			return keys, p.Total, p.ProximoCursor, err
		}, fixture.ChainQSA},
		{"ranking", func(limit int, cursor *string) (keys []string, total int, next *string, err error) {
			p, err := a.Ranking(ctx, RankingQuery{UF: "RJ", Limite: limit, Cursor: orEmpty(cursor)})
			for i := range p.Itens {
				keys = append(keys, p.Itens[i].Codigo)
			}
			return keys, p.Total, p.ProximoCursor, err
		}, 92},
	} {
		t.Run(c.name, func(t *testing.T) {
			seen := map[string]bool{}
			limit := 7
			var cursor *string
			for {
				keys, total, next, err := c.page(limit, cursor)
				if err != nil || total != c.want || next != nil && len(keys) != limit {
					t.Fatalf("%d of %d items, %v", len(keys), total, err)
				}
				for _, key := range keys {
					if seen[key] {
						t.Fatalf("%s comes twice", key)
					}
					seen[key] = true
				}
				if next == nil {
					break
				}
				cursor, limit = next, 41
			}
			if len(seen) != c.want {
				t.Errorf("%d items, want %d", len(seen), c.want)
			}
		})
	}
}

// TestChangedLoad checks that a cursor is refused after a new load.
func TestChangedLoad(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	l := fixture.Load(t)
	l.Records(t, "pgfn")
	a := open(t, &l.Served)
	partners, err := a.Partners(ctx, PartnersQuery{CNPJ: fixture.Chain, Limite: 1})
	if err != nil {
		t.Fatal(err)
	}
	search := SearchQuery{Filters: Filters{"situacao": {"ativa"}}, Limite: 1}
	found, err := a.Search(ctx, search)
	if err != nil {
		t.Fatal(err)
	}
	debts := SourceQuery{CNPJ: fixture.Bakery, Fonte: "pgfn", Limite: 1}
	page, err := a.Source(ctx, debts)
	if err != nil || page.ProximoCursor == nil {
		t.Fatalf("%+v, %v", page, err)
	}
	l.Ingest(t)
	if err := l.Live.Refresh(ctx); err != nil {
		t.Fatal(err)
	}
	_, err = a.Partners(ctx, PartnersQuery{CNPJ: fixture.Chain, Cursor: *partners.ProximoCursor})
	if r := refusalOf(t, err); r.Kind != Changed || !strings.HasPrefix(r.Text, "fotografia_alterada") {
		t.Errorf("%+v", r)
	}
	search.Cursor = *found.ProximoCursor
	if _, err = a.Search(ctx, search); refusalOf(t, err).Kind != Changed {
		t.Error(err)
	}
	debts.Cursor = *page.ProximoCursor // the load of the source is the same
	if _, err := a.Source(ctx, debts); err != nil {
		t.Error(err)
	}
}

// TestChangedFlags reloads a source: cursors of searches that filter by it expire, others do not.
func TestChangedFlags(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	l.Records(t, "pgfn", "habilitacao_aduaneira")
	a := open(t, &l.Served)
	next := map[string]SearchQuery{}
	for name, q := range map[string]SearchQuery{
		"by it": {Filters: Filters{"fonte": {"pgfn"}}}, "by another source": {Filters: Filters{"fonte": {"habilitacao_aduaneira"}}},
		"otherwise": {Filters: Filters{"situacao": {"ativa"}}},
	} {
		q.Limite = 1
		found, err := a.Search(t.Context(), q)
		if err != nil || found.ProximoCursor == nil {
			t.Fatalf("%s: %+v, %v", name, found, err)
		}
		q.Cursor = *found.ProximoCursor
		next[name] = q
	}
	l.Records(t, "pgfn")
	if _, err := a.Search(t.Context(), next["by it"]); refusalOf(t, err).Kind != Changed {
		t.Error(err)
	}
	for _, name := range []string{"by another source", "otherwise"} {
		if _, err := a.Search(t.Context(), next[name]); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	a := open(t, fixture.Shared(t))
	first, err := a.Partners(ctx, PartnersQuery{CNPJ: fixture.Chain, Limite: 1})
	if err != nil {
		t.Fatal(err)
	}
	record := func(number string) func() error {
		return func() error { _, err := a.Record(ctx, RecordQuery{number}); return err }
	}
	search := func(q SearchQuery) func() error {
		return func() error { _, err := a.Search(ctx, q); return err }
	}
	ranking := func(q RankingQuery) func() error {
		return func() error { _, err := a.Ranking(ctx, q); return err }
	}
	partnerships := func(q PartnershipsQuery) func() error {
		return func() error { _, err := a.Partnerships(ctx, q); return err }
	}
	for _, c := range []struct {
		name string
		ask  func() error
		kind Kind
		says string
	}{
		{"no number", record(" "), Malformed, "Informe o argumento cnpj"},
		{"a short number", record("123"), Malformed, "8 posições"},
		{"letters of another script", record("１２３４５６７８"), Malformed, "8 posições"},
		{"a mark in a root", record("1234567?"), Malformed, "8 posições"},
		{"wrong digits", record("12.345.678/0001-00"), Malformed, "dígitos verificadores"},
		{"zeros", record("00000000000000"), Malformed, "dígitos verificadores"},
		{"an unknown company", record("00000191"), Unknown, "buscar_empresas"},
		{"an unknown branch", record("12345678001914"), Unknown, "listar_estabelecimentos com as 8 primeiras posições (12345678)"},
		{"partners alone", record("99999991"), Unknown, "não consta"},
		{"nothing asked", search(SearchQuery{Consulta: "  "}), Malformed, "ao menos um filtro"},
		{"a long text", search(SearchQuery{Consulta: strings.Repeat("a", 201)}), Malformed, "longa demais"},
		{"a mistyped number", search(SearchQuery{Consulta: "12.345.678/0001-99"}), Malformed, "dígitos verificadores"},
		{"another filter", search(SearchQuery{Filters: Filters{"capital_de": {"muito"}}}), Malformed, "um valor em reais"},
		{"a UF", search(SearchQuery{Filters: Filters{"uf": {"XX"}}}), Malformed, "sigla de um estado"},
		{"a municipality", search(SearchQuery{Filters: Filters{"municipio": {"Nárnia"}}}), Malformed, "ou seu nome, como Campinas/SP"},
		{"of another UF", search(SearchQuery{Filters: Filters{"municipio": {"Campinas"}, "uf": {"RJ"}}}), Malformed, "ou seu nome, como Campinas/SP"},
		{"several", search(SearchQuery{Filters: Filters{"municipio": {"Bom Jesus"}}}), Malformed, "Bom Jesus/PI"},
		{"a situation", search(SearchQuery{Filters: Filters{"situacao": {"morta"}}}), Malformed, "02 ativa"},
		{"a size", search(SearchQuery{Filters: Filters{"porte": {"grande"}}}), Malformed, "01 micro"},
		{"an activity", search(SearchQuery{Filters: Filters{"cnae": {"padaria"}}}), Malformed, "cnae"},
		{"a year", search(SearchQuery{Filters: Filters{"ano_de": {"2020"}, "ano_ate": {"2019"}}}), Malformed, "ano_ate"},
		{"a band", search(SearchQuery{Filters: Filters{"capital": {"muito"}}}), Malformed, "capital"},
		{"a source", search(SearchQuery{Filters: Filters{"fonte": {"serasa"}}}), Malformed, "(pgfn, ceis, "},
		{"an order", search(SearchQuery{Filters: Filters{"uf": {"SP"}}, Ordem: "aleatoria"}), Malformed, "antigas, capital, nome, recentes, relevancia"},
		{"a limit", search(SearchQuery{Filters: Filters{"uf": {"SP"}}, Limite: -1}), Malformed, "de 1 a 50"},
		{"no partner", partnerships(PartnershipsQuery{}), Malformed, "Informe o argumento nome"},
		{"a person's document alone", partnerships(PartnershipsQuery{Documento: "***456789**"}), Malformed, "Informe o argumento nome"},
		{"a wrong document", partnerships(PartnershipsQuery{Nome: "x", Documento: "98765432000100"}), Malformed, "CNPJ de uma empresa sócia"},
		{"an unknown partner", partnerships(PartnershipsQuery{Documento: "00000000000191"}), Unknown, "não consta"},
		{"too many places", ranking(RankingQuery{Municipios: make([]string, 21)}), Malformed, "até 20"},
		{"a place without a name", ranking(RankingQuery{Municipios: []string{" "}}), Malformed, "sem nome"},
		{"places of two states", ranking(RankingQuery{UF: "SP", Municipios: []string{"Recife/PE"}}), Malformed, "retire uf"},
		{"an order of places", ranking(RankingQuery{Ordem: "nome"}), Malformed, "empresas_ativas"},
		{"another company's cursor", func() error {
			_, err := a.Partners(ctx, PartnersQuery{CNPJ: fixture.Bakery, Cursor: *first.ProximoCursor})
			return err
		}, Malformed, "cursor_invalido"},
		{"another question's cursor", func() error {
			_, err := a.Establishments(ctx, EstablishmentsQuery{CNPJ: fixture.Chain, Cursor: *first.ProximoCursor})
			return err
		}, Malformed, "cursor_invalido"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := refusalOf(t, c.ask())
			if r.Kind != c.kind || !strings.Contains(r.Text, c.says) {
				t.Errorf("kind %d: %s", r.Kind, r.Text)
			}
		})
	}
}

// TestNoticesNameTheFilters searches with words that become filters. A cursor also works if the
// same filters are written differently.
func TestNoticesNameTheFilters(t *testing.T) {
	t.Parallel()
	a := open(t, fixture.Shared(t))
	got, err := a.Search(t.Context(), SearchQuery{Consulta: "padarias em campinas abertas depois de 2008 com capital acima de R$ 100 mil"})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{": Abertura: desde 01/01/2009.", ": Capital social: a partir de R$ 100"} {
		if !slices.ContainsFunc(got.Avisos, func(remark string) bool { return strings.Contains(remark, "foi usado como filtro"+want) }) {
			t.Errorf("no remark has %q: %q", want, got.Avisos)
		}
	}
	first, err := a.Search(t.Context(), SearchQuery{Filters: Filters{"uf": {"sp"}, "situacao": {"ativa"}}, Limite: 1})
	if err != nil || first.ProximoCursor == nil {
		t.Fatalf("%+v, %v", first, err)
	}
	second, err := a.Search(t.Context(), SearchQuery{Filters: Filters{"uf": {"SP"}, "situacao": {"02"}}, Limite: 1, Cursor: *first.ProximoCursor})
	if err != nil || second.Itens[0].CNPJ == first.Itens[0].CNPJ {
		t.Errorf("%+v, %v", second, err)
	}
	_, err = a.Search(t.Context(), SearchQuery{Filters: Filters{"uf": {"SP"}}, Limite: 1, Cursor: *first.ProximoCursor})
	if r := refusalOf(t, err); !strings.Contains(r.Text, "cursor_invalido") {
		t.Errorf("%+v", r)
	}
}

func TestPlacesAreUnderstood(t *testing.T) {
	t.Parallel()
	a := open(t, fixture.Shared(t))
	for _, q := range []Filters{
		{"municipio": {"Campinas"}}, {"municipio": {"campinas/sp"}}, {"municipio": {"CAMPINAS"}, "uf": {"sp"}}, {"municipio": {"6291"}}, {"municipio": {"3509502"}},
	} {
		got, err := a.Search(t.Context(), SearchQuery{Filters: q})
		if err != nil {
			t.Fatalf("%+v: %v", q, err)
		}
		if got.Total == 0 || got.Itens[0].Municipio != "6291" || !strings.Contains(got.URL, "municipio=6291") {
			t.Errorf("%+v: %d, %s", q, got.Total, got.URL)
		}
	}
	got, err := a.Search(t.Context(), SearchQuery{Consulta: "padaria campinas"})
	if err != nil || len(got.Avisos) != 3 || !strings.Contains(got.Avisos[0], "Campinas/SP") || !strings.Contains(got.Avisos[1], "“padaria”") ||
		!strings.Contains(got.Avisos[2], "não prova que é exercida. (Concla, IBGE; https://razao.example/glossario#cnae)") {
		t.Errorf("%+v, %v", got, err)
	}
	for text, want := range map[string]string{
		"estrela": "É também o nome de um município: “em Estrela RS” traz as empresas de lá.",
		"assu rn": "“assu rn” foi usado como filtro de lugar: Açu/RN. Entre aspas, é procurado nos nomes.",
		"padaria": "",
		"\"açu\"": "",
	} {
		got, err := a.Search(t.Context(), SearchQuery{Consulta: text})
		if err != nil || want != "" && !slices.Contains(got.Avisos, want) || want == "" && strings.Contains(strings.Join(got.Avisos, " "), "município") {
			t.Errorf("%s: %q, %v", text, got.Avisos, err)
		}
	}
}

// TestPartnerships checks which partners match a name and document.
func TestPartnerships(t *testing.T) {
	t.Parallel()
	a := open(t, fixture.Shared(t))
	for _, c := range []struct {
		name string
		q    PartnershipsQuery
		want []string // companies
	}{
		{"by name", PartnershipsQuery{Nome: "Marta Figueira Inventada"}, []string{fixture.Bakery, fixture.Holding}},
		{"by a part of it", PartnershipsQuery{Nome: "figueira  MARTA"}, []string{fixture.Bakery, fixture.Holding}},
		{"and by document", PartnershipsQuery{Nome: "Marta", Documento: "456789"}, []string{fixture.Bakery, fixture.Holding}},
		{"as published", PartnershipsQuery{Nome: "Marta", Documento: "***456789**"}, []string{fixture.Bakery, fixture.Holding}},
		{"another's document", PartnershipsQuery{Nome: "Marta", Documento: "111111"}, nil},
		{"another name", PartnershipsQuery{Nome: "Marta Outra"}, nil},
		{"a company by its number", PartnershipsQuery{Documento: holding}, []string{fixture.Bakery}},
		{"a name of companies", PartnershipsQuery{Nome: "Padaria Estrela"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := a.Partnerships(t.Context(), c.q)
			if err != nil {
				t.Fatal(err)
			}
			var companies []string
			for i := range got.Itens {
				companies = append(companies, got.Itens[i].CNPJ[:8])
			}
			slices.Sort(companies)
			if !slices.Equal(companies, c.want) || !got.Completa || got.Aviso != homonyms || !strings.Contains(got.Text(), homonyms) {
				t.Errorf("%v, want %v: %+v", companies, c.want, got)
			}
		})
	}
}

// published is the release without the mark "invented".
var published = fixture.Prepare(func(t testing.TB, l *fixture.Loaded) { l.Publish(t, fixture.Published(t, fixture.Month)) })
