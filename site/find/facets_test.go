package find

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"

	"razao/index"
	"razao/index/filter"
	"razao/internal/testing/fixture"
	"razao/site/places"
)

func TestWithout(t *testing.T) {
	t.Parallel()
	for _, c := range [][3]string{
		{"padaria central Campinas, SP", "campinas sp", "padaria central"},
		{"São Paulo padaria", "sao paulo", "padaria"},
		{"padaria São Paulo em são paulo", "sao paulo", "padaria São Paulo em"},
		{"padaria", "campinas", "padaria"},
		{"campinas", "campinas", ""},
		{"padaria", "", "padaria"},
	} {
		if got := without(c[0], c[1]); got != c[2] {
			t.Errorf("%q without %q: got %q, want %q", c[0], c[1], got, c[2])
		}
	}
}

// TestToggledActivity narrows a division to a subclass, keeps several subclasses beside each other, and widens them again.
func TestToggledActivity(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		chosen, value string
		active        bool
		want          string
	}{
		{"cnae=47", "4721102", false, "/busca?cnae=4721102"},
		{"cnae=4721102", "4711302", false, "/busca?cnae=4721102&cnae=4711302"},
		{"cnae=4711302&cnae=4721102", "4721102", true, "/busca?cnae=4711302"},
		{"cnae=4711302&cnae=4721102", "47", false, "/busca?cnae=47"},
		{"cnae=4721102", "4721102", true, "/busca?cnae=47"},
		{"cnae=4721102", "10", false, "/busca?cnae=4721102&cnae=10"},
		{"cnae=47", "47", true, "/busca"},
		{"cnae=-47", "-47", true, "/busca"},
		{"cnae=-4721102", "4721102", false, "/busca?cnae=4721102"},
	} {
		parameters, err := url.ParseQuery(c.chosen)
		if err != nil {
			t.Fatal(err)
		}
		q := &query{layout: searchLayout(), page: 1}
		q.order = &q.orders[0]
		for _, value := range parameters[filter.CNAE] {
			q.given = append(q.given, givenFilter{Given: filter.Given{Filter: filter.Named(filter.CNAE), Value: value}})
			q.filters = q.filters.Add(filter.CNAE, value)
		}
		if got := q.toggled(filter.CNAE, c.value, c.active, nil); got != c.want {
			t.Errorf("%s: %s leads to %s, want %s", c.chosen, c.value, got, c.want)
		}
	}
}

// TestToggles compares the addresses of all values of a facet with those that are written one by one.
func TestToggles(t *testing.T) {
	t.Parallel()
	hs, snap := newHandlers(t, fixture.Load(t).Live)
	sp := places.Place{UF: "SP"}
	values := map[string][]string{
		filter.UF: {"RJ"}, filter.Municipio: {"7107"}, filter.YearFrom: {"2020"}, filter.CNAE: {"47", "4721102"}, "natureza": {"2062"},
		"capital": {"1000-10000"}, kindOfOffice: {"matriz", "filial"}, "mei": {"sim"}, filter.Source: {"pgfn"}, "situacao": {"02", "a b&c=%00"},
	}
	for _, asked := range []string{"", "q=padaria+%2B+caf%C3%A9&ordem=capital", "uf=SP&municipio=7107", "cnae=47", "situacao=-02&ano_ate=2021", "tipo=filial&mei=nao"} {
		for name, layout := range map[string]layout{"search": searchLayout(), "country": hs.listingLayout(places.Place{}), "state": hs.listingLayout(sp)} {
			c, _ := gin.CreateTestContext(httptest.NewRecorder())
			c.Request = httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/?"+asked, nil)
			q, err := hs.readQuery(c, snap, layout)
			if err != nil {
				t.Fatal(err)
			}
			named := []index.PlaceFilter{{Words: "cafe"}}
			for parameter, all := range values {
				toggled := q.toggles(parameter, named)
				for _, value := range all {
					active := q.active(parameter, value)
					if got, want := toggled(value, active), q.toggled(parameter, value, active, named); got != want {
						t.Errorf("%s?%s: %s=%s leads to %s, want %s", name, asked, parameter, value, got, want)
					}
				}
			}
		}
	}
}

// TestFacetValues expects a few values of a facet, fifteen more behind Mais and a way to the others; what
// is chosen first, however rare it is; and bars in proportion to the most frequent.
func TestFacetValues(t *testing.T) {
	t.Parallel()
	hs, snap := newHandlers(t, fixture.Load(t).Live)
	var counts []index.FacetValue
	for i, uf := range strings.Fields("SP MG RJ BA RS PR SC GO PE CE PA MA ES MT MS PB RN AL PI SE DF AM RO TO AC AP RR") {
		counts = append(counts, index.FacetValue{Value: uf, Count: int64(270 - 10*i)})
	}
	for asked, want := range map[string]struct{ first, shares, rest, last string }{
		"":             {"São Paulo, Minas Gerais, Rio de Janeiro, Bahia, Rio Grande do Sul", "100.0 96.3 92.6 88.9 85.2", "15", "Sergipe"},
		"uf=RR&uf=-MG": {"exceto Minas Gerais, Roraima, São Paulo, Rio de Janeiro, Bahia", "96.3 3.7 100.0 92.6 88.9", "15", "Piauí"},
		"uf=AC&uf=AP&uf=RR&uf=TO&uf=RO&uf=AM&uf=DF": {"Distrito Federal, Amazonas, Rondônia, Tocantins, Acre, Amapá, Roraima", "", "13", "Espírito Santo"},
	} {
		c, _ := gin.CreateTestContext(httptest.NewRecorder())
		c.Request = httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/busca?"+asked, nil)
		q, err := hs.readQuery(c, snap, searchLayout())
		if err != nil {
			t.Fatal(err)
		}
		all := hs.facets(snap, q, &answer{counts: index.Facets{"uf": counts}}, advancedPath)
		if len(all) != 1 {
			t.Fatalf("%q: %d facets", asked, len(all))
		}
		var first, shares []string
		for _, value := range all[0].First {
			first, shares = append(first, value.Text), append(shares, strings.TrimSuffix(value.Share, "%"))
		}
		rest := all[0].Rest
		if got := strings.Join(first, ", "); got != want.first || want.shares != "" && strings.Join(shares, " ") != want.shares {
			t.Errorf("%q: first %s with %s", asked, got, shares)
		}
		if strconv.Itoa(len(rest)) != want.rest || rest[len(rest)-1].Text != want.last || all[0].Others == "" || !all[0].Open {
			t.Errorf("%q: %d more to %s, the others at %q, open: %t", asked, len(rest), rest[len(rest)-1].Text, all[0].Others, all[0].Open)
		}
	}
}
