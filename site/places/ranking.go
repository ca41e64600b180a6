package places

import (
	"cmp"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"razao/index"
	"razao/internal/ptbr"
	"razao/internal/slug"
	"razao/internal/snapshot"
	"razao/internal/territory"
	"razao/site/page"
	"razao/site/wording"
)

// municipalitiesShown is how many rows /municipios has; the complete ranking is its CSV.
const municipalitiesShown = 100

// placeRow is one place of a ranking.
type placeRow struct {
	Name           string
	UF             string // two letters
	URL            string
	Companies      int64    // active
	Establishments int64    // active
	Openings       int64    // establishments opened in ranking.Year
	Closed         int64    // establishments
	Capital        *big.Int // cents, of the active companies
	Population     int      // 0: no estimate

	municipality territory.Municipality // of a state, the zero value
	slug         string                 // of the name, by which names are ordered
}

// PerThousand is the number of active companies per 1,000 inhabitants, 0 without an estimate of the population.
func (r *placeRow) PerThousand() float64 {
	if r.Population == 0 {
		return 0
	}
	return float64(r.Companies) * 1000 / float64(r.Population)
}

// ranking holds the figures of all places. It is never changed.
type ranking struct {
	Year           int // of the openings: the last one that is complete
	Country        placeRow
	States         []placeRow
	Municipalities []placeRow

	shades map[string]*StateMap // by the name of the order
	chart  *yearChart
	dots   *dotMap
	first  map[string][]placeRow // of the municipalities, by the name of the order
	table  []byte                // all of them: the body of /municipios.csv
}

func newRanking(atlas *territory.Atlas, shapes outlines, snap *snapshot.Snapshot) (*ranking, error) {
	r := &ranking{Year: lastWholeYear(snap.Load.Period), first: map[string][]placeRow{}, shades: map[string]*StateMap{}}
	figures := snap.Index.Rankings()
	country := figures.Country()
	r.Country = r.row(&country)
	people := map[string]int{}
	for _, m := range atlas.Municipalities() {
		if m.UF == territory.Abroad {
			continue
		}
		f, _ := figures.Municipality(m.RFB)
		row := r.row(&f)
		row.Name, row.UF, row.URL, row.Population, row.municipality = m.Name, m.UF, page.MunicipalityPath(m), m.Population, m
		row.slug = m.Slug
		r.Municipalities = append(r.Municipalities, row)
		people[m.UF] += m.Population
	}
	for _, uf := range atlas.UFs() {
		if uf.Code == territory.Abroad {
			continue
		}
		f, _ := figures.UF(uf.Code)
		row := r.row(&f)
		row.Name, row.UF, row.URL, row.Population = uf.Name, uf.Code, page.StatePath(uf.Code), people[uf.Code]
		row.slug = slug.Make(uf.Name)
		r.States = append(r.States, row)
	}
	since, _ := figures.Lately()
	r.chart, r.dots = newYearChart(&country, snap.Load.Period, since > 0), newDotMap(shapes, r.Municipalities)
	for name, m := range measures {
		r.shades[name] = newStateMap(shapes, r.States, m)
	}
	for _, o := range rankingOrders(r.Year) {
		rows := ranked(r.Municipalities, o)
		r.first[o.Name] = rows[:municipalitiesShown:municipalitiesShown]
		if o.Name == "" {
			var err error
			if r.table, err = municipalityTable(r.Year, snap.Load.Period, rows); err != nil {
				return nil, err
			}
		}
	}
	return r, nil
}

// StateMap returns the map of the states for the first page of the site.
func (rm *Room) StateMap(snap *snapshot.Snapshot) (*StateMap, error) {
	all, err := rm.ranking(snap)
	if err != nil {
		return nil, err
	}
	return all.shades[perThousand], nil
}

// Paths returns the listings of the states and municipalities that have an active company.
func (rm *Room) Paths(snap *snapshot.Snapshot) ([]string, error) {
	all, err := rm.ranking(snap)
	if err != nil {
		return nil, err
	}
	var paths []string
	for _, places := range [][]placeRow{all.States, all.Municipalities} {
		for i := range places {
			if places[i].Companies > 0 {
				paths = append(paths, places[i].URL)
			}
		}
	}
	return paths, nil
}

