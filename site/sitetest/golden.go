package sitetest

import (
	"net/http/httptest"
	"path"
	"strings"
	"testing"

	"razao/internal/testing/outline"
	"razao/site/page/pagetest"
)

// Golden checks the form of a page and compares its outline with testdata/name.outline. Header and
// footer are left to TestLayout.
func Golden(t *testing.T, name string, w *httptest.ResponseRecorder, options ...outline.Option) {
	t.Helper()
	body := w.Body.String()
	pagetest.Form(t, body)
	options = append(options, outline.Without("header", "class", "site"), outline.Without("footer", "class", "site"), outline.Without("a", "class", "skip"), loadedOn, loadedOnInTables, newestLoads)
	outline.Golden(t, name, strings.NewReader(body), options...)
}

// loadedOn masks the date and time of a load, which are those of the test run; loadedOnInTables
// does so in table rows, newestLoads in those of the home page.
var (
	loadedOn         = outline.Masked(`([Cc]arregada em(?:\(/glossario#carga\))?(?:\n *=)?) \d\d/\d\d/\d{4}(?: \d\d:\d\d)?`, "$1 dd/mm/aaaa")
	loadedOnInTables = outline.Masked(`\| \d\d/\d\d/\d{4}( \| [\d.]+(?: \| [\d.]+ \| [\d.]+ \| [^|\n]+)?\n)`, "| dd/mm/aaaa$1")
	newestLoads      = outline.Masked(`(\(/fontes/\w+\) \| [^|\n]+ \|) \d\d/\d\d/\d{4}\n`, "$1 dd/mm/aaaa\n")
)

// WithoutFacets leaves out the facets, which other golden files cover.
var WithoutFacets = outline.Without("nav", "class", "facets")

// Page is a page with its golden file.
type Page struct {
	Name, Path string
	status     int
	lacks      []string
}

// Case returns a page with its status and texts that its source must not contain.
func Case(name, path string, status int, lacks ...string) Page {
	return Page{name, path, status, lacks}
}

// Compare requests pages as a browser and compares them with golden files in a folder of testdata; "": in testdata itself.
func (s *Site) Compare(t *testing.T, folder string, pages []Page, options ...outline.Option) {
	t.Helper()
	for _, p := range pages {
		t.Run(p.Name, func(t *testing.T) {
			w := s.Get(t, p.Path, "Accept", HTML)
			if w.Code != p.status {
				t.Fatalf("status %d, want %d", w.Code, p.status)
			}
			pagetest.Texts(t, w.Body.String(), nil, p.lacks)
			Golden(t, path.Join(folder, p.Name), w, options...)
		})
	}
}

// CompareStates is [Site.Compare] for states of one page: the golden files after the first are diffs
// against it.
func (s *Site) CompareStates(t *testing.T, folder string, pages []Page) {
	t.Helper()
	s.Compare(t, folder, pages[:1])
	first := s.Get(t, pages[0].Path, "Accept", HTML).Body.String()
	for _, p := range pages[1:] {
		s.Compare(t, folder, []Page{p}, outline.Against(strings.NewReader(first)))
	}
}
