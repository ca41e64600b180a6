package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"razao/index/filter"
	"razao/ingest/receita"
	"razao/internal/data/change"
	"razao/internal/data/cnpj"
	"razao/internal/store/registry"
	"razao/internal/store/registry/history"
	"razao/internal/testing/fixture"
	"razao/internal/testing/fixture/sourcefiles"
)

// The edits of a second and a third month.
var (
	septemberEdits = []string{
		`"PADARIA ESTRELA DO SUL LTDA";"2062";"49";"480000,00";"03"`, `"PADARIA ESTRELA DO NORTE LTDA";"2054";"10";"500000,00";"05"`,
		`"12345678";"S";"20120101"`, `"12345678";"N";"20120101"`,
		"ESTRELA DO SUL P", "ESTRELA DO NORTE P",
		`5611203,4721102`, `5611203,4711302`,
		`"12345678";"0003";"57";"2";"";"02"`, `"12345678";"0003";"57";"2";"";"08"`,
		`"12345678";"2";"MARTA FIGUEIRA INVENTADA";"***456789**";"49"`, `"12345678";"2";"MARTA FIGUEIRA INVENTADA";"***456789**";"10"`,
		`"12345678";"1";"ESTRELA PARTICIPA`, `"12345678";"1";"LUA PARTICIPA`,
		"JOSE INVENTADO DOS SANTOS", "JOSE INVENTADO SANTOS", `"SEGREDO";"77"`, `"OCULTA";"78"`, "joana@bolos.exemplo", "souza@bolos.exemplo",
		`"20260803";"1091102";"";"RUA";"DAS PALMEIRAS";"214";"";"CAMBUI";"13024100";"SP";"6291"`,
		`"20260803";"1091102";"";"RUA";"DAS PALMEIRAS";"215";"";"CAMBUI";"13024100";"SP";"7107"`,
	}
	octoberEdits = append([]string{
		septemberEdits[0], strings.Replace(septemberEdits[1], "500000,00", "600000,00", 1),
	}, append(slices.Clone(septemberEdits[2:]), `"EXEMPLO LOJA 7"`, `"EXEMPLO LOJA SETE"`, `"EXEMPLO LOJA 9"`, `"EXEMPLO LOJA NOVE"`,
		`"44444444";"EMPRESA SEM ESTABELECIMENTO LTDA";"2062";"49";"1,23";"05";""`+"\n", "")...)
)

// twoMonths has the release, a month in which much changed, and a source of which one record changed
// its owner.
var twoMonths = fixture.Prepare(func(t testing.TB, l *fixture.Loaded) {
	l.Publish(t, fixture.Published(t, "2026-08"))
	l.Publish(t, fixture.Published(t, "2026-09", septemberEdits...))
	l.Records(t, "ceis")
	from := sourcefiles.Folder(t, "ceis")
	raw, err := os.ReadFile(filepath.Join(from, "20260930_CEIS.csv"))
	if err != nil {
		t.Fatal(err)
	}
	moved := bytes.ReplaceAll(raw, []byte(fixture.Full(t, fixture.Closed).String()), []byte(fixture.Full(t, fixture.Holding).String()))
	l.Source(t, "ceis", sourcefiles.Write(t, "20261031_CEIS.csv", string(moved)), "")
})

const companyChanges = "/v2/empresas/" + fixture.Bakery + "/mudancas"

// journalPage is a page of /v2/mudancas, or of a document's changes, as a client reads it.
type journalPage struct {
	Itens     []json.RawMessage
	Retiradas []struct {
		Fonte, Competencia string
		Carga              int64
	}
	Cobertura []struct {
		Fonte      string
		Desde, Ate *struct {
			Competencia  *string
			ComparadaCom *string `json:"comparada_com"`
		}
		Lacunas []struct{ Competencia, Parte, Motivo string }
		Falha   *struct{ Competencia, Em string }
	}
	HaMais bool    `json:"ha_mais"`
	Total  int     // of a document
	Next   *string `json:"proxima_url"`
}

