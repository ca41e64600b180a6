package sample

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/csv"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// published is a written release, read back with a strict CSV reader: rows by the name of the zip
// without its digit.
type published struct {
	sum     Summary
	options Options
	rows    map[string][][]string
}

func write(t *testing.T, o Options) Summary {
	t.Helper()
	sum, err := Write(t.Context(), t.TempDir(), o)
	if err != nil {
		t.Fatal(err)
	}
	return sum
}

func readRelease(t *testing.T, o Options) published {
	t.Helper()
	o.OnlyReceita = true
	r := published{sum: write(t, o), options: o, rows: map[string][][]string{}}
	for _, path := range zips(t, r.sum.Dir) {
		table := strings.TrimRight(strings.TrimSuffix(filepath.Base(path), ".zip"), "0123456789")
		_, content := unzip(t, path)
		reader := csv.NewReader(bytes.NewReader(content))
		reader.Comma = ';'
		reader.FieldsPerRecord = columns[table]
		rows, err := reader.ReadAll()
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		r.rows[table] = append(r.rows[table], rows...)
	}
	return r
}

var columns = map[string]int{
	"Empresas": 7, "Estabelecimentos": 30, "Socios": 11, "Simples": 7,
	"Cnaes": 2, "Motivos": 2, "Municipios": 2, "Naturezas": 2, "Paises": 2, "Qualificacoes": 2,
}

func zips(t *testing.T, dir string) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*.zip"))
	if err != nil || len(paths) != 37 {
		t.Fatalf("%d zips, want 37 (%v)", len(paths), err)
	}
	return paths
}

// unzip returns the only member of a zip.
func unzip(t *testing.T, path string) (string, []byte) {
	t.Helper()
	z, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = z.Close() }()
	if len(z.File) != 1 {
		t.Fatalf("%s has %d members", path, len(z.File))
	}
	return z.File[0].Name, content(t, z.File[0])
}

// content returns a member of a zip; the reader verifies its checksum.
func content(t *testing.T, member *zip.File) []byte {
	t.Helper()
	r, err := member.Open()
	if err != nil {
		t.Fatal(err)
	}
	content, err := io.ReadAll(r)
	if err != nil {
		t.Fatalf("%s: %v", member.Name, err)
	}
	return content
}

// sums returns the hash of every file below a folder.
func sums(t *testing.T, dir string) map[string][32]byte {
	t.Helper()
	hashes := map[string][32]byte{}
	for _, name := range filesBelow(t, dir) {
		content, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		hashes[name] = sha256.Sum256(content)
	}
	return hashes
}

