package network_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"razao/internal/testing/fixture"
	"razao/internal/testing/fixture/sourcefiles"
	"razao/site/page/pagetest"
	"razao/site/sitetest"
)

// Companies of the test: a holding above two companies, one of which holds a third and, in a circle, the
// other; a person in the second and in a company of her own, where a second person is.
const (
	holding, first, second, third, own = "30000001", "30000002", "30000003", "30000004", "30000005"
	ana, bruno                         = "ANA FICTICIA DE SOUZA", "BRUNO INVENTADO"
)

func served(t *testing.T) (*fixture.Loaded, *sitetest.Site) {
	t.Helper()
	l := fixture.Empty(t)
	l.Publish(t, fixture.Network(t, []string{holding, first, second, third, own}, [][]string{
		fixture.CompanyRow(first, holding, "777888", "PROCURADORA FICTICIA"), fixture.CompanyRow(second, holding, "777888", "PROCURADORA FICTICIA"),
		fixture.CompanyRow(third, first, "777888", "PROCURADORA FICTICIA"), fixture.CompanyRow(first, third, "777888", "PROCURADORA FICTICIA"),
		fixture.PersonRow(second, "123456", ana), fixture.PersonRow(own, "123456", ana), fixture.PersonRow(own, "654321", bruno),
		fixture.ForeignRow(holding, "249", "FOREIGN EXAMPLE LLC"),
	}))
	return l, sitetest.New(t, l)
}

// TestNetworkEndsAtPersons for everybody; companies lead on to any depth.
func TestNetworkEndsAtPersons(t *testing.T) {
	t.Parallel()
	_, h := served(t)
	h.Texts(t, "/"+second+"/rede?profundidade=6",
		[]string{"Ana Ficticia de Souza", "***123456**", "Empresa 30000001 Ltda.", "Empresa 30000004 Ltda.", "Foreign Example LLC", "Pessoas diferentes podem ter o mesmo nome", "desde 14/03/2009"},
		[]string{"Bruno", own, "PROCURADORA", "Procuradora"})
	for _, path := range []string{"/rede.csv?profundidade=6", "/rede.svg?profundidade=6"} {
		if body := h.Body(t, "/"+second+path); strings.Contains(strings.ToUpper(body), "BRUNO") || !strings.Contains(strings.ToUpper(body), ana) {
			t.Errorf("%s: %s", path, body)
		}
	}
	h.Texts(t, "/"+second+"/rede?representantes=sim", []string{"Procuradora Ficticia", "representante de Empresa 30000001"}, nil)
	h.Texts(t, "/"+second+"/rede?tipo=pessoa", []string{"Ana Ficticia"}, []string{"Empresa 30000001"})
	h.Texts(t, "/socio/123456/ana-ficticia-de-souza", []string{"Empresa 30000003 Ltda.", "Empresa 30000005 Ltda.", "Pessoas diferentes podem ter"}, []string{"Bruno"})
	h.Texts(t, "/socio/ex-249/foreign-example-llc", []string{"Foreign Example LLC", "Empresa 30000001 Ltda.", "diferentes podem ter o mesmo nome"}, nil)
	h.Status(t, http.StatusNotFound, "/socio/123456/ninguem")
	h.Status(t, http.StatusNotFound, "/socio/123456/30000001")
}

// TestFurtherThroughPersonsNeedsAnAccount, and is counted as a call.
func TestFurtherThroughPersonsNeedsAnAccount(t *testing.T) {
	t.Parallel()
	_, h := served(t)
	further := "/" + second + "/rede?pessoas=sim&profundidade=3"
	sitetest.Leads(t, h.Visitor().Open(t, further), "/login?next="+url.QueryEscape(further))
	ana := h.SignedIn(t, "ana@exemplo.com")
	answer := ana.Open(t, further)
	sitetest.Shows(t, answer, 200, []string{"Bruno Inventado", "Empresa 30000005 Ltda.", "conta no limite"}, nil)
	if cache := answer.Header().Get("Cache-Control"); !strings.Contains(cache, "no-store") {
		t.Errorf("the answer may be kept: %q", cache)
	}
	chain := "/caminho?" + url.Values{"de": {second}, "para": {"654321 Bruno Inventado"}}.Encode()
	h.Texts(t, chain, []string{"Nenhum caminho", "só através de empresas"}, []string{"Ana Ficticia"})
	sitetest.Shows(t, ana.Open(t, chain+"&pessoas=sim"), 200, []string{"1 caminho", "Ana Ficticia de Souza", "Bruno Inventado"}, nil)
	for range 58 {
		ana.Open(t, further)
	}
	if w := ana.Open(t, further); w.Code != http.StatusTooManyRequests || w.Header().Get("Retry-After") == "" {
		t.Errorf("the 61st in a minute: %d, %v", w.Code, w.Header())
	}
}

