package ingest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"

	"razao/index/build"
	"razao/ingest/receita"
	"razao/internal/cnpj"
	"razao/internal/extsort"
	"razao/internal/record"
	"razao/internal/registry"
)

// Receita loads a release of the tax authority and publishes it. When it fails, the error says why, the load is
// recorded as failed or refused, and what is being served has not changed.
func (in *Ingester) Receita(ctx context.Context, rel *receita.Release, o Options) (registry.Load, error) {
	release, err := in.Store.Lock(ctx)
	if err != nil {
		return registry.Load{}, err
	}
	defer release()
	if err := in.sweep(ctx); err != nil {
		return registry.Load{}, err
	}
	active, err := in.activeLoads(ctx)
	if err != nil {
		return registry.Load{}, err
	}
	former := active[registry.Receita]
	if err := in.admitRelease(ctx, rel, o); err != nil {
		return registry.Load{}, err
	}
	id, err := in.Store.BeginLoad(ctx, registry.Receita, rel.Month)
	if err != nil {
		return registry.Load{}, err
	}
	l := &registry.Load{ID: id, Source: registry.Receita, Period: rel.Month}
	if err := in.receita(ctx, rel, l, former, o); err != nil {
		return *l, in.fail(ctx, l, err)
	}
	return in.Store.Load(ctx, id)
}

// activeLoads returns the loads in service by source.
func (in *Ingester) activeLoads(ctx context.Context) (map[string]*registry.Load, error) {
	loads, err := in.Store.Loads(ctx)
	if err != nil {
		return nil, err
	}
	active := map[string]*registry.Load{}
	for i := range loads {
		if loads[i].Active {
			active[loads[i].Source] = &loads[i]
		}
	}
	return active, nil
}

// receita does the work of a load, from the files to the published snapshot.
func (in *Ingester) receita(ctx context.Context, rel *receita.Release, l, former *registry.Load, o Options) error {
	work := in.workDir(l.ID)
	if err := os.MkdirAll(work, 0o700); err != nil {
		return fmt.Errorf("work folder: %w", err)
	}
	defer func() { _ = os.RemoveAll(work) }()
	if err := os.MkdirAll(in.IndexDir, 0o700); err != nil {
		return fmt.Errorf("index folder: %w", err)
	}

	sorter, read, err := in.partition(ctx, rel, filepath.Join(work, "records"))
	if err != nil {
		return err
	}
	l.RowsRead, l.RowsRejected = read.RowsRead(), read.Rejected
	if err := in.Store.KeepRejects(ctx, l.ID, read.Rejects); err != nil {
		return err
	}
	domains, err := receita.CompleteDomains(read.Domains)
	if err != nil {
		return err
	}
	found, err := in.newFindable(l.ID, rel.Month, indexName(l.ID), work)
	if err != nil {
		return err
	}
	defer found.abort()
	w, err := in.Store.NewWriter(ctx, l.ID)
	if err != nil {
		return err
	}
	defer w.Rollback(ctx)
	w.Compare(comparedWith(rel, former), former == nil)
	if err := in.store(ctx, l, w, sorter, found, domains); err != nil {
		return err
	}
	l.Counts.Repaired = read.Repaired
	l.Provenance, l.Invented = provenance(rel, read, l), rel.Fictional
	if err := gate(l, former, o.Force); err != nil {
		return err
	}
	if _, err := in.finish(ctx, found, l.ID); err != nil {
		return err
	}
	return in.serve(ctx, l)
}

// serve publishes a load whose records and index are complete.
func (in *Ingester) serve(ctx context.Context, l *registry.Load) error {
	l.State = registry.LoadReady
	if err := in.Store.EndLoad(ctx, l); err != nil {
		return err
	}
	loads, err := in.publishWith(ctx, l)
	if err != nil {
		return err
	}
	if err := in.publish(ctx, loads, indexName(l.ID)); err != nil {
		return err
	}
	// The load is in service: what is left to do must not undo it.
	if err := in.prune(ctx); err != nil {
		in.Log.Warn("former loads were not deleted; `razao loads prune` tries again", "error", err)
	}
	return nil
}

func (in *Ingester) buildOptions(load int64, month string) build.Options {
	return build.Options{
		Load: load, Month: month, Workers: in.workers(),
		Progress: func(stage string, done, total int64) { in.progress("index: "+stage)(done, total) },
	}
}

