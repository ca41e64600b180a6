package ingest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"razao/index/folder"
	"razao/internal/record"
	"razao/internal/registry"
	"razao/internal/registry/pack"
)

// Activate puts a complete load in service; one of Receita with the index that was last built from it. Operations of
// BNDES are linked again to the companies that they are then served with, as a load of their own.
func (in *Ingester) Activate(ctx context.Context, id int64) error {
	release, err := in.Store.Lock(ctx)
	if err != nil {
		return err
	}
	defer release()
	l, err := in.Store.Load(ctx, id)
	if err != nil {
		return err
	}
	if l.State != registry.LoadReady {
		return fmt.Errorf("load %d (%s %s) cannot be served: it is %q", id, l.Source, l.Period, l.State)
	}
	name := "" // the records of a source need no index of their own, only flags
	if l.Source == registry.Receita {
		if name, err = in.newestIndex(id); err != nil {
			return err
		}
	}
	loads, err := in.publishWith(ctx, &l)
	if err != nil {
		return err
	}
	return in.publish(ctx, loads, name)
}

// Rollback puts the load of a source in service that was served before the present one.
func (in *Ingester) Rollback(ctx context.Context, source string) (registry.Load, error) {
	former, err := in.Store.Former(ctx, source)
	if err != nil {
		return registry.Load{}, err
	}
	if former == 0 {
		return registry.Load{}, fmt.Errorf("there is no former load of %s to go back to", source)
	}
	if err := in.Activate(ctx, former); err != nil {
		return registry.Load{}, err
	}
	active, err := in.activeLoads(ctx)
	if err != nil {
		return registry.Load{}, err
	}
	return *active[source], nil
}

// Prune deletes the complete loads that are neither in service nor the ones to roll back to, and returns their ids.
func (in *Ingester) Prune(ctx context.Context) ([]int64, error) {
	release, err := in.Store.Lock(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	before, err := in.Store.Loads(ctx)
	if err != nil {
		return nil, err
	}
	if err := in.prune(ctx); err != nil {
		return nil, err
	}
	var gone []int64
	for _, l := range before {
		after, err := in.Store.Load(ctx, l.ID)
		if err != nil {
			return nil, err
		}
		if l.State == registry.LoadReady && after.State == registry.LoadDropped {
			gone = append(gone, l.ID)
		}
	}
	return gone, in.sweep(ctx)
}

// prune is Prune for a caller that holds the lock.
func (in *Ingester) prune(ctx context.Context) error {
	loads, err := in.Store.Loads(ctx)
	if err != nil {
		return err
	}
	for _, l := range loads {
		if l.State != registry.LoadReady || l.Active {
			continue
		}
		former, err := in.Store.Former(ctx, l.Source)
		if err != nil {
			return err
		}
		if l.ID == former {
			continue
		}
		if err := in.Store.Retire(ctx, l.ID); err != nil {
			return err
		}
		if err := in.Store.DropRecords(ctx, l.ID); err != nil {
			return err
		}
		if err := in.removeIndexes(l.ID); err != nil {
			return err
		}
		if err := in.sweepFlags(func(load int64) bool { return load != l.ID }); err != nil {
			return err
		}
		in.Log.Info("deleted former load", "load", l.ID, "source", l.Source, "period", l.Period)
	}
	return nil
}

func (in *Ingester) removeIndexes(load int64) error {
	names, err := in.indexesOf(load)
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := os.RemoveAll(filepath.Join(in.IndexDir, name)); err != nil {
			return fmt.Errorf("delete index: %w", err)
		}
	}
	return nil
}

// indexesOf returns the index folders of a load, oldest first.
func (in *Ingester) indexesOf(load int64) ([]string, error) {
	entries, err := os.ReadDir(in.IndexDir)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("index folder: %w", err)
	}
	type numbered struct {
		n    int
		name string
	}
	var found []numbered
	for _, e := range entries {
		base, suffix, again := strings.Cut(e.Name(), "-")
		if base != indexName(load) {
			continue
		}
		n := 1
		if again {
			if n, err = strconv.Atoi(suffix); err != nil {
				continue
			}
		}
		found = append(found, numbered{n, e.Name()})
	}
	slices.SortFunc(found, func(a, b numbered) int { return cmp.Compare(a.n, b.n) })
	names := make([]string, len(found))
	for i := range found {
		names[i] = found[i].name
	}
	return names, nil
}

