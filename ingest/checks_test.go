package ingest_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"razao/ingest"
	"razao/ingest/receita"
	"razao/ingest/rows"
	"razao/internal/store/registry"
	"razao/internal/testing/fixture"
	"razao/internal/testing/fixture/sourcefiles"
)

// inventedCarriers writes rows of the register of carriers, marked as invented so that the floors
// of real files do not apply.
func inventedCarriers(t *testing.T, month string, documents []string) string {
	t.Helper()
	var b strings.Builder
	b.WriteString(rntrcHeader)
	for i, document := range documents {
		fmt.Fprintf(&b, "\"FROTA %d\";\"%09d\";\"01/02/2020\";\"ATIVO\";\"%s\";\"ETC\";\"13024-100\";\"CAMPINAS\";\"SP\";\"N\xe3o\";\"03/04/2024\"\r\n", i, i, document)
	}
	dir := sourcefiles.Write(t, "transportadores_rntrc_"+month[5:]+"_"+month[:4]+".csv", b.String())
	writeFile(t, filepath.Join(dir, rows.InventedMark), "")
	return dir
}

func writeFile(t *testing.T, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

func documentsOf(t *testing.T, n int) (documents []string) {
	t.Helper()
	for _, e := range establishments(t, fixture.Chain, decimalOrders(t, n)...) {
		documents = append(documents, e.Masked())
	}
	return documents
}

// TestLostRecordsAreRefused loads files with as many rows as before, of which fewer become records.
func TestLostRecordsAreRefused(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	all := documentsOf(t, 120)
	before := loadSource(t, l, "rntrc", inventedCarriers(t, "2026-08", all), ingest.SourceOptions{})[0]
	drifted := append([]string{}, all...)
	for i := range 40 {
		drifted[i] = strings.ReplaceAll(drifted[i], "/", "#")
	}
	alike := make([]string, len(all))
	for i := range alike {
		alike[i] = all[0]
	}
	for name, c := range map[string]struct {
		documents []string
		says      string
		merges    bool // the refusal needs the merged records
	}{
		"a rule takes more rows": {drifted, "documento_invalido: 40 of 120 (33.3 %), in load", false},
		"fewer rows":             {all[:90], "90 rows read, fewer than 80 % of the 120 of load", false},
		"fewer CNPJs":            {alike, "1 CNPJs with records, fewer than 80 % of the 120 of load", true},
	} {
		merged := false
		l.Ingester.Stages = watch(func(stage string, _, _ int64) { merged = merged || stage == "rntrc: merge" })
		from := inventedCarriers(t, "2026-09", c.documents)
		_, err := l.Ingester.Source(t.Context(), "rntrc", from, ingest.SourceOptions{})
		if !errors.Is(err, ingest.ErrRefused) || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), "--force") {
			t.Errorf("%s: %v, want %q in it", name, err, c.says)
		}
		if merged != c.merges {
			t.Errorf("%s: merged %v", name, merged)
		}
		if now := allLoads(t, l)[0]; now.State != registry.LoadRefused || now.RowsRead != int64(len(c.documents)) {
			t.Errorf("%s: load %+v", name, now)
		}
		checkServed(t, l, before.ID)
		checkNoLitter(t, l)
	}
	l.Ingester.Stages = nil
	if forced := loadSource(t, l, "rntrc", inventedCarriers(t, "2026-09", drifted), ingest.SourceOptions{Force: true})[0]; forced.Counts.Records != 80 {
		t.Errorf("forced: %+v", forced)
	}
}

// TestFirstLoadHasItsRecords loads a first file that has enough rows, but none that is a record of
// a company.
func TestFirstLoadHasItsRecords(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	var b strings.Builder
	b.WriteString(sourcefiles.Header("cepim/20260928_CEPIM.csv") + "\r\n")
	good := establishments(t, fixture.Chain, decimalOrders(t, 100)...)
	for i := range 3100 {
		document := fmt.Sprintf("EX%d", i)
		if i < len(good) {
			document = good[i].String()
		}
		fmt.Fprintf(&b, "\"%s\";\"ENTIDADE\";\"%d\";\"ORGAO\";\"MOTIVO\"\r\n", document, i)
	}
	from := sourcefiles.Write(t, "20260930_CEPIM.csv", b.String())
	_, err := l.Ingester.Source(t.Context(), "cepim", from, ingest.SourceOptions{})
	if want := "100 records, fewer than the 3000 that every real file of cepim has"; !errors.Is(err, ingest.ErrRefused) || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want %q", err, want)
	}
	checkNoLitter(t, l)
	loadSource(t, l, "cepim", from, ingest.SourceOptions{Force: true})
}

