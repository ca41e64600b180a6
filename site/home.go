package site

import (
	"context"

	"github.com/gin-gonic/gin"

	"razao/index"
	"razao/internal/ptbr"
	"razao/internal/registry"
	"razao/internal/snapshot"
	"razao/internal/source"
	"razao/internal/territory"
	"razao/internal/web"
)

// homePage is the first page: the search box and what is behind it.
type homePage struct {
	frame
	Counts   registry.Counts
	Map      *stateMap
	People   int      // year of the population behind the map
	Examples []string // texts that find something
	Sources  []sourceState
}

func (*homePage) template() string { return "home" }

// sourceState is the load of a source of public records.
type sourceState struct {
	Title   string
	Period  string // "" when there is no load, or none that can be read
	Records int64
	Stale   bool
	Failed  bool
}

// sourceStates returns the fourteen sources in their order.
func (s *Site) sourceStates(ctx context.Context, snap *snapshot.Snapshot) []sourceState {
	var all []sourceState
	for _, src := range source.All() {
		state := sourceState{Title: src.Title}
		load, ok, err := snap.SourceLoad(ctx, src.ID)
		switch {
		case err != nil: // the page is whole without it
			web.EventOf(ctx).Fail(err)
			state.Failed = true
		case ok:
			stale := src.Stale(load.Period, s.now())
			state.Period, state.Records, state.Stale = ptbr.Period(load.Period), load.Counts.Records, stale != nil && *stale
		}
		all = append(all, state)
	}
	return all
}

// exampleWords are tried in turn until one finds a company in what is loaded.
var exampleWords = [...]string{"padaria", "farmácia", "transportes", "comércio", "serviços"}

// home answers /.
func (s *Site) home(c *gin.Context, snap *snapshot.Snapshot) (reply, error) {
	ctx := c.Request.Context()
	all, err := s.ranking(snap)
	if err != nil {
		return reply{}, err
	}
	p := &homePage{Counts: snap.Load.Counts, Map: all.shades[perThousand], People: territory.PopulationYear, Sources: s.sourceStates(ctx, snap)}
	p.Title = "O cadastro aberto das empresas brasileiras"
	p.Description = "Consulta gratuita às empresas brasileiras por nome, CNPJ ou sócio, nos dados abertos da Receita Federal, competência " +
		ptbr.Month(snap.Load.Period) + "."
	p.Canonical = "/"
	p.SearchInContent = true
	examples, err := s.examples(ctx, snap)
	if err != nil { // the page is whole without them
		web.EventOf(ctx).Fail(err)
	}
	p.Examples = examples
	return reply{page: p}, nil
}

// examples returns searches that find something: a word, the name of a company that has it, and that company's CNPJ.
func (s *Site) examples(ctx context.Context, snap *snapshot.Snapshot) ([]string, error) {
	for _, word := range exampleWords {
		found, err := snap.Index.Search(ctx, index.Query{Text: word, Limit: 1})
		if err != nil {
			return nil, err
		}
		results, err := s.hydrate(ctx, snap, found.Hits)
		if err != nil {
			return nil, err
		}
		if len(results) > 0 && !results[0].private {
			return []string{word, results[0].Name, results[0].CNPJ.Masked()}, nil
		}
	}
	return nil, nil
}