func (in *Ingester) newestIndex(load int64) (string, error) {
	names, err := in.indexesOf(load)
	if err != nil {
		return "", err
	}
	if len(names) == 0 {
		return "", fmt.Errorf("load %d has no search index in %s: build it with `razao index build`", load, in.IndexDir)
	}
	return names[len(names)-1], nil
}

// RebuildIndex builds the search index of the load in service again, from the record store alone, and publishes it.
func (in *Ingester) RebuildIndex(ctx context.Context) (folder.Manifest, error) {
	release, err := in.Store.Lock(ctx)
	if err != nil {
		return folder.Manifest{}, err
	}
	defer release()
	id, err := in.Store.CurrentID(ctx)
	if err != nil {
		return folder.Manifest{}, err
	}
	snapshot, err := in.Store.Snapshot(ctx, id)
	if err != nil {
		return folder.Manifest{}, err
	}
	view, err := in.Store.View(ctx, snapshot)
	if err != nil {
		return folder.Manifest{}, err
	}
	if err := os.MkdirAll(in.IndexDir, 0o700); err != nil {
		return folder.Manifest{}, fmt.Errorf("index folder: %w", err)
	}
	name, err := in.nextIndexName(view.Load.ID)
	if err != nil {
		return folder.Manifest{}, err
	}
	work := in.workDir(view.Load.ID)
	if err := os.MkdirAll(work, 0o700); err != nil {
		return folder.Manifest{}, fmt.Errorf("work folder: %w", err)
	}
	defer func() { _ = os.RemoveAll(work) }()
	found, err := in.newFindable(view.Load.ID, view.Load.Period, name, work)
	if err != nil {
		return folder.Manifest{}, err
	}
	defer found.abort()
	if err := in.documentsOf(ctx, view, found); err != nil {
		return folder.Manifest{}, err
	}
	manifest, err := in.finish(ctx, found, view.Load.ID)
	if err != nil {
		return folder.Manifest{}, err
	}
	return manifest, in.publish(ctx, nil, name)
}

// nextIndexName returns a folder name for one more index of a load: 000042-2, 000042-3, …
func (in *Ingester) nextIndexName(load int64) (string, error) {
	names, err := in.indexesOf(load)
	if err != nil {
		return "", err
	}
	n := 2
	if len(names) > 0 {
		if _, suffix, again := strings.Cut(names[len(names)-1], "-"); again {
			last, err := strconv.Atoi(suffix)
			if err != nil {
				return "", fmt.Errorf("index folder %q: %w", names[len(names)-1], err)
			}
			n = last + 1
		}
	}
	return indexName(load) + "-" + strconv.Itoa(n), nil
}

// documentsOf emits the document of every stored establishment.
func (in *Ingester) documentsOf(ctx context.Context, view *registry.View, found *findable) error {
	report, total := in.progress("documents"), view.Load.Counts.Establishments
	m := emitter{to: found.documents.Writer()}
	var done int64
	err := view.Scan(ctx, func(h *pack.Head, partners []record.Partner, establishments *pack.EstablishmentCursor) error {
		m.begin(h.Establishments)
		for i := range partners {
			m.partner(&partners[i])
		}
		for establishments.Next() {
			if err := m.establishment(&h.Company, &h.Simples, &establishments.Establishment); err != nil {
				return err
			}
			done++
		}
		report(done, total)
		err := found.pages.add(m.pages)
		m.pages = m.pages[:0]
		return errors.Join(err, establishments.Err())
	})
	if err != nil {
		return fmt.Errorf("documents from the record store: %w", err)
	}
	if done != total {
		return fmt.Errorf("the record store holds %d establishments, its load %d", done, total)
	}
	return m.to.Close()
}
