package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"

	"razao/internal/data/cnpj"
	"razao/internal/testing/fixture"
	"razao/internal/testing/fixture/sourcefiles"
)

// naturesOfPersons are the legal natures of natural persons: the individual entrepreneur and group 4
// of the table of CONCLA. 4997 is not in the table: a nature that is new in the group counts too.
var naturesOfPersons = []string{"2135", "4014", "4022", "4081", "4090", "4111", "4120", "4997"}

// Contacts as columns of Estabelecimentos, from the type of street on.
const (
	privateContact = `"TRAVESSA";"SIGILOSA";"KM 9 SIGILO";"FUNDOS SIGILO";"JARDIM SIGILO";"13024777";"SP";"6291";"18";"99001122";"";"";"18";"99001133";"TITULAR@SIGILO.EXEMPLO"`
	formerContact  = `"RUA";"ANTIGA SIGILO";"12";"";"VILA SIGILO";"13024776";"SP";"6291";"18";"99001144";"";"";"";"";"ANTIGO@SIGILO.EXEMPLO"`
	companyContact = `"AVENIDA";"ABERTA";"1";"";"CENTRO";"13010000";"SP";"6291";"19";"32330000";"";"";"";"";"LOJA@ABERTA.EXEMPLO"`
)

// privateText finds parts of privateContact and formerContact as pages and files write them.
var privateText = regexp.MustCompile(`(?i)sigilo|13024-?77|9900-?11`)

// publishPersons publishes two months in which companies of naturesOfPersons move, and one of a
// limited company. It returns the numbers of their head offices.
func publishPersons(t *testing.T, l *fixture.Loaded) (persons []cnpj.Full, company cnpj.Full) {
	t.Helper()
	register := "ID;Ano da ação fiscal;UF;Empregador;CNPJ/CPF;Estabelecimento;Trabalhadores envolvidos;CNAE;Decisão administrativa de procedência;Inclusão no Cadastro de Empregadores"
	var companies, before, after strings.Builder
	for i, nature := range append([]string{"2062"}, naturesOfPersons...) {
		root, err := cnpj.ParseRoot(fmt.Sprintf("902%05d", i))
		if err != nil {
			t.Fatal(err)
		}
		number, former, now, street := cnpj.Join(root, 1), formerContact, privateContact, "TRAVESSA SIGILOSA"
		if nature == "2062" {
			company, former, now, street = number, companyContact, companyContact, "AVENIDA ABERTA"
		} else {
			persons = append(persons, number)
		}
		fmt.Fprintf(&companies, "\"%s\";\"EXEMPLAR %s\";\"%s\";\"50\";\"0,00\";\"01\";\"\"\n", root, nature, nature)
		row := fmt.Sprintf("\"%s\";\"0001\";\"%s\";\"1\";\"LOJA\";\"02\";\"20200110\";\"00\";\"\";\"\";\"20100110\";\"4711302\";\"\";", root, number.CheckDigits())
		before.WriteString(row + former + ";\"\";\"\"\n")
		after.WriteString(row + now + ";\"\";\"\"\n")
		register += fmt.Sprintf("\r\n%d;2023;SP;EXEMPLAR;%s;%s 1, CAMPINAS/SP;3;1063-5/00;19/02/2025;05/04/2024", i+1, number.Masked(), street)
	}
	first, office := `"`+fixture.Bakery+`";"PADARIA`, `"`+fixture.Bakery+`";"0001"`
	l.Publish(t, fixture.Published(t, "2026-08", first, companies.String()+first, office, before.String()+office))
	l.Publish(t, fixture.Published(t, "2026-09", first, companies.String()+first, office, after.String()+office))
	l.Source(t, "mte_empregadores", sourcefiles.Write(t, "cadastro_de_empregadores.csv", register), "2026-09-04")
	return persons, company
}

// surfaces returns an address of every route of the website that only reads, and others that list or
// search, for a head office.
func surfaces(w *whole, number cnpj.Full) []string {
	of := strings.NewReplacer(fixture.Bakery+"000195", number.String(), fixture.Bakery, number.Root().String(), "padaria", "exemplar")
	var paths []string
	for _, route := range w.Routes() {
		if route.Method == http.MethodGet && !strings.HasPrefix(route.Path, "/v1") && !strings.HasPrefix(route.Path, "/v2") {
			paths = append(paths, of.Replace(cmp.Or(examples[route.Path], address(route.Path))))
		}
	}
	page := "/" + number.String()
	return append(paths, page+".md", page+"?ver=estabelecimento", page+"?linha=2026", "/sitemaps/0002.xml.gz",
		"/busca?agrupar=nao&q="+number.String(), "/busca.csv?agrupar=nao&q="+number.Root().String(), "/sugestoes?q="+number.String(),
		"/empresas?ordem=nova&cnae=4711302", "/empresas.csv?tipo=todos", "/empresas.csv?tipo=todos&formato=excel", "/empresas/todas.csv?tipo=todos&formato=ndjson", "/uf/sp/campinas?cnae=4711302")
}

