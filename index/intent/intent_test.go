package intent

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
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
		if diff := cmp.Diff(c.all, got.All) + cmp.Diff(c.typed, got.Typed); diff != "" {
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
