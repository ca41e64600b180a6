package registry

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"razao/internal/data/change"
	"razao/internal/data/cnpj"
	"razao/internal/store/registry/history"
)

// Former returns the load that the company registry of this view was compared with when it was written, nil
// if there was none. Its records may have been deleted since.
func (v *View) Former() *history.Load {
	l := v.History.Load(v.Load.ID)
	if l == nil || l.Former == 0 || !l.Compared(change.Establishments) {
		return nil
	}
	if former := v.History.Load(l.Former); former != nil {
		return former
	}
	return &history.Load{ID: l.Former, Source: Receita, Period: l.FormerPeriod}
}

// Beginning returns the load that brought all roots which EachChange does not name: the first load
// of all, if comparisons lead back to it without a gap. ok is false if that is unknown.
func (v *View) Beginning() (load int64, ok bool) {
	for id := v.Load.ID; ; {
		l := v.History.Load(id)
		switch {
		case l == nil:
			return 0, false
		case l.First():
			return l.ID, true
		case l.Former == 0 || !l.Compared(change.Establishments):
			return 0, false
		}
		id = l.Former
	}
}

// EachChange calls visit for every root whose records are known to have changed, ascending, with
// the load that brought them, reading one row at a time. It stops at the first error of visit and
// returns it, wrapped. A load that was not compared has no changes.
func (v *View) EachChange(ctx context.Context, visit func(root cnpj.Root, load int64) error) error {
	if v.Former() == nil {
		return nil
	}
	var root cnpj.Root
	var load int64
	err := eachRow(ctx, v.pool, []any{&root, &load}, func() error { return visit(root, load) },
		`SELECT root, load_id FROM `+v.schema+`.change ORDER BY root`)
	if err != nil {
		return fmt.Errorf("changes of load %d: %w", v.Load.ID, err)
	}
	return nil
}

func (r *records) loads() []int64 { return slices.Collect(maps.Values(r.Snapshot.Loads)) }

// Follow returns the view with its history as it is stored now: v itself unless an operator has forgotten or built some since. A
// snapshot that is not in service any more keeps its history: what was withdrawn by then is no part of it.
func (v *View) Follow(ctx context.Context) (*View, error) {
	for next := v; ; {
		stored, current, err := history.RevisionOf(ctx, v.pool, v.Snapshot.ID, v.loads())
		switch {
		case err != nil:
			return nil, err
		case !current:
			return v, nil
		case next.History.Is(stored):
			return next, nil
		}
		chain, err := history.Read(ctx, v.pool, v.loads())
		if err != nil {
			return nil, err
		}
		next = &View{v.records, chain}
	}
}

// CompanyHistory returns what the loads that led to this snapshot changed of a company, the load
// announced last first.
func (v *View) CompanyHistory(ctx context.Context, root cnpj.Root) ([]history.Found, error) {
	return v.History.Company(ctx, v.pool, root)
}

// CompanyHistories is CompanyHistory for several companies, of loads for which want is true; nil: of
// all.
func (v *View) CompanyHistories(ctx context.Context, roots []cnpj.Root, want func(*history.Load) bool) (map[cnpj.Root][]history.Found, error) {
	return v.History.Companies(ctx, v.pool, roots, want)
}

// WalkHistory is [history.Chain.Walk] on the history of this snapshot.
func (v *View) WalkHistory(ctx context.Context, from history.Position, want func(*history.Load) bool, visit func(history.Position, *history.Load, *history.Entry) bool) error {
	return v.History.Walk(ctx, v.pool, from, want, visit)
}

// PlaceHistory is [history.Chain.Places] on the history of this snapshot.
func (v *View) PlaceHistory(ctx context.Context, municipalities, divisions []string) ([]history.PlaceMonth, error) {
	return v.History.Places(ctx, v.pool, municipalities, divisions)
}
