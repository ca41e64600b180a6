package find

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"razao/index"
	"razao/index/filter"
	"razao/index/term"
	"razao/site/page"
)

// choice is a control with a link for each way to make the same query.
type choice struct {
	Label string
	Links []choiceLink
}

// choiceLink is one entry of a choice.
type choiceLink struct {
	Text   string
	URL    string
	Active bool
}

// parameters returns the query as URL parameters, without defaults and without the page number. The
// caller may change them.
func (q *query) parameters() url.Values {
	v := url.Values{}
	if q.text != "" {
		v.Set("q", q.text)
	}
	for _, g := range q.given {
		v.Add(g.Name, g.Value)
	}
	if q.order != &q.orders[0] {
		v.Set("ordem", q.order.Name)
	}
	if q.literal {
		v.Set("literal", "1")
	}
	switch q.scope {
	case index.InNames:
		v.Set(scopeName, inNames)
	case index.InPartners:
		v.Set(scopeName, inPartners)
	}
	if q.ungrouped {
		v.Set(groupName, notGrouped)
	}
	return v
}

// with returns the address of the first page after changing parameters, given as name, value pairs;
// "" removes a parameter.
func (q *query) with(changes ...string) string {
	v := q.parameters()
	page.Change(v, changes...)
	return q.address(v)
}

// choices returns the scopes and groupings of a search; nil for a listing.
func (q *query) choices() []choice {
	if !q.words {
		return nil
	}
	grouped := choice{"Um resultado por", []choiceLink{
		{"empresa", q.with(groupName, ""), !q.ungrouped}, {"estabelecimento", q.with(groupName, notGrouped), q.ungrouped},
	}}
	if q.text == "" {
		return []choice{grouped}
	}
	return []choice{{"Procurar em", []choiceLink{
		{"tudo", q.with(scopeName, ""), q.scope == index.InAll},
		{"nomes", q.with(scopeName, inNames), q.scope == index.InNames},
		{"sócios", q.with(scopeName, inPartners), q.scope == index.InPartners},
	}}, grouped}
}

// orderForm is a GET form with a menu of orders.
type orderForm struct {
	target
	Orders []formOption
}

// orderForm returns the form that shows the same results in another order.
func (q *query) orderForm() orderForm {
	f := orderForm{target: q.target("ordem", "")}
	for i := range q.orders {
		o := &q.orders[i]
		f.Orders = append(f.Orders, formOption{filter.Option{Value: o.Name, Text: o.Text}, o == q.order})
	}
	return f
}

// target is where a GET form goes: the address of a changed query without what its fields add.
type target struct {
	Action string           // path
	Kept   []page.Parameter // rest of the query, as hidden fields
}

// target returns the target of a form, after changes as for with.
func (q *query) target(changes ...string) target {
	path, query, _ := strings.Cut(q.with(changes...), "?")
	values, _ := url.ParseQuery(query)
	return target{path, parametersOf(values)}
}

// canonical returns the address of this very page, page number included.
func (q *query) canonical() string {
	if q.page == 1 {
		return q.with()
	}
	return q.with("pagina", strconv.Itoa(q.page))
}

// searchAddress writes the address of /busca.
func searchAddress(v url.Values) string {
	if len(v) == 0 {
		return "/busca"
	}
	return "/busca?" + v.Encode()
}

// chosen reports whether the visitor filters by name; what the layout implies does not count.
func (q *query) chosen(name string) bool {
	return slices.ContainsFunc(q.given, func(g givenFilter) bool { return g.Name == name && !g.implied })
}

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
