package find

import (
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gin-gonic/gin"

	"razao/index"
	"razao/index/filter"
	"razao/internal/data/ptbr"
	"razao/internal/data/territory"
	"razao/internal/store/snapshot"
	"razao/internal/store/wording"
	"razao/site/page"
)

// query is the parsed address of a search or a listing. It is all the state of the page.
type query struct {
	layout
	text      string
	cut       bool // the text was longer than maxQuery
	page      int  // from 1
	order     *order
	literal   bool          // words that name a place or say a condition stay words
	scope     index.Scope   // fields that words are looked for in
	ungrouped bool          // one result per establishment rather than per company
	given     []givenFilter // in the order of package filter
	filters   filter.Set    // given, as the index takes them
}

// layout describes a kind of page: what its address may hold and how the address is written.
type layout struct {
	words   bool                      // takes a text, and how to search it
	orders  []order                   // the first is the default, which the address leaves out
	implied map[string]string         // filters that hold unless the address overrides them; places cannot be overridden
	address func(v url.Values) string // path and query string; may consume v
	file    func(v url.Values) string // of the same results as a file, likewise
}

// givenFilter is one value of one filter.
type givenFilter struct {
	filter.Given
	implied bool // implied by the layout rather than chosen by the visitor
}

// kindOfOffice filters head offices or branches. Listings imply head offices; anyKind as its value
// lifts that.
const (
	kindOfOffice = filter.HeadOffice
	anyKind      = "todos"
)

// order is one order of the results.
type order struct {
	Name string // value of the parameter "ordem"
	Text string
	by   index.Order
}

// searchLayout returns the layout of /busca.
func searchLayout() layout {
	return layout{words: true, address: addressAt("/busca"), file: addressAt("/busca.csv"), orders: []order{
		{"relevancia", "relevância", index.ByRank},
		{"capital", "maior capital", index.ByCapital},
		{"nome", "nome", index.ByName},
		{"recentes", "mais recentes", index.ByNewest},
		{"antigas", "mais antigas", index.ByOldest},
	}}
}

// addressAt returns how addresses below a path are written that holds nothing of the query itself.
func addressAt(path string) func(v url.Values) string {
	return func(v url.Values) string { return page.WithParameters(path, v) }
}

// readQuery parses the address of a request. It ignores unknown parameters and empty values, which
// forms send. The error is a *page.InvalidParameter (422).
func (hs *Handlers) readQuery(c *gin.Context, snap *snapshot.Snapshot, m layout) (*query, error) {
	q := &query{layout: m, order: &m.orders[0]}
	var err error
	if q.page, err = page.PageNumber(c, pageName); err != nil {
		return nil, err
	}
	if m.words {
		q.text, q.cut = cutQuery(c.Query("q"))
	}
	if err := q.readFilters(hs, c, snap); err != nil {
		return nil, err
	}
	return q, q.readLayout(c)
}

// readFilters parses the filters, after adding those that the layout implies. A filter in the path
// always takes the path's value.
func (q *query) readFilters(hs *Handlers, c *gin.Context, snap *snapshot.Snapshot) error {
	values := c.Request.URL.Query()
	for name, implied := range q.implied {
		given := slices.DeleteFunc(values[name], func(value string) bool { return value == "" })
		switch {
		case len(given) == 0, q.inPath(name):
			values[name] = []string{implied}
		case given[0] == anyKind && name == kindOfOffice:
			values.Del(name)
		}
	}
	for name, given := range values {
		if filter.KindOf(name) == filter.Bound { // one end of a range: only the first value counts
			values[name] = given[:1]
		}
	}
	given, set, err := hs.filters.Read(snap, values)
	if err != nil {
		return page.InvalidFilter(err)
	}
	for _, g := range given {
		q.given = append(q.given, givenFilter{g, g.Value == q.implied[g.Name]})
	}
	q.filters = set
	return nil
}

