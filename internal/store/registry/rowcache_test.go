package registry

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"razao/internal/data/cnpj"
)

// row is one of a generated file.
type row struct {
	root cnpj.Root
	seq  int32
	doc  []byte
}

// generate returns rows in order: companies of one row and of many, some larger than a block.
func generate(n int) []row {
	random := rand.New(rand.NewPCG(1, 2))
	var rows []row
	root := cnpj.Root(0)
	for len(rows) < n {
		root += cnpj.Root(1 + random.IntN(1<<uint(random.IntN(30))))
		low, high := 0, 0
		if random.IntN(10) == 0 {
			low, high = -random.IntN(5), random.IntN(40)
		}
		for seq := low; seq <= high; seq++ {
			doc := make([]byte, random.IntN(500))
			if random.IntN(100) == 0 {
				doc = make([]byte, 3*blockBytes)
			}
			for i := range doc {
				doc[i] = byte(random.Uint32())
			}
			rows = append(rows, row{root, int32(seq), doc})
		}
	}
	return rows
}

// written writes rows to a folder.
func written(t testing.TB, rows []row) (dir string) {
	t.Helper()
	dir = t.TempDir()
	w, err := CreateRowCache(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	for i := 0; i < len(rows); {
		n := 1
		for i+n < len(rows) && rows[i+n].root == rows[i].root {
			n++
		}
		of := rows[i : i+n]
		if i += n; i%2 == 0 { // in COPY format, which has the head first
			var all []byte
			for _, r := range slices.Backward(of) {
				all = append(all, copied(r)...)
			}
			err = new(CopiedRows).Each(all, w.Add)
		}
		for _, r := range of {
			if i%2 == 1 {
				err = errors.Join(err, w.Add(r.root, r.seq, r.doc))
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

// copied returns a row in COPY format.
func copied(r row) []byte {
	b := binary.BigEndian.AppendUint16(nil, 3)
	b = binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint32(b, 8), uint64(r.root))
	b = binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(b, 4), uint32(r.seq))
	return append(binary.BigEndian.AppendUint32(b, uint32(len(r.doc))), r.doc...)
}

// open opens a file until the test ends.
func open(t testing.TB, dir string) *RowCache {
	t.Helper()
	f, err := OpenRowCache(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f
}

func TestEveryRowIsFound(t *testing.T) {
	t.Parallel()
	rows := generate(5000)
	f := open(t, written(t, rows))
	for i, r := range rows {
		doc, found, err := f.Row(r.root, r.seq)
		if err != nil || !found || !bytes.Equal(doc, r.doc) {
			t.Fatalf("row %d: %d bytes, %t, %v", i, len(doc), found, err)
		}
		if _, found, err := f.Row(r.root, r.seq+50); found || err != nil {
			t.Fatalf("a row that is not there: %t, %v", found, err)
		}
		if next := slices.IndexFunc(rows[i:], func(o row) bool { return o.root != r.root }); next > 0 && rows[i+next].root > r.root+1 {
			if _, found, err := f.Row(r.root+1, 0); found || err != nil {
				t.Fatalf("a root that is not there: %t, %v", found, err)
			}
		}
	}
	var all []row
	err := f.Each(t.Context(), allRoots, func(root cnpj.Root, seq int32, doc []byte) error {
		all = append(all, row{root, seq, doc})
		return nil
	})
	same := func(a, b row) bool { return a.root == b.root && a.seq == b.seq && bytes.Equal(a.doc, b.doc) }
	if err != nil || !slices.EqualFunc(rows, all, same) {
		t.Errorf("each: %d of %d rows, %v", len(all), len(rows), err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if _, _, err := f.Row(rows[0].root, rows[0].seq); !errors.Is(err, os.ErrClosed) {
		t.Errorf("closed: %v", err)
	}
}

func TestEmptyFile(t *testing.T) {
	t.Parallel()
	f := open(t, written(t, nil))
	if _, found, err := f.Row(1, 0); found || err != nil {
		t.Errorf("%t, %v", found, err)
	}
	if _, err := OpenRowCache(t.TempDir()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}

func TestOrderIsChecked(t *testing.T) {
	t.Parallel()
	for name, rows := range map[string][2]row{
		"root falls": {{2, 0, nil}, {1, 0, nil}},
		"twice":      {{2, 0, nil}, {2, 0, nil}},
		"seq falls":  {{2, 0, nil}, {2, -1, nil}},
		"large seq":  {{2, 0, nil}, {2, seqBias, nil}},
		"large root": {{2, 0, nil}, {1 << 42, 0, nil}},
	} {
		dir := t.TempDir()
		w, err := CreateRowCache(dir)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Add(rows[0].root, rows[0].seq, nil); err != nil {
			t.Fatal(err)
		}
		if err := w.Add(rows[1].root, rows[1].seq, nil); err == nil {
			t.Errorf("%s: accepted", name)
		}
		w.Abort()
		if _, err := os.Stat(filepath.Join(dir, RowCacheName)); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: the file is left: %v", name, err)
		}
	}
}

// TestDamageIsNoAnswer changes each byte of a small file: a row comes as it was written or not at
// all, and never as absent.
func TestDamageIsNoAnswer(t *testing.T) {
	t.Parallel()
	rows := generate(60)
	dir := written(t, rows)
	path := filepath.Join(dir, RowCacheName)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	check := func(what string, at int) {
		f, err := OpenRowCache(dir)
		if err != nil {
			if !errors.Is(err, errCacheDamaged) {
				t.Fatalf("%s at %d: %v", what, at, err)
			}
			return
		}
		defer f.Close()
		for _, r := range rows {
			doc, found, err := f.Row(r.root, r.seq)
			if err == nil && (!found || !bytes.Equal(doc, r.doc)) || err != nil && !errors.Is(err, errCacheDamaged) {
				t.Fatalf("%s at %d: %t, %v", what, at, found, err)
			}
		}
	}
	for at := 0; at < len(whole); at += 1 + len(whole)/3000 {
		changed := bytes.Clone(whole)
		changed[at] ^= 1 << (at % 8)
		if err := os.WriteFile(path, changed, 0o600); err != nil {
			t.Fatal(err)
		}
		check("a bit", at)
		if err := os.WriteFile(path, whole[:at], 0o600); err != nil {
			t.Fatal(err)
		}
		check("cut", at)
	}
}

// FuzzOpenRowCache opens arbitrary bytes, with fitting checksums too, and reads from them.
func FuzzOpenRowCache(f *testing.F) {
	body, err := os.ReadFile(filepath.Join(written(f, generate(20)), RowCacheName))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(body, uint64(5), int16(0))
	f.Add(body[:40], uint64(1), int16(-1))
	f.Fuzz(func(t *testing.T, body []byte, root uint64, seq int16) {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, RowCacheName), body, 0o600); err != nil {
			t.Fatal(err)
		}
		file, err := OpenRowCache(dir)
		if err != nil {
			if !errors.Is(err, errCacheDamaged) {
				t.Errorf("%v", err)
			}
			return
		}
		defer file.Close()
		if _, _, err := file.Row(cnpj.Root(root%(1<<42)), int32(seq)); err != nil && !errors.Is(err, errCacheDamaged) {
			t.Errorf("%v", err)
		}
		if err := file.Each(t.Context(), allRoots, func(cnpj.Root, int32, []byte) error { return nil }); err != nil && !errors.Is(err, errCacheDamaged) {
			t.Errorf("each: %v", err)
		}
	})
}

// FuzzFindRow parses arbitrary blocks.
func FuzzFindRow(f *testing.F) {
	f.Add([]byte{1, 0, 2, 'a', 'b', 0, 2, 0}, uint64(1), int16(0))
	f.Fuzz(func(t *testing.T, rows []byte, root uint64, seq int16) {
		doc, found, err := findRow(rows, rowKeyOf(cnpj.Root(root%(1<<42)), int32(seq)))
		if len(doc) > len(rows) || found && err != nil || err != nil && !errors.Is(err, errCacheDamaged) {
			t.Errorf("%d bytes of %d, %t, %v", len(doc), len(rows), found, err)
		}
	})
}

func BenchmarkRow(b *testing.B) {
	rows := generate(50_000)
	f := open(b, written(b, rows))
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		r := &rows[i*7919%len(rows)]
		if _, found, err := f.Row(r.root, r.seq); !found || err != nil {
			b.Fatal(found, err)
		}
	}
}
