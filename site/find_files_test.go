package site_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"razao/internal/testing/fixture"
	"razao/site/page/pagetest"
	"razao/site/sitetest"
)

func TestCompaniesCSV(t *testing.T) {
	t.Parallel()
	h := sitetest.WithAccounts(t)
	all := h.Establishments(t)
	cookie := h.Session(t, "ana@exemplo.com")
	for _, headers := range [][]string{nil, {"Cookie", sitetest.SessionCookie + "=errado"}} {
		w := h.Get(t, "/empresas.csv?uf=SP&ordem=nome", headers...)
		if w.Code != http.StatusSeeOther || w.Header().Get("Location") != "/login?next=%2Fempresas.csv%3Fuf%3DSP%26ordem%3Dnome" ||
			w.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("a stranger: %d, %v", w.Code, w.Header())
		}
	}
	cases := []struct {
		query string
		want  int
	}{
		{"", all.Count(sitetest.Head)},
		{"tipo=todos", len(all)},
		{"uf=SP&tipo=filial", all.Count(sitetest.Branch, sitetest.InUF("SP"))},
		{"municipio=7107&tipo=todos", 2},
		{"uf=RJ", 0},
		{"mei=sim", 1},
		{"ordem=antiga&situacao=08", all.Count(sitetest.Head, sitetest.Closed)},
	}
	for _, c := range cases {
		w := h.Get(t, "/empresas.csv?"+c.query, "Cookie", cookie)
		if cache := w.Header().Get("Cache-Control"); cache != "no-store" {
			t.Errorf("%s: Cache-Control %q", c.query, cache)
		}
		table := sitetest.Table(t, w)
		if len(table) != c.want {
			t.Errorf("%s: %d rows, want %d", c.query, len(table), c.want)
		}
		for i := 1; i < len(table); i++ {
			if table[i]["cnpj"] <= table[i-1]["cnpj"] {
				t.Errorf("%s: %s follows %s", c.query, table[i]["cnpj"], table[i-1]["cnpj"])
			}
		}
	}
	h.Status(t, http.StatusUnprocessableEntity, "/empresas.csv?uf=XX", "Cookie", cookie)
	byCNPJ := map[string]map[string]string{}
	body := h.Get(t, "/empresas.csv", "Cookie", cookie)
	text := body.Body.String()
	for _, row := range sitetest.Table(t, body) {
		byCNPJ[row["cnpj"]] = row
	}
	pagetest.Texts(t, text, nil, []string{"SEGREDO", "RESERVADA", "99887766", "9988-7766", "joana@", "ze@", fixture.HiddenCPF})
	bakery := byCNPJ["12345678000195"]
	for name, want := range map[string]string{
		"razao_social": "PADARIA ESTRELA DO SUL LTDA", "capital_social": "480000.00", "correio_eletronico": "contato@padaria.exemplo",
		"telefone_1": "(19) 3233-4455", "cep": "13024100", "data_inicio_atividade": "2009-03-14", "municipio": "Campinas",
		"codigo_municipio_ibge": "3509502", "situacao_cadastral": "Ativa", "cnae_fiscal_principal": "1091102",
	} {
		if bakery[name] != want {
			t.Errorf("%s: got %q, want %q", name, bakery[name], want)
		}
	}
	if joana := byCNPJ[fixture.Full(t, fixture.MEI).String()]; joana["razao_social"] != "41.330.504 JOANA FICTICIA DA SILVA" || joana["municipio"] != "Campinas" || joana["cep"]+joana["logradouro"] != "" {
		t.Errorf("the individual entrepreneur: %v", joana)
	}
}

// TestFilesOfCompaniesAreLimited downloads until it is refused: others, and the pages, go on.
func TestFilesOfCompaniesAreLimited(t *testing.T) {
	t.Parallel()
	h := sitetest.Empty(t)
	cookie := h.Session(t, "ana@exemplo.com")
	const most = 1000
	for _, path := range []string{"/empresas.csv", "/busca.csv?q=padaria"} {
		n := 0
		for ; n < most; n++ {
			if w := h.Get(t, path, "Cookie", cookie); w.Code == http.StatusTooManyRequests {
				if w.Header().Get("Retry-After") == "" {
					t.Errorf("%v", w.Header())
				}
				break
			}
		}
		if n == most {
			t.Errorf("%s was not refused", path)
		}
	}
	if w := h.Get(t, "/empresas.csv", "Cookie", h.Session(t, "bia@exemplo.com")); w.Code == http.StatusTooManyRequests {
		t.Errorf("another account: status %d", w.Code)
	}
	if w := h.Get(t, "/login", "Cookie", cookie); w.Code == http.StatusTooManyRequests {
		t.Errorf("a page: status %d", w.Code)
	}
	refused := false
	for i := range most {
		if w := h.Get(t, "/empresas.csv", "Cookie", h.Session(t, fmt.Sprintf("pessoa%d@exemplo.com", i))); w.Code == http.StatusTooManyRequests {
			refused = true
			break
		}
	}
	if !refused {
		t.Error("one address had all files of many accounts")
	}
}

var resultLink = regexp.MustCompile(`<h2><a href="/([0-9A-Z]{14})">`)

