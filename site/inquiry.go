package site

import (
	"net/url"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gin-gonic/gin"

	"razao/index"
	"razao/internal/snapshot"
)

// inquiry is what the address of /busca asks for. The address is all the state there is.
type inquiry struct {
	text    string
	cut     bool // the text was too long
	page    int
	order   *order
	literal bool          // words that name a place stay words
	given   []givenFilter // in the order of filters
	filters index.Filters // the same for the index
}

// givenFilter is a filter with its value.
type givenFilter struct {
	*filter
	value, text string
}

// order is one of the orders of the results.
type order struct {
	Name string // value of the parameter "ordem"
	Text string
	by   index.Order
}

// orders begins with the one that an address without "ordem" asks for.
var orders = [...]order{
	{"relevancia", "relevância", index.ByRank},
	{"capital", "maior capital", index.ByCapital},
	{"nome", "nome", index.ByName},
	{"recentes", "mais recentes", index.ByNewest},
	{"antigas", "mais antigas", index.ByOldest},
}

// inquiry reads the address of a request. An error is an invalidParameter; parameters that it does not know are left
// alone. An empty value, which forms send, is none.
func (s *Site) inquiry(c *gin.Context, snap *snapshot.Snapshot) (*inquiry, error) {
	in := &inquiry{order: &orders[0]}
	var err error
	if in.page, err = pageNumber(c, "pagina"); err != nil {
		return nil, err
	}
	in.text, in.cut = cutQuery(c.Query("q"))
	for i := range filters {
		f := &filters[i]
		given := c.Query(f.name)
		if given == "" {
			continue
		}
		value, text, ok := f.lookUp(s, snap, given)
		if !ok {
			return nil, unknownValue(f.name, given, f.must)
		}
		in.given = append(in.given, givenFilter{f, value, text})
		f.put(&in.filters, value)
	}
	if from, to := in.filters.YearFrom, in.filters.YearTo; to != 0 && to < from {
		return nil, &invalidParameter{
			Loc: []string{"query", yearTo}, Msg: "Deve ser maior ou igual a " + yearFrom + ".", Type: "greater_than_equal",
			Input: c.Query(yearTo), Ctx: map[string]int64{"ge": int64(from)},
		}
	}
	return in, in.readManner(c)
}

// readManner reads how to search, rather than what for.
func (in *inquiry) readManner(c *gin.Context) error {
	if given := c.Query("ordem"); given != "" {
		in.order = nil
		for i := range orders {
			if orders[i].Name == given {
				in.order = &orders[i]
			}
		}
		if in.order == nil {
			return unknownValue("ordem", given, "Deve ser relevancia, capital, nome, recentes ou antigas.")
		}
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
	if in.order != &orders[0] {
		v.Set("ordem", in.order.Name)
	}
	if in.literal {
		v.Set("literal", "1")
	}
	return v
}

// address returns the address of the inquiry's first page with other values of some parameters, given in turn with
// their names; "" takes a parameter away.
func (in *inquiry) address(changes ...string) string {
	v := in.parameters()
	for i := 0; i < len(changes); i += 2 {
		v.Set(changes[i], changes[i+1])
		if changes[i+1] == "" {
			v.Del(changes[i])
		}
	}
	return searchAddress(v)
}

// canonical returns the address of the inquiry's own page.
func (in *inquiry) canonical() string {
	if in.page == 1 {
		return in.address()
	}
	return in.address("pagina", strconv.Itoa(in.page))
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
