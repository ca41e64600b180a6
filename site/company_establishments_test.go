package site_test

import (
	"fmt"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"razao/internal/data/cnpj"
	"razao/internal/data/ptbr"
	"razao/internal/testing/fixture"
	"razao/site/page/pagetest"
	"razao/site/sitetest"
)

// branch is a generated establishment.
type branch struct{ number, uf, city, status string }

// manyBranches returns the chain's establishments plus generated rows in several states, cities and
// statuses, 5,000 in all.
func manyBranches(t testing.TB) (all []branch, rows string) {
	t.Helper()
	root, err := cnpj.ParseRoot(fixture.Chain)
	if err != nil {
		t.Fatal(err)
	}
	places := [][2]string{{"SP", "6291"}, {"SP", "7107"}, {"RJ", "6001"}, {"MG", "4123"}, {"SP", "6291"}}
	statuses := []string{"02", "08", "02", "04", "02", "02", "03"}
	var text strings.Builder
	for i := range 5000 {
		order, err := cnpj.ParseOrder(fmt.Sprintf("%04d", i+1))
		if err != nil {
			t.Fatal(err)
		}
		b := branch{cnpj.Join(root, order).String(), "SP", "6291", "02"}
		if i < fixture.ChainSize {
			if i%4 == 3 {
				b.status = "08"
			}
			all = append(all, b)
			continue
		}
		b.uf, b.city, b.status = places[i%len(places)][0], places[i%len(places)][1], statuses[i%len(statuses)]
		all = append(all, b)
		row := []string{
			fixture.Chain, fmt.Sprintf("%04d", i+1), cnpj.Join(root, order).CheckDigits(), "2", "", b.status, "20090314", "00", "", "", "20090314", "4711302", "",
			"RUA", "DAS PALMEIRAS", "214", "", "CAMBUI", "13024100", b.uf, b.city, "", "", "", "", "", "", "", "", "",
		}
		text.WriteString(`"` + strings.Join(row, `";"`) + "\"\n")
	}
	return all, text.String()
}

var (
	captioned = regexp.MustCompile(`<caption>([\d.]+) estabelecimentos?`)
	tallied   = regexp.MustCompile(`<a href="([^"]*)#estabelecimentos" rel="nofollow">[^<]*</a>(?:</th><td class="drawn">.*?</td><td class="num">| )([\d.]+)`)
	listed    = regexp.MustCompile(`<tr><th scope="row" class="id"><a href="/(\w{14})"`)
)

// TestEstablishmentsAreCountedAndFiltered compares counts, rows and pages of a company with 5,000
// establishments to a brute-force loop over the generated rows.
func TestEstablishmentsAreCountedAndFiltered(t *testing.T) {
	t.Parallel()
	all, rows := manyBranches(t)
	first := `"` + fixture.Chain + `";"0001"`
	l := fixture.Empty(t)
	l.Publish(t, fixture.Published(t, "2026-09", first, rows+first))
	h := sitetest.New(t, l)
	chain := "/" + fixture.Full(t, fixture.Chain).String()
	for _, uf := range []string{"", "SP", "RJ", "SC"} {
		for _, city := range []string{"", "6291", "6001"} {
			for _, status := range []string{"", "02", "04", "01"} {
				for _, number := range []int{1, 7} {
					checkBranches(t, h, chain, branch{uf: uf, city: city, status: status}, number, all)
				}
			}
		}
	}
	began := time.Now()
	for range 20 {
		h.Get(t, chain+"?estabelecimentos_uf=RJ")
	}
	t.Logf("a page of a company of %d establishments: %v", len(all), time.Since(began)/20)

	for _, bad := range []string{"estabelecimentos_uf=ZZ", "estabelecimentos_municipio=0", "estabelecimentos_situacao=9999"} {
		h.Status(t, http.StatusUnprocessableEntity, chain+"?"+bad)
	}
	body := h.Body(t, chain+"?estabelecimentos_uf=RJ&socios_pagina=2")
	pagetest.Texts(t, body, []string{
		`<form class="brief" action="` + chain + `#estabelecimentos">`, `<input type="hidden" name="estabelecimentos_uf" value="RJ">`,
		`<input type="hidden" name="socios_pagina" value="2">`, `href="/busca?q=` + fixture.Chain + `"`, "5.000 estabelecimentos, ",
	}, []string{`name="estabelecimentos_pagina" value="2"`})
}