// filesBelow returns the files below a folder, in the order of their names.
func filesBelow(t *testing.T, dir string) []string {
	t.Helper()
	var names []string
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func TestSameOptionsSameBytes(t *testing.T) {
	t.Parallel()
	writeAll := func(o Options) map[string][32]byte {
		dir := t.TempDir()
		if _, err := Write(t.Context(), dir, o); err != nil {
			t.Fatal(err)
		}
		return sums(t, dir)
	}
	o := Options{Roots: 12_000, Seed: 3, Month: "2026-09", First: "2026-06", Since: "2026-08", Workers: 1}
	once := writeAll(o)
	o.Workers = 4
	if diff := cmp.Diff(once, writeAll(o)); diff != "" {
		t.Errorf("one worker and four differ: %s", diff)
	}
	o.OnlyReceita = true
	release := writeAll(o)
	for name, hash := range release {
		if once[name] != hash && filepath.Base(name) != changesName { // it lists those of the sources, too
			t.Errorf("%s is another one without the sources", name)
		}
	}
	if len(release) != 40 {
		t.Errorf("%d files of the release, want 37, the mark, the state and the changes", len(release))
	}
	o.Seed, o.OnlyReceita = 4, false
	other := writeAll(o)
	for _, name := range []string{"receita/2026-09/Empresas5.zip", "pgfn/Dados_abertos_FGTS.zip", "pncp/pncp_contratos_2026-09.jsonl"} {
		if other[name] == once[name] {
			t.Errorf("another seed gives the same %s", name)
		}
	}
}

func TestMemberNames(t *testing.T) {
	t.Parallel()
	sum := write(t, Options{Roots: 50, Month: "2026-09"})
	want := map[string]string{
		"Empresas0.zip":         "K3241.K03200Y0.D60912.EMPRECSV",
		"Empresas9.zip":         "K3241.K03200Y9.D60912.EMPRECSV",
		"Estabelecimentos4.zip": "K3241.K03200Y4.D60912.ESTABELE",
		"Socios1.zip":           "K3241.K03200Y1.D60912.SOCIOCSV",
		"Simples.zip":           "F.K03200$W.SIMPLES.CSV.D60912",
		"Cnaes.zip":             "F.K03200$Z.D60912.CNAECSV",
		"Motivos.zip":           "F.K03200$Z.D60912.MOTICSV",
		"Municipios.zip":        "F.K03200$Z.D60912.MUNICCSV",
		"Naturezas.zip":         "F.K03200$Z.D60912.NATJUCSV",
		"Paises.zip":            "F.K03200$Z.D60912.PAISCSV",
		"Qualificacoes.zip":     "F.K03200$Z.D60912.QUALSCSV",
	}
	for file, name := range want {
		if got, _ := unzip(t, filepath.Join(sum.Dir, file)); got != name {
			t.Errorf("%s holds %s, want %s", file, got, name)
		}
	}
	if filepath.Base(sum.Dir) != "2026-09" || filepath.Base(filepath.Dir(sum.Dir)) != "receita" {
		t.Errorf("folder %s", sum.Dir)
	}
	if _, err := os.Stat(filepath.Join(sum.Dir, Mark)); err != nil {
		t.Errorf("the release does not say that it is invented: %v", err)
	}
}

func TestRefusedOptions(t *testing.T) {
	t.Parallel()
	for _, o := range []Options{
		{Roots: 0, Month: "2026-09"},
		{Roots: 70_000_001, Month: "2026-09"},
		{Roots: 10, Month: ""},
		{Roots: 10, Month: "2026-13"},
		{Roots: 10, Month: "2026-9"},
		{Roots: 10, Month: "1999-12"},
		{Roots: 10, Month: "../2026-09"},
		{Roots: 10, Month: "2026-09", Debts: -1},
		{Roots: 10, Month: "2026-09", First: "2026-10"},
		{Roots: 10, Month: "2026-09", First: "2026-1"},
		{Roots: 10, Month: "2026-09", Since: "2026-08"},
		{Roots: 10, Month: "2026-09", First: "2026-08", Since: "2026-09"},
		{Roots: 10, Month: "2026-09", First: "2026-08", Since: "2026-07"},
		{Roots: 69_999_999, Month: "2026-09", First: "2010-01"},
		{Roots: 10, Month: "2026-09", Day: "2026-08-31"},
		{Roots: 10, Month: "2026-09", Day: "2027-09-01"},
		{Roots: 10, Month: "2026-09", Day: "30/09/2026"},
	} {
		dir := t.TempDir()
		if _, err := Write(t.Context(), dir, o); err == nil {
			t.Errorf("%+v is accepted", o)
		}
		if entries, _ := os.ReadDir(dir); len(entries) > 0 {
			t.Errorf("%+v leaves %v", o, entries)
		}
	}
}

func TestCancelLeavesNothing(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	dir := t.TempDir()
	o := Options{Roots: 200_000, Month: "2026-09", Progress: func(int64) { cancel() }}
	if _, err := Write(ctx, dir, o); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want a cancellation", err)
	}
	if left := filesBelow(t, dir); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestExistingFolders(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	litter := filepath.Join(dir, "receita", ".2026-09.incomplete", "Empresas0.zip")
	if err := os.MkdirAll(litter, 0o755); err != nil {
		t.Fatal(err)
	}
	o := Options{Roots: 20, Month: "2026-09"}
	if _, err := Write(t.Context(), dir, o); err != nil {
		t.Fatalf("the litter of a killed run is in the way: %v", err)
	}
	if _, err := Write(t.Context(), dir, o); !errors.Is(err, fs.ErrExist) {
		t.Errorf("error %v over an existing release, want fs.ErrExist", err)
	}
	before := sums(t, dir)
	o.Month = "2026-10"
	if _, err := Write(t.Context(), dir, o); !errors.Is(err, fs.ErrExist) {
		t.Errorf("error %v over existing sources, want fs.ErrExist", err)
	}
	if diff := cmp.Diff(before, sums(t, dir)); diff != "" {
		t.Errorf("a refusal changes what is there: %s", diff)
	}
	o.OnlyReceita = true
	if _, err := Write(t.Context(), dir, o); err != nil {
		t.Errorf("another published beside existing sources: %v", err)
	}
}

func TestProgressEndsAtAllRoots(t *testing.T) {
	t.Parallel()
	var reported []int64
	write(t, Options{Roots: 12_345, Month: "2026-09", Progress: func(n int64) { reported = append(reported, n) }})
	if len(reported) == 0 || reported[len(reported)-1] != 12_345 {
		t.Fatalf("progress %v, want to end at 12345", reported)
	}
	for i := 1; i < len(reported); i++ {
		if reported[i] < reported[i-1] {
			t.Errorf("progress goes back from %d to %d", reported[i-1], reported[i])
		}
	}
}

func BenchmarkWrite(b *testing.B) {
	const roots = 50_000
	for name, onlyReceita := range map[string]bool{"receita": true, "all": false} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			o := Options{Roots: roots, Month: "2026-09", Workers: 1, OnlyReceita: onlyReceita}
			dir := filepath.Join(b.TempDir(), "sample")
			var bytes int64
			for b.Loop() {
				sum, err := Write(b.Context(), dir, o)
				if err != nil {
					b.Fatal(err)
				}
				bytes = sum.CSVBytes
				if err := os.RemoveAll(dir); err != nil {
					b.Fatal(err)
				}
			}
			b.SetBytes(bytes)
			b.ReportMetric(b.Elapsed().Seconds()/float64(b.N)*1e6/roots, "s/Mroots")
		})
	}
}
