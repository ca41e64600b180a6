package export

import (
	"path/filepath"
	"testing"

	"razao/internal/data/record"
	"razao/internal/testing/fixture"
)

// TestTableWithoutRows: it has a file with its columns, and is described.
func TestTableWithoutRows(t *testing.T) {
	t.Parallel()
	w := &writer{snap: held(t, fixture.Load(t)), dir: filepath.Join(t.TempDir(), "x"), progress: func(string, int64, int64) {}}
	w.to = startEncoders(1)
	w.add("vazia", record.Table{Title: "Vazia"}, columnsOf[record.Simples](record.SimplesTable(), nil)...)
	w.to.stop()
	if err := w.finish(); err != nil {
		t.Fatal(err)
	}
	if rows := readFile(t, filepath.Join(w.dir, "vazia"+suffix)); len(rows) != 0 {
		t.Errorf("%v", rows)
	}
	if paths, ok := w.about.Resources[0].Path.([]string); !ok || len(paths) != 1 || paths[0] != "vazia.parquet" {
		t.Errorf("described as %v", w.about.Resources[0].Path)
	}
}
