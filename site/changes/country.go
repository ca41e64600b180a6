package changes

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"razao/index/filter"
	"razao/internal/data/change"
	"razao/internal/data/ptbr"
	"razao/internal/data/source"
	"razao/internal/data/territory"
	"razao/internal/store/journal"
	"razao/internal/store/registry"
	"razao/internal/store/registry/history"
	"razao/internal/store/snapshot"
	"razao/internal/store/wording"
	"razao/internal/web"
	"razao/site/chart"
	"razao/site/page"
	"razao/site/places"
)

const (
	path           = "/mudancas"
	feedSuffix     = ".atom"
	markdownSuffix = ".md"
	seriesPath     = path + "/serie.csv"
	cohortsPath    = path + "/coortes.csv"
	eventName      = "evento"  // parameter: a code of an event
	cursorName     = "posicao" // parameter: where the page begins
	sideName       = "lado"    // parameter: which state the filters ask about

	perPage    = 30
	loadsShown = 8  // loads that are not folded away
	barsShown  = 10 // events of the newest load that are not folded away
	cohortTime = time.Second
)

// request is the parsed address of the page or its feed.
type request struct {
	words  []string // events as the address has them: codes, and groups of codes
	events []string // codes; nil: all
	given  []filter.Given
	set    filter.Set
	side   string           // as the address has it
	from   history.Position // zero: the newest load that may have something
}

// parameters returns the address of the list's beginning as parameters.
func (q *request) parameters() url.Values {
	v := url.Values{}
	for _, word := range q.words {
		v.Add(eventName, word)
	}
	for _, g := range q.given {
		v.Add(g.Name, g.Value)
	}
	if q.side != "" {
		v.Set(sideName, q.side)
	}
	return v
}

// query returns the query of changes from a position on.
func (q *request) query(from history.Position, limit int) journal.Query {
	side, _ := journal.ParseSide(q.side)
	return journal.Query{Events: q.events, Filters: q.set, Side: side, From: from, Limit: limit}
}

// read parses an address. The error is a *page.InvalidParameter.
func (hs *Handlers) read(c *gin.Context, snap *snapshot.Snapshot) (*request, error) {
	q := &request{}
	values := c.Request.URL.Query()
	for _, word := range values[eventName] {
		if word == "" || slices.Contains(q.words, word) {
			continue
		}
		codes := change.Selected(word)
		if len(codes) == 0 {
			return nil, page.UnknownValue(eventName, word, "Deve ser o código de um evento, como estabelecimento.baixado, ou o começo de vários, como socio.")
		}
		q.words, q.events = append(q.words, word), append(q.events, codes...)
	}
	var err error
	if q.given, q.set, err = hs.filters.Read(snap, values); err != nil {
		return nil, page.InvalidFilter(err)
	}
	q.side = values.Get(sideName)
	if _, ok := journal.ParseSide(q.side); !ok {
		return nil, page.UnknownValue(sideName, q.side, "Deve ser antes ou depois, ou faltar: os dois.")
	}
	if text := values.Get(cursorName); text != "" {
		var ok bool
		if q.from, ok = readCursor(text); !ok {
			return nil, page.UnknownValue(cursorName, text, "Deve ser a posição que uma página de mudanças deu.")
		}
	}
	return q, nil
}

// groupTitles are what the groups of codes are called, but for those of a source.
var groupTitles = map[string]string{
	"estabelecimento": "Estabelecimentos", "empresa": "Dados da empresa", "socio": "Sócios", "simples": "Simples", "mei": "MEI", "fonte": "Registros públicos",
}

// titleOf returns what an event or a group of events is called.
func titleOf(code string) string {
	if title := groupTitles[code]; title != "" {
		return title
	}
	if src, ok := source.Find(strings.TrimPrefix(code, "fonte.")); ok {
		return wording.SourceTitle(src.ID)
	}
	id, _, _ := strings.Cut(strings.TrimPrefix(code, "fonte."), ".")
	for i := range change.Kinds() {
		if info := &change.Kinds()[i]; info.CodeOf(id) == code {
			return wording.KindTitle(info, id)
		}
	}
	return ""
}

