package site

import (
	"fmt"
	"math/big"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"razao/internal/data/ptbr"
	"razao/internal/data/record"
	"razao/internal/data/territory"
	"razao/internal/testing/fixture"
	"razao/site/page"
	"razao/site/page/pagetest"
)

// The limits of the ranking and of the charts of a place.
const (
	municipalitiesShown = 100
	yearsShown          = 20
)

// capitals is the capital of active companies, without and with implausible values.
type capitals struct {
	sum, published *big.Int
	implausible    int64
}

// text formats the sum and what it leaves out, as pages do.
func (c *capitals) text(sum func(*big.Int) string) string {
	return ptbr.Join(" ", sum(c.sum), ptbr.LeftOut(c.implausible, c.published))
}

// capitalIn adds up the capital of the active companies among the entries.
func capitalIn(all []entry, where func(*entry) bool) *capitals {
	c := &capitals{sum: new(big.Int), published: new(big.Int)}
	for i := range all {
		e := &all[i]
		if e.active && e.head && where(e) && e.company.CapitalSocial != record.NoCents {
			amount := big.NewInt(int64(e.company.CapitalSocial))
			c.published.Add(c.published, amount)
			if e.CNPJ.Root().String() == fixture.Chain { // 999.999.999.999,00
				c.implausible++
			} else {
				c.sum.Add(c.sum, amount)
			}
		}
	}
	return c
}

func openedIn(year int) func(*entry) bool {
	return func(e *entry) bool { return e.DataInicioAtividade.Year() == year }
}

func closed(e *entry) bool { return e.SituacaoCadastral == record.SituacaoBaixada }

func TestStates(t *testing.T) {
	t.Parallel()
	h, _ := releasedAsTrue.open(t)
	atlas, err := territory.Open()
	if err != nil {
		t.Fatal(err)
	}
	all := entries(t, releasedAsTrue.load(t).View(t))
	people := 0
	for _, m := range atlas.Municipalities() {
		if m.UF == "SP" {
			people += m.Population
		}
	}
	companies := countOf(all, isHead, isActive, inUF("SP"))
	capital := capitalIn(all, inUF("SP"))
	shaded := "<title>São Paulo: " + ptbr.Join(", ", ptbr.Rounded(capital.sum), ptbr.LeftOut(capital.implausible, capital.published)) + "</title>"
	for _, order := range []string{"", "por_mil", "aberturas", "baixas", "capital"} {
		body := get(t, h, "/estados?ordem="+order).Body.String()
		pagetest.Form(t, body)
		if strings.Contains(body, shaded) != (order == "capital") {
			t.Errorf("ordem=%s: the map says of São Paulo %q or not", order, shaded)
		}
		d := rankingIn(t, body)
		if n := rows(d); n != 27 {
			t.Fatalf("ordem=%s: %d rows, want 27", order, n)
		}
		first := d.all("tbody")[0].all("tr")[0]
		want := fmt.Sprintf("1 São Paulo %d %s %d %d %s", companies, ptbr.Rate(float64(companies)*1000/float64(people)),
			countOf(all, inUF("SP"), openedIn(2025)), countOf(all, inUF("SP"), closed), capital.text(ptbr.Sum))
		if order != "aberturas" && strings.ReplaceAll(first.text(), ptbr.NBSP, " ") != strings.ReplaceAll(want, ptbr.NBSP, " ") {
			t.Errorf("ordem=%s: first row %q, want %q", order, first.text(), want)
		}
		sorted := 0
		for _, th := range d.all("th") {
			if th.attribute("aria-sort") == "descending" {
				sorted++
			}
		}
		if sorted != 1 {
			t.Errorf("ordem=%s: %d columns say that they order the table", order, sorted)
		}
	}
	body := get(t, h, "/estados?ordem=nome").Body.String()
	d := parse(t, body)
	if first := rankingIn(t, body).all("tbody")[0].all("tr")[0].text(); !strings.HasPrefix(first, "1 Acre 0 0,0") {
		t.Errorf("by name the first is %q", first)
	}
	shapes := 0
	for _, path := range d.all("path") {
		if strings.HasPrefix(path.attribute("class"), "t") {
			shapes++
		}
	}
	if shapes != 27 {
		t.Errorf("the map has %d states", shapes)
	}
}

