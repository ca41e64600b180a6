package find

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/google/go-cmp/cmp"

	"razao/internal/store/snapshot"
	"razao/internal/testing/fixture"
	"razao/site/page"
	"razao/site/page/pagetest"
	"razao/site/places"
)

// newHandlers returns the handlers over what is loaded, and the snapshot in service.
func newHandlers(t *testing.T, live *snapshot.Live) (*Handlers, *snapshot.Snapshot) {
	t.Helper()
	pages, snap := pagetest.Server(t, live)
	summaries, err := places.New(pages)
	if err != nil {
		t.Fatal(err)
	}
	hs, err := New(Config{Pages: pages, Places: summaries})
	if err != nil {
		t.Fatal(err)
	}
	return hs, snap
}

// TestBroaderVariantsAreBounded searches with many filters and counts the queries to the index: a
// request must not cause hundreds of searches (amplification). Those that are asked are the most
// promising ones: place first, and never one of several values of a filter, whose removal only
// narrows.
func TestBroaderVariantsAreBounded(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	hs, snap := newHandlers(t, l.Live)
	// many returns n conditions on the division of the main activity, excluded or included.
	many := func(sign string, n int) string {
		var all strings.Builder
		for _, division := range strings.Fields("01 02 03 05 06 07 08 09 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 35 36 37 38 39")[:n] {
			all.WriteString("&cnae=" + sign + division)
		}
		return all.String()
	}
	atLength := "q=" + strings.Repeat("xyz+padaria+", 16) + "&uf=RJ&porte=05&mei=nao" + many("-", 30) // words that are tried again and again
	for asked, want := range map[string]struct {
		queries  int64
		variants []string // the first
	}{
		"uf=RJ&porte=05":                                            {1 + 2, []string{"Sem o filtro “Estado: Rio de Janeiro”"}},
		"uf=RJ&porte=05&mei=nao" + many("-", 30):                    {1 + maxBroader, []string{"Sem o filtro “Estado: Rio de Janeiro”"}},
		"q=rede+de+lojas+exemplo+belo+horizonte" + many("-", 30):    {1 + maxBroader, []string{"No país todo"}},
		"q=rede+de+lojas+exemplo" + many("", 30):                    {1, nil},
		atLength:                                                    {1 + 4, nil},
		"q=rede+de+lojas+exemplo&em=socios&porte=05" + many("", 30): {1 + 2, nil},
	} {
		c, _ := gin.CreateTestContext(httptest.NewRecorder())
		c.Request = httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/busca?"+asked, nil)
		q, err := hs.readQuery(c, snap, searchLayout())
		if err != nil {
			t.Fatal(err)
		}
		before := l.Live.Stats().Queries[snapshot.Searches][snapshot.Answered]
		a, err := hs.ask(t.Context(), snap, q)
		if err != nil {
			t.Fatal(err)
		}
		p, err := hs.searchPage(t.Context(), snap, q, a)
		if err != nil {
			t.Fatal(err)
		}
		if n := l.Live.Stats().Queries[snapshot.Searches][snapshot.Answered] - before; n != want.queries {
			t.Errorf("%s: %d queries, want %d", asked, n, want.queries)
		}
		var variants []string
		for _, v := range p.Broader {
			variants = append(variants, v.Text)
		}
		if diff := cmp.Diff(want.variants, variants[:min(len(variants), len(want.variants))]); diff != "" || p.Total != 0 {
			t.Errorf("%s: %d results, variants %q (-want +got):\n%s", asked, p.Total, variants, diff)
		}
	}
}

// TestUncounted: when counting fails, the page loses its facets and keeps its results.
func TestUncounted(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	hs, snap := newHandlers(t, l.Live)
	q := &query{layout: searchLayout(), text: "estrela", page: 1}
	q.order = &q.orders[0]
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := counting(ended, snap, q)(); !errors.Is(err, context.Canceled) {
		t.Errorf("counts without time: %v", err)
	}
	p, err := hs.searchPage(t.Context(), snap, q, &answer{uncounted: context.Canceled})
	if err != nil {
		t.Fatal(err)
	}
	p.Total, p.Results = 1, []result{{Name: "PADARIA ESTRELA DO SUL LTDA"}}
	var body bytes.Buffer
	if err := page.Render(&body, p); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(body.String(), "não puderam ser contados") || !strings.Contains(body.String(), "PADARIA ESTRELA DO SUL LTDA") {
		t.Errorf("the page without counts: %s", &body)
	}
	pagetest.Form(t, body.String())
}

