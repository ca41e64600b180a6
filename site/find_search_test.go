package site_test

import (
	"fmt"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"razao/internal/testing/fixture"
	"razao/site/page"
	"razao/site/page/pagetest"
	"razao/site/sitetest"
)

// found returns a page's wording of a total of establishments.
func found(n int) string {
	if n == 1 {
		return "Encontramos 1 estabelecimento."
	}
	return fmt.Sprintf("Encontramos %d estabelecimentos.", n)
}

// unmarked removes the highlighting of query words from a page.
func unmarked(body string) string {
	return strings.NewReplacer("<mark>", "", "</mark>", "").Replace(body)
}

func TestFilters(t *testing.T) {
	t.Parallel()
	h := sitetest.Released(t)
	cases := []struct {
		query string
		total int
		chip  string
		has   []string
	}{
		{"uf=EX", 1, "Estado: Exterior", []string{"Overseas Holdings"}},
		{"uf=sp", 132, "Estado: São Paulo", nil},
		{"uf=RJ", 0, "Estado: Rio de Janeiro", []string{"Nada encontrado", "passa por estes filtros"}},
		{"municipio=7107", 2, "Município: São Paulo/SP", []string{"Estrela Participações S.A."}},
		{"situacao=08", 32, "Situação: Baixada", nil},
		{"porte=03", 4, "Porte: Empresa de Pequeno Porte", nil},
		{"cnae=K", 1, "Atividade principal: K Atividades financeiras", []string{"Estrela Participações S.A."}},
		{"cnae=64", 1, "Atividade principal: 64 ", nil},
		{"cnae=646", 1, "Atividade principal: Grupo 646", nil},
		{"cnae=64620", 1, "Atividade principal: Classe 6462-0", nil},
		{"cnae=6462-0/00", 1, "Atividade principal: 6462-0/00 Holdings", nil},
		{"natureza=205-4", 1, "Natureza jurídica: Sociedade Anônima Fechada", nil},
		{"mei=sim", 1, "MEI: Optante", []string{"Joana Ficticia da Silva"}},
		{"mei=nao", 132, "MEI: Não optante", nil},
		{"simples=sim", 5, "Simples Nacional: Optante", nil},
		{"tipo=matriz", 11, "Matriz ou filial: Matriz", nil},
		{"tipo=filial", 122, "Matriz ou filial: Filial", nil},
		{"ano_de=2026", 1, "Ano de abertura: desde 2026", []string{"Letras e Numeros"}},
		{"ano_ate=2009", 131, "Ano de abertura: até 2009", nil},
		{"ano_de=2009&ano_ate=2009", 131, "Ano de abertura: 2009", nil},
		{"ano_de=2010&ano_ate=2026", 1, "Ano de abertura: 2010 a 2026", nil},
		{"capital=10m-100m", 1, "Faixa de capital social: R$\u00a010 a 100 milhões", nil},
		{"capital=100m", 120, "Faixa de capital social: Mais de R$\u00a0100 milhões", nil},
		{"q=estrela&municipio=7107", 2, "Município: São Paulo/SP", []string{"Resultados para “estrela”"}},
		{"q=loja&situacao=08&tipo=filial&uf=SP&capital=100m&ano_de=2009", 30, "Situação: Baixada", nil},
		{"q=&uf=EX&porte=&ano_de=&ano_ate=&ordem=&literal=", 1, "Estado: Exterior", nil}, // what a form sends
	}
	for _, c := range cases {
		t.Run(c.query, func(t *testing.T) {
			t.Parallel()
			w := h.Get(t, "/busca?"+c.query+"&agrupar=nao", "Accept", sitetest.HTML)
			body := w.Body.String()
			if w.Code != http.StatusOK {
				t.Fatalf("status %d", w.Code)
			}
			want := append(c.has, "</span>"+c.chip)
			if c.total > 0 {
				want = append(want, found(c.total))
			}
			pagetest.Texts(t, body, want, nil)
			if strings.Contains(body, "Encontrada") {
				t.Error("the page says why it has what is plain to see")
			}
			if !strings.Contains(body, `name="robots" content="noindex"`) {
				t.Error("the page may be indexed")
			}
			pagetest.Form(t, body)
			if t.Failed() {
				t.Log(body)
			}
		})
	}
}

