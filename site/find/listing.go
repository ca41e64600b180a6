package find

import (
	"net/url"
	"strings"

	"github.com/gin-gonic/gin"

	"razao/index"
	"razao/index/filter"
	"razao/internal/data/glossary"
	"razao/internal/data/ptbr"
	"razao/internal/data/record"
	"razao/internal/store/snapshot"
	"razao/internal/store/wording"
	"razao/internal/web"
	"razao/site/page"
	"razao/site/places"
)

// Listing is one page of results with the controls around them. Pages that show the part "listing"
// embed it.
type Listing struct {
	links
	Facets    []facet
	Uncounted bool // counting the facets failed or took too long
	Total     int64
	Floor     bool // Total is a lower bound
	Grouped   bool // Total counts companies, not establishments
	Caveats   []glossary.Caveat
	Broader   []broader // broader variants, when there are no results
	Results   []result
	Unsought  string // what filters do not look at; "" for nothing
	Unlisted  string // sources whose records the results do not count; "" for none
	Start     bool   // nothing is searched: the filters are the page
	Tips      bool   // without results, explain how to search
}

// newListing returns the list of an answer, and gives the frame of its page what depends on it.
func (hs *Handlers) newListing(snap *snapshot.Snapshot, q *query, a *answer, frame *page.Frame) Listing {
	l := Listing{
		links: hs.links(snap, q, a), Uncounted: a.uncounted != nil, Grouped: q.words && !q.ungrouped, Start: q.words && q.empty(), Tips: q.words,
		Results: hs.resultsOf(snap, a.Matches), Unlisted: uncountedNote("Registros sem contagem", snap.Unlisted()),
		Caveats: a.Caveats,
	}
	if a.Unsought > 0 {
		l.Unsought = wording.Unsought(a.Unsought, l.Grouped)
	}
	l.Total, l.Floor = l.Pager.Total, l.Pager.Floor
	if !l.Uncounted {
		l.Facets = hs.facets(snap, q, a, l.Advanced)
	}
	if frame.Canonical = l.self; len(l.Facets) > 0 {
		frame.Script, frame.Wide = page.Script(fieldsScript), len(l.Results) > 0
	}
	return l
}

// listingPage is the view model of a listing, under the summary of its place.
type listingPage struct {
	page.Frame
	Listing
	Heading string
	Kind    string          // kind of establishments listed: matriz, filial, or "" for both
	Any     bool            // in any registration status
	Of      string          // the place, de Campinas/SP; "" for the country
	Whole   string          // address of the page with the summary; "" when this is it, or for the country
	Summary *places.Summary // only above the unfiltered first page of a place
	Failed  bool            // the summary could not be computed
	Flow    *places.Flow    // what loads changed, with the summary; nil if it is not known
	Feed    string          // of the place; "" for the country
}

// listingLayout returns the layout of the listing of a place. It implies head offices: that is what
// most visitors call a company, and the branches of the largest ones would fill pages.
func (hs *Handlers) listingLayout(in places.Place) layout {
	implied := map[string]string{kindOfOffice: "matriz"}
	if in.UF != "" {
		implied["uf"] = in.UF
	}
	if in.Municipio != "" {
		implied["municipio"] = in.Municipio
	}
	file := func(v url.Values) string { return page.WithParameters(listingFile, listingParameters(v)) }
	return layout{implied: implied, address: hs.listingAddress, file: file, orders: []order{
		{"capital", "maior capital", index.ByCapital},
		{"nome", "nome", index.ByName},
		{"recente", "mais recentes", index.ByNewest},
		{"antiga", "mais antigas", index.ByOldest},
	}}
}

// listingAddress moves the place from the parameters into the path when it is a single state or
// municipality. It changes v.
func (hs *Handlers) listingAddress(v url.Values) string {
	path := "/empresas"
	uf := only(v, filter.UF)
	if m, ok := hs.atlas.ByRFB(only(v, filter.Municipio)); ok && len(v[filter.UF]) <= 1 && (uf == "" || uf == m.UF) {
		path = page.MunicipalityPath(m)
		v.Del("uf")
		v.Del("municipio")
	} else if uf != "" {
		path = page.StatePath(uf)
		v.Del("uf")
	}
	return page.WithParameters(path, listingParameters(v))
}

