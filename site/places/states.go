package places

import (
	"fmt"
	"slices"

	"github.com/gin-gonic/gin"

	"razao/index/figures"
	"razao/internal/data/ptbr"
	"razao/internal/store/snapshot"
	"razao/site/page"
)

// RegionPath returns the path of the ranking of a region's states.
func RegionPath(region string) string { return "/estados?regiao=" + ptbr.Slug(region) }

// regionLink narrows the ranking to one region.
type regionLink struct {
	Text, URL string
	Active    bool
}

// states answers /estados. With a region, the totals are those of its states together.
func (hs *Handlers) states(c *gin.Context, snap *snapshot.Snapshot) (page.Reply, error) {
	all, err := snap.Places()
	if err != nil {
		return page.Reply{}, fmt.Errorf("ranking: %w", err)
	}
	q, err := readOrder(c, all)
	if err != nil {
		return page.Reply{}, err
	}
	if err := q.readRegion(c, hs.atlas); err != nil {
		return page.Reply{}, err
	}
	p := &rankingPage{Heading: "Empresas por estado", Place: "Estado", Total: int64(len(all.States))}
	p.Title = "Estados: empresas ativas, aberturas e capital"
	p.Description = "Empresas ativas, aberturas, baixas e capital social dos 26 estados e do Distrito Federal, nos dados abertos da Receita Federal, competência " +
		ptbr.Month(snap.Load.Period) + "."
	p.describe(q, all, "/estados")
	p.Regions = []regionLink{{"todas", q.address("/estados", "regiao", ""), q.region == ""}}
	for _, region := range hs.atlas.Regions() {
		p.Regions = append(p.Regions, regionLink{region, q.address("/estados", "regiao", ptbr.Slug(region)), region == q.region})
	}
	p.Overview = &overview{Whole: all.Country, Abroad: true, List: "/empresas"}
	p.Rows = rowsOf(figures.Ranked(all.States, q.by.compare))
	states := all.States
	if q.region != "" {
		elsewhere := func(p *figures.Place) bool { uf, _ := hs.atlas.UF(p.UF); return uf.Region != q.region }
		p.Rows = slices.DeleteFunc(p.Rows, func(r placeRow) bool { return elsewhere(r.Place) })
		states = slices.DeleteFunc(slices.Clone(states), func(p figures.Place) bool { return elsewhere(&p) })
		p.Overview.Whole, p.Overview.Abroad = all.Together("Região "+q.region, states), false
		p.Overview.List = ""
	}
	p.Overview.Map = hs.stateMap(all, states, q.by)
	p.Found = int64(len(p.Rows))
	q.by.share(p.Rows, p.Rows[0].Place)
	p.Overview.chart(snap.Load.Period, all)
	return page.Reply{Page: p}, nil
}
