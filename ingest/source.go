package ingest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"razao/index/folder"
	"razao/ingest/bndes"
	"razao/ingest/rows"
	"razao/internal/data/profile"
	"razao/internal/data/record"
	"razao/internal/data/source"
	"razao/internal/store/registry"
)

// SourceOptions of a load of public records.
type SourceOptions struct {
	Period     string // overrides names and contents of files; required if neither says it
	Force      bool   // skip the checks and the reject limit; reload files that are loaded or older
	Unattended bool   // no operator: what was refused stays refused until its files change
}

// Source loads the public records of a source and publishes them. from is a folder, a file, a zip
// or an http(s) address. It returns the loads as they are in service: one, except that pncp also
// fills pncp_orgao; their order is that of the loader's sources. All are published in one
// transaction. If it fails, the loads are recorded as failed or refused with the reason, their data
// is deleted, and the snapshot in service is unchanged. The errors are those of [Ingester.Receita].
func (in *Ingester) Source(ctx context.Context, id, from string, o SourceOptions) ([]registry.Load, error) {
	release, err := in.lockAndClean(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	served, err := in.source(ctx, id, from, o)
	if err != nil {
		in.afterCurrent(ctx, err)
		return nil, err
	}
	in.afterPublish(ctx)
	return served, nil
}

// source is Source for the holder of the lock.
func (in *Ingester) source(ctx context.Context, id, from string, o SourceOptions) ([]registry.Load, error) {
	work := filepath.Join(in.WorkDir, id)
	if err := os.MkdirAll(work, 0o700); err != nil {
		return nil, fmt.Errorf("work folder: %w", err)
	}
	defer func() { _ = os.RemoveAll(work) }()
	input, err := rows.Find(ctx, from, work, rows.FindOptions{Period: o.Period, Workers: in.workers(), Log: in.Log})
	if err != nil {
		return nil, err
	}
	defer func() { _ = input.Close() }()
	view, release, err := in.currentView(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	l := &sourceLoad{in: in, work: work}
	loader, err := l.loader(id, view)
	if err != nil {
		return nil, err
	}
	defer l.close()
	if err := in.admitBeforeRead(ctx, loader, input, o); err != nil {
		return nil, err
	}
	return in.runSource(ctx, l, loader, input, o)
}

// currentView returns a view of the snapshot in service, nil before the first load of the Receita. It
// reads companies through the row cache beside the index, until release is called.
func (in *Ingester) currentView(ctx context.Context) (view *registry.View, release func(), err error) {
	snapshot, err := in.currentSnapshot(ctx)
	if err != nil || snapshot.Loads[registry.Receita] == 0 {
		return nil, func() {}, err
	}
	return in.view(ctx, snapshot)
}

// view opens a snapshot. It reads companies through the row cache beside its index, if there is one
// that fits, until release is called.
func (in *Ingester) view(ctx context.Context, snapshot registry.Snapshot) (view *registry.View, release func(), err error) {
	if view, err = in.Store.View(ctx, snapshot); err != nil {
		return nil, func() {}, err
	}
	dir := filepath.Join(in.IndexDir, snapshot.IndexName)
	if m, err := folder.Read(dir); err != nil || m.Load != view.Load.ID {
		return view, func() {}, nil // another machine's index: only PostgreSQL has the rows
	}
	return view, in.readThrough(view, dir), nil
}

// viewOf opens a load of the Receita, as view does, with the last index that was built of it.
func (in *Ingester) viewOf(ctx context.Context, load int64) (view *registry.View, release func(), err error) {
	name, _ := in.newestIndex(load) // without one PostgreSQL has the rows
	return in.view(ctx, registry.Snapshot{Loads: map[string]int64{registry.Receita: load}, IndexName: name})
}

// readThrough makes a view read companies through the row cache in a folder, if there is one, until
// release is called.
func (in *Ingester) readThrough(view *registry.View, dir string) (release func()) {
	file, err := registry.OpenRowCache(dir)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			in.Log.Warn("companies are read from PostgreSQL", "error", err)
		}
		return func() {}
	}
	view.ReadThrough(file)
	return func() { _ = file.Close() }
}

