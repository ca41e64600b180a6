// Package reference serves the reference pages: the glossary (/glossario), the data dictionary
// (/dicionario, /dicionario.csv), and the sources with their loads (/fontes).
//
// Everything but the loads is derived from declarations: terms from package glossary, fields from
// packages record and source, columns of CSV files from the packages that export them.
package reference

import (
	"time"

	"github.com/gin-gonic/gin"

	"razao/internal/web"
	"razao/site/page"
)

// Config holds the dependencies of a [Handlers]. All are required.
type Config struct {
	Pages *page.Server
	Now   func() time.Time // decides whether a load is stale
}

// Handlers serves the reference pages. It is safe for concurrent use.
type Handlers struct {
	pages *page.Server
	now   func() time.Time
}

// New returns the handlers.
func New(cfg Config) *Handlers { return &Handlers{pages: cfg.Pages, now: cfg.Now} }

// Register adds their routes.
func (hs *Handlers) Register(pages *gin.RouterGroup) {
	web.Get(pages, "/glossario", hs.pages.Text(hs.glossary))
	web.Get(pages, "/dicionario", hs.pages.Text(hs.dictionary))
	web.Get(pages, "/dicionario.csv", hs.dictionaryCSV())
	web.Get(pages, "/fontes", hs.pages.Page(hs.sources))
	web.Get(pages, "/fontes/:fonte", hs.pages.Page(hs.source))
}
