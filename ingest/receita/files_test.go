package receita

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"razao/ingest/download"
	"razao/internal/data/record"
)

// releaseNames returns the 37 names of a release since 2021.
func releaseNames() []string { return new(Accept).missing(nil, false) }

func sorted(names []string) []string { return slices.Sorted(slices.Values(names)) }

func TestNamesOfFiles(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"Empresas0.zip": "Empresas0.zip", "empresas10.ZIP": "Empresas10.zip", "Estabelecimentos17": "Estabelecimentos17.zip", "Socios.zip": "Socios.zip",
		"Simples.zip": "Simples.zip", "Simples2.zip": "Simples2.zip", "Cnaes1": "Cnaes1.zip", "Socios003.zip": "Socios3.zip",
		"K3241.K03200Y12.D60912.ESTABELE": "Estabelecimentos12.zip", "k3241.k03200y0.d60912.emprecsv": "Empresas0.zip",
		"K3241.K03200Y0.D10710.EMPRECSV.zip": "Empresas0.zip", "F.K03200$W.SIMPLES.CSV.D60912": "Simples.zip", "F.K03200$Z.D60912.CNAECSV": "Cnaes.zip",
		"Foo.zip": "", "Empresas.rar": "", "Empresas1000.zip": "", "Empresas-1.zip": "", "Estabelecimentos0.zip.part": "", "Simples.zip.part": "",
		"EmpresasNovas.zip": "", "LEIAME.pdf": "", "": "", "ESTABELE": "", "Empresas1 (1).zip": "",
	} {
		got := ""
		if p, ok := partOf(name); ok {
			got = p.name()
		}
		if got != want {
			t.Errorf("%q is %q, want %q", name, got, want)
		}
	}
}