// currentSnapshot returns the snapshot in service; before the first publication, the zero Snapshot,
// which has no loads.
func (in *Ingester) currentSnapshot(ctx context.Context) (registry.Snapshot, error) {
	id, err := in.Store.CurrentID(ctx)
	if errors.Is(err, registry.ErrNoSnapshot) {
		return registry.Snapshot{}, nil
	}
	if err != nil {
		return registry.Snapshot{}, err
	}
	return in.Store.Snapshot(ctx, id)
}

// runSource registers a load for each source of the loader, fills them and publishes them together.
// It returns the loads in service.
func (in *Ingester) runSource(ctx context.Context, l *sourceLoad, loader rows.Loader, input *rows.Input, o SourceOptions) ([]registry.Load, error) {
	var loads []*registry.Load
	for _, src := range loader.Sources {
		id, err := in.beginLoad(ctx, src, o.Period)
		if err == nil {
			load := registry.Load{ID: id, Source: src, Period: o.Period, LinkedTo: l.linkedTo}
			if l.origin != nil {
				load.Edition = l.origin.Edition
			}
			p := &part{load: load}
			l.parts, loads = append(l.parts, p), append(loads, &p.load)
			p.recordSort, err = newRecordSort(mustFind(src), filepath.Join(l.work, "sort"))
		}
		if err != nil {
			return nil, in.fail(ctx, err, loads...)
		}
	}
	if err := in.fillSource(ctx, l, loader, input, o); err != nil {
		return nil, in.fail(ctx, err, loads...)
	}
	return in.serve(ctx, "", loads...)
}

// sourceLoad is the state of one run of a loader.
type sourceLoad struct {
	in       *Ingester
	work     string
	parts    []*part
	archive  *bndes.Archive // raw operations, kept for relinking; only BNDES has one
	origin   *registry.Load // load whose archive is read instead of files; nil: files are read
	linkedTo int64          // id of the Receita load that links are inferred with; 0: none
}

// part is the load of one source of a run, with the records that wait for their merge.
type part struct {
	*recordSort
	load   registry.Load
	checks *checks
}

func (l *sourceLoad) loads() (loads []*registry.Load) {
	for _, p := range l.parts {
		loads = append(loads, &p.load)
	}
	return loads
}

func (l *sourceLoad) close() {
	if l.archive != nil {
		_ = l.archive.Close()
	}
}

// mustFind returns a source that the table of sources is known to have; ids come from the loaders,
// which are compiled together with it.
func mustFind(id string) source.Source {
	src, ok := source.Find(id)
	if !ok {
		panic("no source " + id) // the loaders and the table of sources are compiled together
	}
	return src
}

// sink returns a new sink for one goroutine's records of a source. It panics if the loader does not
// declare the source.
func (l *sourceLoad) sink(id string) rows.Sink {
	for _, p := range l.parts {
		if p.source.ID == id {
			return p.sink()
		}
	}
	panic("a loader wrote to " + id + ", which it does not fill")
}

// fillSource does all work of a run before its publication: it reads the input, decides whether the
// result may become a load, and commits the records of each part. The checks come first for the
// rows and later, in store, for the records.
func (in *Ingester) fillSource(ctx context.Context, l *sourceLoad, loader rows.Loader, input *rows.Input, o SourceOptions) error {
	out := rows.NewOutput(l.sink, in.progress(loader.Sources[0]+": read"))
	if o.Force {
		out.AcceptRejects()
	}
	facts, err := loader.Read(ctx, input, out)
	if err == nil {
		err = out.Check()
	}
	if err := in.account(ctx, out, err, l.loads()...); err != nil {
		return err
	}
	former, err := in.activeLoads(ctx)
	if err != nil {
		return err
	}
	published, invented, err := l.published(ctx, input)
	if err != nil {
		return err
	}
	for _, p := range l.parts {
		p.describe(facts, published, invented)
		if o.Period != "" {
			p.load.Period = o.Period
		}
		if p.load.Period == "" {
			return fmt.Errorf("%w: neither names nor contents of the files say which period they are of: pass --period", ErrRefused)
		}
	}
	if !o.Force {
		if err := in.admitAfterRead(ctx, l.parts); err != nil {
			return err
		}
	}
	tables := out.Measured(nil)
	for _, p := range l.parts {
		p.checks = sourceChecks(&p.source, former[p.source.ID], invented, o.Force)
		own := slices.DeleteFunc(slices.Clone(tables), func(t profile.Table) bool { return t.Name != p.source.ID })
		if err := in.check(ctx, p.checks, &p.load, own); err != nil {
			return err
		}
	}
	if loader.Floor != nil && !invented {
		if why := loader.Floor(out.Figures()); why != nil {
			for _, p := range l.parts {
				if err := p.checks.refuse(&p.load, registry.ByFigures, "%v", why); err != nil {
					return err
				}
			}
		}
	}
	for _, p := range l.parts {
		if err := l.store(ctx, p, loader.DropIdentical); err != nil {
			return err
		}
		c := &comparison{in: in, dir: filepath.Join(l.work, "history-"+p.source.ID), load: &p.load, former: former[p.source.ID], check: p.checks}
		if err := c.records(ctx, &p.source); err != nil {
			return err
		}
		if l.origin != nil {
			p.load.Overruled, p.load.Former = l.origin.Overruled, l.origin.Former // it was read and checked then
		}
	}
	return nil
}

