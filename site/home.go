package site

import (
	"context"
	"time"

	"github.com/gin-gonic/gin"

	"razao/internal/ptbr"
	"razao/internal/registry"
	"razao/internal/snapshot"
	"razao/internal/source"
	"razao/internal/web"
	"razao/site/page"
	"razao/site/places"
)

// homePage is the first page: the search box and what is behind it.
type homePage struct {
	page.Frame
	Counts   registry.Counts
	Map      *places.StateMap // nil: the figures behind it could not be had
	Examples []string         // texts that find something
	Sources  []sourceState
}

func (*homePage) Template() string { return "home" }

// sourceState is the load of the cadastre or of a source of public records.
type sourceState struct {
	Title    string
	Period   string     // "" when there is no load, or none that can be read
	LoadedAt *time.Time // nil when that is not known
	Records  int64
	Stale    bool
	Failed   bool
}

// sourceStates returns the cadastre, whose records are its establishments, and the sources in their order.
func (s *Site) sourceStates(ctx context.Context, snap *snapshot.Snapshot) []sourceState {
	all := []sourceState{{
		Title: "CNPJ, da Receita Federal", Period: ptbr.Period(snap.Load.Period), LoadedAt: snap.Load.FinishedAt, Records: snap.Load.Counts.Establishments,
	}}
	for _, src := range source.All() {
		state := sourceState{Title: src.Title}
		load, ok, err := snap.SourceLoad(ctx, src.ID)
		switch {
		case err != nil: // the page is whole without it
			web.EventOf(ctx).Fail(err)
			state.Failed = true
		case ok:
			stale := src.Stale(load.Period, s.now())
			state.Period, state.LoadedAt = ptbr.Period(load.Period), load.FinishedAt
			state.Records, state.Stale = load.Counts.Records, stale != nil && *stale
		}
		all = append(all, state)
	}
	return all
}

// home answers /.
func (s *Site) home(c *gin.Context, snap *snapshot.Snapshot) (page.Reply, error) {
	ctx := c.Request.Context()
	p := &homePage{
		Counts: snap.Load.Counts, Sources: s.sourceStates(ctx, snap),
	}
	p.Title = "O cadastro aberto das empresas brasileiras"
	p.Description = "Consulta gratuita às empresas brasileiras por nome, CNPJ ou sócio, nos dados abertos da Receita Federal, competência " +
		ptbr.Month(snap.Load.Period) + "."
	p.Canonical = "/"
	p.SearchInContent = true
	var err error // the page is whole without map and examples
	p.Map, err = s.places.StateMap(snap)
	web.EventOf(ctx).Fail(err)
	p.Examples, err = s.find.Examples(ctx, snap)
	web.EventOf(ctx).Fail(err)
	return page.Reply{Page: p}, nil
}
