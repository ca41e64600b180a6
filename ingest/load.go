package ingest

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime/debug"

	"razao/index/build"
	"razao/index/extsort"
	"razao/ingest/receita"
	"razao/ingest/rows"
	"razao/internal/data/profile"
	"razao/internal/data/record"
	"razao/internal/data/source"
	"razao/internal/store/registry"
)

// Receita loads a monthly release of the Receita and publishes it. It returns the load as it is in
// service. If it fails, the load is recorded as failed or refused with the reason, its data is
// deleted, and the snapshot in service is unchanged.
//
// Errors: [*CurrentError] and [*HeldError] if the files are loaded already, [ErrRefused] if
// they fail the checks, [registry.ErrBusy] if another process is loading, [registry.ErrInDoubt] if it
// is unknown whether the publication was committed.
func (in *Ingester) Receita(ctx context.Context, rel *receita.Release, o Options) (registry.Load, error) {
	release, err := in.lockAndClean(ctx)
	if err != nil {
		return registry.Load{}, err
	}
	defer release()
	active, err := in.activeLoads(ctx)
	if err != nil {
		return registry.Load{}, err
	}
	former := active[registry.Receita]
	if err := in.admitRelease(ctx, rel, o); err != nil {
		in.afterCurrent(ctx, err)
		return registry.Load{}, err
	}
	if len(rel.Unread) > 0 {
		in.Log.Warn("files beside the release are not read: they are of no known table, or there twice", "month", rel.Month, "files", rel.Unread)
	}
	id, err := in.beginLoad(ctx, registry.Receita, rel.Month)
	if err != nil {
		return registry.Load{}, err
	}
	l := &registry.Load{ID: id, Source: registry.Receita, Period: rel.Month}
	if err := in.receita(ctx, rel, l, former, o); err != nil {
		return *l, in.fail(ctx, err, l)
	}
	served, err := in.serve(ctx, indexName(id, 1), l)
	if err != nil {
		return *l, err
	}
	in.afterPublish(ctx)
	return served[0], nil
}

// receita does all work before the publication. When it returns nil, records and index are
// complete. Each step returns early on error; the caller deletes what was written.
func (in *Ingester) receita(ctx context.Context, rel *receita.Release, l, former *registry.Load, o Options) error {
	sample, size, err := rel.SampleRoots()
	if err != nil {
		return err
	}
	if !o.Force {
		if err := checkDiskSpace(size, loadFolders{work: in.WorkDir, index: in.IndexDir, store: in.StoreDir, rowCache: in.RowCache}); err != nil {
			return err
		}
	}
	work := in.workDir(l.ID)
	if err := os.MkdirAll(work, 0o700); err != nil {
		return fmt.Errorf("work folder: %w", err)
	}
	defer func() { _ = os.RemoveAll(work) }()
	if err := os.MkdirAll(in.IndexDir, 0o700); err != nil {
		return fmt.Errorf("index folder: %w", err)
	}

	l.Invented = rel.Fictional
	sorter, read, out, err := in.partition(ctx, rel, l, filepath.Join(work, "records"), sortRanges(sample, size), o)
	if err != nil {
		return err
	}
	l.Provenance = provenance(rel, read, l) // of a refused load, too
	domains, err := receita.CompleteDomains(read.Domains)
	if err != nil {
		return err
	}
	check := releaseChecks(rel, former, o.Force)
	known := func(column *profile.Declaration, code string) bool {
		_, ok := domains.Describe(column.Domain, code)
		return ok
	}
	if err := in.check(ctx, check, l, out.Measured(known)); err != nil {
		return err
	}
	if former != nil {
		before, err := in.Store.Domains(ctx, former.ID)
		if err != nil {
			return err
		}
		if err := check.described(l, before, domains); err != nil {
			return err
		}
	}
	outputs, err := in.newOutputs(l, indexName(l.ID, 1), work, &comparison{in: in, dir: filepath.Join(work, "history"), load: l, former: former, check: check})
	if err != nil {
		return err
	}
	defer outputs.abort()
	w, err := in.Store.NewWriter(ctx, l.ID)
	if err != nil {
		return err
	}
	defer w.Rollback(ctx)
	if err := in.store(ctx, l, w, sorter, outputs, domains, check); err != nil {
		return err
	}
	l.Provenance = provenance(rel, read, l)
	return outputs.finish(ctx)
}

