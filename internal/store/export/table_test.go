package export

import (
	"os"
	"path/filepath"
	"testing"

	"razao/internal/data/record"
	"razao/internal/testing/fixture"
)

// rootOf opens a folder for the test's duration.
func rootOf(t *testing.T, dir string) *os.Root {
	t.Helper()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = root.Close() })
	return root
}

// TestTableWithoutRows: it has a file with its columns, and is described.
func TestTableWithoutRows(t *testing.T) {
	t.Parallel()
	w := &writer{snap: fixture.Acquire(t, fixture.Load(t).Live), root: rootOf(t, t.TempDir()), progress: func(string, int64, int64) {}}
	w.to = startEncoders(1)
	w.add("vazia", record.Table{Title: "Vazia"}, columnsOf[record.Simples](record.SimplesTable(), nil)...)
	w.to.stop()
	if err := w.finish(); err != nil {
		t.Fatal(err)
	}
	if rows := readFile(t, filepath.Join(w.root.Name(), "vazia"+suffix)); len(rows) != 0 {
		t.Errorf("%v", rows)
	}
	if paths, ok := w.about.Resources[0].Path.([]string); !ok || len(paths) != 1 || paths[0] != "vazia.parquet" {
		t.Errorf("described as %v", w.about.Resources[0].Path)
	}
}

// TestNumberThatIsNone: what a column cannot hold is an error that says where, and not null.
func TestNumberThatIsNone(t *testing.T) {
	t.Parallel()
	to := startEncoders(1)
	defer to.stop()
	number := numberColumn(record.Field{Name: "valor"}, func(r *row) string { return r.value(0) })
	table := newTable(rootOf(t, t.TempDir()), "fonte", record.Table{}, []column{number}, to)
	for _, c := range []struct{ text, want string }{{"12.5", ""}, {"", ""}, {"-3e2", ""}, {"12,5", `valor of 12345678: "12,5" is no number`}} {
		got := ""
		if err := table.write("", &row{root: "12345678", value: func(int) string { return c.text }}); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}
