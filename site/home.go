package site

import (
	"cmp"
	"context"
	"slices"

	"github.com/gin-gonic/gin"

	"razao/internal/data/ptbr"
	"razao/internal/store/snapshot"
	"razao/internal/web"
	"razao/site/page"
	"razao/site/places"
	"razao/site/reference"
)

// newestShown is how many loads of sources the home page lists.
const newestShown = 5

// homePage is the home page: search box, the month in figures, map of the states, questions with their answers and the
// newest loads.
type homePage struct {
	page.Frame
	Figures  page.Fragment
	Map      page.Fragment // empty: its figures could not be read
	Examples []string      // queries that have results in this snapshot
	Answers  []places.Answer
	Newest   []reference.SourceState
}

// home answers /. What depends on the snapshot alone is made once for it.
func (s *Site) home(c *gin.Context, snap *snapshot.Snapshot) (page.Reply, error) {
	ctx := c.Request.Context()
	p := &homePage{Newest: newest(s.lookup.States(ctx, snap))}
	p.Title = "O cadastro aberto das empresas brasileiras"
	p.Description = "Consulta gratuita às empresas brasileiras por nome, CNPJ ou sócio, nos dados abertos da Receita Federal, competência " +
		ptbr.Month(snap.Load.Period) + "."
	p.Canonical = "/"
	p.SearchInContent = true
	// All that needs the index is optional: an error is logged and keeps the page out of caches.
	drawn, err := snapshot.Once(snap, drawnKey{}, func() (homeDrawn, error) { return s.drawHome(snap) })
	if err != nil {
		web.EventOf(ctx).Fail(err)
		if drawn.figures, err = page.Once(homeFigures(snap.Load.Counts, places.Moves{})); err != nil {
			return page.Reply{}, err
		}
	}
	p.Figures, p.Map = drawn.figures, drawn.mapped
	p.Examples, err = s.examples(ctx, snap)
	web.EventOf(ctx).Fail(err)
	p.Answers, err = s.places.Answers(ctx, snap)
	web.EventOf(ctx).Fail(err)
	return page.Reply{Page: p}, nil
}

// homeDrawn is what the home page shows of the figures of places.
type homeDrawn struct{ figures, mapped page.Fragment }

// Keys of snapshot.Once.
type (
	drawnKey    struct{}
	examplesKey struct{}
)

func (s *Site) drawHome(snap *snapshot.Snapshot) (drawn homeDrawn, err error) {
	states, err := s.places.StateMap(snap)
	if err != nil {
		return drawn, err
	}
	moves, err := s.places.Moves(snap)
	if err != nil {
		return drawn, err
	}
	if drawn.mapped, err = page.Once(homeMap(states)); err != nil {
		return drawn, err
	}
	drawn.figures, err = page.Once(homeFigures(snap.Load.Counts, moves))
	return drawn, err
}

// examples returns searches that find something, nil for none.
func (s *Site) examples(ctx context.Context, snap *snapshot.Snapshot) ([]string, error) {
	return snapshot.Once(snap, examplesKey{}, func() ([]string, error) { return s.find.Examples(ctx, snap) })
}

// newest returns the sources that were loaded last, the latest first.
func newest(states []reference.SourceState) []reference.SourceState {
	states = slices.DeleteFunc(states, func(s reference.SourceState) bool { return s.Load == nil || s.Load.FinishedAt == nil })
	slices.SortStableFunc(states, func(a, b reference.SourceState) int {
		return cmp.Compare(b.Load.FinishedAt.UnixNano(), a.Load.FinishedAt.UnixNano())
	})
	return states[:min(newestShown, len(states))]
}
