package lists

import (
	"context"
	"net/url"
	"slices"

	"github.com/gin-gonic/gin"

	"razao/internal/data/ptbr"
	"razao/internal/data/record"
	"razao/internal/data/territory"
	"razao/internal/people/account"
	"razao/internal/people/follow"
	"razao/internal/store/dossier"
	"razao/internal/store/snapshot"
	"razao/internal/store/wording"
	"razao/internal/web"
	"razao/site/find"
	"razao/site/page"
)

// Parameters of an answer.
const (
	shownField   = "mostrar"
	columnsField = "colunas"
	pageField    = "pagina"
)

const linesPerPage = 50

// resultPage is what was found by a list.
type resultPage struct {
	page.Frame
	Answer  *answer
	atlas   *territory.Atlas
	snap    *snapshot.Snapshot
	Tiles   []page.Tile
	Shown   string // value of the part
	Lines   []*line
	Pager   page.Pager
	Columns []columnChoice
	// Headings and Cells are the columns beside the company, as far as lines have something in them.
	Headings []string
	Cells    map[*line][]string
	File     string // address of the list as a table
	Choices  string // address of the form that chooses candidates; "" if no line has some
	Kept     string // the companies that are shown, for the form that follows them
	KeptOf   int
	Most     int      // companies that an account may follow
	Lists    []string // of the portfolio
}

// parts are those of the lines that can be shown alone.
func (a *answer) parts() []find.Part[*line] {
	found := func(l *line) bool { return l.Found }
	return slices.Concat(
		[]find.Part[*line]{
			{Value: "", One: "linha", Several: "linhas", Has: func(*line) bool { return true }},
			{Value: "encontradas", One: "encontrada", Several: "encontradas", Has: found},
		},
		find.CompanyParts(func(l *line) string { return l.Situation }, a.dossier),
		[]find.Part[*line]{
			{Value: "incertas", One: "incerta, com candidatas", Several: "incertas, com candidatas", Has: func(l *line) bool { return !l.Found && len(l.Candidates) > 0 }},
			{Value: "nao-encontradas", One: "não encontrada", Several: "não encontradas", Has: func(l *line) bool { return !l.Found && len(l.Candidates) == 0 }},
			{Value: "conferir", One: "a conferir", Several: "a conferir", Has: (*line).doubtful},
		},
	)
}

// partOf returns the lines of the part that a request names, and all parts. The error is an *page.InvalidParameter.
func (a *answer) partOf(value string, columns []string) ([]*line, []page.Tile, error) {
	all := make([]*line, len(a.Lines))
	for i := range a.Lines {
		all[i] = &a.Lines[i]
	}
	return find.Choose(a.parts(), all, shownField, value, func(value string) string { return a.path("", value, columns) })
}

// path returns the address of the answer, or of what is below it, with parameters.
func (a *answer) path(below, shown string, columns []string) string {
	parameters := url.Values{columnsField: columns}
	if shown != "" {
		parameters.Set(shownField, shown)
	}
	return page.WithParameters(Path+"/"+a.token+below, parameters)
}

// show answers GET /lista/{lista}.
func (hs *Handlers) show(c *gin.Context, snap *snapshot.Snapshot, a *answer) error {
	ctx := c.Request.Context()
	columns, err := chosenColumns(c)
	if err != nil {
		return err
	}
	shown := c.Query(shownField)
	lines, tiles, err := a.partOf(shown, columns)
	if err != nil {
		return err
	}
	number, err := page.PageNumber(c, pageField)
	if err != nil {
		return err
	}
	p := &resultPage{Answer: a, atlas: hs.atlas, snap: snap, Shown: shown, Tiles: tiles, Columns: choices(columns), Most: follow.Most[follow.Company], File: a.path("/linhas.csv", shown, columns)}
	p.Kept, p.KeptOf = companies(lines)
	p.Crumbs, p.Wide = page.Trail("Consultar uma lista", Path, "Resultado"), true
	p.Title = ptbr.Counted(a.Found, "encontrada", "encontradas") + " de " + ptbr.Counted(len(a.Lines), "linha", "linhas")
	p.Description = "O que foi encontrado de uma lista de empresas."
	p.Canonical, p.NoIndex = Path, true
	p.Pager = page.NewPager("Páginas da lista", c.Request.URL, pageField, "linhas", number, linesPerPage, int64(len(lines)))
	from := min((number-1)*linesPerPage, len(lines))
	p.Lines = lines[from:min(from+linesPerPage, len(lines))]
	if err := read(ctx, snap, p.Lines); err != nil {
		return err
	}
	if slices.ContainsFunc(p.Lines, (*line).choosable) {
		p.Choices = page.WithParameters(Path+"/"+a.token+"/escolhas", c.Request.URL.Query())
	}
	if err := p.describe(ctx, snap, hs, columns); err != nil {
		return err
	}
	all, err := hs.follows.Lists(ctx, account.ID(web.EventOf(ctx).Account))
	if err != nil {
		return err
	}
	for i := range all {
		p.Lists = append(p.Lists, all[i].Name)
	}
	hs.pages.SendPage(c, snap, page.Reply{Page: p}, web.Nobody)
	return nil
}

