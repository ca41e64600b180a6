package site_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"razao/site"
	"razao/site/page"
	"razao/site/sitetest"
)

func TestRedirects(t *testing.T) {
	t.Parallel()
	h := sitetest.Released(t)
	cases := []struct {
		path     string
		status   int
		location string
	}{
		{"/12.345.678/0001-95", 301, "/12345678000195"},
		{"/12.345.678%2F0001-95", 301, "/12345678000195"},
		{"/12345678/0001-95", 301, "/12345678000195"},
		{"/12.345.6780001-95", 301, "/12345678000195"},
		{"/12abc34501de35", 301, "/12ABC34501DE35"},
		{"/12.abc.345/01de-35", 301, "/12ABC34501DE35"},
		{"/12.345.678/0001-95?socios_pagina=2", 301, "/12345678000195?socios_pagina=2"},
		{"/12345678", 302, "/12345678000195"},
		{"/12.345.678", 302, "/12345678000195"},
		{"/12abc345", 302, "/12ABC34501DE35"}, // its head office is not 0001
		{"/12345678?x=1", 302, "/12345678000195?x=1"},
		{"/busca?q=12345678000195", 302, "/12345678000195"},
		{"/busca?q=12.345.678/0001-95", 302, "/12345678000195"},
		{"/busca?q=+12abc34501de35+", 302, "/12ABC34501DE35"},

		// A CNPJ however it is written.
		{"/12,345,678,0001,95", 301, "/12345678000195"},
		{"/12_345_678_0001_95", 301, "/12345678000195"},
		{"/12%20345%20678%200001%2095", 301, "/12345678000195"},
		{"/12.345.678%E2%81%840001-95", 301, "/12345678000195"}, // fraction slash
		{"/%EF%BC%91%EF%BC%92345678000195", 301, "/12345678000195"},
		{"/CNPJ:%2012.345.678/0001-95", 301, "/12345678000195"},
		{"/12/345/678/0001/95?socios_pagina=2", 301, "/12345678000195?socios_pagina=2"},
		{"/12,345,678/0001-95.md", 301, "/12345678000195.md"},
		{"/12.345.678/0001-95/ibama/autos/2", 301, "/12345678000195/ibama/autos/2"},
		{"/7654321000159", 301, "/07654321000159"},
		{"/7.654.321/0001-59", 301, "/07654321000159"},
		{"/7654321000159.md", 301, "/07654321000159.md"},
		{"/busca?q=CNPJ:+12.345.678/0001-95", 302, "/12345678000195"},
		{"/busca?q=12,345,678,0001,95", 302, "/12345678000195"},
		{"/busca?q=12.345.678/%0D%0A%090001%C2%A0-%C2%A095", 302, "/12345678000195"},
		{"/busca?q=12+abc+345+01de+35", 302, "/12ABC34501DE35"},
		{"/busca?q=7654321000159", 302, "/07654321000159"},
		{"/busca?q=7,654,321,000,159", 302, "/07654321000159"},

		// A slash at the end.
		{"/empresas/", 301, "/empresas"},
		{"/empresas//", 301, "/empresas"},
		{"/busca/?q=padaria+%26+cia&pagina=2", 301, "/busca?q=padaria+%26+cia&pagina=2"},
		{"/uf/sp/", 301, "/uf/sp"},
		{"/uf/sp/campinas/?ordem=nome", 301, "/uf/sp/campinas?ordem=nome"},
		{"/12345678000195/", 301, "/12345678000195"},
		{"/12345678000195.md/", 301, "/12345678000195.md"},
		{"/12.345.678/0001-95/", 301, "/12345678000195"},
		{"/12345678/", 301, "/12345678"},
		{"/12abc345/", 301, "/12ABC345"},
		{"/12345678000196/", 301, "/12345678000196"}, // which says that it is mistyped
		{"/12345678000195/ibama/autos/1/", 301, "/12345678000195/ibama/autos/1"},
		{"/socio/456789/marta-figueira-inventada/", 301, "/socio/456789/marta-figueira-inventada"},
		{"/municipios.csv/", 301, "/municipios.csv"},
		{"/fontes/pgfn/", 301, "/fontes/pgfn"},
		{"/uf/sp/s%C3%A3o%2Fpaulo/", 301, "/uf/sp/s%C3%A3o%2Fpaulo"},
	}
	for _, c := range cases {
		t.Run(c.path, func(t *testing.T) {
			for _, method := range []string{http.MethodGet, http.MethodHead} {
				w := ask(t, h, method, c.path)
				if got := w.Header().Get("Location"); w.Code != c.status || got != c.location {
					t.Errorf("%s: got %d to %q, want %d to %q", method, w.Code, got, c.status, c.location)
				}
			}
		})
	}
}