// published returns the files that provenance names and whether their contents are invented: those
// of the input, or those of the origin.
func (l *sourceLoad) published(ctx context.Context, input *rows.Input) (files []record.SourceFile, invented bool, err error) {
	if l.origin != nil {
		return l.origin.Provenance.Arquivos, l.origin.Invented, nil
	}
	files, err = input.Published(ctx)
	return files, input.Invented, err
}

// inventor replaces the authority in the provenance of invented data.
const inventor = "Razão"

// describe sets period, coverage and provenance of the load. facts are what the loader learned,
// published the files that were read.
func (p *part) describe(facts rows.Facts, published []record.SourceFile, invented bool) {
	src := &p.source
	p.load.Period, p.load.CoverageStart = facts.Period, facts.Coverage
	p.load.Provenance = record.Provenance{
		Orgao: src.Orgao, Conjunto: src.Conjunto, URL: src.URL, Licenca: src.Licenca,
		Atribuicao: src.Atribuicao, Metodologia: src.Metodologia,
		Arquivos: published, Observacoes: facts.Notes,
	}
	p.load.Invented = invented
	if invented { // never to be mistaken for published data
		p.load.Provenance.Orgao, p.load.Provenance.URL, p.load.Provenance.Licenca = inventor, "", ""
		p.load.Provenance.Conjunto = "Dados fictícios de demonstração no formato de: " + src.Conjunto
	}
}

// store writes the records of a part in their final order, checks and commits them. What the
// rules of the merge leave out, superseded versions and repeated rows, is counted as discarded.
func (l *sourceLoad) store(ctx context.Context, p *part, dropIdentical bool) error {
	older, err := p.newest(ctx, l.in.workers())
	if err != nil {
		return err
	}
	w, err := l.in.Store.NewWriter(ctx, p.load.ID)
	if err != nil {
		return err
	}
	defer w.Rollback(ctx)
	owners := &registry.PackedOwners{}
	counts, repeated, err := p.merge(ctx, l.in.workers(), dropIdentical, w, owners, l.in.progress(p.source.ID+": merge"))
	if err != nil {
		return err
	}
	p.load.Counts.Records, p.load.Counts.Owners = counts.Records, counts.Owners
	discard(&p.load, superseded, older)
	discard(&p.load, "linha_repetida", repeated)
	p.load.RowsLoaded, p.load.RowsDiscarded = counts.Records, p.load.Counts.AllDiscarded()
	p.load.Provenance.LinhasLidas, p.load.Provenance.LinhasCarregadas = p.load.RowsRead, p.load.RowsLoaded
	p.load.Provenance.LinhasRejeitadas, p.load.Provenance.LinhasDescartadas = p.load.RowsRejected, p.load.RowsDiscarded
	if err := p.checks.merged(&p.load); err != nil {
		return err
	}
	tables := &registry.SourceTables{Fields: p.source.Fields, Dictionary: &p.dictionary, Owners: owners}
	if l.archive != nil {
		if tables.Archive, err = l.archive.Reader(); err != nil {
			return err
		}
	}
	if err := l.in.lock.Held(ctx); err != nil {
		return err
	}
	p.load.StoreBytes, err = w.CommitSource(ctx, tables)
	return err
}

// discard counts rows that a rule left out.
func discard(l *registry.Load, rule string, rows int64) {
	if rows > 0 {
		l.Counts.Discarded[rule] += rows
	}
}