// file answers GET /lista/{lista}/linhas.csv.
func (hs *Handlers) file(c *gin.Context, snap *snapshot.Snapshot, a *answer) error {
	format, err := page.FormatOf(c)
	if err == nil {
		err = hs.pages.TakeFile(c)
	}
	if err != nil {
		return err
	}
	ctx := c.Request.Context()
	columns, err := chosenColumns(c)
	if err != nil {
		return err
	}
	lines, _, err := a.partOf(c.Query(shownField), columns)
	if err == nil {
		err = read(ctx, snap, lines)
	}
	if err != nil {
		return err
	}
	t, err := hs.table(ctx, snap, a, lines, columns)
	if err != nil {
		return err
	}
	return hs.pages.StreamTable(c, snap, &t, format, hs.files)
}

// shownColumn is a column of the page.
type shownColumn struct {
	heading string
	of      func(*line) string
}

// describe puts the chosen columns of the lines of the page into words.
func (p *resultPage) describe(ctx context.Context, snap *snapshot.Snapshot, hs *Handlers, chosen []string) error {
	var all []shownColumn
	for _, c := range choicesOf {
		if !slices.Contains(chosen, c.value) {
			continue
		}
		switch {
		case c.value == "situacao":
			all = append(all, shownColumn{"Situação", (*line).SituationText})
		case c.subject != "":
			all = append(all, shownColumn{wording.SubjectTitle(c.subject), func(l *line) string { return p.Answer.Figures(l, c.subject) }})
		default:
			columns, err := hs.columnsOf(ctx, snap, p.Answer, p.Lines, c)
			if err != nil {
				return err
			}
			for i, f := range columns.Fields() {
				if f.Kind != record.Code { // it is in words beside
					all = append(all, shownColumn{f.Heading(), func(l *line) string { return shown(&f, columns[i].Of(l)) }})
				}
			}
		}
	}
	p.Cells = map[*line][]string{}
	for _, column := range all {
		if !slices.ContainsFunc(p.Lines, func(l *line) bool { return column.of(l) != "" }) {
			continue
		}
		p.Headings = append(p.Headings, column.heading)
		for _, l := range p.Lines {
			p.Cells[l] = append(p.Cells[l], column.of(l))
		}
	}
	return nil
}

// shown writes a value of a file for the page.
func shown(f *record.Field, text string) string {
	if f.Kind == record.Amount && text != "" {
		return "R$" + ptbr.NBSP + ptbr.Number(text)
	}
	return page.Local(f, text)
}

// SituationText says what the registration status of a line is, and since when.
func (l *line) SituationText() string {
	if l.Match == nil {
		return ""
	}
	return l.Status.String()
}

// Figures says what there is of the company of a line about a subject.
func (a *answer) Figures(l *line, s dossier.Subject) string {
	if !l.Found {
		return ""
	}
	return wording.Figure(s, a.dossier(l)[s])
}

// Until is when an answer is kept no longer.
func (a *answer) Until() string { return ptbr.Moment(a.until) }

// Beside says which company a candidate is: number, place and status.
func (p *resultPage) Beside(c *candidate) string {
	if c.match == nil {
		return c.CNPJ.Masked()
	}
	e := &c.match.Establishment
	return ptbr.Join(", ", c.CNPJ.Masked(), wording.CityOf(p.atlas, p.snap, e), wording.StatusOf(p.snap, e).Text)
}

// Summary is the answer in a sentence.
func (p *resultPage) Summary() string {
	return ptbr.Counted(p.Answer.Found, "encontrada", "encontradas") + " de " + ptbr.Counted(len(p.Answer.Lines), "linha", "linhas")
}
