package publisher

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"razao/ingest"
	"razao/ingest/download"
	"razao/ingest/receita"
	"razao/internal/store/registry"
	"razao/internal/web/fetch"
)

// Outcome is the result of an update for one source.
type Outcome struct {
	Source string
	Found  string         // period of the publisher's edition; "-": unknown
	Served *registry.Load // load in service afterwards; nil: none
	State  string         // for people, such as "loaded", "current" or "refused: …"
	Failed bool           // an operator has to look
	Took   time.Duration  // of the publisher as a whole
}

// Update brings the sources ids up to date, one after the other, then deletes what is no longer
// needed. The failure of a publisher is in its outcome and does not stop the others. An error is
// one that every other source would meet too, such as [registry.ErrBusy] or [*fetch.BusyError]
// while another process loads, or the end of ctx; the outcomes so far are returned with it.
func (p *Publishers) Update(ctx context.Context, ids []string) ([]Outcome, error) {
	unlock, err := fetch.Lock(p.Dir)
	if err != nil {
		return nil, err
	}
	defer unlock()
	// A load that is running now would otherwise be noticed only after an hour of downloads.
	lock, err := p.Ingester.Store.Lock(ctx)
	if err != nil {
		return nil, err
	}
	lock.Release()
	var all []Outcome
	for _, id := range ids {
		came, err := p.updateOne(ctx, id)
		if err != nil {
			return all, err
		}
		all = append(all, came...)
	}
	return all, p.tidy(ctx)
}

// updateOne updates one publisher. It returns an outcome for each of its sources, at least one.
func (p *Publishers) updateOne(ctx context.Context, id string) ([]Outcome, error) {
	began := time.Now()
	loads, err := p.loadUnattended(ctx, id)
	var current *ingest.CurrentError
	var busy *fetch.BusyError
	switch {
	case ctx.Err() != nil, errors.Is(err, registry.ErrBusy), errors.As(err, &busy):
		return nil, err
	case errors.As(err, &current):
		loads = current.Loads
	case err != nil:
		loads = []registry.Load{{Source: id}}
	}
	var all []Outcome
	for i := range loads {
		o := Outcome{Source: loads[i].Source, Found: cmp.Or(loads[i].Period, "-"), Took: time.Since(began)}
		o.State, o.Failed = stateOf(err)
		var broken error
		if o.Served, broken = p.Ingester.Served(ctx, o.Source); broken != nil {
			return nil, broken
		}
		all = append(all, o)
	}
	if all[0].Failed {
		p.Log.Error("update", "source", id, "error", err)
	}
	return all, nil
}

// loadUnattended loads what a publisher offers, with no operator to override refusals.
func (p *Publishers) loadUnattended(ctx context.Context, id string) ([]registry.Load, error) {
	if id == registry.Receita {
		l, err := p.LoadReceita(ctx, Release{Options: ingest.Options{Unattended: true}})
		return []registry.Load{l}, err
	}
	return p.LoadSource(ctx, id, "", ingest.SourceOptions{Unattended: true})
}

// stateOf returns the outcome of a load in words, and whether an operator has to look.
func stateOf(err error) (state string, failed bool) {
	var held *ingest.HeldError
	switch {
	case err == nil:
		return "loaded", false
	case errors.As(err, new(*ingest.CurrentError)):
		return "current", false
	case errors.As(err, &held):
		return fmt.Sprintf("held back: load %d was taken out of service", held.Load.ID), false
	case errors.Is(err, download.ErrNoAddress):
		return "no address", false
	case errors.Is(err, ingest.ErrRefused):
		state = "refused: "
	case errors.As(err, new(*UnreachableError)):
		state = "unreachable: "
	default:
		state = "failed: "
	}
	return state + strings.Join(strings.Fields(err.Error()), " "), true
}

// tidy repeats work that failed after earlier publications and deletes the zips of
// months before the one in service.
func (p *Publishers) tidy(ctx context.Context) error {
	if err := p.Ingester.Settle(ctx); err != nil {
		return err
	}
	served, err := p.Ingester.Served(ctx, registry.Receita)
	if err != nil || served == nil || served.Invented {
		return err
	}
	entries, err := os.ReadDir(p.Dir)
	if err != nil {
		return fmt.Errorf("download folder: %w", err)
	}
	for _, e := range entries {
		if receita.IsMonth(e.Name()) && e.Name() < served.Period {
			if err := os.RemoveAll(filepath.Join(p.Dir, e.Name())); err != nil {
				return fmt.Errorf("delete the zips of %s: %w", e.Name(), err)
			}
		}
	}
	return nil
}
