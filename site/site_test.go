package site

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"razao/internal/cnpj"
	"razao/internal/fixture"
	"razao/site/page/pagetest"
)

// full returns the CNPJ of the first establishment of a root of the fixture, without mask.
func full(t *testing.T, root string) string {
	t.Helper()
	r, err := cnpj.ParseRoot(root)
	if err != nil {
		t.Fatal(err)
	}
	return cnpj.Join(r, 1).String()
}

// browser is the Accept header of people; programs send nothing.
const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"

func get(t *testing.T, h http.Handler, target string, headers ...string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, target, nil)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func TestPages(t *testing.T) {
	t.Parallel()
	h, _ := released.open(t)
	chain := "/" + full(t, fixture.Chain)
	cases := []struct {
		name, path string
		status     int
		has, lacks []string
	}{
		{
			"home", "/", 200,
			[]string{"101</b> <span>estabelecimentos ativos", "11</b> <span>empresas", "09/2026", " autofocus", "Dados fictícios de demonstração", `href="/busca?q=padaria"`, `href="/busca?q=PADARIA%20ESTRELA%20DO%20SUL%20LTDA"`, `href="/busca?q=12.345.678%2f0001-95"`},
			[]string{"CNPJ não encontrado"},
		},
		{
			"company", "/12345678000195", 200,
			[]string{
				"<h1>PADARIA ESTRELA DO SUL LTDA</h1>", "ESTRELA DO SUL PÃES E DOCES", "12.345.678/0001-95", "Ativa desde 14/03/2009", "Matriz",
				"1091-1/02 Fabricação", "206-2 Sociedade Empresária Limitada", "Empresa de Pequeno Porte", "R$\u00a0480.000,00", "RUA DAS PALMEIRAS, 214, CAMBUI",
				"Campinas/SP, <span class=\"id\">13024-100", "(19) 3233-4455", "contato@padaria.exemplo", "Optante desde 01/01/2012", "5611-2/03", "4 (3 ativos)",
				"***456789**", "02/08/2019", "41 a 50 anos", "PROCURADOR FICTICIO", `href="/98765432000198"`, "São Paulo/SP", "Baixada em 30/06/2015",
				`rel="canonical" href="https://razao.exemplo/12345678000195"`, "Procedência desta página", "carga parcial: faltam",
			},
			[]string{"Motivo da situação", "não mostra rua", "Só este"},
		},
		{
			"branch with letters in its order", "/1234567800A479", 200,
			[]string{"12.345.678/00A4-79", "Filial", ">01310-100<", `aria-current="page">12.345.678/00A4-79`},
			nil,
		},
		{"closed", "/" + full(t, fixture.Closed), 200, []string{"Baixada em 31/12/2018", "Motivo da situação", "EXTINCAO", "Só este"}, []string{"Ativa desde", "Abertura"}},
		{"letters in the root", "/12ABC34501DE35", 200, []string{"12.ABC.345/01DE-35", "LETRAS &amp; CIA"}, nil},
		{"no company row", "/" + full(t, fixture.Nameless), 200, []string{"<h1>SO O ESTABELECIMENTO</h1>", "não os dados da empresa"}, []string{"Capital social"}},
		{"abroad", "/" + full(t, fixture.Abroad), 200, []string{"CALLE EXEMPLO", "MONTEVIDEU, URUGUAI", "<dd>Não informado</dd>"}, []string{"/EX"}},
		{"public body", "/" + full(t, fixture.City), 200, []string{"EXEMPLANDIA - SP", "8888-8/88"}, nil},
		{
			"hostile name", "/" + full(t, fixture.Hostile), 200,
			[]string{"&lt;SCRIPT&gt;ALERT(&#39;OI&#39;)&lt;/SCRIPT&gt;", "&lt;B&gt;NEGRITO", "RECUPERACAO JUDICIAL<br>desde 29/02/2024"},
			[]string{"<SCRIPT>", "<B>NEGRITO"},
		},
		{"first partners", chain, 200, []string{"130 registros", "1 a 50 de 130", "socios_pagina=2#socios", "1 a 20 de 120", ">120</a>", "R$\u00a0999.999.999.999,00"}, []string{"Anterior"}},
		{"last partners", chain + "?socios_pagina=3", 200, []string{"101 a 130 de 130", "ACIONISTA 129", "socios_pagina=2#socios"}, []string{"ACIONISTA 000"}},
		{"both pagers", chain + "?socios_pagina=2&estabelecimentos_pagina=6", 200, []string{"51 a 100 de 130", "101 a 120 de 120", "estabelecimentos_pagina=6&amp;socios_pagina=3#socios"}, nil},
		{"past the last page", chain + "?socios_pagina=9", 200, []string{"não tem a página 9", `href="` + chain + `#socios"`}, []string{"ACIONISTA"}},

		{"methodology", "/metodologia/bndes", 200, []string{"Financiamentos do BNDES: como ligamos operações a empresas", `rel="canonical" href="https://razao.exemplo/metodologia/bndes"`}, nil},
		{"notices", "/12345678000195/ibama/autos/1", 200, []string{"<h1>Autos de infração do IBAMA</h1>", "Sem carga disponível"}, []string{"<table", "Sem ocorrência"}},

		{"results by name", "/busca?q=estrela", 200, []string{"Resultados para “estrela”", "PADARIA ESTRELA DO SUL LTDA", "12.345.678/0001-95", "Campinas/SP", ">Ativa</span>", "1091-1/02", "Encontrada pelo", `value="estrela"`}, nil},
		{"results by partner", "/busca?q=" + url.QueryEscape("marta figueira inventada"), 200, []string{"ESTRELA PARTICIPAÇÕES S.A.", "Encontrada por um sócio"}, nil},
		{"empty search", "/busca", 200, []string{"Como buscar"}, []string{"Nada encontrado"}},
		{"blank search", "/busca?q=+++", 200, []string{"Como buscar"}, []string{"Nada encontrado"}},
		{"nothing found", "/busca?q=xyzzyxqqq", 200, []string{"Nada encontrado para “xyzzyxqqq”", "Como buscar"}, []string{"<ol"}},
		{"hostile search", "/busca?q=" + url.QueryEscape(`"><script>alert(1)</script>`), 200, []string{"&lt;script&gt;"}, []string{"<script>alert"}},
		{"long search", "/busca?q=" + strings.Repeat("palavra+", 500), 200, []string{"longa demais"}, []string{strings.Repeat("palavra ", 30)}},
		{"wrong check digits", "/busca?q=12.345.678/0001-96", 200, []string{"12.345.678/0001-96 não é um CNPJ válido"}, nil},
		{"name of 14 positions", "/busca?q=xyzzyqqq+abcd12", 200, []string{"Nada encontrado", "tem estas palavras"}, []string{"não é um CNPJ"}},
		{"absent CNPJ", "/busca?q=11444777000161", 200, []string{"O CNPJ 11.444.777/0001-61 não está nos dados da competência 09/2026"}, nil},
		{"past the results", "/busca?q=estrela&pagina=500", 200, []string{"não tem a página 500"}, nil},
		{"past nothing", "/busca?q=xyzzyxqqq&pagina=3", 200, []string{"Nada encontrado"}, []string{"não tem a página"}},
		{"second page", "/busca?q=loja&pagina=2", 200, []string{"21 a 40 de 120", `href="/busca?q=loja"`, `href="/busca?pagina=3&amp;q=loja"`}, nil},
		{"far past the results", "/busca?q=estrela&pagina=2000000000", 200, []string{"não tem a página 2000000000"}, nil},

		{"companies", "/empresas", 200, []string{"<h1>Empresas do Brasil</h1>", `rel="canonical" href="https://razao.exemplo/empresas"`}, nil},
		{"state", "/uf/sp", 200, []string{"<h1>Empresas · São Paulo</h1>", `<a href="/estados">Estados</a>`, "Principais atividades", `href="/uf/sp/campinas"`}, nil},
		{"state without companies", "/uf/rj", 200, []string{"<h1>Empresas · Rio de Janeiro</h1>", "está nesta lista"}, []string{"Principais atividades"}},
		{"abroad as a state", "/uf/ex", 200, []string{"<h1>Empresas · Exterior</h1>", "MONTEVIDEU"}, []string{`id="municipios"`}},
		{"city", "/uf/sp/sao-paulo", 200, []string{"<h1>Empresas · São Paulo/SP</h1>", `<a href="/uf/sp">São Paulo</a>`, "ESTRELA PARTICIPAÇÕES S.A."}, nil},
		{"hostile company in a listing", "/uf/sp/campinas?tipo=matriz", 200, []string{"&lt;SCRIPT&gt;ALERT"}, []string{"<SCRIPT>"}},
		{"states", "/estados", 200, []string{"<h1>Empresas por estado</h1>"}, []string{"Baixar o ranking"}},
		{"municipalities", "/municipios", 200, []string{"<h1>Empresas por município</h1>", "100 de 5.571 municípios", `href="/municipios.csv"`}, nil},
		{"partner", "/socio/456789/marta-figueira-inventada", 200, []string{"<h1>MARTA FIGUEIRA INVENTADA</h1>"}, nil},
		{"page past the end of a listing", "/empresas?pagina=9", 404, []string{"não tem a página 9", `href="/empresas"`}, nil},

		{"unknown path", "/nada", 404, []string{"Página não encontrada"}, nil},
		{"word of 8 letters", "/palavras", 404, []string{"Página não encontrada"}, nil},
		{"word of 14 letters", "/abcdefghijklmn", 404, []string{"Página não encontrada"}, nil},
		{"14 bytes that are not ASCII", "/" + url.PathEscape("1234567890éé"), 404, []string{"Página não encontrada"}, nil},
		{"unknown deep path", "/um/dois/tres", 404, []string{"Página não encontrada"}, nil},
		{"page of an absent CNPJ", "/11444777000161", 404, []string{"CNPJ não encontrado", "11.444.777/0001-61 não está nos dados"}, nil},
		{"absent branch", "/12345678000500", 404, []string{"CNPJ não encontrado"}, nil},
		{"page of a wrong CNPJ", "/12345678000196", 404, []string{"12.345.678/0001-96 não é um CNPJ válido"}, nil},
		{"root without establishments", "/" + fixture.Homeless, 404, []string{"A empresa 44.444.444 está nos dados da competência 09/2026, mas"}, nil},
		{"absent asset", "/static/style.css", 404, []string{"Página não encontrada"}, nil},
		{"page number that is none", "/busca?q=x&pagina=um", 422, []string{"<code>pagina</code>", "“um”"}, nil},
	}
	titles := map[string]string{}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			w := get(t, h, c.path, "Accept", browser)
			body := w.Body.String()
			if w.Code != c.status {
				t.Fatalf("status %d, want %d", w.Code, c.status)
			}
			pagetest.Texts(t, body, c.has, c.lacks)
			pagetest.Form(t, body)
			if c.status == http.StatusOK && !strings.ContainsAny(c.path, "?") {
				title := between(body, "<title>", "</title>")
				if other, ok := titles[title]; ok {
					t.Errorf("the title %q is also that of %s", title, other)
				}
				titles[title] = c.path
			}
			if t.Failed() {
				t.Log(body)
			}
		})
	}
}

