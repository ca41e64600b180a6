package publisher

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"razao/ingest"
	"razao/ingest/download"
	"razao/ingest/fetch"
	"razao/ingest/gates"
	"razao/internal/registry"
)

// Outcome is what came of one source.
type Outcome struct {
	Source string
	Found  string         // the period that the publisher has; "-": not known
	Served *registry.Load // afterwards; nil: none
	State  string         // in a few words
	Failed bool           // somebody has to look
	Took   time.Duration
}

// Update brings what publishers have up to date. One's failure is in its outcome and does not stop the others; an error is one
// that every other would meet too, among them registry.ErrBusy and *fetch.BusyError: another process is loading. The outcomes
// so far are returned with it.
func (p *Publishers) Update(ctx context.Context, ids []string) ([]Outcome, error) {
	unlock, err := fetch.Lock(p.Dir)
	if err != nil {
		return nil, err
	}
	defer unlock()
	// Whoever loads now would be met after an hour of downloads.
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

// updateOne brings one publisher's data up to date. Its own failure is in the outcomes, one for each source.
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

// loadUnattended loads what a publisher has and we have not.
func (p *Publishers) loadUnattended(ctx context.Context, id string) ([]registry.Load, error) {
	if id == registry.Receita {
		l, err := p.LoadReceita(ctx, Release{Options: ingest.Options{Unattended: true}})
		return []registry.Load{l}, err
	}
	return p.LoadSource(ctx, id, "", ingest.SourceOptions{Unattended: true})
}

// stateOf says in a few words what came of a publisher, and whether somebody has to look.
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
	case errors.Is(err, gates.ErrRefused):
		state = "refused: "
	case errors.As(err, new(*UnreachableError)):
		state = "unreachable: "
	default:
		state = "failed: "
	}
	return state + strings.Join(strings.Fields(err.Error()), " "), true
}

// monthFolder is the name of the folder that a release is downloaded to.
var monthFolder = regexp.MustCompile(`^20\d\d-(0[1-9]|1[0-2])$`)

// tidy infers links again that could not be, and deletes loads that nobody goes back to and the zips of months before the one
// that is served, 8 GB each.
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
		if monthFolder.MatchString(e.Name()) && e.Name() < served.Period {
			if err := os.RemoveAll(filepath.Join(p.Dir, e.Name())); err != nil {
				return fmt.Errorf("delete the zips of %s: %w", e.Name(), err)
			}
		}
	}
	return nil
}
