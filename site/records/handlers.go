// Package records renders public records: on the page of a company a card for each source that has
// some, with totals, orders and filters, a table of the sources without records, and the time line;
// and the two lists of IBAMA, which have pages of their own.
//
// Read builds the section in three steps:
//
//  1. One statement reads a page of every source. A source that fails becomes a card with
//     the state "erro"; it never fails the page.
//  2. Totals, orders, filters and the time line are about all records, so the facts (amount, day,
//     state) of sources with more than one page are read in full: only the fields needed, at most
//     MaxSummed records, two sources at a time. A source with more says so and has none of these.
//  3. The facts are grouped, sorted and cut in memory. Only the ten rows that a chosen order or
//     filter shows are read in full, by position.
//
// What the fields of a source mean (which amounts may be added, which day counts, what happened
// when) is declared in package source and computed by internal/store/totals, as the search does, so
// pages and search agree. The table columns are declared in columns.go.
package records

import (
	"time"

	"github.com/gin-gonic/gin"

	"razao/internal/web"
	"razao/site/page"
)

// Handlers reads and renders public records. It is immutable after New and safe for concurrent use.
type Handlers struct {
	pages *page.Server
	now   func() time.Time
}

// New returns the handlers. now decides what is outdated and which events are still to come.
func New(pages *page.Server, now func() time.Time) *Handlers {
	return &Handlers{pages: pages, now: now}
}

// Register adds the routes of the handlers to pages.
func (hs *Handlers) Register(pages *gin.RouterGroup) {
	web.Get(pages, "/:cnpj/ibama/:fonte/:numero_pagina", hs.pages.Page(hs.ibama))
}
