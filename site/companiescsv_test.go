package site

import (
	"encoding/csv"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"razao/internal/testing/fixture"
)

// readTable parses a response that must be a complete CSV attachment.
func readTable(t *testing.T, w *httptest.ResponseRecorder) []map[string]string {
	t.Helper()
	answer := w.Result()
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK || answer.Header.Get("Content-Type") != "text/csv; charset=utf-8" ||
		!strings.HasPrefix(answer.Header.Get("Content-Disposition"), "attachment; filename=") {
		t.Fatalf("status %d, %v", answer.StatusCode, answer.Header)
	}
	records, err := csv.NewReader(answer.Body).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var table []map[string]string
	for _, record := range records[1:] {
		row := map[string]string{}
		for i, value := range record {
			row[records[0][i]] = value
		}
		table = append(table, row)
	}
	return table
}

func TestCompaniesCSV(t *testing.T) {
	t.Parallel()
	l := peopled(t)
	h, s := newHandler(t, l)
	all := entries(t, l.View(t))
	cookie := signedIn(t, s, "ana@exemplo.com")
	for _, headers := range [][]string{nil, {"Cookie", sessionCookie + "=errado"}} {
		w := get(t, h, "/empresas.csv?uf=SP&ordem=nome", headers...)
		if w.Code != http.StatusSeeOther || w.Header().Get("Location") != "/login?next=%2Fempresas.csv%3Fuf%3DSP%26ordem%3Dnome" ||
			w.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("a stranger: %d, %v", w.Code, w.Header())
		}
	}
	cases := []struct {
		query string
		want  int
	}{
		{"", countOf(all, isHead)},
		{"tipo=todos", len(all)},
		{"uf=SP&tipo=filial", countOf(all, isBranch, inUF("SP"))},
		{"municipio=7107&tipo=todos", 2},
		{"uf=RJ", 0},
		{"mei=sim", 1},
		{"ordem=antiga&situacao=08", countOf(all, isHead, closed)},
	}
	for _, c := range cases {
		w := get(t, h, "/empresas.csv?"+c.query, "Cookie", cookie)
		if cache := w.Header().Get("Cache-Control"); cache != "no-store" {
			t.Errorf("%s: Cache-Control %q", c.query, cache)
		}
		table := readTable(t, w)
		if len(table) != c.want {
			t.Errorf("%s: %d rows, want %d", c.query, len(table), c.want)
		}
		for i := 1; i < len(table); i++ {
			if table[i]["cnpj"] <= table[i-1]["cnpj"] {
				t.Errorf("%s: %s follows %s", c.query, table[i]["cnpj"], table[i-1]["cnpj"])
			}
		}
	}
	if w := get(t, h, "/empresas.csv?uf=XX", "Cookie", cookie); w.Code != http.StatusUnprocessableEntity {
		t.Errorf("unknown state: status %d", w.Code)
	}
	byCNPJ := map[string]map[string]string{}
	body := get(t, h, "/empresas.csv", "Cookie", cookie)
	text := body.Body.String()
	for _, row := range readTable(t, body) {
		byCNPJ[row["cnpj"]] = row
	}
	for _, hidden := range []string{"SEGREDO", "RESERVADA", "99887766", "9988-7766", "joana@", "ze@", fixture.HiddenCPF} {
		if strings.Contains(text, hidden) {
			t.Errorf("the file has %q", hidden)
		}
	}
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
	if joana := byCNPJ[full(t, fixture.MEI)]; joana["razao_social"] != "41.330.504 JOANA FICTICIA DA SILVA" || joana["municipio"] != "Campinas" || joana["cep"]+joana["logradouro"] != "" {
		t.Errorf("the individual entrepreneur: %v", joana)
	}
}

// Each table also comes as formato=excel, with the same rows and a link to it.
func TestTablesForSpreadsheets(t *testing.T) {
	t.Parallel()
	h, s := newHandler(t, peopled(t))
	cookie := signedIn(t, s, "ana@exemplo.com")
	for path, from := range map[string]string{"/empresas.csv": "/empresas", "/municipios.csv": "/municipios", "/dicionario.csv": "/dicionario"} {
		rows := readTable(t, get(t, h, path, "Cookie", cookie))
		w := get(t, h, path+"?formato=excel", "Cookie", cookie)
		text, marked := strings.CutPrefix(w.Body.String(), "\uFEFF")
		r := csv.NewReader(strings.NewReader(text))
		r.Comma = ';'
		records, err := r.ReadAll()
		if err != nil || !marked || len(records) != len(rows)+1 || strings.Count(text, "\n") < len(records) || !strings.HasSuffix(text, "\r\n") {
			t.Errorf("%s: %d rows, want %d, marked %t, %v", path, len(records)-1, len(rows), marked, err)
		}
		if w := get(t, h, path+"?formato=xls", "Cookie", cookie); w.Code != http.StatusUnprocessableEntity {
			t.Errorf("%s in a form that there is not: status %d", path, w.Code)
		}
		if body := get(t, h, from).Body.String(); !strings.Contains(body, `href="`+path+`?formato=excel"`) {
			t.Errorf("%s does not link the table for spreadsheets", from)
		}
	}
	text := get(t, h, "/empresas.csv?formato=excel", "Cookie", cookie).Body.String()
	for _, want := range []string{"12.345.678/0001-95;PADARIA ESTRELA DO SUL LTDA", ";480000,00;", ";14/03/2009;", ";1091-1/02;", ";13024-100;"} {
		if !strings.Contains(text, want) {
			t.Errorf("the list lacks %q", want)
		}
	}
}

// TestFilesOfCompaniesAreLimited downloads until it is refused: others, and the pages, go on.
func TestFilesOfCompaniesAreLimited(t *testing.T) {
	t.Parallel()
	h, s := newHandler(t, fixture.Empty(t))
	cookie := signedIn(t, s, "ana@exemplo.com")
	const most = 1000
	for _, path := range []string{"/empresas.csv", "/busca.csv?q=padaria"} {
		n := 0
		for ; n < most; n++ {
			if w := get(t, h, path, "Cookie", cookie); w.Code == http.StatusTooManyRequests {
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
	if w := get(t, h, "/empresas.csv", "Cookie", signedIn(t, s, "bia@exemplo.com")); w.Code == http.StatusTooManyRequests {
		t.Errorf("another account: status %d", w.Code)
	}
	if w := get(t, h, "/login", "Cookie", cookie); w.Code == http.StatusTooManyRequests {
		t.Errorf("a page: status %d", w.Code)
	}
	refused := false
	for i := range most {
		if w := get(t, h, "/empresas.csv", "Cookie", signedIn(t, s, fmt.Sprintf("pessoa%d@exemplo.com", i))); w.Code == http.StatusTooManyRequests {
			refused = true
			break
		}
	}
	if !refused {
		t.Error("one address had all files of many accounts")
	}
}
