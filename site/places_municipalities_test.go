package site_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"razao/internal/data/ptbr"
	"razao/internal/data/territory"
	"razao/internal/testing/fixture"
	"razao/site/page/pagetest"
	"razao/site/sitetest"
)

// TestPlacePages compares filtered rankings, comparisons and facts of places; published data have
// figures per inhabitant.
func TestPlacePages(t *testing.T) {
	t.Parallel()
	h := sitetest.Published(t)
	h.Compare(t, "places", []sitetest.Page{
		sitetest.Case("region", "/estados?regiao=sudeste&ordem=por_mil", 200),
		sitetest.Case("by-name", "/municipios?uf=SP&q=campin&ordem=capital", 200, "<figure"),
		sitetest.Case("no-such-name", "/municipios?uf=sp&q=xyz", 200, "<table"),
		sitetest.Case("past-the-end", "/municipios?uf=RR&pagina=2", 404),
		sitetest.Case("nothing-to-compare", "/municipios/comparar", 200, "<table"),
		sitetest.Case("one-to-compare", "/municipios/comparar?m=3509502", 200, "<table"),
		sitetest.Case("to-add", "/municipios/comparar?m=3509502&q=s%C3%A3o+paulo", 200),
		sitetest.Case("comparison", "/municipios/comparar?m=3509502&m=5101837&m=3509502", 200),
		sitetest.Case("six-to-compare", "/municipios/comparar?m=3509502&m=3550308&m=5101837&m=3304557&m=2927408&m=3106200", 422),
		sitetest.Case("new-city", "/uf/mt/boa-esperanca-do-norte", 200),
	})
}

// rankingRows follows the pager of a ranking and returns positions with IBGE codes.
func rankingRows(t *testing.T, h *sitetest.Site, path string) (rows []string, pages int) {
	t.Helper()
	for path != "" {
		body := h.Body(t, path)
		pages++
		table := rankingIn(t, body)
		shown := table.Rows()
		if len(shown) > municipalitiesShown {
			t.Fatalf("%s has %d rows", path, len(shown))
		}
		for _, row := range shown {
			rows = append(rows, strings.ReplaceAll(row.All("td")[1].Text(), ".", "")+" "+row.All("input")[0].Attribute("value"))
		}
		path, _, _ = strings.Cut(pagetest.Parse(t, body).Next(), "#")
	}
	return rows, pages
}

// TestPagesAndTableOfARankingAgree compares all pages of a ranking with its CSV and with the number
// of municipalities.
func TestPagesAndTableOfARankingAgree(t *testing.T) {
	t.Parallel()
	h := sitetest.Published(t)
	atlas := fixture.Atlas(t)
	for query, pages := range map[string]int{
		"": 56, "uf=SP": 7, "uf=SP&ordem=nome": 7, "uf=mg&ordem=por_mil": 9, "q=s%C3%A3o&ordem=capital": 4,
		"q=sao+jose&uf=SP": 1, "ordem=aberturas&uf=DF": 1, "ordem=baixas&uf=AM": 1,
	} {
		shown, n := rankingRows(t, h, "/municipios?"+query)
		file := sitetest.Table(t, h.Get(t, "/municipios.csv?"+query))
		var inFile []string
		for _, row := range file {
			inFile = append(inFile, row["posicao"]+" "+row["codigo_municipio_ibge"])
		}
		if diff := gocmp.Diff(inFile, shown); diff != "" || n != pages {
			t.Errorf("%s: %d pages, want %d (-file +pages):\n%.500s", query, n, pages, diff)
		}
		values, _ := url.ParseQuery(query)
		want := 0
		for _, m := range atlas.Municipalities() {
			words := " " + strings.ReplaceAll(m.Slug, "-", " ")
			typed := " " + strings.NewReplacer("ã", "a").Replace(values.Get("q"))
			there := values.Get("uf") == "" || strings.EqualFold(m.UF, values.Get("uf"))
			if m.UF != territory.Abroad && there && strings.Contains(words, strings.TrimRight(typed, " ")) {
				want++
			}
		}
		if len(shown) != want {
			t.Errorf("%s: %d rows, want %d", query, len(shown), want)
		}
	}
}

func TestMunicipalitiesAreFoundByFormerNames(t *testing.T) {
	t.Parallel()
	h := sitetest.Published(t)
	for query, want := range map[string]string{"parati&uf=RJ": "3303807", "santa+barbara+doeste": "3545803", "brasopolis": "3108909"} {
		if rows, _ := rankingRows(t, h, "/municipios?q="+query); len(rows) != 1 || !strings.HasSuffix(rows[0], " "+want) {
			t.Errorf("%s: %v, want %s", query, rows, want)
		}
	}
}

