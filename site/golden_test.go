package site

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"razao/internal/testing/outline"
	"razao/site/page/pagetest"
)

// golden compares the outline of a response with testdata/name.outline. Header and footer are left
// to TestLayout.
func golden(t *testing.T, name string, w *httptest.ResponseRecorder, options ...outline.Option) {
	t.Helper()
	body := w.Body.String()
	pagetest.Form(t, body)
	options = append(options, outline.Without("header", "class", "site"), outline.Without("footer", "class", "site"), outline.Without("a", "class", "skip"), loadedOn, loadedOnInTables)
	outline.Golden(t, name, strings.NewReader(body), options...)
}

// loadedOn masks the date and time of a load, which are those of the test run; loadedOnInTables
// does so in table rows.
var (
	loadedOn         = outline.Masked(`([Cc]arregada em(?:\(/glossario#carga\))?(?:\n *=)?) \d\d/\d\d/\d{4}(?: \d\d:\d\d)?`, "$1 dd/mm/aaaa")
	loadedOnInTables = outline.Masked(`\| \d\d/\d\d/\d{4}( \| [\d.]+(?: \| [\d.]+ \| [\d.]+ \| [^|\n]+)?\n)`, "| dd/mm/aaaa$1")
)

// pageCase is a page with its golden file and texts that its source must not contain.
type pageCase struct {
	name, path string
	status     int
	lacks      []string
}

// withoutFacets leaves out the facets, which other golden files cover.
var withoutFacets = outline.Without("nav", "class", "facets")

// comparePages requests pages as a browser and compares them with golden files in a folder of
// testdata.
func comparePages(t *testing.T, h http.Handler, folder string, cases []pageCase, options ...outline.Option) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			w := get(t, h, c.path, "Accept", browser)
			if w.Code != c.status {
				t.Fatalf("status %d, want %d", w.Code, c.status)
			}
			pagetest.Texts(t, w.Body.String(), nil, c.lacks)
			golden(t, folder+"/"+c.name, w, options...)
		})
	}
}

// compareStates is comparePages for states of one page: the golden files after the first are diffs
// against it.
func compareStates(t *testing.T, h http.Handler, folder string, cases []pageCase) {
	t.Helper()
	comparePages(t, h, folder, cases[:1])
	first := get(t, h, cases[0].path, "Accept", browser).Body.String()
	for _, c := range cases[1:] {
		comparePages(t, h, folder, []pageCase{c}, outline.Against(strings.NewReader(first)))
	}
}
