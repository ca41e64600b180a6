package flags_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/google/go-cmp/cmp"

	"razao/index/build"
	"razao/index/flags"
	"razao/index/folder"
	"razao/index/indextest"
	"razao/internal/data/cnpj"
)

// built makes an index of n documents and returns them in the order of the index.
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

func writer(t testing.TB, dir string) *flags.Writer {
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

// all returns the documents of all shards, numbered across the whole index.
func all(m *folder.Manifest, in func(shard int) *roaring.Bitmap) []int {
	out, base := []int{}, 0
	for i, shard := range m.Shards {
		if docs := in(i); docs != nil {
			for _, doc := range docs.ToArray() {
				out = append(out, base+int(doc))
			}
		}
		base += int(shard.Docs)
	}
	return out
}

// ownedRecord is an invented record owner: establishments and their values.
type ownedRecord struct {
	first, last cnpj.Full
	values      []flags.Value
}

// invented returns ascending, disjoint owners: few, many or all documents, CNPJs that no document
// has, and whole companies.
func invented(rng *rand.Rand, docs []build.Doc, share float64) []ownedRecord {
	var all []ownedRecord
	for i := range docs {
		number := docs[i].CNPJ
		if rng.Float64() >= share {
			continue
		}
		o := ownedRecord{first: number, last: number, values: inventedValues(rng)}
		switch rng.IntN(4) {
		case 0:
			o.first, o.last = number+1, number+1
		case 1:
			o.first, o.last = cnpj.Join(number.Root(), 0), cnpj.Join(number.Root(), cnpj.Orders-1)
		}
		all = append(all, o)
	}
	slices.SortFunc(all, func(a, b ownedRecord) int { return int(a.first - b.first) })
	var apart []ownedRecord
	for _, o := range all {
		if len(apart) == 0 || o.first > apart[len(apart)-1].last {
			apart = append(apart, o)
		}
	}
	return apart
}

// inventedValues returns values in any order that may overlap, the extremes of int64 among them.
func inventedValues(rng *rand.Rand) []flags.Value {
	var values []flags.Value
	if rng.IntN(10) > 0 {
		total := rng.Int64N(1<<(1+rng.IntN(40))) - 100
		if rng.IntN(50) == 0 {
			total = []int64{math.MinInt64, math.MaxInt64, 0}[rng.IntN(3)]
		}
		values = append(values, flags.Value{Measure: flags.Total, From: total, To: total})
	}
	for range rng.IntN(4) {
		year := 2015 + rng.Int64N(10)
		values = append(values, flags.Value{Measure: flags.Year, From: year, To: year})
	}
	for range rng.IntN(4) {
		span := flags.Value{Measure: flags.InForce, From: rng.Int64N(1000)}
		span.To = span.From + rng.Int64N(100)
		if rng.IntN(5) == 0 {
			span.From = math.MinInt64
		}
		if rng.IntN(5) == 0 {
			span.To = math.MaxInt64
		}
		values = append(values, span)
	}
	rng.Shuffle(len(values), func(i, j int) { values[i], values[j] = values[j], values[i] })
	return values
}

func recordsOf(all []ownedRecord) *flags.Records {
	r := &flags.Records{}
	for _, o := range all {
		r.Add(o.first, o.last, slices.Clone(o.values)...)
	}
	return r
}

// TestFlagsEqualAScan compares flags of invented owners, and ranges of their values, with a scan.
func TestFlagsEqualAScan(t *testing.T) {
	t.Parallel()
	dir, m, docs := built(t, 5000)
	w := writer(t, dir)
	rng := rand.New(rand.NewPCG(1, 2))
	for round, share := range []float64{0, 0.0005, 0.01, 0.3, 1} {
		owners := invented(rng, docs, share)
		ownerOf := make([]*ownedRecord, len(docs)) // nil without one
		for i := range docs {
			if at := slices.IndexFunc(owners, func(o ownedRecord) bool { return o.first <= docs[i].CNPJ && docs[i].CNPJ <= o.last }); at >= 0 {
				ownerOf[i] = &owners[at]
			}
		}
		scan := func(wanted func(o *ownedRecord) bool) []int {
			found := []int{}
			for i, o := range ownerOf {
				if o != nil && wanted(o) {
					found = append(found, i)
				}
			}
			return found
		}
		load := int64(round + 1)
		if w.Has("pgfn", load) {
			t.Error("there are flags that nobody wrote")
		}
		if err := w.Write(t.Context(), "pgfn", load, recordsOf(owners), 2); err != nil {
			t.Fatal(err)
		}
		got, err := flags.Open(dir, &m, "pgfn", load)
		if err != nil || !w.Has("pgfn", load) {
			t.Fatal(err)
		}
		want := scan(func(*ownedRecord) bool { return true })
		if diff := cmp.Diff(want, all(&m, got.In)); diff != "" {
			t.Errorf("%d owners (-want +got):\n%.800s", len(owners), diff)
		}
		for range 40 {
			of, from, to := flags.Measure(rng.IntN(3)), bound(rng), bound(rng)
			want := scan(func(o *ownedRecord) bool {
				return slices.ContainsFunc(o.values, func(v flags.Value) bool {
					return v.Measure == of && max(v.From, from) <= min(v.To, to)
				})
			})
			got := all(&m, func(shard int) *roaring.Bitmap { return got.Between(shard, of, from, to) })
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%d owners, measure %d from %d to %d (-want +got):\n%.800s", len(owners), of, from, to, diff)
			}
		}
	}
}

// bound returns an end of a range: open, of years, of days or of amounts.
func bound(rng *rand.Rand) int64 {
	switch rng.IntN(5) {
	case 0:
		return math.MinInt64
	case 1:
		return math.MaxInt64
	case 2:
		return 2014 + rng.Int64N(12)
	case 3:
		return rng.Int64N(1200)
	}
	return rng.Int64N(1<<(1+rng.IntN(40))) - 120
}

// TestFlagsAreSmall bounds a file at nine bytes per document when one in thirteen has an amount, as
// in pgfn.
func TestFlagsAreSmall(t *testing.T) {
	t.Parallel()
	dir, _, docs := built(t, 20_000)
	slices.SortFunc(docs, func(a, b build.Doc) int { return int(a.CNPJ - b.CNPJ) })
	rng := rand.New(rand.NewPCG(3, 4))
	var r flags.Records
	added := int64(0)
	for i := range docs {
		if total := rng.Int64N(1_000_000_000_00); rng.IntN(13) == 0 {
			r.Add(docs[i].CNPJ, docs[i].CNPJ, flags.Value{Measure: flags.Total, From: total, To: total})
			added++
		}
	}
	if err := writer(t, dir).Write(t.Context(), "pgfn", 1, &r, 2); err != nil {
		t.Fatal(err)
	}
	const around = 2000 // header, checksum and what a bitmap costs for each shard, however few its documents
	if size := flags.Size(dir, "pgfn", 1); size > around+9*added {
		t.Errorf("%d bytes of %d documents", size, added)
	}
}

// TestDamageIsSeen changes, truncates and moves a file in every way that a disk, a copy or an
// operator may.
func TestDamageIsSeen(t *testing.T) {
	t.Parallel()
	dir, m, docs := built(t, 700)
	w := writer(t, dir)
	if err := w.Write(t.Context(), "ceis", 7, recordsOf(invented(rand.New(rand.NewPCG(5, 6)), docs, 1)), 1); err != nil {
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
	if err := w.Write(ctx, "ceis", 7, recordsOf([]ownedRecord{{first: 1, last: 2}}), 1); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "sources")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("something is left: %v", err)
	}
}
