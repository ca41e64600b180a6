// Package find serves the pages that find companies: the search and its form, suggestions while
// typing, the listings of the country, a state and a municipality, the companies of a partner, and
// search results as CSV.
//
// Pages are stateless: the address holds the whole state, so it can be shared, paged and cached. A
// layout says which parameters a kind of page takes, which orders it offers and how it writes its
// address. readQuery parses the address into a query, and every link of the page (facet, chip,
// order, page number) is the address of a changed query. Filters are parsed by package filter,
// which the API and the assistants use too.
//
// A request runs two index questions at once: the page of results, and the facet counts, which get
// facetTime. Results do not depend on the counts: if these fail, the page says so and shows no
// facets. The records of the results are read in one batch. A search without results tries a few
// broader variants, with one filter less, and links those that find something.
//
// Above the listing of a place stands its summary, made by package places, the one room that this
// one composes.
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

// Config holds the dependencies of the room. All but SuggestionTime are required.
type Config struct {
	Pages          *page.Server
	Places         *places.Room  // makes the summary above the listing of a place
	SuggestionTime time.Duration // deadline of one request for suggestions; 0 means suggestionTime
}

// Room serves searches and listings. It is safe for concurrent use.
type Room struct {
	pages          *page.Server
	atlas          *territory.Atlas
	places         *places.Room
	filters        *filter.Reader
	suggestionTime time.Duration
	exports        *web.Throttle // limits files of companies per account
	exportsFrom    *web.Throttle // and per client address
}

// New builds the room. An error means that the built-in CNAE table is malformed, and should stop the
// program.
func New(cfg Config) (*Room, error) {
	atlas := cfg.Pages.Live.Atlas()
	rm := &Room{
		pages: cfg.Pages, atlas: atlas, places: cfg.Places,
		suggestionTime: cmp.Or(cfg.SuggestionTime, suggestionTime),
		exports:        web.NewThrottle(exportsPerMinute, exportsAtOnce),
		exportsFrom:    web.NewThrottle(exportsOfAddress, exportsOfAddress),
	}
	var err error
	if rm.filters, err = filter.NewReader(atlas); err != nil {
		return nil, err
	}
	return rm, nil
}

// SuggestionsPath is the path of the search box's suggestions. valuesPath, below it, completes the
// values of one filter.
const (
	SuggestionsPath = "/sugestoes"
	valuesPath      = SuggestionsPath + "/valores"
)

// Register adds the routes of the room to pages.
func (rm *Room) Register(pages *gin.RouterGroup) {
	web.Get(pages, "/busca", rm.pages.Page(rm.search))
	web.Get(pages, "/busca.csv", rm.companiesCSV(searchLayout(), "busca"))
	web.Get(pages, advancedPath, rm.pages.Page(rm.advanced))
	web.Get(pages, SuggestionsPath, rm.suggestions)
	web.Get(pages, valuesPath, rm.values)
	web.Get(pages, "/empresas", rm.pages.Page(rm.companies))
	web.Get(pages, "/empresas.csv", rm.companiesCSV(rm.listingLayout(places.Place{}), "empresas"))
	web.Get(pages, "/uf/:uf", rm.pages.Page(rm.state))
	web.Get(pages, "/uf/:uf/:cidade", rm.pages.Page(rm.city))
	web.Get(pages, "/socio/:d6/:sl", rm.pages.Page(rm.partner))
}
