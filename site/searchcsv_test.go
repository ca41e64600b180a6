package site

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
)

var resultLink = regexp.MustCompile(`<h2><a href="/([0-9A-Z]{14})">`)

// onScreen returns the numbers of all results of a search, page after page.
func onScreen(t *testing.T, h http.Handler, query string) []string {
	t.Helper()
	var numbers []string
	for n := 1; ; n++ {
		page := resultLink.FindAllStringSubmatch(get(t, h, "/busca?"+query+"&pagina="+strconv.Itoa(n)).Body.String(), -1)
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
	h, s := newHandler(t, peopled(t))
	files := 0
	file := func(query string) *httptest.ResponseRecorder { // nobody may have all of them at once
		files++
		return get(t, h, "/busca.csv?"+query, "Cookie", signedIn(t, s, fmt.Sprintf("ana%d@exemplo.com", files)))
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
		got, want := column(readTable(t, w), "cnpj"), onScreen(t, h, query)
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
	if number := column(readTable(t, file("q=12.345.678/0001-95")), "cnpj"); !slices.Equal(number, []string{"12345678000195"}) {
		t.Errorf("a number finds %v", number)
	}
}

// TestSearchCSVIsAskedFor follows the links to the CSV and tries addresses that have none.
func TestSearchCSVIsAskedFor(t *testing.T) {
	t.Parallel()
	h, s := newHandler(t, peopled(t))
	cookie := signedIn(t, s, "ana@exemplo.com")
	const query = "agrupar=nao&em=nomes&literal=1&ordem=nome&q=loja&situacao=02&situacao=08&uf=-RJ"
	body := get(t, h, "/busca?"+query+"&pagina=2").Body.String()
	for _, link := range []string{"/busca.csv?" + query, "/busca.csv?" + query + "&formato=excel"} {
		if !strings.Contains(body, `href="`+strings.ReplaceAll(link, "&", "&amp;")+`"`) {
			t.Errorf("the page does not link %s", link)
		}
		w := get(t, h, link)
		if w.Code != http.StatusSeeOther || w.Header().Get("Location") != "/login?next="+url.QueryEscape(link) || w.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("a stranger: %d, %v", w.Code, w.Header())
		}
	}
	rows := readTable(t, get(t, h, "/busca.csv?"+query, "Cookie", cookie))
	lines := strings.Split(get(t, h, "/busca.csv?"+query+"&formato=excel", "Cookie", cookie).Body.String(), "\r\n")
	if len(rows) < 2 || len(lines) != len(rows)+2 || !strings.HasPrefix(lines[0], "\uFEFFcnpj;razao_social;") {
		t.Errorf("%d rows, %d lines for spreadsheets", len(rows), len(lines))
	}
	for _, wrong := range []string{"", "q=", "q=+&uf=&ordem=nome", "q=estrela&uf=XX", "q=estrela&ordem=recente", "q=estrela&em=tudo", "q=estrela&formato=xls"} {
		if w := get(t, h, "/busca.csv?"+wrong, "Cookie", cookie); w.Code != http.StatusUnprocessableEntity {
			t.Errorf("%q: status %d", wrong, w.Code)
		}
	}
	for _, nothing := range []string{"/busca", "/busca?q=xyzzyxqqq"} {
		if strings.Contains(get(t, h, nothing).Body.String(), "/busca.csv") {
			t.Errorf("%s offers a file of nothing", nothing)
		}
	}
}