// TestDivisions: whoever divides a table otherwise must be read whole, and a month that is being published must not.
func TestDivisions(t *testing.T) {
	t.Parallel()
	without := func(names ...string) (rest []string) {
		return slices.DeleteFunc(releaseNames(), func(name string) bool { return slices.Contains(names, name) })
	}
	numbers := func(table string, from, to int) (names []string) {
		for n := from; n <= to; n++ {
			names = append(names, fmt.Sprintf("%s%d.zip", table, n))
		}
		return names
	}
	companies := numbers("Empresas", 0, 9)
	others := without(companies...)
	served := func(names ...string) *record.Provenance {
		p := &record.Provenance{Faltantes: names[len(names)-1:]}
		for _, name := range names[:len(names)-1] {
			p.Arquivos = append(p.Arquivos, record.SourceFile{Nome: name})
		}
		return p
	}
	eleven, five := numbers("Empresas", 0, 10), numbers("Empresas", 0, 4)
	for name, c := range map[string]struct {
		found  []string
		accept Accept
		want   []string
	}{
		"the usual files":             {releaseNames(), Accept{}, nil},
		"more files":                  {slices.Concat(others, eleven, numbers("Estabelecimentos", 10, 17)), Accept{}, nil},
		"a hole":                      {slices.Concat(releaseNames(), numbers("Empresas", 12, 12)), Accept{}, numbers("Empresas", 10, 11)},
		"fewer files":                 {slices.Concat(others, five), Accept{}, numbers("Empresas", 5, 9)},
		"fewer files, declared whole": {slices.Concat(others, five), Accept{Whole: true}, nil},
		"one file, declared whole":    {append(slices.Clone(others), "Empresas.zip"), Accept{Whole: true}, nil},
		"from 1, declared whole":      {slices.Concat(others, numbers("Empresas", 1, 10)), Accept{Whole: true}, nil},
		"a hole, declared whole":      {without("Empresas3.zip"), Accept{Whole: true}, []string{"Empresas3.zip"}},
		"no table, declared whole":    {others, Accept{Whole: true}, companies},
		"fewer files, as before":      {slices.Concat(others, five), Accept{Served: served(slices.Concat(others, five)...)}, nil},
		"one fewer than before":       {releaseNames(), Accept{Served: served(slices.Concat(others, eleven)...)}, []string{"Empresas10.zip"}},
		"as few as what was partial":  {without("Qualificacoes.zip"), Accept{Served: served(releaseNames()...)}, []string{"Qualificacoes.zip"}},
		"after what was invented":     {slices.Concat(others, five), Accept{Served: served(slices.Concat(others, five)...), Invented: true}, numbers("Empresas", 5, 9)},
		"after what has no files":     {slices.Concat(others, five), Accept{Served: &record.Provenance{}}, numbers("Empresas", 5, 9)},
	} {
		var found []part
		for _, name := range c.found {
			found = appendPart(found, name)
		}
		if diff := cmp.Diff(c.want, c.accept.missing(found, false)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// TestEveryFileOfATableIsRead, whatever its number, once; what is of no table is named.
func TestEveryFileOfATableIsRead(t *testing.T) {
	t.Parallel()
	rel, err := partialRelease(t, map[string]string{
		"Empresas0": companyRow(1), "empresas10": companyRow(2), "K3241.K03200Y11.D60912.EMPRECSV": companyRow(3),
		"K3241.K03200Y0.D60912.EMPRECSV": companyRow(4), "Foo.zip": "", "LEIAME.pdf": "", ".download.json": "{}",
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"Foo.zip", "K3241.K03200Y0.D60912.EMPRECSV", "LEIAME.pdf"}, rel.Unread); diff != "" {
		t.Error(diff)
	}
	s, _, err := readAll(t, &rel, 2)
	if err != nil || len(s.companies) != 3 {
		t.Errorf("companies %v, %v", s.companies, err)
	}
	_, err = Find(filepath.Dir(rel.Files[0].Path), month, Accept{})
	var incomplete *IncompleteError
	if !errors.As(err, &incomplete) || !strings.Contains(err.Error(), "Foo.zip") || !strings.Contains(err.Error(), "Empresas1.zip") {
		t.Errorf("got %v", err)
	}
}

// TestShareIsDividedOtherwise: the share has more files than usual, then fewer, then fewer still.
func TestShareIsDividedOtherwise(t *testing.T) {
	t.Parallel()
	s := newShareServer(t)
	s.put("Estabelecimentos10.zip", shareZip(t, "Estabelecimentos10.zip", "one more"))
	s.put("Foo.zip", []byte("of no table"))
	c := s.share(t, download.Settings{})
	dir := t.TempDir()
	rel, err := c.Fetch(t.Context(), month, dir, Accept{})
	if err != nil || len(rel.Files) != 38 || !slices.Equal(rel.Unread, []string{"Foo.zip"}) || rel.Missing != nil {
		t.Fatalf("%+v, %v", rel, err)
	}
	var loaded []record.SourceFile
	for _, f := range rel.Files {
		if data, err := os.ReadFile(f.Path); err != nil || len(data) != len(s.file(f.Name)) {
			t.Errorf("%s: %v", f.Name, err)
		}
		loaded = append(loaded, record.SourceFile{Nome: f.Name, Bytes: int64(len(s.file(f.Name))), SHA256: readManifest(t, dir).Files[f.Name].SHA256})
	}
	listed, err := c.List(t.Context(), month, Accept{})
	if err != nil {
		t.Fatal(err)
	}
	if same, err := AreLoaded(listed.Files, loaded, dir, month); err != nil || !same {
		t.Errorf("the same files: %v, %v", same, err)
	}

	s.put("Estabelecimentos10.zip", nil)
	s.put("Socios9.zip", nil)
	if _, err := c.Fetch(t.Context(), month, dir, Accept{}); !errors.As(err, new(*IncompleteError)) || !IsAbsent(err) {
		t.Errorf("a file fewer: %v", err)
	}
	for name, accept := range map[string]Accept{"whole": {Whole: true}, "partial": {Partial: true}} {
		rel, err := c.Fetch(t.Context(), month, dir, accept)
		if err != nil || len(rel.Files) != 36 || (rel.Missing != nil) != accept.Partial {
			t.Errorf("%s: %d files, without %v: %v", name, len(rel.Files), rel.Missing, err)
		}
		if i := slices.IndexFunc(rel.Files, func(f File) bool { return f.Name == "Estabelecimentos10.zip" }); i >= 0 {
			t.Errorf("%s: a file of the folder that the share does not list is part of it", name)
		}
	}
}
