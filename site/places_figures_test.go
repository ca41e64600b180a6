package site_test

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"razao/internal/data/ptbr"
	"razao/internal/data/territory"
	"razao/internal/testing/fixture"
	"razao/site/chart"
	"razao/site/page"
	"razao/site/page/pagetest"
	"razao/site/sitetest"
)

// The limits of the ranking and of the charts of a place.
const (
	municipalitiesShown = 100
	yearsShown          = 20
)

func TestStates(t *testing.T) {
	t.Parallel()
	h := sitetest.Published(t)
	atlas := fixture.Atlas(t)
	all := h.Establishments(t)
	people := 0
	for _, m := range atlas.Municipalities() {
		if m.UF == "SP" {
			people += m.Population
		}
	}
	companies := all.Count(sitetest.Head, sitetest.Active, sitetest.InUF("SP"))
	capital := all.Capital(sitetest.InUF("SP"))
	shaded := "<title>São Paulo: " + ptbr.Join(", ", ptbr.Rounded(capital.Sum), capital.LeftOut()) + "</title>"
	for _, order := range []string{"", "por_mil", "aberturas", "baixas", "capital"} {
		body := h.Body(t, "/estados?ordem="+order)
		pagetest.Form(t, body)
		if strings.Contains(body, shaded) != (order == "capital") {
			t.Errorf("ordem=%s: the map says of São Paulo %q or not", order, shaded)
		}
		d := rankingIn(t, body)
		if n := len(d.Rows()); n != 27 {
			t.Fatalf("ordem=%s: %d rows, want 27", order, n)
		}
		first := d.Rows()[0]
		want := fmt.Sprintf("1 São Paulo %d %s %d %d %s", companies, ptbr.Rate(float64(companies)*1000/float64(people)),
			all.Count(sitetest.InUF("SP"), sitetest.OpenedIn(2025)), all.Count(sitetest.InUF("SP"), sitetest.Closed), ptbr.Join(" ", ptbr.Sum(capital.Sum), capital.LeftOut()))
		if order != "aberturas" && strings.ReplaceAll(first.Text(), ptbr.NBSP, " ") != strings.ReplaceAll(want, ptbr.NBSP, " ") {
			t.Errorf("ordem=%s: first row %q, want %q", order, first.Text(), want)
		}
		checkShares(t, d, order)
		if sorted := len(d.Of("th", "aria-sort", "descending")); sorted != 1 {
			t.Errorf("ordem=%s: %d columns say that they order the table", order, sorted)
		}
	}
	body := h.Body(t, "/estados?ordem=nome")
	d := pagetest.Parse(t, body)
	if bars := rankingIn(t, body).Of("svg", "class", "bar"); bars != nil {
		t.Errorf("by name there are %d bars", len(bars))
	}
	if first := rankingIn(t, body).Rows()[0].Text(); !strings.HasPrefix(first, "1 Acre 0 0,0") {
		t.Errorf("by name the first is %q", first)
	}
	shapes := 0
	for _, path := range d.All("path") {
		if strings.HasPrefix(path.Attribute("class"), "t") {
			shapes++
		}
	}
	if shapes != 27 {
		t.Errorf("the map has %d states", shapes)
	}
}

// checkShares expects in every row a bar in the column of the order, full in the first row and, for counts,
// the share of its number in that of the first.
func checkShares(t *testing.T, ranking pagetest.Document, order string) {
	t.Helper()
	if first := ranking.Rows()[0].Of("td", "class", "num by"); len(first) == 1 && first[0].Text() == "0" {
		if bars := ranking.Of("svg", "class", "bar"); bars != nil {
			t.Errorf("ordem=%s: %d bars of nothing", order, len(bars))
		}
		return
	}
	var most int64
	for i, row := range ranking.Rows() {
		cells := row.Of("td", "class", "num by")
		if len(cells) != 1 || len(row.Of("svg", "class", "bar")) != 1 || len(cells[0].All("rect")) != 1 {
			t.Fatalf("ordem=%s: row %d has no bar in the column of the order", order, i+1)
		}
		width := cells[0].All("rect")[0].Attribute("width")
		if i == 0 && width != "100.0%" {
			t.Errorf("ordem=%s: the first bar is %s wide", order, width)
		}
		n, err := strconv.ParseInt(strings.ReplaceAll(cells[0].Text(), ".", ""), 10, 64)
		if err != nil { // a rate or an amount
			continue
		}
		if most = max(most, n); width != chart.Share(n, most)+"%" {
			t.Errorf("ordem=%s: %d of %d has a bar of %s", order, n, most, width)
		}
	}
}

