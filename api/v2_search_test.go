package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"razao/index"
	"razao/index/filter"
	"razao/internal/store/registry/pack"
	"razao/internal/store/render"
	"razao/internal/store/snapshot"
	"razao/internal/testing/fixture"
)

// hitJSON is what a client reads of a result.
type hitJSON struct {
	CNPJ   string
	Root   string `json:"cnpj_basico"`
	Motivo string
	Socio  *string
	URL    string
}

// found is a page of results as a client reads it.
type found struct {
	Itens   []json.RawMessage
	Total   int
	Floor   bool `json:"total_minimo"`
	Of      int  `json:"estabelecimentos"`
	Others  *int `json:"nao_procurados"`
	Facetas map[string][]struct {
		Valor string
		Count int64 `json:"estabelecimentos"`
	}
	Entendido struct {
		Lugares    []struct{ Palavras, UF, Municipio string }
		Condicoes  []struct{ Palavras, Filtro, Valor, Descricao string }
		Correcoes  []struct{ De, Para string }
		Deixadas   []string `json:"palavras_deixadas"`
		Frases     []string
		Atividade  string
		Municipios []struct {
			Municipio  string
			IBGE       string `json:"codigo_municipio_ibge"`
			Descricoes struct{ Municipio string }
		}
	}
	Cursor *string `json:"proximo_cursor"`
	URL    *string `json:"proxima_url"`
}

func (s *service) search(t testing.TB, query string) found {
	t.Helper()
	path := query
	if !strings.HasPrefix(path, "/") {
		path = "/v2/busca?" + query
	}
	got := s.do(t, "GET", path)
	var b struct{ Dados found }
	if err := json.Unmarshal(got.body, &b); err != nil || got.status != 200 {
		t.Fatalf("%s: status %d, %v: %s", path, got.status, err, got.body)
	}
	return b.Dados
}

func (f *found) numbers(t testing.TB) []string {
	t.Helper()
	all := []string{}
	for _, raw := range f.Itens {
		var hit hitJSON
		if err := json.Unmarshal(raw, &hit); err != nil {
			t.Fatal(err)
		}
		all = append(all, hit.CNPJ)
	}
	return all
}

// walkSearch follows the links of a search to its end and returns the results.
func (s *service) walkSearch(t testing.TB, query string, limit int) []string {
	t.Helper()
	var items []string
	for next := fmt.Sprintf("%s&limite=%d", query, limit); ; {
		page := s.search(t, next)
		items = append(items, texts(page.Itens)...)
		if (page.Cursor == nil) != (page.URL == nil) || page.URL != nil && len(page.Itens) != limit {
			t.Fatalf("%s: %d items, cursor %v, address %v", next, len(page.Itens), page.Cursor, page.URL)
		}
		if page.URL == nil {
			if len(items) != page.Total || page.Floor {
				t.Errorf("%s by %d: %d items of %d", query, limit, len(items), page.Total)
			}
			return items
		}
		next = *page.URL
	}
}

// everyEstablishment is a query that every establishment answers.
const everyEstablishment = "agrupar=nao&tipo=matriz&tipo=filial"

func TestSearchIsWalkedToItsEnd(t *testing.T) {
	t.Parallel()
	s := read(t, fixture.SharedRecords(t))
	for _, query := range []string{
		everyEstablishment, everyEstablishment + "&ordem=nome", everyEstablishment + "&ordem=capital", everyEstablishment + "&ordem=recentes",
		everyEstablishment + "&ordem=antigas", "tipo=matriz&tipo=filial", "q=exemplo&agrupar=nao", "q=exemplo&agrupar=nao&ordem=nome&situacao=-08",
		"q=padaria+campinas", "q=padaria+campinas&literal=1", "q=marta&em=socios", "q=estrela&em=nomes", "q=%22estrela+do%22", "fonte=ceis&agrupar=nao",
		"q=nada+disso+existe",
	} {
		whole := s.walkSearch(t, query, 100)
		for _, limit := range []int{1, 7, 20} {
			if diff := cmp.Diff(whole, s.walkSearch(t, query, limit)); diff != "" {
				t.Errorf("%s by %d (-by 100 +got):\n%s", query, limit, diff)
			}
		}
	}
}

