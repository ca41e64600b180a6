package publisher

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"razao/ingest"
	"razao/ingest/receita"
	"razao/internal/data/record"
	"razao/internal/store/registry"
	"razao/internal/web/fetch"
)

// Release says which release of the Receita to load, and how.
type Release struct {
	From    string // folder or address; "": the configured share
	Month   string // AAAA-MM; "": the newest complete one
	Partial bool   // accept a folder that lacks files
	ingest.Options
}

// LoadReceita loads a release from a folder, or downloads it from a share first, and returns the
// load in service. Without a month it takes the newest complete one. Errors are those of
// [ingest.Ingester.Receita], [*UnreachableError], [*receita.IncompleteError] and [*fetch.BusyError].
func (p *Publishers) LoadReceita(ctx context.Context, want Release) (registry.Load, error) {
	if want.From != "" && !strings.Contains(want.From, "://") {
		return p.loadFolder(ctx, want.From, want)
	}
	share, err := receita.NewShare(cmp.Or(want.From, p.Receita, receita.DefaultShare), p.settings())
	if err != nil {
		return registry.Load{}, err
	}
	if want.Month != "" {
		return p.loadMonth(ctx, share, want)
	}
	return p.loadNewest(ctx, share, want)
}

// loadFolder loads the release in a folder.
func (p *Publishers) loadFolder(ctx context.Context, dir string, want Release) (registry.Load, error) {
	found, err := receita.Find(dir, want.Month, want.Partial)
	if err != nil {
		return registry.Load{}, err
	}
	return p.Ingester.Receita(ctx, &found, want.Options)
}

// loadNewest loads the newest month that is complete at the share. For hours a month is listed
// without all its files; then the one before it is taken, unless that would replace a newer one in
// service.
func (p *Publishers) loadNewest(ctx context.Context, share *receita.Share, want Release) (registry.Load, error) {
	months, err := share.Months(ctx)
	if err != nil {
		return registry.Load{}, &UnreachableError{err}
	}
	served, err := p.Ingester.Served(ctx, registry.Receita)
	if err != nil {
		return registry.Load{}, err
	}
	var all error
	for _, want.Month = range slices.Backward(months) {
		if served != nil && !served.Invented && want.Month < served.Period && !want.Force {
			return registry.Load{}, &ingest.CurrentError{Loads: []registry.Load{*served}}
		}
		l, err := p.loadMonth(ctx, share, want)
		var incomplete *receita.IncompleteError
		if !errors.As(err, &incomplete) || incomplete.Dir != "" {
			return l, err // only incompleteness at the share is cured by an older month
		}
		all = errors.Join(all, err)
	}
	return registry.Load{}, all
}

// loadMonth downloads a month and loads it, unless its listing says that it is loaded already.
func (p *Publishers) loadMonth(ctx context.Context, share *receita.Share, want Release) (registry.Load, error) {
	listed, err := share.List(ctx, want.Month)
	if err != nil {
		return registry.Load{}, &UnreachableError{err}
	}
	// One lock for all months: a lock file stays, and one for each month would accumulate.
	unlock, err := fetch.Lock(filepath.Join(p.Dir, registry.Receita))
	if err != nil {
		return registry.Load{}, err
	}
	defer unlock()
	dir := filepath.Join(p.Dir, want.Month)
	are := func(loaded []record.SourceFile) (bool, error) {
		return receita.AreLoaded(listed, loaded, dir, want.Month)
	}
	if err := p.Ingester.AdmitListing(ctx, want.Month, are, want.Options); err != nil {
		return registry.Load{}, err
	}
	if err := share.Fetch(ctx, want.Month, dir); err != nil {
		return registry.Load{}, &UnreachableError{err}
	}
	return p.loadFolder(ctx, dir, want)
}
