package load

import (
	"context"
	"fmt"

	"razao/ingest"
	"razao/internal/bench/report"
	"razao/internal/store/registry"
)

// sourceRun is one loader's run. A loader may fill several sources, hence several loads.
type sourceRun struct {
	id    string
	loads []registry.Load
	use   stage
}

// loadSources loads every source in turn and then rebuilds the index, which writes its flags again.
func (o *Options) loadSources(ctx context.Context, f *Folder, db *Database, l *Loaded) error {
	in := o.ingester(f, db)
	for _, id := range ingest.SourceIDs() {
		report.Say("loading %s", id)
		run := sourceRun{id: id}
		var err error
		run.use, err = metered(f, db, func() error {
			run.loads, err = in.Source(ctx, id, f.path(id), ingest.SourceOptions{})
			return err
		})
		if err != nil {
			return fmt.Errorf("load %s: %w", id, err)
		}
		l.sources = append(l.sources, run)
	}
	report.Say("building the index again")
	var err error
	l.rebuild, err = metered(f, db, func() error {
		_, err := in.RebuildIndex(ctx)
		return err
	})
	return err
}

// metered runs do and returns what it used as a single stage.
func metered(f *Folder, db *Database, do func() error) (stage, error) {
	m := startMeter(db.Postgres(), f.temporary, func(string) {})
	err := do()
	return m.finish()[0], err
}
