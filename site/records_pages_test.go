package site_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"razao/internal/data/source"
	"razao/internal/testing/fixture"
	"razao/site/page/pagetest"
	"razao/site/sitetest"
)

func TestRecords(t *testing.T) {
	t.Parallel()
	h := sitetest.Records(t)
	h.CompareStates(t, "records", []sitetest.Page{
		sitetest.Case("all-sources", "/12345678000195", 200, "nada consta", "<script>alert", "<b>bolo"),
		sitetest.Case("branch", "/1234567800A479", 200, "<B>GARANTIDA"),
		sitetest.Case("public-body", "/"+sitetest.CityNumber, 200),
		sitetest.Case("individual", "/"+sitetest.MEINumber, 200, "SEGREDO", "Segredo"), // the employers' register says where she works, which may be where she lives
		sitetest.Case("second-page-of-two-sources", "/12345678000195?pgfn_pagina=2&pncp_pagina=2", 200),
		sitetest.Case("last-page-of-debts", "/12345678000195?pgfn_pagina=5", 200),
		sitetest.Case("own-records-of-the-head-office", "/12345678000195?ver=estabelecimento&pgfn_pagina=2", 200),
		sitetest.Case("filtered-and-ordered", "/12345678000195?pgfn_ano=2019&pgfn_ordem=valor&pgfn_situacao=Em+cobran%C3%A7a&linha=2024", 200),
		sitetest.Case("filtered-to-nothing", "/12345678000195?pgfn_ano=1999", 200),
	})
}

// Every source appears once, in the order of source.All: as a card under its theme if it has
// records, otherwise in the table of the others.
func TestRecordsOutline(t *testing.T) {
	t.Parallel()
	h := sitetest.Records(t)
	page := h.Page(t, "/12345678000195")
	inOrder := func(ids []string) bool {
		return slices.IsSortedFunc(ids, func(a, b string) int { return slices.Index(source.IDs(), a) - slices.Index(source.IDs(), b) })
	}
	var cards, others []string
	for _, card := range page.All("article") {
		cards = append(cards, card.Attribute("id"))
	}
	for _, table := range page.Of("table", "class", "sources") {
		for _, row := range table.Rows() {
			others = append(others, row.Attribute("id"))
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
			t.Errorf("heading of level %d after one of level %d: %s", next, level, pagetest.Document{Node: node}.Text())
		}
		level = next
	}
}

func TestRecordPages(t *testing.T) {
	t.Parallel()
	h := sitetest.Records(t)
	const at = "/12345678000195"
	page := h.Page(t, at+"?pgfn_pagina=2&pncp_pagina=2")
	debts, contracts := page.At(t, "pgfn"), page.At(t, "pncp")
	if got := len(recordsIn(debts).Rows()); got != 10 || !strings.Contains(debts.Text(), "Registros 11 a 20 de 46") {
		t.Errorf("second page of debts: %d rows, %s", got, debts.Text())
	}
	if got := len(recordsIn(contracts).Rows()); got != 10 || !strings.Contains(contracts.Text(), "CT-011") {
		t.Errorf("second page of contracts: %d rows", got)
	}
	page.At(t, "pgfn-11")
	links := debts.Links()
	if links["Anterior"] != at+"?pncp_pagina=2#pgfn" || links["Próxima"] != at+"?pgfn_pagina=3&pncp_pagina=2#pgfn" {
		t.Errorf("links %v", links)
	}
	if got := len(recordsIn(h.Page(t, at+"?pgfn_pagina=5").At(t, "pgfn")).Rows()); got != 6 {
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
		w := h.Get(t, at+path, "Accept", sitetest.HTML)
		links := pagetest.Parse(t, w.Body.String()).Links()
		if w.Code != http.StatusNotFound || links["Ir para a primeira página da lista"] != at+first {
			t.Errorf("%s: status %d, %v", path, w.Code, links)
		}
	}
	h.Status(t, http.StatusNotFound, "/"+sitetest.CityNumber+"?bndes_pagina=2")
	without := sitetest.Released(t)
	if w := without.Get(t, at+"?bndes_pagina=2"); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "Sem carga disponível") {
		t.Errorf("second page of what was never loaded: %d", w.Code)
	}
	wrong := []string{"0", "-1", "um", "", "1.5", "99999999999"}
	for name, values := range map[string][]string{
		"pgfn_pagina": wrong, "pncp_pagina": wrong, "pncp_orgao_pagina": wrong, "bndes_pagina": wrong, "pgfn_ano": wrong, "linha": wrong,
		"pgfn_ordem": {"", "nome", "VALOR"}, "ver": {"", "empresa", "Estabelecimento"},
	} {
		for _, value := range values {
			w := h.Get(t, at+"?"+name+"="+url.QueryEscape(value))
			if w.Code != http.StatusUnprocessableEntity || !strings.Contains(w.Body.String(), `"loc":["query","`+name+`"]`) {
				t.Errorf("%s=%s: %d %s", name, value, w.Code, w.Body)
			}
		}
	}
}

// recordsIn returns the table of records in the card of a source.
func recordsIn(card pagetest.Document) pagetest.Document {
	for _, table := range card.Of("table", "class", "records") {
		return table
	}
	return card
}

// timelineItems returns the items of a page's time line.
func timelineItems(page pagetest.Document) []pagetest.Document {
	var items []pagetest.Document
	for _, list := range page.Of("ol", "class", "timeline") {
		items = append(items, list.All("li")...)
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
	h := sitetest.Records(t)
	page := h.Page(t, "/12345678000195?pncp_pagina=2")
	events := func(page pagetest.Document) []string {
		var events []string
		for _, item := range timelineItems(page) {
			target := item.All("a")[0].Attribute("href")
			path, row, _ := strings.Cut(target, "#")
			there := page
			if path != "" { // the row is on another page
				there = h.Page(t, path)
			}
			there.At(t, row)
			events = append(events, item.Text()+" → "+target)
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
	year := h.Page(t, "/12345678000195?linha=2024")
	want = []string{
		"03/09/2024 Operação do BNDES contratada : R$\u00a010.003.861,30, BNDES FINEM → #bndes-1",
		"31/03/2024 Embargo do IBAMA : FAZENDA EXEMPLO → #ibama_embargos-1",
		"30/03/2024 Auto de infração do IBAMA, cancelado : R$\u00a0150.500,00, Flora → #ibama_autos-1",
	}
	if got := events(year); len(got) < len(want) || !slices.Equal(oneBlank(got[:len(want)]), oneBlank(want)) {
		t.Errorf("time line of 2024:\n%s", strings.Join(got, "\n"))
	}
	pagetest.Texts(t, h.Page(t, "/12345678000195?linha=1901").Text(), []string{"Nenhum fato datado em 1901."}, nil)
	chain := h.Page(t, "/"+fixture.Full(t, fixture.Chain).String())
	pagetest.Texts(t, chain.Text(), []string{"01/01/2010 Entrada no quadro societário : 50 sócios", "14/03/2009 Abertura do estabelecimento"}, []string{"14/03/2009 Situação cadastral"})
}