func TestPlacesRefuse(t *testing.T) {
	t.Parallel()
	h := sitetest.Published(t)
	for path, link := range map[string]string{
		"/municipios?uf=XX&ordem=nome":                      "/municipios?ordem=nome",
		"/municipios?uf=EX":                                 "/municipios",
		"/municipios?q=...":                                 "/municipios",
		"/municipios?q=" + strings.Repeat("a", 61):          "/municipios",
		"/municipios?pagina=0":                              "/municipios",
		"/municipios.csv?uf=XX":                             "/municipios.csv",
		"/municipios.csv?ordem=x":                           "/municipios.csv",
		"/municipios.csv?m=1&m=3509502":                     "/municipios.csv?m=3509502",
		"/estados?regiao=leste":                             "/estados",
		"/municipios/comparar?m=3509502&m=350950&m=3550308": "/municipios/comparar?m=3509502&amp;m=3550308",
		"/municipios/comparar?m=6291":                       "/municipios/comparar",
		"/municipios/comparar?m=3509502&q=%21":              "/municipios/comparar?m=3509502",
	} {
		w := h.Get(t, path, "Accept", sitetest.HTML)
		if w.Code != http.StatusUnprocessableEntity {
			t.Errorf("%s: status %d", path, w.Code)
		}
		pagetest.Texts(t, w.Body.String(), []string{"não pode ser", `<a href="` + link + `">Abrir a mesma página sem este valor</a>`}, nil)
		h.Status(t, http.StatusOK, strings.ReplaceAll(link, "&amp;", "&"))
	}
}

// TestComparisonIsThatOfTheRecords compares every figure of two municipalities with the records.
func TestComparisonIsThatOfTheRecords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		h       *sitetest.Site
		peopled bool
	}{{sitetest.Published(t), true}, {sitetest.Released(t), false}} {
		h, all := c.h, c.h.Establishments(t)
		body := h.Body(t, "/municipios/comparar?m=3550308&m=3509502&m=3550308")
		pagetest.Form(t, body)
		figures := map[string][]string{}
		d := pagetest.Parse(t, body)
		for _, row := range d.Of("table", "class", "compared")[0].Rows() {
			for _, cell := range row.All("td") {
				figures[row.All("th")[0].Text()] = append(figures[row.All("th")[0].Text()], ptbr.Plain(cell.Text()))
			}
		}
		people := []int{12396372, 1223237}
		for i, code := range []string{"7107", "6291"} {
			where := sitetest.InCity(code)
			companies := all.Count(sitetest.Head, sitetest.Active, where)
			capital := all.Capital(where)
			leftOut := capital.LeftOut()
			want := map[string]string{
				"Empresas ativas": strconv.Itoa(companies), "Estabelecimentos ativos": strconv.Itoa(all.Count(sitetest.Active, where)),
				"Baixados, de qualquer ano":              strconv.Itoa(all.Count(sitetest.Closed, where)),
				"Capital social das empresas ativas":     ptbr.Plain(ptbr.Join(", ", ptbr.Rounded(capital.Sum), leftOut)),
				"Empresas ativas por mil habitantes":     ptbr.Rate(float64(companies) * 1000 / float64(people[i])),
				"População em 2021":                      ptbr.Count(people[i]),
				"Posição no país, por empresas ativas":   fmt.Sprintf("%dº de 5.571", 2-i),
				"Posição no estado, por empresas ativas": fmt.Sprintf("%dº de 645", 2-i),
			}
			for label, text := range want {
				inhabitants := strings.Contains(label, "habitantes") || strings.HasPrefix(label, "População")
				switch got := figures[label]; {
				case inhabitants && !c.peopled && got != nil:
					t.Errorf("%s is said of invented companies: %v", label, got)
				case inhabitants && !c.peopled:
				case len(got) != 2 || got[i] != text:
					t.Errorf("%s: %v, want %q", label, got, text)
				}
			}
		}
		checkCompared(t, d, figures)
		file := sitetest.Table(t, h.Get(t, "/municipios.csv?m=3550308&m=3509502"))
		if len(file) != 2 || file[0]["municipio"] != "Campinas" || file[1]["posicao"] != "2" {
			t.Errorf("%v", file)
		}
	}
}