// TestUnlisted: without the list of whom a source has records of, the page names the source.
func TestUnlisted(t *testing.T) {
	t.Parallel()
	list := Listing{Results: []result{{Name: "PADARIA ESTRELA DO SUL LTDA"}}, Unlisted: uncountedNote("Registros sem contagem", []string{"ceis", "cnep"})}
	for _, one := range []page.Page{&searchPage{Listing: list}, &partnerPage{Results: list.Results, Unlisted: list.Unlisted}} {
		var body bytes.Buffer
		if err := page.Render(&body, one); err != nil {
			t.Fatal(err)
		}
		pagetest.Texts(t, body.String(), []string{"Registros sem contagem neste momento: Empresas inidôneas e suspensas (CEIS), Empresas punidas (CNEP)."}, nil)
	}
}

// TestCutBeforeAnything: a search stopped by its budget before the first match must not claim that
// there is nothing.
func TestCutBeforeAnything(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	hs, snap := newHandlers(t, l.Live)
	for _, cut := range []bool{true, false} {
		q := &query{layout: searchLayout(), page: 1}
		q.order = &q.orders[0]
		a := &answer{}
		a.TotalIsFloor = cut
		p, err := hs.searchPage(t.Context(), snap, q, a)
		if err != nil {
			t.Fatal(err)
		}
		p.Start = false
		list := &listingPage{Listing: p.Listing}
		for _, one := range []page.Page{p, list} {
			var body bytes.Buffer
			if err := page.Render(&body, one); err != nil {
				t.Fatal(err)
			}
			if said := strings.Contains(body.String(), "São filtros demais de uma vez"); said != cut {
				t.Errorf("%T, cut %t: says so: %t", one, cut, said)
			}
		}
	}
}

// TestListingNoIndex: only unfiltered listings in their default order may be indexed.
func TestListingNoIndex(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	hs, snap := newHandlers(t, l.Live)
	for asked, want := range map[string]bool{
		"": false, "pagina=2": false, "tipo=matriz&ordem=capital": false, "porte=05": true, "ordem=nome": true, "tipo=filial": true, "tipo=todos": true,
	} {
		c, _ := gin.CreateTestContext(httptest.NewRecorder())
		c.Request = httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/empresas?"+asked, nil)
		q, err := hs.readQuery(c, snap, hs.listingLayout(places.Place{}))
		if err != nil {
			t.Fatal(err)
		}
		p := listingPage{Listing: Listing{links: hs.links(snap, q, &answer{})}}
		if p.describe(q, fixture.Month); p.NoIndex != want {
			t.Errorf("%q: noindex %t, want %t", asked, p.NoIndex, want)
		}
	}
}

// TestPartnerWithMoreThanIsListed: the page says how many companies it does not list, and where all are.
func TestPartnerWithMoreThanIsListed(t *testing.T) {
	t.Parallel()
	p := &partnerPage{Name: "MARIA DA SILVA", Document: "***123456**", Person: true, Left: 3, Through: "123456-maria-da-silva", Results: []result{{Name: "PADARIA ESTRELA DO SUL LTDA"}}}
	p.describe("123456", "maria-da-silva")
	var body bytes.Buffer
	if err := page.Render(&body, p); err != nil {
		t.Fatal(err)
	}
	pagetest.Texts(t, body.String(), []string{"Há mais 3 vínculos", "/v2/socios/123456-maria-da-silva/empresas", "PADARIA ESTRELA"}, nil)
}

func TestPagesHoldHostileText(t *testing.T) {
	t.Parallel()
	pagetest.Hostile[page.Page](t, page.Render, &searchPage{}, &listingPage{}, &partnerPage{}, &advancedPage{})
}