// TestCountedPagesAreRecorded with the status that they ended in.
func TestCountedPagesAreRecorded(t *testing.T) {
	t.Parallel()
	l, h := served(t)
	ana := h.SignedIn(t, "ana@exemplo.com")
	for _, path := range []string{"/" + second + "/rede?pessoas=sim", "/" + second + "/rede?pessoas=sim&profundidade=9", "/99999999/rede?pessoas=sim"} {
		ana.Open(t, path)
	}
	var statuses []int
	fixture.Wait(t, "the history", func() bool {
		rows, err := l.Pool.Query(t.Context(), `SELECT status FROM usage_call ORDER BY status`)
		if err != nil {
			t.Fatal(err)
		}
		if statuses, err = pgx.CollectRows(rows, pgx.RowTo[int]); err != nil {
			t.Fatal(err)
		}
		return len(statuses) == 3
	})
	if !slices.Equal(statuses, []int{200, 404, 422}) {
		t.Errorf("recorded: %v", statuses)
	}
}

// TestNetworksAsTheyAre: a company that the load does not have is said to be none of it, homonyms are shown, two partners of each other are one
// chain, a person is found at its end without an account, and more chains than fit are not all.
func TestNetworksAsTheyAre(t *testing.T) {
	t.Parallel()
	const absent, left, right = "39999999", "30000011", "30000012"
	rows := [][]string{
		fixture.CompanyRow(first, second, "777888", "PROCURADORA FICTICIA"), fixture.CompanyRow(second, first, "777888", "PROCURADORA FICTICIA"),
		fixture.CompanyRow(first, absent, "777888", "PROCURADORA FICTICIA"), fixture.PersonRow(third, "654321", bruno), fixture.CompanyRow(third, first, "777888", "PROCURADORA FICTICIA"),
	}
	for company, age := range map[string]string{first: "3", second: "8"} {
		row := fixture.PersonRow(company, "123456", ana)
		row[10] = age
		rows = append(rows, row)
	}
	roots := []string{first, second, third, left, right}
	for i := range 6 {
		between := fmt.Sprintf("%08d", 30_000_020+i)
		roots = append(roots, between)
		rows = append(rows, fixture.CompanyRow(left, between, "777888", "PROCURADORA FICTICIA"), fixture.CompanyRow(right, between, "777888", "PROCURADORA FICTICIA"))
	}
	l := fixture.Empty(t)
	l.Publish(t, fixture.Network(t, roots, rows))
	h := sitetest.New(t, l)
	const said = "São homônimos, ao menos 2 pessoas: as linhas têm faixas etárias diferentes, 21 a 30 anos e 71 a 80 anos."
	h.Texts(t, "/"+first+"/rede", []string{"Empresa que não consta da carga, 39.999.999", said}, nil)
	h.Texts(t, "/"+third+"/rede?profundidade=1", []string{"Bruno"}, []string{"São homônimos", "não consta da carga"})
	h.Texts(t, "/socio/123456/ana-ficticia-de-souza", []string{said}, nil)
	h.Texts(t, "/socio/654321/bruno-inventado", nil, []string{"São homônimos"})
	chain := func(from, to string) string { return "/caminho?" + url.Values{"de": {from}, "para": {to}}.Encode() }
	h.Texts(t, chain(first, second), []string{"1 caminho", "tem como Sócio desde 14/03/2009, e é Sócio desde 14/03/2009 em"}, []string{"Há outros caminhos"})
	h.Texts(t, chain(first, "654321 Bruno Inventado"), []string{"1 caminho", "Bruno Inventado"}, nil)
	h.Texts(t, chain(left, right), []string{"5 caminhos", "Há outros caminhos, tão curtos como estes."}, []string{"A procura parou"})
}

