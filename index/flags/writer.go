package flags

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"
	"golang.org/x/sync/errgroup"

	"razao/index/folder"
	"razao/index/segment"
	"razao/internal/cnpj"
)

// Writer writes the flags of loads for one index.
type Writer struct {
	dir      string
	manifest folder.Manifest
	shards   []*segment.Shard
}

// NewWriter opens an index folder to write flags for. The errors are those of index.Open.
func NewWriter(dir string) (*Writer, error) {
	m, err := folder.Read(dir)
	if err != nil {
		return nil, fmt.Errorf("index %s: %w", dir, err)
	}
	w := &Writer{dir: dir, manifest: m}
	if err := w.open(); err != nil {
		return nil, fmt.Errorf("index %s: %w", dir, err)
	}
	return w, nil
}

func (w *Writer) open() (err error) {
	defer folder.Guard(&err)()
	w.shards, err = segment.OpenAll(w.dir, w.manifest.Shards)
	return err
}

// Close releases the index.
func (w *Writer) Close() error { return segment.CloseAll(w.shards) }

// Has reports whether the flags of a load are there and whole.
func (w *Writer) Has(source string, load int64) bool {
	_, err := Open(w.dir, &w.manifest, source, load)
	return err == nil
}

// Size returns the bytes of the flags of a load beside the index in dir, 0 when there are none.
func Size(dir, source string, load int64) int64 {
	info, err := os.Stat(filepath.Join(dir, folderName, nameOf(source, load)))
	if err != nil {
		return 0
	}
	return info.Size()
}

// Write writes the flags of a load of a source, which has records. Workers goroutines look at a shard each. The file is complete or not
// there.
func (w *Writer) Write(ctx context.Context, source string, load int64, records *Records, workers int) error {
	shards := make([][]byte, len(w.shards))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(max(workers, 1))
	for i, s := range slices.Backward(w.shards) { // the largest first, so that all workers end together
		g.Go(func() (err error) {
			if err = ctx.Err(); err == nil {
				shards[i], err = encodeShard(s, records)
			}
			return err
		})
	}
	err := g.Wait()
	if err == nil {
		path := filepath.Join(w.dir, folderName, nameOf(source, load))
		err = folder.Put(path, encode(&w.manifest, load, records.measured(), shards))
	}
	if err != nil {
		return fmt.Errorf("flags of %s, load %d: %w", source, load, err)
	}
	return nil
}

// encodeShard returns the part of a shard in the file.
func encodeShard(s *segment.Shard, records *Records) ([]byte, error) {
	measured := records.measured()
	docs, places, err := documentsOf(s, records.owners)
	if err != nil {
		return nil, err
	}
	bitmap, err := docs.ToBytes()
	if err != nil {
		return nil, err
	}
	out := append(binary.LittleEndian.AppendUint32(nil, uint32(len(bitmap))), bitmap...)
	for m := range records.columns {
		if measured>>m&1 == 0 {
			continue
		}
		docs.Iterate(func(doc uint32) bool {
			out = records.columns[m].appendThing(out, int(places[doc]))
			return true
		})
	}
	return out, nil
}

// documentsOf returns the documents of a shard that are owners, and by their numbers the places among these. Both rise by CNPJ: it is a
// leapfrog join, in which the side that is behind skips to where the other stands.
func documentsOf(s *segment.Shard, owners []owner) (_ *roaring.Bitmap, places []uint32, err error) {
	defer folder.Guard(&err)()
	v := s.View()
	defer v.Release()
	if len(owners) == 0 {
		return roaring.New(), nil, nil
	}
	marks := make([]uint64, (v.Docs()+63)/64)
	places = make([]uint32, v.Docs())
	all := len(owners)
	keys, ok, err := v.Keys(owners[0].first, owners[all-1].last)
	for ok && err == nil {
		owners = skip(owners, keys.Key) // the last one ends where the keys do, so that one is left
		if first := owners[0].first; keys.Key < first {
			ok, err = keys.Seek(first)
			continue
		}
		marks[keys.Doc/64] |= 1 << (keys.Doc % 64)
		places[keys.Doc] = uint32(all - len(owners))
		ok, err = keys.Next()
	}
	docs := roaring.FromDense(marks, true)
	docs.RunOptimize()
	return docs, places, err
}

// skip returns the owners from the first one that does not end before a number, found in steps that double (galloping).
func skip(owners []owner, number cnpj.Full) []owner {
	step := 1
	for step < len(owners) && owners[step-1].last < number {
		owners, step = owners[step:], 2*step
	}
	step = min(step, len(owners))
	return owners[sort.Search(step, func(i int) bool { return owners[i].last >= number }):]
}

// Sweep deletes from every index below a folder the flags of loads that are not kept, and what a killed process left of writing one.
func Sweep(indexes string, kept func(load int64) bool) error {
	entries, err := entriesOf(indexes)
	for _, e := range entries {
		if e.IsDir() {
			err = errors.Join(err, SweepIndex(filepath.Join(indexes, e.Name()), kept))
		}
	}
	if err != nil {
		return fmt.Errorf("flags of sources: %w", err)
	}
	return nil
}

// SweepIndex is Sweep for the index in one folder.
func SweepIndex(dir string, kept func(load int64) bool) error {
	dir = filepath.Join(dir, folderName)
	entries, err := entriesOf(dir)
	for _, e := range entries {
		if load, ok := loadOf(e.Name()); ok && kept(load) && !strings.HasSuffix(e.Name(), folder.TemporarySuffix) {
			continue
		}
		err = errors.Join(err, os.Remove(filepath.Join(dir, e.Name())))
	}
	return err
}

// List returns the paths of the flags in an index folder, with slashes.
func List(dir string) (paths []string, err error) {
	entries, err := entriesOf(filepath.Join(dir, folderName))
	for _, e := range entries {
		if _, ok := loadOf(e.Name()); ok {
			paths = append(paths, folderName+"/"+e.Name())
		}
	}
	return paths, err
}

// IsPath says whether a path, with slashes, can be that of flags in an index folder.
func IsPath(path string) bool {
	dir, name, _ := strings.Cut(path, "/")
	_, ok := loadOf(name)
	return dir == folderName && fs.ValidPath(path) && !strings.Contains(name, "/") && ok
}

// entriesOf returns what is in a folder, nothing when there is none.
func entriesOf(dir string) ([]fs.DirEntry, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return entries, err
}
