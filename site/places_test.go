package site

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"razao/internal/fixture"
	"razao/internal/territory"
)

func openPlaces(t *testing.T) placeIndex {
	t.Helper()
	atlas, err := territory.Open()
	if err != nil {
		t.Fatal(err)
	}
	return newPlaceIndex(atlas)
}

func TestPlaces(t *testing.T) {
	t.Parallel()
	places := openPlaces(t)
	cases := []struct{ name, text, whole, others string }{
		{"whole name", "campinas", "Campinas/SP", ""},
		{"with the state", "Campinas SP", "Campinas/SP", ""},
		{"state being typed", "campinas s", "", "Campinas/SP"},
		{"accents and case", "SÃO  PAULO", "São Paulo/SP", ""},
		{"beginning", "campi", "", "Campinas/SP Campina Grande/PB"},
		{"one letter", "s", "", "São Paulo/SP Salvador/BA"},
		{"later word", "janeiro", "", "Rio de Janeiro/RJ"},
		{"homonyms", "bom jesus", "Bom Jesus/PI Bom Jesus/RS Bom Jesus/RN", ""},
		{"homonym of one state", "bom jesus rs", "Bom Jesus/RS", ""},
		{"apostrophe", "olho d'agua das f", "", "Olho d'Água das Flores/AL"},
		{"only punctuation", "--- !!", "", ""},
		{"no such place", "xyzzy", "", ""},
		{"place and more", "padaria campinas", "", ""},
		{"abroad", "exterior", "", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			whole, others := places.suggest(c.text)
			if got := list(whole); got != c.whole {
				t.Errorf("whole names: got %q, want %q", got, c.whole)
			}
			if got := list(others); got != c.others {
				t.Errorf("others: got %q, want %q", got, c.others)
			}
		})
	}
}

func list(places []territory.Municipality) string {
	var names []string
	for _, m := range places {
		names = append(names, m.Name+"/"+m.UF)
	}
	return strings.Join(names, " ")
}

func TestSuggestedMunicipality(t *testing.T) {
	t.Parallel()
	h, _ := newHandler(t, fixture.Load(t))
	suggested := func(q string) []suggestion {
		var body suggestionsBody
		w := get(t, h, "/sugestoes?q="+q)
		if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil {
			t.Fatal(err)
		}
		return body.Items
	}
	want := suggestion{Kind: "municipio", Title: "Campinas", Detail: "Município · SP", URL: "/uf/sp/campinas"}
	items := suggested("campinas")
	if len(items) == 0 {
		t.Fatal("nothing suggested for a whole name")
	}
	if diff := cmp.Diff(want, items[0]); diff != "" {
		t.Errorf("first suggestion (-want +got):\n%s", diff)
	}
	items = suggested("e") // companies and municipalities have words with it
	if len(items) != maxSuggestions || items[0].Kind != "empresa" || items[maxSuggestions-1].Kind != "municipio" {
		t.Errorf("suggestions for one letter: %+v", items)
	}
}

func BenchmarkPlaces(b *testing.B) {
	atlas, err := territory.Open()
	if err != nil {
		b.Fatal(err)
	}
	places := newPlaceIndex(atlas)
	for b.Loop() {
		places.suggest("s")
	}
}
