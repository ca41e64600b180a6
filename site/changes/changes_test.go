package changes_test

import (
	"bytes"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"razao/internal/testing/fixture"
	"razao/internal/testing/fixture/sourcefiles"
	"razao/site/page/pagetest"
	"razao/site/sitetest"
)

// TestPagesLeaveNothingOut follows the pages of the list to its end.
func TestPagesLeaveNothingOut(t *testing.T) {
	t.Parallel()
	_, h := sitetest.Changed(t)
	next := regexp.MustCompile(`<a href="([^"]+)" rel="next nofollow">`)
	row := regexp.MustCompile(`(?s)<th scope="row"><a href="/[0-9A-Z]{8}".*?</tr>`)
	seen := map[string]bool{}
	pages := 0
	for path := "/mudancas"; path != ""; pages++ {
		body := h.Body(t, path)
		if noindex := strings.Contains(body, `content="noindex"`); noindex != (pages > 0) && !strings.Contains(body, "Dados fictícios") {
			t.Errorf("%s: noindex %t", path, noindex)
		}
		for _, text := range row.FindAllString(body, -1) {
			if seen[text] {
				t.Errorf("%s repeats %s", path, text)
			}
			seen[text] = true
		}
		path = ""
		if link := next.FindStringSubmatch(body); link != nil {
			path = html.UnescapeString(link[1])
		}
	}
	if len(seen) != 83 || pages != 3 {
		t.Errorf("%d changes on %d pages", len(seen), pages)
	}
}

// TestMarkdownHasTheSameChanges: its pages lead from one to the next, too.
func TestMarkdownHasTheSameChanges(t *testing.T) {
	t.Parallel()
	_, h := sitetest.Changed(t)
	next := regexp.MustCompile(`\[Seguintes\]\(https?://[^/]+(/mudancas\.md[^)]+)\)`)
	seen := map[string]bool{}
	for path := "/mudancas.md"; path != ""; {
		got := h.Get(t, path)
		body := got.Body.String()
		if got.Code != 200 || got.Header().Get("Content-Type") != "text/markdown; charset=utf-8" || !strings.Contains(got.Header().Get("Link"), "/mudancas") {
			t.Fatalf("%s: %d, %v", path, got.Code, got.Header())
		}
		for line := range strings.Lines(body) {
			if strings.Count(line, " | ") == 3 && strings.HasPrefix(line, "| [") {
				seen[line] = true
			}
		}
		path = ""
		if link := next.FindStringSubmatch(body); link != nil {
			path = link[1]
		}
	}
	if len(seen) != 83 {
		t.Errorf("%d changes", len(seen))
	}
	pagetest.Texts(t, h.Body(t, "/mudancas.md?evento=empresa.nome"), []string{"Evento: Nome empresarial", "Padaria Estrela do Norte"}, []string{"ACIONISTA", "Acionista"})
}

// TestSeriesOfAnActivity: what each load changed of a division, in a place or anywhere, as a table.
func TestSeriesOfAnActivity(t *testing.T) {
	t.Parallel()
	_, h := sitetest.Changed(t)
	for query, closed := range map[string]string{"?cnae=10": "1", "?cnae=10&uf=SP": "1", "?uf=AC": "0", "?cnae=47": "0", "": "1"} {
		rows := sitetest.Table(t, h.Get(t, "/mudancas/serie.csv"+query))
		if len(rows) != 1 || rows[0]["mes"] != "2026-09" || rows[0]["baixados_na_carga"] != closed || rows[0]["abertos"] != "" {
			t.Errorf("%s: %v", query, rows)
		}
	}
	h.Status(t, 422, "/mudancas/serie.csv?porte=01")
	h.Status(t, 422, "/mudancas/serie.csv?evento=empresa.nome")
	pagetest.Texts(t, h.Body(t, "/mudancas?cnae=10"), []string{`href="/mudancas/serie.csv?cnae=10"`}, nil)
}

