package ingest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"razao/index/flags"
	"razao/index/folder"
	"razao/internal/cnpj"
	"razao/internal/registry"
)

// publish makes loads and an index, "" for the one in service, the current snapshot, once that index has the flags of the
// snapshot's sources.
func (in *Ingester) publish(ctx context.Context, loads map[string]int64, name string) error {
	former, err := in.currentSnapshot(ctx)
	if err != nil {
		return err
	}
	all := map[string]int64{}
	maps.Copy(all, former.Loads)
	maps.Copy(all, loads)
	delete(all, registry.Receita)
	if used := cmp.Or(name, former.IndexName); used != "" {
		err := in.flag(ctx, used, all)
		if errors.Is(err, folder.ErrDamaged) || errors.Is(err, folder.ErrFormat) {
			// Servers say so as well, and serve the records.
			in.Log.Warn("the index does not know the records of sources", "index", used, "error", err)
		} else if err != nil {
			return err
		}
	}
	_, err = in.Store.Publish(ctx, loads, name)
	return err
}

// flag writes the flags that an index lacks of the loads of sources. Without a usable index the error is folder.ErrDamaged or
// folder.ErrFormat.
func (in *Ingester) flag(ctx context.Context, name string, loads map[string]int64) (err error) {
	w, err := flags.NewWriter(filepath.Join(in.IndexDir, name))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	report := in.progress("flags of sources")
	for i, id := range slices.Sorted(maps.Keys(loads)) {
		if !w.Has(id, loads[id]) {
			if err := in.flagLoad(ctx, w, id, loads[id]); err != nil {
				return err
			}
		}
		report(int64(i+1), int64(len(loads)))
	}
	return nil
}

func (in *Ingester) flagLoad(ctx context.Context, w *flags.Writer, id string, load int64) error {
	var owners []flags.Owners
	err := in.Store.Owners(ctx, id, load, func(first, last cnpj.Full) { owners = append(owners, flags.Owners{First: first, Last: last}) })
	if err != nil {
		return err
	}
	return w.Write(ctx, id, load, owners, in.workers())
}

// sweepFlags deletes the flags of loads that are not kept from every index.
func (in *Ingester) sweepFlags(kept func(load int64) bool) error {
	entries, err := os.ReadDir(in.IndexDir)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("index folder: %w", err)
	}
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		if err := flags.Sweep(filepath.Join(in.IndexDir, e.Name()), kept); err != nil {
			return err
		}
	}
	return nil
}