func (s *service) journal(t testing.TB, path string) journalPage {
	t.Helper()
	got := s.do(t, "GET", path)
	var b struct{ Dados journalPage }
	if err := json.Unmarshal(got.body, &b); err != nil || got.status != 200 {
		t.Fatalf("%s: status %d, %v: %s", path, got.status, err, got.body)
	}
	return b.Dados
}

// follow reads a journal to its end and returns its events and the address to go on with, "" if it is
// the history of a document.
func (s *service) follow(t testing.TB, path string) (events []string, next string) {
	t.Helper()
	for {
		page := s.journal(t, path)
		for _, item := range page.Itens {
			events = append(events, string(item))
		}
		if page.Next == nil {
			return events, ""
		}
		if path = *page.Next; !page.HaMais && strings.HasPrefix(path, changesPath) {
			return events, path
		}
	}
}

// eventsIn returns the codes of events, sorted and with their establishment or root.
func eventsIn(t testing.TB, events []string) []string {
	t.Helper()
	var codes []string
	for _, raw := range events {
		var e struct {
			Root   string `json:"cnpj_basico"`
			CNPJ   *string
			Evento string
		}
		if err := json.Unmarshal([]byte(raw), &e); err != nil {
			t.Fatal(err)
		}
		if e.CNPJ != nil {
			e.Root = *e.CNPJ
		}
		codes = append(codes, e.Evento+" "+e.Root)
	}
	slices.Sort(codes)
	return codes
}

var seenOn = regexp.MustCompile(`"vista_em":"20\d\d-\d\d-\d\d"`)

func TestBodiesOfChanges(t *testing.T) {
	t.Parallel()
	s := read(t, twoMonths.Shared(t))
	for file, path := range map[string]string{
		"examples/v2_empresa_mudancas":         companyChanges + "?limite=2",
		"examples/v2_estabelecimento_mudancas": "/v2/estabelecimentos/" + branch(t, fixture.Letters, "01DE") + "/mudancas?limite=1",
		"examples/v2_mudancas":                 "/v2/mudancas?evento=socio&evento=estabelecimento.baixado&limite=3",
		"testdata/v2_mudancas":                 "/v2/mudancas",
	} {
		got := s.do(t, "GET", path)
		if got.status != 200 || got.header.Get("ETag") == "" {
			t.Fatalf("%s: %d %s", path, got.status, got.body)
		}
		if bytes.Contains(got.body, []byte(fixture.HiddenCPF)) {
			t.Errorf("%s has a CPF", path)
		}
		golden(t, file+".json", seenOn.ReplaceAll(got.body, []byte(`"vista_em":"2026-10-01"`)))
	}
}

// TestEventsHaveTheirFields compares the values of every event with the declaration of its kind.
func TestEventsHaveTheirFields(t *testing.T) {
	t.Parallel()
	s := read(t, twoMonths.Shared(t))
	events, _ := s.follow(t, changesPath)
	fields := map[string][]string{}
	for _, info := range change.Kinds() {
		fields[info.CodeOf("ceis")] = info.Fields
	}
	for _, raw := range events {
		var e struct {
			Evento        string
			Socio         map[string]string
			Antes, Depois map[string]json.RawMessage
		}
		if err := json.Unmarshal([]byte(raw), &e); err != nil {
			t.Fatal(err)
		}
		if (e.Socio != nil) != strings.HasPrefix(e.Evento, "socio.") || e.Antes == nil && e.Depois == nil {
			t.Errorf("%s", raw)
		}
		for _, side := range []map[string]json.RawMessage{e.Antes, e.Depois} {
			delete(side, "descricoes")
			for _, name := range fields[e.Evento] {
				if side != nil && side[name] == nil {
					t.Errorf("%s is not in %s", name, raw)
				}
			}
			if side != nil && len(side) != len(fields[e.Evento]) {
				t.Errorf("%d fields in %s", len(side), raw)
			}
		}
	}
}

