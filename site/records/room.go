// Package records shows public records: on the page of a company, a card for each source that has some, with totals, orders and
// filters, a table of the other sources, and the time line; and the two lists of IBAMA, which have pages of their own. What the
// fields of a source mean for totals and dates is declared in package source.
//
// Totals, orders and the time line are over all records of what a page is about, so they are read, as far as the first page of a
// source does not have them: of up to MaxSummed records, the fields that are needed.
package records

import (
	"embed"
	"time"

	"github.com/gin-gonic/gin"

	"razao/internal/web"
	"razao/site/page"
)

// Templates has the pages of the room, and the parts "records", "timeline", "record card" and "other sources".
//
//go:embed *.html
var Templates embed.FS

// Room reads and shows public records. It is safe for concurrent use.
type Room struct {
	pages *page.Server
	now   func() time.Time
}

// New prepares the room. An error means that a template is missing or damaged.
func New(pages *page.Server, now func() time.Time) (*Room, error) {
	return &Room{pages: pages, now: now}, pages.Parse([]string{"ibama"}, Templates)
}

// Register adds the room's routes.
func (rm *Room) Register(pages *gin.RouterGroup) {
	web.Get(pages, "/:cnpj/ibama/:fonte/:numero_pagina", rm.pages.Page(rm.ibama))
}