// lastWholeYear returns the last year that ends by a month (AAAA-MM).
func lastWholeYear(month string) int {
	t, err := time.Parse("2006-01", month)
	if err != nil {
		return 0
	}
	return t.AddDate(0, 1, 0).Year() - 1
}

func (r *ranking) row(f *index.PlaceFigures) placeRow {
	row := placeRow{Companies: f.ActiveCompanies, Capital: f.Capital}
	if row.Capital == nil { // no establishment at all
		row.Capital = new(big.Int)
	}
	for _, o := range f.Openings {
		switch o.Situacao {
		case wording.SituacaoAtiva:
			row.Establishments += o.Count
		case wording.SituacaoBaixada:
			row.Closed += o.Count
		}
		if o.Year == r.Year {
			row.Openings += o.Count
		}
	}
	return row
}

// rankingOrder is a column of a ranking by which it can be ordered.
type rankingOrder struct {
	Name    string // value of the parameter "ordem", "" for the first
	Text    string // heading of the column
	Above   string // says the order over the table
	compare func(a, b *placeRow) int
}

// rankingOrders begins with the one that an address without "ordem" asks for.
func rankingOrders(year int) []rankingOrder {
	opened := strconv.Itoa(year)
	return []rankingOrder{
		{"", "Empresas ativas", "por empresas ativas", func(a, b *placeRow) int { return cmp.Compare(b.Companies, a.Companies) }},
		{perThousand, "Por mil habitantes", "por empresas ativas por mil habitantes", func(a, b *placeRow) int { return cmp.Compare(b.PerThousand(), a.PerThousand()) }},
		{"aberturas", "Aberturas em " + opened, "por estabelecimentos abertos em " + opened, func(a, b *placeRow) int { return cmp.Compare(b.Openings, a.Openings) }},
		{"baixas", "Baixadas", "por estabelecimentos baixados", func(a, b *placeRow) int { return cmp.Compare(b.Closed, a.Closed) }},
		{"capital", "Capital social", "pela soma do capital social das empresas ativas", func(a, b *placeRow) int { return b.Capital.Cmp(a.Capital) }},
		{"nome", "Nome", "por nome", func(a, b *placeRow) int { return cmp.Compare(a.slug, b.slug) }},
	}
}

// rankingPage is /estados or /municipios.
type rankingPage struct {
	page.Frame
	Crumbs  []page.Crumb
	Heading string
	Place   string // what one row is: Estado
	Year    int    // of the openings
	People  int    // year of the population
	Order   rankingColumn
	Columns []rankingColumn // that of the name first
	Rows    []placeRow
	Country placeRow
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
	p := &rankingPage{Heading: "Empresas por estado", Place: "Estado", Chart: all.chart, Total: int64(len(all.States))}
	if p.Map = all.shades[c.Query("ordem")]; p.Map == nil {
		p.Map = all.shades[perThousand]
	}
	p.Title = "Estados: empresas ativas, aberturas e capital"
	p.Description = "Empresas ativas, aberturas, baixas e capital social dos 26 estados e do Distrito Federal, nos dados abertos da Receita Federal, competência " +
		ptbr.Month(snap.Load.Period) + "."
	return p.fill(c, "/estados", all, func(o rankingOrder) []placeRow { return ranked(all.States, o) })
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
	orders := rankingOrders(all.Year)
	given := c.Query("ordem")
	chosen := slices.IndexFunc(orders, func(o rankingOrder) bool { return o.Name == given })
	if chosen < 0 {
		var names []string
		for _, o := range orders[1:] {
			names = append(names, o.Name)
		}
		return page.Reply{}, page.UnknownValue("ordem", given, "Deve ser "+ptbr.Alternatives(names)+".")
	}
	p.Year, p.People, p.Country = all.Year, territory.PopulationYear, all.Country
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

// ranked returns rows in an order; those that are equal in it by number of active companies, then in that of the table.
func ranked(rows []placeRow, o rankingOrder) []placeRow {
	rows = slices.Clone(rows)
	slices.SortStableFunc(rows, func(a, b placeRow) int {
		return cmp.Or(o.compare(&a, &b), cmp.Compare(b.Companies, a.Companies), cmp.Compare(a.slug, b.slug))
	})
	return rows
}
