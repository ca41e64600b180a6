// Package company serves the page of one establishment, /{cnpj}, and its Markdown version, /{cnpj}.md:
// registration facts, partners, companies owned, sibling establishments, public records by source,
// time line and the changes that the last load brought.
//
// One request becomes one page in four steps:
//
//  1. addressed canonicalizes the number in the path: a masked or lower-case CNPJ is redirected
//     (301), a root goes to its head office (302).
//  2. readRequest parses the query into a request: a page number for each list, the filters of the
//     establishments, and what is asked of the public records.
//  3. Handlers.read makes one query of the snapshot per section and fills a companyPage, the view model
//     of both templates.
//  4. company.templ or company.md renders it.
//
// The facts, the partners, the establishments and the events of the time line are required: an
// error there fails the whole page. Holdings and changes are optional: on error the section says
// that it could not be read, the error goes to the request's log line, and the page is served.
// Public records follow the rules of package records, which renders them too.
//
// Privacy is enforced below this package. The snapshot is taken ForVisitors, so street and contacts
// of natural persons, and contacts hidden on request, are already blank here; templates need no check
// to keep them out.
package company

import (
	"embed"
	"strings"
	"text/template"
	"time"

	"github.com/gin-gonic/gin"

	"razao/internal/data/territory"
	"razao/internal/web"
	"razao/site/page"
	"razao/site/records"
)

//go:embed company.md
var markdownFiles embed.FS

// Config holds the dependencies of the handlers. Pages and Now are required.
type Config struct {
	Pages  *page.Server
	Now    func() time.Time
	CanAsk bool // show the link to the form that requests hiding a contact
}

// Handlers serves the pages of companies. It is immutable after New and safe for concurrent use.
type Handlers struct {
	pages  *page.Server
	atlas  *territory.Atlas
	now    func() time.Time
	canAsk bool

	records  *records.Handlers
	markdown *template.Template
}

// New returns the handlers, with those of package records, whose section is part of the page. An
// error means that company.md is malformed, and should stop the program.
func New(cfg Config) (*Handlers, error) {
	hs := &Handlers{pages: cfg.Pages, atlas: cfg.Pages.Live.Atlas(), now: cfg.Now, canAsk: cfg.CanAsk}
	hs.records = records.New(cfg.Pages, cfg.Now)
	var err error
	hs.markdown, err = cfg.Pages.ParseMarkdown("company", markdownFiles)
	return hs, err
}

// Register adds the routes of the handlers, and those of the lists of IBAMA, to pages.
func (hs *Handlers) Register(pages *gin.RouterGroup) {
	hs.records.Register(pages)
	web.Get(pages, "/:cnpj"+feedSuffix, hs.pages.OnSnapshot(hs.feed))
	web.Get(pages, "/:cnpj"+fileSuffix, hs.pages.Export(hs.changesFile))
	html, text := hs.pages.Page(hs.company), hs.pages.OnSnapshot(hs.companyMarkdown)
	web.Get(pages, "/:cnpj", func(c *gin.Context) { // gin has no suffix patterns: one parameter matches both
		if strings.HasSuffix(c.Param("cnpj"), markdownSuffix) {
			text(c)
			return
		}
		html(c)
	})
}
