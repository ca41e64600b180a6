package extsort

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
)

type record struct {
	hi, lo  uint64
	payload string
}

func compareRecords(a, b record) int {
	return cmp.Or(cmp.Compare(a.hi, b.hi), cmp.Compare(a.lo, b.lo), cmp.Compare(a.payload, b.payload))
}

// collect writes records with several writers and returns them in the order of Run.
func collect(t *testing.T, records []record, writers int, o Options) []record {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "sort")
	s, err := New(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for k := range writers {
		wg.Go(func() {
			w := s.Writer()
			for i := k; i < len(records); i += writers {
				if err := w.Add(records[i].hi, records[i].lo, []byte(records[i].payload)); err != nil {
					t.Error(err)
				}
			}
			if err := w.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if got := s.Records(); got != int64(len(records)) {
		t.Errorf("Records() = %d, want %d", got, len(records))
	}
	var out []record
	err = Run(context.Background(), s, 3, func(b *Bucket) ([]record, error) {
		part := make([]record, b.Len())
		for i := range part {
			hi, lo, payload := b.At(i)
			part[i] = record{hi, lo, string(payload)}
		}
		return part, nil
	}, func(part []record) error {
		out = append(out, part...)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Remove(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("Remove left %s: %v", dir, err)
	}
	return out
}

func randomRecords(n int, keys uint64) []record {
	rng := rand.New(rand.NewPCG(1, 2))
	out := make([]record, n)
	for i := range out {
		payload := make([]byte, rng.IntN(40))
		for j := range payload {
			payload[j] = byte(rng.UintN(256))
		}
		out[i] = record{rng.Uint64N(keys), rng.Uint64N(8), string(payload)}
	}
	return out
}

func TestRunOrders(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		records []record
		options Options
	}{
		"nothing":                {nil, Options{}},
		"one bucket":             {randomRecords(5000, 1<<40), Options{}},
		"boundaries":             {randomRecords(20000, 1000), Options{Boundaries: []uint64{900, 100, 500, 500}}},
		"oversize buckets split": {randomRecords(50000, 1<<50), Options{BucketBytes: 64 << 10}},
		"skew":                   {randomRecords(50000, 3), Options{BucketBytes: 64 << 10, Boundaries: []uint64{1 << 60}}},
		"one key":                {randomRecords(20000, 1), Options{BucketBytes: 64 << 10}},
		"huge keys":              {[]record{{1<<64 - 1, 1<<64 - 1, "b"}, {1<<64 - 1, 0, "a"}, {0, 0, ""}}, Options{Boundaries: []uint64{1<<64 - 1}}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want := slices.Clone(c.records)
			slices.SortFunc(want, compareRecords)
			for _, writers := range []int{1, 4} {
				if got := collect(t, c.records, writers, c.options); !slices.Equal(got, want) {
					t.Errorf("%d writers: %d records out of order or lost", writers, len(c.records))
				}
			}
		})
	}
}

func TestManyBoundariesAreThinned(t *testing.T) {
	t.Parallel()
	o := Options{}
	const boundaries = 10 * MaxBuckets
	for i := range uint64(boundaries) {
		o.Boundaries = append(o.Boundaries, i*3)
	}
	s, err := New(filepath.Join(t.TempDir(), "sort"), o)
	if err != nil {
		t.Fatal(err)
	}
	if len(s.buckets) != MaxBuckets {
		t.Fatalf("%d buckets, want %d", len(s.buckets), MaxBuckets)
	}
	of := make([]int, MaxBuckets) // keys of each bucket
	for key := range uint64(3 * boundaries) {
		of[s.bucketOf(key)]++
	}
	const fair = 3 * boundaries / MaxBuckets
	if least, most := slices.Min(of), slices.Max(of); least < fair-3 || most > fair+4 {
		t.Errorf("buckets of %d to %d keys, want about %d", least, most, fair)
	}
}

func FuzzRun(f *testing.F) {
	f.Add([]byte("some bytes that become records"), uint16(3))
	f.Fuzz(func(t *testing.T, data []byte, size uint16) {
		var records []record
		for len(data) >= 3 {
			n := min(int(data[2]%32), len(data)-3)
			records = append(records, record{uint64(data[0]), uint64(data[1] % 4), string(data[3 : 3+n])})
			data = data[3+n:]
		}
		want := slices.Clone(records)
		slices.SortFunc(want, compareRecords)
		got := collect(t, records, 2, Options{BucketBytes: int64(size) + 1, Boundaries: []uint64{64, 128}})
		if !slices.Equal(got, want) {
			t.Fatalf("got %v, want %v", got, want)
		}
	})
}

func BenchmarkSort(b *testing.B) {
	payload := bytes.Repeat([]byte("establishment "), 12)
	b.SetBytes(int64(len(payload)) * 200_000)
	for b.Loop() {
		s, err := New(filepath.Join(b.TempDir(), "sort"), Options{})
		if err != nil {
			b.Fatal(err)
		}
		w := s.Writer()
		rng := rand.New(rand.NewPCG(3, 4))
		for range 200_000 {
			binary.LittleEndian.PutUint64(payload, rng.Uint64())
			if err := w.Add(rng.Uint64N(1<<42), 0, payload); err != nil {
				b.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			b.Fatal(err)
		}
		err = Run(context.Background(), s, 1, func(bk *Bucket) (int, error) { return bk.Len(), nil }, func(int) error { return nil })
		if err != nil {
			b.Fatal(err)
		}
		if err := s.Remove(); err != nil {
			b.Fatal(err)
		}
	}
}