// BenchmarkEstablishments renders a company with 5,000 establishments, all of which are read for
// counts and filters.
func BenchmarkEstablishments(b *testing.B) {
	_, rows := manyBranches(b)
	first := `"` + fixture.Chain + `";"0001"`
	l := fixture.Empty(b)
	l.Publish(b, fixture.Published(b, "2026-09", first, rows+first))
	h := sitetest.New(b, l)
	chain := "/" + fixture.Full(b, fixture.Chain).String()
	b.ReportAllocs()
	for b.Loop() {
		h.Get(b, chain)
	}
}

// checkBranches compares one page of the list with the brute-force result.
func checkBranches(t *testing.T, h *sitetest.Site, chain string, f branch, number int, all []branch) {
	t.Helper()
	query := url.Values{"estabelecimentos_pagina": {strconv.Itoa(number)}}
	for name, value := range map[string]string{"uf": f.uf, "municipio": f.city, "situacao": f.status} {
		if value != "" {
			query.Set("estabelecimentos_"+name, value)
		}
	}
	var found []string
	counts := map[string]int{}
	for _, b := range all {
		uf, city, status := f.uf == "" || f.uf == b.uf, f.city == "" || f.city == b.city, f.status == "" || f.status == b.status
		if uf && city && status {
			found = append(found, b.number)
		}
		if uf && city {
			counts["situacao="+b.status]++
		}
		if status {
			counts["uf="+b.uf]++
			if uf && (f.uf != "" || f.city != "") {
				counts["municipio="+b.city]++
			}
		}
	}
	delete(counts, "situacao="+f.status) // the chosen ones lead back
	delete(counts, "uf="+f.uf)
	delete(counts, "municipio="+f.city)
	w := h.Get(t, chain+"?"+query.Encode())
	body := w.Body.String()
	got := map[string]int{}
	for _, m := range tallied.FindAllStringSubmatch(body, -1) {
		address, err := url.Parse(html.UnescapeString(m[1]))
		if err != nil {
			t.Fatal(err)
		}
		chosen := address.Query()
		n, err := strconv.Atoi(strings.ReplaceAll(m[2], ".", ""))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"uf", "municipio", "situacao"} { // another state leaves the municipality out
			if value := chosen.Get("estabelecimentos_" + name); value != query.Get("estabelecimentos_"+name) {
				got[name+"="+value] = n
				break
			}
		}
	}
	if fmt.Sprint(got) != fmt.Sprint(counts) {
		t.Errorf("%s: status %d, counted %v, want %v", query.Encode(), w.Code, got, counts)
	}
	from, to := min((number-1)*20, len(found)), min(number*20, len(found))
	var numbers []string
	for _, m := range listed.FindAllStringSubmatch(body, -1) {
		numbers = append(numbers, m[1])
	}
	if !slices.Equal(numbers, found[from:to]) {
		t.Errorf("%s: listed %v, want %v", query.Encode(), numbers, found[from:to])
	}
	if m := captioned.FindStringSubmatch(body); from < to && (m == nil || m[1] != ptbr.Count(len(found))) {
		t.Errorf("%s: the caption says %v, want %d", query.Encode(), m, len(found))
	}
}

// TestCiteCopyPrint: a company page offers citing, copying and printing, and hiding the contact if
// the form exists.
func TestCiteCopyPrint(t *testing.T) {
	t.Parallel()
	h := sitetest.Released(t)
	body := h.Body(t, "/12345678000195")
	pagetest.Texts(t, body, []string{
		`data-print>Imprimir</button>`, `data-copy="https://razao.exemplo/12345678000195"`, "<summary>Citar</summary>",
		"RAZÃO. Padaria Estrela do Sul Ltda. (CNPJ 12.345.678/0001-95). Dados abertos do CNPJ, competência 09/2026. Disponível em: https://razao.exemplo/12345678000195. Acesso em: <span data-today>[dia, mês e ano em que você leu]</span>.",
	}, nil)
	contact, _, _ := strings.Cut(body[strings.Index(body, "<dt>Contato</dt>"):], "</dd>")
	if !strings.Contains(contact, `href="/privacidade/ocultar?cnpj=12345678000195"`) {
		t.Errorf("no way to hide it beside the contact: %s", contact)
	}
	h.Texts(t, "/"+sitetest.MEINumber, []string{"<summary>Citar</summary>"}, []string{"/privacidade/ocultar?cnpj="})
}