// TestWhatAMonthChangedInAllItsLoads: a month that was loaded again is the sum of its loads, in the country and in a state.
func TestWhatAMonthChangedInAllItsLoads(t *testing.T) {
	t.Parallel()
	l, h := sitetest.Changed(t)
	number := fixture.Full(t, fixture.Holding).String()
	office := fmt.Sprintf(`"%s";"%s";"%s";"1";"";`, number[:8], number[8:12], number[12:])
	l.Publish(t, fixture.Published(t, "2026-09", `"12345678";"0003";"57";"2";"";"02"`, `"12345678";"0003";"57";"2";"";"08"`, office+`"02"`, office+`"08"`))
	for path, want := range map[string]string{"/mudancas/serie.csv": "2", "/uf/sp/serie.csv": "2", "/uf/sp/campinas/serie.csv": "1"} {
		rows := sitetest.Table(t, h.Get(t, path))
		if got := rows[len(rows)-1]; got["mes"] != "2026-09" || got["baixados_na_carga"] != want {
			t.Errorf("%s: %v", path, got)
		}
	}
}

// TestTheListBeginsWithTheRegistry and not with what a source said last; after an operator has forgotten the history it is empty and no error.
func TestTheListBeginsWithTheRegistry(t *testing.T) {
	t.Parallel()
	l, h := sitetest.Changed(t)
	l.Records(t, "ceis")
	raw, err := os.ReadFile(filepath.Join(sourcefiles.Folder(t, "ceis"), "20260930_CEIS.csv"))
	if err != nil {
		t.Fatal(err)
	}
	moved := bytes.ReplaceAll(raw, []byte(fixture.Full(t, fixture.Closed).String()), []byte(fixture.Full(t, fixture.Holding).String()))
	l.Source(t, "ceis", sourcefiles.Write(t, "20261031_CEIS.csv", string(moved)), "")
	pagetest.Texts(t, h.Body(t, "/mudancas"), []string{"Acionista"}, nil)
	pagetest.Texts(t, h.Body(t, "/mudancas?evento=fonte"), []string{"Evento: Registros públicos", ": primeiros registros"}, []string{"Acionista"})
	if _, err := l.Store.ForgetHistoryBefore(t.Context(), time.Now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	h.Status(t, 200, "/mudancas")
	l.Publish(t, fixture.Published(t, "2026-09"))
	l.Publish(t, fixture.Published(t, "2026-09"))
	h.Status(t, 200, "/mudancas")
	h.Status(t, 422, "/mudancas?posicao=1.0000000000000000.0")
}

func TestFiltersOfChanges(t *testing.T) {
	t.Parallel()
	_, h := sitetest.Changed(t)
	for path, want := range map[string][2][]string{
		"/mudancas?evento=empresa.nome":                                         {{"Padaria Estrela do Norte Ltda.", "Evento: Nome empresarial"}, {"Acionista", "Saída do Simples em"}},
		"/mudancas?evento=empresa.nome&evento=simples.saiu":                     {{"Padaria Estrela do Norte Ltda.", ">Saída do Simples<"}, {"Acionista"}},
		"/mudancas?evento=socio":                                                {{"Acionista", "Evento: Sócios"}, {"Padaria Estrela do Norte Ltda."}},
		"/mudancas?evento=estabelecimento.baixado&situacao=02&lado=antes":       {{"12.345.678/0003-57", "Filtros: antes da carga"}, nil},
		"/mudancas?evento=estabelecimento.baixado&situacao=02&lado=depois":      {{"Nada com estes filtros"}, {"12.345.678/0003-57"}},
		"/mudancas?cnae=10":                                                     {{"Saldo: ", "Quantos continuam ativos", "Padaria Estrela do Norte"}, nil},
		"/mudancas?uf=SP&municipio=6291":                                        {{"Campinas/SP", "coortes.csv?municipio=6291&amp;uf=SP"}, nil},
		"/mudancas?evento=fonte.pgfn.entrou":                                    {{"Nada com estes filtros", "Evento: Dívida ativa da União e do FGTS: primeiros registros"}, nil},
		"/mudancas?evento=estabelecimento.baixado&porte=01":                     {{"Tirar o filtro"}, {"Acionista"}},
		"/mudancas?evento=estabelecimento.baixado&posicao=1.0000000000000000.0": {{"12.345.678/0003-57", "Situação: Ativa → Baixada"}, nil},
	} {
		pagetest.Texts(t, h.Body(t, path), want[0], want[1])
	}
	pagetest.Texts(t, h.Body(t, "/mudancas.md?evento=socio"), []string{"Acionista"}, []string{"Nome empresarial: Padaria"})
	for path, status := range map[string]int{"/mudancas.atom?evento=socio": 200, "/mudancas?posicao=1.0.0": 422, "/mudancas?evento=nada": 422, "/mudancas?uf=XX": 422, "/mudancas?lado=x": 422, "/mudancas?posicao=99.0000000000000000.0": 200} {
		h.Status(t, status, path)
	}
	rows := sitetest.Table(t, h.Get(t, "/mudancas/coortes.csv?cnpj=x&uf=SP&municipio=6291"))
	opened, active := 0, 0
	for _, r := range rows {
		var o, a int
		if _, err := fmt.Sscan(r["abertos"]+" "+r["ativos"], &o, &a); err != nil || a > o || r["baixados_no_ano"] != "" {
			t.Errorf("%v: %v", r, err)
		}
		opened, active = opened+o, active+a
	}
	if opened == 0 || active == 0 {
		t.Errorf("%d opened, %d active", opened, active)
	}
}

// TestSeries compares the series of the branch's city with what was planted.
func TestSeries(t *testing.T) {
	t.Parallel()
	_, h := sitetest.Changed(t)
	closed := 0
	for _, r := range sitetest.Table(t, h.Get(t, "/uf/sp/serie.csv")) {
		if r["mes"] == "2026-09" {
			closed++
			if r["baixados_na_carga"] != "1" || r["novos_na_carga"] != "0" || r["abertos"] == "" {
				t.Errorf("%v", r)
			}
		} else if r["novos_na_carga"] != "" {
			t.Errorf("a month without a comparison: %v", r)
		}
	}
	if closed != 1 {
		t.Errorf("%d rows of the month", closed)
	}
	pagetest.Texts(t, h.Body(t, "/uf/sp"), []string{
		"Em 09/2026, frente a 08/2026: 0 estabelecimentos novos, 0 reativados e 0 vindos de outro município; 1 baixado e 0 que foram para outro município. Saldo: −1.",
		`href="/uf/sp/coortes.csv"`, `type="application/atom+xml" href="/uf/sp/mudancas.atom"`,
	}, nil)
}

// TestUnknown says of a load that failed that its changes are not known.
func TestUnknown(t *testing.T) {
	t.Parallel()
	l, h := sitetest.Changed(t)
	const says = "Cadastro do CNPJ falhou ou foi recusada: o que ela mudaria ainda não se sabe."
	pagetest.Texts(t, h.Body(t, "/mudancas"), nil, []string{says})
	if _, err := l.Pool.Exec(t.Context(), `INSERT INTO load (source, period, state) VALUES ('receita', '2026-10', 'failed')`); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/mudancas", "/mudancas.atom", "/12345678000195", "/12345678000195.md", "/12345678000195/mudancas.atom", "/uf/sp/mudancas.atom"} {
		h.Texts(t, path, []string{"A carga de 10/2026 de " + says}, nil)
	}
}

func TestPagesLookAsTheyDid(t *testing.T) {
	t.Parallel()
	_, h := sitetest.Changed(t)
	h.Compare(t, "", []sitetest.Page{
		sitetest.Case("country", "/mudancas", 200),
		sitetest.Case("filtered", "/mudancas?evento=estabelecimento.baixado&uf=SP", 200, "Acionista"),
		sitetest.Case("past-the-end", "/mudancas?posicao=99.0000000000000000.0", 200, "Próxima"),
	})
}