// onScreen returns the numbers of all results of a search, page after page.
func onScreen(t *testing.T, h *sitetest.Site, query string) []string {
	t.Helper()
	var numbers []string
	for n := 1; ; n++ {
		page := resultLink.FindAllStringSubmatch(h.Body(t, "/busca?"+query+"&pagina="+strconv.Itoa(n)), -1)
		if len(page) == 0 {
			return numbers
		}
		for _, match := range page {
			numbers = append(numbers, match[1])
		}
	}
}

func column(table []map[string]string, name string) (values []string) {
	for _, row := range table {
		values = append(values, row[name])
	}
	return values
}

// TestSearchCSV compares the CSV of a search with its pages: same results, same order, nothing that
// the pages hide.
func TestSearchCSV(t *testing.T) {
	t.Parallel()
	h := sitetest.WithAccounts(t)
	files := 0
	file := func(query string) *httptest.ResponseRecorder { // nobody may have all of them at once
		files++
		return h.Get(t, "/busca.csv?"+query, "Cookie", h.Session(t, fmt.Sprintf("ana%d@exemplo.com", files)))
	}
	unsorted := false
	for _, query := range []string{
		"q=estrela", "q=estrela&agrupar=nao", "q=estrela&agrupar=nao&ordem=nome", "q=loja&agrupar=nao&ordem=recentes&situacao=-08", "q=loja&agrupar=nao&ordem=antigas&uf=SP",
		"q=estrela&ordem=capital&agrupar=nao", "q=padaria+estrela+campinas", "q=padaria+estrela+campinas&literal=1", "q=padria+estrela", "q=marta+figueira+inventada",
		"q=marta+figueira+inventada&em=socios", "q=estrela&em=socios", "q=xyzzyxqqq", "uf=SP", "uf=SP&agrupar=nao&tipo=filial&ordem=nome", "mei=sim", "q=12345678",
	} {
		w := file(query)
		if cache := w.Header().Get("Cache-Control"); cache != "no-store" {
			t.Errorf("%s: Cache-Control %q", query, cache)
		}
		got, want := column(sitetest.Table(t, w), "cnpj"), onScreen(t, h, query)
		if !slices.Equal(got, want) {
			t.Errorf("%s: the file has %v, the pages have %v", query, got, want)
		}
		unsorted = unsorted || !slices.IsSorted(want)
	}
	if !unsorted {
		t.Error("no search has another order than that of the numbers")
	}
	for _, hidden := range []string{"SEGREDO", "RESERVADA", "99887766", "9988-7766", "joana@", "ze@", fixture.HiddenCPF} {
		for _, query := range []string{"uf=SP&agrupar=nao", "mei=sim", "q=joana"} {
			if strings.Contains(file(query).Body.String(), hidden) {
				t.Errorf("the file of %s has %q", query, hidden)
			}
		}
	}
	if number := column(sitetest.Table(t, file("q=12.345.678/0001-95")), "cnpj"); !slices.Equal(number, []string{"12345678000195"}) {
		t.Errorf("a number finds %v", number)
	}
}

// TestSearchCSVIsAskedFor follows the links to the CSV and tries addresses that have none.
func TestSearchCSVIsAskedFor(t *testing.T) {
	t.Parallel()
	h := sitetest.WithAccounts(t)
	cookie := h.Session(t, "ana@exemplo.com")
	const query = "agrupar=nao&em=nomes&literal=1&ordem=nome&q=loja&situacao=02&situacao=08&uf=-RJ"
	body := h.Body(t, "/busca?"+query+"&pagina=2")
	for _, link := range []string{"/busca.csv?" + query, "/busca.csv?" + query + "&formato=excel"} {
		if !strings.Contains(body, `href="`+strings.ReplaceAll(link, "&", "&amp;")+`"`) {
			t.Errorf("the page does not link %s", link)
		}
		w := h.Get(t, link)
		if w.Code != http.StatusSeeOther || w.Header().Get("Location") != "/login?next="+url.QueryEscape(link) || w.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("a stranger: %d, %v", w.Code, w.Header())
		}
	}
	rows := sitetest.Table(t, h.Get(t, "/busca.csv?"+query, "Cookie", cookie))
	lines := strings.Split(h.Body(t, "/busca.csv?"+query+"&formato=excel", "Cookie", cookie), "\r\n")
	if len(rows) < 2 || len(lines) != len(rows)+2 || !strings.HasPrefix(lines[0], "\uFEFFcnpj;razao_social;") {
		t.Errorf("%d rows, %d lines for spreadsheets", len(rows), len(lines))
	}
	for _, wrong := range []string{"", "q=", "q=+&uf=&ordem=nome", "q=estrela&uf=XX", "q=estrela&ordem=recente", "q=estrela&em=tudo", "q=estrela&formato=xls"} {
		h.Status(t, http.StatusUnprocessableEntity, "/busca.csv?"+wrong, "Cookie", cookie)
	}
	for _, nothing := range []string{"/busca", "/busca?q=xyzzyxqqq"} {
		if strings.Contains(h.Body(t, nothing), "/busca.csv") {
			t.Errorf("%s offers a file of nothing", nothing)
		}
	}
}
