package company

import (
	"context"
	"errors"
	"strconv"
	"time"

	"razao/internal/ptbr"
	"razao/internal/record"
	"razao/internal/registry"
	"razao/internal/registry/pack"
	"razao/internal/snapshot"
	"razao/internal/source"
	"razao/internal/web"
	"razao/site/page"
)

// recordsPerPage is how many records of a source a page shows.
const recordsPerPage = 20

// themeTitles names the themes of package source.
var themeTitles = map[string]string{
	"dividas":               "Dívidas",
	"sancoes":               "Sanções e acordos",
	"trabalho":              "Trabalho",
	"comercio_exterior":     "Comércio exterior",
	"ambiental":             "Meio ambiente",
	"transporte":            "Transporte",
	"contratacoes_publicas": "Contratações públicas",
	"financiamento":         "Financiamento",
}

// theme is a group of sources.
type theme struct {
	ID, Title string
	Cards     []card
}

// card is what one source has about the company or the establishment of a page.
type card struct {
	ID          string
	Title       string
	Description string
	Status      registry.Status
	CompanyWide bool // it is about the company, whatever the establishment
	Total       int
	Period      string // "" without a load, as the next two
	Coverage    string // first day
	LoadedAt    *time.Time
	Stale       bool
	Provenance  record.Provenance // without a load, what is known of the source
	Methodology string            // address; "" for most

	Columns []column
	Rows    []recordRow
	From    int        // position of the first row, from 1
	Pager   page.Pager // of the paged ones
	OwnURL  string     // of the page that the source has for itself
}

// recordRow is a record in its table.
type recordRow struct {
	ID    string // of the element
	Cells [][]piece
}

// Found, None, Unavailable and Failed tell the four states of a source apart.
func (c *card) Found() bool { return c.Status == registry.Found }

func (c *card) None() bool { return c.Status == registry.None }

func (c *card) Unavailable() bool { return c.Status == registry.Unavailable }

func (c *card) Failed() bool { return c.Status == registry.Failed }

// Tone is the class of the card: records are facts, not verdicts, and only what is missing asks for attention.
func (c *card) Tone() string {
	switch c.Status {
	case registry.Found:
		return "found"
	case registry.None:
		return "none"
	}
	return "off"
}

// Count says how many records there are.
func (c *card) Count() string {
	return ptbr.Counted(c.Total, "registro", "registros")
}

// Shown says which of the records the table has.
func (c *card) Shown() string {
	if c.Complete() {
		return c.Count()
	}
	return "Registros " + ptbr.Count(c.From) + " a " + ptbr.Count(c.From+len(c.Rows)-1) + " de " + ptbr.Count(c.Total)
}

// Complete says that the table has all records.
func (c *card) Complete() bool { return len(c.Rows) == c.Total }

// Short says that there are more records than the page leads to.
func (c *card) Short() bool { return !c.Complete() && c.Pager.Page == 0 && c.OwnURL == "" }

// cardOf returns the card of a page of records. linked finds the records that those of IBAMA name.
func cardOf(p *registry.SourcePage, linked linker, now time.Time) card {
	src := &p.Source
	c := card{
		ID: src.ID, Title: src.Title, Description: src.Description, Methodology: src.Metodologia,
		Status: p.Status, CompanyWide: src.CompanyOnly, Total: p.Total, Columns: columns[src.ID], From: p.From + 1,
		Provenance: record.Provenance{Orgao: src.Orgao, Conjunto: src.Conjunto, URL: src.URL, Licenca: src.Licenca, Atribuicao: src.Atribuicao},
	}
	if p.Load != nil {
		c.Period, c.Coverage, c.LoadedAt = ptbr.Period(p.Load.Period), ptbr.PublishedDay(p.Load.CoverageStart), p.Load.FinishedAt
		c.Provenance = p.Load.Provenance
		stale := src.Stale(p.Load.Period, now)
		c.Stale = stale != nil && *stale
	}
	for i := range p.Items {
		c.Rows = append(c.Rows, recordRow{
			ID:    recordID(src.ID, p.From+i),
			Cells: cellsOf(c.Columns, &published{&p.Items[i], linked}),
		})
	}
	return c
}

// recordID is the id of the element of a record, given its position in the source from 0.
func recordID(id string, position int) string { return id + "-" + strconv.Itoa(position+1) }

// publicRecords returns the wanted page of every source, in the order of source.All. A page that a source does not have
// is an error; a source that fails is not.
func publicRecords(ctx context.Context, snap *snapshot.Snapshot, h *pack.Head, r *request) ([]registry.SourcePage, error) {
	from := map[string]int{}
	for _, id := range pagedSources {
		from[id] = r.part(id, recordsPerPage).From
	}
	pages := snap.RecordsFrom(ctx, h, documentOf(h.Root, r.full), recordsPerPage, from)
	for i := range pages {
		if p := &pages[i]; isBeyond(p) {
			id := p.Source.ID
			return nil, &page.NoSuchPage{Number: r.pages[id], First: r.pager("", id, recordsPerPage, p.Total).First}
		}
	}
	logFailures(ctx, pages...)
	return pages, nil
}

// isBeyond reports whether a source is known not to have the page that was asked for.
func isBeyond(p *registry.SourcePage) bool {
	counted := p.Status == registry.Found || p.Status == registry.None
	return counted && p.From > 0 && p.From >= p.Total
}

func logFailures(ctx context.Context, pages ...registry.SourcePage) {
	var errs []error
	for i := range pages {
		errs = append(errs, pages[i].Err)
	}
	if err := errors.Join(errs...); err != nil {
		web.EventOf(ctx).Fail(err)
	}
}

// themes arranges the pages of the sources.
func themes(r *request, pages []registry.SourcePage, now time.Time) []theme {
	cards := map[string][]card{}
	for i := range pages {
		p := &pages[i]
		c := cardOf(p, linkerWithin(pages, p.Source.ID), now)
		if r.pages[c.ID] > 0 && c.Found() {
			c.Pager = r.pager("Páginas de "+c.Title, c.ID, recordsPerPage, c.Total)
		}
		if list, ok := ibamaLists[c.ID]; ok {
			c.OwnURL = listAddress(r.full.String(), list, 1)
		}
		cards[p.Source.Theme] = append(cards[p.Source.Theme], c)
	}
	var all []theme
	for _, id := range source.Themes() {
		all = append(all, theme{ID: id, Title: themeTitles[id], Cards: cards[id]})
	}
	return all
}
