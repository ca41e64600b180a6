// Package find serves the pages that find companies: the search and its form, suggestions while
// typing, the listings of the country, a state and a municipality, the companies of a partner, and
// search results as CSV.
//
// Pages are stateless: the address holds the whole state, so it can be shared, paged and cached. A
// layout says which parameters a kind of page takes, which orders it offers and how it writes its
// address. readQuery parses the address into a query, and every link of the page (facet, chip,
// order, page number) is the address of a changed query, written once and given to the page.
// Filters are parsed by package filter, which the API and the assistants use too.
//
// A request runs two queries of the index at once: the page of results, and the facet counts, which get
// facetTime. Results do not depend on the counts: if these fail, the page says so and shows no
// facets. The records of the results are read in one batch. A search without results tries a few
// broader variants, with one filter less, and links those that find something.
//
// A request is read in that order: parameters (query.go), query, answer of the index (answer.go),
// links (links.go, facets.go), page (search.go, listing.go). Above the listing of a place stands its summary, made by package
// places, the only package of handlers that this one uses.
package find

import (
	"cmp"
	"time"

	"github.com/gin-gonic/gin"

	"razao/index/filter"
	"razao/internal/data/territory"
	"razao/internal/web"
	"razao/site/page"
	"razao/site/places"
)

// Config holds the dependencies of the handlers. All but SuggestionTime are required.
type Config struct {
	Pages          *page.Server
	Places         *places.Handlers // makes the summary above the listing of a place
	SuggestionTime time.Duration    // deadline of one request for suggestions; 0 means suggestionTime
}

// Handlers serves searches and listings. It is safe for concurrent use.
type Handlers struct {
	pages          *page.Server
	atlas          *territory.Atlas
	places         *places.Handlers
	filters        *filter.Reader
	suggestionTime time.Duration
}

// New returns the handlers. An error means that the built-in CNAE table is malformed, and should stop the
// program.
func New(cfg Config) (*Handlers, error) {
	atlas := cfg.Pages.Live.Atlas()
	hs := &Handlers{
		pages: cfg.Pages, atlas: atlas, places: cfg.Places,
		suggestionTime: cmp.Or(cfg.SuggestionTime, suggestionTime),
	}
	var err error
	if hs.filters, err = cfg.Pages.Live.Filters(); err != nil {
		return nil, err
	}
	return hs, nil
}

// SuggestionsPath is the path of the search box's suggestions. valuesPath, below it, completes the
// values of one filter.
const (
	SuggestionsPath = "/sugestoes"
	valuesPath      = SuggestionsPath + "/valores"
)

// listingFile is the path of a listing as a file. /empresas.csv has its first rows alone.
const listingFile = "/empresas/todas.csv"

// Register adds the routes of the handlers to pages.
func (hs *Handlers) Register(pages *gin.RouterGroup) {
	web.Get(pages, "/busca", hs.pages.Page(hs.search))
	web.Get(pages, "/busca.csv", hs.companiesFile(searchLayout(), "busca", page.MaxExported))
	web.Get(pages, advancedPath, hs.pages.Page(hs.advanced))
	web.Get(pages, SuggestionsPath, hs.suggestions)
	web.Get(pages, valuesPath, hs.values)
	web.Get(pages, "/empresas", hs.pages.Page(hs.companies))
	web.Get(pages, "/empresas.csv", hs.companiesFile(hs.listingLayout(places.Place{}), "empresas", page.MaxWhole))
	web.Get(pages, listingFile, hs.companiesFile(hs.listingLayout(places.Place{}), "empresas", page.MaxExported))
	web.Get(pages, "/uf/:uf", hs.pages.Page(hs.state))
	web.Get(pages, "/uf/:uf/:cidade", hs.pages.Page(hs.city))
	web.Get(pages, "/socio/:d6/:sl", hs.pages.Page(hs.partner))
	web.Get(pages, "/socio/:d6/:sl"+partnerFile, hs.pages.Export(hs.partnerCSV))
}