func between(text, before, after string) string {
	_, text, _ = strings.Cut(text, before)
	text, _, _ = strings.Cut(text, after)
	return text
}

func TestPersonalData(t *testing.T) {
	t.Parallel()
	h, _ := released.open(t)
	for _, root := range []string{fixture.MEI, fixture.OldMEI} {
		w := get(t, h, "/"+full(t, root))
		body := w.Body.String()
		if w.Code != http.StatusOK || !strings.Contains(body, "não mostra rua, telefone nem e-mail") || !strings.Contains(body, "Campinas/SP") {
			t.Errorf("%s: status %d, page without the notice or the municipality", root, w.Code)
		}
		hidden := []string{"SEGREDO", "RESERVADA", "77<", "99887766", "9988-7766", "3233-4455", "@", "13024", "CAMBUI", fixture.HiddenCPF}
		for _, text := range hidden {
			if strings.Contains(body, text) {
				t.Errorf("%s: the page has %q", root, text)
			}
		}
		found := get(t, h, "/busca?q="+root).Body.String() + get(t, h, "/sugestoes?q="+root).Body.String()
		for _, text := range hidden {
			if strings.Contains(found, text) {
				t.Errorf("%s: the search has %q", root, text)
			}
		}
	}
}

func TestRedirects(t *testing.T) {
	t.Parallel()
	h, _ := released.open(t)
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
	}
	for _, c := range cases {
		t.Run(c.path, func(t *testing.T) {
			w := get(t, h, c.path)
			if got := w.Header().Get("Location"); w.Code != c.status || got != c.location {
				t.Errorf("got %d to %q, want %d to %q", w.Code, got, c.status, c.location)
			}
		})
	}
}

