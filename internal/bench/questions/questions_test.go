package questions

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"razao/index"
	"razao/index/filter"
	"razao/internal/testing/fixture"
)

func dice() *rand.Rand { return rand.New(rand.NewPCG(1, 1)) }

// newTestLog is a log over the load of the tests.
func newTestLog(t *testing.T) *Log {
	t.Helper()
	drawn, err := Draw(t.Context(), fixture.Load(t).Pool, dice())
	if err != nil {
		t.Fatal(err)
	}
	l, err := NewLog(drawn)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// TestLog draws from a load and makes all there is of it.
func TestLog(t *testing.T) {
	t.Parallel()
	l, r := newTestLog(t), dice()
	if len(l.Numbers) < 10 || len(l.Roots) < 5 || len(l.Roots) >= len(l.Numbers) || len(l.Individual) == 0 {
		t.Errorf("%d establishments of %d companies and %d individual entrepreneurs", len(l.Numbers), len(l.Roots), len(l.Individual))
	}
	if first, last := l.Largest[0], l.Largest[len(l.Largest)-1]; first.rows <= last.rows || len(first.Numbers) != numbersKept {
		t.Errorf("the largest company has %d rows and %d numbers, the last of the largest %d rows", first.rows, len(first.Numbers), last.rows)
	}
	sum := 0
	for _, class := range l.Classes() {
		sum += class.Share
		for _, kind := range class.Kinds {
			q := kind.Next(r)
			switch {
			case class.Name == Listing && (q.Text != "" || q.Filters.Empty()):
				t.Errorf("listing %q asks %+v, want filters and no text", kind.Name, q)
			case class.Name == Totals && q.Limit != 0:
				t.Errorf("total %q wants %d hits, want none", kind.Name, q.Limit)
			}
		}
	}
	if sum != 100 {
		t.Errorf("the shares add up to %d, want 100: the report calls them percent", sum)
	}
	for _, path := range []string{l.State(r), l.City(r), l.Person(r), l.Listing(r), l.Export(r)} {
		if strings.Contains(path, "//") || strings.HasSuffix(path, "/") || path[0] != '/' {
			t.Errorf("%q is no address", path)
		}
	}
	for range 100 {
		if filters := l.Filters(r, 3); len(filters) > 3 || strings.Contains(filters.Encode()+"&", "=&") {
			t.Errorf("filters are %v, want at most three with values", filters)
		}
	}
}

func TestFiveFilters(t *testing.T) {
	t.Parallel()
	s := sketch{name: "PADARIA", uf: "SP", municipio: "7107", situacao: "02", porte: "01", cnae: "1091102"}
	want := filter.Of(filter.UF, "SP", filter.Municipio, "7107", filter.Situacao, "02", filter.Porte, "01", filter.CNAE, "1091102")
	if diff := cmp.Diff(want.String(), s.five().String()); diff != "" {
		t.Errorf("five filters (-want +got):\n%s", diff)
	}
}

func TestTexts(t *testing.T) {
	t.Parallel()
	if diff := cmp.Diff([]string{"PADARIA", "ESTRELA"}, wordsOf("41.330.504 PADARIA DE ESTRELA LTDA")); diff != "" {
		t.Errorf("words (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"SOL", "LUA"}, commonWords([]string{"LUA SOL", "SOL MAR", "SOL LUA"}, 2)); diff != "" {
		t.Errorf("common words (-want +got):\n%s", diff)
	}
	for n, want := range map[int]string{2: "ÁG", 9: "ÁGUA"} {
		if got := beginning("ÁGUA", n); got != want {
			t.Errorf("the first %d letters are %q, want %q", n, got, want)
		}
	}
}

func TestMixtureKeepsShares(t *testing.T) {
	t.Parallel()
	one := func(name string) []Kind {
		return []Kind{(&Log{}).ask(name, index.Query{Text: name}, nil, nil)}
	}
	draw := Mixture([]Class{{"a", 80, one("a")}, {"never", 0, one("never")}, {"b", 20, one("b")}})
	drawn, r := map[string]int{}, dice()
	for range 10_000 {
		class, query := draw(r)
		if class.Name != query.Text {
			t.Fatalf("class %s gave the query of %s", class.Name, query.Text)
		}
		drawn[class.Name]++
	}
	if drawn["never"] != 0 || drawn["a"] < 7_700 || drawn["a"] > 8_300 {
		t.Errorf("drawn %v, want 80 to 20 and never the one without a share", drawn)
	}
}

func TestMisspelt(t *testing.T) {
	t.Parallel()
	r := dice()
	for range 100 {
		got := misspelt(r, "PADARIA LTDA")
		if size := len(got); size < len("PADARIA")-1 || size > len("PADARIA")+1 {
			t.Fatalf("misspelt is %q, want one letter more, less or swapped", got)
		}
	}
	if got := misspelt(r, "SOL"); got != "SOL" {
		t.Errorf("a short word became %q, want it left alone", got)
	}
}

func TestSearchPath(t *testing.T) {
	t.Parallel()
	q := index.Query{Text: "pão & café", Offset: 40, Filters: filter.Of(filter.UF, "SP"), Order: index.ByNewest, LiteralPlaces: true}
	if got, want := searchPath(q), "/busca?literal=1&ordem=recentes&pagina=3&q=p%C3%A3o+%26+caf%C3%A9&uf=SP"; got != want {
		t.Errorf("path is %s, want %s", got, want)
	}
}
