package site_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"razao/internal/testing/fixture"
	"razao/site/sitetest"
)

func TestPagesThatAreNotThere(t *testing.T) {
	t.Parallel()
	h := sitetest.Released(t)
	h.Compare(t, "notfound", []sitetest.Page{
		sitetest.Case("unknown-path", "/nada", 404),
		sitetest.Case("absent-cnpj", "/11444777000161", 404),
		sitetest.Case("absent-branch", "/12345678000500", 404),
		sitetest.Case("wrong-cnpj", "/12345678000196", 404),
		sitetest.Case("root-without-establishments", "/"+fixture.Homeless, 404),
	})
	unknown := h.Get(t, "/nada", "Accept", sitetest.HTML).Body.String()
	for _, path := range []string{
		"/palavras", "/abcdefghijklmn", "/" + url.PathEscape("1234567890éé"), "/um/dois/tres", "/static/style.css",
	} {
		if w := h.Get(t, path, "Accept", sitetest.HTML); w.Code != http.StatusNotFound || w.Body.String() != unknown {
			t.Errorf("%s: status %d, or another page than that of an unknown path", path, w.Code)
		}
	}
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/busca", nil)
	w := httptest.NewRecorder()
	if h.ServeHTTP(w, r); w.Code != http.StatusMethodNotAllowed || w.Header().Get("Allow") == "" {
		t.Errorf("POST: status %d, %v", w.Code, w.Header())
	}
	sitetest.Golden(t, "notfound/another-method", w)
}
