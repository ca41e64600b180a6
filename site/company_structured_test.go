package site_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"razao/internal/testing/fixture"
	"razao/site/page/pagetest"
	"razao/site/sitetest"
)

// structuredIn returns the parsed JSON-LD of a page, nil if there is none.
func structuredIn(t *testing.T, body string) any {
	t.Helper()
	const opening = `<script type="application/ld+json">`
	if !strings.Contains(body, opening) {
		return nil
	}
	var data any
	if err := json.Unmarshal([]byte(pagetest.Between(body, opening, "</script>")), &data); err != nil { // the first end tag, as a browser reads it
		t.Fatal(err)
	}
	return data
}

func TestStructuredData(t *testing.T) {
	t.Parallel()
	h := sitetest.Released(t)
	const site = "https://razao.exemplo"
	crumbs := func(steps ...string) string {
		type item struct {
			Type     string `json:"@type"`
			Position int    `json:"position"`
			Name     string `json:"name"`
			Item     string `json:"item"`
		}
		var items []item
		for i := 0; i < len(steps); i += 2 {
			items = append(items, item{"ListItem", i/2 + 1, steps[i], site + steps[i+1]})
		}
		text, err := json.Marshal(map[string]any{"@type": "BreadcrumbList", "itemListElement": items})
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	const address = `"address":{"@type":"PostalAddress","streetAddress":"Rua das Palmeiras, 214, Cambui","addressLocality":"Campinas","addressRegion":"SP","postalCode":"13024-100","addressCountry":"BR"},
		"telephone":["(19) 3233-4455"],"email":"contato@padaria.exemplo"`
	masked := func(root string) string { return parsed(t, fixture.Full(t, root).String()).Masked() }
	hostile := "/" + fixture.Full(t, fixture.Hostile).String()
	cases := map[string]string{ // without the context
		"/12345678000195": `{"@type":"Organization","@id":"` + site + `/12345678000195#empresa","mainEntityOfPage":"` + site + `/12345678000195",
			"name":"Padaria Estrela do Sul Ltda.","legalName":"PADARIA ESTRELA DO SUL LTDA","alternateName":"Estrela do Sul Pães e Doces",
			"taxID":"12.345.678/0001-95","foundingDate":"2009-03-14",` + address + `},` +
			crumbs("Início", "/", "São Paulo", "/uf/sp", "Campinas", "/uf/sp/campinas", "Padaria Estrela do Sul Ltda.", "/12345678000195"),
		"/" + fixture.Full(t, fixture.Closed).String(): `{"@type":"Organization","@id":"` + site + `/` + fixture.Full(t, fixture.Closed).String() + `#empresa","mainEntityOfPage":"` + site + `/` + fixture.Full(t, fixture.Closed).String() + `",
			"name":"Transportes Antigos Ltda. - ME","legalName":"TRANSPORTES ANTIGOS LTDA - ME","taxID":"` + masked(fixture.Closed) + `","dissolutionDate":"2018-12-31",` + address + `},` +
			crumbs("Início", "/", "São Paulo", "/uf/sp", "Campinas", "/uf/sp/campinas", "Transportes Antigos Ltda. - ME", "/"+fixture.Full(t, fixture.Closed).String()),
		"/" + fixture.Full(t, fixture.Abroad).String(): `{"@type":"Organization","@id":"` + site + `/` + fixture.Full(t, fixture.Abroad).String() + `#empresa","mainEntityOfPage":"` + site + `/` + fixture.Full(t, fixture.Abroad).String() + `",
			"name":"Overseas Holdings Exemplo Inc","legalName":"OVERSEAS HOLDINGS EXEMPLO INC","taxID":"` + masked(fixture.Abroad) + `","foundingDate":"2009-03-14",
			"address":{"@type":"PostalAddress","streetAddress":"Calle Exemplo, 214, Cambui","addressLocality":"Montevideu","addressCountry":"Uruguai"}},` +
			crumbs("Início", "/", "Exterior", "/uf/ex", "Overseas Holdings Exemplo Inc", "/"+fixture.Full(t, fixture.Abroad).String()),
		hostile: `{"@type":"Organization","@id":"` + site + hostile + `#empresa","mainEntityOfPage":"` + site + hostile + `",
			"name":"\"<Script>Alert('Oi')</Script>\" & Cia Ltda.","legalName":"\"<SCRIPT>ALERT('OI')</SCRIPT>\" & CIA LTDA","alternateName":"<B>Negrito</B>",
			"taxID":"` + masked(fixture.Hostile) + `","foundingDate":"2009-03-14",` + address + `},` +
			crumbs("Início", "/", "São Paulo", "/uf/sp", "Campinas", "/uf/sp/campinas", `"<Script>Alert('Oi')</Script>" & Cia Ltda.`, hostile),
	}
	for path, graph := range cases {
		var want any
		if err := json.Unmarshal([]byte(`{"@context":"https://schema.org","@graph":[`+graph+`]}`), &want); err != nil {
			t.Fatal(path, err)
		}
		if diff := cmp.Diff(want, structuredIn(t, h.Body(t, path))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", path, diff)
		}
	}
	for _, root := range []string{fixture.MEI, fixture.OldMEI} {
		if w := h.Get(t, "/"+fixture.Full(t, root).String()); w.Code != http.StatusOK || structuredIn(t, w.Body.String()) != nil {
			t.Errorf("%s: status %d; a page that is kept out of search engines says something to them", root, w.Code)
		}
	}
	branch := structuredIn(t, h.Body(t, "/1234567800A479"))
	organization, _ := branch.(map[string]any)["@graph"].([]any)[0].(map[string]any)
	if organization["foundingDate"] != nil || organization["taxID"] != "12.345.678/00A4-79" {
		t.Errorf("a branch: %v", organization)
	}
}