// TestContactsInCommon are shown if they are asked for: in the table, the drawing and the file.
func TestContactsInCommon(t *testing.T) {
	t.Parallel()
	_, h := served(t)
	path := "/" + first + "/rede?contatos=sim"
	for _, text := range []string{"Mesmo telefone: (19) 3233-4455", "Mesmo endereço: Rua das Palmeiras, 214", "stroke-dasharray", "Tracejado: representante legal, ou o mesmo contato.", "sugerem um vínculo", "Tirar os contatos em comum"} {
		if body := h.Body(t, path); !strings.Contains(body, text) {
			t.Errorf("%s: no %q", path, text)
		}
		if body := h.Body(t, "/"+first+"/rede"); strings.Contains(body, text) {
			t.Errorf("%q without being asked for", text)
		}
	}
	if file := h.Body(t, "/"+first+"/rede.csv?contatos=sim"); !strings.Contains(file, "Mesmo telefone: (19) 3233-4455") {
		t.Error(file)
	}
}

// TestPagesOfPersonsAreNotForSearchEngines: no index, no sitemap, no ranking, no search by document.
func TestPagesOfPersonsAreNotForSearchEngines(t *testing.T) {
	t.Parallel()
	l := fixture.Empty(t)
	l.Publish(t, fixture.Published(t, "2026-09"))
	h := sitetest.New(t, l)
	for path, noindex := range map[string]bool{
		"/" + fixture.Bakery + "/rede": true, "/" + fixture.Holding + "/rede": true, "/socio/456789/marta-figueira-inventada": true, "/caminho": false,
		"/caminho?de=" + fixture.Bakery + "&para=" + fixture.Holding: true, "/" + fixture.MEI + "/rede": true, "/" + fixture.Bakery + "/grupo": false, "/" + fixture.MEI + "/grupo": true, "/transparencia": false,
	} {
		if got := strings.Contains(h.Body(t, path), `<meta name="robots" content="noindex`); got != noindex {
			t.Errorf("%s: noindex %t", path, got)
		}
	}
	for _, path := range []string{"/" + fixture.Bakery + "/rede.csv", "/" + fixture.Bakery + "/rede.svg"} {
		if w := h.Get(t, path); w.Code != 200 || strings.HasSuffix(path, "svg") && !strings.Contains(w.Header().Get("X-Robots-Tag"), "noindex") {
			t.Errorf("%s: %d %v", path, w.Code, w.Header())
		}
	}
	for _, query := range []string{"456789", "***456789**"} {
		h.Texts(t, "/busca?"+url.Values{"q": {query}}.Encode(), nil, []string{"Marta", "MARTA"})
	}
	for path := range map[string]bool{"/sitemap.xml": true, "/sitemaps/0001.xml.gz": true} {
		if w := h.Get(t, path); strings.Contains(w.Body.String(), "/socio/") || strings.Contains(w.Body.String(), "/rede") {
			t.Errorf("%s has pages of persons", path)
		}
	}
}

// TestGroup: what the members owe, itemised, circles named, and no verdict.
func TestGroup(t *testing.T) {
	t.Parallel()
	l, _ := served(t)
	l.Source(t, "pgfn", sourcefiles.Debts(t, []sourcefiles.Debt{{CNPJ: fixture.Full(t, holding).String(), Cents: 100_00}, {CNPJ: fixture.Full(t, third).String(), Cents: 23_45}, {CNPJ: fixture.Full(t, own).String(), Cents: 1}}), "")
	h := sitetest.New(t, l)
	h.Texts(t, "/"+third+"/grupo",
		[]string{
			"4 empresas", "Não é parecer jurídico", "R$\u00a0123,45 em 2 empresas", "R$\u00a0100,00", "R$\u00a023,45", "sem carga", "Matrizes por estado", "SP 4",
			"Empresa 30000004 Ltda. → Empresa 30000002 Ltda. → Empresa 30000004 Ltda.",
		}, []string{"Ana Ficticia", own})
	rows := sitetest.Table(t, h.Get(t, "/"+third+"/grupo.csv"))
	sum := map[string]string{}
	for _, r := range rows {
		if r["fonte"] == "pgfn" {
			sum[r["cnpj_basico"]] = r["total"]
		}
	}
	if len(rows) != 6 || sum[holding] != "100.00" || sum[third] != "23.45" {
		t.Errorf("%d rows, debts %v", len(rows), sum)
	}
	h.Texts(t, "/"+own+"/grupo", []string{"Nenhum sócio desta empresa é uma empresa"}, nil)
}