func TestChangesByPagesOfAnySize(t *testing.T) {
	t.Parallel()
	s := read(t, twoMonths.Shared(t))
	const filtered = changesPath + "?evento=estabelecimento&evento=socio&uf=SP"
	for _, path := range []string{companyChanges + "?", changesPath + "?", filtered + "&", "/v2/estabelecimentos/" + branch(t, fixture.Bakery, "0003") + "/mudancas?"} {
		whole, _ := s.follow(t, path+"limite=100")
		if len(whole) < 5 {
			t.Fatalf("%s: %d events", path, len(whole))
		}
		for limit := 1; limit < len(whole); limit += 2 {
			if parts, _ := s.follow(t, fmt.Sprint(path, "limite=", limit)); !slices.Equal(parts, whole) {
				t.Errorf("%s by %d:\n%s", path, limit, cmp.Diff(whole, parts))
			}
		}
		if page := s.journal(t, path+"limite=2"); !strings.HasPrefix(path, changesPath) && page.Total != len(whole) {
			t.Errorf("%s: total %d of %d", path, page.Total, len(whole))
		}
	}
}

func TestChangesOfOneEstablishment(t *testing.T) {
	t.Parallel()
	s := read(t, twoMonths.Shared(t))
	company, _ := s.follow(t, companyChanges)
	number := branch(t, fixture.Bakery, "0003")
	got, _ := s.follow(t, "/v2/estabelecimentos/"+number+"/mudancas")
	want := slices.DeleteFunc(slices.Clone(company), func(raw string) bool {
		return !strings.Contains(raw, `"cnpj":null`) && !strings.Contains(raw, `"cnpj":"`+number+`"`)
	})
	if len(want) == len(company) || !slices.Equal(got, want) {
		t.Errorf("(-want +got):\n%s", cmp.Diff(want, got))
	}
	checkError(t, s.do(t, "GET", "/v2/estabelecimentos/"+branch(t, fixture.Bakery, "9999")+"/mudancas"), 404, "cnpj_nao_encontrado")
	checkError(t, s.do(t, "GET", "/v2/empresas/00000001/mudancas"), 404, "cnpj_nao_encontrado")
	if page := s.journal(t, "/v2/empresas/"+fixture.Chain+"/mudancas"); len(page.Itens) != 0 || page.Total != 0 || len(page.Cobertura) == 0 {
		t.Errorf("a company without changes: %+v", page)
	}
}

// TestReadersContinueAfterNewLoads reads a part of both collections, publishes a month, and reads on.
func TestReadersContinueAfterNewLoads(t *testing.T) {
	t.Parallel()
	l := twoMonths.Load(t)
	s := start(t, l)
	before, end := s.follow(t, changesPath)
	if page := s.journal(t, end); len(page.Itens) != 0 || page.HaMais || *page.Next != end {
		t.Errorf("at the end: %+v", page)
	}
	half := s.journal(t, changesPath+"?limite=3")
	history, _ := s.follow(t, companyChanges)
	first := s.journal(t, companyChanges+"?limite=3")
	if _, err := l.Pool.Exec(t.Context(), `UPDATE history_journal SET at = '2026-10-05'`); err != nil {
		t.Fatal(err)
	}
	l.Publish(t, fixture.Published(t, "2026-10", octoberEdits...))
	added, _ := s.follow(t, end)
	want := []string{
		"empresa.capital 12345678", "empresa.removida 44444444",
		"estabelecimento.nome_fantasia " + branch(t, fixture.Chain, "0007"), "estabelecimento.nome_fantasia " + branch(t, fixture.Chain, "0009"),
	}
	if got := eventsIn(t, added); !slices.Equal(got, want) {
		t.Errorf("the new month (-want +got):\n%s", cmp.Diff(want, got))
	}
	rest, _ := s.follow(t, *half.Next)
	all, _ := s.follow(t, changesPath)
	whole := append(eventsIn(t, before), eventsIn(t, added)...)
	slices.Sort(whole)
	for name, got := range map[string][]string{"in the middle": append(eventsIn(t, rawTexts(half.Itens)), eventsIn(t, rest)...), "anew": eventsIn(t, all)} {
		if slices.Sort(got); !slices.Equal(got, whole) {
			t.Errorf("%s (-want +got):\n%s", name, cmp.Diff(whole, got))
		}
	}
	older, _ := s.follow(t, *first.Next)
	if got := append(eventsIn(t, rawTexts(first.Itens)), eventsIn(t, older)...); len(got) != len(history) {
		t.Errorf("the company: %d events of %d", len(got), len(history))
	}
	if since, _ := s.follow(t, changesPath+"?desde=2026-10-06"); !slices.Equal(eventsIn(t, since), want) {
		t.Errorf("since a day: %v", eventsIn(t, since))
	}
	if since, _ := s.follow(t, changesPath+"?desde=2026-10-05"); len(since) != len(whole) {
		t.Errorf("since the day of the first: %d of %d", len(since), len(whole))
	}
	// What is not in the load any more still has a history.
	gone, _ := s.follow(t, "/v2/empresas/"+fixture.Homeless+"/mudancas")
	if got := eventsIn(t, gone); !slices.Equal(got, []string{"empresa.removida 44444444"}) || s.do(t, "GET", "/v2/empresas/"+fixture.Homeless+"/basic").status != 404 {
		t.Errorf("a removed company: %v", got)
	}
}

