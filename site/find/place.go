package find

import (
	"strings"

	"github.com/gin-gonic/gin"

	"razao/internal/data/ptbr"
	"razao/internal/store/snapshot"
	"razao/internal/store/wording"
	"razao/site/page"
	"razao/site/places"
)

// state answers /uf/{uf}.
func (hs *Handlers) state(c *gin.Context, snap *snapshot.Snapshot) (page.Reply, error) {
	uf, ok := hs.atlas.UF(c.Param("uf"))
	if !ok {
		return page.Reply{}, page.ErrUnknownPath
	}
	if moved, ok := page.Moved(c, page.StatePath(uf.Code)); ok {
		return moved, nil
	}
	p := &listingPage{Of: wording.OfState(uf), Heading: "Empresas " + wording.OfState(uf)}
	p.Crumbs = page.Trail("Estados", "/estados", uf.Name)
	return hs.list(c, snap, places.Place{UF: uf.Code}, p)
}

// city answers /uf/{uf}/{cidade}.
func (hs *Handlers) city(c *gin.Context, snap *snapshot.Snapshot) (page.Reply, error) {
	m, ok := hs.atlas.BySlug(c.Param("uf"), ptbr.Slug(c.Param("cidade")))
	if !ok { // a former name leads to today's
		m, _, ok = hs.filters.Municipality(c.Param("cidade"), c.Param("uf"))
	}
	if !ok || !strings.EqualFold(m.UF, c.Param("uf")) {
		return page.Reply{}, page.ErrUnknownPath
	}
	if moved, ok := page.Moved(c, page.MunicipalityPath(m)); ok {
		return moved, nil
	}
	state, _ := hs.atlas.UF(m.UF)
	p := &listingPage{Of: wording.OfCity(m), Heading: "Empresas " + wording.InCity(m)}
	p.Crumbs = page.Trail("Estados", "/estados", state.Name, page.StatePath(m.UF), m.Name)
	return hs.list(c, snap, places.Place{UF: m.UF, Municipio: m.RFB}, p)
}
