package company

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/gin-gonic/gin"

	"razao/internal/cnpj"
	"razao/internal/registry"
	"razao/internal/snapshot"
	"razao/site/page"
	"razao/site/records"
)

// request is what the address of a company's page asks for: an establishment, and a page of each of the lists about it.
type request struct {
	full    cnpj.Full
	address *url.URL       // from which those of the other pages of the lists follow
	pages   map[string]int // by the names of lists
	records *records.Request

	branches establishmentFilter
}

// lists are those that the page of a company pages through beside the public records, each by the parameter with its name and "_pagina".
var lists = []string{"socios", "estabelecimentos", "participacoes"}

// readRequest reads a request whose number is known.
func readRequest(c *gin.Context, full cnpj.Full) (*request, error) {
	r := &request{full: full, address: c.Request.URL, pages: map[string]int{}}
	for _, list := range lists {
		number, err := page.PageNumber(c, list+"_pagina")
		if err != nil {
			return nil, err
		}
		r.pages[list] = number
	}
	var err error
	r.records, err = records.ParseRequest(c, full)
	return r, err
}

// part is the part of a list that is asked for.
func (r *request) part(list string, perPage int) registry.Range {
	return registry.Range{From: (r.pages[list] - 1) * perPage, Limit: perPage}
}

// pager leads through a list, whose name is that of its place on the page, too.
func (r *request) pager(label, list string, perPage, total int) page.Pager {
	return page.NewPager(label, r.address, list+"_pagina", list, r.pages[list], perPage, int64(total))
}

// addressed reads the number in the path, which suffix follows. Numbers that are not written in the canonical form, and
// roots, come back as a redirection.
func (rm *Room) addressed(c *gin.Context, snap *snapshot.Snapshot, suffix string) (cnpj.Full, page.Reply, error) {
	given := strings.TrimSuffix(c.Param("cnpj"), suffix)
	root, full, err := page.NumberOf(given)
	switch {
	case err != nil:
		return 0, page.Reply{}, err
	case full == 0:
		office, exists, err := snap.HeadOffice(c.Request.Context(), root)
		if err == nil && !exists {
			err = page.ErrNoEstablishment
		}
		if err != nil {
			return 0, page.Reply{}, page.Missing(root.String(), err)
		}
		return 0, page.Reply{Status: http.StatusFound, Location: page.WithQuery(c, "/"+office.String()+suffix)}, nil
	case given != full.String():
		return 0, page.Reply{Status: http.StatusMovedPermanently, Location: page.WithQuery(c, "/"+full.String()+suffix)}, nil
	}
	return full, page.Reply{}, nil
}
