package main

import (
	"cmp"
	"io"
	"net/http"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"razao/internal/testing/fixture"
)

// forVisitors are the routes whose answers shared caches may keep for everybody who is not signed
// in; answers of forEveryone are the same for all. All other routes must never be public: adding a
// route requires this decision.
var (
	forVisitors = []string{
		"/", "/busca", "/busca/avancada", "/empresas", "/uf/:uf", "/uf/:uf/:cidade", "/estados", "/municipios", "/municipios/comparar",
		"/mudancas", "/lista", "/:cnpj", "/:cnpj/ibama/:fonte/:numero_pagina", "/socio/:d6/:sl", "/metodologia/bndes", "/privacidade", "/transparencia", "/termos", "/caminho", "/:cnpj/rede", "/:cnpj/grupo", "/api", "/api/v1",
		"/api/docs", "/assistente", "/assistente/whatsapp", "/assistente/telegram", "/dicionario", "/glossario", "/fontes", "/fontes/:fonte",
		"/fontes/:fonte/cargas/:carga",
	}
	forEveryone = []string{
		"/fontes/:fonte/cargas/:carga/checkpoint",
		"/sitemap.xml", "/sitemaps/:arquivo", "/sugestoes", "/sugestoes/valores", "/static/:asset", "/municipios.csv", "/dicionario.csv",
		"/mudancas.md", "/mudancas.atom", "/mudancas/serie.csv", "/mudancas/coortes.csv", "/uf/:uf/mudancas.atom", "/uf/:uf/:cidade/mudancas.atom", "/:cnpj/mudancas.atom", "/:cnpj/rede.csv", "/:cnpj/rede.svg", "/:cnpj/grupo.csv",
		"/uf/:uf/serie.csv", "/uf/:uf/:cidade/serie.csv", "/uf/:uf/coortes.csv", "/uf/:uf/:cidade/coortes.csv",
		"/openapi.json", "/llms.txt", "/robots.txt", "/.well-known/security.txt", "/.well-known/api-catalog", "/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp",
		"/.well-known/oauth-authorization-server", "/.well-known/openid-configuration",
	}
)

// examples are existing addresses for routes with parameters.
var examples = map[string]string{
	"/busca": "/busca?q=padaria", "/uf/:uf/:cidade": "/uf/sp/campinas", "/socio/:d6/:sl": "/socio/456789/marta-figueira-inventada",
	"/fontes/:fonte": "/fontes/pgfn", "/:cnpj/ibama/:fonte/:numero_pagina": "/12345678000195/ibama/autos/1", "/sugestoes": "/sugestoes?q=padaria",
	"/sugestoes/valores": "/sugestoes/valores?filtro=cnae&q=pada", "/sitemaps/:arquivo": "/sitemaps/0001.xml.gz",
	"/v2/busca": "/v2/busca?q=padaria", "/v2/empresas/:documento/fontes/:fonte": "/v2/empresas/" + fixture.Bakery + "/fontes/pgfn",
	"/v2/estabelecimentos/:documento/fontes/:fonte": "/v2/estabelecimentos/" + fixture.Bakery + "000195/fontes/pgfn",
	"/busca.csv": "/busca.csv?q=padaria", "/socio/:d6/:sl/empresas.csv": "/socio/456789/marta-figueira-inventada/empresas.csv", "/fontes/:fonte/cargas/:carga": "/fontes/receita/cargas/1",
	"/fontes/:fonte/cargas/:carga/checkpoint": "/fontes/receita/cargas/1/checkpoint",
	"/uf/:uf/:cidade/mudancas.atom":           "/uf/sp/campinas/mudancas.atom", "/uf/:uf/:cidade/serie.csv": "/uf/sp/campinas/serie.csv",
	"/uf/:uf/:cidade/coortes.csv": "/uf/sp/campinas/coortes.csv", "/:cnpj/rede": "/" + fixture.Bakery + "/rede", "/:cnpj/grupo": "/" + fixture.Bakery + "/grupo",
	"/v2/socios/:id/empresas": "/v2/socios/456789-marta-figueira-inventada/empresas",
	"/v2/reconciliar/previa":  "/v2/reconciliar/previa?id=" + fixture.Bakery,
	"/v2/caminho":             "/v2/caminho?de=" + fixture.Bakery + "&para=" + fixture.Holding,
}

// wholeAnswer is an answer with its whole body.
type wholeAnswer struct {
	status  int
	header  http.Header
	cookies bool
	body    string
}

func (w *whole) read(t *testing.T, method, path string, header ...string) wholeAnswer {
	t.Helper()
	resp := w.ask(t, method, path, "", header...)
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return wholeAnswer{resp.StatusCode, resp.Header, len(resp.Cookies()) > 0, string(body)}
}

