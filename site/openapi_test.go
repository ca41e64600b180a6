package site_test

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"razao/index/filter"
	"razao/internal/testing/fixture"
	"razao/internal/web"
	"razao/site"
	"razao/site/sitetest"
)

func TestOpenAPIDocument(t *testing.T) {
	t.Parallel()
	if kind := sitetest.Nothing(t).Get(t, "/openapi.json").Header().Get("Content-Type"); kind != "application/json; charset=utf-8" {
		t.Errorf("it is served as %s", kind)
	}
	doc := sitetest.OpenAPI(t)
	if doc.OpenAPI != "3.1.0" || doc.Info.Version != "0.1.0" {
		t.Errorf("OpenAPI %s, version %s", doc.OpenAPI, doc.Info.Version)
	}
	for path, methods := range doc.Paths {
		for method, op := range methods {
			named := path == "/sitemaps/{arquivo}" || strings.HasPrefix(path, "/fontes/{fonte}") && !strings.HasSuffix(path, "/qualidade") || // the name of a file, a source or a place is right or unknown
				strings.HasSuffix(path, "}/mudancas.atom")
			parameters, refused := len(op.Parameters) > 0 && !named, op.Responses["422"] != nil
			forms := slices.Contains(op.Tags, "Conta") || slices.Contains(op.Tags, "Privacidade") // they take any text and say what is wrong
			if !forms && (method != "get" || parameters != refused) {
				t.Errorf("%s %s: parameters %t, 422 %t", method, path, parameters, refused)
			}
			if method == "post" && op.Responses["403"] == nil {
				t.Errorf("%s: a form of another site is not described", path)
			}
			for _, name := range pathParameters(path) {
				if op.Parameter("path", name) == nil {
					t.Errorf("%s %s: the parameter %s is not described", method, path, name)
				}
			}
		}
	}
	if doc.Paths["/municipios.csv"]["get"].Responses["200"].Content["application/json"].Schema == nil {
		t.Error("/municipios.csv is not declared as the specification says")
	}
}

func pathParameters(path string) []string {
	var names []string
	for part := range strings.SplitSeq(path, "/") {
		if name, ok := strings.CutPrefix(part, "{"); ok {
			names = append(names, strings.TrimSuffix(name, "}"))
		}
	}
	return names
}

// TestOpenAPINamesEveryRoute compares the document with the registered routes, except assets and
// the document itself.
func TestOpenAPINamesEveryRoute(t *testing.T) {
	t.Parallel()
	h := sitetest.Nothing(t)
	routed := map[string]bool{}
	for _, route := range h.Routes() {
		if route.Method != http.MethodHead && route.Path != "/static/:asset" && route.Path != "/openapi.json" {
			parts := strings.Split(route.Path, "/")
			for i, part := range parts {
				if name, ok := strings.CutPrefix(part, ":"); ok {
					parts[i] = "{" + name + "}"
				}
			}
			routed[route.Method+" "+strings.Join(parts, "/")] = true
		}
	}
	described := map[string]bool{}
	for path, methods := range sitetest.OpenAPI(t).Paths {
		for method := range methods {
			described[strings.ToUpper(method)+" "+path] = true
		}
	}
	for route := range routed {
		if !described[route] {
			t.Errorf("%s is not described", route)
		}
	}
	for route := range described {
		if !routed[route] {
			t.Errorf("%s is described and has no route", route)
		}
	}
}

func TestOpenAPINamesEveryFilter(t *testing.T) {
	t.Parallel()
	paths := sitetest.OpenAPI(t).Paths
	for _, path := range []string{"/busca", "/busca.csv", "/empresas", "/empresas.csv"} {
		for _, name := range filter.Names() {
			if paths[path]["get"].Parameter("query", name) == nil {
				t.Errorf("%s: the filter %s is not described", path, name)
			}
		}
	}
	for _, id := range append([]string{"socios", "estabelecimentos", "participacoes", "mudancas"}, "pgfn", "pncp", "bndes") {
		p := paths["/{cnpj}"]["get"].Parameter("query", id+"_pagina")
		if p == nil || *p.Schema.Minimum != 1 || string(p.Schema.Default) != "1" {
			t.Errorf("%s_pagina: %+v", id, p)
		}
	}
}

