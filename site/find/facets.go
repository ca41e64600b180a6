package find

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"strings"
	"time"

	"razao/index"
	"razao/index/filter"
	"razao/index/term"
	"razao/internal/data/ptbr"
	"razao/internal/data/source"
	"razao/internal/recovery"
	"razao/internal/store/snapshot"
	"razao/site/page"
)

// Bounds of the facets.
const (
	facetsShown = 8                      // visible values of a facet; the rest is folded away
	facetsMost  = 30                     // values of a facet in all; enough for every state
	facetTime   = 500 * time.Millisecond // deadline of the counts, so that they cannot delay the results further
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

// Hint returns a sentence on what may be typed.
func (f *facetField) Hint() string { return hint(f.Filter) }

// IsYear reports whether the value is a four-digit year.
func (f *facetField) IsYear() bool { return f.Form == filter.Year }

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

// counting starts counting the facets in a goroutine and returns a function that waits for them.
// wait must be called before the snapshot is released. A panic becomes the error.
func (rm *Room) counting(ctx context.Context, snap *snapshot.Snapshot, q *query) (wait func() (index.Facets, error)) {
	var counts index.Facets
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		ctx, cancel := context.WithTimeout(ctx, facetTime)
		defer cancel()
		err = recovery.Do(func() (err error) {
			counts, err = snap.Facets(ctx, q.forIndex())
			return err
		})
	}()
	return func() (index.Facets, error) {
		<-done
		return counts, err
	}
}

// facets returns the facets in page order, without those that offer no choice. places are the
// places the text named.
func (rm *Room) facets(snap *snapshot.Snapshot, q *query, counts index.Facets, places []index.PlaceFilter) []facet {
	var all []facet
	for i := range facetKinds {
		kind := &facetKinds[i]
		values := counts[kind.counts]
		if kind.order != nil {
			values = slices.SortedFunc(slices.Values(values), kind.order)
		}
		f := rm.facet(snap, q, kind, values[:min(len(values), facetsMost)], places)
		alone := len(f.First) == 1 && !f.First[0].Active && kind.filter != filter.Source
		if len(f.First) > 0 && !alone || slices.ContainsFunc(kind.asks, q.chosen) {
			all = append(all, f)
		}
	}
	return all
}

// totalOf derives the total from the facet counts: every establishment is either a head office or a
// branch. Unlike the total of a search, it is exact however large.
func totalOf(counts index.Facets, f filter.Set) int64 {
	var total int64
	chosen := f.Value(kindOfOffice)
	for _, v := range counts[kindOfOffice] {
		if chosen == "" || chosen == v.Value {
			total += v.Count
		}
	}
	return total
}

// facet builds one facet from its counts. A value whose exclusion is active stands for the
// exclusion, so that its link removes it.
func (rm *Room) facet(snap *snapshot.Snapshot, q *query, kind *facetKind, counts []index.FacetValue, places []index.PlaceFilter) facet {
	f := facet{Label: filter.Named(kind.filter).Label}
	toggled := q.toggles(kind.filter, places)
	var values []facetValue
	for _, count := range counts {
		g, ok := rm.filters.Value(snap, kind.filter, count.Value)
		if !ok { // an unknown code: its link would lead to a 422
			continue
		}
		if excluded := "-" + g.Value; q.active(kind.filter, excluded) {
			g, _ = rm.filters.Value(snap, kind.filter, excluded) // read before, with the query
		}
		v := facetValue{Text: g.Text, Count: ptbr.Count(count.Count), Active: q.active(kind.filter, g.Value)}
		v.URL = toggled(g.Value, v.Active)
		values = append(values, v)
	}
	f.arrange(values)
	if division, ok := rm.filters.Value(snap, filter.CNAE, q.filters.Activity()); ok && kind.counts == subclasses {
		f.Label = "Dentro de " + division.Text
	}
	if kind.asks != nil {
		f.Form = q.facetForm(kind, places)
	}
	if kind.filter == filter.Source {
		f.Note = unflaggedNote(snap)
	}
	return f
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

// chosen reports whether the visitor filters by name; the place of a listing's path does not count.
func (q *query) chosen(name string) bool { return q.filters.Has(name) && !q.inPath(name) }

// active reports whether the query filters by this value, alone or among others. A year is active
// when it is the whole range.
func (q *query) active(name, value string) bool {
	if name == filter.YearFrom && q.value(filter.YearTo) != value {
		return false
	}
	return slices.Contains(q.filters.Values(name), value)
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
		set(v, filter.YearFrom, value, filter.YearTo, value)
		return q.address(v)
	case name == filter.UF:
		v.Del(filter.Municipio)
	}
	if name == filter.UF || name == filter.Municipio {
		set(v, q.withoutPlaces(places)...)
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

// remove deletes one value of a parameter.
func remove(v url.Values, name, value string) {
	if v[name] = slices.DeleteFunc(v[name], func(other string) bool { return other == value }); len(v[name]) == 0 {
		v.Del(name)
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

// kept returns the query as hidden form fields, without the named parameters.
func (q *query) kept(but ...string) []page.Parameter {
	values := q.parameters()
	for _, name := range but {
		values.Del(name)
	}
	return parametersOf(values)
}

// parametersOf returns parameters sorted by name, the values of each in their order.
func parametersOf(v url.Values) []page.Parameter {
	var all []page.Parameter
	for name, values := range v {
		for _, value := range values {
			all = append(all, page.Parameter{Name: name, Value: value})
		}
	}
	slices.SortStableFunc(all, func(a, b page.Parameter) int { return cmp.Compare(a.Name, b.Name) })
	return all
}

// chip is an active filter with a link that removes it.
type chip struct {
	Text string
	URL  string

	without index.Query // the query without the filter, to count what it would find
}

// chips returns the filters that the visitor chose, both ends of a range as one chip, and one for a
// literal search.
func (q *query) chips() []chip {
	var chosen []filter.Given
	for _, g := range q.given {
		if !g.implied {
			chosen = append(chosen, g.Given)
		}
	}
	var all []chip
	for _, phrase := range filter.Phrases(chosen) {
		v, without := q.parameters(), q.forIndex()
		for _, g := range phrase.Of {
			remove(v, g.Name, g.Value)
			without.Filters = without.Filters.Drop(g.Name, g.Value)
		}
		all = append(all, chip{phrase.Label + ": " + phrase.Text, q.address(v), without})
	}
	if q.literal {
		without := q.forIndex()
		without.LiteralPlaces = false
		all = append(all, chip{"Lugares e condições só como palavras", q.with("literal", ""), without})
	}
	return all
}

// said returns the conditions that the index read from the text as chips. Removing one removes its
// words from the text.
func (rm *Room) said(snap *snapshot.Snapshot, q *query, conditions []index.Condition) []chip {
	var all []chip
	for _, part := range rm.filters.TextParts(snap, conditions) {
		asked := q.forIndex()
		asked.Text = part.Without
		for _, phrase := range part.Phrases {
			all = append(all, chip{phrase.Label + ": " + phrase.Text, q.with("q", part.Without), asked})
		}
	}
	return all
}

// withoutFilters returns the address of the same text, or the same place, without chosen filters.
func (q *query) withoutFilters() string {
	var changes []string
	for _, g := range q.given {
		if !g.implied {
			changes = append(changes, g.Name, q.implied[g.Name])
		}
	}
	return q.with(changes...)
}
