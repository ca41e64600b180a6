package site

import (
	"context"
	"net/url"
	"strings"

	"github.com/gin-gonic/gin"

	"razao/index"
	"razao/internal/ptbr"
	"razao/internal/snapshot"
	"razao/internal/territory"
	"razao/internal/web"
)

// listing is one page of found establishments, with the filters beside it.
type listing struct {
	Chips     []chip
	AllURL    string // of the same words, or the same place, without filters
	Facets    []facet
	Uncounted bool // the filters could not be counted in time
	Filtered  int  // how many filters are active
	Orders    []orderLink
	Total     int64
	Floor     bool // there are more than Total
	Results   []result
	Pager     pager
	Tips      bool // when there is nothing, tell how to search
}

// newListing fills what follows from the address alone.
func newListing(in *inquiry) listing {
	l := listing{Chips: in.chips(), AllURL: in.withoutFilters(), Orders: in.orderLinks()}
	l.Filtered = len(l.Chips)
	return l
}

// chipTexts returns the active filters in words.
func (l *listing) chipTexts() string {
	var texts []string
	for _, chip := range l.Chips {
		texts = append(texts, chip.Text)
	}
	return ptbr.Join(", ", texts...)
}

// place is a state, a municipality or, with neither, the country.
type place struct {
	UF        string // two letters
	Municipio string // the tax authority's code
}

// listingPage lists the companies of a place, under a summary of it.
type listingPage struct {
	frame
	listing
	Crumbs  []crumb
	Heading string
	Kind    string   // which establishments are listed: matriz, filial, or "" for both
	Any     bool     // whatever their status
	Place   string   // "" for the country
	Whole   string   // address of the place's first page, when this one has no summary
	Summary *summary // only over the first page of all companies of a place
	Failed  bool     // the summary could not be added up
	CSV     string
}

func (*listingPage) template() string { return "listing" }

// crumb is a step of the way to a page.
type crumb struct {
	Text string
	URL  string // "" for the page itself
}

// listingManner is that of the listings of a place. What most visitors call a company is its head office: branches, of
// which the largest companies have thousands, are listed when they are asked for.
func (s *Site) listingManner(in place) manner {
	implied := map[string]string{kindOfOffice: "matriz"}
	if in.UF != "" {
		implied["uf"] = in.UF
	}
	if in.Municipio != "" {
		implied["municipio"] = in.Municipio
	}
	return manner{implied: implied, address: s.listingAddress, orders: []order{
		{"capital", "maior capital", index.ByCapital},
		{"nome", "nome", index.ByName},
		{"recente", "mais recentes", index.ByNewest},
		{"antiga", "mais antigas", index.ByOldest},
	}}
}

// listingAddress puts the place into the path.
func (s *Site) listingAddress(v url.Values) string {
	path := "/empresas"
	uf := v.Get("uf")
	if m, ok := s.atlas.ByRFB(v.Get("municipio")); ok && (uf == "" || uf == m.UF) {
		path = placePath(m)
		v.Del("uf")
		v.Del("municipio")
	} else if uf != "" {
		path = statePath(uf)
		v.Del("uf")
	}
	return withParameters(path, listingParameters(v))
}

// placePath is where a municipality is listed. There is only one abroad: the page of the UF.
func placePath(m territory.Municipality) string {
	if m.UF == territory.Abroad {
		return statePath(m.UF)
	}
	return municipalityPath(m)
}

// listingParameters leaves out the kind of establishments that is listed unless another one is asked for.
func listingParameters(v url.Values) url.Values {
	switch v.Get(kindOfOffice) {
	case "":
		v.Set(kindOfOffice, anyKind)
	case "matriz":
		v.Del(kindOfOffice)
	}
	return v
}

func withParameters(path string, v url.Values) string {
	if len(v) == 0 {
		return path
	}
	return path + "?" + v.Encode()
}

// companies answers /empresas.
func (s *Site) companies(c *gin.Context, snap *snapshot.Snapshot) (reply, error) {
	p := &listingPage{Heading: "Empresas do Brasil"}
	p.Crumbs = []crumb{{"Início", "/"}, {"Empresas", ""}}
	return s.list(c, snap, place{}, p)
}