// countryPage is the view model of /mudancas.
type countryPage struct {
	page.Frame
	Feed     string
	Twin     string // the same as Markdown
	Loads    []loadRow
	Older    []loadRow // folded away, with the first load of each source
	Unknown  []string
	Newest   *chart.Bars // events of the newest load of the Receita that was compared; nil without one
	Flow     *places.Flow
	Cohorts  *places.Cohorts
	Series   string // of the flow, as CSV
	CSV      string // of the cohorts
	Narrow   narrow
	Chips    []page.Crumb
	Rows     []wording.Change
	Start    string // the list from its beginning
	List     string // the list from here on, as a file
	Next     string // the following page; "" at the end
	Filtered bool
	Cursor   bool // the page is not the first
}

// loadRow is a load in the table of loads.
type loadRow struct {
	Source, Period string
	Companies      string
	URL            string // the list from its beginning; "" if it changed nothing
}

// narrow is the form with the filters that are asked for most; the address may have any.
type narrow struct {
	Events           []option
	UF, City, Sector string
	UFs              []territory.UF
	Others           []page.Parameter // filters of the address that the form has no field for
}

type option struct {
	Code, Text string
	Chosen     bool
}

// country answers /mudancas.
func (hs *Handlers) country(c *gin.Context, snap *snapshot.Snapshot) (page.Reply, error) {
	p, err := hs.countryOf(c, snap, path)
	if err != nil {
		return page.Reply{}, err
	}
	return page.Reply{Page: p}, nil
}

// countryMarkdown answers /mudancas.md: loads and list as CommonMark.
func (hs *Handlers) countryMarkdown(c *gin.Context, snap *snapshot.Snapshot) error {
	p, err := hs.countryOf(c, snap, path+markdownSuffix)
	if err != nil {
		return err
	}
	return hs.pages.SendMarkdown(c, snap, hs.markdown, p, p.Canonical, p.NoIndex)
}

// countryOf makes the page. Its following page has the path on.
func (hs *Handlers) countryOf(c *gin.Context, snap *snapshot.Snapshot, on string) (*countryPage, error) {
	q, err := hs.read(c, snap)
	if err != nil {
		return nil, err
	}
	ctx := c.Request.Context()
	p := &countryPage{Filtered: len(q.events)+len(q.given) > 0, Cursor: q.from.Seq != 0}
	p.describe(q, snap)
	if p.Unknown, err = Unknown(ctx, snap, 0); err != nil {
		return nil, err
	}
	if q.events == nil {
		p.Flow, err = hs.flow(ctx, snap, q)
		if _, ok := errors.AsType[*page.InvalidParameter](err); !ok {
			web.EventOf(ctx).Fail(err) // optional: an error is logged
		}
		p.Series = page.WithParameters(seriesPath, q.parameters())
	}
	if len(q.given) > 0 && q.events == nil && !p.Cursor {
		p.Cohorts = cohorts(c, snap, q)
		p.CSV = page.WithParameters(cohortsPath, q.parameters())
	}
	p.narrowing(hs, q)
	start := q.from
	if start.Seq == 0 {
		start = beginning(snap, q.events)
	}
	found, next, more, err := walk(ctx, snap, q.query(start, perPage), c.Query(cursorName))
	if err != nil {
		return nil, err
	}
	for i := range found {
		p.Rows = append(p.Rows, wording.ChangeOf(hs.atlas, snap, &found[i]))
	}
	if more {
		v := q.parameters()
		v.Set(cursorName, writeCursor(next))
		p.Next = page.WithParameters(on, v)
	}
	return p, nil
}

// beginning returns where the list begins: with the newest load of the Receita that has one of the events, or else of a source; the end if
// none has. Loads of sources follow those of the Receita, with the links of BNDES, which say little by themselves.
func beginning(snap *snapshot.Snapshot, events []string) history.Position {
	loads := journal.Loads(snap)
	for _, receita := range []bool{true, false} {
		for i := len(loads) - 1; i >= 0; i-- {
			if l := &loads[i]; (l.Source == registry.Receita) == receita && hasAny(l, events) {
				return history.Position{Seq: l.Seq}
			}
		}
	}
	return journal.End(snap)
}

