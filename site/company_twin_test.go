package site_test

import (
	"net/http"
	"strings"
	"testing"

	"razao/internal/data/cnpj"
	"razao/internal/data/source"
	"razao/internal/testing/fixture"
	"razao/site/page"
	"razao/site/page/pagetest"
	"razao/site/sitetest"
)

func TestMarkdownTwin(t *testing.T) {
	t.Parallel()
	h := sitetest.Records(t)
	chain := "/" + fixture.Full(t, fixture.Chain).String() + ".md"
	cases := []struct {
		name, path string
		has, lacks []string
	}{
		{"company", "/12345678000195.md", []string{
			"# Padaria Estrela do Sul Ltda.\n", "**Dados fictícios de demonstração.**", "competência 2026-09", "<https://razao.exemplo/12345678000195>",
			"- **Nome fantasia:** Estrela do Sul Pães e Doces\n", "- **Situação cadastral:** Ativa desde 14/03/2009\n", "- **CNPJ:** 12.345.678/0001-95\n",
			"- **Capital social:** R$\u00a0480.000,00\n", "- **Endereço:** Rua das Palmeiras, 214, Cambui\n", "- **CEP:** 13024-100\n",
			"- **Telefone:** (19) 3233-4455\n", "- **E-mail:** contato@padaria.exemplo\n", "- **Simples Nacional:** Optante desde 01/01/2012\n",
			"- 5611-2/03", "- **Estabelecimentos:** 4, 3 ativos\n",
			"| [Estrela Participações S.A.](https://razao.exemplo/98765432000198.md) | 98.765.432/0001-98 |", "Procurador Ficticio",
			`| [Marta Figueira Inventada](https://razao.exemplo/socio/456789/marta-figueira-inventada) | \*\*\*456789\*\* |`,
			"| [12.345.678/00A4-79](https://razao.exemplo/1234567800A479.md) | Filial |",
			"- **Estado:** `encontrado`: 46 registros (45 neste CNPJ · 46 na empresa toda)\n", "1 a 10 de 46. [Próxima](https://razao.exemplo/12345678000195.md?pgfn_pagina=2#pgfn)",
			"[Só os registros deste CNPJ](https://razao.exemplo/12345678000195.md?ver=estabelecimento#registros)", "| Situação | Quantos | Valor consolidado, soma | Maior |\n",
			"| Em cobrança | 45 | R$\u00a0990.040,50 | R$\u00a044.000,90 |\n", "Fora da soma: 1 registro em que a empresa não é a devedora principal",
			"| 8060000000000; não previdenciário | Principal |", "**Competência:** 06/2026, carregada em", "/fontes/cnep) | `indisponivel` |",
			"[Lista completa](https://razao.exemplo/12345678/ibama/autos/1)", "[Como os vínculos são feitos](https://razao.exemplo/metodologia/bndes)",
			`\<script\>alert('oi')\</script\>`, "**desatualizada**", "## Linha do tempo\n", "## Procedência do cadastro\n",
		}, []string{"<script>", "](#", "](/"}},
		{"next debts", "/12345678000195.md?pgfn_pagina=5", []string{"41 a 46 de 46. [Anterior](https://razao.exemplo/12345678000195.md?pgfn_pagina=4#pgfn)"}, []string{"| 8060000000000;"}},
		{"hostile", "/" + fixture.Full(t, fixture.Hostile).String() + ".md", []string{
			`# "\<Script\>Alert('Oi')\</Script\>" \& Cia Ltda.`, `\<B\>Negrito\</B\>`, "Recuperação judicial desde 29/02/2024",
		}, []string{"<SCRIPT>", "<Script>", "<B>"}},
		{"several lines in a field", "/" + branchOf(t, fixture.Bakery, 3) + ".md", []string{`Loja 2; Fundos Portao "B"`}, nil},
		{"last partners", chain + "?socios_pagina=3", []string{"101 a 130 de 130.", "| [Acionista 129"}, []string{"ACIONISTA 000", "Acionista 000"}},
		{"past the partners", chain + "?socios_pagina=9", []string{"não tem a página pedida. [Primeira página](https://razao.exemplo" + chain + "#socios)"}, []string{"ACIONISTA", "Acionista"}},
		{"no company row", "/" + fixture.Full(t, fixture.Nameless).String() + ".md", []string{"# So o Estabelecimento\n", "mas não os dados da empresa"}, []string{"Capital social"}},
		{"individual entrepreneur", "/" + sitetest.MEINumber + ".md", []string{"não traz rua, telefone nem e-mail", "- **Município:** Campinas/SP\n", "endereço não mostrado"}, []string{"SEGREDO", "Segredo", "99887766", "9988-7766", "joana@", "13024", "CAMBUI", "Cambui"}},
		{"masked number", "/" + fixture.Full(t, fixture.OldMEI).String() + ".md", nil, []string{fixture.HiddenCPF, "RESERVADA", "Reservada", "ze@"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			w := h.Get(t, c.path)
			if w.Code != http.StatusOK || w.Header().Get("Content-Type") != "text/markdown; charset=utf-8" {
				t.Fatalf("status %d, %s", w.Code, w.Header().Get("Content-Type"))
			}
			body := w.Body.String()
			pagetest.Texts(t, body, c.has, c.lacks)
			for _, src := range source.All() {
				if !strings.Contains(body, "#### "+page.PlainText(src.Title)+"\n") && !strings.Contains(body, "\n| ["+page.PlainText(src.Title)+"]") {
					t.Errorf("the source %s is missing", src.ID)
				}
			}
			checkTables(t, body)
			checkCodeSpans(t, body)
			if t.Failed() {
				t.Log(body)
			}
		})
	}
}

