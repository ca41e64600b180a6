package places

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"

	"razao/index/figures"
	"razao/internal/data/ptbr"
	"razao/internal/data/territory"
	"razao/internal/store/snapshot"
	"razao/site/chart"
	"razao/site/page"
)

// placeRow is a row of a ranking. Position is its rank among all places, from 1; URL is its
// listing.
type placeRow struct {
	*figures.Place
	Position int64
	URL      string
	Share    string // percentage of the largest that the filters leave; "" for the order by name
}

// rowsOf numbers places in their order.
func rowsOf(ordered []*figures.Place) []placeRow {
	rows := make([]placeRow, 0, len(ordered))
	for i, p := range ordered {
		rows = append(rows, placeRow{Place: p, Position: int64(i + 1), URL: pathOf(p)})
	}
	return rows
}

// pathOf returns the path of the listing of a state or municipality.
func pathOf(p *figures.Place) string {
	if p.Municipality.RFB == "" {
		return page.StatePath(p.UF)
	}
	return page.MunicipalityPath(p.Municipality)
}

// StateMap returns the map of the states for the home page.
func (hs *Handlers) StateMap(snap *snapshot.Snapshot) (*StateMap, error) {
	all, err := snap.Places()
	if err != nil {
		return nil, fmt.Errorf("map: %w", err)
	}
	return hs.stateMap(all, all.States, measure{}), nil
}

// stateMap draws the map that goes with a ranking of states ordered by by.
func (hs *Handlers) stateMap(all *figures.Places, states []figures.Place, by measure) *StateMap {
	shown := mapMeasure(measuresOf(all), by)
	drawn := newStateMap(hs.outlines, states, shown.label+", por estado", shown)
	if shown.Name == perThousand {
		drawn.People = all.PeopleYear
	}
	return drawn
}

// Paths returns the listings of the states and municipalities with at least one active company, for
// the sitemap.
func Paths(snap *snapshot.Snapshot) ([]string, error) {
	var paths []string
	all, err := snap.Places()
	if err != nil {
		return nil, fmt.Errorf("listings of places: %w", err)
	}
	for _, places := range [][]figures.Place{all.States, all.Municipalities} {
		for i := range places {
			if places[i].ActiveCompanies > 0 {
				paths = append(paths, pathOf(&places[i]))
			}
		}
	}
	return paths, nil
}

// orderKey is the snapshot.Once key of all municipalities in the order of a measure.
type orderKey struct{ name string }

// ordered returns all municipalities in the order of a measure, cached for the snapshot. Callers
// must not change the slice.
func ordered(snap *snapshot.Snapshot, by measure) ([]*figures.Place, error) {
	return snapshot.Once(snap, orderKey{by.Name}, func() ([]*figures.Place, error) {
		all, err := snap.Places()
		if err != nil {
			return nil, fmt.Errorf("ranking: %w", err)
		}
		return figures.Ranked(all.Municipalities, by.compare), nil
	})
}

// rankingQuery is the parsed address of a ranking.
type rankingQuery struct {
	measures []measure
	by       measure
	uf       territory.UF             // zero value for all states
	region   string                   // "" for all regions
	name     string                   // typed text to match names with; "" for all
	slug     string                   // slug of name
	towns    []territory.Municipality // those that name is a whole name of, perhaps a former one
}

// maxName is the longest text to match names with, in characters.
const maxName = 60

// readOrder parses the order. The error is a *page.InvalidParameter, as those of the other readers
// are.
func readOrder(c *gin.Context, all *figures.Places) (*rankingQuery, error) {
	q := &rankingQuery{measures: measuresOf(all)}
	given := c.Query("ordem")
	var ok bool
	if q.by, ok = measureNamed(q.measures, given); !ok {
		var names []string
		for _, m := range q.measures[1:] {
			names = append(names, m.Name)
		}
		return nil, page.UnknownValue("ordem", given, "Deve ser "+ptbr.Alternatives(names)+".")
	}
	return q, nil
}

// readUF parses the filter by state. EX is not accepted: municipalities abroad are not ranked.
func (q *rankingQuery) readUF(c *gin.Context, atlas *territory.Atlas) error {
	given := c.Query("uf")
	uf, ok := atlas.UF(given)
	if given != "" && (!ok || uf.Code == territory.Abroad) {
		return unknown("uf", "O filtro “Estado”", given, "Deve ser a sigla de um estado, como SP.")
	}
	q.uf = uf
	return nil
}

// readName parses the text to match names with. towns has those of every name, by its slug.
func (q *rankingQuery) readName(c *gin.Context, towns map[string][]territory.Municipality) error {
	q.name = strings.Join(strings.Fields(c.Query("q")), " ")
	q.slug = ptbr.Slug(q.name)
	q.towns = towns[q.slug]
	switch {
	case len([]rune(q.name)) > maxName:
		return unknown("q", "O nome procurado", c.Query("q"), fmt.Sprintf("Deve ter no máximo %d caracteres.", maxName))
	case q.name != "" && q.slug == "":
		return unknown("q", "O nome procurado", c.Query("q"), "Deve ter alguma letra.")
	}
	return nil
}