// A text that is the name of a town, in any spelling, links to its page, whatever else it finds.
func TestTownsLinkToTheirPages(t *testing.T) {
	t.Parallel()
	h := sitetest.Released(t)
	notice := regexp.MustCompile(`(?s)<p class="notice">\s*Páginas? dos? municípios?.*?</p>`)
	link := regexp.MustCompile(`href="([^"]*)">([^<]*)<`)
	for _, c := range []struct{ query, links, has string }{
		{"q=campinas", "/uf/sp/campinas Campinas/SP", "Encontramos"},
		{"q=Campinas%2FSP", "/uf/sp/campinas Campinas/SP", "Encontramos"},
		{"q=parati+rj", "/uf/rj/paraty Paraty/RJ", "Nada em Paraty/RJ para “parati rj”"},
		{"q=em+gravat%C3%A1", "/uf/pe/gravata Gravatá/PE", "Nada em Gravatá/PE para"},
		{"q=santa+barbara+d+oeste", "/uf/sp/santa-barbara-d-oeste Santa Bárbara d&#39;Oeste/SP", "Nada em Santa Bárbara d&#39;Oeste/SP"},
		{"q=santa+rita", "/uf/pb/santa-rita Santa Rita/PB /uf/ma/santa-rita Santa Rita/MA", ""},
		{"q=campinas&uf=RJ", "/uf/sp/campinas Campinas/SP", "Nada"},
		{"q=campinas&literal=1", "", ""},
		{"q=%22campinas%22", "", ""},
		{"q=padaria+campinas", "", ""},
		{"q=sp", "", ""},
		{"uf=SP", "", ""},
	} {
		body := unmarked(h.Body(t, "/busca?"+c.query))
		var got []string
		for _, found := range link.FindAllStringSubmatch(notice.FindString(body), -1) {
			got = append(got, found[1], found[2])
		}
		if links := strings.Join(got, " "); links != c.links || !strings.Contains(body, c.has) {
			t.Errorf("%s links %q, want %q, and says %q", c.query, links, c.links, pagetest.Between(body, "<h1>", "</h1>"))
		}
		if strings.Contains(body, "No país todo") && c.links != "" && c.query != "q=campinas&uf=RJ" {
			t.Errorf("%s offers a search without words", c.query)
		}
	}
}

func TestUnknownValues(t *testing.T) {
	t.Parallel()
	h := sitetest.Released(t)
	cases := map[string][]string{
		"uf":        {"XX", "S", "<b>", "SP'--", "são pablo"},
		"municipio": {"0", "99999", "Campinas/RJ", "629１"},
		"situacao":  {"2", "05", "99", "ativada"},
		"porte":     {"02", "grande"},
		"cnae":      {"Z", "00", "4", "4711", "47113020", "471130A", "padaria"},
		"natureza":  {"206", "0001", "LTDA"},
		"mei":       {"talvez", "1", "SIMM"},
		"simples":   {"true"},
		"tipo":      {"1", "sede"},
		"ano_de":    {"99", "0000", "0099", "20o9", "+201", "20100"},
		"ano_ate":   {"ontem", "-999"},
		"capital":   {"1", "10k", "1-11K"},
		"ordem":     {"preco", "nome; DROP TABLE"},
		"literal":   {"sim", "2"},
		"em":        {"tudo", "nome"},
		"agrupar":   {"0", "não"},
	}
	for name, values := range cases {
		for _, value := range values {
			t.Run(name+"="+value, func(t *testing.T) {
				t.Parallel()
				path := "/busca?q=estrela&" + name + "=" + url.QueryEscape(value)
				w := h.Get(t, path, "Accept", "application/json")
				if want := fmt.Sprintf(`{"detail":[{"loc":["query",%q],"msg":"Deve ser `, name); w.Code != 422 || !strings.HasPrefix(w.Body.String(), want) {
					t.Errorf("got %d %s\nwant 422 %s", w.Code, w.Body, want)
				}
				shown := h.Get(t, path, "Accept", sitetest.HTML)
				body := shown.Body.String()
				if shown.Code != 422 || !strings.Contains(body, `<p class="lead">O filtro “`) && !strings.Contains(body, "<code>"+name+"</code>") ||
					!strings.Contains(body, `<a href="/busca?q=estrela">Abrir a mesma página sem este valor</a>`) || strings.Contains(body, "“<b>") {
					t.Errorf("a browser gets %d %s", shown.Code, body)
				}
				pagetest.Form(t, body)
			})
		}
	}
	want := `{"detail":[{"loc":["query","ano_ate"],"msg":"Deve ser maior ou igual a ano_de.","type":"greater_than_equal","input":"2009","ctx":{"ge":2010}}]}`
	if w := h.Get(t, "/busca?ano_de=2010&ano_ate=2009"); w.Code != 422 || strings.TrimSpace(w.Body.String()) != withError(t, want, w.Header().Get("X-Request-ID")) {
		t.Errorf("years in the wrong order: %d %s", w.Code, w.Body)
	}
}

