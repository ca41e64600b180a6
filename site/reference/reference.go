// Package reference serves the reference pages: the glossary (/glossario), the data dictionary
// (/dicionario, /dicionario.csv), the sources with their loads (/fontes) and the quality of their columns, and the loads of the company registry.
//
// Everything but the loads is derived from declarations: terms from package glossary, fields from
// packages record and source, columns of CSV files from the packages that export them.
package reference

import (
	"strings"
	"text/template"
	"time"

	"github.com/gin-gonic/gin"

	"razao/internal/store/proof"
	"razao/internal/web"
	"razao/site/page"
)

// Handlers serves the reference pages. It is safe for concurrent use.
type Handlers struct {
	pages       *page.Server
	now         func() time.Time
	checkpoints proof.Signer
	markdown    *template.Template
}

// New returns the handlers. now decides whether a load is stale, checkpoints signs those of loads. An error
// means that load.md is malformed, and should stop the program.
func New(pages *page.Server, now func() time.Time, checkpoints proof.Signer) (*Handlers, error) {
	hs := &Handlers{pages: pages, now: now, checkpoints: checkpoints}
	var err error
	hs.markdown, err = pages.ParseMarkdown("load", markdownFiles)
	return hs, err
}

// Register adds the routes of the handlers to pages.
func (hs *Handlers) Register(pages *gin.RouterGroup) {
	web.Get(pages, "/glossario", hs.pages.Text(hs.glossary))
	web.Get(pages, "/dicionario", hs.pages.Text(hs.dictionary))
	web.Get(pages, "/dicionario.csv", hs.dictionaryCSV())
	web.Get(pages, "/fontes", hs.pages.Page(hs.sources))
	web.Get(pages, "/fontes/:fonte", hs.pages.Page(hs.source))
	web.Get(pages, "/fontes/:fonte/qualidade", hs.pages.Page(hs.quality))
	html, text := hs.pages.Page(hs.load), hs.pages.OnSnapshot(hs.loadMarkdown)
	web.Get(pages, "/fontes/:fonte/cargas/:carga", func(c *gin.Context) { // gin has no suffix patterns: one parameter matches both
		if strings.HasSuffix(c.Param("carga"), markdownSuffix) {
			text(c)
			return
		}
		html(c)
	})
	web.Get(pages, "/fontes/:fonte/cargas/:carga/checkpoint", hs.pages.OnSnapshot(hs.checkpoint))
}
