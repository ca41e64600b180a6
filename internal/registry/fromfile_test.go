package registry_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"razao/internal/cnpj"
	"razao/internal/pgtest"
	"razao/internal/record"
	"razao/internal/registry"
	"razao/internal/registry/pack"
	"razao/internal/registry/rowfile"
)

// fromFile are companies of one row and of many.
var fromFile = []company{{"00000042", 2, 0}, {"11222333", 120, 130}, {"33000167", 51, 51}, {"33000168", 1, 1}}

// writtenFile writes the rows of a view to a file and opens it.
func writtenFile(t *testing.T, v *registry.View) (f *rowfile.File, dir string) {
	t.Helper()
	dir = t.TempDir()
	w, err := rowfile.Create(dir)
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
	if f, err = rowfile.Open(dir); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f, dir
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
		t.Fatalf("%d questions failed", failed)
	}
	f, _ := writtenFile(t, v)
	if _, err := pool.Exec(t.Context(), fmt.Sprintf(`DROP TABLE load_%06d.record`, v.Load.ID)); err != nil {
		t.Fatal(err)
	}
	v.ReadFrom(f)
	got, failed := answers(t, v)
	if diff := cmp.Diff(want, got); diff != "" || failed > 0 {
		t.Errorf("%d failed:\n%s", failed, diff)
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
	path := filepath.Join(dir, rowfile.Name)
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	altered := bytes.ReplaceAll(content, []byte("PALMEIRAS"), []byte("PALMEIRA5"))
	if err := os.WriteFile(path, altered, 0o600); err != nil { // in place: the open file sees it
		t.Fatal(err)
	}
	v.ReadFrom(f)
	got, failed := answers(t, v)
	if diff := cmp.Diff(want, got); diff != "" || failed > 0 {
		t.Errorf("%d failed:\n%s", failed, diff)
	}
	if f.Damage() == nil {
		t.Error("the damage is not noted")
	}
}

// TestFileOfLoadIsFileOfTable: rows as a load copies them make the same file as rows of the table.
func TestFileOfLoadIsFileOfTable(t *testing.T) {
	t.Parallel()
	s := registry.NewStore(pgtest.Pool(t))
	v := openView(t, s, write(t, s, fromFile...))
	_, dir := writtenFile(t, v)
	of := t.TempDir()
	w, err := rowfile.Create(of)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	for _, c := range fromFile {
		if err := w.AddRows(rows(t, c)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	table, err := os.ReadFile(filepath.Join(dir, rowfile.Name))
	if err != nil {
		t.Fatal(err)
	}
	load, err := os.ReadFile(filepath.Join(of, rowfile.Name))
	if err != nil || len(table) < 10*pack.ChunkItems || !bytes.Equal(table, load) {
		t.Errorf("%d bytes of the table, %d of the load, %v", len(table), len(load), err)
	}
}
