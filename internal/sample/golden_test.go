package sample

import (
	"archive/zip"
	"crypto/sha256"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden file")

// TestGolden compares every table of a small sample with its hash in testdata/sha256.txt. Zips are
// compared by their members, so that another version of the compressor changes no hash.
func TestGolden(t *testing.T) {
	t.Parallel()
	const golden = "testdata/sha256.txt"
	dir := t.TempDir()
	if _, err := Write(t.Context(), dir, Options{Roots: 12_000, Seed: 7, Month: "2026-09"}); err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	for _, name := range filesBelow(t, dir) {
		if filepath.Ext(name) != ".zip" {
			content, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&got, "%x  %s\n", sha256.Sum256(content), name)
			continue
		}
		z, err := zip.OpenReader(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		for _, member := range z.File {
			fmt.Fprintf(&got, "%x  %s/%s\n", sha256.Sum256(content(t, member)), name, member.Name)
		}
		if err := z.Close(); err != nil {
			t.Error(err)
		}
	}
	if *update {
		if err := os.WriteFile(golden, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Error(diff)
	}
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
