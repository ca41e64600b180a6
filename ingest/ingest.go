// Package ingest turns published files into loads that servers can serve. It reads the files,
// brings the records into the order of CNPJ roots, writes the record store and the search index
// from that one stream, compares the result with the load in service and publishes both together.
//
// # Loads
//
// A load is one edition of one source: a row of the table load, a schema with its records, a folder
// for temporary files and, for the company registry of the Receita, one or more index folders. A load is
// immutable once complete. Publishing inserts a new snapshot (one load for each source, one index)
// and switches to it in a single transaction, so readers have snapshot isolation and a failed load
// leaves the snapshot in service untouched.
//
// # Flow
//
// [Ingester.Receita] partitions the release by root on disk (index/extsort), merges it and streams
// it into COPY and into the index builder at the same time. [Ingester.Source] does the same for
// public records, whose index is a file of flags beside the index of companies.
// [Ingester.Activate], [Ingester.Rollback] and [Ingester.RebuildIndex] switch or rebuild without
// reading a published file. Before records are committed, their figures are compared with those of
// the load in service (checks.go). Memory is bounded by one bucket for each worker, not by the size
// of the release.
//
// # Merge of a release
//
// The four tables of a release (companies, establishments, partners, Simples) become one record per
// CNPJ root. Each published row is packed and sorted externally under a key of two parts: the root;
// then the kind of row and, for establishments, their order. All rows of a root meet in one bucket,
// company first. Workers sort and join the buckets and write, in the order of roots and in a single
// pass, the rows of the record store, the documents of the search index and the list of pages for
// search engines. Rules resolve what the files repeat or leave dangling:
//
//   - of several rows of a company one with a name wins (rule empresa_repetida)
//   - of several rows of an establishment the one with the latest status date wins
//     (estabelecimento_repetido)
//   - of several rows of Simples the one with the latest of all dates wins (simples_repetido)
//   - a partner row published twice counts once (socio_repetido)
//   - partners and Simples of a root without company and establishment are dropped
//     (socio_sem_empresa, simples_sem_empresa)
//
// What that leaves undecided goes to the row that says more, then to the last by the bytes of the packed
// rows, so the result does not depend on the order of rows or files, nor on which goroutine read a row
// first (repeated.go). Rows that differed are counted apart, as notes (estabelecimento_divergente). A
// root with establishments but no company row is kept.
// Every row is counted once, as loaded or under a rule, and the merge fails unless the sum is the
// number of rows that were sorted.
//
// # Crashes and concurrency
//
// One process at a time changes loads: it holds the advisory lock of [registry.Store.Lock] and
// checks that it still does before it commits records, publishes or cleans up. There is no journal
// to replay. After a crash the next holder of the lock marks loads that are still "loading" as
// failed and deletes everything that no complete load owns (clean.go). A load is marked before its
// data is deleted, so an interrupted clean-up can be repeated.
package ingest

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"

	"razao/ingest/rows"
	"razao/internal/store/registry"
)

// Ingester makes, switches and deletes the loads of one store and one folder of indexes. Its fields
// are set before first use. An Ingester runs one method that changes loads at a time: the database
// lock refuses a second one with [registry.ErrBusy]. Unused, Findable and Served only read.
type Ingester struct {
	Store    *registry.Store
	IndexDir string // one folder for each index
	WorkDir  string // temporary files; everything in it may be deleted while no load runs
	StoreDir string // folder of a private PostgreSQL, whose free disk is checked; "": elsewhere
	// RowCache puts a file with the rows of the companies into each index (registry.RowCache), from
	// which servers answer look-ups.
	RowCache bool
	Workers  int // goroutines that parse, merge and index; 0: GOMAXPROCS
	Log      *slog.Logger
	Stages   *Stopwatch // clock of the stages, for progress and statistics; nil: a private one
	// Send copies an index and its flags to the other servers. It is called before the snapshot
	// that needs them is published; nil: there is one server. Its failures are its own to report.
	Send func(ctx context.Context, index string)

	lock *registry.Lock // nil outside of methods that change loads
}

// Options of a load of the Receita.
type Options struct {
	Force      bool // skip the checks and the reject limit; reload a month that is loaded or older
	Unattended bool // no operator: what was refused stays refused until its files change
}

func (in *Ingester) workers() int {
	if in.Workers > 0 {
		return in.Workers
	}
	return runtime.GOMAXPROCS(0)
}

// workDir is the folder for the temporary files of one load of the Receita.
func (in *Ingester) workDir(load int64) string { return filepath.Join(in.WorkDir, indexName(load, 1)) }

