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
	Partial bool   // accept a release that lacks files
	Whole   bool   // take what is there for the whole release, although it has fewer files than the load in service
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
	accept, err := p.accept(ctx, want)
	if err != nil {
		return registry.Load{}, err
	}
	found, err := receita.Find(dir, want.Month, accept)
	if err != nil {
		return registry.Load{}, err
	}
	return p.Ingester.Receita(ctx, &found, want.Options)
}

// accept says which files a release must have.
func (p *Publishers) accept(ctx context.Context, want Release) (receita.Accept, error) {
	accept, err := p.Ingester.Accept(ctx)
	accept.Partial, accept.Whole = want.Partial, want.Whole
	return accept, err
}

// loadNewest loads the newest month that the share has. For hours a month is listed without all its
// files; one that has not begun is a typing error, and one may be listed that is gone or broken. Then
// the one before it is taken, with a warning, unless that would replace a newer one in service. Trouble
// that may pass ends it: an older month would hide it.
func (p *Publishers) loadNewest(ctx context.Context, share *receita.Share, want Release) (registry.Load, error) {
	months, err := share.Months(ctx)
	if err != nil {
		return registry.Load{}, &UnreachableError{err}
	}
	served, err := p.Ingester.Served(ctx, registry.Receita)
	if err != nil {
		return registry.Load{}, err
	}
	var passed, broken error
	for _, want.Month = range slices.Backward(months) {
		if !ingest.Begun(registry.Receita, want.Month) {
			p.Log.Warn("the share lists a month that has not begun: passed over", "month", want.Month)
			continue
		}
		if served != nil && !served.Invented && want.Month < served.Period && ingest.Begun(registry.Receita, served.Period) && !want.Force {
			return registry.Load{}, cmp.Or(broken, error(&ingest.CurrentError{Loads: []registry.Load{*served}}))
		}
		l, err := p.loadMonth(ctx, share, want)
		switch {
		case receita.IsBroken(err):
			broken = errors.Join(broken, err)
		case errors.As(err, new(*ingest.CurrentError)) && broken != nil:
			return l, broken // somebody has to look
		case !receita.IsAbsent(err):
			return l, err
		}
		p.Log.Warn("a month of the share cannot be loaded, the one before it is taken", "month", want.Month, "error", err)
		passed = errors.Join(passed, err)
	}
	if passed == nil {
		passed = &UnreachableError{errors.New("the share lists no month that has begun")}
	}
	return registry.Load{}, passed
}

// loadMonth downloads a month and loads it, unless its listing says that it is loaded already.
func (p *Publishers) loadMonth(ctx context.Context, share *receita.Share, want Release) (registry.Load, error) {
	accept, err := p.accept(ctx, want)
	if err != nil {
		return registry.Load{}, err
	}
	listed, err := share.List(ctx, want.Month, accept)
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
		return receita.AreLoaded(listed.Files, loaded, dir, want.Month)
	}
	if err := p.Ingester.AdmitListing(ctx, want.Month, are, want.Options); err != nil {
		return registry.Load{}, err
	}
	release, err := share.Fetch(ctx, want.Month, dir, accept)
	if err != nil {
		return registry.Load{}, &UnreachableError{err}
	}
	return p.Ingester.Receita(ctx, &release, want.Options)
}