// rankingIn returns the table of a ranking.
func rankingIn(t *testing.T, body string) document {
	t.Helper()
	for _, table := range parse(t, body).all("table") {
		if table.attribute("class") == "ranking" {
			return table
		}
	}
	t.Fatal("there is no ranking")
	return document{}
}

func TestMunicipalities(t *testing.T) {
	t.Parallel()
	h, _ := releasedAsTrue.open(t)
	all := entries(t, releasedAsTrue.load(t).View(t))
	body := get(t, h, "/municipios").Body.String()
	pagetest.Form(t, body)
	d := parse(t, body)
	table := rankingIn(t, body)
	if n := rows(table); n != municipalitiesShown {
		t.Errorf("%d rows, want %d", n, municipalitiesShown)
	}
	if first := table.all("tbody")[0].all("tr")[0]; first.links()["Campinas /SP"] != "/uf/sp/campinas" && first.links()["Campinas/SP"] != "/uf/sp/campinas" {
		t.Errorf("first row: %v", first.links())
	}
	dots := 0
	for _, path := range d.all("path") {
		if strings.HasPrefix(path.attribute("class"), "dots") && path.attribute("d") != "M20 20h0" {
			dots += strings.Count(path.attribute("d"), "h0")
		}
	}
	if dots != 2 {
		t.Errorf("%d municipalities with companies on the map, want 2", dots)
	}
	file := readTable(t, get(t, h, "/municipios.csv"))
	if len(file) != 5571 {
		t.Fatalf("%d rows in the CSV, want 5571", len(file))
	}
	for i, row := range file {
		if row["posicao"] != strconv.Itoa(i+1) || len(row["codigo_municipio_ibge"]) != 7 || row["competencia"] != fixture.Month {
			t.Fatalf("row %d: %v", i, row)
		}
	}
	capital := capitalIn(all, inCity("6291"))
	got := file[0]
	want := map[string]string{
		"municipio": "Campinas", "uf": "SP", "codigo_municipio": "6291", "codigo_municipio_ibge": "3509502",
		"empresas_ativas":         strconv.Itoa(countOf(all, isHead, isActive, inCity("6291"))),
		"estabelecimentos_ativos": strconv.Itoa(countOf(all, isActive, inCity("6291"))),
		"ano_aberturas":           "2025", "aberturas": "0", "baixadas": strconv.Itoa(countOf(all, closed, inCity("6291"))),
		"capital_social": page.Decimal(capital.sum), "capital_social_publicado": page.Decimal(capital.published),
		"empresas_capital_improvavel": strconv.FormatInt(capital.implausible, 10), "populacao": "1223237", "ano_populacao": strconv.Itoa(territory.PopulationYear),
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
	h, _ := released.open(t)
	for _, path := range []string{"/", "/estados", "/estados?ordem=nome", "/municipios", "/municipios?ordem=capital", "/uf/sp", "/uf/sp/campinas"} {
		body := get(t, h, path).Body.String()
		for _, words := range []string{"Por mil", "por mil habitantes, por estado", "ordem=por_mil", "População: "} {
			if strings.Contains(body, words) {
				t.Errorf("%s says %q", path, words)
			}
		}
	}
	for _, path := range []string{"/estados", "/municipios"} {
		body := get(t, h, path).Body.String()
		pagetest.Form(t, body)
		table := rankingIn(t, body)
		if heads, cells := table.all("thead")[0].all("th"), table.all("tbody")[0].all("tr")[0].all("td"); len(heads) != len(cells)+1 {
			t.Errorf("%s: %d headings over %d cells and a name", path, len(heads), len(cells))
		}
		if w := get(t, h, path+"?ordem=por_mil"); w.Code != http.StatusUnprocessableEntity || strings.Contains(w.Body.String(), "Por mil") {
			t.Errorf("%s in the order that there is not: %d", path, w.Code)
		}
	}
	for _, row := range readTable(t, get(t, h, "/municipios.csv")) {
		if row["populacao"]+row["ano_populacao"]+row["empresas_ativas_por_mil_habitantes"] != "" {
			t.Fatalf("%v", row)
		}
	}
}
