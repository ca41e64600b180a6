package places

import (
	"cmp"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"

	gocmp "github.com/google/go-cmp/cmp"
	"golang.org/x/text/runes"
	"golang.org/x/text/transform"
	"golang.org/x/text/unicode/norm"

	"razao/index/figures"
	"razao/internal/data/ptbr"
	"razao/internal/data/territory"
	"razao/internal/testing/fixture"
	"razao/site/page"
	"razao/site/page/pagetest"
)

// plainWords returns a name as someone without accents on the keyboard types it: lower case, single
// spaces.
func plainWords(t *testing.T, name string) string {
	t.Helper()
	plain, _, err := transform.String(transform.Chain(norm.NFD, runes.Remove(runes.In(unicode.Mn))), strings.ToLower(name))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(strings.FieldsFunc(plain, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }), " ")
}

// everywhere returns all municipalities with random figures, many of them equal.
func everywhere(t *testing.T) []figures.Place {
	t.Helper()
	atlas := fixture.Atlas(t)
	r := rand.New(rand.NewPCG(1, 2))
	var all []figures.Place
	for _, m := range atlas.Municipalities() {
		if m.UF == territory.Abroad {
			continue
		}
		p := figures.Place{Name: m.Name, UF: m.UF, Slug: m.Slug, Municipality: m, Population: m.Population}
		p.ActiveCompanies, p.OpenedInYear, p.ClosedEstablishments = r.Int64N(40), r.Int64N(5), r.Int64N(300)
		p.Capital = new(big.Int).Lsh(big.NewInt(r.Int64N(3)), 70) // more than a float64 tells apart from its neighbors
		p.Capital.Add(p.Capital, big.NewInt(r.Int64N(3)))
		all = append(all, p)
	}
	return all
}

// TestRankingIsThatOfBruteForce compares the rows with a brute-force filter and sort, for every
// order, several states and names.
func TestRankingIsThatOfBruteForce(t *testing.T) {
	t.Parallel()
	all := everywhere(t)
	rate := func(p *figures.Place) *big.Rat {
		if p.Population == 0 {
			return new(big.Rat)
		}
		return big.NewRat(p.ActiveCompanies, int64(p.Population))
	}
	orders := map[string]func(a, b *figures.Place) int{
		"":          func(a, b *figures.Place) int { return cmp.Compare(b.ActiveCompanies, a.ActiveCompanies) },
		"por_mil":   func(a, b *figures.Place) int { return rate(b).Cmp(rate(a)) },
		"aberturas": func(a, b *figures.Place) int { return cmp.Compare(b.OpenedInYear, a.OpenedInYear) },
		"baixas":    func(a, b *figures.Place) int { return cmp.Compare(b.ClosedEstablishments, a.ClosedEstablishments) },
		"capital":   func(a, b *figures.Place) int { return b.Capital.Cmp(a.Capital) },
		"nome":      func(a, b *figures.Place) int { return cmp.Compare(ptbr.Slug(a.Name), ptbr.Slug(b.Name)) },
	}
	matches := func(p *figures.Place, name string) bool {
		words, typed := plainWords(t, p.Name), plainWords(t, name)
		for at := range words {
			if at > 0 && words[at-1] != ' ' {
				continue
			}
			if rest := words[at:]; strings.HasPrefix(rest, typed) || rest+" "+strings.ToLower(p.UF) == typed {
				return true
			}
		}
		return false
	}
	measures := measuresOf(&figures.Places{Year: 2025, PeopleYear: 2021})
	if len(measures) != len(orders) {
		t.Errorf("%d orders, want %d", len(measures), len(orders))
	}
	names := []string{
		"", "sao", "SÃO JOSÉ", "jose do", "rio", "Santa Bárbara d'Oeste", "oeste", "agua", "campinas sp", "Campinas/SP", "santos mg", "xyz", "o", "á",
	}
	found := 0
	for _, m := range measures {
		var whole []*figures.Place
		for i := range all {
			whole = append(whole, &all[i])
		}
		slices.SortStableFunc(whole, orders["nome"])
		slices.SortStableFunc(whole, orders[""])
		slices.SortStableFunc(whole, orders[m.Name])
		ranked := figures.Ranked(all, m.compare)
		for _, uf := range []string{"", "SP", "DF", "MT"} {
			for _, name := range names {
				var want, got []string
				for i, p := range whole {
					if (uf == "" || p.UF == uf) && (name == "" || matches(p, name)) {
						want = append(want, fmt.Sprintf("%d %s", i+1, p.Municipality.IBGE))
					}
				}
				q := rankingQuery{by: m, uf: territory.UF{Code: uf}, name: name, slug: ptbr.Slug(name)}
				for _, row := range q.rows(ranked) {
					got = append(got, fmt.Sprintf("%d %s", row.Position, row.Municipality.IBGE))
				}
				if diff := gocmp.Diff(want, got); diff != "" {
					t.Fatalf("ordem=%s uf=%s q=%s (-brute force +ranking):\n%.600s", m.Name, uf, name, diff)
				}
				found += len(got)
			}
		}
	}
	if found < 30_000 {
		t.Errorf("only %d rows were compared", found)
	}
}

// TestDotsFollowTheOrder expects a different map for every measure, with the figures of each size
// class in its legend.
func TestDotsFollowTheOrder(t *testing.T) {
	t.Parallel()
	shapes, _ := somePlaces(t)
	all := everywhere(t)
	measures := measuresOf(&figures.Places{Year: 2025, PeopleYear: 2021})
	drawn := map[string]string{}
	for _, m := range measures {
		shown := mapMeasure(measures, m)
		if m.Name == byName && shown.Name != perThousand {
			t.Errorf("the order by name shows %q", shown.Name)
		}
		ranked := figures.Ranked(all, shown.compare)
		dots := newDotMap(shapes, ranked, shown)
		if dots.Label != shown.label || dots.Label == "" {
			t.Errorf("%s: the map is called %q", m.Name, dots.Label)
		}
		largest := dots.Dots[len(dots.Dots)-1]
		if want := "os 10 primeiros: " + ptbr.Span(shown.text(ranked[9]), shown.text(ranked[0])); largest.Text != want {
			t.Errorf("%s: legend %q, want %q", m.Name, largest.Text, want)
		}
		want := map[[2]int]int{}
		for _, p := range ranked[:10] {
			x, y := project(p.Municipality.Latitude, p.Municipality.Longitude)
			want[[2]int{int(x + .5), int(y + .5)}]++
		}
		if diff := gocmp.Diff(want, pointsOf(t, largest.Path)); diff != "" {
			t.Errorf("%s: the largest dots (-first ten +map):\n%s", m.Name, diff)
		}
		drawn[shown.Name] = largest.Path
	}
	if len(drawn) != len(measures)-1 {
		t.Errorf("%d maps for %d measures", len(drawn), len(measures)-1)
	}
	paths := map[string]bool{}
	for _, path := range drawn {
		paths[path] = true
	}
	if len(paths) != len(drawn) {
		t.Errorf("%d of %d maps are different", len(paths), len(drawn))
	}
}

func TestPagesHoldHostileText(t *testing.T) {
	t.Parallel()
	pagetest.Hostile[page.Page](t, page.Render, &rankingPage{}, &comparisonPage{})
}
