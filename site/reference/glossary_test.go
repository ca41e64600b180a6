package reference_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"razao/internal/data/glossary"
	"razao/internal/data/source"
	"razao/site/page/pagetest"
	"razao/site/sitetest"
)

// TestGlossary checks that every term has a unique id, two or three sentences, an origin, and
// existing fields.
func TestGlossary(t *testing.T) {
	t.Parallel()
	h := sitetest.Released(t)
	h.Compare(t, "", []sitetest.Page{sitetest.Case("glossary", "/glossario", 200)})
	words, fields := h.Body(t, "/glossario"), h.Body(t, "/dicionario")
	ids := map[string]bool{}
	explained := map[string]bool{}
	sentence := regexp.MustCompile(`[.](\s|$)`)
	for _, g := range glossary.Groups() {
		for _, e := range append(g.Entries, glossary.Entry{ID: g.ID, About: "Um. Dois.", Origin: glossary.Origin{Text: "x"}}) {
			if ids[e.ID] {
				t.Errorf("two places have the id %s", e.ID)
			}
			ids[e.ID] = true
			if n := len(sentence.FindAllString(e.About, -1)); n < 1 || n > 4 || !strings.HasSuffix(e.About, ".") || e.Origin.Text == "" {
				t.Errorf("%s: %d sentences, from %q", e.ID, n, e.Origin.Text)
			}
			if strings.HasPrefix(e.Origin.URL, "/") {
				h.Status(t, http.StatusOK, e.Origin.URL)
			}
			for _, field := range e.Fields {
				explained[field] = true
				if !strings.Contains(fields, ` id="`+field+`"`) {
					t.Errorf("%s explains %s, which the dictionary does not have", e.ID, field)
				}
				pagetest.Texts(t, words, []string{`href="/dicionario#` + field + `"`}, nil)
			}
			if len(e.Fields) > 0 {
				pagetest.Texts(t, fields, []string{`href="/glossario#` + e.ID + `"`}, nil)
			}
		}
	}
	for _, src := range source.All() {
		if !explained[src.ID] {
			t.Errorf("no term explains %s", src.ID)
		}
	}
	for _, id := range strings.Fields("ativa suspensa inapta baixada nula ativa-nao-regular") { // the values of situacao_cadastral
		if !ids[id] {
			t.Errorf("the glossary lacks %s", id)
		}
	}
}