// ask makes a request whose address is sent as it is.
func ask(t *testing.T, h http.Handler, method, target string) *httptest.ResponseRecorder {
	t.Helper()
	u, err := url.ParseRequestURI(target)
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequestWithContext(t.Context(), method, "/", nil)
	r.URL, r.RequestURI = u, target
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// TestNoWayOut follows addresses that could be taken for those of another host without their slash (CWE-601, open
// redirect), and others that stay what they are.
func TestNoWayOut(t *testing.T) {
	t.Parallel()
	h := sitetest.Released(t)
	for _, target := range []string{
		"/", "//", "///", "//evil.example/", "///evil.example/", "//evil.example/%2F..", "/\\evil.example/", "/\\/evil.example/", "/%5Cevil.example/",
		"/%2F%2Fevil.example/", "/%2Fevil.example/", "/%09/evil.example/", "/https:/evil.example/", "/https://evil.example/",
		"//evil.example/12345678000195/", "//12345678000195/", "/\\12345678000195/", "http://evil.example/empresas/", "//empresas/", "/empresas/%2F/",
	} {
		w := ask(t, h, http.MethodGet, target)
		to := w.Header().Get("Location")
		if to == "" {
			continue
		}
		if u, err := url.Parse(to); err != nil || u.Host != "" || u.Scheme != "" || !strings.HasPrefix(to, "/") || strings.HasPrefix(to, "//") || strings.Contains(to, `\`) {
			t.Errorf("%s: %d to %q", target, w.Code, to)
		}
	}
	for _, target := range []string{"/um/dois/tres/", "/uf/sp/campinas/centro/", "/static/", "//empresas/", "/bardoposto/2000", "/nada/", "/uf/", "/padarias/", "/12.345.678/0001-96", "/2019/01/05"} {
		if w := ask(t, h, http.MethodGet, target); w.Code != http.StatusNotFound {
			t.Errorf("%s: %d to %q", target, w.Code, w.Header().Get("Location"))
		}
	}
	for _, target := range []string{"/busca/", "/12.345.678/0001-95"} {
		if w := ask(t, h, http.MethodPost, target); w.Code != http.StatusNotFound {
			t.Errorf("POST %s: %d to %q", target, w.Code, w.Header().Get("Location"))
		}
	}
}

func TestValidation(t *testing.T) {
	t.Parallel()
	h := sitetest.Released(t)
	cases := []struct{ path, want string }{
		{"/busca?q=x&pagina=um", `{"detail":[{"loc":["query","pagina"],"msg":"Deve ser um número inteiro.","type":"int_parsing","input":"um"}]}`},
		{"/busca?q=x&pagina=", `{"detail":[{"loc":["query","pagina"],"msg":"Deve ser um número inteiro.","type":"int_parsing","input":""}]}`},
		{"/busca?pagina=0", `{"detail":[{"loc":["query","pagina"],"msg":"Deve ser maior ou igual a 1.","type":"greater_than_equal","input":"0","ctx":{"ge":1}}]}`},
		{"/busca?pagina=-99999999999999999999", `{"detail":[{"loc":["query","pagina"],"msg":"Deve ser maior ou igual a 1.","type":"greater_than_equal","input":"-99999999999999999999","ctx":{"ge":1}}]}`},
		{"/busca?pagina=99999999999999999999", `{"detail":[{"loc":["query","pagina"],"msg":"Deve ser menor ou igual a 2147483647.","type":"less_than_equal","input":"99999999999999999999","ctx":{"le":2147483647}}]}`},
		{"/12345678000195?socios_pagina=<b>", `{"detail":[{"loc":["query","socios_pagina"],"msg":"Deve ser um número inteiro.","type":"int_parsing","input":"<b>"}]}`},
		{"/12345678000195?estabelecimentos_pagina=0", `{"detail":[{"loc":["query","estabelecimentos_pagina"],"msg":"Deve ser maior ou igual a 1.","type":"greater_than_equal","input":"0","ctx":{"ge":1}}]}`},
	}
	for _, c := range cases {
		t.Run(c.path, func(t *testing.T) {
			for _, accept := range []string{"application/json", ""} {
				w := h.Get(t, c.path, "Accept", accept)
				if want := withError(t, c.want, w.Header().Get("X-Request-ID")); w.Code != 422 || strings.TrimSpace(w.Body.String()) != want {
					t.Errorf("got %d %s\nwant 422 %s", w.Code, w.Body, want)
				}
			}
			if page := h.Get(t, c.path, "Accept", sitetest.HTML); page.Code != 422 || !strings.Contains(page.Body.String(), "<h1>Este endereço pede algo que não existe</h1>") {
				t.Errorf("a browser gets %d without the page", page.Code)
			}
		})
	}
}

// withError returns the JSON of a 422 whose detail is given: it has the error in the format of the API too.
func withError(t *testing.T, detail, id string) string {
	t.Helper()
	var body struct {
		Detail []struct {
			Loc []string
			Msg string
		}
	}
	if err := json.Unmarshal([]byte(detail), &body); err != nil {
		t.Fatal(err)
	}
	first := body.Detail[0]
	return strings.TrimSuffix(detail, "}") + `,"erro":{"codigo":"parametro_invalido","mensagem":"` + first.Msg + `","parametro":"` + first.Loc[1] + `"},"requisicao_id":"` + id + `"}`
}

func TestHeaders(t *testing.T) {
	t.Parallel()
	h := sitetest.Released(t)
	first := h.Get(t, "/12345678000195")
	tag := first.Header().Get("ETag")
	if tag == "" || first.Header().Get("Cache-Control") != "public, max-age=0, s-maxage=60" || first.Header().Get("Content-Security-Policy") == "" || first.Header().Get("X-Request-ID") == "" {
		t.Errorf("headers of a page: %v", first.Header())
	}
	if again := h.Get(t, "/12345678000195", "If-None-Match", tag); again.Code != http.StatusNotModified || again.Body.Len() > 0 {
		t.Errorf("a page that the visitor has: status %d, %d bytes", again.Code, again.Body.Len())
	}
	if w := h.Get(t, "/nada"); w.Header().Get("Cache-Control") != "no-store" || w.Header().Get("ETag") != "" {
		t.Errorf("headers of a 404: %v", w.Header())
	}
	for name, kind := range map[string]string{"style.css": "text/css", "combobox.js": "text/javascript", "public-sans.woff2": "font/woff2", "icon.svg": "image/svg+xml"} {
		address, err := page.Asset(name)
		if err != nil {
			t.Fatal(err)
		}
		w := h.Get(t, address)
		if w.Code != 200 || !strings.HasPrefix(w.Header().Get("Content-Type"), kind) || w.Header().Get("Cache-Control") != "public, max-age=31536000, immutable" {
			t.Errorf("%s: status %d, %v", address, w.Code, w.Header())
		}
	}
	font, err := page.Asset("public-sans.woff2")
	if err != nil {
		t.Fatal(err)
	}
	sheet, err := page.Asset("style.css")
	if err != nil {
		t.Fatal(err)
	}
	if body := h.Body(t, sheet); !strings.Contains(body, "url("+strings.TrimPrefix(font, "/static/")+")") {
		t.Error("the stylesheet does not name the font by its hash")
	}
	if w := h.Get(t, "/robots.txt"); w.Code != 200 || !strings.Contains(w.Body.String(), "Disallow: /busca\n") {
		t.Errorf("robots: %d %s", w.Code, w.Body)
	}
}

func TestNewRefusesWhatIsMissing(t *testing.T) {
	t.Parallel()
	if _, err := site.New(site.Config{Ping: func(context.Context) error { return nil }}); err == nil {
		t.Error("New accepts a site without data")
	}
}