func rawTexts(items []json.RawMessage) (texts []string) {
	for _, item := range items {
		texts = append(texts, string(item))
	}
	return texts
}

// TestWithdrawnLoadsAreTold rolls back between two pages, and loads the month again.
func TestWithdrawnLoadsAreTold(t *testing.T) {
	t.Parallel()
	l := fixture.Empty(t)
	l.Publish(t, fixture.Published(t, "2026-08"))
	s := start(t, l)
	_, begun := s.follow(t, changesPath)
	l.Publish(t, fixture.Published(t, "2026-09", septemberEdits...))
	half := s.journal(t, changesPath+"?limite=3")
	seen, end := s.follow(t, changesPath)
	if _, err := l.Ingester.Rollback(t.Context(), registry.Receita); err != nil {
		t.Fatal(err)
	}
	if err := l.Live.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	for name, path := range map[string]string{"in the middle": *half.Next, "at the end": end} {
		page := s.journal(t, path)
		if len(page.Itens) != 0 || len(page.Retiradas) != 1 || page.Retiradas[0].Fonte != "receita" || page.Retiradas[0].Competencia != "2026-09" || page.Retiradas[0].Carga != 2 {
			t.Errorf("%s: %+v", name, page)
		}
		if again := s.journal(t, *page.Next); len(again.Retiradas) != 0 {
			t.Errorf("%s: withdrawn twice: %+v", name, again)
		}
		if name == "at the end" {
			end = *page.Next
		}
	}
	if page := s.journal(t, begun); len(page.Retiradas) != 0 {
		t.Errorf("somebody who never saw it: %+v", page)
	}
	if got, _ := s.follow(t, companyChanges); len(got) != 0 {
		t.Errorf("the company: %v", got)
	}
	l.Publish(t, fixture.Published(t, "2026-09", septemberEdits...))
	again, _ := s.follow(t, end)
	if want := eventsIn(t, seen); len(want) == 0 || !slices.Equal(eventsIn(t, again), want) {
		t.Errorf("loaded again (-want +got):\n%s", cmp.Diff(want, eventsIn(t, again)))
	}
}

func TestForgottenPositions(t *testing.T) {
	t.Parallel()
	l := twoMonths.Load(t)
	s := start(t, l)
	const asked = changesPath + "?evento=empresa&uf=SP"
	old := s.journal(t, asked+"&limite=2")
	if _, err := l.Pool.Exec(t.Context(), `DELETE FROM history WHERE load_id = 2`); err != nil {
		t.Fatal(err)
	}
	l.Publish(t, fixture.Published(t, "2026-10", octoberEdits...))
	got := s.do(t, "GET", *old.Next)
	var body struct {
		Erro struct{ Codigo string }
		Next string `json:"proxima_url"`
	}
	if err := json.Unmarshal(got.body, &body); err != nil || got.status != 410 || body.Erro.Codigo != "posicao_esquecida" || got.header.Get("Cache-Control") != "no-store" {
		t.Fatalf("%d %v %s", got.status, err, got.body)
	}
	rest, _ := s.follow(t, body.Next)
	if want := []string{"empresa.capital 12345678"}; !slices.Equal(eventsIn(t, rest), want) {
		t.Errorf("from the oldest position: %v", rest)
	}
	if anew, _ := s.follow(t, asked); !slices.Equal(anew, rest) {
		t.Errorf("from the beginning: %v", anew)
	}
}