// companiesOf writes a partial release of companies with the given capitals, some of the companies
// twice.
func companiesOf(t *testing.T, month string, n, twice int, capital func(i int) string) receita.Release {
	t.Helper()
	var b strings.Builder
	for i := range n + twice {
		fmt.Fprintf(&b, "\"%08d\";\"EMPRESA %d\";\"2062\";\"49\";\"%s\";\"05\";\"\"\n", 1+i%n, i, capital(i))
	}
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "Empresas0"), b.String())
	rel, err := receita.Find(dir, month, receita.Accept{Partial: true})
	if err != nil {
		t.Fatal(err)
	}
	return rel
}

func TestDriftedReleasesAreRefused(t *testing.T) {
	t.Parallel()
	l := fixture.Empty(t)
	const n = 1000
	whole := func(int) string { return "1,00" }
	some := func(i int) string {
		if i%3 == 0 {
			return "1.00"[i%2:] + "e3"
		}
		return "1,00"
	}
	former := companiesOf(t, "2026-08", n, 0, whole)
	if _, err := l.Ingester.Receita(t.Context(), &former, ingest.Options{}); err != nil {
		t.Fatal(err)
	}
	before := served(t, l.Live)
	for name, c := range map[string]struct {
		release receita.Release
		says    string
		merges  bool
	}{
		"values became null": {companiesOf(t, "2026-09", n, 0, some), "capital_social: 334 of 1000 (33.4 %), in load 1 (2026-08)", false},
		"a table cut short":  {companiesOf(t, "2026-09", n-50, 0, whole), "950 rows of Empresas read, fewer than 97 % of the 1000 of load 1 (2026-08)", false},
		"rows left out":      {companiesOf(t, "2026-09", n, n/2, whole), "empresa_repetida: 500 of 1500 (33.3 %), in load 1 (2026-08)", true},
	} {
		merged := false
		l.Ingester.Stages = watch(func(stage string, _, _ int64) { merged = merged || stage == "merge" })
		_, err := l.Ingester.Receita(t.Context(), &c.release, ingest.Options{})
		if !errors.Is(err, ingest.ErrRefused) || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), "--force") {
			t.Errorf("%s: %v, want %q in it", name, err, c.says)
		}
		if now := served(t, l.Live); now.ID != before.ID || merged != c.merges {
			t.Errorf("%s: load %d is served, merged %v", name, now.ID, merged)
		}
		checkNoLitter(t, l)
	}
	l.Ingester.Stages = nil
	drifted := companiesOf(t, "2026-09", n, 0, some)
	if load, err := l.Ingester.Receita(t.Context(), &drifted, ingest.Options{Force: true}); err != nil || load.Counts.Repaired["capital_social"] != 334 {
		t.Errorf("forced: %+v, %v", load.Counts, err)
	}
}

// TestRejectsOfRefusedLoads checks that a load with too many unreadable rows is refused, lists
// them, and can be forced.
func TestRejectsOfRefusedLoads(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	const bad = 150
	rows := carriers(t, "2026-09", establishments(t, fixture.Chain, decimalOrders(t, 100)...)...)
	table := filepath.Join(rows, "transportadores_rntrc_09_2026.csv")
	data, err := os.ReadFile(table)
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, table, string(data)+strings.Repeat("\"only\";\"two\"\r\n", bad))
	release := companiesOf(t, "2026-10", 300, 0, func(int) string { return "1,00" })
	companies, err := os.ReadFile(release.Files[0].Path)
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, release.Files[0].Path, string(companies)+strings.Repeat("\"NO ROOT\";\"X\";\"2062\";\"49\";\"1,00\";\"05\";\"\"\n", bad))
	for name, load := range map[string]func(force bool) error{
		"source": func(force bool) error {
			_, err := l.Ingester.Source(t.Context(), "rntrc", rows, ingest.SourceOptions{Force: force})
			return err
		},
		"receita": func(force bool) error {
			_, err := l.Ingester.Receita(t.Context(), &release, ingest.Options{Force: force})
			return err
		},
	} {
		err := load(false)
		if !errors.Is(err, ingest.ErrRefused) || !strings.Contains(err.Error(), "101 rows cannot be read, more than the 100 tolerated") {
			t.Errorf("%s: %v", name, err)
		}
		checkRejects(t, l, name, registry.LoadRefused, 101)
		checkNoLitter(t, l)
		if err := load(true); err != nil {
			t.Errorf("%s, forced: %v", name, err)
		}
		checkRejects(t, l, name, registry.LoadReady, bad)
	}
}

// checkRejects checks the rejects of the newest load.
func checkRejects(t *testing.T, l *fixture.Loaded, name string, state registry.LoadState, n int) {
	t.Helper()
	load := allLoads(t, l)[0]
	rejects, err := l.Store.Rejects(t.Context(), load.ID)
	if err != nil {
		t.Fatal(err)
	}
	if load.State != state || load.RowsRejected != int64(n) || len(rejects) != n {
		t.Fatalf("%s: load %+v with %d rejects, want %s with %d", name, load, len(rejects), state, n)
	}
	if r := rejects[0]; r.File == "" || r.Line == 0 || r.Reason == "" || len(r.Raw) == 0 {
		t.Errorf("%s: reject %+v", name, r)
	}
}
