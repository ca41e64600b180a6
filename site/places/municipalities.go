package places

import (
	"fmt"
	"net/url"
	"strconv"

	"github.com/gin-gonic/gin"

	"razao/index/figures"
	"razao/internal/data/ptbr"
	"razao/internal/data/territory"
	"razao/internal/store/snapshot"
	"razao/internal/store/wording"
	"razao/site/page"
)

// municipalitiesShown is how many rows a page of /municipios has. The CSV has all.
const municipalitiesShown = 100

// narrowing holds the filters and links that only the ranking of municipalities has.
type narrowing struct {
	CSV        string         // address of the same rows as a file
	UFs        []territory.UF // offered as a filter
	UF, Name   string         // filters in force; "" for none
	Of         string         // de São Paulo; "" for the country
	Order      string         // name of the measure
	OtherNames string         // address without the filter by name
	OtherUFs   string         // address without the filter by state
	Pager      page.Pager
}

// municipalities answers /municipios. Map and chart stand only above the first page and without a
// filter by name.
func (hs *Handlers) municipalities(c *gin.Context, snap *snapshot.Snapshot) (page.Reply, error) {
	all, q, found, err := hs.narrowed(c, snap)
	if err != nil {
		return page.Reply{}, err
	}
	number, err := page.PageNumber(c, "pagina")
	if err != nil {
		return page.Reply{}, err
	}
	p := &rankingPage{Heading: "Empresas por município", Place: "Município", Found: int64(len(found)), Total: int64(len(all.Municipalities))}
	p.Title = "Municípios: empresas ativas, aberturas e capital"
	p.Description = "Todos os municípios do país por empresas ativas, aberturas, baixas e capital social, com filtro por estado, busca por nome e " +
		"comparação, competência " + ptbr.Month(snap.Load.Period) + "."
	const path = "/municipios"
	p.describe(q, all, path)
	address, err := url.Parse(q.address(path))
	if err != nil {
		return page.Reply{}, fmt.Errorf("address of the ranking: %w", err)
	}
	m := &narrowing{
		CSV: q.address("/municipios.csv"), UFs: hs.ufs, UF: q.uf.Code, Name: q.name, Order: q.by.Name,
		OtherNames: q.address(path, "q", ""), OtherUFs: q.address(path, "uf", ""),
		Pager: page.NewPager("Páginas do ranking", address, "pagina", "tabela", number, municipalitiesShown, p.Found),
	}
	m.Pager.Ends, p.Narrow = true, m
	if number > 1 {
		if m.Pager.Beyond {
			return page.Reply{}, &page.NoSuchPage{Number: number, First: m.Pager.First}
		}
		p.Title += " · página " + ptbr.Count(number)
		p.Canonical = q.address(path, "pagina", strconv.Itoa(number))
	}
	for _, row := range found[min(int(m.Pager.From)-1, len(found)):m.Pager.To] {
		row.URL = pathOf(row.Place)
		p.Rows = append(p.Rows, row)
	}
	if len(found) > 0 {
		q.by.share(p.Rows, found[0].Place)
	}
	if q.uf.Code != "" {
		m.Of = wording.OfState(q.uf)
	}
	if q.name == "" && number == 1 {
		p.Overview, err = hs.overview(snap, all, q)
	}
	return page.Reply{Page: p}, err
}

// narrowed parses the address of the ranking and returns the matching rows in order.
func (hs *Handlers) narrowed(c *gin.Context, snap *snapshot.Snapshot) (*figures.Places, *rankingQuery, []placeRow, error) {
	all, err := snap.Places()
	if err != nil {
		return nil, nil, nil, fmt.Errorf("ranking: %w", err)
	}
	q, err := readOrder(c, all)
	if err == nil {
		err = q.readUF(c, hs.atlas)
	}
	if err == nil {
		err = q.readName(c, hs.towns)
	}
	if err != nil {
		return nil, nil, nil, err
	}
	places, err := ordered(snap, q.by)
	return all, q, q.rows(places), err
}

// dotsKey is the snapshot.Once key of the national dot map of a measure.
type dotsKey struct{ name string }

// overview returns map, chart and totals of the country or of the state filtered by.
func (hs *Handlers) overview(snap *snapshot.Snapshot, all *figures.Places, q *rankingQuery) (*overview, error) {
	shown := mapMeasure(q.measures, q.by)
	places, err := ordered(snap, shown)
	if err != nil {
		return nil, err
	}
	o := &overview{Whole: all.Country, Abroad: true, List: "/empresas"}
	if q.uf.Code == "" {
		o.Dots, err = snapshot.Once(snap, dotsKey{shown.Name}, func() (*dotMap, error) { return newDotMap(hs.outlines, places, shown), nil })
	} else {
		o.Abroad, o.List = false, page.StatePath(q.uf.Code)
		o.Dots = newStateDots(hs.outlines[q.uf.Code], wording.OfState(q.uf), within(places, q.uf.Code), shown)
		o.Whole = all.Of(q.uf.Code, "")
	}
	o.chart(snap.Load.Period, all)
	return o, err
}

// chart draws the openings and closings of the whole.
func (o *overview) chart(month string, all *figures.Places) {
	o.Chart = newYearChart(&o.Whole.Sums, month, all.Lately != 0)
	o.Months = newMonthChart(&o.Whole.Sums, month)
}

// within returns the municipalities of a state, in the same order.
func within(ordered []*figures.Place, uf string) []*figures.Place {
	var places []*figures.Place
	for _, p := range ordered {
		if p.UF == uf {
			places = append(places, p)
		}
	}
	return places
}