// lockLoads takes the database lock, which makes this process the only one that changes loads. The
// caller must call release, which also ends the running stage. The error is a [registry.ErrBusy]
// while another process has the lock.
func (in *Ingester) lockLoads(ctx context.Context) (release func(), err error) {
	lock, err := in.Store.Lock(ctx)
	if err != nil {
		return nil, err
	}
	in.lock = lock
	if in.Stages == nil {
		in.Stages = &Stopwatch{}
	}
	return func() {
		in.lock = nil
		in.Stages.End()
		lock.Release()
	}, nil
}

// lockAndClean is lockLoads followed by the clean-up of interrupted loads. Methods that write new
// data use it; those that only switch pointers need no clean folder. What cannot be deleted is in
// nobody's way: a load has names of its own.
func (in *Ingester) lockAndClean(ctx context.Context) (release func(), err error) {
	release, err = in.lockLoads(ctx)
	if err != nil {
		return nil, err
	}
	var left *LeftoverError
	switch _, err := in.clean(ctx); {
	case errors.As(err, &left):
		in.Log.Warn("`razao loads prune` tries again", "error", err)
	case err != nil:
		release()
		return nil, err
	}
	return release, nil
}

// serve marks loads as ready, publishes them and returns them as read back from the store. Their
// records must be committed and, if indexName is not "", that index complete. On failure the loads
// are discarded, unless the outcome of the publication is unknown.
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

// Settle repeats the work that follows a publication and may have failed then: linking the
// operations of BNDES to the companies in service, and deleting former loads. Its own failures are
// logged, so the error is that of taking the lock.
func (in *Ingester) Settle(ctx context.Context) error {
	release, err := in.lockLoads(ctx)
	if err != nil {
		return err
	}
	defer release()
	in.afterPublish(ctx)
	return nil
}

// afterPublish does the work that follows a publication. The publication stands whatever happens
// here, so a failure is a warning.
func (in *Ingester) afterPublish(ctx context.Context) {
	in.relink(ctx)
	if _, err := in.clean(ctx); err != nil {
		in.Log.Warn("former loads were not deleted; `razao loads prune` tries again", "error", err)
	}
}

// afterCurrent calls afterPublish if err is a [CurrentError]: the files are in service, but an
// earlier run may have failed after it published them.
func (in *Ingester) afterCurrent(ctx context.Context, err error) {
	if errors.As(err, new(*CurrentError)) {
		in.afterPublish(ctx)
	}
}

// fail records cause as the reason of the loads, deletes what they wrote and returns the error to
// report. If the answer to the COMMIT of a publication was lost ([registry.ErrInDoubt]), the loads
// may be in service: nothing is deleted, and the next run decides.
func (in *Ingester) fail(ctx context.Context, cause error, loads ...*registry.Load) error {
	if errors.Is(cause, registry.ErrInDoubt) {
		return fmt.Errorf("%w; `razao loads` tells", cause)
	}
	cause = explainFullDisk(cause)
	errs := []error{cause}
	for _, l := range loads {
		errs = append(errs, in.discard(ctx, l, cause))
	}
	return errors.Join(errs...)
}

// discard records why a load ended and deletes its schema, index and work folder. It works on after
// ctx was cancelled: Ctrl-C must not leave half a load behind.
func (in *Ingester) discard(ctx context.Context, l *registry.Load, cause error) error {
	ctx = context.WithoutCancel(ctx)
	l.State, l.Reason = registry.LoadFailed, cause.Error()
	if errors.Is(cause, ErrRefused) {
		l.State = registry.LoadRefused
	}
	return errors.Join(
		in.endLoad(ctx, l),
		in.Store.DropRecords(ctx, l.ID),
		os.RemoveAll(filepath.Join(in.IndexDir, indexName(l.ID, 1))),
		os.RemoveAll(in.workDir(l.ID)))
}

// account copies the row counts of out into loads and stores the rejected rows, even if reading
// failed with err. It returns err; too many rejects become a ErrRefused that names the
// command which lists them.
func (in *Ingester) account(ctx context.Context, out *rows.Output, err error, loads ...*registry.Load) error {
	if errors.Is(err, rows.ErrRejects) {
		err = fmt.Errorf("%w: %w; `razao loads show %d` lists them; accept them with --force", ErrRefused, err, loads[0].ID)
	}
	rejects := out.Rejects()
	for _, l := range loads {
		f := out.Figures()
		l.RowsRead, l.RowsRejected = f.Read, f.Rejected
		l.Counts.Discarded, l.Counts.Marked, l.Counts.Repaired = f.Dropped, f.Marked, f.Repaired
		l.RowsDiscarded = l.Counts.AllDiscarded()
		if excess := out.Accepted(); err == nil && excess != nil {
			l.Overrule(registry.ByRejects, excess.Error())
		}
		if failed := in.Store.KeepRejects(context.WithoutCancel(ctx), l.ID, rejects); failed != nil {
			err = errors.Join(err, failed)
		}
	}
	return err
}