// buildOptions returns the options of an index of a load. Progress of the builder is reported as
// stages that begin with "index: ".
func (in *Ingester) buildOptions(load int64, month string) build.Options {
	return build.Options{
		Load: load, Month: month, Workers: in.workers(),
		Progress: func(stage string, done, total int64) { in.progress("index: "+stage)(done, total) },
	}
}

// partition reads the release into range partitions of roots on disk and counts its rows in l. It
// fails unless every row that was read and not rejected has reached the sorter.
func (in *Ingester) partition(ctx context.Context, rel *receita.Release, l *registry.Load, dir string, parting extsort.Options, o Options) (*extsort.Sorter, *receita.Result, *rows.Output, error) {
	sorter, err := extsort.New(dir, parting)
	if err != nil {
		return nil, nil, nil, err
	}
	out := rows.NewOutput(nil, in.progress("read"))
	if o.Force {
		out.AcceptRejects()
	}
	var writers []*extsort.Writer
	read, err := rel.Read(ctx, receita.Options{
		Workers: in.workers(),
		NewHandler: func() receita.Handler {
			w := sorter.Writer()
			writers = append(writers, w)
			return sortHandler(w)
		},
		Output: out,
	})
	if err := in.account(ctx, out, err, l); err != nil {
		return nil, nil, nil, err
	}
	for _, w := range writers {
		if err := w.Close(); err != nil {
			return nil, nil, nil, err
		}
	}
	if got := l.RowsRead - l.RowsRejected; got != sorter.Records() {
		return nil, nil, nil, fmt.Errorf("%d rows were read and %d kept for sorting", got, sorter.Records())
	}
	return sorter, read, out, nil
}

// store merges the sorted records into the record store and the outputs, checks them, and commits the
// records. It notes the counts in l.
func (in *Ingester) store(ctx context.Context, l *registry.Load, w *registry.LoadWriter, sorter *extsort.Sorter, outputs *outputs, domains record.Domains, check *checks) (err error) {
	merged, err := outputs.merge(ctx, sorter, w)
	if err != nil {
		return err
	}
	maps.Copy(merged.Marked, l.Counts.Marked)
	merged.Repaired = l.Counts.Repaired
	l.Counts, l.RowsLoaded, l.RowsDiscarded = merged, loadedRows(&merged), merged.AllDiscarded()
	if err := check.merged(l); err != nil {
		return err
	}
	debug.FreeOSMemory() // PostgreSQL needs the memory of the merge for building the primary key
	if err := sorter.Remove(); err != nil {
		return fmt.Errorf("remove sorted files: %w", err)
	}
	in.progress("key")(0, 1)
	// The merge takes minutes, in which the lock may have been lost.
	if err := in.lock.Held(ctx); err != nil {
		return err
	}
	if l.StoreBytes, err = w.Commit(ctx, domains); err != nil {
		return err
	}
	in.progress("key")(1, 1)
	return nil
}

// provenance describes the origin of a load for the pages and the API. Invented data names no
// authority, so it can never be mistaken for published data.
func provenance(rel *receita.Release, read *receita.Result, l *registry.Load) record.Provenance {
	declared := source.CompanyRegistry()
	p := record.Provenance{
		Orgao:             declared.Orgao,
		Conjunto:          declared.Conjunto,
		URL:               declared.URL,
		Licenca:           declared.Licenca,
		Arquivos:          read.Files,
		Faltantes:         rel.Missing,
		LinhasLidas:       l.RowsRead,
		LinhasCarregadas:  l.RowsLoaded,
		LinhasRejeitadas:  l.RowsRejected,
		LinhasDescartadas: l.RowsDiscarded,
	}
	if rel.Fictional { // never to be mistaken for published data
		p.Orgao, p.URL, p.Licenca = inventor, "", ""
		p.Conjunto = "Dados fictícios de demonstração no formato dos Dados Abertos CNPJ"
	}
	return p
}
