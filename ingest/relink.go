package ingest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"razao/ingest/bndes"
	"razao/ingest/rows"
	"razao/internal/store/registry"
)

// relink infers the links of the BNDES operations in service again if they were inferred with other
// companies than those in service. It reads the operations from the archive kept with their load,
// writes them as a new load of the same edition and publishes it. A failure is logged with the
// command that repeats it; until then the operations are served with their old links.
func (in *Ingester) relink(ctx context.Context) {
	active, err := in.activeLoads(ctx)
	if err != nil {
		in.Log.Warn("whether the operations of BNDES must be linked again is not known", "error", err)
		return
	}
	companies, operations := active[registry.Receita], active[bndesID]
	if companies == nil || operations == nil || operations.LinkedTo == companies.ID {
		return
	}
	if err := in.relinkWith(ctx, operations); err != nil {
		again := fmt.Sprintf("razao loads activate %d", operations.ID)
		in.Log.Warn("the operations of BNDES are still linked to former companies", "error", err, "again", again)
	}
}

// relinkWith makes and publishes a load of the archived operations, linked to the companies in
// service.
func (in *Ingester) relinkWith(ctx context.Context, operations *registry.Load) error {
	view, release, err := in.currentView(ctx)
	if err != nil {
		return err
	}
	defer release()
	work := filepath.Join(in.WorkDir, bndesID)
	if err := os.MkdirAll(work, 0o700); err != nil {
		return fmt.Errorf("work folder: %w", err)
	}
	defer func() { _ = os.RemoveAll(work) }()
	l := &sourceLoad{in: in, work: work}
	if l.archive, err = bndes.NewArchive(work); err != nil {
		return err
	}
	defer l.close()
	l.origin = operations
	blobs := func(yield func([]byte) error) error { return in.Store.Archive(ctx, operations.ID, yield) }
	loader := l.linkedWith(view, bndes.Relink(blobs, scanOf(view), l.archive.Keep))
	// Force: the rows are those of the origin, which passed its own checks.
	input := &rows.Input{Workers: in.workers(), Scratch: work}
	if !operations.Invented {
		input.Until = rows.Tomorrow()
	}
	_, err = in.runSource(ctx, l, loader, input, SourceOptions{Period: operations.Period, Force: true})
	return err
}
