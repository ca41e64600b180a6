package site_test

import (
	"fmt"
	"html"
	"regexp"
	"strings"
	"testing"

	"razao/internal/data/cnpj"
	"razao/internal/store/registry"
	"razao/internal/testing/fixture"
	"razao/internal/testing/outline"
	"razao/site/page/pagetest"
	"razao/site/sitetest"
)

// textOf returns the section on changes of a page's Markdown version, its cells formatted as in
// changesOn.
func textOf(t *testing.T, markdown string) string {
	t.Helper()
	_, section, found := strings.Cut(markdown, "## O que mudou\n")
	if !found {
		t.Fatal("the text does not say what changed")
	}
	section, _, _ = strings.Cut(section, "\n## ")
	return strings.ReplaceAll(section, `\`, "")
}

func changesSection(t *testing.T, page string) string {
	t.Helper()
	_, section, found := strings.Cut(page, `aria-labelledby="mudancas">`)
	if !found {
		t.Fatal("the page does not say what changed")
	}
	section, _, _ = strings.Cut(section, "</section>")
	return section
}

// changesOn returns the section on changes of a page as text.
func changesOn(t *testing.T, page string) string {
	t.Helper()
	section := changesSection(t, page)
	section = regexp.MustCompile(`</t[hd]><t[hd][^>]*>`).ReplaceAllString(section, " | ")
	return strings.Join(strings.Fields(html.UnescapeString(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(section, ""))), " ")
}

// beforeAndAfter loads the release, then the release with edits, and serves the second load.
func beforeAndAfter(t *testing.T, edits ...string) func(path string) string {
	t.Helper()
	h := serveBeforeAndAfter(t, edits...)
	return func(path string) string { return changesIn(t, h, path) }
}

// serveBeforeAndAfter is beforeAndAfter with a handler.
func serveBeforeAndAfter(t *testing.T, edits ...string) *sitetest.Site {
	t.Helper()
	l := fixture.Empty(t)
	l.Publish(t, fixture.Published(t, "2026-08"))
	l.Publish(t, fixture.Published(t, "2026-09", edits...))
	h := sitetest.New(t, l)
	return h
}

// changesIn returns the changes that a page or its Markdown version lists.
func changesIn(t *testing.T, h *sitetest.Site, path string) string {
	t.Helper()
	w := h.Get(t, path)
	if w.Code != 200 {
		t.Fatalf("%s: status %d", path, w.Code)
	}
	switch {
	case strings.HasSuffix(path, ".md"):
		return textOf(t, w.Body.String())
	case strings.Contains(path, "/mudancas"):
		return html.UnescapeString(w.Body.String())
	}
	return changesOn(t, w.Body.String())
}

func TestChangesOfACompany(t *testing.T) {
	t.Parallel()
	root, _ := cnpj.ParseRoot(fixture.Bakery)
	order, _ := cnpj.ParseOrder("00B4")
	late := cnpj.Join(root, order)
	h := serveBeforeAndAfter(t,
		`"PADARIA ESTRELA DO SUL LTDA";"2062";"49";"480000,00";"03"`, `"PADARIA ESTRELA DO NORTE LTDA";"2054";"10";"500000,00";"05"`,
		`"12345678";"S";"20120101"`, `"12345678";"N";"20120101"`,
		"ESTRELA DO SUL P", "ESTRELA DO NORTE P", // trade name of the head office
		`5611203,4721102`, `5611203,4711302`,
		`"12345678";"0003";"57";"2";"";"02"`, `"12345678";"0003";"57";"2";"";"08"`,
		`"12345678";"00A4";"79";"2"`, `"12345678";"00B4";"`+late.CheckDigits()+`";"2"`,
		`"12345678";"2";"MARTA FIGUEIRA INVENTADA";"***456789**";"49"`, `"12345678";"2";"MARTA FIGUEIRA INVENTADA";"***456789**";"10"`,
		`"12345678";"1";"ESTRELA PARTICIPA`, `"12345678";"1";"LUA PARTICIPA`,
		`EXEMPLO LOJA 7"`, `EXEMPLO LOJA SETE"`,
	)
	for _, c := range []struct {
		name, path string
		lacks      []string
	}{
		{"head-office", "/12345678000195", []string{"MEI", "Endereço", "E-mail", "pessoa física"}},
		{"branch-closed", "/12345678000357", []string{"Nome fantasia", late.Masked()}},
		{"branch-of-old", "/12345678000276", []string{"Nome fantasia", "Baixa"}},
		{"branch-new", "/" + late.String(), []string{"Baixa"}},
		{"nothing", "/98765432000198", []string{"|"}},
		{"another-establishment", "/" + fixture.Full(t, fixture.Chain).String(), []string{"Nome empresarial"}},
	} {
		pagetest.Texts(t, changesIn(t, h, c.path), nil, c.lacks)
		outline.Golden(t, "changes/"+c.name, strings.NewReader(changesSection(t, h.Body(t, c.path))))
	}
	pagetest.Texts(t, changesIn(t, h, "/12345678000195.md"), []string{
		"09/2026: Nome empresarial; Padaria Estrela do Sul Ltda. → Padaria Estrela do Norte Ltda.", "Estabelecimento aberto em ", late.Masked(),
	}, []string{"MEI"})
	for path, says := range map[string]bool{"/12345678000195": true, "/98765432000198": false} {
		if got := strings.Contains(h.Body(t, path), `<a class="badge mute" href="#mudancas">Mudou em 09/2026</a>`); got != says {
			t.Errorf("%s says that the company changed: %t", path, got)
		}
	}
}

func TestChangesOfAddressAndContact(t *testing.T) {
	t.Parallel()
	letters := `"LETRAS & CIA";"02";"20260803";"00";"";"";"20260803";"1091102";"";"RUA";"DAS PALMEIRAS";"214";"";"CAMBUI";"13024100";"SP";"6291";"19";"32334455";"";"";"";"";"contato@padaria.exemplo"`
	moved := `"LETRAS & CIA";"02";"20260803";"00";"";"";"20260803";"6462000";"";"AVENIDA";"PAULISTA";"10";"";"BELA VISTA";"01310100";"SP";"7107";"11";"55556666";"";"";"11";"55557777";"novo@letras.exemplo"`
	got := beforeAndAfter(t, letters, moved)("/12ABC34501DE35")
	for _, want := range []string{
		"Atividade principal | 1091-1/02 Fabricação de produtos", "→ 6462-0/00 Holdings",
		"Mudança de município | Endereço: Rua das Palmeiras, 214, Cambui, Campinas/SP, 13024-100 → Avenida Paulista, 10, Bela Vista, São Paulo/SP, 01310-100",
		"Telefone: (19) 3233-4455 → (11) 5555-6666", "Fax: não constava → (11) 5555-7777", "E-mail: contato@padaria.exemplo → novo@letras.exemplo",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in %s", want, got)
		}
	}
}

// TestChangesOfPeopleStayHidden moves individual entrepreneurs to another street and turns one into
// a company: addresses hidden in either load do not appear as changes.
func TestChangesOfPeopleStayHidden(t *testing.T) {
	t.Parallel()
	says := beforeAndAfter(t,
		"JOANA FICTICIA DA SILVA", "JOANA FICTICIA DE SOUZA",
		`"SEGREDO";"77"`, `"OCULTA";"78"`, "99887766", "99776655", "joana@bolos.exemplo", "souza@bolos.exemplo",
		`"JOSE INVENTADO DOS SANTOS `+fixture.HiddenCPF+`";"2135"`, `"SANTOS CONSERTOS LTDA";"2062"`,
		`"RESERVADA"`, `"PUBLICA"`, "ze@consertos.exemplo", "loja@consertos.exemplo",
	)
	hidden := []string{"SILVA", "Silva", "SEGREDO", "Segredo", "OCULTA", "Oculta", "9988-7766", "9977-6655", "bolos.exemplo", "JOSE", "Jose", "RESERVADA", "Reservada", "PUBLICA", "Publica", "consertos.exemplo", fixture.HiddenCPF}
	var paths []string
	for _, number := range []string{fixture.Full(t, fixture.MEI).String(), fixture.Full(t, fixture.OldMEI).String()} {
		paths = append(paths, number, number+".md", number+"/mudancas.atom")
	}
	for _, path := range append(paths, "mudancas", "mudancas.atom", "uf/sp/mudancas.atom") {
		got := says("/" + path)
		pagetest.Texts(t, got, nil, hidden)
		pagetest.Texts(t, got, []string{"Por ser, ou ter sido, de pessoa física, a página não mostra: Nome empresarial", "não mostra: Rua", "E-mail"}, nil)
	}
	if got := says("/" + fixture.Full(t, fixture.OldMEI).String()); !strings.Contains(got, "Natureza jurídica | Empresário (Individual) → Sociedade Empresária Limitada") {
		t.Errorf("the new legal nature is not told: %s", got)
	}
}

// TestChangesOfHiddenContacts gives establishments another contact and hides it: neither the old nor
// the new one appears, in no page or feed.
func TestChangesOfHiddenContacts(t *testing.T) {
	t.Parallel()
	l := fixture.Empty(t)
	l.Publish(t, fixture.Published(t, "2026-08"))
	l.Publish(t, fixture.Published(t, "2026-09", "contato@padaria.exemplo", "novo@padaria.exemplo", `"32334455"`, `"32330000"`))
	h := sitetest.New(t, l)
	says := func(path string) string { return h.Body(t, path) }
	paths := []string{"/12345678000195", "/12345678000195.md", "/12345678000195/mudancas.atom", "/mudancas", "/mudancas.atom", "/uf/sp/campinas/mudancas.atom"}
	for _, path := range paths {
		if before := says(path); !strings.Contains(before, "contato@padaria.exemplo") {
			t.Fatalf("%s does not tell the change while nothing is hidden", path)
		}
	}
	masked := regexp.MustCompile(`[0-9A-Z]{2}\.[0-9A-Z]{3}\.[0-9A-Z]{3}/[0-9A-Z]{4}-\d{2}`)
	for _, number := range masked.FindAllString(says("/mudancas.atom"), -1) { // others have the same contact
		l.Hide(t, parsed(t, cnpj.Unmask(number)))
	}
	for _, path := range paths {
		for _, text := range []string{"contato@padaria", "novo@padaria", "3233-4455", "3233-0000"} {
			if strings.Contains(says(path), text) {
				t.Errorf("%s has %q", path, text)
			}
		}
	}
}

func TestChangesWithoutTheLoadBefore(t *testing.T) {
	t.Parallel()
	l := fixture.Empty(t)
	l.Publish(t, fixture.Published(t, "2026-08"))
	h := sitetest.New(t, l)
	bakery := func() string { return changesOn(t, h.Body(t, "/12345678000195")) }
	if got := bakery(); !strings.Contains(got, "Nada desde a carga de 08/2026, em que a história começa.") {
		t.Errorf("the first load: %s", got)
	}
	l.Publish(t, fixture.Published(t, "2026-09", "ESTRELA DO SUL LTDA", "ESTRELA DO NORTE LTDA"))
	l.Publish(t, fixture.Published(t, "2026-10", "ESTRELA DO SUL LTDA", "ESTRELA DO SUDESTE LTDA"))
	second, third := "Padaria Estrela do Norte Ltda. | 09/2026", "Padaria Estrela do Sudeste Ltda. | 10/2026"
	if got := bakery(); !strings.Contains(got, second) || !strings.Contains(got, third) || strings.Index(got, third) > strings.Index(got, second) {
		t.Errorf("the third load: %s", got)
	}
	if _, err := l.Ingester.Rollback(t.Context(), registry.Receita); err != nil {
		t.Fatal(err)
	}
	if err := l.Live.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := bakery(); !strings.Contains(got, second) || strings.Contains(got, "Sudeste") {
		t.Errorf("back at the second load: %s", got)
	}
	if _, err := l.Pool.Exec(t.Context(), `ALTER TABLE history_block RENAME COLUMN doc TO gone`); err != nil {
		t.Fatal(err)
	}
	if w := h.Get(t, "/12345678000195"); w.Code != 200 || !strings.Contains(changesOn(t, w.Body.String()), "Não foi possível consultar agora") {
		t.Errorf("the changes cannot be read: status %d", w.Code)
	}
}

// TestChangesThatAreNotKnown loads a month whose partners are missing: their absence is a gap, not
// thousands of departures.
func TestChangesThatAreNotKnown(t *testing.T) {
	t.Parallel()
	l := fixture.Empty(t)
	l.Publish(t, fixture.Published(t, "2026-08"))
	l.Publish(t, fixture.Published(t, "2026-09"))
	if _, err := l.Pool.Exec(t.Context(), `UPDATE history SET gaps = '[{"parte": "socios", "motivo": "arquivo_ausente"}]' WHERE former_id IS NOT NULL`); err != nil {
		t.Fatal(err)
	}
	l.Publish(t, fixture.Published(t, "2026-10"))
	h := sitetest.New(t, l)
	const says = "Em 09/2026 não se sabe o que mudou em quadro societário: o arquivo falta em uma das duas cargas comparadas."
	for _, path := range []string{"/12345678000195", "/12345678000195.md", "/12345678000195/mudancas.atom", "/mudancas", "/mudancas.atom", "/uf/sp/mudancas.atom"} {
		h.Texts(t, path, []string{says}, nil)
	}
}

func TestChangesOfManyPartners(t *testing.T) {
	t.Parallel()
	edits := []string{}
	for i := range 40 {
		edits = append(edits, fmt.Sprintf("ACIONISTA %03d FICTICIO", i), fmt.Sprintf("ACIONISTA %03d NOVO", i))
	}
	h := serveBeforeAndAfter(t, edits...)
	page := "/" + fixture.Full(t, fixture.Chain).String()
	for path, want := range map[string]int{page: 50, page + "?mudancas_pagina=2": 30} {
		got := changesIn(t, h, path)
		if n := strings.Count(got, "Sócio entrou") + strings.Count(got, "Sócio saiu"); n != want || !strings.Contains(got, "de 80") {
			t.Errorf("%s: %d changes: %s", path, n, got)
		}
	}
}
