package find

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"razao/index"
	"razao/index/filter"
	"razao/internal/data/ptbr"
	"razao/internal/data/source"
	"razao/internal/store/snapshot"
	"razao/site/page"
)

// Bounds of the facets.
const (
	facetsShown = 8  // visible values of a facet; the rest is folded away
	facetsMost  = 30 // values of a facet in all; enough for every state
)

// facet is a filter with the values it offers.
type facet struct {
	Label string
	First []facetValue
	Rest  []facetValue
	Form  *facetForm // for values that are not listed; nil when all are
	Note  string     // caveat about the counts; "" for most
}

// facetValue is a link that adds a value to the filter or, when the value or its exclusion is
// active, removes it.
type facetValue struct {
	Text   string
	Count  string // as people read it
	URL    string
	Active bool
}

// facetForm is a GET form that adds one value, or sets both ends of a range.
type facetForm struct {
	Action string           // path
	Kept   []page.Parameter // rest of the query, as hidden fields
	Fields []facetField
}

// facetField is an input of a facetForm.
type facetField struct {
	*filter.Filter
	Text  string // label
	Value string
}

// List returns the id of the datalist with the values, "" when they cannot be listed.
func (f *facetField) List() string { return listID(f.Filter) }

// facetKind says where the counts of a facet come from and how they are shown.
type facetKind struct {
	counts string                          // key in index.Facets
	filter string                          // filter that its links set
	order  func(a, b index.FacetValue) int // nil: as the index returns them
	asks   []string                        // filters of its form; nil for no form
	other  string                          // label of the form's only field
}

// facetKinds are the facets in page order.
var facetKinds = [...]facetKind{
	{counts: "uf", filter: "uf"},
	{counts: "municipio", filter: "municipio", asks: []string{filter.Municipio}, other: "Outro"},
	{counts: "situacao", filter: "situacao"},
	{counts: "porte", filter: "porte"},
	{counts: "cnae_divisao", filter: "cnae", asks: []string{filter.CNAE}, other: "Outra"},
	{counts: subclasses, filter: "cnae"},
	{counts: "natureza", filter: "natureza"},
	{counts: "ano", filter: filter.YearFrom, order: byYear, asks: []string{filter.YearFrom, filter.YearTo}},
	{counts: "capital", filter: "capital", order: byBand, asks: []string{filter.CapitalFrom, filter.CapitalTo}},
	{counts: kindOfOffice, filter: kindOfOffice},
	{counts: "simples", filter: "simples"},
	{counts: "mei", filter: "mei"},
	{counts: filter.Source, filter: filter.Source, order: bySource},
}

// fieldsScript completes the fields of forms of filters.
const fieldsScript = "fields.js"

// subclasses is the key of the counts below the activity that is filtered by.
const subclasses = "cnae_abaixo"

// byYear puts the newest year first.
func byYear(a, b index.FacetValue) int { return cmp.Compare(b.Value, a.Value) }

// bySource keeps the order of package source, whatever the counts.
func bySource(a, b index.FacetValue) int {
	ids := source.IDs()
	return cmp.Compare(slices.Index(ids, a.Value), slices.Index(ids, b.Value))
}

// byBand orders bands of capital from the lowest.
func byBand(a, b index.FacetValue) int {
	bands := filter.CapitalBands()
	return cmp.Compare(slices.Index(bands, a.Value), slices.Index(bands, b.Value))
}