// text returns the body of an answer, unpacked and without offered line breaks.
func (a wholeAnswer) text(t *testing.T) string {
	t.Helper()
	if a.header.Get("Content-Type") != "application/gzip" {
		return strings.ReplaceAll(a.body, "<wbr>", "")
	}
	z, err := gzip.NewReader(strings.NewReader(a.body))
	if err != nil {
		t.Fatal(err)
	}
	plain, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(plain)
}

// TestContactsOfPersonsAreOnNoPage requests everything that the website serves about natural persons
// in business: nothing has their street, telephone or e-mail, and search engines are not led to them.
// The API and the tools of assistants have what is published.
func TestContactsOfPersonsAreOnNoPage(t *testing.T) {
	t.Parallel()
	l := fixture.Empty(t)
	persons, company := publishPersons(t, l)
	w := wholeOn(t, l.Pool, filepath.Dir(l.IndexDir))
	answered := 0
	for i, number := range persons {
		nature := naturesOfPersons[i]
		w.beSomebodyElse(t) // one may not have so many files at once, nor may one address
		address := fmt.Sprintf("198.51.100.%d", i+1)
		for _, path := range surfaces(w, number) {
			for who, cookie := range map[string]string{"nobody": "", "signed in": w.cookie} {
				a := w.read(t, "GET", path, "Cookie", cookie, "Accept", "text/html", "X-Forwarded-For", address)
				if a.status == http.StatusOK {
					answered++
				}
				text := a.text(t)
				if found := privateText.FindString(text); found != "" {
					t.Errorf("%s, %s, %s: has %q", nature, path, who, found)
				}
				if strings.HasPrefix(path, "/sitemap") && strings.Contains(text, number.String()) {
					t.Errorf("%s is listed in %s", nature, path)
				}
			}
		}
		page := w.read(t, "GET", "/"+number.String(), "Accept", "text/html").text(t)
		for _, want := range []string{`<meta name="robots" content="noindex`, "a página não mostra rua, telefone nem e-mail", "endereço não mostrado", "Campinas/SP"} {
			if !strings.Contains(page, want) {
				t.Errorf("%s: the page lacks %q", nature, want)
			}
		}
		published := map[string]string{"tool": w.tool(t, "consultar_cnpj", map[string]any{"cnpj": number.String()})}
		for _, path := range []string{
			"/v1/cnpj/" + number.String(), "/v2/estabelecimentos/" + number.String() + "/full",
			"/v2/estabelecimentos/" + number.String() + "/mudancas",
		} {
			published[path] = w.read(t, "GET", path, "Authorization", "Bearer "+w.key).body
		}
		for what, body := range published {
			if !strings.Contains(body, "SIGILOSA") || !strings.Contains(body, "99001122") || !strings.Contains(body, "TITULAR@SIGILO.EXEMPLO") {
				t.Errorf("%s: the %s lacks what is published: %s", nature, what, body)
			}
		}
	}
	if least := 2 * 30 * len(persons); answered < least {
		t.Errorf("only %d answers, want at least %d", answered, least)
	}
	w.beSomebodyElse(t)
	open := regexp.MustCompile(`(?i)aberta.*@aberta\.exemplo`)
	for _, path := range []string{"/" + company.String(), "/" + company.String() + ".md", "/empresas.csv?tipo=todos"} {
		if text := strings.ReplaceAll(w.read(t, "GET", path).text(t), "\n", " "); !open.MatchString(text) || strings.Contains(text, `content="noindex`) {
			t.Errorf("%s lacks the contact of a company, or is noindex", path)
		}
	}
	if feed := w.read(t, "GET", "/mudancas.atom").body; !strings.Contains(feed, "de pessoa física, a página não mostra: Rua") {
		t.Errorf("the feed does not say that addresses of persons changed: %s", feed)
	}
	if text := w.read(t, "GET", "/sitemaps/0002.xml.gz").text(t); !strings.Contains(text, company.String()) {
		t.Error("the company is not in the sitemap")
	}
}

// tool calls a tool of assistants.
func (w *whole) tool(t *testing.T, name string, arguments map[string]any) string {
	t.Helper()
	call, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": map[string]any{"name": name, "arguments": arguments}})
	if err != nil {
		t.Fatal(err)
	}
	resp := w.ask(t, "POST", "/mcp", string(call), "Cookie", "", "Authorization", "Bearer "+w.key, "Content-Type", "application/json",
		"Accept", "application/json, text/event-stream")
	body, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("tool: %s, %v: %s", resp.Status, err, body)
	}
	return string(body)
}