// public reports whether a shared cache may keep an answer (RFC 9111 §3).
func (a wholeAnswer) public() bool {
	control := a.header.Get("Cache-Control")
	return !strings.Contains(control, "no-store") && !strings.Contains(control, "private")
}

// TestWhatCachesMayKeep requests every route with every kind of credentials and checks what a
// shared cache would do with the answers.
func TestWhatCachesMayKeep(t *testing.T) {
	t.Parallel()
	l := fixture.LoadRecords(t)
	w := wholeOn(t, l.Pool, filepath.Dir(l.IndexDir))
	asset := regexp.MustCompile(`/static/style\.[0-9a-f]+\.css`).FindString(w.read(t, "GET", "/").body)
	kept, keyed := map[string]bool{}, 0
	for _, route := range w.Routes() {
		path := cmp.Or(map[string]string{"/static/:asset": asset}[route.Path], examples[route.Path], address(route.Path))
		for name, header := range map[string][]string{
			"nobody":    {"Cookie", ""},
			"signed in": {"Sec-Fetch-Site", "same-origin"},
			"key":       {"Cookie", "", "Authorization", "Bearer " + w.key, "X-Forwarded-For", "198.51.100.1"},
			"both":      {"Authorization", "Bearer " + w.key, "X-Forwarded-For", "198.51.100.1", "Sec-Fetch-Site", "same-origin"},
		} {
			a := w.read(t, route.Method, path, header...)
			kept[route.Path] = kept[route.Path] || a.public()
			if name == "key" && a.status == http.StatusOK && strings.HasPrefix(route.Path, "/v") {
				keyed++
			}
			checkKept(t, name+": "+route.Method+" "+path, route.Path, name, a)
		}
		if route.Method == http.MethodGet && kept[route.Path] {
			checkUnkeyed(t, w, route.Path, path)
		}
	}
	for _, route := range append(forVisitors, forEveryone...) {
		// Of invented companies there are no files for crawlers.
		if !kept[route] && route != "/sitemaps/:arquivo" {
			t.Errorf("%s is never public, or no route", route)
		}
	}
	if keyed < 20 {
		t.Errorf("only %d calls with a key were answered", keyed)
	}
	twin := w.read(t, "GET", "/12345678000195.md")
	if !twin.public() || twin.header.Get("Surrogate-Key") == "" {
		t.Errorf("the Markdown version: %v", twin.header)
	}
}

// checkKept checks the caching headers of an answer of a route to a kind of caller.
func checkKept(t *testing.T, what, route, who string, a wholeAnswer) {
	t.Helper()
	same, differs := slices.Contains(forEveryone, route), slices.Contains(forVisitors, route)
	vary := a.header.Get("Vary")
	switch {
	case len(a.header.Values("Cache-Control")) != 1:
		t.Errorf("%s: Cache-Control %q", what, a.header.Values("Cache-Control"))
	case !a.public() && a.header.Get("Surrogate-Key") != "":
		t.Errorf("%s: has a surrogate key", what)
	case !a.public():
	case a.status != http.StatusOK, a.cookies:
		t.Errorf("%s: status %d, sets cookies: %v, may be kept", what, a.status, a.cookies)
	case who == "key", who == "both", who == "signed in" && !same, !same && !differs:
		t.Errorf("%s: may be kept for others; a page that is the same for everyone, or for all who are not signed in, is in forEveryone or forVisitors", what)
	case differs && !strings.Contains(vary, "Cookie"):
		t.Errorf("%s: Vary %q", what, vary)
	case strings.Contains(a.header.Get("Cache-Control"), "s-maxage") && a.header.Get("ETag") == "":
		t.Errorf("%s: caches cannot revalidate it", what)
	case strings.Contains(a.body, "ana@exemplo.com.br"):
		t.Errorf("%s: names an account", what)
	}
}

// checkUnkeyed repeats a request for a public answer with other unkeyed headers: a header that is
// not part of the cache key must not influence the answer (web cache poisoning).
func checkUnkeyed(t *testing.T, w *whole, route, path string) {
	t.Helper()
	plain := w.read(t, "GET", path, "Cookie", "")
	changed := []string{
		"Cookie", "_ga=1", "Accept", "application/json", "Accept-Language", "en", "User-Agent", "evil", "Referer", "https://evil.example/", "Forwarded", "host=evil.example",
		"X-Forwarded-Host", "evil.example", "X-Forwarded-Proto", "http", "X-Original-URL", "/conta", "X-HTTP-Method-Override", "POST", "Range", "bytes=0-1",
		"Sec-Fetch-Site", "cross-site", "Origin", "https://evil.example",
	}
	if slices.Contains(forEveryone, route) {
		changed[1] = w.cookie
	}
	other := w.read(t, "GET", path, changed...)
	if !other.public() || other.body != plain.body || other.header.Get("ETag") != plain.header.Get("ETag") {
		t.Errorf("%s depends on what caches do not look at: status %d, %v", path, other.status, other.header)
	}
}