func TestValidation(t *testing.T) {
	t.Parallel()
	h, _ := released.open(t)
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
			w := get(t, h, c.path, "Accept", "application/json")
			if got := strings.TrimSpace(w.Body.String()); w.Code != 422 || got != c.want {
				t.Errorf("got %d %s\nwant 422 %s", w.Code, got, c.want)
			}
			if page := get(t, h, c.path, "Accept", browser); page.Code != 422 || !strings.Contains(page.Body.String(), "<h1>Endereço com um valor inválido</h1>") {
				t.Errorf("a browser gets %d without the page", page.Code)
			}
		})
	}
}

func TestHeaders(t *testing.T) {
	t.Parallel()
	h, s := released.open(t)
	page := get(t, h, "/12345678000195")
	tag := page.Header().Get("ETag")
	if tag == "" || page.Header().Get("Cache-Control") != "no-cache" || page.Header().Get("Content-Security-Policy") == "" || page.Header().Get("X-Request-ID") == "" {
		t.Errorf("headers of a page: %v", page.Header())
	}
	if again := get(t, h, "/12345678000195", "If-None-Match", tag); again.Code != http.StatusNotModified || again.Body.Len() > 0 {
		t.Errorf("a page that the visitor has: status %d, %d bytes", again.Code, again.Body.Len())
	}
	if w := get(t, h, "/nada"); w.Header().Get("Cache-Control") != "no-store" || w.Header().Get("ETag") != "" {
		t.Errorf("headers of a 404: %v", w.Header())
	}
	for name, kind := range map[string]string{"style.css": "text/css", "combobox.js": "text/javascript", "public-sans.woff2": "font/woff2", "icon.svg": "image/svg+xml"} {
		address, err := s.pages.AssetURL(name)
		if err != nil {
			t.Fatal(err)
		}
		w := get(t, h, address)
		if w.Code != 200 || !strings.HasPrefix(w.Header().Get("Content-Type"), kind) || w.Header().Get("Cache-Control") != "public, max-age=31536000, immutable" {
			t.Errorf("%s: status %d, %v", address, w.Code, w.Header())
		}
	}
	font, err := s.pages.AssetURL("public-sans.woff2")
	if err != nil {
		t.Fatal(err)
	}
	sheet, err := s.pages.AssetURL("style.css")
	if err != nil {
		t.Fatal(err)
	}
	if body := get(t, h, sheet).Body.String(); !strings.Contains(body, "url("+strings.TrimPrefix(font, "/static/")+")") {
		t.Error("the stylesheet does not name the font by its hash")
	}
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/busca", nil)
	w := httptest.NewRecorder()
	if h.ServeHTTP(w, r); w.Code != http.StatusMethodNotAllowed || !strings.Contains(w.Body.String(), "Método não permitido") || w.Header().Get("Allow") == "" {
		t.Errorf("POST: status %d, %v", w.Code, w.Header())
	}
	if w := get(t, h, "/robots.txt"); w.Code != 200 || !strings.Contains(w.Body.String(), "Disallow: /busca\n") {
		t.Errorf("robots: %d %s", w.Code, w.Body)
	}
}

func TestNewRefusesWhatIsMissing(t *testing.T) {
	t.Parallel()
	if _, err := New(Config{Ping: func(context.Context) error { return nil }}); err == nil {
		t.Error("New accepts a site without data")
	}
}
