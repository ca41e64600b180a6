package site

import (
	"net/http"
	"strings"
	"testing"

	"razao/internal/testing/fixture"
	"razao/site/page/pagetest"
)

func TestCompanyPages(t *testing.T) {
	t.Parallel()
	h, _ := released.open(t)
	chain := "/" + full(t, fixture.Chain)
	states := []pageCase{
		{"limited", "/12345678000195", 200, []string{"Motivo da situação", "não mostra rua", "Só este", `id="participacoes"`}},
		{"branch-with-letters-in-its-order", "/1234567800A479", 200, nil},
		{"closed", "/" + full(t, fixture.Closed), 200, []string{"Ativa desde", "Abertura"}},
		{"letters-in-the-root", "/12ABC34501DE35", 200, nil},
		{"no-company-row", "/" + full(t, fixture.Nameless), 200, []string{"Capital social"}},
		{"abroad", "/" + full(t, fixture.Abroad), 200, []string{"/EX"}},
		{"public-body", "/" + full(t, fixture.City), 200, nil},
		{"individual", "/" + full(t, fixture.MEI), 200, nil},
		{"individual-with-a-cpf-in-its-name", "/" + full(t, fixture.OldMEI), 200, nil},
		{"hostile-name", "/" + full(t, fixture.Hostile), 200, []string{"<SCRIPT>", "<B>NEGRITO"}},
		{"holdings", "/" + full(t, fixture.Holding), 200, nil},
		{"past-the-holdings", "/" + full(t, fixture.Holding) + "?participacoes_pagina=2", 200, nil},
		{"first-partners", chain, 200, []string{"Anterior"}},
		{"last-partners", chain + "?socios_pagina=3", 200, []string{"ACIONISTA 000"}},
		{"both-pagers", chain + "?socios_pagina=2&estabelecimentos_pagina=6", 200, nil},
		{"past-the-partners", chain + "?socios_pagina=9", 200, []string{"ACIONISTA"}},
	}
	compareStates(t, h, "company", states)
	titles := map[string]string{}
	for _, c := range states {
		title := between(get(t, h, c.path).Body.String(), "<title>", "</title>")
		if other, ok := titles[title]; ok && !strings.Contains(c.path, "?") {
			t.Errorf("the title %q is also that of %s", title, other)
		}
		titles[title] = c.path
	}
}

// TestPersonalData: neither the page of an individual entrepreneur nor the search shows a street
// address.
func TestPersonalData(t *testing.T) {
	t.Parallel()
	h, _ := released.open(t)
	for _, root := range []string{fixture.MEI, fixture.OldMEI} {
		w := get(t, h, "/"+full(t, root))
		if w.Code != http.StatusOK {
			t.Errorf("%s: status %d", root, w.Code)
		}
		hidden := []string{"SEGREDO", "Segredo", "RESERVADA", "Reservada", "77<", "99887766", "9988-7766", "3233-4455", "@", "13024", "CAMBUI", "Cambui", fixture.HiddenCPF}
		pagetest.Texts(t, w.Body.String(), nil, hidden)
		found := get(t, h, "/busca?q="+root).Body.String() + get(t, h, "/sugestoes?q="+root).Body.String()
		pagetest.Texts(t, found, nil, hidden)
	}
}