// partition reads the release into ranges of roots on disk.
func (in *Ingester) partition(ctx context.Context, rel *receita.Release, dir string) (*extsort.Sorter, *receita.Result, error) {
	ranges, err := ranges(rel)
	if err != nil {
		return nil, nil, err
	}
	sorter, err := extsort.New(dir, ranges)
	if err != nil {
		return nil, nil, err
	}
	var writers []*extsort.Writer
	read, err := rel.Read(ctx, receita.Options{
		Workers: in.workers(),
		NewHandler: func() receita.Handler {
			w := sorter.Writer()
			writers = append(writers, w)
			return sortHandler(w)
		},
		Progress: in.progress("read"),
	})
	if err != nil {
		return nil, nil, err
	}
	for _, w := range writers {
		if err := w.Close(); err != nil {
			return nil, nil, err
		}
	}
	if got := read.RowsRead() - read.Rejected; got != sorter.Records() {
		return nil, nil, fmt.Errorf("%d rows were read and %d kept for sorting", got, sorter.Records())
	}
	return sorter, read, nil
}

// ranges cuts the roots at quantiles of a sample, so that every range holds about bucketBytes of CSV, or more when
// that would be too many ranges. A range that turns out three times as large is parted again.
func ranges(rel *receita.Release) (extsort.Options, error) {
	size, err := rel.Bytes()
	if err != nil {
		return extsort.Options{}, err
	}
	sample, err := rel.SampleRoots()
	if err != nil {
		return extsort.Options{}, err
	}
	n := min(size/bucketBytes+1, extsort.MaxBuckets)
	return extsort.Options{Boundaries: quantiles(sample, int(n-1)), BucketBytes: 3 * max(size/n, bucketBytes)}, nil
}

// quantiles returns n values that part the sample into equal shares.
func quantiles(sample []cnpj.Root, n int) []uint64 {
	if n == 0 || len(sample) == 0 {
		return nil
	}
	slices.Sort(sample)
	cuts := make([]uint64, n)
	for i := range cuts {
		cuts[i] = uint64(sample[(i+1)*len(sample)/(n+1)])
	}
	return cuts
}

// comparedWith returns the load whose records say what the release changes: the one in service, unless they do not tell of
// the same companies. What one of two releases lacks did not change, nor did what was invented become true. 0: none does.
func comparedWith(rel *receita.Release, former *registry.Load) int64 {
	if former == nil || len(rel.Missing) > 0 || len(former.Provenance.Faltantes) > 0 ||
		rel.Fictional != former.Invented {
		return 0
	}
	return former.ID
}

// store merges the sorted records into the record store, and into what finds them.
func (in *Ingester) store(ctx context.Context, l *registry.Load, w *registry.Writer, sorter *extsort.Sorter, found *findable, domains record.Domains) (err error) {
	if l.Counts, err = in.merge(ctx, sorter, w, found); err != nil {
		return err
	}
	debug.FreeOSMemory() // the buffers of the merge, while PostgreSQL needs its memory for the key
	if err := sorter.Remove(); err != nil {
		return fmt.Errorf("remove sorted files: %w", err)
	}
	l.RowsLoaded, l.RowsDiscarded = loaded(&l.Counts), discarded(&l.Counts)
	in.progress("key")(0, 1)
	if l.StoreBytes, err = w.Commit(ctx, domains); err != nil {
		return err
	}
	in.progress("key")(1, 1)
	return nil
}

func provenance(rel *receita.Release, read *receita.Result, l *registry.Load) record.Provenance {
	p := record.Provenance{
		Orgao:             "Receita Federal do Brasil",
		Conjunto:          "Dados Abertos CNPJ",
		URL:               "https://arquivos.receitafederal.gov.br/",
		Licenca:           "Dados abertos (Decreto 8.777/2016)",
		Arquivos:          read.Files,
		Faltantes:         rel.Missing,
		LinhasLidas:       l.RowsRead,
		LinhasCarregadas:  l.RowsLoaded,
		LinhasRejeitadas:  l.RowsRejected,
		LinhasDescartadas: l.RowsDiscarded,
	}
	if rel.Fictional { // never to be mistaken for what the tax authority publishes
		p.Orgao, p.URL, p.Licenca = inventor, "", ""
		p.Conjunto = "Dados fictícios de demonstração no formato dos Dados Abertos CNPJ"
	}
	return p
}
