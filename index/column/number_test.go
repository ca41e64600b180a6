package column

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
)

// TestNumbersEqualWhatWasWritten writes blocks that are empty, sparse, full and cut short, and reads them in both ways.
func TestNumbersEqualWhatWasWritten(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 1))
	var want []uint16
	for _, share := range []float64{0, 0.3, 1, 0.01, 0.9, 0} {
		for range blockDocs {
			want = append(want, sometimes(rng, share))
		}
	}
	for range 700 {
		want = append(want, sometimes(rng, 0.5))
	}
	f := openWritten(t, want)
	for doc, n := range want {
		if got := f.blocks[doc/blockDocs].at(doc % blockDocs); got != n {
			t.Fatalf("document %d has %d, want %d", doc, got, n)
		}
	}
	for range 60 {
		from, to := anyNumber(rng), anyNumber(rng)
		first := uint32(rng.IntN(len(want) - 1))
		docs := uint32(1 + rng.IntN(min(len(want)-int(first), 100_000)))
		r, marks := &numberRange{f, Numbers{from, to}}, make([]uint64, (docs+63)/64)
		r.Mark(first, docs, marks)
		for doc := range docs {
			n := want[first+doc]
			in := n >= from && n <= to
			if marked := marks[doc/64]>>(doc%64)&1 == 1; marked != in || r.Has(first+doc) != in {
				t.Fatalf("document %d of %d from %d has %d: marked %v, %v in %d to %d", doc, docs, first, n, marked, r.Has(first+doc), from, to)
			}
		}
	}
}

func sometimes(rng *rand.Rand, share float64) uint16 {
	if rng.Float64() >= share {
		return 0
	}
	return max(anyNumber(rng), 1)
}

// anyNumber is mostly a small one.
func anyNumber(rng *rand.Rand) uint16 { return uint16(rng.Uint32()) >> rng.IntN(16) }

func writeNumbers(t testing.TB, all []uint16) (dir string) {
	t.Helper()
	dir = t.TempDir()
	w, err := CreateNumber(dir, Partners)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range all {
		w.Add(n)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

func openWritten(t testing.TB, all []uint16) *numbers {
	t.Helper()
	f, err := openNumbers(writeNumbers(t, all), Partners, int64(len(all)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := f.file.Close(); err != nil {
			t.Error(err)
		}
	})
	return f
}

// FuzzNumbers opens what is no file of numbers: it is refused, or read within its bounds.
func FuzzNumbers(f *testing.F) {
	all := make([]uint16, blockDocs+100)
	for i := 0; i < len(all); i += 7 {
		all[i] = uint16(i)
	}
	body, err := os.ReadFile(filepath.Join(writeNumbers(f, all), numberFiles[Partners]))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(body[:100], 0, byte(0))
	f.Add(body[len(body)-300:], 40, byte(255))
	f.Add([]byte{}, 0, byte(1))
	f.Fuzz(func(t *testing.T, end []byte, at int, change byte) {
		damaged := append(append([]byte{}, body[:len(body)-min(len(end), len(body))]...), end...)
		if len(damaged) > 0 {
			damaged[uint(at)%uint(len(damaged))] ^= change
		}
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, numberFiles[Partners]), damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		open, err := openNumbers(dir, Partners, int64(len(all)))
		if err != nil {
			return
		}
		r, marks := &numberRange{open, Numbers{1, 9}}, make([]uint64, (len(all)+63)/64)
		r.Mark(0, uint32(len(all)), marks)
		for doc := 0; doc < len(all); doc += 61 {
			r.Has(uint32(doc))
		}
		if err := open.file.Close(); err != nil {
			t.Fatal(err)
		}
	})
}
