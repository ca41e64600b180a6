package build_test

import (
	"context"
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/index/scorch"
	gocmp "github.com/google/go-cmp/cmp"

	"razao/index/build"
	"razao/index/folder"
	"razao/index/indextest"
	"razao/internal/data/cnpj"
)

// TestOrderIsRank reads the documents through plain Bleve: each stands where its rank puts it.
func TestOrderIsRank(t *testing.T) {
	t.Parallel()
	docs := indextest.Synthetic(20_000)
	dir := indextest.Build(t, docs, build.Options{Workers: 2, BucketBytes: 128 << 10, ShardDocs: 6000})
	m, err := folder.Read(dir)
	if err != nil || len(m.Shards) < 3 {
		t.Fatalf("%d shards, want several, %v", len(m.Shards), err)
	}
	slices.SortFunc(docs, func(a, b build.Doc) int { return indextest.CompareRank(&a, &b) })
	rank := 0
	for _, s := range m.Shards {
		for _, got := range plainBleve(t, filepath.Join(dir, s.Path), s.Docs) {
			if got != docs[rank].CNPJ {
				t.Fatalf("document %d is %s, want %s", rank, got, docs[rank].CNPJ)
			}
			rank++
		}
	}
	if rank != len(docs) {
		t.Errorf("%d documents, want %d", rank, len(docs))
	}
}

// plainBleve opens a shard as any program would and returns its documents in order. It also asks a scored query, which
// reads what the segment says about frequencies.
func plainBleve(t *testing.T, dir string, docs int64) []cnpj.Full {
	t.Helper()
	idx, err := bleve.OpenUsing(dir, map[string]any{"read_only": true})
	if err != nil {
		t.Fatal(err)
	}
	defer idx.Close()
	if n, err := idx.DocCount(); err != nil || int64(n) != docs {
		t.Errorf("DocCount() = %d, %v; want %d", n, err, docs)
	}
	query := bleve.NewTermQuery("comercio")
	query.SetField("n")
	result, err := idx.Search(bleve.NewSearchRequest(query))
	if err != nil {
		t.Fatal(err)
	}
	if result.Total == 0 || len(result.Hits) == 0 || len(result.Hits[0].ID) != 8 {
		t.Errorf("a plain query finds %d in %s", result.Total, filepath.Base(dir))
	}
	advanced, err := idx.Advanced()
	if err != nil {
		t.Fatal(err)
	}
	reader, err := advanced.Reader()
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	var out []cnpj.Full
	for i := range uint64(docs) {
		id, err := reader.(*scorch.IndexSnapshot).Segments()[0].DocID(i)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, cnpj.Full(binary.BigEndian.Uint64(id)))
	}
	return out
}