// hasAny reports whether a load has one of the events; nil: any at all.
func hasAny(l *history.Load, events []string) bool {
	return l.Companies > 0 && (events == nil || slices.ContainsFunc(events, func(code string) bool { return l.Events[code] > 0 }))
}

// describe fills in what follows from the address and the loads.
func (p *countryPage) describe(q *request, snap *snapshot.Snapshot) {
	p.Crumbs = page.Trail("O que mudou")
	p.Title = "O que mudou nas empresas do Brasil"
	p.Description = "Aberturas, baixas, sócios, endereços, dívidas e sanções: o que cada carga mudou nas empresas brasileiras, com filtros e feed Atom."
	own := q.parameters()
	p.Start, p.Feed = page.WithParameters(path, own), page.WithParameters(path+feedSuffix, own)
	p.Canonical = p.Start
	if p.Cursor {
		own.Set(cursorName, writeCursor(q.from))
		p.Canonical = page.WithParameters(path, own)
	}
	p.List = strings.Replace(p.Canonical, path, listPath, 1)
	p.Twin = strings.Replace(p.Canonical, path, path+markdownSuffix, 1)
	p.NoIndex = p.Cursor || p.Filtered
	loads := journal.Loads(snap)
	for i := len(loads) - 1; i >= 0; i-- {
		l := &loads[i]
		row := loadRow{Source: wording.SourceTitle(l.Source), Period: ptbr.Period(l.Period), Companies: companiesOf(l)}
		if l.Companies > 0 {
			v := q.parameters()
			v.Set(cursorName, writeCursor(history.Position{Seq: l.Seq}))
			row.URL = page.WithParameters(path, v)
		}
		if l.First() || len(p.Loads) == loadsShown {
			p.Older = append(p.Older, row)
		} else {
			p.Loads = append(p.Loads, row)
		}
		if p.Newest == nil && l.Source == registry.Receita && l.Companies > 0 {
			p.Newest = eventBars(l)
		}
	}
}

// companiesOf says how many companies a load changed, as far as that is known.
func companiesOf(l *history.Load) string {
	switch {
	case l.First():
		return "primeira carga"
	case l.Companies == 0 && len(l.Gaps) > 0:
		return "não se sabe"
	case len(l.Gaps) > 0:
		return ptbr.Count(l.Companies) + ", em parte"
	}
	return ptbr.Count(l.Companies)
}

// eventBars draws the events of a load by kind, most first. Each leads to the list of its events.
func eventBars(l *history.Load) *chart.Bars {
	var rows []chart.Bar
	for code, n := range l.Events {
		rows = append(rows, chart.Bar{Text: titleOf(code), URL: page.WithParameters(path, url.Values{eventName: {code}}), Count: n})
	}
	slices.SortFunc(rows, func(a, b chart.Bar) int {
		if a.Count != b.Count {
			return int(b.Count - a.Count)
		}
		return strings.Compare(a.Text, b.Text)
	})
	rows = chart.Scaled(rows)
	shown := min(barsShown, len(rows))
	return &chart.Bars{
		Label: "Tabela por evento", Caption: "O que mudou em " + ptbr.Period(l.Period) + ", frente a " + ptbr.Period(l.FormerPeriod),
		What: "Evento", Unit: "Vezes", Rows: rows[:shown], Rest: rows[shown:],
	}
}

// flow adds up openings, closings and moves, nil if no load was compared. Filters that say anything but
// places and divisions of CNAE are a *page.InvalidParameter.
func (hs *Handlers) flow(ctx context.Context, snap *snapshot.Snapshot, q *request) (*places.Flow, error) {
	var in places.Place
	var divisions []string
	for _, g := range q.given {
		switch {
		case g.Name == filter.UF && in.UF == "" && len(g.Value) == 2:
			in.UF = g.Value
		case g.Name == filter.Municipio && in.Municipio == "" && !strings.HasPrefix(g.Value, "-"):
			in.Municipio = g.Value
		case g.Name == filter.CNAE && len(g.Value) == 2:
			divisions = append(divisions, g.Value)
		default:
			return nil, page.UnknownValue(g.Name, g.Value, "A série é de um estado, de um município e de divisões da CNAE.")
		}
	}
	return places.NewFlow(ctx, snap, hs.atlas, in, divisions)
}