// TestAnswersAgreeWithOpenAPI requests a response of every kind and validates its status, media
// type and, for JSON, its body against the document. Objects must not have undescribed fields.
func TestAnswersAgreeWithOpenAPI(t *testing.T) {
	t.Parallel()
	loaded := sitetest.Released(t)
	empty := sitetest.Nothing(t)
	check := sitetest.NewAnswerCheck(t)
	cases := []struct {
		site              *sitetest.Site
		template, address string
		status            int
		kind              string
	}{
		{loaded, "/health", "/health", 200, "application/json"},
		{empty, "/health", "/health", 503, "application/json"},
		{loaded, "/sugestoes", "/sugestoes?q=padaria", 200, "application/json"},
		{loaded, "/sugestoes", "/sugestoes?q=campinas", 200, "application/json"},
		{empty, "/sugestoes", "/sugestoes?q=padaria", 200, "application/json"},
		{loaded, "/sugestoes/valores", "/sugestoes/valores?filtro=municipio&q=camp", 200, "application/json"},
		{empty, "/sugestoes/valores", "/sugestoes/valores?filtro=cnae&q=padaria", 200, "application/json"},
		{loaded, "/sugestoes/valores", "/sugestoes/valores?filtro=uf&q=s", 422, "application/json"},
		{loaded, "/busca", "/busca?pagina=0", 422, "application/json"},
		{loaded, "/busca", "/busca?ordem=x", 422, "application/json"},
		{loaded, "/busca", "/busca?q=12345678000195", 302, ""},
		{loaded, "/empresas", "/empresas?pagina=um", 422, "application/json"},
		{loaded, "/empresas", "/empresas?ano_de=2020&ano_ate=2019", 422, "application/json"},
		{loaded, "/busca.csv", "/busca.csv", 303, ""},
		{loaded, "/busca/avancada", "/busca/avancada?buscar=1&uf=SP", 303, ""},
		{loaded, "/busca/avancada", "/busca/avancada?buscar=1&uf=XX", 422, "text/html"},
		{loaded, "/empresas.csv", "/empresas.csv", 303, ""},
		{loaded, "/login", "/login", 200, "text/html"},
		{loaded, "/auth/callback", "/auth/callback", 303, ""},
		{loaded, "/auth/{provider}", "/auth/ninguem", 404, "text/html"},
		{loaded, "/conta", "/conta", 303, ""},
		{loaded, "/uf/{uf}", "/uf/sp?porte=x", 422, "application/json"},
		{loaded, "/uf/{uf}", "/uf/xx", 404, "text/html"},
		{loaded, "/uf/{uf}/{cidade}", "/uf/sp/campinas?pagina=0", 422, "application/json"},
		{loaded, "/estados", "/estados?ordem=x", 422, "application/json"},
		{loaded, "/mudancas", "/mudancas", 200, "text/html"},
		{loaded, "/mudancas", "/mudancas?evento=x", 422, "application/json"},
		{loaded, "/mudancas", "/mudancas?posicao=0", 422, "application/json"},
		{loaded, "/mudancas.atom", "/mudancas.atom?uf=SP", 200, "application/atom+xml"},
		{loaded, "/mudancas.atom", "/mudancas.atom?uf=XX", 422, "application/json"},
		{loaded, "/uf/{uf}/mudancas.atom", "/uf/sp/mudancas.atom", 200, "application/atom+xml"},
		{loaded, "/uf/{uf}/mudancas.atom", "/uf/SP/mudancas.atom", 301, ""},
		{loaded, "/uf/{uf}/{cidade}/mudancas.atom", "/uf/sp/campinas/mudancas.atom", 200, "application/atom+xml"},
		{loaded, "/uf/{uf}/{cidade}/mudancas.atom", "/uf/sp/nada/mudancas.atom", 404, "text/html"},
		{loaded, "/uf/{uf}/serie.csv", "/uf/sp/serie.csv", 200, "text/csv"},
		{loaded, "/uf/{uf}/{cidade}/serie.csv", "/uf/sp/nada/serie.csv", 404, "text/html"},
		{loaded, "/uf/{uf}/{cidade}/coortes.csv", "/uf/sp/campinas/coortes.csv?formato=x", 422, "application/json"},
		{loaded, "/{cnpj}/mudancas.atom", "/12345678000195/mudancas.atom", 200, "application/atom+xml"},
		{loaded, "/{cnpj}/mudancas.atom", "/12345678/mudancas.atom", 302, ""},
		{loaded, "/{cnpj}/mudancas.atom", "/11444777000161/mudancas.atom", 404, "text/html"},
		{loaded, "/municipios", "/municipios?ordem=x", 422, "application/json"},
		{loaded, "/municipios", "/municipios?uf=xx", 422, "application/json"},
		{loaded, "/municipios", "/municipios?pagina=99", 404, "text/html"},
		{loaded, "/municipios/comparar", "/municipios/comparar?m=1", 422, "application/json"},
		{loaded, "/municipios/comparar", "/municipios/comparar?m=3509502&m=3550308", 200, "text/html"},
		{loaded, "/{cnpj}", "/12345678000195?pgfn_pagina=0", 422, "application/json"},
		{loaded, "/{cnpj}", "/12345678000195?bndes_pagina=um", 422, "application/json"},
		{loaded, "/{cnpj}", "/12345678", 302, ""},
		{loaded, "/{cnpj}", "/12abc34501de35", 301, ""},
		{loaded, "/{cnpj}", "/11444777000161", 404, "text/html"},
		{loaded, "/{cnpj}/ibama/{fonte}/{numero_pagina}", "/12345678000195/ibama/autos/0", 422, "application/json"},
		{loaded, "/{cnpj}", "/12345678000195", 200, "text/html"},
		{loaded, "/{cnpj}", "/12345678000195.md", 200, "text/markdown"},
		{loaded, "/robots.txt", "/robots.txt", 200, "text/plain"},
		{loaded, "/.well-known/api-catalog", "/.well-known/api-catalog", 200, "application/linkset+json"},
		{empty, "/.well-known/security.txt", "/.well-known/security.txt", 200, "text/plain"},
		{loaded, "/sitemap.xml", "/sitemap.xml", 200, "application/xml"},
		{loaded, "/sitemaps/{arquivo}", "/sitemaps/0001.xml.gz", 404, "text/html"},
		{empty, "/llms.txt", "/llms.txt", 200, "text/plain"},
		{empty, "/privacidade", "/privacidade", 200, "text/html"},
		{empty, "/privacidade/ocultar", "/privacidade/ocultar", 200, "text/html"},
		{empty, "/termos", "/termos", 200, "text/html"},
		{loaded, "/api", "/api", 200, "text/html"},
		{empty, "/api/docs", "/api/docs", 200, "text/html"},
		{loaded, "/fontes", "/fontes", 200, "text/html"},
		{loaded, "/fontes/{fonte}", "/fontes/receita", 200, "text/html"},
		{loaded, "/fontes/{fonte}", "/fontes/RECEITA", 404, "text/html"},
		{empty, "/fontes/{fonte}", "/fontes/pgfn", 503, "text/html"},
		{loaded, "/fontes/{fonte}/cargas/{carga}", "/fontes/receita/cargas/1", 200, "text/html"},
		{loaded, "/fontes/{fonte}/cargas/{carga}", "/fontes/receita/cargas/1.md", 200, "text/markdown"},
		{loaded, "/fontes/{fonte}/cargas/{carga}", "/fontes/receita/cargas/99", 404, "text/html"},
		{loaded, "/fontes/{fonte}/cargas/{carga}/checkpoint", "/fontes/receita/cargas/1/checkpoint", 200, "text/plain"},
		{empty, "/glossario", "/glossario", 200, "text/html"},
		{empty, "/", "/", 503, "text/html"},
	}
	for _, c := range cases {
		w := c.site.Get(t, c.address)
		kind, _, _ := strings.Cut(w.Header().Get("Content-Type"), ";")
		if w.Code != c.status || kind != c.kind && c.kind != "" {
			t.Errorf("%s: status %d, type %s; want %d, %s", c.address, w.Code, kind, c.status, c.kind)
			continue
		}
		check.Answer(t, c.template, w)
	}
}

func TestTooManyVisits(t *testing.T) {
	t.Parallel()
	l := fixture.Empty(t)
	h := sitetest.Serve(t, site.Config{Live: l.Live, Ping: l.Pool.Ping, Requests: web.NewThrottle(60, 2)})
	var answers []*httptest.ResponseRecorder
	for range 3 { // on a slow machine one check outlasts the throttle's window
		answers = append(answers, h.Get(t, "/api"))
	}
	for i, want := range []int{200, 200, 429} {
		w := answers[i]
		if w.Code != want {
			t.Fatalf("status %d, want %d", w.Code, want)
		}
		sitetest.NewAnswerCheck(t).Answer(t, "/api", w)
		if wait := w.Header().Get("Retry-After"); want == 429 && wait != "1" {
			t.Errorf("Retry-After %q", wait)
		}
		if want == 429 {
			sitetest.Golden(t, "trouble/too-many-visits", w)
		}
	}
}
