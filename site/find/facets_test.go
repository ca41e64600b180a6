package find

import (
	"net/url"
	"testing"

	"razao/index/filter"
	"razao/internal/criteria"
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
			q.given = append(q.given, givenFilter{Given: criteria.Given{Criterion: criteria.Named(filter.CNAE), Value: value}})
			q.filters = q.filters.Add(filter.CNAE, value)
		}
		if got := q.toggled(filter.CNAE, c.value, c.active, nil); got != c.want {
			t.Errorf("%s: %s leads to %s, want %s", c.chosen, c.value, got, c.want)
		}
	}
}