// asked are queries as addresses and as the index has them.
var asked = map[string]index.Query{
	"q=exemplo":                                     {Text: "exemplo", ByCompany: true},
	"q=exemplo&agrupar=nao":                         {Text: "exemplo"},
	"q=exemplo&agrupar=sim&ordem=nome":              {Text: "exemplo", ByCompany: true, Order: index.ByName},
	"q=padaria+campinas":                            {Text: "padaria campinas", ByCompany: true},
	"q=padaria+campinas&literal=1":                  {Text: "padaria campinas", ByCompany: true, LiteralPlaces: true},
	"q=padarias+em+campinas+abertas+depois+de+2009": {Text: "padarias em campinas abertas depois de 2009", ByCompany: true},
	"q=sao+paulo+sp":                                {Text: "sao paulo sp", ByCompany: true},
	"q=padarai+estrela":                             {Text: "padarai estrela", ByCompany: true},
	"q=estrela+inexistente+sul":                     {Text: "estrela inexistente sul", ByCompany: true},
	"q=marta&em=socios&ordem=relevancia":            {Text: "marta", ByCompany: true, Scope: index.InPartners},
	"q=estrela&em=nomes&ordem=antigas":              {Text: "estrela", ByCompany: true, Scope: index.InNames, Order: index.ByOldest},
	"uf=SP&situacao=02&agrupar=nao":                 {Filters: filter.Of(filter.UF, "SP", filter.Situacao, "02")},
	"q=12345678&agrupar=nao":                        {Text: "12345678"},
	"fonte=ceis&fonte=-pgfn&literal=0":              {Filters: filter.Of(filter.Source, "ceis", filter.Source, "-pgfn"), ByCompany: true},
}

