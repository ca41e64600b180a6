package site_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"razao/internal/testing/fixture"
	"razao/site"
	"razao/site/sitetest"
)

// FuzzAddresses requests arbitrary addresses of the public pages: none is a 503, input never becomes
// markup (XSS), and no redirect leaves the site (CWE-601).
func FuzzAddresses(f *testing.F) {
	h := sitetest.Serve(f, site.Config{Live: fixture.Shared(f).Live, Ping: func(context.Context) error { return nil }, BaseURL: sitetest.URL})
	const mark = "<zz"
	for _, seed := range [][3]string{
		{"/busca", "q=%22padaria+<zz&uf=SP&pagina=2", sitetest.HTML},
		{"/empresas", "cnae=4721102&ordem=nome&pagina=99999999999", ""},
		{"/12345678000195", "pgfn_pagina=0&socios_pagina=2", "text/markdown;q=0.5"},
		{"/uf/sp/campinas", "situacao=ativa&situacao=baixada", sitetest.HTML},
		{"/socio/456789/marta-figueira-inventada", "", sitetest.HTML},
		{"/sugestoes", "q=%ff%00", "application/json"},
		{"/sitemap/1.xml.gz", "", ""},
		{"/municipios", "q=<zz+sao&uf=sp&ordem=capital&pagina=2", sitetest.HTML},
		{"/municipios/comparar", "m=3509502&m=3550308&q=<zz", sitetest.HTML},
		{"/municipios.csv", "q=%ff&m=3509502&formato=excel", ""},
		{"//evil.example/", "", sitetest.HTML},
		{"/\\evil.example/", "q=1", ""},
		{"/CNPJ 7,654,321/0001–59/", `\`, ""},
	} {
		f.Add(seed[0], seed[1], seed[2])
	}
	f.Fuzz(func(t *testing.T, path, query, accept string) {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
		r.URL = &url.URL{Path: "/" + strings.TrimPrefix(path, "/"), RawQuery: query}
		r.RequestURI = r.URL.RequestURI()
		r.Header.Set("Accept", accept)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code >= http.StatusInternalServerError {
			t.Errorf("%s: %d", r.RequestURI, w.Code)
		}
		if strings.HasPrefix(w.Header().Get("Content-Type"), "text/html") && strings.Contains(w.Body.String(), mark) {
			t.Errorf("%s: what was typed is markup", r.RequestURI)
		}
		to, _, _ := strings.Cut(w.Header().Get("Location"), "?")
		if to != "" && (to[0] != '/' || strings.HasPrefix(to, "//") || strings.Contains(to, `\`)) {
			t.Errorf("%s: %d to %q", r.RequestURI, w.Code, to)
		}
	})
}
