package company

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"strings"

	"github.com/gin-gonic/gin"

	"razao/internal/data/change"
	"razao/internal/data/cnpj"
	"razao/internal/store/registry"
	"razao/internal/store/snapshot"
	"razao/site/page"
	"razao/site/records"
)

// request is the parsed address of a company's page: the establishment, and the page of each list
// about it.
type request struct {
	full    cnpj.Full
	address *url.URL       // as requested; links to other pages are derived from it
	pages   map[string]int // page number by list, from 1
	records *records.Request

	branches establishmentFilter
}

// lists names the paged lists of the page other than those of public records. The page number of
// each is the query parameter "<list>_pagina"; the list's own element id is its name.
var lists = []string{"socios", "estabelecimentos", "participacoes", "mudancas"}

// readRequest parses the query of a page whose CNPJ is known, except for the establishment filter,
// which needs the snapshot. The error is a *page.InvalidParameter (422).
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

// part returns the range of a list that its page number selects.
func (r *request) part(list string, perPage int) registry.Range {
	return registry.Range{From: (r.pages[list] - 1) * perPage, Limit: perPage}
}

// pager returns the pager of a list. Its links point to the list's element on the page.
func (r *request) pager(label, list string, perPage, total int) page.Pager {
	return page.NewPager(label, r.address, list+"_pagina", list, r.pages[list], perPage, int64(total))
}

// headOffice returns the establishment that stands for a company.
func headOffice(ctx context.Context, snap *snapshot.Snapshot, root cnpj.Root) (cnpj.Full, error) {
	h, err := snap.Company(ctx, root)
	if err != nil {
		return 0, page.Missing(root.String(), err)
	}
	office, err := snap.HeadOffice(ctx, &h)
	if err == nil && office == nil {
		err = cmp.Or(snap.Load.Lack(change.Establishments), page.ErrNoEstablishment)
	}
	if err != nil {
		return 0, page.Missing(root.String(), err)
	}
	return office.CNPJ, nil
}

// addressed parses the CNPJ in the path, without suffix. A number that is not in canonical form
// gives a permanent redirect; an 8-position root gives a temporary one to its head office, which
// another load may change. Both keep the query. A number that is malformed or not in the load is a
// *page.UnknownCNPJ; page.ErrUnknownPath means that the path is no number at all.
func (hs *Handlers) addressed(c *gin.Context, snap *snapshot.Snapshot, suffix string) (cnpj.Full, page.Reply, error) {
	given := strings.TrimSuffix(c.Param("cnpj"), suffix)
	root, full, err := page.NumberOf(c.Request.Context(), snap, given)
	switch {
	case err != nil:
		return 0, page.Reply{}, err
	case full == 0:
		office, err := headOffice(c.Request.Context(), snap, root)
		if err != nil {
			return 0, page.Reply{}, err
		}
		return 0, page.Reply{Status: http.StatusFound, Location: page.WithQuery(c, "/"+office.String()+suffix)}, nil
	case given != full.String():
		return 0, page.Reply{Status: http.StatusMovedPermanently, Location: page.WithQuery(c, "/"+full.String()+suffix)}, nil
	}
	return full, page.Reply{}, nil
}
