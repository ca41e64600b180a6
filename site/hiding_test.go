package site

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"razao/internal/data/cnpj"
	"razao/internal/testing/fixture"
	"razao/site/page/pagetest"
)

func parsed(t *testing.T, text string) cnpj.Full {
	t.Helper()
	number, err := cnpj.ParseFull(text)
	if err != nil {
		t.Fatal(err)
	}
	return number
}

// TestHiddenContactIsServedNowhere hides the contact of a branch, checks every page and file that
// mentions it, also after a new load, and shows it again.
func TestHiddenContactIsServedNowhere(t *testing.T) {
	t.Parallel()
	const branch, office = "1234567800A479", "12345678000195"
	l := fixture.Load(t)
	h, s := newHandler(t, l)
	ana := newPerson(h, signedIn(t, s, "ana@exemplo.com.br"))
	contact := []string{"DAS PALMEIRAS", "das Palmeiras", "CAMBUI", "Cambui", "01310", "3233-4455", "32334455", "@padaria.exemplo"}
	branchRow := func() string { // of the CSV; the other rows keep their contact
		for line := range strings.Lines(ana.open(t, "/empresas.csv?tipo=todos").Body.String()) {
			if strings.HasPrefix(line, branch+",") {
				return line
			}
		}
		t.Fatal("the file lacks the branch")
		return ""
	}
	served := func() map[string]string {
		return map[string]string{
			"page": get(t, h, "/"+branch).Body.String(), "Markdown": get(t, h, "/"+branch+".md").Body.String(), "CSV": branchRow(),
		}
	}
	checkShown := func() {
		for name, text := range served() {
			for _, part := range []string{"DAS PALMEIRAS", "CAMBUI", "3233-4455", "CONTATO@PADARIA.EXEMPLO"} {
				if !strings.Contains(strings.ToUpper(strings.ReplaceAll(text, "<wbr>", "")), part) {
					t.Errorf("%s lacks %q while it is not hidden", name, part)
				}
			}
		}
	}
	checkHidden := func() {
		for name, text := range served() {
			pagetest.Texts(t, text, []string{"São Paulo"}, contact)
			if name != "CSV" {
				pagetest.Texts(t, text, []string{"ocultados a pedido"}, []string{"Pedir para ocultar"})
			}
		}
		pagetest.Texts(t, get(t, h, "/"+office).Body.String(), []string{"das Palmeiras", "contato<wbr>@padaria.exemplo", `"email":"contato@padaria.exemplo"`}, []string{"ocultados a pedido"})
	}
	checkShown()
	before := get(t, h, "/"+branch).Header().Get("ETag")
	l.Hide(t, parsed(t, branch))
	checkHidden()
	if w := get(t, h, "/"+branch, "If-None-Match", before); w.Code != http.StatusOK {
		t.Errorf("who has the page of before is told %d", w.Code)
	}
	l.Ingest(t)
	if err := l.Live.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	checkHidden()
	l.Show(t, parsed(t, branch))
	checkShown()
}

// TestHiddenContactInRecords: addresses in public records are hidden with the contact.
func TestHiddenContactInRecords(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	dir := t.TempDir()
	register := latin1(employers(bakeryOffice, "RUA DAS PALMEIRAS 214, CAMPINAS/SP"))
	if err := os.WriteFile(filepath.Join(dir, "cadastro_de_empregadores.csv"), []byte(register), 0o600); err != nil {
		t.Fatal(err)
	}
	l.Source(t, "mte_empregadores", dir, "2026-09-04")
	h, _ := newHandler(t, l)
	for _, path := range []string{"/12345678000195", "/12345678000195.md"} {
		if body := get(t, h, path).Body.String(); !strings.Contains(body, "RUA DAS PALMEIRAS 214, CAMPINAS/SP") {
			t.Errorf("%s lacks the published address", path)
		}
	}
	l.Hide(t, parsed(t, "12345678000195"))
	for _, path := range []string{"/12345678000195", "/12345678000195.md"} {
		pagetest.Texts(t, get(t, h, path).Body.String(), []string{"endereço não mostrado"}, []string{"PALMEIRAS"})
	}
}

