// Package ingest turns published files into a load that can be served: it reads them, brings the records into the order
// of roots in bounded memory, writes the record store and the search index from that one stream, checks the result and
// publishes both together. Whatever goes wrong before that leaves the snapshot in service as it was.
package ingest

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"

	"razao/ingest/gates"
	"razao/ingest/rows"
	"razao/ingest/stages"
	"razao/internal/registry"
)

// Ingester loads releases into one store and one folder of indexes.
type Ingester struct {
	Store    *registry.Store
	IndexDir string // holds one folder for each index
	WorkDir  string // for temporary files; what it holds may be deleted whenever no load runs
	StoreDir string // of a private PostgreSQL, whose disk is looked at before a load; "": it is elsewhere
	Workers  int    // 0: as many as processors
	Log      *slog.Logger
	Stages   *stages.Watch // measures the stages of loads; nil: one of its own
	// Send gives an index with its flags to other servers, before a snapshot with them is published; nil: there are none.
	Send func(ctx context.Context, index string)

	lock *registry.Lock // nil while nothing is being changed
}

// Options of a load.
type Options struct {
	Force      bool // accept fewer rows than the floors allow, and a month that is already loaded or older
	Unattended bool // do not read again what a former load of the same files was refused for
}

func (in *Ingester) workers() int {
	if in.Workers > 0 {
		return in.Workers
	}
	return runtime.GOMAXPROCS(0)
}

// workDir is the folder for the temporary files of one load.
func (in *Ingester) workDir(load int64) string { return filepath.Join(in.WorkDir, indexName(load, 1)) }

// alone makes this process the only one that changes loads, until release is called.
func (in *Ingester) alone(ctx context.Context) (release func(), err error) {
	lock, err := in.Store.Lock(ctx)
	if err != nil {
		return nil, err
	}
	in.lock = lock
	if in.Stages == nil {
		in.Stages = &stages.Watch{}
	}
	return func() {
		in.lock = nil
		in.Stages.End()
		lock.Release()
	}, nil
}

// begin is alone for what writes: first it clears up after those that were interrupted.
func (in *Ingester) begin(ctx context.Context) (release func(), err error) {
	release, err = in.alone(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := in.clean(ctx); err != nil {
		release()
		return nil, err
	}
	return release, nil
}

// serve publishes loads whose records, and whose index if it has a name, are complete, and returns them as they are in service.
func (in *Ingester) serve(ctx context.Context, indexName string, loads ...*registry.Load) ([]registry.Load, error) {
	ids := map[string]int64{}
	for _, l := range loads {
		l.State = registry.LoadReady
		if err := in.endLoad(ctx, l); err != nil {
			return nil, in.fail(ctx, err, loads...)
		}
		ids[l.Source] = l.ID
	}
	if err := in.publish(ctx, ids, indexName); err != nil {
		return nil, in.fail(ctx, err, loads...)
	}
	var served []registry.Load
	for _, l := range loads {
		now, err := in.Store.Load(ctx, l.ID)
		if err != nil {
			return nil, err
		}
		served = append(served, now)
	}
	return served, nil
}

// Settle tries again what follows a publication and may have failed: links that are inferred, former loads that are deleted.
func (in *Ingester) Settle(ctx context.Context) error {
	release, err := in.alone(ctx)
	if err != nil {
		return err
	}
	defer release()
	in.settle(ctx)
	return nil
}

// settle does what follows a publication, and cannot undo it: what fails is a warning.
func (in *Ingester) settle(ctx context.Context) {
	in.relink(ctx)
	if _, err := in.clean(ctx); err != nil {
		in.Log.Warn("former loads were not deleted; `razao loads prune` tries again", "error", err)
	}
}

// settleCurrent settles what is in service already: what failed after its publication is tried again.
func (in *Ingester) settleCurrent(ctx context.Context, err error) {
	if errors.As(err, new(*CurrentError)) {
		in.settle(ctx)
	}
}

// fail records why loads ended, deletes what they wrote, and returns the error to report. Loads that may be in service stay:
// the next run knows.
func (in *Ingester) fail(ctx context.Context, cause error, loads ...*registry.Load) error {
	if errors.Is(cause, registry.ErrInDoubt) {
		return fmt.Errorf("%w; `razao loads` tells", cause)
	}
	cause = gates.Explained(cause)
	errs := []error{cause}
	for _, l := range loads {
		errs = append(errs, in.discard(ctx, l, cause))
	}
	return errors.Join(errs...)
}

// discard records why a load ended and deletes what it wrote.
func (in *Ingester) discard(ctx context.Context, l *registry.Load, cause error) error {
	ctx = context.WithoutCancel(ctx)
	l.State, l.Reason = registry.LoadFailed, cause.Error()
	if errors.Is(cause, gates.ErrRefused) {
		l.State = registry.LoadRefused
	}
	return errors.Join(
		in.endLoad(ctx, l),
		in.Store.DropRecords(ctx, l.ID),
		os.RemoveAll(filepath.Join(in.IndexDir, indexName(l.ID, 1))),
		os.RemoveAll(in.workDir(l.ID)))
}

// account notes for loads what was read of their files, and keeps the rejected rows, also when reading failed with err. Too
// many rejects make that a refusal.
func (in *Ingester) account(ctx context.Context, out *rows.Output, err error, loads ...*registry.Load) error {
	if errors.Is(err, rows.ErrRejects) {
		err = fmt.Errorf("%w: %w; `razao loads show %d` lists them", gates.ErrRefused, err, loads[0].ID)
	}
	rejects := out.Rejects()
	for _, l := range loads {
		f := out.Figures()
		l.RowsRead, l.RowsRejected = f.Read, f.Rejected
		l.Counts.Discarded, l.Counts.Marked, l.Counts.Repaired = f.Dropped, f.Marked, f.Repaired
		l.RowsDiscarded = l.Counts.AllDiscarded()
		if kept := in.Store.KeepRejects(context.WithoutCancel(ctx), l.ID, rejects); kept != nil {
			err = errors.Join(err, kept)
		}
	}
	return err
}
