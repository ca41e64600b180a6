package ingest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"

	"razao/index/folder"
	"razao/internal/data/record"
	"razao/internal/store/registry"
	"razao/internal/store/registry/pack"
)

// RebuildIndex builds a new search index of the companies in service from the record store alone
// and publishes it with the same loads. It returns the manifest of the new index. The replaced
// index stays until the next clean-up, because a server that has not switched yet may still open
// files of it.
func (in *Ingester) RebuildIndex(ctx context.Context) (folder.Manifest, error) {
	release, err := in.lockAndClean(ctx)
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
	out, err := in.newOutputs(&view.Load, name, work)
	if err != nil {
		return folder.Manifest{}, err
	}
	defer out.abort()
	if err := out.rebuild(ctx, view); err != nil {
		return folder.Manifest{}, err
	}
	if err := out.finish(ctx); err != nil {
		return folder.Manifest{}, err
	}
	if err := in.Store.KeepTree(ctx, view.Load.ID, view.Load.Tree); err != nil {
		return folder.Manifest{}, err
	}
	return out.documents.manifest, in.publish(ctx, nil, name)
}

// indexFolder matches names of index folders: 000042 is the first index of load 42, 000042-2 the
// second, and the suffix ".tmp" marks one that is being built.
var indexFolder = regexp.MustCompile(`^(\d{6,})(?:-(\d{1,9}))?(\.tmp)?$`)

// indexName returns the folder of the nth index of a load, n from 1. The first one is made by the
// load itself.
func indexName(load int64, n int) string {
	name := fmt.Sprintf("%06d", load)
	if n > 1 {
		name += "-" + strconv.Itoa(n)
	}
	return name
}

// indexesOf returns the numbers of the complete indexes of a load, rising.
func (in *Ingester) indexesOf(load int64) (numbers []int, err error) {
	entries, err := readDir(in.IndexDir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		parts := indexFolder.FindStringSubmatch(e.Name())
		if parts == nil || parts[1] != indexName(load, 1) || parts[3] != "" {
			continue
		}
		n, _ := strconv.Atoi(parts[2]) // "" is the first; nine digits cannot overflow
		numbers = append(numbers, max(n, 1))
	}
	slices.Sort(numbers)
	return numbers, nil
}

// newestIndex returns the folder name of the last index built of a load. If there is none, the
// error names the command that builds one.
func (in *Ingester) newestIndex(load int64) (string, error) {
	numbers, err := in.indexesOf(load)
	if err != nil {
		return "", err
	}
	if len(numbers) == 0 {
		return "", fmt.Errorf("load %d has no search index in %s: build it with `razao index build`", load, in.IndexDir)
	}
	return indexName(load, slices.Max(numbers)), nil
}

// nextIndexName returns the folder name for a further index of a load.
func (in *Ingester) nextIndexName(load int64) (string, error) {
	numbers, err := in.indexesOf(load)
	if err != nil {
		return "", err
	}
	return indexName(load, slices.Max(append(numbers, 1))+1), nil
}

// rebuild writes what merge writes to o, from the records in the view, with one goroutine. It fails if the store holds another number of establishments than its load
// counted.
func (o *outputs) rebuild(ctx context.Context, view *registry.View) error {
	total, progress := view.Load.Counts.Establishments, o.in.progress("documents")
	m := o.emitter()
	var done int64
	err := view.Scan(ctx, func(h *pack.Head, partners []record.Partner, establishments *pack.EstablishmentCursor) error {
		m.begin(h.Root, h.Establishments)
		for i := range partners {
			m.partner(&partners[i])
		}
		if err := m.named(); err != nil {
			return err
		}
		for establishments.Next() {
			if err := m.establishment(&h.Company, &h.Simples, &establishments.Establishment); err != nil {
				return err
			}
			done++
		}
		progress(done, total)
		err := o.pages.add(m.pages)
		m.pages = m.pages[:0]
		return errors.Join(err, establishments.Err())
	})
	if err != nil {
		return fmt.Errorf("documents from the record store: %w", err)
	}
	if done != total {
		return fmt.Errorf("the record store holds %d establishments, its load %d", done, total)
	}
	if err := m.close(); err != nil {
		return err
	}
	return view.EachRow(ctx, o.row)
}
