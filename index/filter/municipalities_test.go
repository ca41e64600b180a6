package filter

import (
	"strings"
	"testing"

	"razao/internal/data/territory"
)

func openPlaces(t *testing.T) municipalityIndex {
	t.Helper()
	atlas, err := territory.Open()
	if err != nil {
		t.Fatal(err)
	}
	return newMunicipalityIndex(atlas)
}

func TestPlaces(t *testing.T) {
	t.Parallel()
	places := openPlaces(t)
	cases := []struct{ name, text, whole, others string }{
		{"whole name", "campinas", "Campinas/SP", "Campinas do Piauí/PI Campinas do Sul/RS"},
		{"with the state", "Campinas SP", "Campinas/SP", ""},
		{"state being typed", "campinas s", "", "Campinas/SP"},
		{"accents and case", "SÃO  PAULO", "São Paulo/SP", "São Paulo de Olivença/AM São Paulo do Potengi/RN"},
		{"beginning", "campi", "", "Campinas/SP Campina Grande/PB"},
		{"one letter", "s", "", "São Paulo/SP Salvador/BA"},
		{"later word", "janeiro", "", "Rio de Janeiro/RJ"},
		{"homonyms", "bom jesus", "Bom Jesus/PI Bom Jesus/RS Bom Jesus/RN", "Bom Jesus da Lapa/BA Bom Jesus do Itabapoana/RJ"},
		{"homonym of one state", "bom jesus rs", "Bom Jesus/RS", ""},
		{"apostrophe", "olho d'agua das f", "", "Olho d'Água das Flores/AL"},
		{"apostrophe as a blank", "olho d agua das flores al", "Olho d'Água das Flores/AL", ""},
		{"apostrophe left out", "santa barbara doeste", "Santa Bárbara d'Oeste/SP", ""},
		{"the tax authority's name", "parati", "Paraty/RJ", "Paratinga/BA"},
		{"former name", "embu", "Embu das Artes/SP", "Embu-Guaçu/SP"},
		{"former name of one, name of another", "santarem", "Santarém/PA Joca Claudino/PB", "Santarém Novo/PA"},
		{"only punctuation", "--- !!", "", ""},
		{"no such place", "xyzzy", "", ""},
		{"place and more", "padaria campinas", "", ""},
		{"abroad", "exterior", "", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			whole, others := places.find(c.text, 3, 2)
			if got := list(whole); got != c.whole {
				t.Errorf("whole names: got %q, want %q", got, c.whole)
			}
			if got := list(others); got != c.others {
				t.Errorf("others: got %q, want %q", got, c.others)
			}
		})
	}
}

// TestEveryMunicipality asks for all municipalities by the names of IBGE and of the tax authority, with
// blanks for apostrophes and hyphens. Without a UF a name that several have today is refused.
func TestEveryMunicipality(t *testing.T) {
	t.Parallel()
	atlas, err := territory.Open()
	if err != nil {
		t.Fatal(err)
	}
	r, err := NewReader()
	if err != nil {
		t.Fatal(err)
	}
	blank := strings.NewReplacer("'", " ", "-", " ")
	namesakes := map[string]int{}
	for _, m := range atlas.Municipalities() {
		namesakes[m.Slug]++
	}
	for _, m := range atlas.Municipalities() {
		if m.UF == territory.Abroad {
			continue
		}
		for _, name := range []string{m.Name, blank.Replace(m.Name), m.RFBName, blank.Replace(m.RFBName)} {
			if got, _, ok := r.Municipality(name+"/"+m.UF, ""); !ok || got != m {
				t.Errorf("%s/%s is %+v", name, m.UF, got)
			}
			if whole, _ := r.Places(name+" "+m.UF, 2, 0); len(whole) != 1 || whole[0] != m {
				t.Errorf("%s %s is %+v", name, m.UF, whole)
			}
		}
		got, several, ok := r.Municipality(blank.Replace(m.Name), "")
		if alone := namesakes[m.Slug] == 1; ok != alone || ok && got != m || !ok && len(several) != namesakes[m.Slug] {
			t.Errorf("%s is %+v or %s", m.Name, got, several)
		}
	}
}

func list(places []territory.Municipality) string {
	var names []string
	for _, m := range places {
		names = append(names, m.Name+"/"+m.UF)
	}
	return strings.Join(names, " ")
}

func BenchmarkPlaces(b *testing.B) {
	atlas, err := territory.Open()
	if err != nil {
		b.Fatal(err)
	}
	places := newMunicipalityIndex(atlas)
	for b.Loop() {
		places.find("s", 3, 2)
	}
}
