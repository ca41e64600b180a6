package site

import (
	"github.com/gin-gonic/gin"

	"razao/internal/data/ptbr"
	"razao/internal/store/registry"
	"razao/internal/store/snapshot"
	"razao/internal/web"
	"razao/site/page"
	"razao/site/places"
	"razao/site/reference"
)

// homePage is the home page: search box, counts, map of the states and state of the sources.
type homePage struct {
	page.Frame
	Counts   registry.Counts
	Map      *places.StateMap // nil: its figures could not be read
	Examples []string         // queries that have results in this snapshot
	Sources  []reference.SourceState
}

// home answers /.
func (s *Site) home(c *gin.Context, snap *snapshot.Snapshot) (page.Reply, error) {
	ctx := c.Request.Context()
	p := &homePage{
		Counts: snap.Load.Counts, Sources: s.lookup.States(ctx, snap),
	}
	p.Title = "O cadastro aberto das empresas brasileiras"
	p.Description = "Consulta gratuita às empresas brasileiras por nome, CNPJ ou sócio, nos dados abertos da Receita Federal, competência " +
		ptbr.Month(snap.Load.Period) + "."
	p.Canonical = "/"
	p.SearchInContent = true
	var err error // map and examples are optional: an error is logged and keeps the page out of caches
	p.Map, err = s.places.StateMap(snap)
	web.EventOf(ctx).Fail(err)
	p.Examples, err = s.find.Examples(ctx, snap)
	web.EventOf(ctx).Fail(err)
	return page.Reply{Page: p}, nil
}