func TestOrders(t *testing.T) {
	t.Parallel()
	h := sitetest.Released(t)
	for query, first := range map[string]string{
		"tipo=matriz&ordem=capital":  "Estrela Participações S.A.",
		"tipo=matriz&ordem=recentes": "Letras e Numeros Comercio Ltda.",
		"municipio=7107&ordem=nome":  "Estrela Participações S.A.",
		"q=estrela&ordem=capital":    "Estrela Participações S.A.",
	} {
		body := h.Body(t, "/busca?"+query)
		if got := pagetest.Between(pagetest.Between(unmarked(body), `<ol class="results">`, "</a>"), `">`, "</h2>"); got != first {
			t.Errorf("%s: the first result is %q, want %q", query, got, first)
		}
		menu, order := pagetest.Between(body, `<select id="ordem"`, "</select>"), pagetest.Between(query, "ordem=", "&")
		if !strings.Contains(menu, `value="`+order+`" selected`) || strings.Count(menu, "selected") != 1 {
			t.Errorf("%s: the menu of orders is %s", query, menu)
		}
	}
}

// TestOrderForm sends the form of orders, which keeps everything else of the address.
func TestOrderForm(t *testing.T) {
	t.Parallel()
	h := sitetest.Released(t)
	for path, want := range map[string]string{
		"/busca?q=loja&em=nomes&agrupar=nao&uf=SP&situacao=08&situacao=02&ordem=nome&pagina=2": "/busca?agrupar=nao&em=nomes&q=loja&situacao=08&situacao=02&uf=SP",
		"/busca?q=estrela+campinas&literal=1":                                                  "/busca?literal=1&q=estrela+campinas",
		"/empresas?uf=SP&porte=05&ordem=nome":                                                  "/uf/sp?porte=05",
		"/uf/sp/sao-paulo?tipo=todos":                                                          "/uf/sp/sao-paulo?tipo=todos",
	} {
		form := pagetest.Between(h.Body(t, path), `<form class="order" `, "</form>")
		kept := url.Values{}
		for _, field := range regexp.MustCompile(`type="hidden" name="([^"]*)" value="([^"]*)"`).FindAllStringSubmatch(form, -1) {
			kept.Add(field[1], html.UnescapeString(field[2]))
		}
		address := page.WithParameters(pagetest.Between(form, `action="`, `"`), kept)
		if address != want {
			t.Errorf("%s: the form keeps %s, want %s", path, address, want)
		}
		kept.Set("ordem", "capital")
		h.Status(t, http.StatusOK, page.WithParameters(pagetest.Between(form, `action="`, `"`), kept))
	}
}

// TestReasons expects a result to say why it was found unless its highlighted name does.
func TestReasons(t *testing.T) {
	t.Parallel()
	h := sitetest.Released(t)
	for query, want := range map[string]string{
		"q=estrela": "", "q=padaria+estr": "", "q=paes+doces": "Encontrada pelo nome fantasia",
		"q=98765432": "Encontrada pelo CNPJ", "q=padria+estrela": "Encontrada com outra grafia", "q=marta+inventada&em=socios": "Sócio encontrado: ",
	} {
		for _, result := range h.Page(t, "/busca?"+query).Results() {
			why := result.Of("p", "class", "why")[0].Text()
			if want == "" && (strings.Contains(why, "Encontrada") || strings.Contains(why, "Sócio")) || !strings.Contains(why, want) {
				t.Errorf("%s: %q, want %q", query, why, want)
			}
		}
	}
}

