package site

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gin-gonic/gin"

	"razao/index"
	"razao/internal/ptbr"
	"razao/internal/snapshot"
)

// inquiry is what the address of /busca or of a listing asks for. The address is all the state there is.
type inquiry struct {
	manner
	text    string
	cut     bool // the text was too long
	page    int
	order   *order
	literal bool          // words that name a place stay words
	given   []givenFilter // in the order of filters
	filters index.Filters // the same for the index
}

// manner is how a kind of page reads and writes its addresses.
type manner struct {
	words   bool    // takes a text
	orders  []order // begins with the one that an address without "ordem" asks for
	implied map[string]string
	address func(v url.Values) string // of an inquiry with these parameters
}

// givenFilter is a filter with its value.
type givenFilter struct {
	*filter
	value, text string
	implied     bool // it follows from the kind of page, not from a choice of the visitor
}

// order is one of the orders of the results.
type order struct {
	Name string // value of the parameter "ordem"
	Text string
	by   index.Order
}

// searchManner is that of /busca.
func searchManner() manner {
	return manner{words: true, address: searchAddress, orders: []order{
		{"relevancia", "relevância", index.ByRank},
		{"capital", "maior capital", index.ByCapital},
		{"nome", "nome", index.ByName},
		{"recentes", "mais recentes", index.ByNewest},
		{"antigas", "mais antigas", index.ByOldest},
	}}
}

// inquiry reads the address of a request. An error is an invalidParameter; parameters that it does not know are left
// alone. An empty value, which forms send, is none.
func (s *Site) inquiry(c *gin.Context, snap *snapshot.Snapshot, m manner) (*inquiry, error) {
	in := &inquiry{manner: m, order: &m.orders[0]}
	var err error
	if in.page, err = pageNumber(c, "pagina"); err != nil {
		return nil, err
	}
	if m.words {
		in.text, in.cut = cutQuery(c.Query("q"))
	}
	for i := range filters {
		if err := in.readFilter(s, c, snap, &filters[i]); err != nil {
			return nil, err
		}
	}
	if from, to := in.filters.YearFrom, in.filters.YearTo; to != 0 && to < from {
		return nil, &invalidParameter{
			Loc: []string{"query", yearTo}, Msg: "Deve ser maior ou igual a " + yearFrom + ".", Type: "greater_than_equal",
			Input: c.Query(yearTo), Ctx: map[string]int64{"ge": int64(from)},
		}
	}
	return in, in.readManner(c)
}

// readFilter reads one filter: what the address says or else what the kind of page implies.
func (in *inquiry) readFilter(s *Site, c *gin.Context, snap *snapshot.Snapshot, f *filter) error {
	given, implied := c.Query(f.name), in.implied[f.name]
	if given == "" || in.inPath(f.name) {
		given = implied
	}
	if given == "" || given == anyKind && f.name == kindOfOffice && implied != "" {
		return nil
	}
	value, text, ok := f.lookUp(s, snap, given)
	if !ok {
		return unknownValue(f.name, given, f.must)
	}
	in.given = append(in.given, givenFilter{f, value, text, value == implied})
	f.put(&in.filters, value)
	return nil
}

// inPath says whether a filter stands in the path of the address, where no parameter can change it.
func (in *inquiry) inPath(name string) bool { return name != kindOfOffice && in.implied[name] != "" }

// readManner reads how to search, rather than what for.
func (in *inquiry) readManner(c *gin.Context) error {
	if given := c.Query("ordem"); given != "" {
		i := slices.IndexFunc(in.orders, func(o order) bool { return o.Name == given })
		if i < 0 {
			var names []string
			for _, o := range in.orders {
				names = append(names, o.Name)
			}
			return unknownValue("ordem", given, "Deve ser "+ptbr.Alternatives(names)+".")
		}
		in.order = &in.orders[i]
	}
	if !in.words {
		return nil
	}
	switch given := c.Query("literal"); given {
	case "", "0":
	case "1":
		in.literal = true
	default:
		return unknownValue("literal", given, "Deve ser 0 ou 1.")
	}
	return nil
}

func unknownValue(name, given, must string) *invalidParameter {
	return &invalidParameter{Loc: []string{"query", name}, Msg: must, Type: "enum", Input: given}
}

// empty says that nothing is asked for.
func (in *inquiry) empty() bool { return in.text == "" && len(in.given) == 0 }

// query returns what to ask the index for, without a page.
func (in *inquiry) query() index.Query {
	return index.Query{Text: in.text, Filters: in.filters, Order: in.order.by, LiteralPlaces: in.literal}
}

// value returns the value of a filter, "" without one.
func (in *inquiry) value(name string) string {
	for _, g := range in.given {
		if g.name == name {
			return g.value
		}
	}
	return ""
}

// place returns the name of the place that the inquiry is filtered by, the smallest of several; "" without one.
func (in *inquiry) place() string {
	var name string
	for _, g := range in.given {
		if g.name == "uf" || g.name == "municipio" {
			name = g.text
		}
	}
	return name
}

// parameters returns the inquiry as parameters of an address, without its page.
func (in *inquiry) parameters() url.Values {
	v := url.Values{}
	if in.text != "" {
		v.Set("q", in.text)
	}
	for _, g := range in.given {
		v.Set(g.name, g.value)
	}
	if in.order != &in.orders[0] {
		v.Set("ordem", in.order.Name)
	}
	if in.literal {
		v.Set("literal", "1")
	}
	return v
}

// with returns the address of the inquiry's first page with other values of some parameters, given in turn with
// their names; "" takes a parameter away.
func (in *inquiry) with(changes ...string) string {
	v := in.parameters()
	for i := 0; i < len(changes); i += 2 {
		v.Set(changes[i], changes[i+1])
		if changes[i+1] == "" {
			v.Del(changes[i])
		}
	}
	return in.address(v)
}

// orderLinks lead to the same results in each order.
func (in *inquiry) orderLinks() []orderLink {
	var links []orderLink
	for i := range in.orders {
		o := &in.orders[i]
		link := orderLink{o, in.with("ordem", o.Name), o == in.order}
		if i == 0 {
			link.URL = in.with("ordem", "")
		}
		links = append(links, link)
	}
	return links
}

// canonical returns the address of the inquiry's own page.
func (in *inquiry) canonical() string {
	if in.page == 1 {
		return in.with()
	}
	return in.with("pagina", strconv.Itoa(in.page))
}

func searchAddress(v url.Values) string {
	if len(v) == 0 {
		return "/busca"
	}
	return "/busca?" + v.Encode()
}

// cutQuery trims a search, takes away what nobody can see and bounds its length.
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
