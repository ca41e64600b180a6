// Package places is about states and municipalities: their rankings, comparisons, maps and charts, and the summary that stands above the
// listing of the companies of a place. All figures come from the tables of the index, are added up once for each snapshot
// and kept as long as it is served.
package places

import (
	"cmp"
	"embed"
	"slices"

	"github.com/gin-gonic/gin"

	"razao/internal/slug"
	"razao/internal/snapshot"
	"razao/internal/territory"
	"razao/internal/web"
	"razao/site/page"
)

// Templates has the pages of the room, and the parts "summary", "state map", "dot map", "years", "bar" and "place" for pages
// of other rooms.
//
//go:embed *.html
var Templates embed.FS

// Config is what the room needs, all of it.
type Config struct {
	Pages *page.Server
}

// Room serves the pages of places. It is safe for concurrent use.
type Room struct {
	pages    *page.Server
	atlas    *territory.Atlas
	outlines outlines
	ufs      []territory.UF // by name, without places abroad
	namer    func(snap *snapshot.Snapshot, in Place) Namer
}

// New prepares the room. An error means that a template or the table of outlines is missing or damaged.
func New(cfg Config) (*Room, error) {
	rm := &Room{pages: cfg.Pages, atlas: cfg.Pages.Live.Atlas()}
	var err error
	if rm.outlines, err = loadOutlines(rm.atlas); err != nil {
		return nil, err
	}
	rm.ufs = slices.DeleteFunc(rm.atlas.UFs(), func(uf territory.UF) bool { return uf.Code == territory.Abroad })
	slices.SortFunc(rm.ufs, func(a, b territory.UF) int { return cmp.Compare(slug.Make(a.Name), slug.Make(b.Name)) })
	return rm, cfg.Pages.Parse([]string{"ranking", "comparison"}, Templates)
}

// Register adds the room's routes. namer says what values of filters are called, and where the companies of a place that have
// them are listed.
func (rm *Room) Register(pages *gin.RouterGroup, namer func(snap *snapshot.Snapshot, in Place) Namer) {
	rm.namer = namer
	web.Get(pages, "/estados", rm.pages.Page(rm.states))
	web.Get(pages, "/municipios", rm.pages.Page(rm.municipalities))
	web.Get(pages, "/municipios/comparar", rm.pages.Page(rm.comparison))
	web.Get(pages, "/municipios.csv", rm.pages.Table(web.Everyone, rm.municipalitiesCSV))
}
