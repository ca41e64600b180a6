package territory

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/language"
	"golang.org/x/text/language/display"

	"razao/internal/data/ptbr"
)

func open(t *testing.T) *Atlas {
	t.Helper()
	a, err := Open()
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestCounts(t *testing.T) {
	t.Parallel()
	a := open(t)
	capitals, ibge := 0, map[string]bool{}
	for _, m := range a.Municipalities() {
		if _, ok := a.UF(m.UF); !ok {
			t.Errorf("%s %s has the unknown UF %q", m.RFB, m.Name, m.UF)
		}
		if m.Capital {
			capitals++
		}
		ibge[m.IBGE] = true
	}
	got := []int{len(a.Municipalities()), len(a.byRFB), len(a.bySlug), len(ibge), len(a.UFs()), capitals}
	if diff := cmp.Diff([]int{5572, 5572, 5572, 5572, 28, 27}, got); diff != "" {
		t.Errorf("municipalities, RFB codes, slugs, IBGE codes with abroad's none, UFs, capitals (-want +got):\n%s", diff)
	}
}

func TestMunicipality(t *testing.T) {
	t.Parallel()
	a := open(t)
	want := Municipality{
		RFB: "6291", RFBName: "CAMPINAS", IBGE: "3509502", Name: "Campinas", UF: "SP", Slug: "campinas",
		Population: 1223237, Latitude: -22.9053, Longitude: -47.0659,
	}
	got, ok := a.ByRFB("6291")
	if diff := cmp.Diff(want, got); diff != "" || !ok {
		t.Errorf("ByRFB (-want +got):\n%s", diff)
	}
	if got, ok := a.BySlug("sp", "campinas"); !ok || got != want {
		t.Errorf("BySlug = %+v, %t", got, ok)
	}
	if got, ok := a.ByIBGE("3509502"); !ok || got != want {
		t.Errorf("ByIBGE = %+v, %t", got, ok)
	}
	for _, code := range []string{"", "6291", "3509503", "35095020"} { // places abroad have no code
		if got, ok := a.ByIBGE(code); ok {
			t.Errorf("ByIBGE(%q) = %+v", code, got)
		}
	}
	if diff := cmp.Diff([]string{"Norte", "Nordeste", "Sudeste", "Sul", "Centro-Oeste"}, a.Regions()); diff != "" {
		t.Errorf("regions (-want +got):\n%s", diff)
	}
	abroad, ok := a.ByRFB("9707")
	if diff := cmp.Diff(Municipality{RFB: "9707", RFBName: "EXTERIOR", Name: "Exterior", UF: Abroad, Slug: "exterior"}, abroad); diff != "" || !ok {
		t.Errorf("abroad (-want +got):\n%s", diff)
	}
	for _, code := range []string{"", "0000", "9999", "629"} {
		if _, ok := a.ByRFB(code); ok || a.IBGE(code) != "" {
			t.Errorf("ByRFB(%q) or IBGE found something", code)
		}
	}
	if got := a.IBGE("6291"); got != "3509502" {
		t.Errorf("IBGE(6291) = %q", got)
	}
	if _, ok := a.BySlug("RJ", "campinas"); ok {
		t.Error("BySlug found Campinas in Rio de Janeiro")
	}
}

func TestByName(t *testing.T) {
	t.Parallel()
	a := open(t)
	named := a.ByName(ptbr.Slug)
	for name, want := range map[string]string{
		"Olho-d'Água do Borges": "Olho-d'Água do Borges/RN",
		"olho dagua do borges":  "Olho-d'Água do Borges/RN",
		"Olhod Água do Borges":  "Olho-d'Água do Borges/RN",
		"Assu":                  "Açu/RN",
		"Moji Mirim":            "Mogi Mirim/SP",
		"Mirassol do Oeste":     "Mirassol d'Oeste/MT",
		"São Miguel d'Oeste":    "São Miguel do Oeste/SC",
		"Livramento":            "Livramento/PB Sant'Ana do Livramento/RS", // whose name it is today comes first
		"Santa Helena":          "Santa Helena/MA Santa Helena/PR Santa Helena/PB Santa Helena/SC",
		"Exterior":              "",
	} {
		var got []string
		for _, m := range named[ptbr.Slug(name)] {
			got = append(got, m.Name+"/"+m.UF)
		}
		if got := strings.Join(got, " "); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	other := named["santarem"][1]
	if got := other.Name; got != "Joca Claudino" || a.addName(map[string]string{"uf": "PB", "slug": "santarem"}) == nil {
		t.Errorf("Santarém is also %s, or a name of no municipality is taken", got)
	}
}

func TestUF(t *testing.T) {
	t.Parallel()
	a := open(t)
	want := UF{Code: "SP", Name: "São Paulo", IBGE: "35", Region: "Sudeste"}
	if got, ok := a.UF("sp"); !ok || got != want {
		t.Errorf("UF(sp) = %+v, %t", got, ok)
	}
	if _, ok := a.UF("XX"); ok {
		t.Error("UF(XX) exists")
	}
	ufs := a.UFs()
	ufs[0].Name = "changed"
	if slices.Contains(a.UFs(), ufs[0]) {
		t.Error("UFs hands out the atlas's own list")
	}
}

func TestDamagedTables(t *testing.T) {
	t.Parallel()
	a := open(t)
	for _, row := range []map[string]string{
		{"uf": "SP", "latitude": "x"},
		{"uf": "SP", "latitude": "1", "longitude": "x"},
		{"uf": "SP", "latitude": "1", "longitude": "1", "populacao_estimada_2021": "x"},
	} {
		if a.addMunicipality(row) == nil {
			t.Errorf("%v is taken", row)
		}
	}
	if eachRow("data/none.csv", nil) == nil {
		t.Error("a table that is missing is taken")
	}
}

// The table's slugs are part of public addresses: they must be the ones that ptbr.Slug would give.
func TestSlugs(t *testing.T) {
	t.Parallel()
	for _, m := range open(t).Municipalities() {
		if want := ptbr.Slug(m.Name); m.Slug != want {
			t.Errorf("%s/%s: slug %q, want %q", m.Name, m.UF, m.Slug, want)
		}
	}
}

// TestCountries: every code of the tax authority's table is a country of today, by its name in CLDR, or one of those that are none, or not one alone.
func TestCountries(t *testing.T) {
	t.Parallel()
	a := open(t)
	file, err := os.Open(filepath.FromSlash("../../../ingest/receita/data/dominios.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	// What has another name in CLDR: spellings, parts of countries, and a former name.
	otherwise := map[string]string{
		"BIELO-RUSSIA (BELARUS) REP. DA": "BY", "ZONA FRANCA DE MANAUS": "BR", "BRASIL (AFRETAMENTO)": "BR", "CANÁRIAS, ILHAS": "ES", "DUBAI": "AE", "INGLATERRA": "GB",
		"KIRIBATI": "KI", "LEBUAN(ILHA)": "MY", "Madeira, Ilha da": "PT", "SEYCHELLES": "SC", "ZAIRE": "CD", "FEROE, ILHAS": "FO",
		"ANTÁRTICA": "AQ", "PALESTINA": "PS", "SÃO MARTINHO, ILHA DE (PARTE HOLANDESA)": "SX", "TADJIQUISTAO, REPUBLICA DO": "TJ", "THECA, REPUBLICA": "CZ", "TOQUELAU": "TK",
	}
	names := display.Regions(language.BrazilianPortuguese)
	words := func(text string) []string { return strings.Split(ptbr.Slug(text), "-") }
	var none []string
	known := 0
	for _, row := range rows {
		if row[0] != "pais" {
			continue
		}
		iso := a.Country(row[1])
		if iso == "" {
			none = append(none, row[1])
			continue
		}
		known++
		region, err := language.ParseRegion(iso)
		if err != nil || !region.IsCountry() || region.Canonicalize() != region || region.String() != iso {
			t.Errorf("%s %s is no country of ISO 3166-1: %q, %v", row[1], row[2], iso, err)
			continue
		}
		named := words(names.Name(region))
		same := slices.ContainsFunc(words(ptbr.Country(row[2])), func(w string) bool { return len(w) > 3 && w != "ilha" && w != "ilhas" && slices.Contains(named, w) })
		if !same && ptbr.Slug(ptbr.Country(row[2])) != ptbr.Slug(names.Name(region)) && otherwise[row[2]] != iso {
			t.Errorf("%s %s is %s, %s", row[1], row[2], iso, names.Name(region))
		}
	}
	if known != len(a.countries) {
		t.Errorf("%d codes of the table are countries, %d are declared", known, len(a.countries))
	}
	if want := strings.Fields("000 020 025 047 131 152 263 358 388 395 563 566 569 583 666 738 785 790 840 855 895 990 994 997 998 999"); !slices.Equal(none, want) {
		t.Errorf("no countries: %q, want %q", none, want)
	}
}
