// Package reference is where visitors look things up: what words mean (/glossario), what fields hold (/dicionario), and where the data
// come from and when (/fontes).
package reference

import (
	"embed"
	"time"

	"github.com/gin-gonic/gin"

	"razao/internal/web"
	"razao/site/page"
)

// Templates has the pages of the room, and the part "source table" for the first page.
//
//go:embed *.html
var Templates embed.FS

// Config is what the room needs, all of it.
type Config struct {
	Pages *page.Server
	Now   func() time.Time
}

// Room serves the pages. It is safe for concurrent use.
type Room struct {
	pages *page.Server
	now   func() time.Time
}

// New prepares the room. An error means that a template is missing or damaged.
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
