package site_test

import (
	"html"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"razao/internal/data/source"
	"razao/internal/testing/fixture"
	"razao/site/page/pagetest"
	"razao/site/sitetest"
)

// TestSearchBoxStandsApart: text browsers break lines before a div but not before a form or label;
// without one, the search label would read as a navigation link.
func TestSearchBoxStandsApart(t *testing.T) {
	t.Parallel()
	h := sitetest.Released(t)
	box := regexp.MustCompile(`</nav>\s*</details>\s*<form [^>]*role="search">\s*<div[^>]*><label `)
	if body := h.Body(t, "/12345678000195"); !box.MatchString(body) {
		t.Errorf("nothing parts the navigation from the search box:\n%.3000s", body)
	}
}

// TestEveryPageHasAHeadOfItsOwn: canonical URL, title and description exist, are unique, and equal
// the Open Graph tags.
func TestEveryPageHasAHeadOfItsOwn(t *testing.T) {
	t.Parallel()
	h := sitetest.WithAccounts(t)
	ana := h.SignedIn(t, "ana@exemplo.com.br")
	nobody := h.Visitor()
	seen := map[string]string{}
	for _, path := range []string{
		"/", "/busca", "/empresas", "/uf/sp", "/uf/sp/campinas", "/uf/ex", "/estados", "/municipios", "/municipios/comparar",
		"/12345678000195", "/1234567800A479", "/" + sitetest.MEINumber, "/" + fixture.Full(t, fixture.Hostile).String(), "/" + fixture.Full(t, fixture.Nameless).String(),
		"/12345678000195/ibama/autos/1", "/12345678000195/ibama/embargos/1", "/socio/456789/marta-figueira-inventada",
		"/metodologia/bndes", "/privacidade", "/privacidade/ocultar", "/termos", "/api", "/api/v1", "/api/docs", "/dicionario", "/glossario", "/fontes", "/fontes/pgfn", "/login", "/conta",
	} {
		who := nobody
		if path == "/conta" {
			who = ana
		}
		w := who.Open(t, path)
		if w.Code != http.StatusOK {
			t.Errorf("%s: status %d", path, w.Code)
			continue
		}
		head, _, _ := strings.Cut(w.Body.String(), "</head>")
		says := map[string]string{
			"canonical": only(t, path, head, `<link rel="canonical" href="([^"]*)">`), "title": only(t, path, head, `<title>([^<]*) · Razão</title>`),
			"description": only(t, path, head, `<meta name="description" content="([^"]*)">`),
		}
		for part, text := range says {
			if other, twice := seen[part+text]; twice || text == "" {
				t.Errorf("%s: the %s %q is also that of %q", path, part, text, other)
			}
			seen[part+text] = path
		}
		if !strings.HasPrefix(says["canonical"], "https://razao.exemplo/") {
			t.Errorf("%s: canonical %q", path, says["canonical"])
		}
		for property, want := range map[string]string{
			"title": says["title"], "description": says["description"], "url": says["canonical"], "type": "website", "locale": "pt_BR", "site_name": "Razão",
		} {
			if got := only(t, path, head, `<meta property="og:`+property+`" content="([^"]*)">`); got != want {
				t.Errorf("%s: og:%s %q, want %q", path, property, got, want)
			}
		}
	}
}

// only returns the group of the only match in a text.
func only(t *testing.T, path, text, pattern string) string {
	t.Helper()
	found := regexp.MustCompile(pattern).FindAllStringSubmatch(text, -1)
	if len(found) != 1 {
		t.Errorf("%s has %d of %s", path, len(found), pattern)
		return ""
	}
	return html.UnescapeString(found[0][1])
}

// TestLLMs checks the format of /llms.txt and follows every link to the site.
func TestLLMs(t *testing.T) {
	t.Parallel()
	h := sitetest.Released(t)
	w := h.Get(t, "/llms.txt")
	text := w.Body.String()
	if w.Code != http.StatusOK || w.Header().Get("Content-Type") != "text/plain; charset=utf-8" || !strings.HasPrefix(text, "# Razão\n\n> ") {
		t.Fatalf("status %d, %s: %s", w.Code, w.Header().Get("Content-Type"), text)
	}
	if again := h.Get(t, "/llms.txt", "If-None-Match", w.Header().Get("ETag")); again.Code != http.StatusNotModified {
		t.Errorf("who has it is told %d", again.Code)
	}
	for _, span := range pagetest.CodeSpans(text) {
		if strings.Contains(span, `\`) {
			t.Errorf("the code span %q", span)
		}
	}
	_, lists, _ := strings.Cut(text, "\n## ")
	for line := range strings.Lines("## " + lists) {
		if line != "\n" && !strings.HasPrefix(line, "## ") && !regexp.MustCompile(`^- \[[^]]+\]\(https://[^)]+\): .+\n$`).MatchString(line) {
			t.Errorf("a line that is no link: %q", line)
		}
	}
	for _, link := range regexp.MustCompile(`\(https://razao\.exemplo(/[^)]*)\)`).FindAllStringSubmatch(text, -1) {
		if strings.HasPrefix(link[1], "/v") || link[1] == "/mcp" { // other handlers of the program
			continue
		}
		h.Status(t, http.StatusOK, link[1])
	}
	for _, src := range source.All() {
		pagetest.Texts(t, text, []string{"(" + src.URL + "): `" + src.ID + "`, " + src.Orgao}, nil)
	}
}
