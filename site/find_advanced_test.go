package site_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"razao/index/filter"
	"razao/site/sitetest"
)

func TestAdvancedPages(t *testing.T) {
	t.Parallel()
	h := sitetest.Released(t)
	h.Compare(t, "advanced", []sitetest.Page{
		sitetest.Case("empty", "/busca/avancada", 200),
		sitetest.Case("mistakes", "/busca/avancada?buscar=1&q=padaria&cnae=zz&abertura_de=ontem&municipio=Campinas&capital_de=100&capital_ate=10", 422),
	})
}

// TestAdvancedFormKeepsEveryFilter submits each filter and reopens the form from the resulting
// address.
func TestAdvancedFormKeepsEveryFilter(t *testing.T) {
	t.Parallel()
	h := sitetest.Released(t)
	values := map[string][]string{
		filter.CNAE: {"1091-1/02 Fabricação", "47"}, filter.CNAEAny: {"-1091102"}, filter.CNAESecondary: {"56"}, filter.UF: {"sp", "-RJ"}, filter.Municipio: {"Campinas/SP"}, filter.Bairro: {"Cambuí"},
		filter.CEP: {"130"}, filter.Pais: {"-249"}, filter.Motivo: {"00"}, filter.Natureza: {"206-2"}, filter.PartnerRole: {"49"}, filter.DDD: {"19"},
		filter.Domain: {"padaria.exemplo"}, filter.Street: {"Rua das Palmeiras"}, filter.House: {"214"}, filter.Phone: {"(19) 3233-4455"},
		filter.Address: {"contato@padaria.exemplo"},
	}
	for _, c := range filter.All() {
		given := values[c.Name]
		switch {
		case given != nil:
		case c.Form == filter.Date:
			given = []string{"2020-01-31"}
		case c.Form == filter.Year:
			given = []string{"2020"}
		case c.Form == filter.Amount:
			given = []string{"R$ 1,5 mil"}
		case c.Form == filter.Number:
			given = []string{"2"}
		case len(c.Options) > 0:
			given = []string{c.Options[len(c.Options)-1].Value}
		default:
			given = []string{map[string]string{filter.Situacao: "02", filter.Porte: "05", filter.PartnerAge: "3"}[c.Name]}
		}
		if given[0] == "" {
			t.Errorf("no value of the filter %s is known here: add one to values", c.Name)
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			w := h.Get(t, "/busca/avancada?buscar=1&q=&mei=&"+url.Values{c.Name: {strings.Join(given, "; ")}}.Encode())
			to, err := url.Parse(w.Header().Get("Location"))
			if err != nil || w.Code != http.StatusSeeOther || to.Path != "/busca" || len(to.Query()) != 1 || len(to.Query()[c.Name]) != len(given) {
				t.Fatalf("%q: %d %s, %v", given, w.Code, w.Header().Get("Location"), err)
			}
			h.Status(t, 200, to.String(), "Accept", sitetest.HTML)
			form := h.Body(t, "/busca/avancada?"+to.RawQuery, "Accept", sitetest.HTML)
			again := h.Get(t, "/busca/avancada?"+formValues(t, form).Encode())
			if got := again.Header().Get("Location"); got != to.String() {
				t.Errorf("filled in again it leads to %q, not %q", got, to)
			}
			results := h.Body(t, to.String(), "Accept", sitetest.HTML)
			if link := `/busca/avancada?` + strings.ReplaceAll(to.RawQuery, "&", "&amp;"); !strings.Contains(results, link) {
				t.Errorf("%s does not lead to the form as filled in", to)
			}
		})
	}
}

// formValues returns what a browser would submit for the form of a page.
func formValues(t *testing.T, body string) url.Values {
	t.Helper()
	_, form, ok := strings.Cut(body, `<form class="stack advanced"`)
	if !ok {
		t.Fatal("there is no form")
	}
	values := url.Values{}
	attribute := func(input, name string) string {
		m := regexp.MustCompile(` ` + name + `="([^"]*)"`).FindStringSubmatch(input)
		if m == nil {
			return ""
		}
		return html.UnescapeString(m[1])
	}
	for _, input := range regexp.MustCompile(`<input [^>]*>`).FindAllString(form, -1) {
		if kind := attribute(input, "type"); (kind == "radio" || kind == "checkbox") && !strings.Contains(input, " checked") {
			continue
		}
		values.Add(attribute(input, "name"), attribute(input, "value"))
	}
	return values
}