func TestChips(t *testing.T) {
	t.Parallel()
	h := sitetest.Released(t)
	body := h.Body(t, "/busca?q=estrela&uf=SP&municipio=6291&ano_de=2009&ano_ate=2010&ordem=nome&literal=1&utm_source=abc&pagina=1")
	chips := html.UnescapeString(pagetest.Between(body, `<ul class="chips"`, "</ul>"))
	for _, href := range []string{
		"/busca?ano_ate=2010&ano_de=2009&literal=1&municipio=6291&ordem=nome&q=estrela", // without the state
		"/busca?ano_ate=2010&ano_de=2009&literal=1&ordem=nome&q=estrela&uf=SP",          // without the municipality
		"/busca?literal=1&municipio=6291&ordem=nome&q=estrela&uf=SP",                    // without the years
		"/busca?ano_ate=2010&ano_de=2009&municipio=6291&ordem=nome&q=estrela&uf=SP",     // places as filters again
	} {
		if !strings.Contains(chips, `href="`+href+`"`) {
			t.Errorf("no chip leads to %s", href)
		}
	}
	if got := strings.Count(chips, "<li>"); got != 4 {
		t.Errorf("%d chips, want 4", got)
	}
	if strings.Contains(body, "utm_source") {
		t.Error("an unknown parameter reaches the page")
	}
	if !strings.Contains(body, `<title>Busca · estrela · Estado: São Paulo, Município: Campinas/SP, Ano de abertura: 2009 a 2010`) {
		t.Errorf("title %q", pagetest.Between(body, "<title>", "</title>"))
	}
	form := pagetest.Between(body, `<form class="search"`, "</form>")
	if !strings.Contains(form, `<input type="hidden" name="municipio" value="6291">`) || strings.Contains(form, `name="literal"`) {
		t.Errorf("a new search keeps the filters and nothing else: %s", form)
	}
	empty := h.Body(t, "/busca?q=estrela&uf=RJ")
	if !strings.Contains(empty, `<a href="/busca?q=estrela">Buscar sem filtros</a>`) {
		t.Error("an empty result does not lead out of its filters")
	}
}

var facetLink = regexp.MustCompile(`<li><a href="(/busca[^"]*)" rel="nofollow"( aria-current="true")?><span>.*?</span> <span>([0-9.]+)</span><svg`)

// Every facet count equals the number of results behind its link.
func TestFacets(t *testing.T) {
	t.Parallel()
	h := sitetest.Released(t)
	for _, c := range []struct {
		query string
		least int // links
	}{
		{"", 20},
		{"q=estrela", 8},
		{"q=sao+paulo+sp", 5},
		{"q=loja", 4},
		{"uf=SP", 15},
		{"municipio=6291&situacao=02", 15},
		{"cnae=47&tipo=filial", 4},
		{"ano_de=2009&ano_ate=2009&ordem=nome", 15},
		{"q=estrela&capital=10m-100m", 2},
		{"mei=sim", 2},
		{"q=estrela+campinas", 2},
		{"q=padria", 2},
	} {
		t.Run(c.query, func(t *testing.T) {
			t.Parallel()
			body := h.Body(t, "/busca?"+c.query)
			links := facetLink.FindAllStringSubmatch(body, -1)
			if len(links) < c.least {
				t.Errorf("%d links to filters, want at least %d", len(links), c.least)
			}
			for _, link := range links {
				if link[2] != "" {
					continue // takes its filter away
				}
				target := html.UnescapeString(link[1])
				w := h.Get(t, target+"&agrupar=nao")
				var n int
				if _, err := fmt.Sscan(link[3], &n); err != nil {
					t.Fatal(err)
				}
				if addsValue(t, target) { // adds to the results already found; no establishment has both
					n += total(t, h.Body(t, "/busca?agrupar=nao&"+c.query))
				}
				if got := pagetest.Between(w.Body.String(), `<p class="lead">`, "</p>"); w.Code != http.StatusOK || got != found(n) {
					t.Errorf("%s promises %d: status %d, %q", target, n, w.Code, got)
				}
			}
			if t.Failed() {
				t.Log(body)
			}
		})
	}
}

// TestCompaniesOnce expects each company once, with the number of its other establishments and the way to them.
func TestCompaniesOnce(t *testing.T) {
	t.Parallel()
	h := sitetest.Released(t)
	for query, want := range map[string][]string{
		"q=rede+de+lojas+exemplo": {"Encontramos 1 empresa com 120 estabelecimentos.", `href="/busca?q=11222333&amp;agrupar=nao" rel="nofollow">+119 estabelecimentos</a>`},
		"q=11222333":              {"Encontramos 1 empresa com 120 estabelecimentos."},
		"q=11222333&agrupar=nao":  {"Encontramos 120 estabelecimentos."},
		"uf=SP":                   {"Encontramos 10 empresas com 132 estabelecimentos."},
		"uf=SP&ordem=nome":        {"Encontramos 10 empresas com 132 estabelecimentos."},
	} {
		body := h.Body(t, "/busca?"+query)
		pagetest.Texts(t, body, want, nil)
		numbers := regexp.MustCompile(`<span class="id">[^<]{10}`).FindAllString(body, -1)
		if slices.Sort(numbers); !strings.Contains(query, "agrupar") && len(slices.Compact(slices.Clone(numbers))) != len(numbers) {
			t.Errorf("%s: a company comes twice: %v", query, numbers)
		}
	}
}

