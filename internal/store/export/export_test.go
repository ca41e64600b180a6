package export

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"razao/internal/data/cnpj"
	"razao/internal/data/record"
	"razao/internal/data/source"
	"razao/internal/store/registry/pack"
	"razao/internal/store/render"
	"razao/internal/store/snapshot"
	"razao/internal/testing/fixture"
)

// exported writes a snapshot and returns the folder.
func exported(t *testing.T, snap *snapshot.Snapshot) (dir string, written []Written) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "2026-09")
	written, err := Write(t.Context(), snap, dir, func(string, int64, int64) {})
	if err != nil {
		t.Fatal(err)
	}
	return dir, written
}

// read returns the rows of files: values as the API has them in JSON, null as nil.
func read(t *testing.T, pattern string) (rows []map[string]any) {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	if err != nil || len(paths) == 0 {
		t.Fatalf("%s: no files, %v", pattern, err)
	}
	for _, path := range paths {
		rows = append(rows, readFile(t, path)...)
	}
	return rows
}

func readFile(t *testing.T, path string) (rows []map[string]any) {
	t.Helper()
	in, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = in.Close() }()
	r := parquet.NewReader(in)
	defer func() { _ = r.Close() }()
	buffer := make([]parquet.Row, 100)
	for {
		n, err := r.ReadRows(buffer)
		for _, values := range buffer[:n] {
			rows = append(rows, objectOf(r.Schema(), values))
		}
		if errors.Is(err, io.EOF) {
			return rows
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// objectOf converts a row.
func objectOf(schema *parquet.Schema, values parquet.Row) map[string]any {
	object, leaves := map[string]any{}, schema.Columns()
	for _, v := range values {
		leaf := leaves[v.Column()]
		name := leaf[0]
		switch {
		case v.IsNull() && len(leaf) > 1:
			object[name] = []any{}
		case v.IsNull():
			object[name] = nil
		case len(leaf) > 1:
			list, _ := object[name].([]any)
			object[name] = append(list, v.String())
		case v.Kind() == parquet.Boolean:
			object[name] = v.Boolean()
		case v.Kind() == parquet.Int32:
			object[name] = time.Unix(0, 0).UTC().AddDate(0, 0, int(v.Int32())).Format(time.DateOnly)
		case v.Kind() == parquet.Int64:
			object[name] = json.Number(fmt.Sprintf("%d.%02d", v.Int64()/100, v.Int64()%100))
		case v.Kind() == parquet.Double:
			object[name] = v.Double()
		default:
			object[name] = v.String()
		}
	}
	return object
}

// parsed reads an object of the API; "" is null in the files.
func parsed(t *testing.T, body []byte) map[string]any {
	t.Helper()
	var object map[string]any
	decoder := json.NewDecoder(strings.NewReader(string(body)))
	decoder.UseNumber()
	if err := decoder.Decode(&object); err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	delete(object, "descricoes")
	for name, value := range object {
		if value == "" {
			object[name] = nil
		}
	}
	return object
}

// TestExportHasWhatTheAPIHas compares every row with the JSON of the API.
func TestExportHasWhatTheAPIHas(t *testing.T) {
	t.Parallel()
	snap := fixture.Acquire(t, fixture.LoadRecords(t).Live)
	dir, written := exported(t, snap)
	r := render.Of(snap)
	want := map[string][]map[string]any{}
	err := eachCompany(t.Context(), snap, func(c *whole) error {
		uf := ""
		for e, err := range c.establishments() {
			if err != nil {
				return err
			}
			if uf = cmp.Or(uf, e.UF); e.HeadOffice() {
				uf = e.UF
				break
			}
		}
		add := func(table string, body []byte, keys ...string) {
			object := parsed(t, body)
			for _, key := range keys {
				object[key] = map[string]any{"cnpj_basico": c.Root.String(), "uf_matriz": nil}[key]
				if key == "uf_matriz" && uf != "" {
					object[key] = uf
				}
			}
			want[table] = append(want[table], object)
		}
		if c.HasCompany {
			add(companies, append(r.AppendCompany(nil, c.Root, &c.Company), '}'), "uf_matriz")
		}
		if c.HasSimples {
			add(simples, render.AppendSimples(nil, &c.Simples), "cnpj_basico", "uf_matriz")
		}
		for i := range c.Partners {
			add(partners, r.AppendPartner(nil, &c.Partners[i]), "cnpj_basico", "uf_matriz")
		}
		for e, err := range c.establishments() {
			if err != nil {
				return err
			}
			add(establishments, r.AppendEstablishment(nil, e))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{companies, establishments, partners, simples} {
		got := read(t, filepath.Join(dir, name, "*"+suffix))
		for _, rows := range [][]map[string]any{got, want[name]} {
			slices.SortFunc(rows, func(a, b map[string]any) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
		}
		if diff := gocmp.Diff(want[name], got); diff != "" || len(got) == 0 {
			t.Errorf("%s (-API +files)\n%.3000s", name, diff)
		}
	}
	for _, w := range written {
		if rows := int64(len(want[w.Name])); rows > 0 && w.Rows != rows || w.Bytes == 0 {
			t.Errorf("%+v, want %d rows", w, rows)
		}
	}
}

// TestExportHasEveryRecord compares the files of sources with the records.
func TestExportHasEveryRecord(t *testing.T) {
	t.Parallel()
	snap := fixture.Acquire(t, fixture.LoadRecords(t).Live)
	dir, _ := exported(t, snap)
	all := 0
	for _, src := range source.All() {
		var want []map[string]any
		err := snap.Internals().Records().EachRecord(t.Context(), &src, func(root cnpj.Root, it *pack.Item) {
			object := map[string]any{"cnpj_basico": root.String()}
			for _, f := range src.Fields {
				text := it.Value(f.Name)
				if f.Kind == source.Document {
					text = it.Document()
				}
				object[f.Name] = nil
				if number := 0.0; text != "" && f.Kind == source.Number {
					if _, err := fmt.Sscan(text, &number); err != nil {
						t.Errorf("%s: %v", f.Name, err)
					}
					object[f.Name] = number
				} else if text != "" {
					object[f.Name] = text
				}
			}
			want = append(want, object)
		})
		if err != nil {
			t.Fatal(err)
		}
		got := read(t, filepath.Join(dir, sources, src.ID+suffix))
		if diff := gocmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-records +file)\n%.2000s", src.ID, diff)
		}
		all += len(got)
	}
	if all < 20 {
		t.Errorf("only %d records", all)
	}
}

// TestExportDescribesItself compares the description with the files: paths, columns, rows, codes.
func TestExportDescribesItself(t *testing.T) {
	t.Parallel()
	snap := fixture.Acquire(t, fixture.LoadRecords(t).Live)
	dir, _ := exported(t, snap)
	body, err := os.ReadFile(filepath.Join(dir, "datapackage.json"))
	if err != nil {
		t.Fatal(err)
	}
	var about struct {
		Version   string
		Resources []struct {
			Name   string
			Path   []string
			Rows   int
			Schema struct {
				Fields []struct {
					Name, Type, Description string
					Categories              []struct{ Value, Label string }
				}
			}
		}
	}
	if err := json.Unmarshal(body, &about); err != nil || about.Version != snap.Load.Period {
		t.Fatalf("%v: %s", err, body)
	}
	described := map[string]bool{}
	for _, r := range about.Resources {
		rows := 0
		for _, path := range r.Path {
			described[path] = true
			found := readFile(t, filepath.Join(dir, path))
			rows += len(found)
			for _, f := range r.Schema.Fields {
				if _, ok := found[0][f.Name]; !ok || f.Description == "" || f.Type == "" {
					t.Errorf("%s: the column %+v", path, f)
				}
			}
			if len(found[0]) != len(r.Schema.Fields) {
				t.Errorf("%s has %d columns, %d are described", path, len(found[0]), len(r.Schema.Fields))
			}
		}
		if rows != r.Rows {
			t.Errorf("%s has %d rows, %d are described", r.Name, rows, r.Rows)
		}
		for _, f := range r.Schema.Fields {
			if f.Name == "situacao_cadastral" && !slices.ContainsFunc(f.Categories, func(c struct{ Value, Label string }) bool { return c.Value == "02" && c.Label == "Ativa" }) {
				t.Errorf("codes: %+v", f)
			}
		}
	}
	err = filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if name, _ := filepath.Rel(dir, path); err == nil && strings.HasSuffix(name, suffix) && !described[name] {
			t.Errorf("%s is not described", name)
		}
		return err
	})
	if err != nil || len(described) < 20 {
		t.Errorf("%d files, %v", len(described), err)
	}
	if codes := read(t, filepath.Join(dir, codes+suffix)); !slices.ContainsFunc(codes, func(c map[string]any) bool {
		return c["dominio"] == "municipio" && c["codigo"] == "6291" && c["descricao"] == "CAMPINAS"
	}) {
		t.Errorf("codes: %v", codes[:min(3, len(codes))])
	}
}

// TestExportHidesContacts: what is hidden on request is in no file.
func TestExportHidesContacts(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	number := fixture.Full(t, fixture.City)
	contact := func() (found map[string]any) {
		dir, _ := exported(t, fixture.Acquire(t, l.Live))
		for _, row := range read(t, filepath.Join(dir, establishments, "*"+suffix)) {
			if row["cnpj"] == number.String() {
				found = row
			}
		}
		return found
	}
	if before := contact(); before["logradouro"] == nil && before["correio_eletronico"] == nil {
		t.Fatalf("there is nothing to hide: %v", before)
	}
	l.Hide(t, number)
	for _, name := range []string{"logradouro", "numero", "cep", "telefone_1", "correio_eletronico"} {
		if after := contact(); after == nil || after[name] != nil {
			t.Errorf("%s: %v", name, after)
		}
	}
}

// TestExportIsWholeOrAbsent: a folder that exists is left alone, and an export that fails leaves none.
func TestExportIsWholeOrAbsent(t *testing.T) {
	t.Parallel()
	snap := fixture.Acquire(t, fixture.LoadRecords(t).Live)
	parent := t.TempDir()
	if _, err := Write(t.Context(), snap, parent, nil); err == nil || !strings.Contains(err.Error(), "exists already") {
		t.Errorf("over a folder: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Write(ctx, snap, filepath.Join(parent, "a"), func(string, int64, int64) {}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if _, err := Write(t.Context(), snap, filepath.Join(parent, "no", "b"), func(string, int64, int64) {}); err != nil {
		t.Errorf("below a new folder: %v", err)
	}
	entries, err := os.ReadDir(parent)
	if err != nil || len(entries) != 1 || entries[0].Name() != "no" {
		t.Errorf("left: %v, %v", entries, err)
	}
}

// storeUF changes the UF of a company's establishments in the records of a load, as a load made before UFs were checked has it.
func storeUF(t *testing.T, l *fixture.Loaded, root, uf string) {
	t.Helper()
	number := fixture.Full(t, root).Root()
	var doc []byte
	schema := ""
	if err := l.Pool.QueryRow(t.Context(), `SELECT schemaname FROM pg_tables WHERE tablename = 'record' AND schemaname LIKE 'load%' ORDER BY 1`).Scan(&schema); err != nil {
		t.Fatal(err)
	}
	if err := l.Pool.QueryRow(t.Context(), `SELECT doc FROM `+schema+`.record WHERE root = $1 AND seq = 0`, int64(number)).Scan(&doc); err != nil {
		t.Fatal(err)
	}
	head, err := pack.DecodeHead(number, doc)
	if err != nil {
		t.Fatal(err)
	}
	parts := pack.Parts{Company: pack.AppendCompany(nil, &head.Company)}
	offices := head.FirstEstablishments()
	for offices.Next() {
		offices.Establishment.UF = uf
		parts.Establishments = append(parts.Establishments, pack.AppendEstablishment(nil, &offices.Establishment))
		parts.Orders = append(parts.Orders, offices.Establishment.CNPJ.Order())
	}
	const beforeDoc = 2 + 4 + 8 + 4 + 4 + 4 // of a row of binary COPY: columns, and lengths and values of root, seq and doc
	row := pack.AppendRows(nil, number, &parts)
	if _, err := l.Pool.Exec(t.Context(), `UPDATE `+schema+`.record SET doc = $2 WHERE root = $1 AND seq = 0`, int64(number), row[beforeDoc:]); err != nil {
		t.Fatal(err)
	}
}

// TestNamesOfFilesAreStates exports records whose UF leads out of the folder (path traversal): they are in the files of those
// without a state, as they were published.
func TestNamesOfFilesAreStates(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	const hostile = "../../pwn2"
	storeUF(t, l, fixture.City, hostile)
	parent := t.TempDir()
	dir := filepath.Join(parent, "a", "b")
	if _, err := Write(t.Context(), fixture.Acquire(t, l.Live), dir, func(string, int64, int64) {}); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{companies, establishments} {
		if rows := read(t, filepath.Join(dir, name, elsewhere+suffix)); !slices.ContainsFunc(rows, func(row map[string]any) bool {
			return row["uf"] == hostile || row["uf_matriz"] == hostile
		}) {
			t.Errorf("%s: %v", name, rows)
		}
	}
	for folder, want := range map[string]string{parent: "a", filepath.Join(parent, "a"): "b"} {
		if entries, err := os.ReadDir(folder); err != nil || len(entries) != 1 || entries[0].Name() != want {
			t.Errorf("in %s: %v, %v", folder, entries, err)
		}
	}
}

// TestFilesStayInTheFolder: not even the name of a file leads out of it.
func TestFilesStayInTheFolder(t *testing.T) {
	t.Parallel()
	parent := t.TempDir()
	dir := filepath.Join(parent, "a")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	to := startEncoders(1)
	defer to.stop()
	table := newTable(rootOf(t, dir), companies, record.CompanyTable(), []column{rootColumn()}, to)
	if err := table.open("../../pwn"); err == nil {
		t.Error("a file beside the folder is created")
	}
	if entries, err := os.ReadDir(parent); err != nil || len(entries) != 1 {
		t.Errorf("left: %v, %v", entries, err)
	}
}
