package flags_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"razao/index/build"
	"razao/index/flags"
	"razao/index/folder"
	"razao/index/indextest"
	"razao/internal/cnpj"
)

// built makes an index of documents that are returned in the order of the index.
func built(t *testing.T, n int) (dir string, m folder.Manifest, docs []build.Doc) {
	t.Helper()
	docs = indextest.Synthetic(n)
	dir = indextest.Build(t, docs, build.Options{BucketBytes: 64 << 10, ShardDocs: 300})
	slices.SortFunc(docs, func(a, b build.Doc) int { return indextest.CompareRank(&a, &b) })
	m, err := folder.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	return dir, m, docs
}

func writer(t *testing.T, dir string) *flags.Writer {
	t.Helper()
	w, err := flags.NewWriter(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	})
	return w
}

// all returns the documents of a set by their numbers in the whole index.
func all(m *folder.Manifest, s *flags.Set) []int {
	out, base := []int{}, 0
	for i, shard := range m.Shards {
		if docs := s.In(i); docs != nil {
			for _, doc := range docs.ToArray() {
				out = append(out, base+int(doc))
			}
		}
		base += int(shard.Docs)
	}
	return out
}

// TestFlagsEqualAScan writes the flags of few, many and all documents, of numbers that nobody has and of whole companies, and
// compares them with a scan.
func TestFlagsEqualAScan(t *testing.T) {
	t.Parallel()
	dir, m, docs := built(t, 5000)
	w := writer(t, dir)
	rng := rand.New(rand.NewPCG(1, 2))
	for round, share := range []float64{0, 0.0005, 0.01, 0.3, 1} {
		var owners []flags.Owners
		for i := range docs {
			number := docs[i].CNPJ
			if rng.Float64() >= share {
				continue
			}
			switch rng.IntN(4) {
			case 0:
				owners = append(owners, flags.Owners{First: number + 1, Last: number + 1})
			case 1:
				owners = append(owners, flags.Owners{First: cnpj.Join(number.Root(), 0), Last: cnpj.Join(number.Root(), cnpj.Orders-1)})
			default:
				owners = append(owners, flags.Owners{First: number, Last: number})
			}
		}
		owners = disjoint(owners)
		want := []int{}
		for i := range docs {
			if slices.ContainsFunc(owners, func(o flags.Owners) bool { return o.First <= docs[i].CNPJ && docs[i].CNPJ <= o.Last }) {
				want = append(want, i)
			}
		}
		load := int64(round + 1)
		if w.Has("pgfn", load) {
			t.Error("there are flags that nobody wrote")
		}
		if err := w.Write(t.Context(), "pgfn", load, owners, 2); err != nil {
			t.Fatal(err)
		}
		got, err := flags.Open(dir, &m, "pgfn", load)
		if err != nil || !w.Has("pgfn", load) {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, all(&m, got)); diff != "" {
			t.Errorf("%d owners (-want +got):\n%.800s", len(owners), diff)
		}
	}
}

// disjoint leaves out owners that others hold.
func disjoint(owners []flags.Owners) []flags.Owners {
	slices.SortFunc(owners, func(a, b flags.Owners) int { return int(a.First - b.First) })
	var out []flags.Owners
	for _, o := range owners {
		if len(out) == 0 || o.First > out[len(out)-1].Last {
			out = append(out, o)
		}
	}
	return out
}

// TestDamageIsSeen changes, cuts and moves a file in every way that a disk, a copy or an operator may.
func TestDamageIsSeen(t *testing.T) {
	t.Parallel()
	dir, m, docs := built(t, 700)
	w := writer(t, dir)
	owners := []flags.Owners{{First: 0, Last: slices.MaxFunc(docs, func(a, b build.Doc) int { return int(a.CNPJ - b.CNPJ) }).CNPJ}}
	if err := w.Write(t.Context(), "ceis", 7, owners, 1); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "sources", "ceis-000007")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := range whole {
		harmed := slices.Clone(whole)
		harmed[i] ^= 0x10
		put(t, path, harmed)
		if _, err := flags.Open(dir, &m, "ceis", 7); !errors.Is(err, flags.ErrUnusable) {
			t.Fatalf("byte %d changed: %v", i, err)
		}
		put(t, path, whole[:i])
		if _, err := flags.Open(dir, &m, "ceis", 7); !errors.Is(err, flags.ErrUnusable) {
			t.Fatalf("cut at %d: %v", i, err)
		}
	}
	put(t, path, whole)
	put(t, filepath.Join(dir, "sources", "ceis-000008"), whole)
	other := m
	other.BuiltAt = m.BuiltAt.Add(1)
	for name, open := range map[string]func() (*flags.Set, error){
		"of another load":  func() (*flags.Set, error) { return flags.Open(dir, &m, "ceis", 8) },
		"of another index": func() (*flags.Set, error) { return flags.Open(dir, &other, "ceis", 7) },
		"not there":        func() (*flags.Set, error) { return flags.Open(dir, &m, "ceis", 9) },
	} {
		if _, err := open(); !errors.Is(err, flags.ErrUnusable) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func put(t *testing.T, path string, body []byte) {
	t.Helper()
	if err := os.WriteFile(path, body, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestCancelledWriteLeavesNothing(t *testing.T) {
	t.Parallel()
	dir, _, _ := built(t, 700)
	w := writer(t, dir)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := w.Write(ctx, "ceis", 7, []flags.Owners{{First: 1, Last: 2}}, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "sources")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("something is left: %v", err)
	}
}
