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

	"razao/internal/data/source"
	"razao/internal/testing/fixture"
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

// all returns the elements with a name, in document order.
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

// text returns the text of an element with whitespace collapsed.
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

// newRecordsHandler serves the fixture with invented records and a fixed clock.
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
		{"last-page-of-debts", "/12345678000195?pgfn_pagina=5", 200, nil},
		{"own-records-of-the-head-office", "/12345678000195?ver=estabelecimento&pgfn_pagina=2", 200, nil},
		{"filtered-and-ordered", "/12345678000195?pgfn_ano=2019&pgfn_ordem=valor&pgfn_situacao=Em+cobran%C3%A7a&linha=2024", 200, nil},
		{"filtered-to-nothing", "/12345678000195?pgfn_ano=1999", 200, nil},
	})
}

// Every source appears once, in the order of source.All: as a card under its theme if it has
// records, otherwise in the table of the others.
func TestRecordsOutline(t *testing.T) {
	t.Parallel()
	h, _ := releasedRecords.open(t)
	page := parse(t, get(t, h, "/12345678000195").Body.String())
	inOrder := func(ids []string) bool {
		return slices.IsSortedFunc(ids, func(a, b string) int { return slices.Index(source.IDs(), a) - slices.Index(source.IDs(), b) })
	}
	var cards, others []string
	for _, card := range page.all("article") {
		cards = append(cards, card.attribute("id"))
	}
	for _, table := range page.all("table") {
		if table.attribute("class") == "sources" {
			for _, row := range table.all("tbody")[0].all("tr") {
				others = append(others, row.attribute("id"))
			}
		}
	}
	all := append(slices.Clone(cards), others...)
	slices.Sort(all)
	if want := slices.Sorted(slices.Values(source.IDs())); !slices.Equal(all, want) || !inOrder(cards) || !inOrder(others) || len(cards) != 8 {
		t.Errorf("cards %v, others %v", cards, others)
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
	if got := rows(recordsIn(debts)); got != 10 || !strings.Contains(debts.text(), "Registros 11 a 20 de 46") {
		t.Errorf("second page of debts: %d rows, %s", got, debts.text())
	}
	if got := rows(recordsIn(contracts)); got != 10 || !strings.Contains(contracts.text(), "CT-011") {
		t.Errorf("second page of contracts: %d rows", got)
	}
	page.at(t, "pgfn-11")
	links := debts.links()
	if links["Anterior"] != at+"?pncp_pagina=2#pgfn" || links["Próxima"] != at+"?pgfn_pagina=3&pncp_pagina=2#pgfn" {
		t.Errorf("links %v", links)
	}
	if got := rows(recordsIn(parse(t, get(t, h, at+"?pgfn_pagina=5").Body.String()).at(t, "pgfn"))); got != 6 {
		t.Errorf("last page of debts: %d rows", got)
	}
	for path, first := range map[string]string{
		"?pgfn_pagina=6":                        "#pgfn",
		"?pgfn_pagina=2&pgfn_situacao=Garantia": "?pgfn_situacao=Garantia#pgfn",
		"?ver=estabelecimento&bndes_pagina=2":   "?ver=estabelecimento#bndes",
		"?pgfn_pagina=2147483647&pncp_pagina=2": "?pncp_pagina=2#pgfn",
		"?bndes_pagina=2":                       "#bndes",
		"?pncp_pagina=4&socios_pagina=1":        "?socios_pagina=1#pncp",
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
	wrong := []string{"0", "-1", "um", "", "1.5", "99999999999"}
	for name, values := range map[string][]string{
		"pgfn_pagina": wrong, "pncp_pagina": wrong, "pncp_orgao_pagina": wrong, "bndes_pagina": wrong, "pgfn_ano": wrong, "linha": wrong,
		"pgfn_ordem": {"", "nome", "VALOR"}, "ver": {"", "empresa", "Estabelecimento"},
	} {
		for _, value := range values {
			w := get(t, h, at+"?"+name+"="+url.QueryEscape(value))
			if w.Code != http.StatusUnprocessableEntity || !strings.Contains(w.Body.String(), `"loc":["query","`+name+`"]`) {
				t.Errorf("%s=%s: %d %s", name, value, w.Code, w.Body)
			}
		}
	}
}

// recordsIn returns the table of records in the card of a source.
func recordsIn(card document) document {
	for _, table := range card.all("table") {
		if table.attribute("class") == "records" {
			return table
		}
	}
	return card
}

// timelineItems returns the items of a page's time line.
func timelineItems(page document) []document {
	var items []document
	for _, list := range page.all("ol") {
		if list.attribute("class") == "timeline" {
			items = append(items, list.all("li")...)
		}
	}
	return items
}

// oneBlank collapses whitespace, including non-breaking spaces.
func oneBlank(texts []string) []string {
	plain := make([]string, len(texts))
	for i, text := range texts {
		plain[i] = strings.Join(strings.Fields(text), " ")
	}
	return plain
}

func TestTimeline(t *testing.T) {
	t.Parallel()
	h, _ := releasedRecords.open(t)
	page := parse(t, get(t, h, "/12345678000195?pncp_pagina=2").Body.String())
	events := func(page document) []string {
		var events []string
		for _, item := range timelineItems(page) {
			target := item.all("a")[0].attribute("href")
			path, row, _ := strings.Cut(target, "#")
			there := page
			if path != "" { // the row is on another page
				there = parse(t, get(t, h, path).Body.String())
			}
			there.at(t, row)
			events = append(events, item.text()+" → "+target)
		}
		return events
	}
	want := []string{
		"15/10/2028 Fim de sanção (CEIS) : Suspensão, Prefeitura de Exemplândia (data futura) → #ceis-1",
		"15/10/2026 Início de sanção (CEIS) : Suspensão, Prefeitura de Exemplândia → #ceis-1",
		"21/08/2026 Contrato público assinado : R$\u00a01.234,57, MUNICIPIO FICTICIO DE EXEMPLANDIA, CT-021 → /12345678000195#pncp-1",
	}
	if got := events(page); len(got) != 15 || !slices.Equal(oneBlank(got[:len(want)]), oneBlank(want)) {
		t.Errorf("time line:\n%s", strings.Join(got, "\n"))
	}
	year := parse(t, get(t, h, "/12345678000195?linha=2024").Body.String())
	want = []string{
		"03/09/2024 Operação do BNDES contratada : R$\u00a010.003.861,30, BNDES FINEM → #bndes-1",
		"31/03/2024 Embargo do IBAMA : FAZENDA EXEMPLO → #ibama_embargos-1",
		"30/03/2024 Auto de infração do IBAMA, cancelado : R$\u00a0150.500,00, Flora → #ibama_autos-1",
	}
	if got := events(year); len(got) < len(want) || !slices.Equal(oneBlank(got[:len(want)]), oneBlank(want)) {
		t.Errorf("time line of 2024:\n%s", strings.Join(got, "\n"))
	}
	pagetest.Texts(t, parse(t, get(t, h, "/12345678000195?linha=1901").Body.String()).text(), []string{"Nenhum fato datado em 1901."}, nil)
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
		found := get(t, h, "/busca?agrupar=nao&fonte="+id).Body.String()
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

// TestAFilterWithoutFlags removes the flags of one source: its filter is a 503, everything else
// works.
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
	if err := l.Live.Refresh(t.Context()); err != nil { // Run does this every 30 seconds
		t.Fatal(err)
	}
	if w := get(t, h, "/busca?fonte=ceis"); w.Code != 200 {
		t.Errorf("its flags are back: %d", w.Code)
	}
}