// TestHiddenBranchInTheRecordsOfItsCompany hides the contact of a branch and checks the head
// office's page, which shows the records of all establishments.
func TestHiddenBranchInTheRecordsOfItsCompany(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	dir := t.TempDir()
	branch := cnpj.Unmask(bakeryBranch)
	rows := employers(cnpj.Unmask(bakeryOffice), "RUA ABERTA 1, CAMPINAS/SP") + "\r\n" +
		strings.SplitN(strings.Replace(employers(branch, "RUA SEGREDO 9, CAMPINAS/SP"), "\r\n1;", "\r\n2;", 1), "\r\n", 2)[1]
	if err := os.WriteFile(filepath.Join(dir, "cadastro_de_empregadores.csv"), []byte(latin1(rows)), 0o600); err != nil {
		t.Fatal(err)
	}
	l.Source(t, "mte_empregadores", dir, "2026-09-04")
	h, _ := newHandler(t, l)
	pagetest.Texts(t, get(t, h, "/12345678000195").Body.String(), []string{"RUA ABERTA", "RUA SEGREDO"}, nil)
	l.Hide(t, parsed(t, branch))
	for _, suffix := range []string{"", ".md"} {
		pagetest.Texts(t, get(t, h, "/12345678000195"+suffix).Body.String(), []string{"RUA ABERTA", "endereço não mostrado"}, []string{"SEGREDO"})
	}
}

func TestHidingForm(t *testing.T) {
	t.Parallel()
	h, s := newHandler(t, peopled(t))
	rui := newPerson(h, "")
	told(t, "hiding-with-a-number", rui.open(t, "/privacidade/ocultar?cnpj=12345678000195"), 200, "Pedido recebido")
	refused := []struct{ name, cnpj, email, reason string }{
		{"no-number", "", "rui@exemplo.com", ""},
		{"a-root", "12345678", "rui@exemplo.com", ""},
		{"wrong-digits", "12.345.678/0001-96", "rui@exemplo.com", ""},
		{"no-address", "12345678000195", "rui", ""},
		{"long-reason", "12345678000195", "rui@exemplo.com", strings.Repeat("é ", 501)},
		{"markup", `"><script>`, `"><script>`, "</textarea><script>"},
	}
	for _, c := range refused {
		t.Run(c.name, func(t *testing.T) {
			w := rui.post(t, "/privacidade/ocultar", "cnpj", c.cnpj, "email", c.email, "motivo", c.reason)
			told(t, "hiding-"+c.name, w, http.StatusUnprocessableEntity, "Pedido recebido", "<script>")
		})
	}
	w := httptest.NewRecorder()
	if h.ServeHTTP(w, form(t, "/privacidade/ocultar", "cross-site", "cnpj", "12345678000195", "email", "rui@exemplo.com")); w.Code != http.StatusForbidden {
		t.Errorf("a form of another site: %d", w.Code)
	}
	if kept, err := s.Contacts.Requests(t.Context()); err != nil || len(kept) > 0 {
		t.Fatalf("kept %v, %v", kept, err)
	}
	const reason = "moro aqui\r\n\x00com a\xff minha\x1b[31m família"
	for _, number := range []string{"12.345.678/0001-95", "12345678000195", "11444777000161", "41330504000157"} { // the third is in no load
		leads(t, rui.post(t, "/privacidade/ocultar", "cnpj", number, "email", "rui@exemplo.com", "motivo", reason), "/privacidade/ocultar?aviso=recebido")
	}
	told(t, "hiding-received", rui.open(t, "/privacidade/ocultar?aviso=recebido"), 200)
	kept, err := s.Contacts.Requests(t.Context())
	if err != nil || len(kept) != 3 {
		t.Fatalf("kept %v, %v", kept, err)
	}
	if got := kept[0]; got.CNPJ.String() != "12345678000195" || got.Email != "rui@exemplo.com" || got.Reason != "moro aqui com a minha[31m família" {
		t.Errorf("kept %+v", got)
	}
	leads(t, rui.post(t, "/privacidade/ocultar", "cnpj", "12345678000195", "email", "eva@exemplo.com"), "/privacidade/ocultar?aviso=recebido")
	busy := rui.post(t, "/privacidade/ocultar", "cnpj", "12345678000195", "email", "leo@exemplo.com")
	told(t, "hiding-too-many", busy, http.StatusTooManyRequests)
	if busy.Header().Get("Retry-After") == "" {
		t.Error("nothing says when to try again")
	}
	if kept, err := s.Contacts.Requests(t.Context()); err != nil || len(kept) != 4 {
		t.Errorf("kept %v, %v", kept, err)
	}
}

// TestNobodyToAsk: without a contacts store the form does not exist and no page links to it.
func TestNobodyToAsk(t *testing.T) {
	t.Parallel()
	l := peopled(t)
	s, err := New(Config{Live: l.Live, Ping: l.Pool.Ping, BaseURL: "https://razao.exemplo"})
	if err != nil {
		t.Fatal(err)
	}
	h := served(s)
	if w := get(t, h, "/privacidade/ocultar"); w.Code != http.StatusNotFound {
		t.Errorf("the form: %d", w.Code)
	}
	for _, path := range []string{"/privacidade", "/termos", "/12345678000195"} {
		pagetest.Texts(t, get(t, h, path).Body.String(), nil, []string{"/privacidade/ocultar", "mailto:", "/conta"})
	}
}
