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

// Handlers serves the reference pages. It is safe for concurrent use.
type Handlers struct {
	pages *page.Server
	now   func() time.Time
}

// New returns the handlers. now decides whether a load is stale.
func New(pages *page.Server, now func() time.Time) *Handlers {
	return &Handlers{pages: pages, now: now}
}

// Register adds the routes of the handlers to pages.
func (hs *Handlers) Register(pages *gin.RouterGroup) {
	web.Get(pages, "/glossario", hs.pages.Text(hs.glossary))
	web.Get(pages, "/dicionario", hs.pages.Text(hs.dictionary))
	web.Get(pages, "/dicionario.csv", hs.dictionaryCSV())
	web.Get(pages, "/fontes", hs.pages.Page(hs.sources))
	web.Get(pages, "/fontes/:fonte", hs.pages.Page(hs.source))
}
