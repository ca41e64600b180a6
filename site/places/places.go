// Package places serves everything about states and municipalities: rankings, comparisons, maps and
// charts, the ranking as CSV, the summary above the listing of a place, and what the home page says of the
// country: its month, and questions with their answers.
//
// Every figure comes from the small tables that are built with the index: figures.Places adds them
// up once per snapshot, so no page counts documents, except that a summary asks for one set of
// facet counts, and the home page two questions. What is costly and the same for everyone (a summary, an order of all
// municipalities, the national dot map, the whole ranking as CSV) is cached in the snapshot with
// snapshot.Once, which deduplicates concurrent work and bounds what it keeps. Cached values are
// shared and must not be changed.
//
// A measure is a column to rank by. It also drives the maps: states are shaded by quintile,
// municipalities are dots sized by rank. Both are inline SVG made here from 27 outlines
// (estados.csv) and a Mercator projection fitted to them; no tiles, scripts or other hosts.
//
// With invented companies nothing is said per inhabitant, because the population is real.
package places

import (
	"cmp"
	"slices"

	"github.com/gin-gonic/gin"

	"razao/internal/data/ptbr"
	"razao/internal/data/territory"
	"razao/internal/store/snapshot"
	"razao/internal/web"
	"razao/site/page"
)

// Handlers serves the pages of places. It is safe for concurrent use once Register has returned.
type Handlers struct {
	pages    *page.Server
	atlas    *territory.Atlas
	outlines outlines
	ufs      []territory.UF                                // by name, without places abroad
	towns    map[string][]territory.Municipality           // by the slug of each of their names, former ones too
	namer    func(snap *snapshot.Snapshot, in Place) Namer // set by Register
}

// New parses the outlines. An error means that one of them is malformed, and should stop the
// program.
func New(pages *page.Server) (*Handlers, error) {
	hs := &Handlers{pages: pages, atlas: pages.Live.Atlas()}
	hs.towns = hs.atlas.ByName(ptbr.Slug)
	var err error
	if hs.outlines, err = loadOutlines(hs.atlas); err != nil {
		return nil, err
	}
	hs.ufs = slices.DeleteFunc(hs.atlas.UFs(), func(uf territory.UF) bool { return uf.Code == territory.Abroad })
	slices.SortFunc(hs.ufs, func(a, b territory.UF) int { return cmp.Compare(ptbr.Slug(a.Name), ptbr.Slug(b.Name)) })
	return hs, nil
}

// Register adds the routes of the handlers to pages. namer returns what names the values of filters
// and links to the listing of a place's companies; it comes from package find, which this package
// must not import.
func (hs *Handlers) Register(pages *gin.RouterGroup, namer func(snap *snapshot.Snapshot, in Place) Namer) {
	hs.namer = namer
	web.Get(pages, "/estados", hs.pages.Page(hs.states))
	web.Get(pages, "/municipios", hs.pages.Page(hs.municipalities))
	web.Get(pages, "/municipios/comparar", hs.pages.Page(hs.comparison))
	web.Get(pages, "/municipios.csv", hs.pages.Table(web.Everyone, hs.municipalitiesCSV))
	for _, place := range []string{"/uf/:uf", "/uf/:uf/:cidade"} {
		web.Get(pages, place+monthsFile, hs.pages.Table(web.Everyone, hs.monthsCSV))
		web.Get(pages, place+yearsFile, hs.pages.Table(web.Everyone, hs.yearsCSV))
	}
}
