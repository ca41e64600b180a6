// Package reference serves the reference pages: the glossary (/glossario), the data dictionary
// (/dicionario, /dicionario.csv), and the sources with their loads (/fontes).
//
// Everything but the loads is derived from declarations: terms from package glossary, fields from
// packages record and source, columns of CSV files from the rooms that export them.
package reference

import (
	"embed"
	"time"

	"github.com/gin-gonic/gin"

	"razao/internal/web"
	"razao/site/page"
)

// Templates holds the pages of the room and the partial "source table", which the home page also
// uses.
//
//go:embed *.html
var Templates embed.FS

// Config holds the dependencies of a [Room]. All are required.
type Config struct {
	Pages *page.Server
	Now   func() time.Time // decides whether a load is stale
}

// Room serves the reference pages. It is safe for concurrent use.
type Room struct {
	pages *page.Server
	now   func() time.Time
}

// New parses the room's templates. It fails if one is missing or malformed.
func New(cfg Config) (*Room, error) {
	rm := &Room{pages: cfg.Pages, now: cfg.Now}
	return rm, cfg.Pages.Parse([]string{"glossary", "dictionary", "sources", "source"}, Templates)
}

// Register adds the room's routes.
func (rm *Room) Register(pages *gin.RouterGroup) {
	web.Get(pages, "/glossario", rm.pages.Text(rm.glossary))
	web.Get(pages, "/dicionario", rm.pages.Text(rm.dictionary))
	web.Get(pages, "/dicionario.csv", rm.dictionaryCSV())
	web.Get(pages, "/fontes", rm.pages.Page(rm.sources))
	web.Get(pages, "/fontes/:fonte", rm.pages.Page(rm.source))
}
