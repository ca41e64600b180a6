package site

import (
	"cmp"
	"net/http"
	"slices"

	"github.com/gin-gonic/gin"

	"razao/internal/slug"
	"razao/internal/snapshot"
	"razao/internal/territory"
)

// state answers /uf/{uf}.
func (s *Site) state(c *gin.Context, snap *snapshot.Snapshot) (reply, error) {
	uf, ok := s.atlas.UF(c.Param("uf"))
	if !ok {
		return reply{}, errUnknownPath
	}
	if moved, ok := movedTo(c, statePath(uf.Code)); ok {
		return moved, nil
	}
	p := &listingPage{Place: uf.Name, Heading: "Empresas · " + uf.Name}
	p.Crumbs = []crumb{{"Início", "/"}, {"Estados", "/estados"}, {uf.Name, ""}}
	return s.list(c, snap, place{UF: uf.Code}, p)
}

// city answers /uf/{uf}/{cidade}.
func (s *Site) city(c *gin.Context, snap *snapshot.Snapshot) (reply, error) {
	m, ok := s.atlas.BySlug(c.Param("uf"), slug.Make(c.Param("cidade")))
	if !ok {
		return reply{}, errUnknownPath
	}
	if moved, ok := movedTo(c, placePath(m)); ok {
		return moved, nil
	}
	state, _ := s.atlas.UF(m.UF)
	p := &listingPage{Place: m.Name + "/" + m.UF, Heading: "Empresas · " + m.Name + "/" + m.UF}
	p.Crumbs = []crumb{{"Início", "/"}, {"Estados", "/estados"}, {state.Name, statePath(m.UF)}, {m.Name, ""}}
	return s.list(c, snap, place{m.UF, m.RFB}, p)
}

// movedTo returns the redirection to the address that a page has, when the request has another one for it.
func movedTo(c *gin.Context, path string) (reply, bool) {
	if c.Request.URL.Path == path {
		return reply{}, false
	}
	if c.Request.URL.RawQuery != "" {
		path += "?" + c.Request.URL.RawQuery
	}
	return reply{status: http.StatusMovedPermanently, location: path}, true
}

// placesShown is how many municipalities of a state are in sight; the rest unfolds.
const placesShown = 24

// placesOf returns the municipalities of a state, those with most active companies first.
func placesOf(all *ranking, uf string) (first, rest []placeRow) {
	var rows []placeRow
	for _, row := range all.Municipalities {
		if row.UF == uf {
			rows = append(rows, row)
		}
	}
	slices.SortStableFunc(rows, func(a, b placeRow) int {
		return cmp.Or(cmp.Compare(b.Companies, a.Companies), cmp.Compare(a.slug, b.slug))
	})
	shown := min(placesShown, len(rows))
	return rows[:shown], rows[shown:]
}

// where returns the state and the municipality of an address as steps on the way to it, with links to their listings.
func (s *Site) where(uf, municipio string) []crumb {
	var steps []crumb
	if state, ok := s.atlas.UF(uf); ok {
		steps = append(steps, crumb{state.Name, statePath(state.Code)})
	}
	if m, ok := s.atlas.ByRFB(municipio); ok && m.UF == uf && m.UF != territory.Abroad {
		steps = append(steps, crumb{m.Name, municipalityPath(m)})
	}
	return steps
}
