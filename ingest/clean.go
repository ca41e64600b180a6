package ingest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"razao/index/flags"
	"razao/internal/store/registry"
)

// activeLoads returns the loads in service by source id.
func (in *Ingester) activeLoads(ctx context.Context) (map[string]*registry.Load, error) {
	loads, err := in.Store.Loads(ctx)
	if err != nil {
		return nil, err
	}
	return active(loads), nil
}

// active returns the loads in service by source id. The pointers are into loads.
func active(loads []registry.Load) map[string]*registry.Load {
	active := map[string]*registry.Load{}
	for i := range loads {
		if loads[i].Active {
			active[loads[i].Source] = &loads[i]
		}
	}
	return active
}

// former returns the load that a rollback of the source puts in service, nil if there is none: the
// one served last among those of another edition than the edition in service. Loads of BNDES that
// only differ in their links share an edition, and rolling back between them would change nothing
// that was published.
func former(loads []registry.Load, source string) *registry.Load {
	now := active(loads)[source]
	return lastServed(loads, source, func(l *registry.Load) bool { return now == nil || l.Edition != now.Edition })
}

// lastServed returns the load of the source that was in service last and is not now, of those that
// are complete and pass among; nil if there is none.
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

// linked returns the complete load of an edition whose links were inferred with the given Receita
// load, nil if there is none.
func linked(loads []registry.Load, edition, receita int64) *registry.Load {
	for i := range loads {
		l := &loads[i]
		if l.State == registry.LoadReady && l.Edition == edition && l.LinkedTo == receita && receita != 0 {
			return l
		}
	}
	return nil
}

// needed returns the ids of the loads that must be kept: those in service, those that a rollback
// would serve, those that servers which have not switched yet still serve, and the last one that passed the checks, where one of
// these did not. Everything else may be deleted; clean asks only this function.
func needed(loads []registry.Load) map[int64]bool {
	ids := map[int64]bool{}
	active := active(loads)
	for _, now := range active {
		ids[now.ID] = true
		// Also of the same edition: a server may not have seen the last publication yet.
		before := lastServed(loads, now.Source, func(*registry.Load) bool { return true })
		forced := len(now.Overruled) > 0
		for _, l := range []*registry.Load{before, former(loads, now.Source)} {
			if l != nil {
				ids[l.ID] = true
				forced = forced || len(l.Overruled) > 0
			}
		}
		if passed := lastServed(loads, now.Source, func(l *registry.Load) bool { return len(l.Overruled) == 0 && !ids[l.ID] }); forced && passed != nil {
			ids[passed.ID] = true
		}
	}
	// A rollback of the companies also switches BNDES to the load that is linked to them.
	if operations, companies := active[bndesID], former(loads, registry.Receita); operations != nil && companies != nil {
		if l := linked(loads, operations.Edition, companies.ID); l != nil {
			ids[l.ID] = true
		}
	}
	return ids
}

// LeftoverError says what nothing uses and yet could not be deleted, and why. It is always a pointer.
type LeftoverError struct {
	Left []error // each names one thing
}

// Error has a line for each thing that stays.
func (e *LeftoverError) Error() string {
	return fmt.Sprintf("nothing uses these, but they cannot be deleted:\n%v", errors.Join(e.Left...))
}

