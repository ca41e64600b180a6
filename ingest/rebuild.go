package ingest

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"

	"razao/index/folder"
)

// RebuildIndex builds the search index of the load in service again, from the record store alone, and publishes it. The index
// that was in service until then stays until the next run: a server that has not switched yet opens files of it.
func (in *Ingester) RebuildIndex(ctx context.Context) (folder.Manifest, error) {
	release, err := in.begin(ctx)
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
	if err := in.output("documents", found).Rebuild(ctx, view); err != nil {
		return folder.Manifest{}, err
	}
	manifest, err := in.finish(ctx, found, view.Load.ID)
	if err != nil {
		return folder.Manifest{}, err
	}
	return manifest, in.publish(ctx, nil, name)
}

// indexFolder matches the folders of indexes, 000042 or 000042-2 when it was built again, and those being built.
var indexFolder = regexp.MustCompile(`^(\d{6,})(?:-(\d{1,9}))?(\.tmp)?$`)

// indexName is the folder of the n-th index that is built of a load; the first one comes with it.
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
		n, _ := strconv.Atoi(parts[2]) // "" is the first
		numbers = append(numbers, max(n, 1))
	}
	slices.Sort(numbers)
	return numbers, nil
}

// newestIndex returns the folder of the index that was last built of a load.
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

// nextIndexName returns a folder name for one more index of a load.
func (in *Ingester) nextIndexName(load int64) (string, error) {
	numbers, err := in.indexesOf(load)
	if err != nil {
		return "", err
	}
	return indexName(load, slices.Max(append(numbers, 1))+1), nil
}
