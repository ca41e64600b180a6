package records

import (
	"net/url"
	"slices"
	"strconv"

	"github.com/gin-gonic/gin"

	"razao/internal/data/cnpj"
	"razao/internal/store/registry"
	"razao/site/page"
)

// PerPage is how many records of a source the page of a company shows at once.
const PerPage = 10

// ListedSources are the sources whose records the page of a company pages through, orders and
// filters: those with long lists. IBAMA's have pages of their own; of the others the page shows the
// first PerPage.
var ListedSources = []string{"pgfn", "pncp", "pncp_orgao", "bndes"}

// Values of the parameter "<source>_ordem". Without it, records are in the order of the API.
const (
	byAmount = "valor"
	byDay    = "data"
)

// Request is what the address of a company's page asks of its public records.
type Request struct {
	Full    cnpj.Full
	OwnOnly bool // only this establishment's records, even on the head office's page
	Year    int  // year of the time line; 0 means the newest events

	address *url.URL
	lists   map[string]list // by id of the listed sources
}

// list is what is asked of one listed source.
type list struct {
	page    int    // from 1
	order   string // byAmount, byDay or ""
	year    int    // 0 means all
	state   string // only if byState; may be ""
	byState bool   // filter by state
}

// chosen reports whether the list is ordered or filtered, so that the rows depend on all facts.
func (l *list) chosen() bool { return l.order != "" || l.narrowed() }

// narrowed reports whether the list is filtered.
func (l *list) narrowed() bool { return l.year != 0 || l.byState }

// ParseRequest parses the query of a page whose CNPJ is known. The error is a
// *page.InvalidParameter (422). Names of states are not checked: an unknown one matches nothing.
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
		l.state, l.byState = c.GetQuery(id + "_situacao")
		r.lists[id] = l
	}
	return r, nil
}

// yearOf parses a four-digit year; an absent parameter is 0.
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

// with returns the address of the same page after changing parameters, given as name, value pairs
// ("" removes one), with a fragment.
func (r *Request) with(fragment string, parameters ...string) string {
	query := r.address.Query()
	page.Change(query, parameters...)
	return (&url.URL{Path: r.address.Path, RawQuery: query.Encode(), Fragment: fragment}).String()
}

// listed reports whether the page of a company pages through a source.
func listed(id string) bool { return slices.Contains(ListedSources, id) }

// position returns the position of the first record of the requested page, from 0. It is 0 for the
// zero list.
func (l *list) position() int { return max(l.page-1, 0) * PerPage }

// pager returns the pager of a source's list of total records.
func (r *Request) pager(label, id string, total int) page.Pager {
	return page.NewPager(label, r.address, id+"_pagina", id, r.lists[id].page, PerPage, int64(total))
}

// documentOf returns what to ask the sources about: the company if full is 0, else the
// establishment. With whole, the records are those of the company, and the establishment's are
// counted too.
func documentOf(root cnpj.Root, full cnpj.Full, whole bool) registry.Document {
	if full == 0 {
		return registry.Document{Root: root}
	}
	order := full.Order()
	return registry.Document{Root: root, Order: &order, Whole: whole}
}
