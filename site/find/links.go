package find

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"razao/index"
	"razao/index/filter"
	"razao/internal/data/ptbr"
	"razao/internal/store/snapshot"
	"razao/site/page"
)

// links are where the controls of a page of results lead, each to the query with one change. They are
// written once, when the index has answered: the page and its parts have them as values.
type links struct {
	Chips    []variant // without one of the active filters
	AllURL   string    // the same text or place without filters
	Advanced string    // the advanced form, filled in with this query
	CSV      string    // of the results as a file
	Follow   string    // words and filters as the value of a follow; "" if it would be everything, or other than what a follow can say
	Choices  []choice
	Order    orderForm
	Pager    page.Pager

	self    string           // this very page, page number included
	literal string           // with the words of the text as words only
	box     []page.Parameter // what the search box keeps
	chosen  string           // the filters that the visitor chose, in words
	wider   []variant        // what may find something where this query does not, most promising first
}

// variant is the query with one change.
type variant struct {
	Text  string
	URL   string
	query index.Query // what it asks of the index
}

// links writes the links of an answer.
func (hs *Handlers) links(snap *snapshot.Snapshot, q *query, a *answer) links {
	v := q.parameters()
	l := links{
		Advanced: page.WithParameters(advancedPath, v), CSV: q.file(v), Chips: q.chips(), AllURL: q.withoutFilters(), Follow: q.follow(),
		Choices: q.choices(), Order: q.orderForm(), Pager: q.pager(a), self: q.with(), literal: q.with("literal", "1"), box: q.target("q", "", "literal", "").Rest,
	}
	var chosen []string
	for _, chip := range l.Chips {
		chosen = append(chosen, chip.Text)
	}
	l.chosen = ptbr.Join(", ", chosen...)
	l.Chips = append(l.Chips, hs.conditionChips(snap, q, a.Understood.Conditions)...)
	if q.page > 1 {
		l.self = q.with(pageName, strconv.Itoa(q.page))
	}
	if q.words && a.Total == 0 {
		l.wider = q.wider(l.Chips, a.Understood.Places)
	}
	if q.text != "" && (a.Total == 0 || a.TotalIsFloor) {
		l.Follow = ""
	}
	return l
}

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
	Rest   []page.Parameter // rest of the query, as hidden fields
}

// target returns the target of a form, after changes as for with.
func (q *query) target(changes ...string) target {
	path, query, _ := strings.Cut(q.with(changes...), "?")
	values, _ := url.ParseQuery(query)
	return target{path, parametersOf(values)}
}

// follow returns the query as the value of a follow.
func (q *query) follow() string {
	if q.text == "" && q.filters.Without(kindOfOffice).Empty() || q.text != "" && (q.literal || q.scope != index.InAll) {
		return ""
	}
	v := q.filters.Parameters()
	page.Change(v, "q", q.text)
	return v.Encode()
}

// pager returns the pager of the results. That of a listing knows its end.
func (q *query) pager(a *answer) page.Pager {
	total, floor := a.total(q)
	label := "Páginas da lista"
	if q.words {
		label = "Páginas de resultados"
	}
	path, parameters, _ := strings.Cut(q.with(), "?")
	p := page.NewPager(label, &url.URL{Path: path, RawQuery: parameters}, pageName, "", q.page, resultsPerPage, total)
	p.Floor, p.Ends = floor, !q.words && !floor
	return p
}

// remove deletes one value of a parameter.
func remove(v url.Values, name, value string) {
	if v[name] = slices.DeleteFunc(v[name], func(other string) bool { return other == value }); len(v[name]) == 0 {
		v.Del(name)
	}
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

// chips returns the filters that the visitor chose, both ends of a range as one chip, and one for a
// literal search.
func (q *query) chips() []variant {
	var chosen []filter.Given
	for _, g := range q.given {
		if !g.implied {
			chosen = append(chosen, g.Given)
		}
	}
	var all []variant
	for _, phrase := range filter.Phrases(chosen) {
		v, without := q.parameters(), q.forIndex()
		for _, g := range phrase.Of {
			remove(v, g.Name, g.Value)
			without.Filters = without.Filters.Drop(g.Name, g.Value)
		}
		all = append(all, variant{phrase.Label + ": " + phrase.Text, q.address(v), without})
	}
	if q.literal {
		without := q.forIndex()
		without.LiteralPlaces = false
		all = append(all, variant{"Lugares e condições só como palavras", q.with("literal", ""), without})
	}
	return all
}

// conditionChips returns the conditions that the index read from the text as chips. Removing one removes its
// words from the text.
func (hs *Handlers) conditionChips(snap *snapshot.Snapshot, q *query, conditions []index.Condition) []variant {
	var all []variant
	for _, part := range hs.filters.TextParts(snap, conditions) {
		without := q.forIndex()
		without.Text = part.Without
		for _, phrase := range part.Phrases {
			all = append(all, variant{phrase.Label + ": " + phrase.Text, q.with("q", part.Without), without})
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