// checkCompared expects six charts of measures, each with the figures of the table and a full bar for the
// largest, and charts of two municipalities by year that have one scale.
func checkCompared(t *testing.T, d pagetest.Document, figures map[string][]string) {
	t.Helper()
	measures := d.Of("table", "class", "bars bare")
	if len(measures) != 6 {
		t.Errorf("%d measures are drawn", len(measures))
	}
	for _, bars := range measures {
		label, full := bars.All("caption")[0].Text(), 0
		for i, row := range bars.Rows() {
			cells := row.All("td")
			if got := ptbr.Plain(cells[1].Text()); got != figures[label][i] {
				t.Errorf("%s: %s, in the table %v", label, got, figures[label])
			}
			if row.All("rect")[0].Attribute("width") == "100.0%" {
				full++
			}
		}
		if full == 0 && strings.Join(figures[label], "") != "00" {
			t.Errorf("%s: no bar is full", label)
		}
	}
	var scales []string
	for _, chart := range d.Of("figure", "class", "chart") {
		scales = append(scales, chart.Of("svg", "class", "scale")[0].Text())
	}
	if len(scales) != 2 || scales[0] != scales[1] || scales[0] == "" {
		t.Errorf("scales of the charts by year: %q", scales)
	}
}

// TestRegionsAddUp compares the figures of the regions with the records of their states.
func TestRegionsAddUp(t *testing.T) {
	t.Parallel()
	h := sitetest.Published(t)
	all := h.Establishments(t)
	atlas := fixture.Atlas(t)
	states := 0
	for _, name := range []string{"Norte", "Nordeste", "Sudeste", "Sul", "Centro-Oeste"} {
		body := h.Body(t, "/estados?regiao="+strings.ToLower(name))
		d := pagetest.Parse(t, body)
		in := func(e *sitetest.Establishment) bool { uf, _ := atlas.UF(e.UF); return uf.Region == name }
		facts := pagetest.Document{Node: d.At(t, "juntos").Parent}.All("dd")
		want := fmt.Sprintf("Região %s %d %d %d", name, all.Count(sitetest.Head, sitetest.Active, in), all.Count(sitetest.Active, in), all.Count(in, sitetest.Closed))
		if got := strings.Join([]string{d.At(t, "juntos").Text(), facts[0].Text(), facts[2].Text(), facts[4].Text()}, " "); got != want {
			t.Errorf("%s, want %s", got, want)
		}
		checkTwin(t, d, all, in)
		states += len(rankingIn(t, body).Rows())
	}
	if states != 27 {
		t.Errorf("the regions have %d states", states)
	}
}

// TestFactsOfPlaces checks the facts of a city, with and without population figures.
func TestFactsOfPlaces(t *testing.T) {
	t.Parallel()
	facts := func(h *sitetest.Site, path string) map[string]string {
		got := map[string]string{}
		for _, fact := range h.Page(t, path).All("dl")[0].All("div") {
			got[fact.All("dt")[0].Text()] = ptbr.Plain(strings.TrimPrefix(fact.Text(), fact.All("dt")[0].Text()+" "))
		}
		return got
	}
	published := sitetest.Published(t)
	invented := sitetest.Released(t)
	want := map[string]string{
		"População em 2021, estimativa do IBGE": "1.223.237", "Empresas ativas por mil habitantes": "0,007",
		"Região": "Sudeste", "Código do IBGE": "3509502",
		"Posição no país":   "1º de 5.571 por empresas ativas 1º de 5.570 por mil habitantes",
		"Posição no estado": "1º de 645 por empresas ativas 1º de 645 por mil habitantes", "Comparar": "com outros municípios",
	}
	if diff := gocmp.Diff(want, facts(published, "/uf/sp/campinas")); diff != "" {
		t.Errorf("Campinas (-want +got):\n%s", diff)
	}
	for _, label := range []string{"População em 2021, estimativa do IBGE", "Empresas ativas por mil habitantes"} {
		delete(want, label)
	}
	want["Posição no país"], want["Posição no estado"] = "1º de 5.571 por empresas ativas", "1º de 645 por empresas ativas"
	if diff := gocmp.Diff(want, facts(invented, "/uf/sp/campinas")); diff != "" {
		t.Errorf("Campinas, invented (-want +got):\n%s", diff)
	}
	want = map[string]string{
		"População em 2021, estimativa do IBGE": "Sem estimativa: o município é mais novo", "Região": "Centro-Oeste", "Código do IBGE": "5101837",
		"Comparar": "com outros municípios",
	}
	if diff := gocmp.Diff(want, facts(published, "/uf/mt/boa-esperanca-do-norte")); diff != "" {
		t.Errorf("a new city (-want +got):\n%s", diff)
	}
	state := facts(published, "/uf/sp")
	if state["Posição no país"] != "1º de 27 por empresas ativas 1º de 27 por mil habitantes" || state["Código do IBGE"] != "35" {
		t.Errorf("São Paulo: %v", state)
	}
}
