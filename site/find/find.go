// Package find is where companies are found: the search with its suggestions, the listings of the country, its states and
// municipalities, the companies of a partner, and listings as files.
//
// The address is all the state there is. It is read into a query, whose layout says how a kind of page writes its addresses;
// the index answers it, the records of what it found are read in one batch and put into words. Above the listing of a place
// stands its summary, which package places makes: it is the one room that this one composes.
package find

import (
	"cmp"
	"embed"
	"time"

	"github.com/gin-gonic/gin"

	"razao/internal/criteria"
	"razao/internal/territory"
	"razao/internal/web"
	"razao/site/page"
	"razao/site/places"
)

// Templates has the pages of the room, and the parts "listing" and "results" for pages of other rooms.
//
//go:embed *.html
var Templates embed.FS

// Config is what the room needs. All but SuggestionTime is required.
type Config struct {
	Pages          *page.Server
	Places         *places.Room  // makes the summary of a place
	SuggestionTime time.Duration // bounds the work for suggestions; 0: suggestionTime
}

// Room serves searches and listings. It is safe for concurrent use.
type Room struct {
	pages          *page.Server
	atlas          *territory.Atlas
	places         *places.Room
	criteria       *criteria.Reader
	suggestionTime time.Duration
}

// New prepares the room. An error means that a template or the table of the CNAE is missing or damaged.
func New(cfg Config) (*Room, error) {
	atlas := cfg.Pages.Live.Atlas()
	rm := &Room{
		pages: cfg.Pages, atlas: atlas, places: cfg.Places,
		suggestionTime: cmp.Or(cfg.SuggestionTime, suggestionTime),
	}
	var err error
	if rm.criteria, err = criteria.NewReader(atlas); err != nil {
		return nil, err
	}
	return rm, cfg.Pages.Parse([]string{"search", "advanced", "listing", "partner"}, Templates, places.Templates)
}

// SuggestionsPath is the address of suggestions, below which is that of values of filters.
const (
	SuggestionsPath = "/sugestoes"
	valuesPath      = SuggestionsPath + "/valores"
)

// Register adds the room's routes.
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
