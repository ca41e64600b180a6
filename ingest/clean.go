package ingest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"razao/index/flags"
	"razao/internal/registry"
)

// activeLoads returns the loads in service by source.
func (in *Ingester) activeLoads(ctx context.Context) (map[string]*registry.Load, error) {
	loads, err := in.Store.Loads(ctx)
	if err != nil {
		return nil, err
	}
	return active(loads), nil
}

func active(loads []registry.Load) map[string]*registry.Load {
	active := map[string]*registry.Load{}
	for i := range loads {
		if loads[i].Active {
			active[loads[i].Source] = &loads[i]
		}
	}
	return active
}

// former returns the load of a source that a rollback goes to, nil when there is none: of those of another edition than the one
// in service, the one that was served last.
func former(loads []registry.Load, source string) *registry.Load {
	now := active(loads)[source]
	return lastServed(loads, source, func(l *registry.Load) bool { return now == nil || l.Edition != now.Edition })
}

func lastServed(loads []registry.Load, source string, among func(*registry.Load) bool) (last *registry.Load) {
	for i := range loads {
		l := &loads[i]
		if l.Source != source || l.State != registry.LoadReady || l.Active || l.ServedAt == nil || !among(l) {
			continue
		}
		if last == nil || l.ServedAt.After(*last.ServedAt) {
			last = l
		}
	}
	return last
}

// linked returns the load of an edition whose links were inferred with a Receita load, nil when there is none.
func linked(loads []registry.Load, edition, receita int64) *registry.Load {
	for i := range loads {
		l := &loads[i]
		if l.State == registry.LoadReady && l.Edition == edition && l.LinkedTo == receita && receita != 0 {
			return l
		}
	}
	return nil
}

// needed returns the loads that are in service, that a rollback goes to, and that servers which have not switched yet serve.
func needed(loads []registry.Load) map[int64]bool {
	ids := map[int64]bool{}
	active := active(loads)
	for _, now := range active {
		ids[now.ID] = true
		before := lastServed(loads, now.Source, func(*registry.Load) bool { return true })
		for _, l := range []*registry.Load{before, former(loads, now.Source)} {
			if l != nil {
				ids[l.ID] = true
			}
		}
	}
	// Of the edition of BNDES in service also the load that goes with the former Receita load.
	if operations, companies := active[bndesID], former(loads, registry.Receita); operations != nil && companies != nil {
		if l := linked(loads, operations.Edition, companies.ID); l != nil {
			ids[l.ID] = true
		}
	}
	return ids
}

// clean deletes what neither the snapshot in service nor a rollback needs, and returns the complete loads that are gone with
// it. The caller holds the lock, so a load that is still running on paper is dead. A load is marked before its records are
// deleted: whatever interrupts that leaves something unused, which the next call finds.
func (in *Ingester) clean(ctx context.Context) (gone []int64, err error) {
	if err := in.lock.Held(ctx); err != nil {
		return nil, err
	}
	loads, err := in.Store.Loads(ctx)
	if err != nil {
		return nil, err
	}
	needed := needed(loads)
	for i := range loads {
		l := &loads[i]
		switch {
		case l.State == registry.LoadRunning:
			in.Log.Warn("clearing up after an interrupted load", "load", l.ID, "source", l.Source, "period", l.Period)
			l.State, l.Reason = registry.LoadFailed, "interrupted"
			err = in.Store.EndLoad(ctx, l)
		case l.State == registry.LoadReady && !needed[l.ID]:
			in.Log.Info("deleting a former load", "load", l.ID, "source", l.Source, "period", l.Period)
			gone, err = append(gone, l.ID), in.Store.Retire(ctx, l.ID)
		}
		if err != nil {
			return nil, err
		}
	}
	unused, err := in.unused(ctx)
	if err != nil {
		return nil, err
	}
	for _, u := range unused {
		in.Log.Info("deleting what nothing uses", "kind", u.Kind, "name", u.Name, "bytes", u.Bytes)
		if err := u.remove(ctx); err != nil {
			return nil, fmt.Errorf("delete %s %s: %w", u.Kind, u.Name, err)
		}
	}
	return gone, flags.Sweep(in.IndexDir, func(load int64) bool { return needed[load] })
}

// Unused is something that loads have left behind and nothing uses.
type Unused struct {
	Kind   string // schema, index or work
	Name   string // of the schema, or of the folder in that of the indexes or of temporary files
	Bytes  int64
	remove func(ctx context.Context) error
}

// Unused returns what the next run will delete. It is an ErrBusy while a load is running, which uses some of it.
func (in *Ingester) Unused(ctx context.Context) ([]Unused, error) {
	holder, err := in.Store.Holder(ctx)
	if err != nil {
		return nil, err
	}
	if holder != "" {
		return nil, fmt.Errorf("%w: %s", registry.ErrBusy, holder)
	}
	return in.unused(ctx)
}

func (in *Ingester) unused(ctx context.Context) (all []Unused, err error) {
	loads, err := in.Store.Loads(ctx)
	if err != nil {
		return nil, err
	}
	ready := map[int64]bool{}
	for _, l := range loads {
		ready[l.ID] = l.State == registry.LoadReady
	}
	stored, err := in.Store.Stored(ctx)
	if err != nil {
		return nil, err
	}
	for _, s := range stored {
		if !ready[s.Load] {
			drop := func(ctx context.Context) error { return in.Store.DropRecords(ctx, s.Load) }
			all = append(all, Unused{"schema", s.Schema, s.Bytes, drop})
		}
	}
	indexes, err := in.usedIndexes(ctx, loads)
	if err != nil {
		return nil, err
	}
	err = addFolders(&all, "index", in.IndexDir, func(name string) bool { return indexes[name] || !indexFolder.MatchString(name) })
	if err != nil {
		return nil, err
	}
	return all, addFolders(&all, "work", in.WorkDir, func(string) bool { return false })
}

// usedIndexes returns the index in service, and of every other Receita load the one that would be served with it.
func (in *Ingester) usedIndexes(ctx context.Context, loads []registry.Load) (map[string]bool, error) {
	snapshot, err := in.currentSnapshot(ctx)
	if err != nil {
		return nil, err
	}
	used := map[string]bool{snapshot.IndexName: true}
	for _, l := range loads {
		if l.Source != registry.Receita || l.State != registry.LoadReady || l.Active {
			continue
		}
		numbers, err := in.indexesOf(l.ID)
		if err != nil {
			return nil, err
		}
		if len(numbers) > 0 {
			used[indexName(l.ID, slices.Max(numbers))] = true
		}
	}
	return used, nil
}

// addFolders adds what is in a folder and not used.
func addFolders(all *[]Unused, kind, dir string, used func(name string) bool) error {
	entries, err := readDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if used(e.Name()) {
			continue
		}
		path := filepath.Join(dir, e.Name())
		size, err := sizeOf(path)
		if err != nil {
			return fmt.Errorf("size of %s %s: %w", kind, e.Name(), err)
		}
		remove := func(context.Context) error { return os.RemoveAll(path) }
		*all = append(*all, Unused{kind, e.Name(), size, remove})
	}
	return nil
}

// readDir returns what is in a folder, nothing when it does not exist.
func readDir(dir string) ([]fs.DirEntry, error) {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("look for what nothing uses: %w", err)
	}
	return entries, nil
}

// sizeOf returns the bytes of the files below a path.
func sizeOf(path string) (size int64, err error) {
	err = filepath.WalkDir(path, func(_ string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		if err == nil {
			size += info.Size()
		}
		return err
	})
	return size, err
}
