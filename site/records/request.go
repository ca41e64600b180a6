package records

import (
	"net/url"
	"slices"
	"strconv"

	"github.com/gin-gonic/gin"

	"razao/internal/cnpj"
	"razao/internal/registry"
	"razao/site/page"
)

// PerPage is how many records of a source the page of a company shows.
const PerPage = 10

// ListedSources are the sources whose records the page of a company pages through, orders and filters. The IBAMA lists have pages of
// their own; of the others the first records are shown.
var ListedSources = []string{"pgfn", "pncp", "pncp_orgao", "bndes"}

// The orders of a list, as addresses have them; "" is that of the API.
const (
	byAmount = "valor"
	byDay    = "data"
)

// Request is what the address of a company's page asks of its public records.
type Request struct {
	Full    cnpj.Full
	OwnOnly bool // of this establishment, even on the page of the head office
	Year    int  // of the time line; 0: the newest facts

	address *url.URL
	lists   map[string]list // by sources
}

// list is what is asked of one source.
type list struct {
	page  int
	order string
	year  int    // 0: all
	state string // meant when filtered
	by    bool   // filtered by state
}

// chosen reports whether other records are asked for than those of a page in the order of the API.
func (l *list) chosen() bool { return l.order != "" || l.narrowed() }

func (l *list) narrowed() bool { return l.year != 0 || l.by }

// ParseRequest reads a request whose number is known. The error is a *page.InvalidParameter.
func ParseRequest(c *gin.Context, full cnpj.Full) (*Request, error) {
	r := &Request{Full: full, address: c.Request.URL, lists: map[string]list{}}
	view, given := c.GetQuery("ver")
	if r.OwnOnly = given; given && view != "estabelecimento" {
		return nil, page.UnknownValue("ver", view, "Deve ser estabelecimento.")
	}
	var err error
	if r.Year, err = yearOf(c, "linha"); err != nil {
		return nil, err
	}
	for _, id := range ListedSources {
		l := list{}
		if l.page, err = page.PageNumber(c, id+"_pagina"); err != nil {
			return nil, err
		}
		if l.year, err = yearOf(c, id+"_ano"); err != nil {
			return nil, err
		}
		order, given := c.GetQuery(id + "_ordem")
		if given && order != byAmount && order != byDay {
			return nil, page.UnknownValue(id+"_ordem", order, "Deve ser valor ou data.")
		}
		l.order = order
		l.state, l.by = c.GetQuery(id + "_situacao")
		r.lists[id] = l
	}
	return r, nil
}

// yearOf reads a year; absent means 0.
func yearOf(c *gin.Context, name string) (int, error) {
	text, given := c.GetQuery(name)
	if !given {
		return 0, nil
	}
	year, err := strconv.Atoi(text)
	if err != nil || len(text) != 4 || year < 1 {
		return 0, page.UnknownValue(name, text, "Deve ser um ano com quatro algarismos.")
	}
	return year, nil
}

// with is the address of the same page with other parameters: names and values in turn, "" for none. A fragment follows.
func (r *Request) with(fragment string, parameters ...string) string {
	query := r.address.Query()
	for i := 0; i+1 < len(parameters); i += 2 {
		if query.Del(parameters[i]); parameters[i+1] != "" {
			query.Set(parameters[i], parameters[i+1])
		}
	}
	return (&url.URL{Path: r.address.Path, RawQuery: query.Encode(), Fragment: fragment}).String()
}

// listed reports whether the page leads through all records of a source.
func listed(id string) bool { return slices.Contains(ListedSources, id) }

// position is the position in a source of the first record of the page that is asked for.
func (l *list) position() int { return max(l.page-1, 0) * PerPage }

// pager leads through the records of a source.
func (r *Request) pager(label, id string, total int) page.Pager {
	return page.NewPager(label, r.address, id+"_pagina", id, r.lists[id].page, PerPage, int64(total))
}

// documentOf is what the sources are asked about: an establishment, or the whole company when full is 0.
func documentOf(root cnpj.Root, full cnpj.Full, whole bool) registry.Document {
	if full == 0 {
		return registry.Document{Root: root}
	}
	order := full.Order()
	return registry.Document{Root: root, Order: &order, Whole: whole}
}