// branchOf returns the number of an establishment whose order is a single digit.
func branchOf(t *testing.T, root string, order int) string {
	t.Helper()
	r, err := cnpj.ParseRoot(root)
	if err != nil {
		t.Fatal(err)
	}
	return cnpj.Join(r, cnpj.Order(order)).String()
}

// checkCodeSpans wants code spans without backslashes, which escape nothing there and would be shown.
func checkCodeSpans(t *testing.T, text string) {
	t.Helper()
	spans := pagetest.CodeSpans(text)
	for _, span := range spans {
		if strings.Contains(span, `\`) || strings.Contains(span, "\n\n") {
			t.Errorf("the code span %q", span)
		}
	}
	if len(spans) == 0 {
		t.Error("no code spans")
	}
}

// checkTables wants every row of a table to have as many cells as the row above it.
func checkTables(t *testing.T, text string) {
	t.Helper()
	above := 0
	for line := range strings.Lines(text) {
		cells := strings.Count(strings.ReplaceAll(line, `\|`, ""), "|")
		if !strings.HasPrefix(line, "|") {
			cells = 0
		}
		if above > 0 && cells > 0 && cells != above {
			t.Errorf("a row has %d bars, the one above %d: %s", cells, above, line)
		}
		above = cells
	}
}

func TestMarkdownTwinHeaders(t *testing.T) {
	t.Parallel()
	h := sitetest.Released(t)
	w := h.Get(t, "/12345678000195.md?socios_pagina=1")
	header := w.Header()
	if header.Get("Link") != `<https://razao.exemplo/12345678000195>; rel="canonical"` || header.Get("X-Robots-Tag") != "noindex" || header.Get("Cache-Control") != "public, max-age=0, s-maxage=60" {
		t.Errorf("headers %v", header)
	}
	if again := h.Get(t, "/12345678000195.md", "If-None-Match", header.Get("ETag")); again.Code != http.StatusNotModified {
		t.Errorf("who has it is told %d", again.Code)
	}
	if page := h.Body(t, "/12345678000195"); !strings.Contains(page, `<link rel="alternate" href="/12345678000195.md" type="text/markdown"`) {
		t.Error("the page does not name its twin")
	}
	for path, want := range map[string]string{
		"/12345678.md":               "/12345678000195.md",
		"/12abc34501de35.md?a=1":     "/12ABC34501DE35.md?a=1",
		"/12.345.678/0001-95.md":     "/12345678000195.md",
		"/12.345.678%2F0001-95.md":   "/12345678000195.md",
		"/12.345.678/0001-95.md?a=1": "/12345678000195.md?a=1",
	} {
		if got := h.Get(t, path).Header().Get("Location"); got != want {
			t.Errorf("%s leads to %q, want %q", path, got, want)
		}
	}
	for path, want := range map[string]int{
		"/11444777000161.md": 404, "/12345678000196.md": 404, "/nada.md": 404, "/.md": 404, "/12345678000195.md.md": 404, "/12345678000195.txt": 404,
		"/12345678000195.md?socios_pagina=0": 422,
	} {
		h.Status(t, want, path)
	}
	empty := sitetest.Nothing(t)
	empty.Status(t, http.StatusServiceUnavailable, "/12345678000195.md")
}
