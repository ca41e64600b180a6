package site_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"

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
	for i, c := range cases {
		w := h.Get(t, "/empresas.csv?"+c.query, "Cookie", cookie)
		if cache := w.Header().Get("Cache-Control"); cache != "no-store" {
			t.Errorf("%s: Cache-Control %q", c.query, cache)
		}
		table := sitetest.Table(t, w)
		if len(table) != c.want {
			t.Errorf("%s: %d rows, want %d", c.query, len(table), c.want)
		}
		if got, want := column(table, "cnpj"), onScreen(t, h, "/empresas?"+c.query); !slices.Equal(got, want) {
			t.Errorf("%s: the file has %v, the pages have %v", c.query, got, want)
		}
		whole := h.Get(t, "/empresas/todas.csv?"+c.query, "Cookie", h.Session(t, fmt.Sprintf("ana%d@exemplo.com", i)))
		if diff := cmp.Diff(table, sitetest.Table(t, whole)); diff != "" {
			t.Errorf("%s: the whole list differs: %s", c.query, diff)
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

// onScreen returns the numbers of all results of a search or listing, page after page.
func onScreen(t *testing.T, h *sitetest.Site, path string) []string {
	t.Helper()
	var numbers []string
	for n := 1; ; n++ {
		w := h.Get(t, path+"&pagina="+strconv.Itoa(n))
		page := resultLink.FindAllStringSubmatch(w.Body.String(), -1)
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
		got, want := column(sitetest.Table(t, w), "cnpj"), onScreen(t, h, "/busca?"+query)
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
	if len(rows) < 2 || len(lines) != len(rows)+2 || !strings.HasPrefix(lines[0], "\uFEFFCNPJ;Razão social;") {
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

// TestEveryTableHasEveryFormat downloads tables in each format: the rows are those of the CSV, and each
// says where they come from.
func TestEveryTableHasEveryFormat(t *testing.T) {
	t.Parallel()
	_, h := sitetest.Changed(t)
	for i, path := range []string{
		"/empresas.csv?uf=SP", "/empresas/todas.csv?tipo=todos", "/busca.csv?q=estrela", "/socio/456789/marta-figueira-inventada/empresas.csv",
		"/mudancas/lista.csv?cnae=10", "/12345678000195/mudancas.csv", "/municipios.csv", "/dicionario.csv", "/mudancas/serie.csv", "/uf/sp/serie.csv",
		"/uf/sp/campinas/coortes.csv", "/98765432/rede.csv", "/98765432/grupo.csv", "/conta/carteira.csv",
	} {
		cookie := h.Session(t, fmt.Sprintf("ana%d@exemplo.com", i))
		get := func(format string) *httptest.ResponseRecorder {
			separator := "?"
			if strings.Contains(path, "?") {
				separator = "&"
			}
			return h.Get(t, path+separator+"formato="+format, "Cookie", cookie)
		}
		plain := get("")
		want := sitetest.Table(t, plain)
		described := plain.Header().Get("Link")
		if len(want) == 0 && path != "/conta/carteira.csv" || !strings.Contains(described, "formato=descricao") || !strings.Contains(described, `rel="describedby"`) {
			t.Errorf("%s: %d rows, described by %s", path, len(want), described)
		}
		checkLines(t, path, get("ndjson"), want)
		checkWorkbook(t, path, get("xlsx"), len(want))
		checkDescription(t, path, get("descricao"), want)
		if w := get("pdf"); w.Code != http.StatusUnprocessableEntity {
			t.Errorf("%s as pdf: %d", path, w.Code)
		}
	}
}

// checkLines compares a table in NDJSON with the rows of the CSV.
func checkLines(t *testing.T, path string, w *httptest.ResponseRecorder, want []map[string]string) {
	t.Helper()
	var got []map[string]string
	for line := range strings.Lines(w.Body.String()) {
		var object map[string]any
		decoder := json.NewDecoder(strings.NewReader(line))
		decoder.UseNumber()
		if err := decoder.Decode(&object); err != nil {
			t.Fatalf("%s: %v in %q", path, err, line)
		}
		row := map[string]string{}
		for name, value := range object {
			if row[name] = ""; value != nil {
				row[name] = fmt.Sprint(value)
			}
		}
		got = append(got, row)
	}
	if diff := cmp.Diff(want, got); diff != "" || w.Header().Get("Content-Type") != "application/x-ndjson" || !strings.HasSuffix(w.Header().Get("Content-Disposition"), `.ndjson"`) {
		t.Errorf("%s: %v, NDJSON differs (-CSV +NDJSON)\n%s", path, w.Header(), diff)
	}
}

// checkWorkbook reads a workbook: its rows, and the sheet of the origin.
func checkWorkbook(t *testing.T, path string, w *httptest.ResponseRecorder, rows int) {
	t.Helper()
	file, err := excelize.OpenReader(bytes.NewReader(w.Body.Bytes()))
	if err != nil {
		t.Errorf("%s: %v", path, err)
		return
	}
	defer file.Close()
	data, err := file.GetRows("Dados")
	origin, failed := file.GetRows("Origem")
	if err != nil || failed != nil || len(data) != rows+1 || !strings.HasPrefix(origin[2][1], sitetest.URL+"/") || origin[5][1] != strconv.Itoa(rows) ||
		!strings.HasSuffix(w.Header().Get("Content-Disposition"), `.xlsx"`) {
		t.Errorf("%s: %v, %v, %d rows, want %d, %v, %v", path, err, failed, len(data)-1, rows, origin, w.Header())
	}
}

// checkDescription compares the description of a table with its columns.
func checkDescription(t *testing.T, path string, w *httptest.ResponseRecorder, want []map[string]string) {
	t.Helper()
	var described struct {
		Homepage  string
		Resources []struct {
			Schema struct {
				Fields []struct{ Name, Title, Description string }
			}
		}
	}
	if err := json.Unmarshal(w.Body.Bytes(), &described); err != nil || len(described.Resources) != 1 {
		t.Errorf("%s: %v, %s", path, err, w.Body)
		return
	}
	titles := map[string]bool{}
	for _, f := range described.Resources[0].Schema.Fields {
		if f.Title == "" || f.Title == f.Name || titles[f.Title] {
			t.Errorf("%s: the title of the column %+v", path, f)
		}
		titles[f.Title] = true
		if len(want) == 0 {
			continue
		}
		if _, ok := want[0][f.Name]; !ok || f.Description == "" {
			t.Errorf("%s: the column %+v", path, f)
		}
	}
	if n := len(described.Resources[0].Schema.Fields); len(want) > 0 && n != len(want[0]) {
		t.Errorf("%s: %d columns are described, want %d", path, n, len(want[0]))
	}
}

// TestFilesOfChanges compares the files with the pages, and looks for what pages hide.
func TestFilesOfChanges(t *testing.T) {
	t.Parallel()
	_, h := sitetest.Changed(t)
	cookie := h.Session(t, "ana@exemplo.com")
	all := sitetest.Table(t, h.Get(t, "/mudancas/lista.csv", "Cookie", cookie))
	if len(all) != 83 {
		t.Errorf("%d changes", len(all))
	}
	named := sitetest.Table(t, h.Get(t, "/mudancas/lista.csv?evento=empresa.nome", "Cookie", cookie))
	want := []map[string]string{{
		"fonte": "receita", "competencia": "2026-09", "evento": "empresa.nome", "o_que": "Nome empresarial", "data": "", "cnpj_raiz": "12345678", "cnpj": "",
		"empresa": "Padaria Estrela do Norte Ltda.", "campos": "Padaria Estrela do Sul Ltda. → Padaria Estrela do Norte Ltda.",
	}}
	if diff := cmp.Diff(want, named); diff != "" {
		t.Error(diff)
	}
	for path, n := range map[string]int{"/12345678/mudancas.csv": 3, "/12345678000195/mudancas.csv": 3, "/12345678000357/mudancas.csv": 3} {
		if rows := sitetest.Table(t, h.Get(t, path, "Cookie", cookie)); len(rows) != n {
			t.Errorf("%s: %v", path, rows)
		}
	}
	for path, status := range map[string]int{
		"/mudancas/lista.csv?uf=XX": 422, "/mudancas/lista.csv?posicao=x": 422, "/99999999000191/mudancas.csv": 404, "/12345678000100/mudancas.csv": 404,
		"/socio/456789/outra-pessoa/empresas.csv": 404,
	} {
		h.Status(t, status, path, "Cookie", cookie)
		if w := h.Get(t, path); w.Code != http.StatusSeeOther {
			t.Errorf("a stranger at %s: %d", path, w.Code)
		}
	}
}

// TestFileOfAPartner has the companies of the page in its order, with what ties them.
func TestFileOfAPartner(t *testing.T) {
	t.Parallel()
	h := sitetest.WithAccounts(t)
	const path = "/socio/456789/marta-figueira-inventada"
	rows := sitetest.Table(t, h.Get(t, path+"/empresas.csv", "Cookie", h.Session(t, "ana@exemplo.com")))
	var want []string
	for _, match := range resultLink.FindAllStringSubmatch(h.Body(t, path), -1) {
		want = append(want, match[1])
	}
	if got := column(rows, "cnpj"); len(want) == 0 || !slices.Equal(got, want) || rows[0]["vinculo"] == "" {
		t.Errorf("got %v, want %v", rows, want)
	}
}

// TestTheDefaultFormatHasAName: csv says the same as no format.
func TestTheDefaultFormatHasAName(t *testing.T) {
	t.Parallel()
	h := sitetest.Released(t)
	if h.Body(t, "/municipios.csv?formato=csv") != h.Body(t, "/municipios.csv") {
		t.Error("formato=csv is another file")
	}
	h.Status(t, http.StatusUnprocessableEntity, "/municipios.csv?formato=pdf")
}
