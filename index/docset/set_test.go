package docset

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"
	gocmp "github.com/google/go-cmp/cmp"
)

// shapes are sets of documents over a few blocks, in every form and density that files and queries make.
func shapes() map[string][]uint32 {
	rng := rand.New(rand.NewPCG(9, 9))
	share := func(of1000 int) []uint32 {
		var out []uint32
		for doc := range uint32(5*blockDocs - 100) {
			if doc>>16 != 2 && rng.IntN(1000) < of1000 {
				out = append(out, doc)
			}
		}
		return out
	}
	stretch := func(first, last uint32) []uint32 {
		var out []uint32
		for doc := first; doc <= last; doc++ {
			out = append(out, doc)
		}
		return out
	}
	return map[string][]uint32{
		"nothing": nil, "one": {70_000}, "another": {3 * blockDocs}, "few": share(1), "some": share(12), "list": share(50), "many": share(100),
		"most": share(900), "stretch": stretch(100, 3*blockDocs+7), "short stretch": stretch(65_000, 66_000), "all": stretch(0, 5*blockDocs-101),
		"stretches": slices.Concat(stretch(10, 80), stretch(200, 900), stretch(65_535, 65_536), stretch(131_000, 140_000)),
	}
}

// fromFile returns a set as it is read from a file.
func (w *Workspace) fromFile(t *testing.T, docs []uint32) Set {
	t.Helper()
	if len(docs) == 0 {
		return nil
	}
	bitmap := roaring.BitmapOf(docs...)
	bitmap.RunOptimize()
	var file bytes.Buffer
	if _, err := bitmap.WriteTo(&file); err != nil {
		t.Fatal(err)
	}
	set, ok := w.Roaring(file.Bytes())
	if !ok {
		t.Fatal("a bitmap of the library is not understood")
	}
	return set
}

// content reads a set and checks that its blocks are as they say.
func (w *Workspace) content(t *testing.T, set Set) []uint32 {
	t.Helper()
	var out []uint32
	for i, b := range set {
		if b.n == 0 || i > 0 && b.key <= set[i-1].key || len(w.lows(&b, 0, b.n)) != b.n {
			t.Fatalf("block %d of %d documents, form %d, key %d", i, b.n, b.form, b.key)
		}
	}
	err := w.Each(set, 0, set.Count(), func(doc uint32) error {
		out = append(out, doc)
		return nil
	})
	if err != nil || len(out) != set.Count() {
		t.Fatalf("%d documents of %d, %v", len(out), set.Count(), err)
	}
	return out
}

// TestSetsEqualTheOracle compares every operation on every pair of shapes, as they are in files and as operations make
// them, with the library's.
func TestSetsEqualTheOracle(t *testing.T) {
	t.Parallel()
	w := NewWorkspace()
	all := shapes()
	for x, docsX := range all {
		for y, docsY := range all {
			setX, setY := w.fromFile(t, docsX), w.fromFile(t, docsY)
			bitmapX, bitmapY := roaring.BitmapOf(docsX...), roaring.BitmapOf(docsY...)
			both, either, less := w.And(setX, setY), w.Or(setX, setY), w.Without(setX, setY)
			for name, c := range map[string]struct {
				got  Set
				want *roaring.Bitmap
			}{
				"and":     {both, roaring.And(bitmapX, bitmapY)},
				"or":      {either, roaring.Or(bitmapX, bitmapY)},
				"without": {less, roaring.AndNot(bitmapX, bitmapY)},
				"again":   {w.Union([]Set{both, less, w.Without(setY, either)}), bitmapX},
				"none":    {w.And(less, setY), roaring.New()},
			} {
				if !slices.Equal(w.content(t, c.got), c.want.ToArray()) {
					t.Errorf("%s %s %s: %d documents, want %d", x, name, y, c.got.Count(), c.want.GetCardinality())
				}
			}
			w.Reset()
		}
	}
}

func TestSetsAreReadInParts(t *testing.T) {
	t.Parallel()
	w := NewWorkspace()
	for name, docs := range shapes() {
		set := w.fromFile(t, docs)
		for _, from := range []int{0, 1, 63, 64, 1000, len(docs) / 2, len(docs) - 1} {
			for _, n := range []int{0, 1, 20, 70_000} {
				if from < 0 || from > len(docs) {
					continue
				}
				want := docs[from:min(from+n, len(docs))]
				got := []uint32{}
				err := w.Each(set, from, from+n, func(doc uint32) error {
					got = append(got, doc)
					return nil
				})
				if err != nil || !slices.Equal(got, want) {
					t.Errorf("%s from %d: %d documents, want %d, %v", name, from, len(got), len(want), err)
				}
			}
		}
		for _, doc := range []uint32{0, 10, 80, 81, 65_535, 65_536, 70_000, 139_999, 140_001, 4 * blockDocs, 9 * blockDocs} {
			if _, want := slices.BinarySearch(docs, doc); set.Contains(doc) != want {
				t.Errorf("%s contains %d: %t", name, doc, !want)
			}
		}
	}
}

