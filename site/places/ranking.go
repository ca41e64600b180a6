package places

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"

	"razao/internal/ptbr"
	"razao/internal/slug"
	"razao/internal/snapshot"
	"razao/internal/territory"
	"razao/site/page"
)

// placeRow is a place with its position in an order, from 1, and the address of its listing.
type placeRow struct {
	*snapshot.Place
	Position int64
	URL      string
}

func rowsOf(ordered []*snapshot.Place) []placeRow {
	rows := make([]placeRow, 0, len(ordered))
	for i, p := range ordered {
		rows = append(rows, placeRow{p, int64(i + 1), pathOf(p)})
	}
	return rows
}

// pathOf is where the companies of a state or municipality are listed.
func pathOf(p *snapshot.Place) string {
	if p.Municipality.RFB == "" {
		return page.StatePath(p.UF)
	}
	return page.MunicipalityPath(p.Municipality)
}

// StateMap returns the map of the states for the first page of the site.
func (rm *Room) StateMap(snap *snapshot.Snapshot) (*StateMap, error) {
	all, err := snap.Places()
	if err != nil {
		return nil, fmt.Errorf("map: %w", err)
	}
	return rm.stateMap(all, all.States, measure{}), nil
}

// stateMap shows what goes with an order of states.
func (rm *Room) stateMap(all *snapshot.Places, states []snapshot.Place, by measure) *StateMap {
	shown := onMaps(measuresOf(all), by)
	drawn := newStateMap(rm.outlines, states, shown.label+", por estado", shown)
	if shown.Name == perThousand {
		drawn.People = all.PeopleYear
	}
	return drawn
}

// Paths returns the listings of the states and municipalities that have an active company.
func Paths(snap *snapshot.Snapshot) ([]string, error) {
	var paths []string
	all, err := snap.Places()
	if err != nil {
		return nil, fmt.Errorf("listings of places: %w", err)
	}
	for _, places := range [][]snapshot.Place{all.States, all.Municipalities} {
		for i := range places {
			if places[i].ActiveCompanies > 0 {
				paths = append(paths, pathOf(&places[i]))
			}
		}
	}
	return paths, nil
}

// orderKey is under what a snapshot keeps its municipalities in the order of a measure.
type orderKey struct{ name string }

// ordered returns all municipalities in the order of a measure, sorted once for each snapshot.
func ordered(snap *snapshot.Snapshot, by measure) ([]*snapshot.Place, error) {
	return snapshot.Once(snap, orderKey{by.Name}, func() ([]*snapshot.Place, error) {
		all, err := snap.Places()
		if err != nil {
			return nil, fmt.Errorf("ranking: %w", err)
		}
		return snapshot.Ranked(all.Municipalities, by.compare), nil
	})
}

// asked is what the address of a ranking asks for.
type asked struct {
	measures []measure
	by       measure
	uf       territory.UF // the zero value for all states
	region   string       // "" for all regions
	name     string       // what was typed to be found in names; "" for all
	slug     string       // of it
}

// maxName bounds what is looked for in names, in characters.
const maxName = 60

// readOrder reads by what a ranking is ordered. The error is one of the address.
func readOrder(c *gin.Context, all *snapshot.Places) (*asked, error) {
	a := &asked{measures: measuresOf(all)}
	given := c.Query("ordem")
	var ok bool
	if a.by, ok = measureNamed(a.measures, given); !ok {
		var names []string
		for _, m := range a.measures[1:] {
			names = append(names, m.Name)
		}
		return nil, page.UnknownValue("ordem", given, "Deve ser "+ptbr.Alternatives(names)+".")
	}
	return a, nil
}

// readUF reads the state to whose municipalities a ranking is narrowed. The error is one of the address.
func (a *asked) readUF(c *gin.Context, atlas *territory.Atlas) error {
	given := c.Query("uf")
	uf, ok := atlas.UF(given)
	if given != "" && (!ok || uf.Code == territory.Abroad) {
		return unknown("uf", "O filtro “Estado”", given, "Deve ser a sigla de um estado, como SP.")
	}
	a.uf = uf
	return nil
}

// readName reads what is looked for in names. The error is one of the address.
func (a *asked) readName(c *gin.Context) error {
	a.name = strings.Join(strings.Fields(c.Query("q")), " ")
	a.slug = slug.Make(a.name)
	switch {
	case len([]rune(a.name)) > maxName:
		return unknown("q", "O nome procurado", c.Query("q"), fmt.Sprintf("Deve ter no máximo %d caracteres.", maxName))
	case a.name != "" && a.slug == "":
		return unknown("q", "O nome procurado", c.Query("q"), "Deve ter alguma letra.")
	}
	return nil
}

