package network_test

import (
	"net/url"
	"strings"
	"testing"

	"razao/internal/testing/fixture"
	"razao/site/page/pagetest"
	"razao/site/sitetest"
)

// TestCutNetworksSaySo on their first screen and in their files, when the work of a request ended the search: no number looks like a
// total, and nothing is said not to exist.
func TestCutNetworksSaySo(t *testing.T) {
	t.Parallel()
	hubs := fixture.NewHubs(t, 110)
	l := fixture.Empty(t)
	l.Publish(t, hubs.Release)
	h := sitetest.New(t, l)
	ana := h.SignedIn(t, "ana@exemplo.com")
	crowd, inGroup := "/"+hubs.Crowds[0][0], "/"+hubs.Group[50]
	const cut = "A rede tem mais do que está aqui: a procura parou no trabalho que uma consulta pode ter."
	final := []string{"Nenhum sócio", "nenhuma empresa", "membros</caption>", "vínculos entre empresas</caption>", "empresas na competência"}
	way := func(from, to string) string { return "/caminho?" + url.Values{"de": {from}, "para": {to}}.Encode() }
	for path, says := range map[string][]string{
		inGroup + "/rede?profundidade=6":                           {cut, "membros, e há mais</caption>"},
		inGroup + "/rede?profundidade=6&tipo=pessoa":               {cut, "Nenhum vínculo entre os membros que você escolheu mostrar."},
		inGroup + "/rede?profundidade=6&contatos=sim":              {cut, "membros, e há mais</caption>"},
		inGroup + "/grupo":                                         {cut, "51 empresas, e há mais, na competência", "vínculos entre empresas, e há mais</caption>", "Os números são só das empresas que estão aqui"},
		crowd + "/rede?pessoas=sim&profundidade=4":                 {cut, "membros, e há mais</caption>"},
		crowd + "/rede":                                            {"tem mais 10 sócios que não estão aqui", "membros, e há mais</caption>"},
		way(hubs.Crowds[0][0], hubs.Crowds[1][0]) + "&pessoas=sim": {"Nenhum caminho encontrado", "A procura parou em quem tem muitos vínculos: pode haver caminhos."},
		way(hubs.Group[0], hubs.Group[109]):                        {"1 caminho", "pode haver outros caminhos, ou mais curtos"},
	} {
		w := ana.Open(t, path)
		body := w.Body.String()
		if w.Code != 200 {
			t.Errorf("%s: %d", path, w.Code)
		}
		pagetest.Texts(t, body, nil, []string{"Não há cadeia", "Nenhuma outra empresa publica"})
		for _, text := range says {
			if !strings.Contains(body, text) {
				t.Errorf("%s: no %q", path, text)
			}
		}
		for _, text := range final {
			if strings.Contains(body, text) {
				t.Errorf("%s: %q", path, text)
			}
		}
		if table := strings.Index(body, "<table"); table > 0 && strings.Index(body, says[0]) > table {
			t.Errorf("%s: the note is behind the table", path)
		}
	}
	for _, path := range []string{inGroup + "/rede.csv?profundidade=6&formato=descricao", inGroup + "/grupo.csv?formato=descricao"} {
		if body := h.Body(t, path); !strings.Contains(body, "; há mais.") {
			t.Errorf("%s: %s", path, body)
		}
	}
	for path, whole := range map[string]string{"/" + hubs.Clients[0] + "/rede": "entre 2 membros</caption>", "/" + hubs.Alone + "/rede": "Nenhum sócio publicado", "/" + hubs.Alone + "/grupo": "1 empresa na competência"} {
		if body := h.Body(t, path); !strings.Contains(body, whole) || strings.Contains(body, "há mais") {
			t.Errorf("%s: no %q, or more than there is", path, whole)
		}
	}
}
