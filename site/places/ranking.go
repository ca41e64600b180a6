package places

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"razao/internal/ptbr"
	"razao/internal/snapshot"
	"razao/site/page"
)

// municipalitiesShown is how many rows /municipios has; the complete ranking is its CSV.
const municipalitiesShown = 100

// ranking is what is drawn and ordered from the figures of all places, once for each snapshot. It is never changed.
type ranking struct {
	*snapshot.Places
	shades map[string]*StateMap // by the name of the order
	chart  *yearChart
	dots   *dotMap
	first  map[string][]placeRow // of the municipalities, by the name of the order
}

// placeRow is a place with the address of its listing.
type placeRow struct {
	snapshot.Place
	URL string
}

func rowsOf(places []snapshot.Place) []placeRow {
	rows := make([]placeRow, 0, len(places))
	for i := range places {
		rows = append(rows, placeRow{places[i], pathOf(&places[i])})
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

// rankingKey is under what a snapshot keeps its ranking.
type rankingKey struct{}

func (rm *Room) ranking(snap *snapshot.Snapshot) (*ranking, error) {
	return snapshot.Once(snap, rankingKey{}, func() (*ranking, error) { return newRanking(rm.outlines, snap) })
}

func newRanking(shapes outlines, snap *snapshot.Snapshot) (*ranking, error) {
	all, err := snap.Places()
	if err != nil {
		return nil, fmt.Errorf("ranking: %w", err)
	}
	r := &ranking{
		Places: all, shades: map[string]*StateMap{}, first: map[string][]placeRow{}, dots: newDotMap(shapes, all.Municipalities),
		chart: newYearChart(&all.Country.Sums, snap.Load.Period, all.Lately != 0),
	}
	for _, o := range rankingOrders(all) {
		if m, ok := measures[o.Name]; ok {
			r.shades[o.Name] = newStateMap(shapes, all.States, m)
		}
		r.first[o.Name] = rowsOf(snapshot.Ranked(all.Municipalities, o.compare)[:municipalitiesShown])
	}
	if usual := r.shades[perThousand]; usual != nil {
		usual.People = all.PeopleYear
	}
	return r, nil
}

// stateMap returns the map that goes with an order.
func (r *ranking) stateMap(order string) *StateMap {
	return cmp.Or(r.shades[order], r.shades[perThousand], r.shades[""])
}

// StateMap returns the map of the states for the first page of the site.
func (rm *Room) StateMap(snap *snapshot.Snapshot) (*StateMap, error) {
	all, err := rm.ranking(snap)
	if err != nil {
		return nil, err
	}
	return all.stateMap(perThousand), nil
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

// rankingOrder is a column of a ranking by which it can be ordered.
type rankingOrder struct {
	Name    string // value of the parameter "ordem", "" for the first
	Text    string // heading of the column
	Above   string // says the order over the table
	compare func(a, b *snapshot.Place) int
}

// rankingOrders begins with the one that an address without "ordem" asks for. That per inhabitant is missing where nothing is
// said of them.
func rankingOrders(all *snapshot.Places) []rankingOrder {
	opened := strconv.Itoa(all.Year)
	orders := []rankingOrder{
		{"", "Empresas ativas", "por empresas ativas", byCompanies},
		{perThousand, "Por mil habitantes", "por empresas ativas por mil habitantes", func(a, b *snapshot.Place) int { return cmp.Compare(b.PerThousand(), a.PerThousand()) }},
		{"aberturas", "Aberturas em " + opened, "por estabelecimentos abertos em " + opened, func(a, b *snapshot.Place) int { return cmp.Compare(b.OpenedInYear, a.OpenedInYear) }},
		{"baixas", "Baixadas", "por estabelecimentos baixados", func(a, b *snapshot.Place) int { return cmp.Compare(b.ClosedEstablishments, a.ClosedEstablishments) }},
		{"capital", "Capital social", "pela soma do capital social das empresas ativas", func(a, b *snapshot.Place) int { return b.Capital.Cmp(a.Capital) }},
		{"nome", "Nome", "por nome", func(a, b *snapshot.Place) int { return cmp.Compare(a.Slug, b.Slug) }},
	}
	if all.PeopleYear == 0 {
		orders = slices.DeleteFunc(orders, func(o rankingOrder) bool { return o.Name == perThousand })
	}
	return orders
}

func byCompanies(a, b *snapshot.Place) int { return cmp.Compare(b.ActiveCompanies, a.ActiveCompanies) }

// rankingPage is /estados or /municipios.
type rankingPage struct {
	page.Frame
	Crumbs  []page.Crumb
	Heading string
	Place   string // what one row is: Estado
	Year    int    // of the openings
	People  int    // year of the population; 0: nothing is said per inhabitant
	Order   rankingColumn
	Columns []rankingColumn // that of the name first
	Rows    []placeRow
	Country *snapshot.Place
	Total   int64  // places in the ranking
	CSV     string // address of the complete ranking; "" when the page has it all
	Map     *StateMap
	Dots    *dotMap
	Chart   *yearChart // of the country
}

func (*rankingPage) Template() string { return "ranking" }

// rankingColumn leads to the ranking in the order of a column.
type rankingColumn struct {
	rankingOrder
	URL    string
	Active bool
	Rising bool // when active
}

// states answers /estados.
func (rm *Room) states(c *gin.Context, snap *snapshot.Snapshot) (page.Reply, error) {
	all, err := rm.ranking(snap)
	if err != nil {
		return page.Reply{}, err
	}
	p := &rankingPage{Heading: "Empresas por estado", Place: "Estado", Chart: all.chart, Total: int64(len(all.States)), Map: all.stateMap(c.Query("ordem"))}
	p.Title = "Estados: empresas ativas, aberturas e capital"
	p.Description = "Empresas ativas, aberturas, baixas e capital social dos 26 estados e do Distrito Federal, nos dados abertos da Receita Federal, competência " +
		ptbr.Month(snap.Load.Period) + "."
	return p.fill(c, "/estados", all, func(o rankingOrder) []placeRow { return rowsOf(snapshot.Ranked(all.States, o.compare)) })
}

// municipalities answers /municipios.
func (rm *Room) municipalities(c *gin.Context, snap *snapshot.Snapshot) (page.Reply, error) {
	all, err := rm.ranking(snap)
	if err != nil {
		return page.Reply{}, err
	}
	p := &rankingPage{
		Heading: "Empresas por município", Place: "Município", CSV: "/municipios.csv", Dots: all.dots, Chart: all.chart, Total: int64(len(all.Municipalities)),
	}
	p.Title = "Municípios: empresas ativas, aberturas e capital"
	p.Description = "Os 100 primeiros municípios do país em empresas ativas, aberturas, baixas e capital social, com o ranking completo em CSV, competência " +
		ptbr.Month(snap.Load.Period) + "."
	return p.fill(c, "/municipios", all, func(o rankingOrder) []placeRow { return all.first[o.Name] })
}

// fill shows the rows in the order that the address says.
func (p *rankingPage) fill(c *gin.Context, path string, all *ranking, rows func(rankingOrder) []placeRow) (page.Reply, error) {
	orders := rankingOrders(all.Places)
	given := c.Query("ordem")
	chosen := slices.IndexFunc(orders, func(o rankingOrder) bool { return o.Name == given })
	if chosen < 0 {
		var names []string
		for _, o := range orders[1:] {
			names = append(names, o.Name)
		}
		return page.Reply{}, page.UnknownValue("ordem", given, "Deve ser "+ptbr.Alternatives(names)+".")
	}
	p.Year, p.People, p.Country = all.Year, all.PeopleYear, &all.Country
	p.Crumbs = page.Trail(p.Place + "s")
	p.Canonical = rankingAddress(path, orders[chosen].Name)
	for i, o := range orders {
		column := rankingColumn{o, rankingAddress(path, o.Name), i == chosen, o.Name == "nome"}
		if column.Active {
			p.Order = column
		}
		p.Columns = append(p.Columns, column)
	}
	last := len(p.Columns) - 1
	p.Columns = append(p.Columns[last:], p.Columns[:last]...)
	p.Rows = rows(orders[chosen])
	if chosen > 0 {
		p.Title = ptbr.Join(" · ", p.Title, strings.ToLower(orders[chosen].Text))
	}
	return page.Reply{Page: p}, nil
}

func rankingAddress(path, order string) string {
	if order == "" {
		return path
	}
	return path + "?ordem=" + order
}