// readRegion parses the filter of states by region, given as a slug.
func (q *rankingQuery) readRegion(c *gin.Context, atlas *territory.Atlas) error {
	given := c.Query("regiao")
	if given == "" {
		return nil
	}
	var slugs []string
	for _, region := range atlas.Regions() {
		if slugs = append(slugs, ptbr.Slug(region)); strings.EqualFold(ptbr.Slug(region), given) {
			q.region = region
			return nil
		}
	}
	return unknown("regiao", "O filtro “Região”", given, "Deve ser "+ptbr.Alternatives(slugs)+".")
}

// unknown returns a *page.InvalidParameter that calls the parameter what visitors see on the page.
func unknown(name, what, given, must string) error {
	invalid := page.UnknownValue(name, given, must)
	invalid.What = what
	return invalid
}

// matches reports whether a municipality matches: it is in the state, if one is given, and the typed
// text begins a word of its name, or is one of its names. The text may end with the UF, "campinas sp"; then it must match
// up to the end of the name.
func (q *rankingQuery) matches(p *figures.Place) bool {
	if q.uf.Code != "" && p.UF != q.uf.Code {
		return false
	}
	if strings.HasPrefix(p.Slug, q.slug) || strings.Contains(p.Slug, "-"+q.slug) || slices.Contains(q.towns, p.Municipality) {
		return true
	}
	name, ok := strings.CutSuffix(q.slug, "-"+strings.ToLower(p.UF))
	return ok && (p.Slug == name || strings.HasSuffix(p.Slug, "-"+name))
}

// rows returns the matching places, each with its position among all.
func (q *rankingQuery) rows(ordered []*figures.Place) []placeRow {
	var rows []placeRow
	for i, p := range ordered {
		if q.matches(p) {
			rows = append(rows, placeRow{Place: p, Position: int64(i + 1)})
		}
	}
	return rows
}

// address returns path with the parameters of q, after changing name, value pairs; "" removes a
// parameter. It leaves out the page number.
func (q *rankingQuery) address(path string, changes ...string) string {
	v := url.Values{}
	page.Change(v, "uf", q.uf.Code, "regiao", ptbr.Slug(q.region), "q", q.name, "ordem", q.by.Name)
	page.Change(v, changes...)
	return page.WithParameters(path, v)
}

// share sets the shares of rows; first is the first in the order of the measure.
func (m *measure) share(rows []placeRow, first *figures.Place) {
	if m.value == nil || m.value(first) == 0 {
		return
	}
	for i := range rows {
		rows[i].Share = chart.Share(m.value(rows[i].Place), m.value(first))
	}
}

// rankingPage is the view model of /estados and /municipios.
type rankingPage struct {
	page.Frame
	Heading string
	Chips   []page.Crumb // active filters; URL removes the filter
	Regions []regionLink // filter of states; nil for municipalities
	// Filtered says that a filter leaves out some places. Such a page is noindex.
	Filtered bool
	Place    string // what a row is: Estado or Município
	Year     int    // year of the openings
	People   int    // year of the population estimate; 0: say nothing per inhabitant
	Order    rankingColumn
	Columns  []rankingColumn // the name first
	Rows     []placeRow
	Found    int64 // places that match the filters
	Total    int64 // places in the ranking

	Overview *overview  // nil: rows only
	Narrow   *narrowing // nil for states
}

// overview is what stands above the rows: map, chart and totals.
type overview struct {
	Whole  figures.Place
	Abroad bool   // Whole includes establishments abroad
	List   string // listing of Whole; "" for a region, which has none
	Map    *StateMap
	Dots   *dotMap
	Chart  *chart.Columns // by year
	Months *chart.Columns
}

// rankingColumn is a column heading that links to the ranking in its order.
type rankingColumn struct {
	measure
	URL    string
	Active bool
	Rising bool // its order is ascending
}

// describe fills in what follows from the address and the figures' years alone. path is that of the
// page.
func (p *rankingPage) describe(q *rankingQuery, all *figures.Places, path string) {
	p.Year, p.People = all.Year, all.PeopleYear
	p.Crumbs = page.Trail(p.Place + "s")
	p.Canonical = q.address(path)
	for _, m := range q.measures {
		column := rankingColumn{m, q.address(path, "ordem", m.Name), m.Name == q.by.Name, m.Name == byName}
		if column.Active {
			p.Order = column
		}
		p.Columns = append(p.Columns, column)
	}
	last := len(p.Columns) - 1
	p.Columns = slices.Concat(p.Columns[last:], p.Columns[:last])
	chips := []struct{ label, text, parameter string }{{"Estado", q.uf.Name, "uf"}, {"Nome", q.name, "q"}}
	titles := []string{p.Title, q.region}
	for _, chip := range chips {
		if chip.text != "" {
			p.Chips = append(p.Chips, page.Crumb{Text: chip.label + ": " + chip.text, URL: q.address(path, chip.parameter, "")})
			titles = append(titles, chip.text)
		}
	}
	if q.by.Name != "" {
		titles = append(titles, strings.ToLower(q.by.Text))
	}
	p.Title = ptbr.Join(" · ", titles...)
	p.Filtered = len(p.Chips) > 0 || q.region != ""
	p.NoIndex = p.Filtered
}
