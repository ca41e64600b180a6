// Package company is the page of one company: of one of its establishments, with its partners, its other establishments, the
// companies that it owns, the public records about it, what happened when, and what the last load changed. The same page is
// there as Markdown, for programs that read text. What it shows of the public records is the work of package records.
//
// Of individual entrepreneurs, and of those who asked, nothing is shown that tells where a person lives or how to reach them:
// it is not in the snapshot that pages get.
package company

import (
	"embed"
	"strings"
	"text/template"
	"time"

	"github.com/gin-gonic/gin"

	"razao/internal/territory"
	"razao/internal/web"
	"razao/site/page"
	"razao/site/places"
	"razao/site/records"
)

// Templates has the pages of the room.
//
//go:embed *.html company.md
var Templates embed.FS

// Config is what the room needs, all of it.
type Config struct {
	Pages  *page.Server
	Places *places.Room // draws maps
	Now    func() time.Time
	CanAsk bool // people can ask to have a contact hidden
}

// Room serves the pages of companies. It is safe for concurrent use.
type Room struct {
	pages  *page.Server
	places *places.Room
	atlas  *territory.Atlas
	now    func() time.Time
	canAsk bool

	records  *records.Room
	markdown *template.Template
}

// New prepares the room. An error means that a template is missing or damaged.
func New(cfg Config) (*Room, error) {
	rm := &Room{pages: cfg.Pages, places: cfg.Places, atlas: cfg.Pages.Live.Atlas(), now: cfg.Now, canAsk: cfg.CanAsk}
	var err error
	if rm.records, err = records.New(cfg.Pages, cfg.Now); err != nil {
		return nil, err
	}
	if rm.markdown, err = cfg.Pages.ParseMarkdown("company", Templates); err != nil {
		return nil, err
	}
	return rm, cfg.Pages.Parse([]string{"company"}, Templates, places.Templates, records.Templates)
}

// Register adds the room's routes.
func (rm *Room) Register(pages *gin.RouterGroup) {
	rm.records.Register(pages)
	html, text := rm.pages.Page(rm.company), rm.pages.OnSnapshot(rm.companyMarkdown)
	web.Get(pages, "/:cnpj", func(c *gin.Context) { // the router cannot tell the two apart
		if strings.HasSuffix(c.Param("cnpj"), markdownSuffix) {
			text(c)
			return
		}
		html(c)
	})
}
