package ingest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"razao/ingest/bndes"
	"razao/ingest/rows"
	"razao/internal/registry"
)

// relink makes a BNDES load again, from its archive, with links to a Receita load, and returns the loads to publish.
func (in *Ingester) relink(ctx context.Context, former *registry.Load, receita int64) (map[string]int64, error) {
	view, err := in.Store.View(ctx, registry.Snapshot{Loads: map[string]int64{registry.Receita: receita}})
	if err != nil {
		return nil, err
	}
	work := filepath.Join(in.WorkDir, bndesID)
	if err := os.MkdirAll(work, 0o700); err != nil {
		return nil, fmt.Errorf("work folder: %w", err)
	}
	defer func() { _ = os.RemoveAll(work) }()
	l := in.newSourceLoad(work)
	if l.archive, err = newArchive(work); err != nil {
		return nil, err
	}
	defer func() { _ = l.archive.close() }()
	blobs := func(yield func([]byte) error) error { return in.Store.Archive(ctx, former.ID, yield) }
	loader := linkedTo(view, bndes.Relink(blobs, scanOf(view), l.archive.keep))
	l.origin = former
	// The rows are those of the former load: there is nothing to compare them with.
	ids, err := in.runSource(ctx, l, loader, &rows.Input{Workers: in.workers(), Scratch: work}, SourceOptions{Period: former.Period, Force: true})
	if err != nil {
		return nil, fmt.Errorf("link the operations of BNDES again: %w", err)
	}
	return ids, nil
}

// publishWith returns the loads to publish together with a complete load: itself, and the operations of BNDES when it
// changes what they are linked to.
func (in *Ingester) publishWith(ctx context.Context, l *registry.Load) (map[string]int64, error) {
	active, err := in.activeLoads(ctx)
	if err != nil {
		return nil, err
	}
	loads := map[string]int64{}
	switch companies, operations := active[registry.Receita], active[bndesID]; {
	case l.Source == registry.Receita && operations != nil:
		loads, err = in.relink(ctx, operations, l.ID)
	case l.Source == bndesID && companies != nil:
		return in.relink(ctx, l, companies.ID) // it may have been linked to another month
	}
	if err != nil {
		return nil, err
	}
	loads[l.Source] = l.ID
	return loads, nil
}
