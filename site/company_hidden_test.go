package site_test

import (
	"net/http"
	"strings"
	"testing"

	"razao/internal/data/cnpj"
	"razao/internal/testing/fixture"
	"razao/site/page/pagetest"
	"razao/site/sitetest"
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
	h := sitetest.New(t, l)
	ana := h.SignedIn(t, "ana@exemplo.com.br")
	contact := []string{"DAS PALMEIRAS", "das Palmeiras", "CAMBUI", "Cambui", "01310", "3233-4455", "32334455", "@padaria.exemplo"}
	branchRow := func() string { // of the CSV; the other rows keep their contact
		for line := range strings.Lines(ana.Open(t, "/empresas.csv?tipo=todos").Body.String()) {
			if strings.HasPrefix(line, branch+",") {
				return line
			}
		}
		t.Fatal("the file lacks the branch")
		return ""
	}
	served := func() map[string]string {
		return map[string]string{
			"page": h.Body(t, "/"+branch), "Markdown": h.Body(t, "/"+branch+".md"), "CSV": branchRow(),
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
		h.Texts(t, "/"+office, []string{"das Palmeiras", "contato<wbr>@padaria.exemplo", `"email":"contato@padaria.exemplo"`}, []string{"ocultados a pedido"})
	}
	checkShown()
	before := h.Get(t, "/"+branch).Header().Get("ETag")
	l.Hide(t, parsed(t, branch))
	checkHidden()
	h.Status(t, http.StatusOK, "/"+branch, "If-None-Match", before)
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
	sitetest.LoadEmployers(t, l, sitetest.BakeryOffice, "RUA DAS PALMEIRAS 214, CAMPINAS/SP")
	h := sitetest.New(t, l)
	for _, path := range []string{"/12345678000195", "/12345678000195.md"} {
		if body := h.Body(t, path); !strings.Contains(body, "RUA DAS PALMEIRAS 214, CAMPINAS/SP") {
			t.Errorf("%s lacks the published address", path)
		}
	}
	l.Hide(t, parsed(t, "12345678000195"))
	for _, path := range []string{"/12345678000195", "/12345678000195.md"} {
		h.Texts(t, path, []string{"endereço não mostrado"}, []string{"PALMEIRAS"})
	}
}

// TestHiddenBranchInTheRecordsOfItsCompany hides the contact of a branch and checks the head
// office's page, which shows the records of all establishments.
func TestHiddenBranchInTheRecordsOfItsCompany(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	branch := cnpj.Unmask(sitetest.BakeryBranch)
	sitetest.LoadEmployers(t, l, cnpj.Unmask(sitetest.BakeryOffice), "RUA ABERTA 1, CAMPINAS/SP", branch, "RUA SEGREDO 9, CAMPINAS/SP")
	h := sitetest.New(t, l)
	h.Texts(t, "/12345678000195", []string{"RUA ABERTA", "RUA SEGREDO"}, nil)
	l.Hide(t, parsed(t, branch))
	for _, suffix := range []string{"", ".md"} {
		h.Texts(t, "/12345678000195"+suffix, []string{"RUA ABERTA", "endereço não mostrado"}, []string{"SEGREDO"})
	}
}
