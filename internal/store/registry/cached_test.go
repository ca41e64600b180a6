package registry_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"razao/internal/data/cnpj"
	"razao/internal/data/record"
	"razao/internal/store/registry"
	"razao/internal/store/registry/pack"
	"razao/internal/testing/pgtest"
)

// fromFile are companies of one row and of many.
var fromFile = []company{{"00000042", 2, 0}, {"11222333", 120, 130}, {"33000167", 51, 51}, {"33000168", 1, 1}}

// writtenFile writes the rows of a view to a file and opens it.
func writtenFile(t testing.TB, v *registry.View) (f *registry.RowCache, dir string) {
	t.Helper()
	dir = t.TempDir()
	w, err := registry.CreateRowCache(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	if err := v.EachRow(t.Context(), w.Add); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if f, err = registry.OpenRowCache(dir); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f, dir
}

// scanned lists every row that EachRow passes.
func scanned(t *testing.T, v *registry.View) (rows []string) {
	t.Helper()
	err := v.EachRow(t.Context(), func(root cnpj.Root, seq int32, doc []byte) error {
		rows = append(rows, fmt.Sprintf("%d %d %x", root, seq, doc))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// answers asks a view everything about the companies that a file can answer, and describes it.
func answers(t *testing.T, v *registry.View) (lines []string, failed int) {
	t.Helper()
	say := func(what string, err error, values ...any) {
		if err != nil && !registry.IsAbsent(err) {
			failed++
		}
		lines = append(lines, fmt.Sprintf("%s: %v, absent %t", what, values, registry.IsAbsent(err)))
	}
	var roots []cnpj.Root
	for _, c := range append(fromFile, company{root: "00000043"}, company{root: "99999999"}) {
		root := number(t, c.root, 0).Root()
		roots = append(roots, root)
		h, err := v.Head(t.Context(), root)
		say(c.root, err, h.Company, h.Establishments, h.Partners)
		for _, in := range []registry.Range{{0, 200}, {49, 2}, {50, 50}, {99, 30}, {150, 10}} {
			err := v.Establishments(t.Context(), &h, in, func(e *record.Establishment) error { say(c.root, nil, *e); return nil })
			say(fmt.Sprint(c.root, " establishments ", in), err)
			err = v.Partners(t.Context(), &h, in, func(p *record.Partner) error { say(c.root, nil, *p); return nil })
			say(fmt.Sprint(c.root, " partners ", in), err)
		}
		for _, i := range []int{0, 49, 50, 119, 120} {
			e, err := v.Establishment(t.Context(), &h, order(i))
			say(fmt.Sprint(c.root, " establishment ", i), err, e)
		}
	}
	heads, err := v.Heads(t.Context(), roots)
	say("together", err, len(heads))
	for i := range heads {
		say("together", nil, heads[i].Root, heads[i].Partners)
	}
	return lines, failed
}

// TestFileAnswersAsPostgreSQL asks the same with and without a file, and with the table gone.
func TestFileAnswersAsPostgreSQL(t *testing.T) {
	t.Parallel()
	pool := pgtest.Pool(t)
	s := registry.NewStore(pool)
	v := openView(t, s, write(t, s, fromFile...))
	want, failed := answers(t, v)
	if failed > 0 {
		t.Fatalf("%d queries failed", failed)
	}
	rows := scanned(t, v)
	f, _ := writtenFile(t, v)
	if _, err := pool.Exec(t.Context(), fmt.Sprintf(`DROP TABLE load_%06d.record`, v.Load.ID)); err != nil {
		t.Fatal(err)
	}
	v.ReadThrough(f)
	got, failed := answers(t, v)
	if diff := cmp.Diff(want, got); diff != "" || failed > 0 {
		t.Errorf("%d failed:\n%s", failed, diff)
	}
	if diff := cmp.Diff(rows, scanned(t, v)); diff != "" || len(rows) == 0 {
		t.Errorf("a scan of %d rows:\n%s", len(rows), diff)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if _, failed := answers(t, v); failed == 0 {
		t.Error("nothing failed without file and table")
	}
	if _, err := v.Head(t.Context(), number(t, fromFile[0].root, 0).Root()); err == nil || registry.IsAbsent(err) {
		t.Errorf("a company that cannot be read: %v", err)
	}
}

// TestDamagedFileIsNotAsked alters every block of a file: PostgreSQL answers instead.
func TestDamagedFileIsNotAsked(t *testing.T) {
	t.Parallel()
	s := registry.NewStore(pgtest.Pool(t))
	v := openView(t, s, write(t, s, fromFile...))
	want, _ := answers(t, v)
	f, dir := writtenFile(t, v)
	path := filepath.Join(dir, registry.RowCacheName)
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	altered := bytes.ReplaceAll(content, []byte("PALMEIRAS"), []byte("PALMEIRA5"))
	if err := os.WriteFile(path, altered, 0o600); err != nil { // in place: the open file sees it
		t.Fatal(err)
	}
	v.ReadThrough(f)
	got, failed := answers(t, v)
	if diff := cmp.Diff(want, got); diff != "" || failed > 0 {
		t.Errorf("%d failed:\n%s", failed, diff)
	}
	if f.Damage() == nil {
		t.Error("the damage is not noted")
	}
}

// TestScanGoesOnInPostgreSQL alters one block after the other of a file: a scan passes every row once all
// the same. An error of the visitor, or the end of the context, is not tried again.
func TestScanGoesOnInPostgreSQL(t *testing.T) {
	t.Parallel()
	s := registry.NewStore(pgtest.Pool(t))
	v := openView(t, s, write(t, s, fromFile...))
	want := scanned(t, v)
	_, dir := writtenFile(t, v)
	path := filepath.Join(dir, registry.RowCacheName)
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for at := 0; at < len(content); at += registry.BlockBytes / 2 {
		altered := bytes.Clone(content)
		altered[at] ^= 1
		if err := os.WriteFile(path, altered, 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := registry.OpenRowCache(dir)
		if err != nil {
			continue // magic or index
		}
		v.ReadThrough(f)
		if diff := cmp.Diff(want, scanned(t, v)); diff != "" {
			t.Errorf("byte %d:\n%s", at, diff)
		}
		if f.Damage() == nil {
			t.Errorf("byte %d: the damage is not noted", at)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	v.ReadThrough(nil)
	f, _ := writtenFile(t, v)
	v.ReadThrough(f)
	visits, refusal := 0, errors.New("no more")
	err = v.EachRow(t.Context(), func(cnpj.Root, int32, []byte) error { visits++; return refusal })
	if !errors.Is(err, refusal) || visits != 1 {
		t.Errorf("after %d visits: %v", visits, err)
	}
	ctx, end := context.WithCancel(t.Context())
	end()
	if err := v.EachRow(ctx, func(cnpj.Root, int32, []byte) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("with an ended context: %v", err)
	}
}

// TestFileOfLoadIsFileOfTable: rows as a load copies them make the same file as rows of the table.
func TestFileOfLoadIsFileOfTable(t *testing.T) {
	t.Parallel()
	s := registry.NewStore(pgtest.Pool(t))
	v := openView(t, s, write(t, s, fromFile...))
	_, dir := writtenFile(t, v)
	of := t.TempDir()
	w, err := registry.CreateRowCache(of)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	for _, c := range fromFile {
		if err := new(registry.CopiedRows).Each(rows(t, c), w.Add); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	table, err := os.ReadFile(filepath.Join(dir, registry.RowCacheName))
	if err != nil {
		t.Fatal(err)
	}
	load, err := os.ReadFile(filepath.Join(of, registry.RowCacheName))
	if err != nil || len(table) < 10*pack.ChunkItems || !bytes.Equal(table, load) {
		t.Errorf("%d bytes of the table, %d of the load, %v", len(table), len(load), err)
	}
}
