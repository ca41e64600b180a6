// Package reference serves the reference pages: the glossary (/glossario), the data dictionary
// (/dicionario, /dicionario.csv), and the sources with their loads (/fontes).
//
// Everything but the loads is derived from declarations: terms from package glossary, fields from
// packages record and source, columns of CSV files from the rooms that export them.
package reference

import (
	"time"

	"github.com/gin-gonic/gin"

	"razao/internal/web"
	"razao/site/page"
)

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

// New returns the room.
func New(cfg Config) *Room { return &Room{pages: cfg.Pages, now: cfg.Now} }

// Register adds the room's routes.
func (rm *Room) Register(pages *gin.RouterGroup) {
	web.Get(pages, "/glossario", rm.pages.Text(rm.glossary))
	web.Get(pages, "/dicionario", rm.pages.Text(rm.dictionary))
	web.Get(pages, "/dicionario.csv", rm.dictionaryCSV())
	web.Get(pages, "/fontes", rm.pages.Page(rm.sources))
	web.Get(pages, "/fontes/:fonte", rm.pages.Page(rm.source))
}
