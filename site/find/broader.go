package find

import (
	"context"
	"slices"
	"strings"

	"razao/index"
	"razao/index/filter"
	"razao/index/term"
	"razao/internal/store/snapshot"
)

// maxBroader bounds the broader variants that are tried for a search without results. Each is one
// search: without a bound, an address with hundreds of filter values would cause hundreds of them
// (amplification).
const maxBroader = 8

// maxBroaderWork bounds all of them together, in steps (snapshot.Found.Work): forty words that are tried again for
// each filter cost far more than the search itself.
const maxBroaderWork = 5_000

// broader is a broader variant of a search without results, with what it finds.
type broader struct {
	variant
	Found string
}

// broader tries the first maxBroader variants, as far as the work allows, and returns those that find something with
// all words. companies says that the search counts companies.
func (hs *Handlers) broader(ctx context.Context, snap *snapshot.Snapshot, variants []variant, companies bool) ([]broader, error) {
	var all []broader
	work := 0
	for _, v := range variants[:min(len(variants), maxBroader)] {
		if work >= maxBroaderWork {
			break
		}
		v.query.AllWords = true
		found, err := snap.Find(ctx, v.query)
		if err != nil {
			return nil, err
		}
		if work += found.Work; found.Total > 0 {
			all = append(all, broader{v, countText(int64(found.Total), int64(found.Establishments), found.TotalIsFloor, companies)})
		}
	}
	return all, nil
}

// wider returns the broader variants of a query, the most promising first: without its place, in
// all fields, without one of the other filters in the order of chips.
func (q *query) wider(chips []variant, places []index.PlaceFilter) []variant {
	var first, rest []variant
	if change := q.withoutPlaces(places); change != nil && hasWeight(change[1]) {
		v := variant{"No país todo", q.with(change...), q.forIndex()}
		v.query.Text = change[1]
		first = append(first, v)
	}
	for _, chip := range chips {
		v := variant{"Sem o filtro “" + chip.Text + "”", chip.URL, chip.query}
		switch name, narrower := dropped(q.filters, v.query.Filters); {
		case narrower: // it cannot find what the query does not
		case v.query.Text == "" && v.query.Filters.Empty(): // there is no search left
		case name != "" && filter.Named(name).Group == filter.Named(filter.UF).Group:
			first = append(first, v)
		default:
			rest = append(rest, v)
		}
	}
	if q.scope != index.InAll {
		v := variant{"Em nomes e sócios", q.with(scopeName, ""), q.forIndex()}
		v.query.Scope = index.InAll
		first = append(first, v)
	}
	return append(first, rest...)
}

// hasWeight reports whether a text has a word that is not a stop word.
func hasWeight(text string) bool {
	return slices.ContainsFunc(term.Words(text), func(word string) bool { return !term.IsWeightless([]byte(word)) })
}

// dropped returns the filter of which without has fewer values than of, "" if there is none, and
// whether without is narrower than of: the dropped value was one of several alternatives.
func dropped(of, without filter.Set) (name string, narrower bool) {
	for name, values := range of.Parameters() {
		left := without.Values(name)
		if len(left) == len(values) {
			continue
		}
		kind, before, after := filter.KindOf(name), alternatives(values), alternatives(left)
		return name, (kind == filter.Codes || kind == filter.Choice) && 0 < after && after < before
	}
	return "", false
}

// alternatives counts the values that are not excluded.
func alternatives(values []string) int {
	n := 0
	for _, value := range values {
		if !strings.HasPrefix(value, "-") {
			n++
		}
	}
	return n
}
