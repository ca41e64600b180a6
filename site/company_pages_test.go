package site_test

import (
	"net/http"
	"strings"
	"testing"

	"razao/internal/testing/fixture"
	"razao/site/page/pagetest"
	"razao/site/sitetest"
)

func TestCompanyPages(t *testing.T) {
	t.Parallel()
	h := sitetest.Released(t)
	chain := "/" + fixture.Full(t, fixture.Chain).String()
	states := []sitetest.Page{
		sitetest.Case("limited", "/12345678000195", 200, "Motivo da situação", "não mostra rua", "Só este", `id="participacoes"`),
		sitetest.Case("branch-with-letters-in-its-order", "/1234567800A479", 200),
		sitetest.Case("closed", "/"+fixture.Full(t, fixture.Closed).String(), 200, "Ativa desde", "Abertura"),
		sitetest.Case("letters-in-the-root", "/12ABC34501DE35", 200),
		sitetest.Case("no-company-row", "/"+fixture.Full(t, fixture.Nameless).String(), 200, "Capital</a>"),
		sitetest.Case("abroad", "/"+fixture.Full(t, fixture.Abroad).String(), 200, "/EX"),
		sitetest.Case("public-body", "/"+fixture.Full(t, fixture.City).String(), 200),
		sitetest.Case("individual", "/"+fixture.Full(t, fixture.MEI).String(), 200),
		sitetest.Case("individual-with-a-cpf-in-its-name", "/"+fixture.Full(t, fixture.OldMEI).String(), 200),
		sitetest.Case("hostile-name", "/"+fixture.Full(t, fixture.Hostile).String(), 200, "<SCRIPT>", "<B>NEGRITO"),
		sitetest.Case("holdings", "/"+fixture.Full(t, fixture.Holding).String(), 200),
		sitetest.Case("past-the-holdings", "/"+fixture.Full(t, fixture.Holding).String()+"?participacoes_pagina=2", 200),
		sitetest.Case("first-partners", chain, 200, "Anterior"),
		sitetest.Case("last-partners", chain+"?socios_pagina=3", 200, "ACIONISTA 000"),
		sitetest.Case("both-pagers", chain+"?socios_pagina=2&estabelecimentos_pagina=6", 200),
		sitetest.Case("past-the-partners", chain+"?socios_pagina=9", 200, "ACIONISTA"),
	}
	h.CompareStates(t, "company", states)
	titles := map[string]string{}
	for _, c := range states {
		title := pagetest.Between(h.Body(t, c.Path), "<title>", "</title>")
		if other, ok := titles[title]; ok && !strings.Contains(c.Path, "?") {
			t.Errorf("the title %q is also that of %s", title, other)
		}
		titles[title] = c.Path
	}
}

// TestPersonalData: neither the page of an individual entrepreneur nor the search shows a street
// address.
func TestPersonalData(t *testing.T) {
	t.Parallel()
	h := sitetest.Released(t)
	for _, root := range []string{fixture.MEI, fixture.OldMEI} {
		w := h.Get(t, "/"+fixture.Full(t, root).String())
		if w.Code != http.StatusOK {
			t.Errorf("%s: status %d", root, w.Code)
		}
		hidden := []string{"SEGREDO", "Segredo", "RESERVADA", "Reservada", "77<", "99887766", "9988-7766", "3233-4455", "@", "13024", "CAMBUI", "Cambui", fixture.HiddenCPF}
		pagetest.Texts(t, w.Body.String(), nil, hidden)
		found := h.Body(t, "/busca?q="+root) + h.Body(t, "/sugestoes?q="+root)
		pagetest.Texts(t, found, nil, hidden)
	}
}
