package intent

import (
	"cmp"
	"encoding/csv"
	"os"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"razao/index/term"
	"razao/internal/data/territory"
)

func TestParseNumber(t *testing.T) {
	t.Parallel()
	cases := map[string]string{ // what was typed, as First, Last and Prefix
		"":                        "",
		"padaria":                 "",
		"11":                      "",
		"112":                     "112000000000 112ZZZZZZZZZ 112",
		"11.222.333":              "112223330000 11222333ZZZZ 11222333",
		"11.222.333/0001-81":      "112223330001 112223330001 11222333000181",
		"11.222.333/0001-82":      "", // its check digits are wrong
		"CNPJ: 11222333000181":    "112223330001 112223330001 11222333000181",
		"cnpj/mf nº 11.222.333":   "112223330000 11222333ZZZZ 11222333",
		"11 222 333 0001 81":      "112223330001 112223330001 11222333000181",
		"12abc345":                "12ABC3450000 12ABC345ZZZZ 12ABC345",
		"3m do brasil":            "",
		"11222333000181000000000": "",
		"11,222,333,0001,81":      "112223330001 112223330001 11222333000181",
		"１１２２２３３３０００１８１":     "112223330001 112223330001 11222333000181",
		"12 abc 345 01de 35": "12ABC34501DE 12ABC34501DE 12ABC34501DE35",
		"1,99":               "", // a price
		"h&m3":               "",
		"360305000104":       "360305000104 360305000104 360305000104", // no zeros are added: it may go on
	}
	for typed, want := range cases {
		got := ""
		if n := ParseNumber(typed); n.Prefix != "" {
			got = n.First.String()[:12] + " " + n.Last.String()[:12] + " " + n.Prefix
		}
		if got != want {
			t.Errorf("ParseNumber(%q) = %q, want %q", typed, got, want)
		}
	}
}

func TestWordsOfAQuery(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		all, typed []string
		last       string
		isLast     bool
		pairs      int
	}{
		"":                           {},
		"padaria do joão":            {[]string{"padaria", "joao"}, []string{"padaria", "joao"}, "joao", true, 0},
		"padaria do":                 {[]string{"padaria"}, []string{"padaria"}, "do", false, 0},
		"de ltda":                    {[]string{"de", "ltda"}, []string{"de", "ltda"}, "ltda", true, 0},
		"const horizonte":            {[]string{"const", "horizonte"}, []string{"const", "horizonte"}, "horizonte", true, 0},
		"padaria padaria":            {[]string{"padaria"}, []string{"padaria"}, "padaria", true, 0},
		`bar "porto azul"`:           {[]string{"bar", "porto", "azul"}, []string{"bar", "porto", "azul"}, "azul", false, 1},
		"caixa d agua":               {[]string{"caixa", "dagua"}, []string{"caixa", "dagua"}, "dagua", true, 0},
		"caixa d'água":               {[]string{"caixa", "dagua"}, []string{"caixa", "dagua"}, "dagua", true, 0},
		`"caixa d-agua" azul`:        {[]string{"caixa", "dagua", "azul"}, []string{"caixa", "dagua", "azul"}, "azul", true, 1},
		`caixa d "agua azul"`:        {[]string{"caixa", "d", "agua", "azul"}, []string{"caixa", "d", "agua", "azul"}, "azul", false, 1},
		"aurora sociedade anonima":   {[]string{"aurora"}, []string{"aurora"}, "anonima", false, 0},
		"assoc. de moradores aurora": {[]string{"associacao", "moradores", "aurora"}, []string{"assoc", "moradores", "aurora"}, "aurora", true, 0},
	}
	for typed, c := range cases {
		got := NewWords(Parse(typed))
		if diff := gocmp.Diff(c.all, got.All) + gocmp.Diff(c.typed, got.Typed); diff != "" {
			t.Errorf("%q: %s", typed, diff)
		}
		if got.Last != c.last || got.IsLast != c.isLast || len(got.Pairs) != c.pairs {
			t.Errorf("%q: last %q (%t), %d pairs", typed, got.Last, got.IsLast, len(got.Pairs))
		}
	}
}

func TestReadingsOfAQuery(t *testing.T) {
	t.Parallel()
	if got := NewWords(Parse("Açunção d'Açu d agua")).Spoken; !slices.Equal(got, []string{"açunçao", "daçu", "dagua"}) {
		t.Error(got)
	}
	cases := map[string]string{"caixa d'agua": "caixa d agua", "caixa d-agua": "caixa d agua", "bob's": "bob s", "j c km47": "j c km 47", "caixa": ""}
	for typed, want := range cases {
		words, ok := Apart(Parse(typed))
		if got := strings.Join(NewWords(words).All, " "); ok != (want != "") || ok && got != want {
			t.Errorf("%q apart: %q, %t", typed, got, ok)
		}
	}
}