// TestGapsAreTold loads a month without its partners, and one that fails.
func TestGapsAreTold(t *testing.T) {
	t.Parallel()
	l := fixture.Empty(t)
	l.Publish(t, fixture.Published(t, "2026-08"))
	s := start(t, l)
	rel := fixture.Published(t, "2026-10", septemberEdits...)
	dir := filepath.Dir(rel.Files[0].Path)
	if err := os.Remove(filepath.Join(dir, "Socios0")); err != nil {
		t.Fatal(err)
	}
	rel, err := receita.Find(dir, "2026-10", receita.Accept{Partial: true})
	if err != nil {
		t.Fatal(err)
	}
	l.Publish(t, rel)
	failed, err := l.Store.BeginLoad(t.Context(), registry.Receita, "2026-11")
	if err == nil {
		err = l.Store.EndLoad(t.Context(), &registry.Load{ID: failed, Period: "2026-11", State: registry.LoadFailed, Reason: "an internal matter"})
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{changesPath, companyChanges} {
		page := s.journal(t, path)
		for _, code := range eventsIn(t, rawTexts(page.Itens)) {
			if strings.HasPrefix(code, "socio.") {
				t.Errorf("%s: %s", path, code)
			}
		}
		c := page.Cobertura[0]
		if c.Fonte != "receita" || *c.Desde.Competencia != "2026-08" || c.Desde.ComparadaCom != nil || *c.Ate.Competencia != "2026-10" || *c.Ate.ComparadaCom != "2026-08" ||
			len(c.Lacunas) != 1 || c.Lacunas[0].Competencia != "2026-10" || c.Lacunas[0].Parte != "socios" || c.Lacunas[0].Motivo != string(history.Missing) {
			t.Errorf("%s: %+v", path, c)
		}
		if c.Falha == nil || c.Falha.Competencia != "2026-11" || c.Falha.Em != time.Now().UTC().Format(time.DateOnly) {
			t.Errorf("%s: %+v", path, c.Falha)
		}
		if body := s.do(t, "GET", path).body; bytes.Contains(body, []byte("internal matter")) {
			t.Errorf("%s has the internal reason", path)
		}
	}
}

func TestChangesQueriesAreChecked(t *testing.T) {
	t.Parallel()
	s := read(t, twoMonths.Shared(t))
	page := s.journal(t, changesPath+"?limite=2&evento=socio&evento=empresa.nome&uf=SP")
	_, query, _ := strings.Cut(*page.Next, "?")
	cursor, _, _ := strings.Cut(query, "&")
	for _, accepted := range []string{
		cursor + "&evento=socio&evento=empresa.nome&uf=SP", cursor + "&uf=sp&evento=empresa.nome&evento=socio&evento=socio&limite=1000",
		"evento=fonte.ceis&fonte=ceis", "evento=estabelecimento.aberto&municipio=Campinas/SP",
	} {
		if got := s.do(t, "GET", changesPath+"?"+accepted); got.status != 200 {
			t.Errorf("%s: %d %s", accepted, got.status, got.body)
		}
	}
	document := s.journal(t, companyChanges+"?limite=2")
	_, ofDocument, _ := strings.Cut(*document.Next, "?")
	for refused, code := range map[string]string{
		cursor + "&evento=socio&uf=SP": "cursor_invalido", cursor: "cursor_invalido", cursor + "&evento=socio&evento=empresa.nome&uf=SP&desde=2026-01-01": "cursor_invalido",
		ofDocument: "cursor_invalido", "cursor=": "cursor_invalido", "cursor=abc": "cursor_invalido",
		"evento=empresa.fundada": "parametro_invalido", "evento=": "parametro_invalido", "evento=empresa.": "parametro_invalido", "evento=fonte.cadin": "parametro_invalido",
		"desde=": "parametro_invalido", "desde=2026-13-01": "parametro_invalido", "desde=01/10/2026": "parametro_invalido", "desde=2026-10-01&desde=2026-10-02": "parametro_invalido",
		"limite=0": "parametro_invalido", "limite=1001": "parametro_invalido", "limite=+1": "parametro_invalido", "eventos=socio": "parametro_invalido", "q=padaria": "parametro_invalido",
		cursor + "&evento=socio&evento=empresa.nome&uf=SP&lado=antes": "cursor_invalido", "lado=": "parametro_invalido", "lado=ambos": "parametro_invalido", "lado=antes&lado=depois": "parametro_invalido",
		"uf=XX": "parametro_invalido", "capital_de=a": "parametro_invalido", "uf=": "parametro_invalido",
	} {
		checkError(t, s.do(t, "GET", changesPath+"?"+refused), 400, code)
	}
	checkError(t, s.do(t, "GET", companyChanges+"?limite=2&"+cursor), 400, "cursor_invalido")
	checkError(t, s.do(t, "GET", companyChanges+"?desde=2026-01-01"), 400, "parametro_invalido")
	checkError(t, s.do(t, "GET", changesPath, "Authorization", ""), 401, "chave_ausente")
	if page := s.journal(t, changesPath+"?evento=fonte.ceis"); !slices.Equal(eventsIn(t, rawTexts(page.Itens)), []string{"fonte.ceis.entrou 98765432", "fonte.ceis.saiu 07654321"}) {
		t.Errorf("of a source: %v", eventsIn(t, rawTexts(page.Itens)))
	}
	for side, want := range map[string]int{"": 1, "&lado=antes": 1, "&lado=depois": 0} {
		if page := s.journal(t, changesPath+"?situacao=02&evento=estabelecimento.baixado"+side); len(page.Itens) != want {
			t.Errorf("closings of active establishments, %q: %s", side, page.Itens)
		}
	}
	if page := s.journal(t, changesPath+"?natureza=2135"); !slices.Equal(eventsIn(t, rawTexts(page.Itens)), []string{
		"empresa.nome " + fixture.OldMEI,
		"estabelecimento.contato " + fixture.Full(t, fixture.MEI).String(), "estabelecimento.endereco " + fixture.Full(t, fixture.MEI).String(),
	}) {
		t.Errorf("by a filter: %v", eventsIn(t, rawTexts(page.Itens)))
	}
}

func TestChangesWithoutTheIndex(t *testing.T) {
	t.Parallel()
	l, back := fixture.WithoutIndex(t)
	s := start(t, l)
	checkError(t, s.do(t, "GET", changesPath+"?uf=SP"), 503, "indice_indisponivel")
	for _, path := range []string{changesPath, companyChanges} {
		if got := s.do(t, "GET", path); got.status != 200 {
			t.Errorf("%s: %d %s", path, got.status, got.body)
		}
	}
	back()
	if got := s.do(t, "GET", changesPath+"?uf=SP"); got.status != 200 {
		t.Errorf("with the index: %d %s", got.status, got.body)
	}
}

// TestHiddenContactsAreInNoChange hides the contact of an establishment that moved, and of a natural
// person in business, whose contact the API has as published before.
func TestHiddenContactsAreInNoChange(t *testing.T) {
	t.Parallel()
	l := twoMonths.Load(t)
	s := start(t, l)
	contact := []string{"PALMEIRAS", `"215"`, "13024100", "SEGREDO", "OCULTA", "joana@bolos", "souza@bolos", "99887766"}
	numbers := []string{branch(t, fixture.Letters, "01DE"), fixture.Full(t, fixture.MEI).String()}
	paths := []string{changesPath}
	for _, number := range numbers {
		paths = append(paths, "/v2/empresas/"+number[:8]+"/mudancas", "/v2/estabelecimentos/"+number+"/mudancas")
	}
	all := func() (text string) {
		for _, path := range paths {
			text += string(s.do(t, "GET", path).body)
		}
		return text
	}
	published := all()
	for _, text := range contact {
		if !strings.Contains(published, text) {
			t.Errorf("%q is not told as published", text)
		}
	}
	next := s.journal(t, "/v2/empresas/"+fixture.MEI+"/mudancas?limite=1").Next
	for _, text := range numbers {
		number, err := cnpj.ParseFull(text)
		if err != nil {
			t.Fatal(err)
		}
		l.Hide(t, number)
	}
	hidden := all()
	for _, text := range contact {
		if strings.Contains(hidden, text) {
			t.Errorf("%q is told", text)
		}
	}
	if !strings.Contains(hidden, `"municipio":"7107"`) || !strings.Contains(hidden, `"ocultos":["numero"]`) {
		t.Errorf("the move is not told: %s", hidden)
	}
	if page := s.journal(t, *next); len(page.Itens) != 0 {
		t.Errorf("a cursor from before: %s", page.Itens)
	}
}

// FuzzReadPosition checks that only cursors of ours are accepted, and those of collections are not.
func FuzzReadPosition(f *testing.F) {
	s := cursorSigner{[]byte("key")}
	f.Add(string(s.appendPosition(nil, changesPath, history.Position{Seq: 3, Hash: 1 << 63, Event: 2})), changesPath)
	f.Add(string(s.appendPosition(nil, changesPath, history.Position{Seq: 3, Hash: 1 << 63, Event: 2, AsOf: 9})), changesPath)
	f.Add(string(s.append(nil, changesPath, 20, 3, 40)), changesPath)
	f.Add("AQG9", "")
	f.Fuzz(func(t *testing.T, cursor, address string) {
		p, err := s.readPosition(cursor, address)
		if err == nil && cursor != string(s.appendPosition(nil, address, p)) {
			t.Errorf("%q is accepted", cursor)
		}
		if _, _, other := s.read(cursor, address, 20); err == nil && other == nil {
			t.Errorf("%q is a cursor of two kinds", cursor)
		}
	})
}

func TestPositionsComeBack(t *testing.T) {
	t.Parallel()
	s := cursorSigner{[]byte("key")}
	for _, p := range []history.Position{{}, {Seq: 1}, {Seq: 1<<63 - 1, Hash: 1<<64 - 1, Event: 1<<63 - 1}, {Seq: 7, Hash: 0x9E3779B97F4A7C15, Event: 3}, {Seq: 7, Event: 3, AsOf: 9}, {Seq: 1<<63 - 1, Hash: 1<<64 - 1, Event: 1<<63 - 1, AsOf: 1<<63 - 1}} {
		cursor := string(s.appendPosition(nil, changesPath, p))
		if got, err := s.readPosition(cursor, changesPath); err != nil || got != p || len(cursor) > longestCursor {
			t.Errorf("%+v came back from %s as %+v, %v", p, cursor, got, err)
		}
	}
}

// FuzzChanges checks that an accepted query survives the round trip of its own link.
func FuzzChanges(f *testing.F) {
	f.Add("evento=socio&evento=fonte.pgfn&desde=2026-10-01&uf=SP&uf=-RJ&limite=1000")
	f.Add("evento=%ff&desde=2026-02-30")
	reader, err := filter.NewReader()
	if err != nil {
		f.Fatal(err)
	}
	read := func(raw string) (changesRequest, error) {
		q, query, err := changesRequestOf(&url.URL{RawQuery: raw})
		if err == nil {
			err = q.readFilters(cursorSigner{[]byte("key")}, reader, filter.AnyLoad{}, query)
		}
		return q, err
	}
	f.Fuzz(func(t *testing.T, raw string) {
		q, err := read(raw)
		if err != nil {
			if f := failureOf(err); f.status != 400 || f.message == "" {
				t.Errorf("%q: %+v", raw, f)
			}
			return
		}
		again, err := read(q.at.query)
		if err != nil || again.at.query != q.at.query || !slices.Equal(again.Events, q.Events) || again.Since != q.Since || again.Filters != q.Filters {
			t.Errorf("%q is read as %+v and then as %+v, %v", raw, q, again, err)
		}
	})
}
