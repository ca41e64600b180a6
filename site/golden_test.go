package site

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"razao/internal/outline"
	"razao/site/page/pagetest"
)

// golden compares the outline of an answer with testdata/name.outline. What is around the content of every page has files of
// its own, of TestLayout.
func golden(t *testing.T, name string, w *httptest.ResponseRecorder, options ...outline.Option) {
	t.Helper()
	body := w.Body.String()
	pagetest.Form(t, body)
	options = append(options, outline.Without("header", "site"), outline.Without("footer", "site"), outline.Without("a", "skip"), loadedOn)
	outline.Golden(t, name, strings.NewReader(body), options...)
}

// loadedOn masks the day of a load, which is the day of the test.
var loadedOn = outline.Masked(`([Cc]arregada em(\n *=)?) \d\d/\d\d/\d{4}`, "$1 dd/mm/aaaa")

// pageCase is a page with its golden file, and what must not be in its source.
type pageCase struct {
	name, path string
	status     int
	lacks      []string
}

// What the pages of many states have in common is in the files of the first few.
var (
	withoutSources = outline.Without("section", "theme")
	withoutFacets  = outline.Without("nav", "facets")
)

// comparePages asks for pages as a browser does, and compares them with golden files in a folder of testdata.
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