// inPath reports whether the path sets the filter, so that no parameter can change it.
func (q *query) inPath(name string) bool { return name != kindOfOffice && q.implied[name] != "" }

// readLayout parses the order and, for layouts with words, how to search.
func (q *query) readLayout(c *gin.Context) error {
	if given := c.Query("ordem"); given != "" {
		i := slices.IndexFunc(q.orders, func(o order) bool { return o.Name == given })
		if i < 0 {
			var names []string
			for _, o := range q.orders {
				names = append(names, o.Name)
			}
			return page.UnknownValue("ordem", given, "Deve ser "+ptbr.Alternatives(names)+".")
		}
		q.order = &q.orders[i]
	}
	if !q.words {
		return nil
	}
	return q.readTextOptions(c)
}

// Parameters of how a text is searched, and their values other than the defaults, which addresses
// leave out.
const (
	pageName   = "pagina"
	scopeName  = "em"
	groupName  = "agrupar"
	inNames    = "nomes"
	inPartners = "socios"
	notGrouped = "nao"
)

// readTextOptions parses literal, scope and grouping.
func (q *query) readTextOptions(c *gin.Context) error {
	switch given := c.Query("literal"); given {
	case "", "0":
	case "1":
		q.literal = true
	default:
		return page.UnknownValue("literal", given, "Deve ser 0 ou 1.")
	}
	switch given := c.Query(scopeName); given {
	case "":
	case inNames:
		q.scope = index.InNames
	case inPartners:
		q.scope = index.InPartners
	default:
		return page.UnknownValue(scopeName, given, "Deve ser "+inNames+" ou "+inPartners+".")
	}
	switch given := c.Query(groupName); given {
	case "", "sim":
	case notGrouped:
		q.ungrouped = true
	default:
		return page.UnknownValue(groupName, given, "Deve ser sim ou "+notGrouped+".")
	}
	return nil
}

// empty reports whether the query has neither text nor filters.
func (q *query) empty() bool { return q.text == "" && len(q.given) == 0 }

// forIndex returns the index query, without offset and limit. Only searches group results by
// company; listings do not: a head office stands for its company unless other establishments are asked for.
func (q *query) forIndex() index.Query {
	return index.Query{
		Text: q.text, Filters: q.filters, Order: q.order.by, LiteralPlaces: q.literal, Scope: q.scope, ByCompany: q.words && !q.ungrouped,
		CompanyRecords: !q.words && q.value(kindOfOffice) == q.implied[kindOfOffice],
	}
}

// forPage is forIndex for the page of results that is asked for. A search counts no further than
// maxResults: beyond it only the total is asked for.
func (q *query) forPage() index.Query {
	one := q.forIndex()
	one.Offset, one.Limit = (q.page-1)*resultsPerPage, resultsPerPage
	if q.words && one.Offset >= maxResults {
		one.Offset, one.Limit = 0, 0
	}
	return one
}

// value returns the value of a filter that has exactly one, else "".
func (q *query) value(name string) string { return q.filters.Value(name) }

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

// inPlace returns where the query looks, in words: em Campinas/SP or de São Paulo. The municipality
// wins over the state; "" means the whole country.
func (q *query) inPlace(atlas *territory.Atlas) string {
	if m, ok := atlas.ByRFB(q.value("municipio")); ok {
		return wording.InCity(m)
	}
	if uf, ok := atlas.UF(q.value("uf")); ok {
		return wording.OfState(uf)
	}
	return ""
}

// cutQuery normalizes a typed text: invalid UTF-8, control characters and bidirectional overrides,
// which could disguise what is searched, become spaces; runs of spaces collapse; the text ends
// after maxQuery characters. It is idempotent.
func cutQuery(q string) (text string, cut bool) {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(q, " "))
	text = strings.Join(strings.Fields(text), " ")
	if utf8.RuneCountInString(text) <= maxQuery {
		return text, false
	}
	return strings.TrimSpace(string([]rune(text)[:maxQuery])), true
}
