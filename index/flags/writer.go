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
	"razao/internal/data/cnpj"
)

// Writer writes the flags of loads for one index. It keeps the shards open and mapped until Close.
// Different loads may be written concurrently.
type Writer struct {
	dir      string
	manifest folder.Manifest
	shards   []*segment.Shard
}

// NewWriter opens the index in dir. The errors are those of index.Open: folder.ErrFormat and
// folder.ErrDamaged among them.
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

// open opens the shards; a fault or panic while they are parsed becomes folder.ErrDamaged.
func (w *Writer) open() (err error) {
	defer folder.Guard(&err)()
	w.shards, err = segment.OpenAll(w.dir, w.manifest.Shards)
	return err
}

// Close unmaps the shards. No Write may be running.
func (w *Writer) Close() error { return segment.CloseAll(w.shards) }

// Has reports whether the flags of a load exist and are whole; it reads and verifies the file.
func (w *Writer) Has(source string, load int64) bool {
	_, err := Open(w.dir, &w.manifest, source, load)
	return err == nil
}

// Size returns the size in bytes of a load's flags in the index folder dir, 0 when they are
// missing.
func Size(dir, source string, load int64) int64 {
	info, err := os.Stat(filepath.Join(dir, folderName, nameOf(source, load)))
	if err != nil {
		return 0
	}
	return info.Size()
}

// Write writes the flags of one load. Up to workers goroutines (at least one) join a shard each.
// The file appears under its name complete and synced, or not at all; an existing one is replaced.
// When ctx ends, no further shard is begun and its error is returned. The records must not be
// changed meanwhile.
func (w *Writer) Write(ctx context.Context, source string, load int64, records *Records, workers int) error {
	shards := make([][]byte, len(w.shards))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(max(workers, 1))
	for i, s := range slices.Backward(w.shards) { // largest first, so that workers finish together
		g.Go(func() (err error) {
			if err = ctx.Err(); err == nil {
				shards[i], err = encodeShard(s, records)
			}
			s.ReleasePages() // else the keys of all shards add up
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

// encodeShard returns the part of the file for one shard.
func encodeShard(s *segment.Shard, records *Records) ([]byte, error) {
	measured := records.measured()
	docs, ownerOf, err := documentsOf(s, records.establishments.all)
	if err != nil {
		return nil, err
	}
	out, err := records.establishments.appendSection(nil, docs, ownerOf, measured)
	if err != nil {
		return nil, err
	}
	all, companyOf, err := documentsOf(s, records.companies.all)
	if err != nil {
		return nil, err
	}
	more := roaring.New()
	all.Iterate(func(doc uint32) bool {
		if !records.alone[companyOf[doc]] || !docs.Contains(doc) {
			more.Add(doc)
		}
		return true
	})
	return records.companies.appendSection(out, more, companyOf, measured)
}

// appendSection appends the bitmap of documents with its length, then their columns.
func (o *owners) appendSection(dst []byte, docs *roaring.Bitmap, ownerOf []uint32, measured int64) ([]byte, error) {
	bitmap, err := docs.ToBytes()
	if err != nil {
		return nil, err
	}
	dst = append(binary.LittleEndian.AppendUint32(dst, uint32(len(bitmap))), bitmap...)
	for m := range o.columns {
		if measured>>m&1 == 0 {
			continue
		}
		docs.Iterate(func(doc uint32) bool {
			dst = o.columns[m].appendThing(dst, int(ownerOf[doc]))
			return true
		})
	}
	return dst, nil
}

// documentsOf returns the documents of a shard that have an owner and, indexed by document, the
// position of that owner. Keys and owners both ascend by CNPJ, so this is a leapfrog join: the side
// that is behind gallops to the position of the other, and runs on either side that have no
// counterpart are skipped in logarithmic time.
func documentsOf(s *segment.Shard, owners []owner) (_ *roaring.Bitmap, ownerOf []uint32, err error) {
	defer folder.Guard(&err)()
	v := s.View()
	defer v.Release()
	if len(owners) == 0 {
		return roaring.New(), nil, nil
	}
	marks := make([]uint64, (v.Docs()+63)/64)
	ownerOf = make([]uint32, v.Docs())
	all := len(owners)
	keys, ok, err := v.Keys(owners[0].first, owners[all-1].last)
	for ok && err == nil {
		owners = skip(owners, keys.Key) // never empty: the keys end at the last owner's end
		if first := owners[0].first; keys.Key < first {
			ok, err = keys.Seek(first)
			continue
		}
		marks[keys.Doc/64] |= 1 << (keys.Doc % 64)
		ownerOf[keys.Doc] = uint32(all - len(owners))
		ok, err = keys.Next()
	}
	docs := roaring.FromDense(marks, true)
	docs.RunOptimize()
	return docs, ownerOf, err
}

// skip returns the owners from the first one that ends at number or after it. It gallops: steps
// double until one overshoots, then a binary search within the last step.
func skip(owners []owner, number cnpj.Full) []owner {
	step := 1
	for step < len(owners) && owners[step-1].last < number {
		owners, step = owners[step:], 2*step
	}
	step = min(step, len(owners))
	return owners[sort.Search(step, func(i int) bool { return owners[i].last >= number }):]
}

// Sweep deletes the flags of loads that are not kept from every index below the folder indexes, and
// unfinished files of killed processes. It continues after an error and returns all of them.
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

// SweepIndex is Sweep for a single index folder. Any other file in its subfolder of flags is
// deleted too.
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

// List returns the paths of all flags relative to an index folder, with slashes; nil when it has
// none.
func List(dir string) (paths []string, err error) {
	entries, err := entriesOf(filepath.Join(dir, folderName))
	for _, e := range entries {
		if _, ok := loadOf(e.Name()); ok {
			paths = append(paths, folderName+"/"+e.Name())
		}
	}
	return paths, err
}

// IsPath reports whether path, with slashes, may be that of flags relative to an index folder. It
// rejects path traversal, so paths from elsewhere can be tested with it.
func IsPath(path string) bool {
	dir, name, _ := strings.Cut(path, "/")
	_, ok := loadOf(name)
	return dir == folderName && fs.ValidPath(path) && !strings.Contains(name, "/") && ok
}

// entriesOf is os.ReadDir, but without an error for a missing folder.
func entriesOf(dir string) ([]fs.DirEntry, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return entries, err
}