// clean deletes what neither the snapshot in service nor a rollback needs, and returns the ids of
// the complete loads that it deleted. What cannot be deleted does not stop it: the error is then a
// [*LeftoverError]. The caller holds the lock, so a load in the state "loading" belongs to a dead
// process. A load changes state before its records are deleted: an interruption leaves unused data,
// which the next call finds.
func (in *Ingester) clean(ctx context.Context) (gone []int64, err error) {
	if err := in.lock.Held(ctx); err != nil {
		return nil, err
	}
	loads, err := in.Store.Loads(ctx)
	if err != nil {
		return nil, err
	}
	needed := needed(loads)
	if gone, err = in.retire(ctx, loads, needed); err != nil {
		return gone, err
	}
	if err := in.Store.ForgetHistory(ctx); err != nil {
		return gone, err
	}
	unused, err := in.unused(ctx)
	if err != nil {
		return gone, err
	}
	stuck, err := in.remove(ctx, unused)
	if err != nil {
		return gone, err
	}
	var left []error
	for u, why := range stuck {
		left = append(left, fmt.Errorf("%s %s: %w", u.Kind, u.Name, why))
		gone = slices.DeleteFunc(gone, func(load int64) bool { return load == u.load })
	}
	if err := flags.Sweep(in.IndexDir, func(load int64) bool { return needed[load] }); err != nil {
		left = append(left, err)
	}
	if len(left) > 0 {
		slices.SortFunc(left, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
		return gone, &LeftoverError{left}
	}
	return gone, nil
}

// retire marks loads that were interrupted, and complete ones that are not needed, whose ids it returns.
func (in *Ingester) retire(ctx context.Context, loads []registry.Load, needed map[int64]bool) (gone []int64, err error) {
	for i := range loads {
		l := &loads[i]
		switch {
		case l.State == registry.LoadRunning:
			in.Log.Warn("clearing up after an interrupted load", "load", l.ID, "source", l.Source, "period", l.Period)
			l.State, l.Reason = registry.LoadFailed, "interrupted"
			err = in.Store.EndLoad(ctx, l)
		case l.State == registry.LoadReady && !needed[l.ID]:
			in.Log.Info("deleting a former load", "load", l.ID, "source", l.Source, "period", l.Period)
			if err = in.Store.Retire(ctx, l.ID); err == nil {
				gone = append(gone, l.ID)
			}
		}
		if err != nil {
			return gone, err
		}
	}
	return gone, nil
}

// remove deletes what nothing uses and returns what cannot be deleted, and why. Records that are being
// read come last, since only they have to be waited for. The error is that of ctx.
func (in *Ingester) remove(ctx context.Context, unused []Leftover) (stuck map[*Leftover]error, err error) {
	stuck = map[*Leftover]error{}
	var busy []*Leftover
	for i := range unused {
		u := &unused[i]
		in.Log.Info("deleting what nothing uses", "kind", u.Kind, "name", u.Name, "bytes", u.Bytes)
		err := u.remove(ctx)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case errors.Is(err, registry.ErrInUse):
			busy = append(busy, u)
		case err != nil:
			stuck[u] = err
		}
	}
	for _, u := range busy {
		in.Log.Info("waiting for those who read what nothing uses", "kind", u.Kind, "name", u.Name)
		if err := in.Store.DropRecords(ctx, u.load); ctx.Err() != nil {
			return nil, ctx.Err()
		} else if err != nil {
			stuck[u] = err
		}
	}
	return stuck, nil
}

// Leftover is a schema or folder that a load left behind and nothing uses.
type Leftover struct {
	Kind   string // "schema", "index" or "work"
	Name   string // of the schema, or of the folder below IndexDir or WorkDir
	Bytes  int64  // on disk, as far as that can be read
	load   int64  // whose schema it is; 0: a folder
	remove func(ctx context.Context) error
}

// Unused returns what the next clean-up will delete. It deletes nothing. While another process is
// loading it returns [registry.ErrBusy], because it could not tell that load's files from garbage.
func (in *Ingester) Unused(ctx context.Context) ([]Leftover, error) {
	holder, err := in.Store.Holder(ctx)
	if err != nil {
		return nil, err
	}
	if holder != "" {
		return nil, fmt.Errorf("%w: %s", registry.ErrBusy, holder)
	}
	return in.unused(ctx)
}

// unused is Unused for the holder of the lock: schemas of loads that are not ready, index folders
// that no load needs, and everything in the folder for temporary files. Entries of IndexDir whose
// names are not those of indexes are not ours and are left alone.
func (in *Ingester) unused(ctx context.Context) (all []Leftover, err error) {
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
			drop := func(ctx context.Context) error { return in.Store.TryDropRecords(ctx, s.Load) }
			all = append(all, Leftover{"schema", s.Schema, s.Bytes, s.Load, drop})
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

// usedIndexes returns the index in service and, for each other complete load of the Receita, its
// newest index: the one that a rollback would serve.
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

// addFolders appends the entries of dir for which used is false.
func addFolders(all *[]Leftover, kind, dir string, used func(name string) bool) error {
	entries, err := readDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if used(e.Name()) {
			continue
		}
		path := filepath.Join(dir, e.Name())
		remove := func(context.Context) error { return os.RemoveAll(path) }
		*all = append(*all, Leftover{kind, e.Name(), sizeOf(path), 0, remove})
	}
	return nil
}

// readDir returns the entries of dir; a folder that does not exist has none.
func readDir(dir string) ([]fs.DirEntry, error) {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("look for what nothing uses: %w", err)
	}
	return entries, nil
}

// sizeOf returns the bytes of the files below a path, of those that can be read.
func sizeOf(path string) (size int64) {
	_ = filepath.WalkDir(path, func(_ string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return nil // what cannot be read has no size, and stops nothing
		}
		if info, err := e.Info(); err == nil {
			size += info.Size()
		}
		return nil
	})
	return size
}
