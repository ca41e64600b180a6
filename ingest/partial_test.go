package ingest_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"razao/ingest"
	"razao/ingest/receita"
	"razao/internal/data/change"
	"razao/internal/testing/fixture"
)

// TestPartialAloneIsEnough: a release without files is admitted by --partial, also after a whole one, and the next whole
// one after it. What has nothing to do with the files is compared all the same.
func TestPartialAloneIsEnough(t *testing.T) {
	t.Parallel()
	l := fixture.Empty(t)
	l.Publish(t, fixture.Published(t, "2026-07"))
	load := func(rel receita.Release) error {
		_, err := l.Ingester.Receita(t.Context(), &rel, ingest.Options{})
		return err
	}
	for _, name := range []string{"Socios0", "Empresas1", "Estabelecimentos1", "Simples"} {
		if err := load(fixture.Without(t, "2026-08", name)); err != nil {
			t.Errorf("without %s: %v", name, err)
		}
		if err := load(fixture.Published(t, "2026-08", "ESTRELA", name)); err != nil {
			t.Errorf("whole again after %s: %v", name, err)
		}
	}
	if err := load(fixture.Without(t, "2026-09", "Socios0", "Estabelecimentos1")); err != nil {
		t.Error(err)
	}
	now := served(t, l.Live)
	if got := now.Lacks(change.Partners); len(got) != 1 || got[0] != "Socios0.zip" || now.Lacks(change.Companies) != nil {
		t.Errorf("lacks %v", now.Provenance.Faltantes)
	}
	ruined := fixture.Without(t, "2026-10", "Socios0", "Estabelecimentos1")
	for _, f := range ruined.Files {
		if f.Name == "Empresas1.zip" {
			writeFile(t, f.Path, "")
		}
	}
	if err := load(ruined); !errors.Is(err, ingest.ErrRefused) || !strings.Contains(err.Error(), "rows of Empresas read, fewer than 97 %") {
		t.Errorf("a file is empty, another missing: %v", err)
	}
}

// TestFilesOfAnotherDivision loads a month of more files, then one of fewer.
func TestFilesOfAnotherDivision(t *testing.T) {
	t.Parallel()
	l := fixture.Empty(t)
	l.Publish(t, fixture.Published(t, "2026-07"))
	whole := served(t, l.Live).Counts
	move := func(month string, names map[string]string) string {
		dir := filepath.Dir(fixture.Published(t, month).Files[0].Path)
		for from, to := range names {
			if err := os.Rename(filepath.Join(dir, from), filepath.Join(dir, to)); err != nil {
				t.Fatal(err)
			}
		}
		return dir
	}
	load := func(dir, month string, whole bool) error {
		accept, err := l.Ingester.Accept(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		accept.Whole = whole
		rel, err := receita.Find(dir, month, accept)
		if err != nil {
			return err
		}
		_, err = l.Ingester.Receita(t.Context(), &rel, ingest.Options{})
		return err
	}
	check := func(what string, files int, err error) {
		t.Helper()
		now := served(t, l.Live)
		if err != nil || now.Counts.Companies != whole.Companies || now.Counts.Partners != whole.Partners || len(now.Provenance.Arquivos) != files || now.Provenance.Faltantes != nil {
			t.Errorf("%s: %+v, %v", what, now.Provenance, err)
		}
	}
	more := move("2026-08", map[string]string{"Empresas0": "Empresas10", "Socios0": "K3241.K03200Y10.D60812.SOCIOCSV"})
	writeFile(t, filepath.Join(more, "Empresas0"), "")
	writeFile(t, filepath.Join(more, "Socios0"), "")
	check("more files", 39, load(more, "2026-08", false))
	fewer := move("2026-09", map[string]string{"Empresas9": "Empresas10"})
	for _, n := range []string{"2", "3", "4", "5", "6", "7", "8", "10"} {
		if err := os.Remove(filepath.Join(fewer, "Empresas"+n)); err != nil {
			t.Fatal(err)
		}
	}
	if err := load(fewer, "2026-09", false); !errors.As(err, new(*receita.IncompleteError)) {
		t.Errorf("fewer files: %v", err)
	}
	writeFile(t, filepath.Join(fewer, "Socios10"), "")
	check("fewer files, declared whole", 30, load(fewer, "2026-09", true))
	next := move("2026-10", map[string]string{"Empresas9": ".Empresas9"})
	for _, n := range []string{"2", "3", "4", "5", "6", "7", "8"} {
		if err := os.Remove(filepath.Join(next, "Empresas"+n)); err != nil {
			t.Fatal(err)
		}
	}
	writeFile(t, filepath.Join(next, "Socios10"), "")
	check("fewer files, as before", 30, load(next, "2026-10", false))
	if err := os.Remove(filepath.Join(fewer, "Empresas1")); err != nil {
		t.Fatal(err)
	}
	if err := load(fewer, "2026-11", true); !errors.Is(err, ingest.ErrRefused) || !strings.Contains(err.Error(), "fewer than 97 %") {
		t.Errorf("declared whole, and it is not: %v", err)
	}
}