func TestFirstDocs(t *testing.T) {
	t.Parallel()
	w := NewWorkspace()
	for _, n := range []int{1, blockDocs - 1, blockDocs, blockDocs + 1, 3 * blockDocs} {
		want := make([]uint32, n)
		for i := range want {
			want[i] = uint32(i)
		}
		if diff := gocmp.Diff(want, w.content(t, w.FirstN(n))); diff != "" {
			t.Errorf("first %d: %.300s", n, diff)
		}
	}
}

// TestDamagedPostings cuts a bitmap at every length: that must be noticed, not read past.
func TestDamagedPostings(t *testing.T) {
	t.Parallel()
	w := NewWorkspace()
	for _, name := range []string{"few", "many", "stretches"} {
		bitmap := roaring.BitmapOf(shapes()[name]...)
		bitmap.RunOptimize()
		whole, err := bitmap.ToBytes()
		if err != nil {
			t.Fatal(err)
		}
		for n := 0; n < len(whole); n += 1 + n/50 {
			if set, ok := w.Roaring(whole[:n]); ok {
				t.Errorf("%s cut at %d of %d: %d documents", name, n, len(whole), set.Count())
			}
		}
	}
	if _, ok := w.Roaring([]byte("these are no documents")); ok {
		t.Error("a text was read as documents")
	}
}

func TestSlab(t *testing.T) {
	t.Parallel()
	s := slab[byte]{size: 100}
	for range 2 {
		var taken [][]byte
		for i, n := range []int{60, 60, 10, 300, 1, 100} {
			b := s.take(n)
			if len(b) != n || cap(b) != n {
				t.Fatalf("took %d of %d", len(b), n)
			}
			for j := range b {
				b[j] = byte(i)
			}
			taken = append(taken, b)
		}
		for i, b := range taken {
			if bytes.ContainsFunc(b, func(r rune) bool { return r != rune(i) }) {
				t.Errorf("piece %d was handed out twice", i)
			}
		}
		s.reset()
	}
	s = slab[byte]{size: 100}
	for range 100 {
		s.take(90)
	}
	s.take(50_000)
	if s.reset(); len(s.chunks) != keptChunks {
		t.Errorf("%d chunks are kept, want %d", len(s.chunks), keptChunks)
	}
}

// TestBlocksAreSifted keeps every third document, however a block has them.
func TestBlocksAreSifted(t *testing.T) {
	t.Parallel()
	w := NewWorkspace()
	for name, docs := range shapes() {
		set := w.fromFile(t, docs)
		var want []uint32
		for _, doc := range docs {
			if doc%3 == 0 {
				want = append(want, doc)
			}
		}
		got := w.Sift(set, func(first uint32, lows []uint16) int {
			n := 0
			for _, low := range lows {
				if (first+uint32(low))%3 == 0 {
					lows[n] = low
					n++
				}
			}
			return n
		})
		if !slices.Equal(w.content(t, got), want) || !slices.Equal(w.content(t, set), docs) {
			t.Errorf("%s: %d of %d documents, want %d", name, got.Count(), set.Count(), len(want))
		}
	}
}

// TestMarksOfShards marks the same set as two shards, of which the second begins within a byte.
func TestMarksOfShards(t *testing.T) {
	t.Parallel()
	w := NewWorkspace()
	const docs = 5 * blockDocs
	for name, want := range shapes() {
		for _, n := range []uint32{docs, docs + 3} {
			marks := w.Zeros(int(2*n/8) + 1)
			w.MarkIn(marks, w.fromFile(t, want), 0, n)
			w.MarkIn(marks, w.fromFile(t, want), n, n)
			got := []uint32{}
			for doc := range 2 * n {
				if marks[doc/8]>>(doc%8)&1 == 1 {
					got = append(got, doc)
				}
			}
			both := slices.Clone(want)
			for _, doc := range want {
				both = append(both, n+doc)
			}
			if !slices.Equal(got, both) {
				t.Errorf("%s, shards of %d: %d documents are marked, want %d", name, n, len(got), len(both))
			}
		}
		w.Reset()
	}
}
