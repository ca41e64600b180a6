package find

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"razao/index"
	"razao/index/filter"
	"razao/index/term"
	"razao/internal/data/ptbr"
	"razao/internal/data/source"
	"razao/internal/store/snapshot"
	"razao/site/chart"
	"razao/site/page"
)

// Bounds of the facets.
const (
	facetsShown = 5                // visible values of a facet; the rest is folded away
	facetsMost  = facetsShown + 15 // values of a facet in all
)

// facet is a filter with the values it offers.
type facet struct {
	Label  string
	Open   bool // otherwise only the label is visible
	First  []facetValue
	Rest   []facetValue
	Others string     // address of a page with the values that are not listed; "" when all are, or for a Form
	Form   *facetForm // for values that are not listed; nil when all are
	Note   string     // caveat about the counts; "" for most
}

// facetValue is a link that adds a value to the filter or, when the value or its exclusion is
// active, removes it.
type facetValue struct {
	Text   string
	Count  string // as people read it
	Share  string // of the largest count of the facet, as a percentage for SVG
	URL    string
	Active bool
}

// facetForm is a GET form that adds one value, or sets both ends of a range.
type facetForm struct {
	target
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
	open   bool                            // shown even when nothing of it is chosen
}

// facetKinds are the facets in page order.
var facetKinds = [...]facetKind{
	{counts: "uf", filter: "uf", open: true},
	{counts: "municipio", filter: "municipio", asks: []string{filter.Municipio}, other: "Outro", open: true},
	{counts: "situacao", filter: "situacao", open: true},
	{counts: "porte", filter: "porte", open: true},
	{counts: "cnae_divisao", filter: "cnae", asks: []string{filter.CNAE}, other: "Outra", open: true},
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

// facets returns the facets in page order, without those that offer no choice. others is the address of
// the values that they do not list.
func (hs *Handlers) facets(snap *snapshot.Snapshot, q *query, a *answer, others string) []facet {
	var all []facet
	for i := range facetKinds {
		kind := &facetKinds[i]
		values := hs.facetValues(snap, q, kind, a.counts[kind.counts], a.Understood.Places)
		alone := len(values) == 1 && !values[0].Active && kind.filter != filter.Source
		narrowed := slices.ContainsFunc(kind.asks, q.chosen)
		if (len(values) == 0 || alone) && !narrowed {
			continue
		}
		f := facet{Label: filter.Named(kind.filter).Label, Open: kind.open || q.empty() || q.chosen(kind.filter) || narrowed}
		if division, ok := hs.filters.Value(snap, filter.CNAE, q.filters.Activity()); ok && kind.counts == subclasses {
			f.Label = "Dentro de " + division.Text
		}
		f.arrange(values)
		switch {
		case kind.asks != nil:
			f.Form = q.facetForm(kind, a.Understood.Places)
		case len(a.counts[kind.counts]) > facetsMost:
			f.Others = others
		}
		if kind.filter == filter.Source {
			f.Note = unflaggedNote(snap)
		}
		all = append(all, f)
	}
	return all
}

// facetValues returns the values of one facet from its counts, active ones first. A value whose
// exclusion is active stands for the exclusion, so that its link removes it.
func (hs *Handlers) facetValues(snap *snapshot.Snapshot, q *query, kind *facetKind, counts []index.FacetValue, places []index.PlaceFilter) []facetValue {
	if kind.order != nil {
		counts = slices.SortedFunc(slices.Values(counts), kind.order)
	}
	if q.filters.Has(kind.filter) {
		active := func(v index.FacetValue) int {
			if q.active(kind.filter, v.Value) || q.active(kind.filter, "-"+v.Value) {
				return 0
			}
			return 1
		}
		counts = slices.SortedStableFunc(slices.Values(counts), func(a, b index.FacetValue) int { return cmp.Compare(active(a), active(b)) })
	}
	counts = counts[:min(len(counts), facetsMost)]
	var most int64 = 1
	for _, count := range counts {
		most = max(most, count.Count)
	}
	toggled := q.toggles(kind.filter, places)
	var values []facetValue
	for _, count := range counts {
		g, ok := hs.filters.Value(snap, kind.filter, count.Value)
		if !ok { // an unknown code: its link would lead to a 422
			continue
		}
		if excluded := "-" + g.Value; q.active(kind.filter, excluded) {
			g, _ = hs.filters.Value(snap, kind.filter, excluded) // read before, with the query
		}
		v := facetValue{Text: g.Text, Count: ptbr.Count(count.Count), Share: chart.Share(count.Count, most) + "%", Active: q.active(kind.filter, g.Value)}
		v.URL = toggled(g.Value, v.Active)
		values = append(values, v)
	}
	return values
}

// unflaggedNote names the sources whose flags the index lacks, which cannot be counted; "" when it
// has all.
func unflaggedNote(snap *snapshot.Snapshot) string {
	return uncountedNote("Sem contagem", snap.Unflagged())
}

// uncountedNote says what is not known of sources now; "" without any.
func uncountedNote(what string, ids []string) string {
	var titles []string
	for _, id := range ids {
		if src, ok := source.Find(id); ok {
			titles = append(titles, src.Title)
		}
	}
	if len(titles) == 0 {
		return ""
	}
	return what + " neste momento: " + strings.Join(titles, ", ") + "."
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
	form.target = q.target(changes...)
	return form
}

// toggled returns the address with the value added or, when active, removed. Years, two-valued
// filters and places in the path hold one value, which is replaced. Another state drops the
// municipalities, and a place drops the words that the text was understood to mean a place by. An
// activity and its parts exclude each other: choosing one removes the other, and removing the last
// subclass goes back to the division it narrowed.
func (q *query) toggled(name, value string, active bool, places []index.PlaceFilter) string {
	v := q.parameters()
	switch {
	case name == filter.YearFrom:
		if active {
			value = ""
		}
		page.Change(v, filter.YearFrom, value, filter.YearTo, value)
		return q.address(v)
	case name == filter.UF:
		v.Del(filter.Municipio)
	}
	if name == filter.UF || name == filter.Municipio {
		page.Change(v, q.withoutPlaces(places)...)
	}
	if active {
		remove(v, name, value)
		if activity := q.filters.Activity(); name == filter.CNAE && activity != "" && activity != value && !v.Has(name) {
			v.Set(name, activity) // back to the division that the subclass narrowed
		}
		return q.address(v)
	}
	v[name] = slices.DeleteFunc(v[name], func(other string) bool {
		partOf := name == filter.CNAE && (strings.HasPrefix(other, value) || strings.HasPrefix(value, other))
		return q.inPath(name) || filter.KindOf(name) == filter.Choice || other == "-"+value || partOf
	})
	v.Add(name, value)
	return q.address(v)
}

// toggles returns toggled for the values of one filter. While the filter has no value, addresses that
// add one differ in nothing else, so the rest is written once: a page has up to 300 of them. In a
// listing the values of a few filters decide about the path.
func (q *query) toggles(name string, places []index.PlaceFilter) func(value string, active bool) string {
	const mark = "\x00" // in no text (cutQuery) and no value of a filter
	inPath := name == filter.UF || name == filter.Municipio || name == kindOfOffice
	if q.filters.Has(name) || inPath && !q.words {
		return func(value string, active bool) string { return q.toggled(name, value, active, places) }
	}
	around := strings.Split(q.toggled(name, mark, false, places), url.QueryEscape(mark))
	return func(value string, active bool) string {
		if active {
			return q.toggled(name, value, active, places)
		}
		return strings.Join(around, url.QueryEscape(value))
	}
}

// withoutPlaces returns the change, for query.with, that removes the words taken for a place from
// the text; nil when there are none. With these words left in, another place would find nothing.
func (q *query) withoutPlaces(places []index.PlaceFilter) []string {
	if len(places) == 0 {
		return nil
	}
	text := q.text
	for _, place := range places {
		text = without(text, place.Words)
	}
	return []string{"q", text}
}

// without removes the last occurrence of words from a text, ignoring case and accents. A text
// without them is returned unchanged.
func without(typed, words string) string {
	tokens, wanted := term.Tokens(typed), term.Tokens(words)
	same := func(a, b term.Token) bool { return a.Text == b.Text }
	for i := len(tokens) - len(wanted); i >= 0 && len(wanted) > 0; i-- {
		if slices.EqualFunc(tokens[i:i+len(wanted)], wanted, same) {
			typed, _ = cutQuery(typed[:tokens[i].Start] + " " + typed[tokens[i+len(wanted)-1].End:])
			return typed
		}
	}
	return typed
}

// arrange splits values, active ones first, into visible and folded ones. Folding a single value
// would save no line, so it stays visible.
func (f *facet) arrange(values []facetValue) {
	shown := facetsShown
	for shown < len(values) && (values[shown].Active || len(values) == shown+1) {
		shown++
	}
	shown = min(shown, len(values))
	f.First, f.Rest = values[:shown], values[shown:]
}