// listingParameters leaves out the kind of establishments when it is the implied one, and writes
// anyKind when there is none.
func listingParameters(v url.Values) url.Values {
	switch only(v, kindOfOffice) {
	case "":
		v.Set(kindOfOffice, anyKind)
	case "matriz":
		v.Del(kindOfOffice)
	}
	return v
}

// only returns the value of a parameter that has exactly one and does not exclude it, else "".
func only(v url.Values, name string) string {
	if values := v[name]; len(values) == 1 && !strings.HasPrefix(values[0], "-") {
		return values[0]
	}
	return ""
}

// companies answers /empresas.
func (hs *Handlers) companies(c *gin.Context, snap *snapshot.Snapshot) (page.Reply, error) {
	p := &listingPage{Heading: "Empresas do Brasil"}
	p.Crumbs = page.Trail("Empresas")
	return hs.list(c, snap, places.Place{}, p)
}

// list answers the page of a place. The summary stands only above the canonical listing: first
// page, default order, no filters. An error of the summary is logged and shown; the listing is
// served without it. A page past the end is a *page.NoSuchPage.
func (hs *Handlers) list(c *gin.Context, snap *snapshot.Snapshot, in places.Place, p *listingPage) (page.Reply, error) {
	q, err := hs.readQuery(c, snap, hs.listingLayout(in))
	if err != nil {
		return page.Reply{}, err
	}
	ctx := c.Request.Context()
	a, err := hs.ask(ctx, snap, q)
	if err != nil {
		return page.Reply{}, err
	}
	web.EventOf(ctx).Fail(a.uncounted) // optional: the results are served without them
	p.Listing = hs.newListing(snap, q, a, &p.Frame)
	if len(a.Matches) == 0 && q.page > 1 {
		return page.Reply{}, &page.NoSuchPage{Number: q.page, First: p.Pager.First}
	}
	p.describe(q, snap.Load.Period)
	if in == (places.Place{}) {
		return page.Reply{Page: p}, nil
	}
	p.Feed = c.Request.URL.Path + "/mudancas.atom"
	if p.NoIndex || q.page > 1 {
		p.Whole = c.Request.URL.Path
		return page.Reply{Page: p}, nil
	}
	if p.Summary, err = hs.places.Summary(ctx, snap, in, hs.Namer(snap, in)); err != nil { // optional: the listing is served without it
		web.EventOf(ctx).Fail(err)
		p.Failed = true
	}
	p.Flow, err = hs.places.Flow(ctx, snap, in)
	web.EventOf(ctx).Fail(err) // optional, too: it needs the database
	return page.Reply{Page: p}, nil
}

// describe fills in the frame. Only the unfiltered listing in its default order may be indexed by search
// engines.
func (p *listingPage) describe(q *query, month string) {
	p.Kind, p.Any = q.value(kindOfOffice), !q.filters.Has(filter.Situacao)
	p.NoIndex = len(p.Chips) > 0 || q.order != &q.orders[0] || p.Kind != "matriz"
	number := ""
	if q.page > 1 {
		number = "página " + ptbr.Count(q.page)
	}
	p.Title = ptbr.Join(" · ", p.Heading, p.chosen, number)
	what := "do país"
	if p.Of != "" {
		what = p.Of
	}
	p.Description = "Lista das empresas " + what + ", com filtros por atividade, porte, situação e outros, nos dados abertos da Receita Federal, competência " +
		ptbr.Month(month) + "."
}

// Namer returns a function that names values of filters and links each to the listing of the
// place's active companies with that value. A value that no table knows has no link.
func (hs *Handlers) Namer(snap *snapshot.Snapshot, in places.Place) places.Namer {
	layout := hs.listingLayout(in)
	q := &query{layout: layout, order: &layout.orders[0]}
	for _, known := range []string{"uf", "municipio", kindOfOffice} {
		if value := layout.implied[known]; value != "" {
			q.given = append(q.given, givenFilter{Given: filter.Given{Filter: filter.Named(known), Value: value}})
		}
	}
	return func(filter, value string) (text, address string) {
		known, ok := hs.filters.Value(snap, filter, value)
		if !ok {
			return "código " + value, ""
		}
		return known.Text, q.with(filter, known.Value, "situacao", record.SituacaoAtiva)
	}
}