// TestBuildIsDeterministic adds the same documents in another order, through several writers.
func TestBuildIsDeterministic(t *testing.T) {
	t.Parallel()
	docs := indextest.Synthetic(5000)
	first := indextest.Build(t, docs, build.Options{})
	dir := filepath.Join(t.TempDir(), "index")
	b, err := build.New(dir, build.Options{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for k := range 3 {
		w := b.Writer()
		wg.Go(func() {
			for i := len(docs) - 1 - k; i >= 0; i -= 3 {
				if err := w.Add(&docs[i]); err != nil {
					t.Error(err)
				}
			}
			if err := w.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	m, err := b.Finish(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var want folder.Manifest
	if want, err = folder.Read(first); err != nil {
		t.Fatal(err)
	}
	segments := func(m folder.Manifest) []folder.File { // and the files beside the shards; those of Bleve around a segment differ
		return slices.DeleteFunc(slices.Clone(m.Files), func(f folder.File) bool {
			return strings.Contains(f.Path, "/") && !strings.HasSuffix(f.Path, ".zap")
		})
	}
	if diff := gocmp.Diff(segments(want), segments(m)); diff != "" {
		t.Error(diff)
	}
}

func TestManifestOfBuild(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "index")
	stages := map[string]int64{}
	b, err := build.New(dir, build.Options{
		Load: 42, Month: "2026-09", Workers: 2, BucketBytes: 32 << 10, ShardDocs: 500,
		Progress: func(stage string, done, total int64) {
			if done <= stages[stage] || total != 2000 {
				t.Errorf("%s: %d of %d after %d", stage, done, total, stages[stage])
			}
			stages[stage] = done
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	add(t, b, indextest.Synthetic(2000))
	m, err := b.Finish(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if diff := gocmp.Diff(map[string]int64{"invert": 2000, "merge": 2000}, stages); diff != "" {
		t.Errorf("progress: %s", diff)
	}
	onDisk, err := folder.Read(dir)
	if diff := gocmp.Diff(m, onDisk); err != nil || diff != "" {
		t.Errorf("the manifest on disk differs: %v %s", err, diff)
	}
	if m.Format != folder.Format || m.Load != 42 || m.Month != "2026-09" || m.Docs != 2000 || m.BuiltAt.IsZero() {
		t.Errorf("manifest: %+v", m)
	}
	var docs int64
	for _, s := range m.Shards {
		docs += s.Docs
	}
	if docs != m.Docs || len(m.Files) != 3*len(m.Shards)+3+3+1+2+5 || m.Bytes() == 0 {
		t.Errorf("manifest: %d documents in shards, %d files, %d bytes", docs, len(m.Files), m.Bytes())
	}
	if err := onDisk.Verify(t.Context(), dir); err != nil {
		t.Error(err)
	}
	if err := b.Abort(); err != nil {
		t.Errorf("Abort after Finish: %v", err)
	}
	if err := onDisk.Verify(t.Context(), dir); err != nil {
		t.Errorf("after Abort: %v", err)
	}
}

func TestExistingFolderIsKept(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if _, err := build.New(dir, build.Options{}); !errors.Is(err, fs.ErrExist) {
		t.Errorf("NewBuilder on an existing folder: %v", err)
	}
}

// add adds documents through one writer.
func add(t *testing.T, b *build.Builder, docs []build.Doc) {
	t.Helper()
	w := b.Writer()
	for i := range docs {
		if err := w.Add(&docs[i]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestLeftoverIsReplaced(t *testing.T) {
	t.Parallel()
	parent := t.TempDir()
	dir := filepath.Join(parent, "index")
	var b *build.Builder
	for _, n := range []int{100, 1} { // the first is killed
		var err error
		if b, err = build.New(dir, build.Options{}); err != nil {
			t.Fatal(err)
		}
		add(t, b, indextest.Synthetic(n))
	}
	m, err := b.Finish(t.Context())
	if err != nil || m.Docs != 1 {
		t.Errorf("Finish: %d documents, %v; want 1", m.Docs, err)
	}
	if diff := gocmp.Diff([]string{"index"}, entries(t, parent)); diff != "" {
		t.Error(diff)
	}
}

// TestFailedBuildLeavesNothing fails at several points of a build, or gives up in the middle of a
// stage.
func TestFailedBuildLeavesNothing(t *testing.T) {
	t.Parallel()
	docs := indextest.Synthetic(3000)
	twice := slices.Clone(docs)
	twice[100] = twice[0]
	for name, c := range map[string]struct {
		docs   []build.Doc
		harm   func(dir string) error
		cancel string // the stage that is cancelled
		left   []string
		want   string
	}{
		"cancelled":              {docs: docs, cancel: "before", want: "context canceled"},
		"cancelled in inversion": {docs: docs, cancel: "invert", want: "context canceled"},
		"cancelled in merge":     {docs: docs, cancel: "merge", want: "context canceled"},
		"the same twice":         {docs: twice, want: "added twice"},
		"no place for it": {
			docs: docs, harm: func(dir string) error { return os.MkdirAll(filepath.Join(dir, "x"), 0o700) },
			left: []string{"index"}, want: "exist",
		},
		"folder went away": {docs: docs, harm: func(dir string) error { return os.RemoveAll(dir + ".tmp") }, want: "no such file"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			parent := t.TempDir()
			dir := filepath.Join(parent, "index")
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			b, err := build.New(dir, build.Options{
				Workers: 2, BucketBytes: 16 << 10, ShardDocs: 300,
				Progress: func(stage string, _, _ int64) {
					if stage == c.cancel {
						cancel()
					}
				},
			})
			if err != nil {
				t.Fatal(err)
			}
			add(t, b, c.docs)
			if c.harm != nil {
				err = c.harm(dir)
			}
			if err != nil {
				t.Fatal(err)
			}
			if c.cancel == "before" {
				cancel()
			}
			if _, err = b.Finish(ctx); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("Finish: %v, want %q", err, c.want)
			}
			if diff := gocmp.Diff(append([]string{}, c.left...), entries(t, parent)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestAbortLeavesNothing(t *testing.T) {
	t.Parallel()
	parent := t.TempDir()
	b, err := build.New(filepath.Join(parent, "index"), build.Options{})
	if err != nil {
		t.Fatal(err)
	}
	add(t, b, indextest.Synthetic(3000))
	if err := b.Abort(); err != nil {
		t.Fatal(err)
	}
	if names := entries(t, parent); len(names) > 0 {
		t.Errorf("left behind: %v", names)
	}
}

// entries returns the names in a folder.
func entries(t *testing.T, dir string) []string {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	names := []string{}
	for _, entry := range list {
		names = append(names, entry.Name())
	}
	return names
}