// TestNothingInAPlace expects that an understood place is never dropped, and a link to the results
// without it.
func TestNothingInAPlace(t *testing.T) {
	t.Parallel()
	h := sitetest.Released(t)
	for query, want := range map[string][]string{
		"q=rede+de+lojas+exemplo+belo+horizonte": {"<h1>Nada em Belo Horizonte/MG para", ">No país todo</a>: 1 empresa com 120 estabelecimentos"},
		"q=estrela+campinas&porte=01&uf=SP": {
			"<h1>Nada em Campinas/SP com estes filtros para", ">Sem o filtro “Porte: Microempresa”</a>: 1 empresa com 3 estabelecimentos", `href="/busca?q=estrela+campinas&amp;uf=SP"`,
		},
		"uf=RJ&porte=05": {"<h1>Nada encontrado</h1>", ">Sem o filtro “Estado: Rio de Janeiro”</a>: 5 empresas com 124 estabelecimentos"},
	} {
		h.Texts(t, "/busca?"+query, want, []string{"Guanambi", `<ol class="results">`})
	}
}

// TestPartnersAreNamed expects results found by partner to name the partner and link to their other
// companies.
func TestPartnersAreNamed(t *testing.T) {
	t.Parallel()
	h := sitetest.Released(t)
	body := unmarked(h.Body(t, "/busca?q=marta+inventada&em=socios"))
	pagetest.Texts(t, body, []string{"Sócio encontrado: <a href=\"/socio/456789/marta-figueira-inventada\">Marta Figueira Inventada</a>"}, []string{"Encontrada pelo nome"})
}

// addsValue reports whether an address has two values of a filter.
func addsValue(t *testing.T, address string) bool {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	for _, values := range u.Query() {
		if len(values) > 1 {
			return true
		}
	}
	return false
}

// total returns the number of results that a page states, below 1,000.
func total(t *testing.T, body string) int {
	t.Helper()
	var n int
	if _, err := fmt.Sscanf(pagetest.Between(body, `<p class="lead">`, "</p>"), "Encontramos %d", &n); err != nil {
		t.Fatal(err)
	}
	return n
}

// Several values of a filter are a union, an excluded value is a complement, and each chip removes
// one value.
func TestSeveralValues(t *testing.T) {
	t.Parallel()
	h := sitetest.Released(t)
	found := func(query string) int { return total(t, h.Body(t, "/busca?q=loja&agrupar=nao&"+query)) }
	all, active, closed := found(""), found("situacao=02"), found("situacao=08")
	if active == 0 || closed == 0 || found("situacao=02&situacao=08&situacao=02") != active+closed || found("situacao=-02") != all-active {
		t.Errorf("%d in all, %d active, %d closed, %d of both, %d not active", all, active, closed, found("situacao=02&situacao=08"), found("situacao=-02"))
	}
	if with, without := found("tipo=filial"), found("tipo=-matriz"); with != without || with == all {
		t.Errorf("%d branches, %d no head offices, %d in all", with, without, all)
	}
	body := h.Body(t, "/busca?q=loja&situacao=02&situacao=-08&situacao=04")
	for _, want := range []string{
		`href="/busca?q=loja&amp;situacao=02&amp;situacao=-08"`, `href="/busca?q=loja&amp;situacao=02&amp;situacao=04"`, "Situação: exceto Baixada",
	} {
		if !strings.Contains(body, want) {
			t.Errorf("no %s on the page of several values", want)
		}
	}
	for _, wrong := range []string{"uf=SP&uf=XX", "uf=-", "uf=--SP", "simples=-talvez", "fonte_todas=-pgfn", "ano_de=-1990", "uf=SP%26socio_digitos%3D123456", "capital=-1"} {
		h.Status(t, http.StatusUnprocessableEntity, "/busca?"+wrong)
	}
	w := h.Get(t, "/busca?q=loja&uf=SP&uf=XX", "Accept", "text/html")
	if w.Code != http.StatusUnprocessableEntity || !strings.Contains(w.Body.String(), `<a href="/busca?q=loja&amp;uf=SP">Abrir a mesma`) {
		t.Errorf("status %d, no link with the value that exists", w.Code)
	}
	// No visitor finds a person by the digits of a document.
	if found("socio_digitos=123456") != all || found("socio_raiz=11222333") != all {
		t.Error("an internal filter narrows a search of the site")
	}
}

