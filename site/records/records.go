package records

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"razao/internal/data/glossary"
	"razao/internal/data/ptbr"
	"razao/internal/data/record"
	"razao/internal/store/registry"
	"razao/internal/store/registry/pack"
	"razao/internal/web"
	"razao/site/page"
)

// themeTitles are the headings of the themes of package source.
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

// Theme is a group of related sources that have records.
type Theme struct {
	ID, Title string
	Cards     []Card
}

// Card is what one source has about the company or establishment of a page.
type Card struct {
	ID          string
	Title       string
	Description string
	Status      registry.Status
	CompanyWide bool   // the source identifies companies only: its records hold for every establishment
	Total       int    // records about the page's company or establishment
	Counts      string // own and company-wide number of records, in words; "" for a company with one establishment
	Period      string // period of the load; "" without a load, as is Coverage
	Coverage    string // first day the load covers
	LoadedAt    *time.Time
	Stale       bool              // older than the source's rhythm allows
	Provenance  record.Provenance // of the load; without one, the static part
	Methodology string            // path of the page on how records were linked; "" for most

	Terms   []glossary.Entry // glossary terms that no earlier card links
	Columns []column
	Rows    []Row
	From    int        // position of the first row, from 1
	Among   int        // records that pass the filter; Total without one
	Filter  string     // the filter in words; "" without one
	AllURL  string     // address without the filter
	Pager   page.Pager // zero for sources that the page does not page through
	OwnURL  string     // list on a page of its own (IBAMA); "" for others

	Line page.Fragment // row in the table of sources without records, rendered before; empty if it was not

	Summary *Summary // nil without records, or when Unsummed says why
	// Unsummed says in a sentence why totals and orders are missing; "" when they are not.
	Unsummed string
}

// Row is a record in its table: one list of pieces per column.
type Row struct {
	ID    string // HTML id, the target of links from the time line
	Cells [][]piece
}

// credits returns licence and attribution, as they follow the name of the data set. end closes the
// sentence unless the link to the methodology does.
func (c *Card) credits(end string) string {
	var b strings.Builder
	for _, text := range []string{ptbr.Join(": ", page.When(c.Provenance.Licenca != "", "Licença"), c.Provenance.Licenca), c.Provenance.Atribuicao} {
		if text != "" {
			b.WriteString(". " + text)
		}
	}
	if c.Methodology != "" {
		return b.String() + "."
	}
	return b.String() + end
}

// Found reports whether the source has records.
func (c *Card) Found() bool { return c.Status == registry.Found }

// None reports whether the source was read and has no records.
func (c *Card) None() bool { return c.Status == registry.None }

// Unavailable reports whether the source has no load, so nothing can be concluded.
func (c *Card) Unavailable() bool { return c.Status == registry.Unavailable }

// Failed reports whether the source could not be read this time.
func (c *Card) Failed() bool { return c.Status == registry.Failed }

// State returns the state as the API names it.
func (c *Card) State() string { return string(c.Status) }

// Tone returns the CSS class of the state. Records are facts, not verdicts: having some is not
// shown as a warning.
func (c *Card) Tone() string {
	switch c.Status {
	case registry.Found:
		return "found"
	case registry.None:
		return "none"
	}
	return "off"
}

// Count returns the number of records in words.
func (c *Card) Count() string {
	return ptbr.Counted(c.Total, "registro", "registros")
}

// TotalText returns the number of records.
func (c *Card) TotalText() string { return ptbr.Count(c.Total) }

// Shown returns the caption of the table: which records of how many, and the filter.
func (c *Card) Shown() string {
	all := ptbr.Counted(c.Among, "registro", "registros")
	if len(c.Rows) != c.Among {
		all = "Registros " + ptbr.Count(c.From) + " a " + ptbr.Count(c.From+len(c.Rows)-1) + " de " + ptbr.Count(c.Among)
	}
	return ptbr.Join(", ", all, c.Filter)
}

// Complete reports whether the table has all records.
func (c *Card) Complete() bool { return len(c.Rows) == c.Total }

// Totals returns the summary that the card shows: nil for a single record, whose row says the same.
func (c *Card) Totals() *Summary {
	if c.Total < 2 {
		return nil
	}
	return c.Summary
}

// Short reports whether records are left out that no page of the site shows.
func (c *Card) Short() bool { return !c.Complete() && c.Pager.Page == 0 && c.OwnURL == "" }

// cardOf returns the card of a page of records. linked resolves references between the two lists of
// IBAMA; now decides staleness.
func cardOf(p *registry.SourcePage, linked linker, now time.Time) Card {
	src := &p.Source
	c := Card{
		ID: src.ID, Title: src.Title, Description: src.Description, Methodology: src.Metodologia,
		Status: p.Status, CompanyWide: src.CompanyOnly, Total: p.Total, Among: p.Total, Columns: columns[src.ID], From: p.From + 1,
		Provenance: record.Provenance{Orgao: src.Orgao, Conjunto: src.Conjunto, URL: src.URL, Licenca: src.Licenca, Atribuicao: src.Atribuicao},
	}
	if p.Load != nil {
		c.Period, c.Coverage, c.LoadedAt = ptbr.Period(p.Load.Period), ptbr.PublishedDay(p.Load.CoverageStart), p.Load.FinishedAt
		c.Provenance = p.Load.Provenance
		stale := src.Stale(p.Load.Period, now)
		c.Stale = stale != nil && *stale
	}
	for i := range p.Items {
		c.Rows = append(c.Rows, c.row(&p.Items[i], p.From+i, linked))
	}
	return c
}

// row returns the row of a record at a position of the list, from 0.
func (c *Card) row(it *pack.Item, at int, linked linker) Row {
	return Row{ID: recordID(c.ID, at), Cells: cellsOf(c.Columns, &publishedRecord{it, linked})}
}

// recordID returns the HTML id of a record, from its position in the list, from 0.
func recordID(id string, position int) string { return id + "-" + strconv.Itoa(position+1) }

// isBeyond reports whether a page past the end was requested. A source that did not answer is not
// known to end there.
func isBeyond(p *registry.SourcePage) bool {
	return p.Answered() && p.From > 0 && p.From >= p.Total
}

// logFailures records the errors of sources on the request's log line.
func logFailures(ctx context.Context, pages ...registry.SourcePage) {
	var errs []error
	for i := range pages {
		errs = append(errs, pages[i].Err)
	}
	if err := errors.Join(errs...); err != nil {
		web.EventOf(ctx).Fail(err)
	}
}