// TestAddresses: other forms of a number lead to the company, bad ones are refused and named.
func TestAddresses(t *testing.T) {
	t.Parallel()
	_, h := served(t)
	office := fixture.Full(t, holding).String()
	for path, want := range map[string]int{
		"/" + office + "/rede": 301, "/" + office + "/grupo": 301, "/99999999/rede": 404, "/99999999/grupo": 404, "/99999999/rede.csv": 404, "/9999/rede": 404,
		"/" + holding + "/rede?profundidade=7": 422, "/" + holding + "/rede?tipo=x": 422, "/" + holding + "/rede?uf=XX": 422, "/" + holding + "/rede?pessoas=nao": 422,
		"/" + holding + "/rede?representantes=1": 422, "/caminho?de=x&para=" + holding: 422, "/caminho?de=" + holding: 422, "/caminho?de=99999999&para=" + holding: 404,
		"/caminho?de=123456+NINGUEM&para=" + holding: 422, "/" + holding + "/rede.svg": 200, "/" + fixture.MEI + "/rede.svg": 404,
	} {
		h.Status(t, want, path)
	}
	if w := h.Get(t, "/"+office+"/rede?profundidade=3"); w.Header().Get("Location") != "/"+holding+"/rede?profundidade=3" {
		t.Errorf("led to %s", w.Header().Get("Location"))
	}
}

// TestFormsOfPathsKeepWhatWasTyped when one of the fields, or both, are wrong, and name it.
func TestFormsOfPathsKeepWhatWasTyped(t *testing.T) {
	t.Parallel()
	_, h := served(t)
	for _, c := range []struct {
		from, to string
		status   int
		wrong    []string
	}{
		{"nada disso", holding, 422, []string{"de"}},
		{holding, "123456 NINGUEM", 422, []string{"para"}},
		{holding, "99999999", 404, []string{"para"}},
		{"99999999", "", 422, []string{"de", "para"}},
		{"11222333000199", second, 422, []string{"de"}},
		{first, second, 200, nil},
	} {
		w := h.Get(t, "/caminho?"+url.Values{"de": {c.from}, "para": {c.to}}.Encode())
		body := w.Body.String()
		if w.Code != c.status || !strings.Contains(body, `name="de" value="`+c.from+`"`) || !strings.Contains(body, `name="para" value="`+c.to+`"`) {
			t.Errorf("%q to %q: %d: %s", c.from, c.to, w.Code, body)
		}
		for _, name := range []string{"de", "para"} {
			if wrong := strings.Contains(body, `<li id="`+name+`-erro"><a href="#`+name+`">`); wrong != slices.Contains(c.wrong, name) || wrong != strings.Contains(body, `aria-describedby="`+name+`-erro"`) {
				t.Errorf("%q to %q: %s is named as wrong: %t", c.from, c.to, name, wrong)
			}
		}
		if strings.Contains(body, `id="caminhos"`) != (c.wrong == nil) {
			t.Errorf("%q to %q: an answer beside a refusal, or none", c.from, c.to)
		}
	}
}

// TestAccountsAreOfferedToStrangers, and not to those who have one.
func TestAccountsAreOfferedToStrangers(t *testing.T) {
	t.Parallel()
	_, h := served(t)
	ana := h.SignedIn(t, "ana@exemplo.com")
	for path, text := range map[string]string{"/" + second + "/rede": "Com uma conta", "/caminho?de=" + first + "&para=" + second: "pede uma conta"} {
		h.Texts(t, path, []string{text}, nil)
		pagetest.Texts(t, ana.Open(t, path).Body.String(), []string{"através"}, []string{text})
	}
}

// TestHubsAreSaid, in the page of the network.
func TestHubsAreSaid(t *testing.T) {
	t.Parallel()
	var roots []string
	var rows [][]string
	for i := range 120 {
		root := fmt.Sprintf("%08d", 40_000_000+i)
		roots, rows = append(roots, root), append(rows, fixture.CompanyRow(root, holding, "777888", "PROCURADORA FICTICIA"))
	}
	l := fixture.Empty(t)
	l.Publish(t, fixture.Network(t, append(roots, holding), rows))
	h := sitetest.New(t, l)
	body := h.Body(t, "/"+holding+"/rede")
	pagetest.Texts(t, body, []string{"está em mais 20 empresas que não estão aqui", "mais 41 estão só na tabela"}, nil)
	if n := strings.Count(body, "<rect"); n != 60 {
		t.Errorf("%d nodes are drawn", n)
	}
}