// readRegion reads the region to whose states a ranking is narrowed. The error is one of the address.
func (a *asked) readRegion(c *gin.Context, atlas *territory.Atlas) error {
	given := c.Query("regiao")
	if given == "" {
		return nil
	}
	var slugs []string
	for _, region := range atlas.Regions() {
		if slugs = append(slugs, slug.Make(region)); strings.EqualFold(slug.Make(region), given) {
			a.region = region
			return nil
		}
	}
	return unknown("regiao", "O filtro “Região”", given, "Deve ser "+ptbr.Alternatives(slugs)+".")
}

// unknown is page.UnknownValue with what visitors call the parameter.
func unknown(name, what, given, must string) error {
	invalid := page.UnknownValue(name, given, must)
	invalid.What = what
	return invalid
}

// holds says whether a municipality is one of those that are asked for: a word of its name begins with what was typed, behind
// which its state may stand, "campinas sp".
func (a *asked) holds(p *snapshot.Place) bool {
	if a.uf.Code != "" && p.UF != a.uf.Code {
		return false
	}
	if strings.HasPrefix(p.Slug, a.slug) || strings.Contains(p.Slug, "-"+a.slug) {
		return true
	}
	name, ok := strings.CutSuffix(a.slug, "-"+strings.ToLower(p.UF))
	return ok && (p.Slug == name || strings.HasSuffix(p.Slug, "-"+name))
}

// rows returns the places of an order that are asked for, each with its position among all.
func (a *asked) rows(ordered []*snapshot.Place) []placeRow {
	var rows []placeRow
	for i, p := range ordered {
		if a.holds(p) {
			rows = append(rows, placeRow{Place: p, Position: int64(i + 1)})
		}
	}
	return rows
}

// address returns path with what is asked for, changed by pairs of names and values.
func (a *asked) address(path string, changes ...string) string {
	v := url.Values{}
	pairs := append([]string{"uf", a.uf.Code, "regiao", slug.Make(a.region), "q", a.name, "ordem", a.by.Name}, changes...)
	for i := 0; i < len(pairs); i += 2 {
		if v.Set(pairs[i], pairs[i+1]); pairs[i+1] == "" {
			v.Del(pairs[i])
		}
	}
	return page.WithParameters(path, v)
}

// rankingPage is /estados or /municipios.
type rankingPage struct {
	page.Frame
	Crumbs  []page.Crumb
	Heading string
	Chips   []page.Crumb // filters, and the addresses without them
	Regions []regionLink // to choose from; nil of municipalities
	// Filtered says that not all places are asked for.
	Filtered bool
	Place    string // what one row is: Estado
	Year     int    // of the openings
	People   int    // year of the population; 0: nothing is said per inhabitant
	Order    rankingColumn
	Columns  []rankingColumn // that of the name first
	Rows     []placeRow
	Found    int64 // places that are asked for
	Total    int64 // places in the ranking

	Overview *overview  // nil: there are only rows
	Narrow   *narrowing // nil: of states
}

// overview is what is said of all places of a ranking together.
type overview struct {
	Whole  snapshot.Place
	Abroad bool   // Whole has places abroad, too
	List   string // address of the companies of Whole; "" of regions
	Map    *StateMap
	Dots   *dotMap
	Chart  *yearChart
}

func (*rankingPage) Template() string { return "ranking" }

// rankingColumn leads to the ranking in the order of a column.
type rankingColumn struct {
	measure
	URL    string
	Active bool
	Rising bool // when active
}

// describe fills what follows from the address and the figures alone. path is that of the page.
func (p *rankingPage) describe(a *asked, all *snapshot.Places, path string) {
	p.Year, p.People = all.Year, all.PeopleYear
	p.Crumbs = page.Trail(p.Place + "s")
	p.Canonical = a.address(path)
	for _, m := range a.measures {
		column := rankingColumn{m, a.address(path, "ordem", m.Name), m.Name == a.by.Name, m.Name == byName}
		if column.Active {
			p.Order = column
		}
		p.Columns = append(p.Columns, column)
	}
	last := len(p.Columns) - 1
	p.Columns = slices.Concat(p.Columns[last:], p.Columns[:last])
	chips := []struct{ label, text, parameter string }{{"Estado", a.uf.Name, "uf"}, {"Nome", a.name, "q"}}
	titles := []string{p.Title, a.region}
	for _, chip := range chips {
		if chip.text != "" {
			p.Chips = append(p.Chips, page.Crumb{Text: chip.label + ": " + chip.text, URL: a.address(path, chip.parameter, "")})
			titles = append(titles, chip.text)
		}
	}
	if a.by.Name != "" {
		titles = append(titles, strings.ToLower(a.by.Text))
	}
	p.Title = ptbr.Join(" · ", titles...)
	p.Filtered = len(p.Chips) > 0 || a.region != ""
	p.NoIndex = p.Filtered
}