func TestPlacesInQueries(t *testing.T) {
	t.Parallel()
	g, err := OpenGazetteer()
	if err != nil {
		t.Fatal(err)
	}
	cases := map[string]struct {
		words, uf, municipio string
		likely               bool
	}{
		"padaria central campinas sp": {"campinas sp", "SP", "6291", true},
		"padaria rio de janeiro":      {"rio de janeiro", "RJ", "6001", true},
		"padaria sp":                  {"sp", "SP", "", true},
		"sorveteria bahia":            {"bahia", "BA", "", true},
		"campinas":                    {}, // nothing would be left
		`padaria "campinas"`:          {}, // quoted
	}
	for typed, c := range cases {
		p, ok := g.Find(Parse(typed))
		if ok != (c.words != "") || p.Words != c.words || p.UF != c.uf || p.Municipio != c.municipio || p.Likely != c.likely {
			t.Errorf("%q: %+v, %t", typed, p, ok)
		}
	}
}

// everyName returns the municipalities of Brazil with their names as the tables have them: those of
// today, IBGE's and the tax authority's, and others.
func everyName(t *testing.T) (all []territory.Municipality, today, others map[territory.Municipality][]string) {
	t.Helper()
	atlas, err := territory.Open()
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Open("../../internal/data/territory/data/nomes.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	today, others = map[territory.Municipality][]string{}, map[territory.Municipality][]string{}
	for _, m := range atlas.Municipalities() {
		if m.UF != territory.Abroad {
			all, today[m] = append(all, m), []string{m.Name}
			if m.RFBName != strings.ToUpper(term.Fold(m.Name)) {
				today[m] = append(today[m], m.RFBName)
			}
		}
	}
	for _, row := range rows[1:] {
		m, _ := atlas.BySlug(row[0], row[1])
		others[m] = append(others[m], row[2])
	}
	return all, today, others
}

// TestEveryMunicipalityByEveryName asks for all municipalities by all names, as written and with blanks
// for apostrophes and hyphens. With a UF each is found. Without one it is the municipality that has the
// name today, and of several the most populous.
func TestEveryMunicipalityByEveryName(t *testing.T) {
	t.Parallel()
	g, err := OpenGazetteer()
	if err != nil {
		t.Fatal(err)
	}
	all, today, others := everyName(t)
	blank := strings.NewReplacer("'", " ", "-", " ")
	key := func(name string) string { return nameKey(Parse(blank.Replace(name))) }
	namesakes := map[string][]territory.Municipality{}
	for _, names := range []map[territory.Municipality][]string{today, others} {
		found := map[string][]territory.Municipality{}
		for _, m := range all {
			for _, name := range names[m] {
				if k := key(name); !slices.Contains(found[k], m) {
					found[k] = append(found[k], m)
				}
			}
		}
		for k, list := range found {
			slices.SortStableFunc(list, func(a, b territory.Municipality) int { return cmp.Compare(b.Population, a.Population) })
			namesakes[k] = append(namesakes[k], list...)
		}
	}
	for _, m := range all {
		for _, name := range slices.Concat(today[m], others[m]) {
			for _, typed := range slices.Compact([]string{name, blank.Replace(name)}) {
				for _, in := range []string{"", " " + m.UF} {
					want := m.RFB
					if in == "" {
						want = namesakes[key(name)][0].RFB
					}
					p, _ := g.Find(Parse("padaria em " + typed + in))
					if words := strings.Join(term.Words(typed+in), " "); p.Municipio != want || p.Words != words {
						t.Errorf("padaria em %s%s: %+v, want %s", typed, in, p, want)
					}
					if towns := g.Towns(Parse(typed + in)); len(towns) == 0 || towns[0].RFB != want || !slices.Contains(towns, m) || in != "" && len(towns) > 1 {
						t.Errorf("%s%s: %+v, want %s", typed, in, towns, want)
					}
				}
			}
		}
	}
}

// Apostrophe, hyphen, blank and nothing are one, as are d'Oeste and do Oeste.
func TestSpellingsOfTowns(t *testing.T) {
	t.Parallel()
	g, err := OpenGazetteer()
	if err != nil {
		t.Fatal(err)
	}
	for want, all := range map[string][]string{
		"Santa Bárbara d'Oeste/SP": {
			"santa barbara d oeste", "santa barbara d'oeste", "santa barbara d’oeste sp", "santa barbara doeste", "santa barbara d-oeste",
			"santa barbara do oeste", "em santa barbara d oeste são paulo",
		},
		"Santa Bárbara/MG":                 {"santa barbara", "santa barbara mg"},
		"Alta Floresta D'Oeste/RO":         {"alta floresta d oeste", "alta floresta do oeste ro"},
		"Alta Floresta/MT":                 {"alta floresta"},
		"Santa Rita d'Oeste/SP":            {"santa rita d oeste"},
		"Ouro Preto do Oeste/RO":           {"ouro preto d oeste", "ouro preto d'oeste"},
		"Xique-Xique/BA":                   {"xique xique", "xiquexique", "xique-xique ba"},
		"Ji-Paraná/RO":                     {"ji parana", "jiparana"},
		"Olhos d'Água/MG":                  {"olhos d agua", "olhos-d'água", "olhos dagua mg"},
		"Pingo-d'Água/MG":                  {"pingo d agua", "pingo d'água"},
		"Sant'Ana do Livramento/RS":        {"sant ana do livramento", "santana do livramento", "livramento rs"},
		"Não-Me-Toque/RS":                  {"nao me toque", "não-me-toque"},
		"Paraty/RJ":                        {"parati", "parati rj", "paraty"},
		"Açu/RN":                           {"assu rn", "açu"},
		"Florínia/SP":                      {"florinea sp"},
		"Brazópolis/MG":                    {"brasopolis mg"},
		"São Valério/TO":                   {"sao valerio da natividade to", "são valério"},
		"Embu das Artes/SP":                {"embu"},
		"Joca Claudino/PB":                 {"santarem pb"},
		"Santarém/PA":                      {"santarem"},
		"Augusto Severo (Campo Grande)/RN": {"campo grande rn", "augusto severo", "augusto severo (campo grande)"},
		"Campo Grande/MS":                  {"campo grande"},
		"Francisco Sá/MG":                  {"francisco sa", "francisco sá mg"},
	} {
		for _, typed := range all {
			towns := g.Towns(Parse(typed))
			if len(towns) == 0 || towns[0].Name+"/"+towns[0].UF != want {
				t.Errorf("%s: %+v, want %s", typed, towns, want)
			}
			if p, _ := g.Find(Parse("padaria " + typed)); len(towns) > 0 && p.Municipio != towns[0].RFB {
				t.Errorf("padaria %s: %+v, want %s", typed, p, want)
			}
		}
	}
	for _, typed := range []string{"", "em", "padaria campinas", "sp", "sao paulo campinas", `"campinas"`, "campinas sp rj", "para ti", "francisco"} {
		if towns := g.Towns(Parse(typed)); towns != nil {
			t.Errorf("%q is %+v", typed, towns)
		}
	}
}

func TestGazetteerKnowsCitiesByShortNames(t *testing.T) {
	t.Parallel()
	g, err := OpenGazetteer()
	if err != nil {
		t.Fatal(err)
	}
	for typed, want := range map[string]string{ // words, UF and code
		"padarias em BH":        "bh MG 4123",
		"padarias bh":           "bh MG 4123",
		"padarias BH MG":        "bh mg MG 4123",
		"padarias em bh aurora": "bh MG 4123",
		"padaria em sp capital": "sp capital SP 7107",
		"hotéis em floripa":     "floripa SC 8105",
		"bh foods":              "",
		"bh":                    "",
		"bh go":                 "go GO ",
		"padaria capital":       "",
	} {
		got := ""
		if p, ok := g.Find(Parse(typed)); ok {
			got = p.Words + " " + p.UF + " " + p.Municipio
		}
		if got != want {
			t.Errorf("%q: %q, want %q", typed, got, want)
		}
	}
}

func FuzzParseNumber(f *testing.F) {
	for _, seed := range []string{"112", "12ABC345", "11.222.333/0001-81", "CNPJ nº 1", "\xff"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, typed string) {
		if n := ParseNumber(typed); n.First > n.Last || n.Prefix == "" && n != (Number{}) {
			t.Fatalf("%q is %+v", typed, n)
		}
	})
}

func TestParticlesOfWordsLeftOut(t *testing.T) {
	t.Parallel()
	all := Parse("caixa d agua limpa")
	for want, words := range map[string][]Word{
		"caixa dagua limpa": all,
		"caixa d limpa":     slices.Delete(slices.Clone(all), 2, 3),
		"caixa agua limpa":  slices.Delete(slices.Clone(all), 1, 2),
	} {
		if got := strings.Join(NewWords(words).All, " "); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
