package site

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"razao/internal/testing/fixture"
)

func TestPagesThatAreNotThere(t *testing.T) {
	t.Parallel()
	h, _ := released.open(t)
	comparePages(t, h, "notfound", []pageCase{
		{"unknown-path", "/nada", 404, nil},
		{"absent-cnpj", "/11444777000161", 404, nil},
		{"absent-branch", "/12345678000500", 404, nil},
		{"wrong-cnpj", "/12345678000196", 404, nil},
		{"root-without-establishments", "/" + fixture.Homeless, 404, nil},
	})
	unknown := get(t, h, "/nada", "Accept", browser).Body.String()
	for _, path := range []string{
		"/palavras", "/abcdefghijklmn", "/" + url.PathEscape("1234567890éé"), "/um/dois/tres", "/static/style.css",
	} {
		if w := get(t, h, path, "Accept", browser); w.Code != http.StatusNotFound || w.Body.String() != unknown {
			t.Errorf("%s: status %d, or another page than that of an unknown path", path, w.Code)
		}
	}
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/busca", nil)
	w := httptest.NewRecorder()
	if h.ServeHTTP(w, r); w.Code != http.StatusMethodNotAllowed || w.Header().Get("Allow") == "" {
		t.Errorf("POST: status %d, %v", w.Code, w.Header())
	}
	golden(t, "notfound/another-method", w)
}
