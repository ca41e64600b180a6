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
	"strings"

	"razao/internal/registry"
)

// ErrRefused is the error of a load that was read to its end but is not fit to be served.
var ErrRefused = errors.New("load refused")

// Ingester loads releases into one store and one folder of indexes.
type Ingester struct {
	Store    *registry.Store
	IndexDir string // holds one folder for each index
	WorkDir  string // for temporary files; what it holds may be deleted whenever no load runs
	Workers  int    // 0: as many as processors
	Log      *slog.Logger
	Progress func(stage string, done, total int64) // may be nil; called often, from several goroutines
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

func (in *Ingester) progress(stage string) func(done, total int64) {
	return func(done, total int64) {
		if in.Progress != nil {
			in.Progress(stage, done, total)
		}
	}
}

// workDir is the folder for the temporary files of one load.
func (in *Ingester) workDir(load int64) string { return filepath.Join(in.WorkDir, indexName(load)) }

// indexName is the folder of the index that is built with a load.
func indexName(load int64) string { return fmt.Sprintf("%06d", load) }

// sweep removes what interrupted loads left: the caller holds the lock, so a load that is still running on paper is dead.
func (in *Ingester) sweep(ctx context.Context) error {
	loads, err := in.Store.Loads(ctx)
	if err != nil {
		return err
	}
	kept := map[string]bool{}
	for i := range loads {
		l := &loads[i]
		if l.State == registry.LoadReady {
			kept[indexName(l.ID)] = true
		}
		if l.State != registry.LoadRunning {
			continue
		}
		in.Log.Warn("clearing up after an interrupted load", "load", l.ID, "source", l.Source, "period", l.Period)
		if err := in.Store.DropRecords(ctx, l.ID); err != nil {
			return err
		}
		l.State, l.Reason = registry.LoadFailed, "interrupted"
		if err := in.Store.EndLoad(ctx, l); err != nil {
			return err
		}
	}
	if err := os.RemoveAll(in.WorkDir); err != nil {
		return fmt.Errorf("clear up the work folder: %w", err)
	}
	if err := in.sweepIndexes(kept); err != nil {
		return err
	}
	return in.sweepFlags(func(load int64) bool { return kept[indexName(load)] })
}

// sweepIndexes removes the index folders that belong to no complete load.
func (in *Ingester) sweepIndexes(kept map[string]bool) error {
	entries, err := os.ReadDir(in.IndexDir)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("clear up the index folder: %w", err)
	}
	for _, e := range entries {
		load, _, _ := strings.Cut(e.Name(), "-") // 000042, or 000042-2 when it was built again
		if kept[load] && !strings.HasSuffix(e.Name(), ".tmp") {
			continue
		}
		if err := os.RemoveAll(filepath.Join(in.IndexDir, e.Name())); err != nil {
			return fmt.Errorf("clear up the index folder: %w", err)
		}
	}
	return nil
}

// fail records why a load ended, deletes what it wrote, and returns the error to report.
func (in *Ingester) fail(ctx context.Context, l *registry.Load, cause error) error {
	return errors.Join(cause, in.discard(ctx, l, cause))
}

// discard records why a load ended and deletes what it wrote.
func (in *Ingester) discard(ctx context.Context, l *registry.Load, cause error) error {
	ctx = context.WithoutCancel(ctx)
	l.State, l.Reason = registry.LoadFailed, cause.Error()
	if errors.Is(cause, ErrRefused) {
		l.State = registry.LoadRefused
	}
	return errors.Join(
		in.Store.DropRecords(ctx, l.ID),
		os.RemoveAll(filepath.Join(in.IndexDir, indexName(l.ID))),
		os.RemoveAll(in.workDir(l.ID)),
		in.Store.EndLoad(ctx, l))
}
