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
)

// request is what the address of a company's page asks for: an establishment, and a page of each of the lists about it.
type request struct {
	full           cnpj.Full
	address        *url.URL // from which those of the other pages of the lists follow
	partners       int
	establishments int
	holdings       int
	records        map[string]int // by source, of pagedSources
}

// readRequest reads a request whose number is known. Each list has a parameter, which its name begins.
func readRequest(c *gin.Context, full cnpj.Full) (*request, error) {
	r := &request{full: full, address: c.Request.URL, records: map[string]int{}}
	var err error
	if r.partners, err = page.PageNumber(c, "socios_pagina"); err != nil {
		return nil, err
	}
	if r.establishments, err = page.PageNumber(c, "estabelecimentos_pagina"); err != nil {
		return nil, err
	}
	if r.holdings, err = page.PageNumber(c, "participacoes_pagina"); err != nil {
		return nil, err
	}
	for _, id := range pagedSources {
		if r.records[id], err = page.PageNumber(c, id+"_pagina"); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// pager leads through a list, whose name is that of its parameter and of its place on the page.
func (r *request) pager(label, list string, number, perPage, total int) page.Pager {
	return page.NewPager(label, r.address, list+"_pagina", list, number, perPage, int64(total))
}

// document is what the sources are asked about.
func (r *request) document() registry.Document {
	order := r.full.Order()
	return registry.Document{Root: r.full.Root(), Order: &order}
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
