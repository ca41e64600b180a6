package records

import (
	"context"
	"errors"
	"strconv"
	"time"

	"razao/internal/ptbr"
	"razao/internal/record"
	"razao/internal/registry"
	"razao/internal/registry/pack"
	"razao/internal/web"
	"razao/site/glossary"
	"razao/site/page"
)

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

// Theme is a group of sources.
type Theme struct {
	ID, Title string
	Cards     []Card
}

// Card is what one source has about the company or the establishment of a page.
type Card struct {
	ID          string
	Title       string
	Description string
	Status      registry.Status
	CompanyWide bool // it is about the company, whatever the establishment
	Total       int
	Counts      string // the records of this establishment and of the whole company; "" when there is one establishment only
	Period      string // "" without a load, as the next two
	Coverage    string // first day
	LoadedAt    *time.Time
	Stale       bool
	Provenance  record.Provenance // without a load, what is known of the source
	Methodology string            // address; "" for most

	Terms   []glossary.Entry // that no card before it leads to
	Columns []column
	Rows    []Row
	From    int        // position of the first row, from 1
	Among   int        // how many records there are that the list is filtered to; Total when it is not
	Filter  string     // what it is filtered to; "" when it is not
	AllURL  string     // without the filter
	Pager   page.Pager // of the listed ones
	OwnURL  string     // of the page that the source has for itself

	Summary *Summary // of several records; nil when there is one, or Unsummed says why there is none
	// Unsummed says why there are neither totals nor orders; "" when there are.
	Unsummed string
}

// Row is a record in its table.
type Row struct {
	ID    string // of the element
	Cells [][]piece
}

// Found, None, Unavailable and Failed tell the four states of a source apart.
func (c *Card) Found() bool { return c.Status == registry.Found }

func (c *Card) None() bool { return c.Status == registry.None }

func (c *Card) Unavailable() bool { return c.Status == registry.Unavailable }

func (c *Card) Failed() bool { return c.Status == registry.Failed }

// State is what the API calls the state of the source.
func (c *Card) State() string { return string(c.Status) }

// Tone is the class of the card: records are facts, not verdicts, and only what is missing asks for attention.
func (c *Card) Tone() string {
	switch c.Status {
	case registry.Found:
		return "found"
	case registry.None:
		return "none"
	}
	return "off"
}

// Count says how many records there are.
func (c *Card) Count() string {
	return ptbr.Counted(c.Total, "registro", "registros")
}

// TotalText is how many records there are.
func (c *Card) TotalText() string { return ptbr.Count(c.Total) }

// Shown says which of the records the table has.
func (c *Card) Shown() string {
	all := ptbr.Counted(c.Among, "registro", "registros")
	if len(c.Rows) != c.Among {
		all = "Registros " + ptbr.Count(c.From) + " a " + ptbr.Count(c.From+len(c.Rows)-1) + " de " + ptbr.Count(c.Among)
	}
	return ptbr.Join(", ", all, c.Filter)
}

// Complete says that the table has all records.
func (c *Card) Complete() bool { return len(c.Rows) == c.Total }

// Short says that there are more records than the page leads to.
func (c *Card) Short() bool { return !c.Complete() && c.Pager.Page == 0 && c.OwnURL == "" }

// cardOf returns the card of a page of records. linked finds the records that those of IBAMA name.
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

// row is a record at a position in the list of what the page is about.
func (c *Card) row(it *pack.Item, at int, linked linker) Row {
	return Row{ID: recordID(c.ID, at), Cells: cellsOf(c.Columns, &published{it, linked})}
}

// recordID is the id of the element of a record, given its position in the source from 0.
func recordID(id string, position int) string { return id + "-" + strconv.Itoa(position+1) }

// isBeyond reports whether a source is known not to have the page that was asked for.
func isBeyond(p *registry.SourcePage) bool {
	return p.Answered() && p.From > 0 && p.From >= p.Total
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
