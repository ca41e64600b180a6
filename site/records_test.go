package site

import (
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"razao/internal/fixture"
	"razao/internal/source"
	"razao/site/page/pagetest"
)

// document is a served page, parsed.
type document struct{ *html.Node }

func parse(t *testing.T, body string) document {
	t.Helper()
	node, err := html.Parse(strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	return document{node}
}

// all returns the elements with a name, in the order of the page.
func (d document) all(name string) []document {
	var found []document
	for node := range d.Descendants() {
		if node.Type == html.ElementNode && node.Data == name {
			found = append(found, document{node})
		}
	}
	return found
}

// at returns the element with an id; it fails the test when there is none.
func (d document) at(t *testing.T, id string) document {
	t.Helper()
	for node := range d.Descendants() {
		if (document{node}).attribute("id") == id {
			return document{node}
		}
	}
	t.Fatalf("the page has no element %s", id)
	return document{}
}

func (d document) attribute(name string) string {
	for _, a := range d.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// text returns what an element says, with single blanks.
func (d document) text() string {
	var b strings.Builder
	for node := range d.Descendants() {
		if node.Type == html.TextNode {
			b.WriteString(node.Data + " ")
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// links returns the addresses of the links in an element by their texts.
func (d document) links() map[string]string {
	links := map[string]string{}
	for _, a := range d.all("a") {
		links[a.text()] = a.attribute("href")
	}
	return links
}

func rows(d document) int {
	bodies := d.all("tbody")
	if len(bodies) == 0 {
		return 0
	}
	return len(bodies[0].all("tr"))
}

// newRecordsHandler serves the fixture with invented records, at a known time.
func newRecordsHandler(t *testing.T) (http.Handler, *fixture.Loaded) {
	t.Helper()
	l := recorded.Load(t)
	h, s := newHandler(t, l)
	s.now = today
	return h, l
}

func TestRecords(t *testing.T) {
	t.Parallel()
	h, _ := releasedRecords.open(t)
	compareStates(t, h, "records", []pageCase{
		{"all-sources", "/12345678000195", 200, []string{"nada consta", "<script>alert", "<b>bolo"}},
		{"branch", "/1234567800A479", 200, []string{"<B>GARANTIDA"}},
		{"public-body", "/" + cityNumber, 200, nil},
		{"individual", "/" + meiNumber, 200, []string{"SEGREDO", "Segredo"}}, // the employers' register says where she works, which may be where she lives
		{"second-page-of-two-sources", "/12345678000195?pgfn_pagina=2&pncp_pagina=2", 200, nil},
		{"last-page-of-debts", "/12345678000195?pgfn_pagina=3", 200, nil},
	})
}

// Every theme and every source has its heading, in the order of the table of sources.
func TestRecordsOutline(t *testing.T) {
	t.Parallel()
	h, _ := released.open(t)
	page := parse(t, get(t, h, "/12345678000195").Body.String())
	if themes := page.all("h3"); len(themes) != len(source.Themes()) {
		t.Errorf("%d themes, want %d", len(themes), len(source.Themes()))
	}
	var ids []string
	for _, card := range page.all("article") {
		ids = append(ids, card.attribute("id"))
	}
	if !slices.Equal(ids, source.IDs()) {
		t.Errorf("cards %v, want %v", ids, source.IDs())
	}
	level := 0
	for node := range page.Descendants() {
		if node.Type != html.ElementNode || len(node.Data) != 2 || node.Data[0] != 'h' || node.Data[1] < '1' || node.Data[1] > '6' {
			continue
		}
		next := int(node.Data[1] - '0')
		if next > level+1 {
			t.Errorf("heading of level %d after one of level %d: %s", next, level, document{node}.text())
		}
		level = next
	}
}

func TestRecordPages(t *testing.T) {
	t.Parallel()
	h, _ := releasedRecords.open(t)
	const at = "/12345678000195"
	page := parse(t, get(t, h, at+"?pgfn_pagina=2&pncp_pagina=2").Body.String())
	debts, contracts := page.at(t, "pgfn"), page.at(t, "pncp")
	if got := rows(debts); got != 20 || !strings.Contains(debts.text(), "Registros 21 a 40 de 45") {
		t.Errorf("second page of debts: %d rows, %s", got, debts.text())
	}
	if got := rows(contracts); got != 1 || !strings.Contains(contracts.text(), "CT-001") {
		t.Errorf("second page of contracts: %d rows", got)
	}
	page.at(t, "pgfn-21")
	links := debts.links()
	if links["Anterior"] != at+"?pncp_pagina=2#pgfn" || links["Próxima"] != at+"?pgfn_pagina=3&pncp_pagina=2#pgfn" {
		t.Errorf("links %v", links)
	}
	if got := rows(parse(t, get(t, h, at+"?pgfn_pagina=3").Body.String()).at(t, "pgfn")); got != 5 {
		t.Errorf("last page of debts: %d rows", got)
	}
	for path, first := range map[string]string{
		"?pgfn_pagina=4":                        "#pgfn",
		"?pgfn_pagina=2147483647&pncp_pagina=2": "?pncp_pagina=2#pgfn",
		"?bndes_pagina=2":                       "#bndes",
		"?pncp_pagina=3&socios_pagina=1":        "?socios_pagina=1#pncp",
	} {
		w := get(t, h, at+path, "Accept", browser)
		links := parse(t, w.Body.String()).links()
		if w.Code != http.StatusNotFound || links["Ir para a primeira página da lista"] != at+first {
			t.Errorf("%s: status %d, %v", path, w.Code, links)
		}
	}
	if w := get(t, h, "/"+cityNumber+"?bndes_pagina=2"); w.Code != http.StatusNotFound {
		t.Errorf("second page of nothing: %d", w.Code)
	}
	without, _ := released.open(t)
	if w := get(t, without, at+"?bndes_pagina=2"); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "Sem carga disponível") {
		t.Errorf("second page of what was never loaded: %d", w.Code)
	}
	for _, name := range []string{"pgfn_pagina", "pncp_pagina", "bndes_pagina"} {
		for _, value := range []string{"0", "-1", "um", "", "1.5", "99999999999"} {
			w := get(t, h, at+"?"+name+"="+url.QueryEscape(value))
			if w.Code != http.StatusUnprocessableEntity || !strings.Contains(w.Body.String(), `"loc":["query","`+name+`"]`) {
				t.Errorf("%s=%s: %d %s", name, value, w.Code, w.Body)
			}
		}
	}
}

func TestTimeline(t *testing.T) {
	t.Parallel()
	h, _ := releasedRecords.open(t)
	page := parse(t, get(t, h, "/12345678000195?pncp_pagina=2").Body.String())
	var events []string
	for _, list := range page.all("ol") {
		if list.attribute("class") != "timeline" {
			continue
		}
		for _, item := range list.all("li") {
			target := strings.TrimPrefix(item.all("a")[0].attribute("href"), "#")
			page.at(t, target)
			events = append(events, item.text()+" → "+target)
		}
	}
	want := []string{
		"15/10/2028 Fim de sanção (CEIS) : Suspensão (data futura) → ceis-1",
		"15/10/2026 Início de sanção (CEIS) : Suspensão → ceis-1",
		"01/08/2026 Contrato público assinado : CT-001 → pncp-21",
		"03/09/2024 Operação do BNDES contratada : BNDES FINEM → bndes-1",
		"31/03/2024 Embargo do IBAMA : FAZENDA EXEMPLO → ibama_embargos-1",
		"30/03/2024 Auto de infração do IBAMA, cancelado : Flora → ibama_autos-1",
	}
	if len(events) != 15 || !slices.Equal(events[:len(want)], want) {
		t.Errorf("time line:\n%s", strings.Join(events, "\n"))
	}
	chain := parse(t, get(t, h, "/"+full(t, fixture.Chain)).Body.String())
	pagetest.Texts(t, chain.text(), []string{"01/01/2010 Entrada no quadro societário : 50 sócios", "14/03/2009 Abertura do estabelecimento"}, []string{"14/03/2009 Situação cadastral"})
}

func TestRecordsFilter(t *testing.T) {
	t.Parallel()
	l := recorded.Load(t)
	h, _ := newHandler(t, l)
	body := get(t, h, "/busca").Body.String()
	pagetest.Form(t, body)
	pagetest.Texts(t, body, []string{"<h2>Registros públicos</h2>"}, []string{"fonte=cnep", "mte_ceac", "Sem contagem"})
	for id, want := range map[string]int{"pgfn": 2, "ceis": 1, "habilitacao_aduaneira": 4, "ibama_autos": 2, "pncp_orgao": 1, "bndes": 1} {
		src, _ := source.Find(id)
		if got := parse(t, body).links()[src.Title+" "+strconv.Itoa(want)]; got != "/busca?fonte="+id {
			t.Errorf("%s: link %q", id, got)
		}
		found := get(t, h, "/busca?fonte="+id).Body.String()
		pagetest.Texts(t, found, []string{strconv.Itoa(want) + " estabelecimento", "Registros públicos: " + src.Title, `aria-current="true"`}, nil)
	}
	pagetest.Texts(t, get(t, h, "/busca?fonte=cnep").Body.String(), []string{"Nada encontrado"}, nil)
	if links := parse(t, get(t, h, "/busca?q=padaria&ordem=nome").Body.String()).links(); links["Dívida ativa da União e do FGTS 2"] != "/busca?fonte=pgfn&ordem=nome&q=padaria" {
		t.Errorf("links beside words: %v", links)
	}
	if w := get(t, h, "/busca?fonte=receita"); w.Code != http.StatusUnprocessableEntity || !strings.Contains(w.Body.String(), `"loc":["query","fonte"]`) {
		t.Errorf("an unknown source: %d %s", w.Code, w.Body)
	}
}

// TestAFilterWithoutFlags takes the flags of one source away: its filter says so, and everything else answers.
func TestAFilterWithoutFlags(t *testing.T) {
	t.Parallel()
	l := recorded.Load(t)
	h, _ := newHandler(t, l)
	check := newAnswerCheck(t)
	files, err := filepath.Glob(filepath.Join(l.IndexDir, "*", "sources", "ceis-*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("flags %v, %v", files, err)
	}
	if err := os.Rename(files[0], files[0]+".away"); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Store.Publish(t.Context(), nil, ""); err != nil {
		t.Fatal(err)
	}
	if err := l.Live.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	w := get(t, h, "/busca?fonte=ceis", "Accept", browser)
	if w.Code != 503 || w.Header().Get("Retry-After") == "" || !strings.Contains(w.Body.String(), "falta a lista de quem tem registros nesta fonte") {
		t.Errorf("filter: %d %s", w.Code, w.Body)
	}
	w = get(t, h, "/busca?fonte=ceis")
	if w.Code != 503 || !strings.Contains(w.Body.String(), `"codigo":"fonte_indisponivel"`) {
		t.Errorf("filter, asked by a program: %d %s", w.Code, w.Body)
	}
	check.answer(t, "/busca", w)
	if w := get(t, h, "/health"); w.Code != 200 || !strings.Contains(w.Body.String(), `"indice":"degradado"`) {
		t.Errorf("health: %d %s", w.Code, w.Body)
	}
	src, _ := source.Find("ceis")
	pagetest.Texts(t, get(t, h, "/busca").Body.String(), []string{"Sem contagem neste momento: " + src.Title, "fonte=pgfn"}, []string{"fonte=ceis"})
	if w := get(t, h, "/busca?fonte=pgfn"); w.Code != 200 {
		t.Errorf("another source: %d", w.Code)
	}
	if err := os.Rename(files[0]+".away", files[0]); err != nil {
		t.Fatal(err)
	}
	if err := l.Live.Refresh(t.Context()); err != nil { // as Run does every half a minute
		t.Fatal(err)
	}
	if w := get(t, h, "/busca?fonte=ceis"); w.Code != 200 {
		t.Errorf("its flags are back: %d", w.Code)
	}
}