// list fills the page of a place.
func (s *Site) list(c *gin.Context, snap *snapshot.Snapshot, in place, p *listingPage) (reply, error) {
	asked, err := s.inquiry(c, snap, s.listingManner(in))
	if err != nil {
		return reply{}, err
	}
	p.describe(asked, snap.Load.Period)
	ctx := c.Request.Context()
	if err := s.listed(ctx, snap, asked, p); err != nil {
		return reply{}, err
	}
	if in == (place{}) {
		return reply{page: p}, nil
	}
	if p.Filtered > 0 || asked.page > 1 || asked.order != &asked.orders[0] || p.Kind != "matriz" {
		p.Whole = s.listingAddress(url.Values{"uf": {in.UF}, "municipio": {in.Municipio}, kindOfOffice: {"matriz"}})
		return reply{page: p}, nil
	}
	if p.Summary, err = s.summary(ctx, snap, in); err != nil { // the listing is whole without it
		web.EventOf(ctx).Fail(err)
		p.Failed = true
	}
	return reply{page: p}, nil
}

// describe fills what follows from the address alone.
func (p *listingPage) describe(in *inquiry, month string) {
	p.listing = newListing(in)
	p.Kind, p.Any = in.value(kindOfOffice), in.filters.Situacao == ""
	p.NoIndex = p.Filtered > 0 || in.order != &in.orders[0] || p.Kind != "matriz"
	p.Canonical = in.canonical()
	p.CSV = withParameters("/empresas.csv", listingParameters(in.parameters()))
	page := ""
	if in.page > 1 {
		page = "página " + ptbr.Count(in.page)
	}
	p.Title = ptbr.Join(" · ", p.Heading, p.chipTexts(), page)
	what := "do país"
	if p.Place != "" {
		what = "de " + p.Place
	}
	p.Description = "Lista das empresas " + what + ", com filtros por atividade, porte, situação e outros, nos dados abertos da Receita Federal, competência " +
		ptbr.Month(month) + "."
}

// listed fills one page of the listing. A page that it does not have is an error.
func (s *Site) listed(ctx context.Context, snap *snapshot.Snapshot, in *inquiry, p *listingPage) error {
	wait := s.counting(ctx, snap, in)
	query := in.query()
	query.Offset, query.Limit = (in.page-1)*resultsPerPage, resultsPerPage
	found, err := snap.Index.Search(ctx, query)
	counts, uncounted := wait()
	if err != nil {
		return err
	}
	if uncounted != nil { // the results are whole without them
		web.EventOf(ctx).Fail(uncounted)
		p.Uncounted = true
		p.Total, p.Floor = int64(found.Total), found.TotalIsFloor
	} else {
		p.Facets, p.Total = s.facets(snap, in, counts, nil), totalOf(counts, &in.filters)
	}
	path, parameters, _ := strings.Cut(in.with(), "?")
	p.Pager = newPager("Páginas da lista", &url.URL{Path: path, RawQuery: parameters}, "pagina", "", in.page, resultsPerPage, p.Total)
	p.Pager.Floor, p.Pager.Ends = p.Floor, !p.Floor
	if len(found.Hits) == 0 && in.page > 1 {
		return &noSuchPage{in.page, p.Pager.First}
	}
	if p.Results, err = s.hydrate(ctx, snap, found.Hits); err != nil {
		return err
	}
	for i := range p.Results {
		p.Results[i].Reason = p.Results[i].standing(in.order.by)
	}
	return nil
}

// standing says what gives a result its place in an order, "" when the page shows that already.
func (r *result) standing(by index.Order) string {
	switch by {
	case index.ByCapital:
		if amount := ptbr.Money(r.capital); amount != "" {
			return "Capital social: " + amount
		}
		return "Capital social não informado"
	case index.ByNewest, index.ByOldest:
		if day := ptbr.Date(r.opened.Time()); day != "" {
			return "Abertura em " + day
		}
		return "Abertura não informada"
	}
	return ""
}