// seriesCSV answers /mudancas/serie.csv.
func (hs *Handlers) seriesCSV(c *gin.Context, snap *snapshot.Snapshot) (page.Table, error) {
	q, err := hs.read(c, snap)
	if err != nil {
		return page.Table{}, err
	}
	if q.events != nil {
		return page.Table{}, page.UnknownValue(eventName, q.words[0], "A série conta todos os eventos.")
	}
	flow, err := hs.flow(c.Request.Context(), snap, q)
	if err != nil {
		return page.Table{}, err
	}
	if flow == nil { // no load was compared: the table has no rows
		flow = &places.Flow{}
	}
	return flow.Table(snap, page.WithParameters(path, q.parameters())), nil
}

// cohorts counts the cohorts of what passes the filters. They are optional: an error is logged.
func cohorts(c *gin.Context, snap *snapshot.Snapshot, q *request) *places.Cohorts {
	ctx, cancel := context.WithTimeout(c.Request.Context(), cohortTime)
	defer cancel()
	found, err := places.NewCohorts(ctx, snap, q.set)
	web.EventOf(ctx).Fail(err)
	return found
}

// cohortsCSV answers /mudancas/coortes.csv, with the filters of /mudancas.
func (hs *Handlers) cohortsCSV(c *gin.Context, snap *snapshot.Snapshot) (page.Table, error) {
	q, err := hs.read(c, snap)
	if err != nil {
		return page.Table{}, err
	}
	found, err := places.NewCohorts(c.Request.Context(), snap, q.set)
	if err != nil {
		return page.Table{}, err
	}
	return found.Table(snap, page.WithParameters(path, q.parameters())), nil
}

// narrowing fills in the form and the filters in force.
func (p *countryPage) narrowing(hs *Handlers, q *request) {
	for i := range change.Kinds() {
		if info := &change.Kinds()[i]; info.Part != change.Records {
			p.Narrow.Events = append(p.Narrow.Events, option{info.Code, info.Title, slices.Contains(q.words, info.Code)})
		}
	}
	for _, word := range q.words {
		if !slices.ContainsFunc(p.Narrow.Events, func(o option) bool { return o.Code == word }) {
			p.Narrow.Events = append(p.Narrow.Events, option{word, titleOf(word), true})
		}
		p.Chips = append(p.Chips, page.Crumb{Text: "Evento: " + titleOf(word), URL: q.without(eventName, word)})
	}
	p.Narrow.UFs = hs.atlas.UFs()
	if q.side != "" {
		p.Narrow.Others = append(p.Narrow.Others, page.Parameter{Name: sideName, Value: q.side})
		p.Chips = append(p.Chips, page.Crumb{Text: "Filtros: " + q.side + " da carga", URL: q.without(sideName, q.side)})
	}
	for _, g := range q.given {
		switch {
		case g.Name == filter.UF && p.Narrow.UF == "" && !strings.HasPrefix(g.Value, "-"):
			p.Narrow.UF = g.Value
		case g.Name == filter.Municipio && p.Narrow.City == "":
			p.Narrow.City = g.Text
		case g.Name == filter.CNAE && p.Narrow.Sector == "":
			p.Narrow.Sector = g.Value
		default:
			p.Narrow.Others = append(p.Narrow.Others, page.Parameter{Name: g.Name, Value: g.Value})
		}
	}
	for _, phrase := range filter.Phrases(q.given) {
		var changes []string
		for _, g := range phrase.Of {
			changes = append(changes, g.Name, g.Value)
		}
		p.Chips = append(p.Chips, page.Crumb{Text: phrase.Label + ": " + phrase.Text, URL: q.without(changes...)})
	}
}

// without returns the address without values, given as name, value pairs.
func (q *request) without(pairs ...string) string {
	v := q.parameters()
	for i := 0; i+1 < len(pairs); i += 2 {
		if v[pairs[i]] = slices.DeleteFunc(v[pairs[i]], func(value string) bool { return value == pairs[i+1] }); len(v[pairs[i]]) == 0 {
			v.Del(pairs[i])
		}
	}
	return page.WithParameters(path, v)
}