// facets returns the facets in page order, without those that offer no choice. places are the
// places the text named.
func (hs *Handlers) facets(snap *snapshot.Snapshot, q *query, counts index.Facets, places []index.PlaceFilter) []facet {
	var all []facet
	for i := range facetKinds {
		kind := &facetKinds[i]
		values := hs.facetValues(snap, q, kind, counts[kind.counts], places)
		alone := len(values) == 1 && !values[0].Active && kind.filter != filter.Source
		if (len(values) == 0 || alone) && !slices.ContainsFunc(kind.asks, q.chosen) {
			continue
		}
		f := facet{Label: filter.Named(kind.filter).Label}
		if division, ok := hs.filters.Value(snap, filter.CNAE, q.filters.Activity()); ok && kind.counts == subclasses {
			f.Label = "Dentro de " + division.Text
		}
		f.arrange(values)
		if kind.asks != nil {
			f.Form = q.facetForm(kind, places)
		}
		if kind.filter == filter.Source {
			f.Note = unflaggedNote(snap)
		}
		all = append(all, f)
	}
	return all
}

// facetValues returns the values of one facet from its counts. A value whose exclusion is active
// stands for the exclusion, so that its link removes it.
func (hs *Handlers) facetValues(snap *snapshot.Snapshot, q *query, kind *facetKind, counts []index.FacetValue, places []index.PlaceFilter) []facetValue {
	if kind.order != nil {
		counts = slices.SortedFunc(slices.Values(counts), kind.order)
	}
	toggled := q.toggles(kind.filter, places)
	var values []facetValue
	for _, count := range counts[:min(len(counts), facetsMost)] {
		g, ok := hs.filters.Value(snap, kind.filter, count.Value)
		if !ok { // an unknown code: its link would lead to a 422
			continue
		}
		if excluded := "-" + g.Value; q.active(kind.filter, excluded) {
			g, _ = hs.filters.Value(snap, kind.filter, excluded) // read before, with the query
		}
		v := facetValue{Text: g.Text, Count: ptbr.Count(count.Count), Active: q.active(kind.filter, g.Value)}
		v.URL = toggled(g.Value, v.Active)
		values = append(values, v)
	}
	return values
}

// unflaggedNote names the sources whose flags the index lacks, which cannot be counted; "" when it
// has all.
func unflaggedNote(snap *snapshot.Snapshot) string {
	var titles []string
	for _, id := range snap.Unflagged() {
		if src, ok := source.Find(id); ok {
			titles = append(titles, src.Title)
		}
	}
	if len(titles) == 0 {
		return ""
	}
	return "Sem contagem neste momento: " + strings.Join(titles, ", ") + "."
}

// facetForm builds the form of a facet. It keeps the rest of the query, including what stands in
// the path and, for a filter with several values, the values it already has. What the form sets
// itself is left out.
func (q *query) facetForm(kind *facetKind, places []index.PlaceFilter) *facetForm {
	var changes []string
	form := &facetForm{}
	for i, name := range kind.asks {
		field := facetField{Filter: filter.Named(name), Text: kind.other}
		switch {
		case filter.KindOf(name) == filter.Bound:
			field.Value, field.Text = q.value(name), [...]string{"de", "até"}[i]
			changes = append(changes, name, "")
		case q.inPath(name):
			changes = append(changes, name, "")
		}
		form.Fields = append(form.Fields, field)
	}
	if kind.filter == filter.Municipio {
		changes = append(changes, q.withoutPlaces(places)...)
	}
	path, query, _ := strings.Cut(q.with(changes...), "?")
	values, _ := url.ParseQuery(query)
	form.Action, form.Kept = path, parametersOf(values)
	return form
}

// arrange splits values into visible and folded ones. When an active value would be folded away,
// the active ones move to the front. Folding a single value would save no line, so it stays
// visible.
func (f *facet) arrange(values []facetValue) {
	active := func(v facetValue) bool { return v.Active }
	if slices.ContainsFunc(values[min(facetsShown, len(values)):], active) { // keep active values visible
		slices.SortStableFunc(values, func(a, b facetValue) int { return cmp.Compare(rank(b.Active), rank(a.Active)) })
	}
	shown := min(facetsShown, len(values))
	if len(values) == facetsShown+1 { // folding a single one would save no line
		shown = len(values)
	}
	f.First, f.Rest = values[:shown], values[shown:]
}

func rank(active bool) int {
	if active {
		return 1
	}
	return 0
}
