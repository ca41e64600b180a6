package rows

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"razao/ingest/download"
	"razao/internal/data/record"
)

// write writes files below a folder of the test's own and returns it.
func write(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// zipOf returns a zip of members given as name, content, name, content.
func zipOf(t testing.TB, members ...string) string {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := 0; i < len(members); i += 2 {
		m, err := w.Create(members[i])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(m, members[i+1]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func gzipOf(t testing.TB, content string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := io.WriteString(w, content); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func find(t testing.TB, from string, o FindOptions) *Input {
	t.Helper()
	in, err := Find(context.Background(), from, t.TempDir(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := in.Close(); err != nil {
			t.Error(err)
		}
	})
	return in
}

func contentOf(t testing.TB, f *File) string {
	t.Helper()
	r, err := f.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	data, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// contents returns what the files of an input hold, by their names in order.
func contents(t testing.TB, in *Input) []string {
	t.Helper()
	var got []string
	for i, f := range in.Files {
		if f.Index != i {
			t.Errorf("file %d has the index %d", i, f.Index)
		}
		got = append(got, f.Name+"="+contentOf(t, f))
	}
	return got
}

func TestFind(t *testing.T) {
	t.Parallel()
	folder := write(t, map[string]string{
		"b.csv":                  "folder",
		"a.zip":                  zipOf(t, "deep/c.csv", "member", "deep/", "", ".hidden", "x", "__MACOSX/d.csv", "x"),
		"e.jsonl.gz":             gzipOf(t, "packed"),
		"planilha.xlsx":          zipOf(t, "xl/workbook.xml", "x"),
		"sem_nome":               zipOf(t, "f.csv", "zip by content"),
		".hidden":                "x",
		"deeper/z.csv":           "x",
		"marked/a.csv":           "x",
		"marked/" + InventedMark: "",
		"zipmark.zip":            zipOf(t, "g.csv", "x", InventedMark, ""),
	})
	cases := []struct {
		name, from string
		want       []string
		invented   bool
	}{
		{"file", "b.csv", []string{"b.csv=folder"}, false},
		{"zip", "a.zip", []string{"c.csv=member"}, false},
		{"zip by content", "sem_nome", []string{"f.csv=zip by content"}, false},
		{"gzip", "e.jsonl.gz", []string{"e.jsonl.gz=packed"}, false},
		{"folder with mark", "marked", []string{"a.csv=x"}, true},
		{"file beside mark", "marked/a.csv", []string{"a.csv=x"}, true},
		{"mark in a zip", "zipmark.zip", []string{"g.csv=x"}, true},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			in := find(t, filepath.Join(folder, c.from), FindOptions{})
			if diff := cmp.Diff(c.want, contents(t, in)); diff != "" {
				t.Error(diff)
			}
			if in.Invented != c.invented {
				t.Errorf("invented: %v", in.Invented)
			}
		})
	}
	t.Run("folder", func(t *testing.T) {
		t.Parallel()
		in := find(t, folder, FindOptions{Period: "2026-09", Workers: 3})
		var got []string
		for _, f := range in.Files {
			got = append(got, strings.TrimPrefix(f.Path, folder+"/"))
		}
		want := []string{"b.csv", "a.zip/deep/c.csv", "e.jsonl.gz", "sem_nome/f.csv", "zipmark.zip/g.csv", "planilha.xlsx"}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
		if in.Period != "2026-09" || in.Workers != 3 || in.From != folder {
			t.Errorf("period %q, workers %d, from %q", in.Period, in.Workers, in.From)
		}
	})
}

func TestFindRefuses(t *testing.T) {
	t.Parallel()
	whole := zipOf(t, "a.csv", strings.Repeat("linha\n", 1000))
	folder := write(t, map[string]string{
		"cut.zip":    whole[:len(whole)/2],
		"page.zip":   "<html>",
		"empty.zip":  "",
		"hollow.zip": zipOf(t),
		"void/.x":    "",

		"mixed/a.csv":                 "x",
		"mixed/" + download.MixedMark: "",
	})
	cases := map[string]string{
		"cut.zip":    "cut.zip is not a whole zip file",
		"page.zip":   "page.zip is no zip file",
		"empty.zip":  "empty.zip is no zip file",
		"hollow.zip": "hollow.zip is no zip file, or holds nothing",
		"void":       "void holds no files",
		"missing":    "no such file",
		"mixed":      "mixed may hold files of two editions",
	}
	for name, want := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := Find(context.Background(), filepath.Join(folder, name), t.TempDir(), FindOptions{})
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("got %v, want %s", err, want)
			}
		})
	}
}