// found searches for every establishment on the website, by the API and by the tool of assistants, and
// returns what they have.
func (w *whole) found(t *testing.T, query string) string {
	t.Helper()
	w.beSomebodyElse(t)
	pages := w.read(t, "GET", "/busca.csv?agrupar=nao&"+query)
	api := w.read(t, "GET", "/v2/busca?agrupar=nao&limite=100&"+query, "Authorization", "Bearer "+w.key)
	if pages.status != http.StatusOK || api.status != http.StatusOK {
		t.Fatalf("%s: status %d and %d: %s", query, pages.status, api.status, api.body)
	}
	asked, err := url.ParseQuery(query)
	if err != nil {
		t.Fatal(err)
	}
	arguments := map[string]any{"agrupar": "nao", "limite": 50}
	for name := range asked {
		arguments[cmp.Or(map[string]string{"q": "consulta"}[name], name)] = asked.Get(name)
	}
	return pages.body + api.body + w.tool(t, "buscar_empresas", arguments)
}

// TestContactsOfPersonsFindNobody searches by every part of the contacts of natural persons, which
// would tell what pages hide.
func TestContactsOfPersonsFindNobody(t *testing.T) {
	t.Parallel()
	l := fixture.Empty(t)
	_, company := publishPersons(t, l)
	w := wholeOn(t, l.Pool, filepath.Dir(l.IndexDir))
	persons := regexp.MustCompile(`9020000[1-9]|90\.200\.00[1-9]`) // how their numbers begin
	for _, query := range []string{
		"q=sigilosa", "q=titular", "q=" + url.QueryEscape("titular@sigilo.exemplo"), "q=99001122", "q=13024777",
		"bairro=" + url.QueryEscape("Jardim Sigilo"), "cep=13024777", "cep=130247", "ddd=18", "email_dominio=sigilo.exemplo",
		"telefone_numero=1899001122", "telefone_numero=1899001133", "email_endereco=" + url.QueryEscape("titular@sigilo.exemplo"),
		"logradouro=travessa+sigilosa", "numero=9", "q=1899001122", "q=" + url.QueryEscape("(18) 99900-1133"), "q=" + url.QueryEscape("+55 18 99001122"),
		"q=travessa+sigilosa+9", "q=" + url.QueryEscape("Travessa Sigilosa, 9, Campinas"), "q=travessa+sigilosa+campinas",
		"q=" + url.QueryEscape("titular@sigilo.exemplo campinas"),
	} {
		if found := persons.FindString(w.found(t, query) + w.read(t, "GET", "/sugestoes?"+query).body); found != "" {
			t.Errorf("%s finds the person %s", query, found)
		}
	}
	for _, query := range []string{
		"q=exemplar&telefone=sim", "q=exemplar&email=sim", "bairro=Centro", "cep=13010000", "email_dominio=aberta.exemplo",
		"telefone_numero=1932330000", "email_endereco=loja@aberta.exemplo", "logradouro=av.+aberta&numero=1", "q=" + url.QueryEscape("(19) 3233-0000"),
		"q=loja@aberta.exemplo", "q=" + url.QueryEscape("Avenida Aberta, 1 - Centro, Campinas/SP"),
	} {
		got := w.found(t, query)
		if !strings.Contains(got, company.String()) || persons.MatchString(got) {
			t.Errorf("%s: not the company alone:\n%s", query, got)
		}
	}
}

// TestHiddenContactIsFoundByNothing searches by each contact of a company before it is hidden on
// request, while it is, and once it is shown again.
func TestHiddenContactIsFoundByNothing(t *testing.T) {
	t.Parallel()
	l := fixture.Empty(t)
	_, company := publishPersons(t, l)
	w := wholeOn(t, l.Pool, filepath.Dir(l.IndexDir))
	check := func(when string, shown bool) {
		t.Helper()
		if err := w.live.Refresh(t.Context()); err != nil {
			t.Fatal(err)
		}
		for _, query := range []string{
			"telefone_numero=1932330000", "email_endereco=loja@aberta.exemplo", "logradouro=avenida+aberta", "logradouro=avenida+aberta&numero=1",
			"q=" + url.QueryEscape("(19) 3233-0000"), "q=1932330000", "q=loja@aberta.exemplo", "q=" + url.QueryEscape("Av. Aberta, 1, Campinas"), "q=avenida+aberta",
			"q=avenida+aberta+campinas",
		} {
			page := w.read(t, "GET", "/busca?"+query, "Accept", "text/html").text(t)
			for where, text := range map[string]string{"files, API and tool": w.found(t, query), "page": page, "suggestions": w.read(t, "GET", "/sugestoes?"+query).body} {
				has := strings.Contains(text, company.String()) || strings.Contains(text, company.Masked())
				if has != shown && (where != "suggestions" || has) {
					t.Errorf("%s, %s: the %s have the company: %t", when, query, where, has)
				}
			}
			contacts := regexp.MustCompile(`(?i)3233-?0000|loja@aberta|13010-?000`)
			if found := contacts.FindString(page); found != "" && !contacts.MatchString(query) && !strings.Contains(query, "3233") {
				t.Errorf("%s, %s: the page has %q", when, query, found)
			}
		}
	}
	check("published", true)
	l.Hide(t, company)
	check("hidden", false)
	l.Show(t, company)
	check("shown again", true)
}