func TestHostileSearches(t *testing.T) {
	t.Parallel()
	h := sitetest.Released(t)
	queries := map[string]string{
		"markup":             `"><img/src=x/onerror=alert(1)><script>alert(1)</script>`,
		"SQL":                `'; DROP TABLE empresa; -- " OR 1=1`,
		"control characters": "padaria\x00\x07\x1b[31m\u202e estrela\r\nSet-Cookie: x=y",
		"emoji":              "🥖 padaria 👩‍🍳 estrela 🇧🇷",
		"not UTF-8":          "padaria\xff\xfe estrela",
		"10,000 characters":  strings.Repeat("é padaria ", 1000),
		"one long word":      strings.Repeat("a", 10_000),
		"one letter":         "p",
		"punctuation":        `.,;:!?-_/\|()[]{}"'%*&`,
		"quotes":             `"padaria estrela`,
		"template":           `{{.Query}} ${7*7} %s %00`,
	}
	for name, query := range queries {
		for _, rest := range []string{"", "&uf=SP", "&ordem=nome&situacao=02", "&pagina=40", "&literal=1"} {
			t.Run(name+rest, func(t *testing.T) {
				t.Parallel()
				w := h.Get(t, "/busca?q="+url.QueryEscape(query)+rest, "Accept", sitetest.HTML)
				body := w.Body.String()
				if w.Code != http.StatusOK {
					t.Fatalf("status %d", w.Code)
				}
				pagetest.Texts(t, body, nil, []string{"<img", "<script>", "\x00", "\x07", "\x1b", "\u202e", "\ufffd"})
				pagetest.Form(t, body)
			})
		}
		if w := h.Get(t, "/sugestoes?q="+url.QueryEscape(query)); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), `"itens":[`) {
			t.Errorf("suggestions for %s: %d %s", name, w.Code, w.Body)
		}
	}
}

func TestListingsKeepPersonalData(t *testing.T) {
	t.Parallel()
	h := sitetest.Released(t)
	for _, path := range []string{"/busca?mei=sim", "/busca?natureza=2135", "/busca?municipio=6291&tipo=matriz", "/busca?q=joana&uf=SP", "/sugestoes?q=joana"} {
		body := unmarked(h.Body(t, path))
		if !strings.Contains(body, "Joana Ficticia") {
			t.Errorf("%s: the individual entrepreneur is missing", path)
		}
		pagetest.Texts(t, body, nil, []string{"SEGREDO", "Segredo", "RESERVADA", "Reservada", "99887766", "9988-7766", "@", "13024", "CAMBUI", "Cambui", fixture.HiddenCPF})
	}
	if body := h.Body(t, "/busca?q="+fixture.HiddenCPF); strings.Contains(body, "<ol") {
		t.Error("a CPF finds somebody")
	}
}

// TestSearchByContact shows what was understood as a filter that can be taken back, also where nothing has it.
func TestSearchByContact(t *testing.T) {
	t.Parallel()
	h := sitetest.Released(t)
	for text, shown := range map[string][]string{
		"(19) 3233-4455":                 {"Telefone: (19) 3233-4455", "PADARIA"},
		"Contato@Padaria.exemplo":        {"E-mail: contato@padaria.exemplo", "PADARIA"},
		"r. das palmeiras, 214 - cambui": {"Logradouro: r. das palmeiras", "Número: 214", "Bairro: cambui", "PADARIA"},
		"+55 (11) 1999-0000":             {"Telefone: (11) 1999-0000", "Nada encontrado"},
		"ninguem@padaria.exemplo":        {"E-mail: ninguem@padaria.exemplo", "Nada encontrado"},
	} {
		body := html.UnescapeString(h.Body(t, "/busca?q="+url.QueryEscape(text), "Accept", sitetest.HTML))
		for _, part := range append(shown, "Usado como filtro: “"+text[:5], "Procurar estas palavras nos nomes") {
			if !strings.Contains(strings.ToUpper(body), strings.ToUpper(part)) {
				t.Errorf("%s: the page lacks %q", text, part)
			}
		}
		if strings.Contains(body, "Sem o filtro") {
			t.Errorf("%s: a search for everything is offered", text)
		}
	}
}