// TestSearchAnswersTheSnapshot compares results and facet counts with those of the snapshot, which
// pages show.
func TestSearchAnswersTheSnapshot(t *testing.T) {
	t.Parallel()
	s := read(t, fixture.SharedRecords(t))
	snap := fixture.Acquire(t, s.Live)
	for address, q := range asked {
		q.Limit = maxLimit
		want, err := snap.Find(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		counts, err := snap.Facets(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		got := s.search(t, address+"&facetas=sim&limite=100")
		numbers := []string{}
		for i := range want.Matches {
			numbers = append(numbers, want.Matches[i].Establishment.CNPJ.String())
		}
		same := got.Total == want.Total && got.Of == want.Establishments && got.Floor == want.TotalIsFloor
		if diff := cmp.Diff(numbers, got.numbers(t)); diff != "" || !same {
			t.Errorf("%s: %d of %d (-want +got):\n%s", address, got.Total, got.Of, diff)
		}
		facets := index.Facets{}
		for name, values := range got.Facetas {
			facets[name] = []index.FacetValue{}
			for _, v := range values {
				facets[name] = append(facets[name], index.FacetValue{Value: v.Valor, Count: v.Count})
			}
		}
		if diff := cmp.Diff(counts, facets); diff != "" {
			t.Errorf("%s: facets (-want +got):\n%s", address, diff)
		}
		understood := index.Understood{Dropped: got.Entendido.Deixadas, Phrases: got.Entendido.Frases, Activity: got.Entendido.Atividade}
		for _, c := range got.Entendido.Condicoes {
			if c.Descricao != "01/01/2010" {
				t.Errorf("%s: %+v", address, c)
			}
			understood.Conditions = append(understood.Conditions, index.Condition{Words: c.Palavras, Name: c.Filtro, Value: c.Valor})
		}
		for n := range want.Understood.Conditions {
			want.Understood.Conditions[n].Without = "" // which programs can do themselves
		}
		for _, l := range got.Entendido.Lugares {
			understood.Places = append(understood.Places, index.PlaceFilter{Words: l.Palavras, UF: l.UF, Municipio: l.Municipio})
		}
		for _, c := range got.Entendido.Correcoes {
			understood.Corrections = append(understood.Corrections, index.Correction{From: c.De, To: c.Para})
		}
		for _, m := range got.Entendido.Municipios {
			if understood.Towns = append(understood.Towns, m.Municipio); m.IBGE != fixture.Atlas(t).IBGE(m.Municipio) || m.IBGE == "" || m.Descricoes.Municipio == "" {
				t.Errorf("%s: %+v", address, m)
			}
		}
		if diff := cmp.Diff(want.Understood, understood, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s: understood (-want +got):\n%s", address, diff)
		}
	}
}

// TestSearchResultsAgreeWithTheRecords compares every field of every result with the linked record,
// and checks that no contact or street is among them.
func TestSearchResultsAgreeWithTheRecords(t *testing.T) {
	t.Parallel()
	s := read(t, fixture.SharedRecords(t))
	for _, grouped := range []string{"sim", "nao"} {
		for _, raw := range s.walkSearch(t, "tipo=matriz&tipo=filial&agrupar="+grouped, 50) {
			var fields map[string]json.RawMessage
			var hit hitJSON
			if err := json.Unmarshal([]byte(raw), &fields); err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal([]byte(raw), &hit); err != nil {
				t.Fatal(err)
			}
			record := s.record(t, hit.CNPJ)
			for _, name := range hitFields {
				want := record.Estabelecimento[name]
				if want == nil {
					want = record.Empresa[name]
				}
				if !bytes.Equal(fields[name], want) {
					t.Errorf("%s of %s is %s, want %s", name, hit.CNPJ, fields[name], want)
				}
			}
			for _, secret := range []string{"PALMEIRAS", "SEGREDO", "RESERVADA", "CAMBUI", "13024100", "32334455", "99887766", "exemplo\"", "@"} {
				if strings.Contains(raw, secret) {
					t.Errorf("%s has %q: %s", hit.CNPJ, secret, raw)
				}
			}
			want := map[string]string{"sim": "/v2/empresas/" + hit.Root + "/full", "nao": "/v2/estabelecimentos/" + hit.CNPJ + "/full"}[grouped]
			if hit.URL != want || hit.Motivo != "filtro" || hit.Socio != nil {
				t.Errorf("%+v, want the address %s", hit, want)
			}
			if got := s.do(t, "GET", hit.URL); got.status != 200 {
				t.Errorf("%s leads to %d", hit.URL, got.status)
			}
		}
	}
}

func TestSearchSaysWhy(t *testing.T) {
	t.Parallel()
	s := read(t, fixture.SharedRecords(t))
	for query, want := range map[string]string{
		"q=padaria+estrela+do+sul": "nome_exato", "q=12.345.678%2F0001-95": "cnpj", "q=padaria+sul": "nome", "q=padar": "comeco_do_nome",
		"q=marta+figueira": "socio", "q=marhta+phigueira": "socio", "uf=SP": "filtro",
	} {
		page := s.search(t, query+"&limite=1")
		var hit hitJSON
		if err := json.Unmarshal(page.Itens[0], &hit); err != nil || hit.Motivo != want {
			t.Errorf("%s: %s, want %s (%v)", query, hit.Motivo, want, err)
		}
		if hit.Socio != nil != (want == "socio") || want == "socio" && *hit.Socio != "MARTA FIGUEIRA INVENTADA" {
			t.Errorf("%s: partner %v", query, hit.Socio)
		}
	}
}

// Natural persons cannot be found by digits of their CPF, masked or not.
func TestSearchFindsNobodyByNumber(t *testing.T) {
	t.Parallel()
	s := read(t, fixture.SharedRecords(t))
	for _, q := range []string{fixture.HiddenCPF, "***456789**", "456789", "123.456.789-09", "socio_digitos:456789"} {
		if got := s.search(t, "q="+url.QueryEscape(q)); got.Total != 0 {
			t.Errorf("%s finds %s", q, got.Itens)
		}
	}
	for _, name := range []string{filter.PartnerDigits + "=456789", filter.PartnerRoot + "=98765432"} {
		checkError(t, s.do(t, "GET", "/v2/busca?"+name), 400, "parametro_invalido")
	}
}

func TestSearchRefuses(t *testing.T) {
	t.Parallel()
	s := read(t, fixture.SharedRecords(t))
	good := s.search(t, "q=exemplo&agrupar=nao&limite=7")
	cursor := "cursor=" + *good.Cursor
	for _, tt := range []struct{ query, code, names string }{
		{"", "parametro_invalido", "Informe q ou ao menos um filtro"},
		{"em=nomes&ordem=nome", "parametro_invalido", "Informe q"},
		{"q=", "parametro_invalido", "q="},
		{"q=%20%09", "parametro_invalido", "q="},
		{"q=%ff", "parametro_invalido", "q="},
		{"q=" + strings.Repeat("a", index.LongestText+1), "parametro_invalido", "até 200 caracteres"},
		{"q=a&q=b", "parametro_invalido", "repetido: q"},
		{"q=12345678000196", "cnpj_invalido", "CNPJ"},
		{"q=12.345.678/0001-96", "cnpj_invalido", "CNPJ"},
		{"q=a&em=tudo", "parametro_invalido", "em=tudo"},
		{"q=a&em=", "parametro_invalido", "em="},
		{"q=a&agrupar=1", "parametro_invalido", "agrupar=1"},
		{"q=a&literal=sim", "parametro_invalido", "literal=sim"},
		{"q=a&ordem=preco", "parametro_invalido", "ordem=preco"},
		{"q=a&facetas=1", "parametro_invalido", "facetas=1"},
		{"q=a&facetas=sim&facetas=sim", "parametro_invalido", "repetido: facetas"},
		{"q=a&limite=0", "parametro_invalido", "limite"},
		{"q=a&limite=101", "parametro_invalido", "limite"},
		{"q=a&pagina=2", "parametro_invalido", "desconhecido: pagina"},
		{"q=a&UF=SP", "parametro_invalido", "desconhecido: UF"},
		{"q=%zz", "parametro_invalido", "ler os parâmetros"},
		{"uf=XX", "parametro_invalido", "uf=XX. Deve ser a sigla"},
		{"uf=SP&uf=-XX", "parametro_invalido", "uf=-XX"},
		{"uf=", "parametro_invalido", "uf="},
		{"uf=-", "parametro_invalido", "uf=-"},
		{"situacao=99", "parametro_invalido", "situacao=99"},
		{"ano_de=2001&ano_ate=2000", "parametro_invalido", "ano_ate=2000"},
		{"ano_de=2000&ano_de=2001", "parametro_invalido", "repetido: ano_de"},
		{strings.Repeat("uf=SP&", filter.MaxValues) + "uf=RJ", "parametro_invalido", "até 100 valores"},
		{"ano_de=-2000", "parametro_invalido", "ano_de=-2000"},
		{"abertura_de=2020-02-30", "parametro_invalido", "abertura_de=2020-02-30"},
		{"capital_de=100&capital_ate=99.99", "parametro_invalido", "capital_ate=99.99"},
		{"capital_de=1e5", "parametro_invalido", "capital_de=1e5"},
		{"fonte_todas=-pgfn", "parametro_invalido", "fonte_todas=-pgfn"},
		{"divida_de=abc", "parametro_invalido", "divida_de=abc"},
		{"fonte=rntrcm", "parametro_invalido", "fonte=rntrcm"},
		{"q=exemplo&agrupar=nao&" + cursor, "cursor_invalido", "cursor"},
		{"q=exemplo&agrupar=nao&limite=8&" + cursor, "cursor_invalido", "cursor"},
		{"q=exemplos&agrupar=nao&limite=7&" + cursor, "cursor_invalido", "cursor"},
		{"q=exemplo&limite=7&" + cursor, "cursor_invalido", "cursor"},
		{"q=exemplo&agrupar=nao&uf=SP&limite=7&" + cursor, "cursor_invalido", "cursor"},
		{"q=exemplo&agrupar=nao&limite=7&ordem=nome&" + cursor, "cursor_invalido", "cursor"},
		{"q=exemplo&agrupar=nao&limite=7&cursor=", "cursor_invalido", "cursor"},
		{"limite=7&" + cursor, "parametro_invalido", "Informe q"},
	} {
		got := s.do(t, "GET", "/v2/busca?"+tt.query)
		checkError(t, got, 400, tt.code)
		if !strings.Contains(string(got.body), tt.names) {
			t.Errorf("%s: the answer does not say %q: %s", tt.query, tt.names, got.body)
		}
	}
	for _, same := range []string{
		"limite=7&" + cursor + "&q=exemplo&agrupar=nao", "q=+exemplo++&agrupar=nao&ordem=relevancia&literal=0&limite=7&facetas=sim&" + cursor,
	} {
		if next, want := s.search(t, same), s.search(t, *good.URL); !slices.Equal(texts(next.Itens), texts(want.Itens)) {
			t.Errorf("%s is another page", same)
		}
	}
	checkError(t, s.do(t, "GET", "/v2/busca?q=a", "Authorization", ""), 401, "chave_ausente")
	checkError(t, s.do(t, "GET", "/v2/busca", "Authorization", "Bearer abc"), 401, "chave_invalida")
	checkError(t, s.do(t, "POST", "/v2/busca?q=a"), 405, "metodo_nao_permitido")
	checkError(t, s.do(t, "GET", "/v2/busca/?q=a"), 404, "rota_nao_encontrada")
}

// TestSearchCursorsEndWithWhatTheyWalk publishes loads: a search without filters by a source keeps
// its cursors when sources are loaded.
func TestSearchCursorsEndWithWhatTheyWalk(t *testing.T) {
	t.Parallel()
	l := fixture.LoadRecords(t)
	s := start(t, l)
	links := map[string]string{}
	for _, query := range []string{"q=exemplo&agrupar=nao", "situacao=02", "fonte=ceis&agrupar=nao", "fonte=-ceis", "fonte=-pgfn"} {
		links[query] = *s.search(t, query+"&limite=1").URL
	}
	check := func(changed ...string) {
		t.Helper()
		for query, link := range links {
			got := s.do(t, "GET", link)
			if slices.Contains(changed, query) {
				checkError(t, got, 409, "fotografia_alterada")
			} else if got.status != 200 {
				t.Errorf("%s: %d %s", query, got.status, got.body)
			}
		}
	}
	check()
	first := loadServed(t, l, "ceis")
	if l.Records(t, "ceis"); loadServed(t, l, "ceis") == first {
		t.Fatal("the load is the same")
	}
	check("fonte=ceis&agrupar=nao", "fonte=-ceis")
	publish(t, l, map[string]int64{"ceis": first})
	check()
	l.Ingest(t)
	if err := l.Live.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	check("q=exemplo&agrupar=nao", "situacao=02", "fonte=ceis&agrupar=nao", "fonte=-ceis", "fonte=-pgfn")
}

func loadServed(t testing.TB, l *fixture.Loaded, id string) int64 {
	t.Helper()
	snap := fixture.Acquire(t, l.Live)
	return snap.LoadOf(id)
}

// TestSearchWithoutTheIndex: a search without an index is an error, not an empty result, and the
// rest of the API answers.
func TestSearchWithoutTheIndex(t *testing.T) {
	t.Parallel()
	l, back := fixture.WithoutIndex(t)
	s := start(t, l)
	for _, query := range []string{"q=padaria", "uf=SP&facetas=sim", "q=12345678000195", "q=ninguem"} {
		checkError(t, s.do(t, "GET", "/v2/busca?"+query), 503, "indice_indisponivel")
	}
	checkError(t, s.do(t, "GET", "/v2/busca?uf=XX"), 400, "parametro_invalido")
	if got := s.do(t, "GET", "/v2/empresas/"+fixture.Bakery+"/full"); got.status != 200 {
		t.Errorf("records: %d", got.status)
	}
	back()
	if got := s.search(t, "q=padaria"); got.Total == 0 {
		t.Error("the index is back and finds nothing")
	}
	empty := start(t, fixture.Empty(t))
	for _, query := range []string{"q=padaria", "uf=sp&situacao=ativa", "natureza=2062&municipio=Campinas&motivo=99", "porte=micro&cnae=4721-1/02"} {
		checkError(t, empty.do(t, "GET", "/v2/busca?"+query), 503, "servico_indisponivel")
	}
	for _, query := range []string{"uf=XX", "situacao=morta", "natureza=x", "municipio=N%C3%A1rnia", "uf=+", "cor=azul", "uf=SP&cursor=x", "capital_de=2&capital_ate=1"} {
		if got := empty.do(t, "GET", "/v2/busca?"+query); got.status != 400 {
			t.Errorf("%s before the first load: %d %s", query, got.status, got.body)
		}
	}
}

// TestSearchByASourceThatIsNotKnown removes the flags of a source from the index.
func TestSearchByASourceThatIsNotKnown(t *testing.T) {
	t.Parallel()
	l := fixture.LoadRecords(t)
	s := start(t, l)
	files, err := filepath.Glob(filepath.Join(l.IndexDir, "*", "sources", "ceis-*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("flags %v, %v", files, err)
	}
	if err := os.Rename(files[0], files[0]+".away"); err != nil {
		t.Fatal(err)
	}
	publish(t, l, nil)
	got := s.do(t, "GET", "/v2/busca?fonte=ceis")
	checkError(t, got, 503, "fonte_indisponivel")
	if !strings.Contains(string(got.body), "ceis") {
		t.Errorf("the source is not named: %s", got.body)
	}
	if page := s.search(t, "fonte=pgfn"); page.Total == 0 {
		t.Error("another source finds nothing")
	}
	for query, want := range map[string]string{"uf=SP": "completa", "uf=SP&facetas=sim": "parcial"} {
		if got := s.availability(t, "/v2/busca?"+query); got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
}

// A filter by a source without a load matches nothing, and the response is partial.
func TestSearchByASourceWithoutALoad(t *testing.T) {
	t.Parallel()
	s := read(t, fixture.Shared(t))
	if page := s.search(t, "fonte=pgfn"); page.Total != 0 {
		t.Errorf("%d found", page.Total)
	}
	for query, want := range map[string]string{"fonte=pgfn": "parcial", "uf=SP&fonte=-pgfn": "parcial", "uf=SP": "completa"} {
		if got := s.availability(t, "/v2/busca?"+query); got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
}

// TestSearchEndsAtItsFloor renders the last two pages of a search with more hits than are counted:
// links end at the counted total.
func TestSearchEndsAtItsFloor(t *testing.T) {
	t.Parallel()
	matches := make([]snapshot.Match, 50)
	for i := range matches {
		matches[i] = snapshot.Match{Head: &pack.Head{}, Why: index.WhyListed}
	}
	for offset, more := range map[int]bool{index.MaxTotal - 100: true, index.MaxTotal - 50: false} {
		r := searchRenderer{
			Renderer: render.New(nil, testIBGE), cursors: cursorSigner{[]byte("key")}, state: 1,
			searchRequest: searchRequest{Query: index.Query{Offset: offset}, at: collectionAt{searchPath, "situacao=02", 50}},
		}
		var page found
		raw := r.dados(nil, &snapshot.Found{Matches: matches, Total: index.MaxTotal, TotalIsFloor: true, Establishments: index.MaxTotal + 7})
		if err := json.Unmarshal(raw, &page); err != nil {
			t.Fatal(err)
		}
		if !page.Floor || page.Total != index.MaxTotal || page.Of != index.MaxTotal+7 || len(page.Itens) != 50 || (page.URL != nil) != more {
			t.Errorf("from %d: total %d, floor %v, next %v", offset, page.Total, page.Floor, page.URL)
		}
	}
}