func TestDamagedFiles(t *testing.T) {
	t.Parallel()
	content := strings.Repeat("uma linha que se repete\n", 5000)
	packed := gzipOf(t, content)
	zipped := []byte(zipOf(t, "a.csv", content))
	zipped[len(zipped)/3] ^= 0xff
	folder := write(t, map[string]string{"a.jsonl.gz": packed[:len(packed)-20], "b.gz": packed[:6], "c.zip": string(zipped)})
	for _, f := range find(t, folder, FindOptions{}).Files {
		t.Run(f.Name, func(t *testing.T) {
			r, err := f.Open()
			if err == nil {
				_, err = io.Copy(io.Discard, r)
				_ = r.Close()
			}
			if err == nil || !strings.Contains(err.Error(), f.Path+" is damaged") || !strings.Contains(err.Error(), "fetch it again") {
				t.Errorf("got %v", err)
			}
		})
	}
}

// TestBombsAreRefused: an archive that unpacks to far more than its size, or whose members share data, is refused before it is
// unpacked, and a .gz where it goes beyond what a zip may.
func TestBombsAreRefused(t *testing.T) {
	t.Parallel()
	archive := []byte(zipOf(t, "a.csv", "a"))
	entry := bytes.Index(archive, []byte("PK\x01\x02"))                 // in the directory
	binary.LittleEndian.PutUint32(archive[entry+24:], math.MaxUint32-1) // what it unpacks to
	mega := gzipOf(t, strings.Repeat("0", 1<<20))
	dir := write(t, map[string]string{"a.zip": string(archive), "a.csv.gz": strings.Repeat(mega, 300)})
	if _, err := Find(t.Context(), filepath.Join(dir, "a.zip"), t.TempDir(), FindOptions{}); !errors.Is(err, download.ErrBomb) || !strings.Contains(err.Error(), "a.zip is refused") {
		t.Errorf("zip: %v", err)
	}
	r, err := find(t, filepath.Join(dir, "a.csv.gz"), FindOptions{}).Files[0].Open()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	if n, err := io.Copy(io.Discard, r); !errors.Is(err, download.ErrBomb) || n > download.MostUnpacked(1<<20) {
		t.Errorf("gz: %d bytes, %v", n, err)
	}
}

func TestPublished(t *testing.T) {
	t.Parallel()
	content := map[string]string{
		"LEIAME.txt": "not of the source", "b.csv": "b", "a.zip": zipOf(t, "c.csv", "c", "d.csv", "d"),
	}
	in := find(t, write(t, content), FindOptions{})
	for _, f := range in.Files {
		if strings.HasSuffix(f.Name, ".csv") {
			contentOf(t, f)
		}
	}
	got, err := in.Published(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	var want []record.SourceFile
	for _, name := range []string{"a.zip", "b.csv"} {
		sum := sha256.Sum256([]byte(content[name]))
		want = append(want, record.SourceFile{Nome: name, Bytes: int64(len(content[name])), SHA256: hex.EncodeToString(sum[:])})
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestNoFile(t *testing.T) {
	t.Parallel()
	in := find(t, write(t, map[string]string{"a.txt": "", "b.txt": ""}), FindOptions{})
	want := in.From + " holds no file of this source: expected x_AAAA.csv, found a.txt, b.txt"
	if got := in.NoFile("x_AAAA.csv").Error(); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestNoFileTellsWhatIsThere(t *testing.T) {
	t.Parallel()
	files := map[string]string{}
	for i := range 25 {
		files[fmt.Sprintf("f%02d.txt", i)] = "x"
	}
	in := find(t, write(t, files), FindOptions{})
	err := in.NoFile("a.csv").Error()
	if !strings.Contains(err, "expected a.csv, found f00.txt, ") || !strings.HasSuffix(err, "f19.txt, and 5 more") {
		t.Errorf("got %q", err)
	}
	if _, err := in.OneTable("a.csv"); err == nil || !strings.Contains(err.Error(), "expected a.csv") {
		t.Errorf("one table of none: %v", err)
	}
	two := find(t, write(t, map[string]string{"a.csv": "x", "b.csv.gz": "x", "c.txt": "x"}), FindOptions{})
	if _, err := two.OneTable("a.csv"); err == nil || !strings.Contains(err.Error(), "holds a.csv, b.csv.gz: expected one file") {
		t.Errorf("one table of two: %v", err)
	}
}

func TestFindAddress(t *testing.T) {
	t.Parallel()
	archive := zipOf(t, "c.csv", "member")
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, archive)
	}))
	t.Cleanup(server.Close)
	address := server.URL + "/2026_trimestre_02/dados"
	in := find(t, address, FindOptions{})
	if diff := cmp.Diff([]string{"c.csv=member"}, contents(t, in)); diff != "" {
		t.Error(diff)
	}
	if got, want := in.Files[0].Path, address+"/c.csv"; got != want {
		t.Errorf("path %s, want %s", got, want)
	}
}
