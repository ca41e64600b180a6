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
	"razao/index/text"
	"razao/internal/criteria"
	"razao/internal/recovery"
	"razao/internal/snapshot"
	"razao/internal/source"
	"razao/site/page"
)

const (
	facetsShown = 8                      // values of a filter in sight; the rest unfolds
	facetsMost  = 30                     // values of a filter in all: all states
	facetTime   = 500 * time.Millisecond // results do not wait longer for the counts beside them
)

// facet is a filter with the values it may take.
type facet struct {
	Label string
	First []facetValue
	Rest  []facetValue
	Form  *facetForm // asks for values that the counts do not list; nil for most
	Note  string     // what to know about the counts; "" for most
}

// facetValue is a link that filters by a value or, when the page is already filtered by it or its absence, takes the filter away.
type facetValue struct {
	Text   string
	Count  int64
	URL    string
	Active bool
}

// facetForm asks for one value more, or for both ends of a range.
type facetForm struct {
	Action string           // path
	Kept   []page.Parameter // the rest of the query
	Fields []facetField
}

// facetField is a field of one filter.
type facetField struct {
	*criteria.Criterion
	Text  string // what stands before it
	Value string
}

// Hint says what a value may be.
func (f *facetField) Hint() string { return hint(f.Criterion) }

// IsYear says whether only four digits are a value.
func (f *facetField) IsYear() bool { return f.Form == criteria.Year }

// List names the list of its values, "" when nobody knows them.
func (f *facetField) List() string { return listID(f.Criterion) }

// facetKind says where the counts of a filter come from and how they are shown.
type facetKind struct {
	counts string // key of index.Facets
	filter string // parameter
	order  func(a, b index.FacetValue) int
	asks   []string // filters that its form asks for
	other  string   // what stands before the field of a form that has one
}

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

// subclasses are the counts of what an activity that was chosen is made of.
const subclasses = "cnae_abaixo"

func byYear(a, b index.FacetValue) int { return cmp.Compare(b.Value, a.Value) }

func bySource(a, b index.FacetValue) int {
	ids := source.IDs()
	return cmp.Compare(slices.Index(ids, a.Value), slices.Index(ids, b.Value))
}

func byBand(a, b index.FacetValue) int {
	bands := filter.CapitalBands()
	return cmp.Compare(slices.Index(bands, a.Value), slices.Index(bands, b.Value))
}

// counting counts what the query finds by every filter while the caller does other work. wait returns the counts; it must be
// called before the snapshot is left.
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

// facets returns the filters with their counts. A filter that leaves no choice is left out.
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

// totalOf adds up what a query finds: every establishment is either a head office or not.
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

func (rm *Room) facet(snap *snapshot.Snapshot, q *query, kind *facetKind, counts []index.FacetValue, places []index.PlaceFilter) facet {
	f := facet{Label: criteria.Named(kind.filter).Label}
	var values []facetValue
	for _, count := range counts {
		g, ok := rm.criteria.Value(snap, kind.filter, count.Value)
		if !ok { // a link to a code that no table knows would be one to an error
			continue
		}
		if not, ok := rm.criteria.Value(snap, kind.filter, "-"+g.Value); ok && not.Value == "-"+g.Value && q.active(kind.filter, not.Value) {
			g = not
		}
		v := facetValue{Text: g.Text, Count: count.Count, Active: q.active(kind.filter, g.Value)}
		v.URL = q.toggled(kind.filter, g.Value, v.Active, places)
		values = append(values, v)
	}
	f.arrange(values)
	if division, ok := rm.criteria.Value(snap, filter.CNAE, q.filters.Activity()); ok && kind.counts == subclasses {
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

// unflaggedNote names the sources that cannot be counted now, "" when all can.
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

// facetForm keeps the rest of the query, which may stand in the path, too. Values of a filter that takes several are among it: one is added.
func (q *query) facetForm(kind *facetKind, places []index.PlaceFilter) *facetForm {
	var changes []string
	form := &facetForm{}
	for i, name := range kind.asks {
		field := facetField{Criterion: criteria.Named(name), Text: kind.other}
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

// arrange puts the first values in sight and folds the rest.
func (f *facet) arrange(values []facetValue) {
	active := func(v facetValue) bool { return v.Active }
	if slices.ContainsFunc(values[min(facetsShown, len(values)):], active) { // what is chosen stays in sight
		slices.SortStableFunc(values, func(a, b facetValue) int { return cmp.Compare(rank(b.Active), rank(a.Active)) })
	}
	shown := min(facetsShown, len(values))
	if len(values) == facetsShown+1 { // unfolding a single one would not save a line
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

// chosen says whether the visitor filters by it: a place may be that of the page.
func (q *query) chosen(name string) bool { return q.filters.Has(name) && !q.inPath(name) }

// active says whether the query is filtered by this value, among others perhaps.
func (q *query) active(name, value string) bool {
	if name == filter.YearFrom && q.value(filter.YearTo) != value {
		return false
	}
	return slices.Contains(q.filters.Values(name), value)
}

// toggled returns the address that filters by one value more or, when it is active, by one less. Of years, of the two values
// of a choice and of places in the path there is one.
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
			v.Set(name, activity) // back to what the subclass is part of
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

// remove takes one value of a parameter away.
func remove(v url.Values, name, value string) {
	if v[name] = slices.DeleteFunc(v[name], func(other string) bool { return other == value }); len(v[name]) == 0 {
		v.Del(name)
	}
}

// withoutPlaces returns the change of address that leaves out of the text the words that were taken for a place:
// another place could not hold beside them.
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

// without takes the last occurrence of words out of a text, whatever their case and accents.
func without(typed, words string) string {
	tokens, wanted := text.Tokens(typed), text.Tokens(words)
	same := func(a, b text.Token) bool { return a.Text == b.Text }
	for i := len(tokens) - len(wanted); i >= 0 && len(wanted) > 0; i-- {
		if slices.EqualFunc(tokens[i:i+len(wanted)], wanted, same) {
			typed, _ = cutQuery(typed[:tokens[i].Start] + " " + typed[tokens[i+len(wanted)-1].End:])
			return typed
		}
	}
	return typed
}

// kept returns the query as hidden fields, without some parameters.
func (q *query) kept(but ...string) []page.Parameter {
	values := q.parameters()
	for _, name := range but {
		values.Del(name)
	}
	return parametersOf(values)
}

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

// chip is an active filter and the way to take it away.
type chip struct {
	Text string
	URL  string

	without index.Query // the question without it
}

// chips returns the active filters, both ends of a range as one.
func (q *query) chips() []chip {
	var chosen []criteria.Given
	for _, g := range q.given {
		if !g.implied {
			chosen = append(chosen, g.Given)
		}
	}
	var all []chip
	for _, phrase := range criteria.Phrases(chosen) {
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

// said returns the filters that the words say, as chips that take the words away.
func (rm *Room) said(snap *snapshot.Snapshot, q *query, conditions []index.Condition) []chip {
	var all []chip
	for _, saying := range rm.criteria.Said(snap, conditions) {
		asked := q.forIndex()
		asked.Text = saying.Without
		for _, phrase := range saying.Phrases {
			all = append(all, chip{phrase.Label + ": " + phrase.Text, q.with("q", saying.Without), asked})
		}
	}
	return all
}

// withoutFilters returns the address of the same words in the whole registry.
func (q *query) withoutFilters() string {
	var changes []string
	for _, g := range q.given {
		if !g.implied {
			changes = append(changes, g.Name, q.implied[g.Name])
		}
	}
	return q.with(changes...)
}