// rankingIn returns the table of a ranking.
func rankingIn(t *testing.T, body string) pagetest.Document {
	t.Helper()
	for _, table := range pagetest.Parse(t, body).Of("table", "class", "ranking") {
		return table
	}
	t.Fatal("there is no ranking")
	return pagetest.Document{}
}

func TestMunicipalities(t *testing.T) {
	t.Parallel()
	h := sitetest.Published(t)
	all := h.Establishments(t)
	body := h.Body(t, "/municipios")
	pagetest.Form(t, body)
	d := pagetest.Parse(t, body)
	table := rankingIn(t, body)
	if n := len(table.Rows()); n != municipalitiesShown {
		t.Errorf("%d rows, want %d", n, municipalitiesShown)
	}
	if first := table.Rows()[0]; first.Links()["Campinas /SP"] != "/uf/sp/campinas" && first.Links()["Campinas/SP"] != "/uf/sp/campinas" {
		t.Errorf("first row: %v", first.Links())
	}
	dots := 0
	for _, path := range d.All("path") {
		if strings.HasPrefix(path.Attribute("class"), "dots") && path.Attribute("d") != "M20 20h0" {
			dots += strings.Count(path.Attribute("d"), "h0")
		}
	}
	if dots != 2 {
		t.Errorf("%d municipalities with companies on the map, want 2", dots)
	}
	file := sitetest.Table(t, h.Get(t, "/municipios.csv"))
	if len(file) != 5571 {
		t.Fatalf("%d rows in the CSV, want 5571", len(file))
	}
	for i, row := range file {
		if row["posicao"] != strconv.Itoa(i+1) || len(row["codigo_municipio_ibge"]) != 7 || row["competencia"] != fixture.Month {
			t.Fatalf("row %d: %v", i, row)
		}
	}
	capital := all.Capital(sitetest.InCity("6291"))
	got := file[0]
	want := map[string]string{
		"municipio": "Campinas", "uf": "SP", "codigo_municipio": "6291", "codigo_municipio_ibge": "3509502",
		"empresas_ativas":         strconv.Itoa(all.Count(sitetest.Head, sitetest.Active, sitetest.InCity("6291"))),
		"estabelecimentos_ativos": strconv.Itoa(all.Count(sitetest.Active, sitetest.InCity("6291"))),
		"ano_aberturas":           "2025", "aberturas": "0", "baixadas": strconv.Itoa(all.Count(sitetest.Closed, sitetest.InCity("6291"))),
		"capital_social": page.Decimal(capital.Sum), "capital_social_publicado": page.Decimal(capital.Published),
		"empresas_capital_improvavel": strconv.FormatInt(capital.Implausible, 10), "populacao": "1223237", "ano_populacao": strconv.Itoa(territory.PopulationYear),
		"empresas_ativas_por_mil_habitantes": "0.007",
	}
	for name, value := range want {
		if got[name] != value {
			t.Errorf("%s: got %q, want %q", name, got[name], value)
		}
	}
}

// TestInventedCompaniesAreNotPerInhabitant expects no figures per inhabitant for invented
// companies.
func TestInventedCompaniesAreNotPerInhabitant(t *testing.T) {
	t.Parallel()
	h := sitetest.Released(t)
	for _, path := range []string{"/", "/estados", "/estados?ordem=nome", "/municipios", "/municipios?ordem=capital", "/uf/sp", "/uf/sp/campinas"} {
		body := h.Body(t, path)
		pagetest.Texts(t, body, nil, []string{"Por mil", "por mil habitantes, por estado", "ordem=por_mil", "População: "})
	}
	for _, path := range []string{"/estados", "/municipios"} {
		body := h.Body(t, path)
		pagetest.Form(t, body)
		table := rankingIn(t, body)
		if heads, cells := table.All("thead")[0].All("th"), table.Rows()[0].All("td"); len(heads) != len(cells)+1 {
			t.Errorf("%s: %d headings over %d cells and a name", path, len(heads), len(cells))
		}
		if w := h.Get(t, path+"?ordem=por_mil"); w.Code != http.StatusUnprocessableEntity || strings.Contains(w.Body.String(), "Por mil") {
			t.Errorf("%s in the order that there is not: %d", path, w.Code)
		}
	}
	for _, row := range sitetest.Table(t, h.Get(t, "/municipios.csv")) {
		if row["populacao"]+row["ano_populacao"]+row["empresas_ativas_por_mil_habitantes"] != "" {
			t.Fatalf("%v", row)
		}
	}
}
