package ingest_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"razao/index"
	"razao/ingest"
	"razao/ingest/receita"
	"razao/internal/data/cnpj"
	"razao/internal/data/record"
	"razao/internal/store/registry"
	"razao/internal/store/snapshot"
	"razao/internal/testing/fixture"
)

func TestReceitaCounts(t *testing.T) {
	t.Parallel()
	load := served(t, fixture.Shared(t).Live)
	want := registry.Counts{
		Companies: 11, Establishments: 133, ActiveEstablishments: 101, ActiveCompanies: 10, Partners: 134, Simples: 3,
		Discarded: map[string]int64{
			"empresa_repetida": 1, "estabelecimento_repetido": 1, "socio_repetido": 1, "socio_sem_empresa": 1, "simples_sem_empresa": 1,
		},
		Marked: map[string]int64{
			"Empresas": 12, "Estabelecimentos": 134, "Socios": 136, "Simples": 4, "empresa_divergente": 1, "estabelecimento_divergente": 1,
		},
		Repaired: map[string]int64{"data": 1},
	}
	if diff := cmp.Diff(want, load.Counts); diff != "" {
		t.Error(diff)
	}
	if load.RowsRead != load.RowsLoaded+load.RowsDiscarded+load.RowsRejected {
		t.Errorf("%d rows read, %d loaded, %d discarded, %d rejected", load.RowsRead, load.RowsLoaded, load.RowsDiscarded, load.RowsRejected)
	}
	p := load.Provenance
	if !strings.Contains(p.Conjunto, "fictícios") || len(p.Arquivos) == 0 || len(p.Arquivos[0].SHA256) != 64 || len(p.Faltantes) != 0 {
		t.Errorf("provenance %+v", p)
	}
}

// served returns the Receita load of the current snapshot.
func served(t *testing.T, live *snapshot.Live) registry.Load {
	t.Helper()
	if err := live.Refresh(context.Background()); err != nil {
		t.Fatal(err)
	}
	s := fixture.Acquire(t, live)
	return s.Load
}

func TestReceitaRecords(t *testing.T) {
	t.Parallel()
	s := fixture.Acquire(t, fixture.Shared(t).Live)
	bakery, _ := cnpj.ParseRoot(fixture.Bakery)
	h, err := s.Company(t.Context(), bakery)
	if err != nil {
		t.Fatal(err)
	}
	if h.Company.RazaoSocial != "PADARIA ESTRELA DO SUL LTDA" || h.Company.CapitalSocial != 48000000 {
		t.Errorf("the blank row won: %+v", h.Company)
	}
	var orders, partners []string
	for c := h.FirstEstablishments(); c.Next(); {
		orders = append(orders, c.Establishment.CNPJ.Order().String())
	}
	for c := h.FirstPartners(); c.Next(); {
		partners = append(partners, c.Partner.NomeSocio)
	}
	if want := []string{"0001", "0002", "0003", "00A4"}; !cmp.Equal(want, orders) {
		t.Errorf("establishments %v, want %v", orders, want)
	}
	if want := []string{"ESTRELA PARTICIPAÇÕES S.A.", "MARTA FIGUEIRA INVENTADA"}; !cmp.Equal(want, partners) {
		t.Errorf("partners %v, want %v", partners, want)
	}
	first := h.FirstEstablishments()
	if first.Next(); first.Establishment.NomeFantasia != "ESTRELA DO SUL PÃES E DOCES" {
		t.Errorf("the older row won: %q", first.Establishment.NomeFantasia)
	}
	nameless, _ := cnpj.ParseRoot(fixture.Nameless)
	if h, err := s.Company(t.Context(), nameless); err != nil || h.HasCompany || h.Company.CapitalSocial != record.NoCents {
		t.Errorf("establishment without company: %+v, %v", h, err)
	}
}

func TestNoCPFIsKept(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	load := served(t, l.Live)
	var rows int
	query := `SELECT count(*) FROM ` + pgx.Identifier{schemaOf(load.ID)}.Sanitize() + `.record WHERE position($1::bytea IN doc) > 0`
	for text, want := range map[string]int{fixture.HiddenCPF: 0, "***456789**": 2} {
		if err := l.Pool.QueryRow(t.Context(), query, []byte(text)).Scan(&rows); err != nil || rows < want || want == 0 && rows > 0 {
			t.Errorf("%q is in %d rows, %v", text, rows, err)
		}
	}
	err := filepath.WalkDir(l.Ingester.IndexDir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if bytes.Contains(data, []byte(fixture.HiddenCPF)) {
			t.Errorf("%s holds a CPF", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	s := fixture.Acquire(t, l.Live)
	for _, text := range []string{fixture.HiddenCPF, "456789", "123.456.789-09"} {
		if r, err := s.Find(t.Context(), index.Query{Text: text, Limit: 10}); err != nil || len(r.Matches) > 0 {
			t.Errorf("%q finds %v, %v", text, r.Matches, err)
		}
	}
}

func schemaOf(load int64) string { return fmt.Sprintf("load_%06d", load) }

// fingerprintOf identifies everything that a load wrote: the rows of the store and the files of the index.
func fingerprintOf(t *testing.T, l *fixture.Loaded) []string {
	t.Helper()
	load := served(t, l.Live)
	var rows string
	query := `SELECT md5(string_agg(root::text || ' ' || seq::text || ' ' || md5(doc), ',' ORDER BY root, seq))
		FROM ` + pgx.Identifier{schemaOf(load.ID)}.Sanitize() + `.record`
	if err := l.Pool.QueryRow(t.Context(), query).Scan(&rows); err != nil {
		t.Fatal(err)
	}
	return append(indexFiles(t, l), rows)
}

func indexFiles(t *testing.T, l *fixture.Loaded) (sums []string) {
	t.Helper()
	for _, f := range l.Index(t).Manifest().Files {
		if strings.HasSuffix(f.Path, ".zap") {
			sums = append(sums, f.SHA256)
		}
	}
	if len(sums) == 0 {
		t.Fatal("the manifest names no segment")
	}
	return sums
}

func TestResultDoesNotDependOnWorkers(t *testing.T) {
	t.Parallel()
	var want []string
	for _, workers := range []int{1, 4} {
		l := fixture.Empty(t)
		l.Ingester.Workers = workers
		rel := fixture.Release(t)
		if _, err := l.Ingester.Receita(t.Context(), &rel, ingest.Options{}); err != nil {
			t.Fatal(err)
		}
		got := fingerprintOf(t, l)
		if want == nil {
			want = got
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%d workers: %s", workers, diff)
		}
	}
}

// TestChoiceOfRepeatedRows publishes rows of a company, an establishment or an option again, in either
// order and in two files: the one that the rule prefers is kept, and the differing ones are counted.
func TestChoiceOfRepeatedRows(t *testing.T) {
	t.Parallel()
	const companies, establishments, options = "Empresas", "Estabelecimentos", "Simples"
	company := func(name, nature, entity string) string {
		return fmt.Sprintf(`"%s";"%s";"49";"1,00";"05";"%s"`, name, nature, entity)
	}
	establishment := func(name, since, email string) string {
		return fmt.Sprintf(`"1";"%s";"02";"%s"%s;"%s";"";""`, name, since, strings.Repeat(`;""`, 20), email)
	}
	option := func(since, until string) string {
		return fmt.Sprintf(`"S";"%s";"%s";"N";"00000000";"00000000"`, since, until)
	}
	cases := []struct {
		name, table, worse, best string
		same                     bool
	}{
		{"a blank company", companies, company("", "0000", "LONGER THAN THE OTHER - SP"), company("E", "2062", ""), false},
		{"a fuller company", companies, company("ZZ", "2062", ""), company("AA", "2062", "UNIAO"), false},
		{"equally full companies", companies, company("AA", "2062", ""), company("AB", "2062", ""), false},
		{"the same company", companies, company("AA", "2062", ""), company("AA ", "2062", ""), true},
		{"a later status", establishments, establishment("A LONGER NAME", "20200101", ""), establishment("A", "20200102", ""), false},
		{"no date", establishments, establishment("A LONGER NAME", "0", ""), establishment("A", "19800102", ""), false},
		{"a fuller row", establishments, establishment("ZZ", "20200101", ""), establishment("AA", "20200101", "A@B"), false},
		{"a much fuller row", establishments, establishment("ZZ", "20200101", ""), establishment(strings.Repeat("A", 150), "20200101", ""), false},
		{"equally full rows", establishments, establishment("AA", "20200101", ""), establishment("AB", "20200101", ""), false},
		{"the same row", establishments, establishment("AA", "20200101", ""), establishment(" AA", "20200101", ""), true},
		{"a later option", options, option("20200101", "20201231"), option("20220101", "00000000"), false},
		{"a later exclusion", options, option("20200101", "00000000"), option("20100101", "20210630"), false},
		{"the same option", options, option("20200101", "00000000"), option("20200101", ""), true},
	}
	rootOf := func(i int) cnpj.Root {
		root, err := cnpj.ParseRoot(fmt.Sprintf("%08d", 10_000_000+i))
		if err != nil {
			t.Fatal(err)
		}
		return root
	}
	key := map[string]func(cnpj.Root) string{
		companies: func(r cnpj.Root) string { return fmt.Sprintf(`"%s"`, r) },
		establishments: func(r cnpj.Root) string {
			order, _ := cnpj.ParseOrder("0001")
			return fmt.Sprintf(`"%s";"0001";"%s"`, r, cnpj.Join(r, order).CheckDigits())
		},
	}
	key[options] = key[companies]
	whole := map[string]string{
		companies: company("EMPRESA", "2062", ""), establishments: establishment("LOJA", "20200101", ""), options: option("20200101", "00000000"),
	}
	l := fixture.Empty(t)
	load := func(pick func(i int) [2]string) (registry.Load, map[cnpj.Root]string) {
		t.Helper()
		files := map[string]string{}
		for i, c := range cases {
			for table := range whole {
				first, second := table+"0", table+"1"
				if table == options {
					first, second = table, table
				}
				row := key[table](rootOf(i)) + ";"
				if table != c.table {
					files[first] += row + whole[table] + "\n"
					continue
				}
				picked := pick(i)
				files[first] += row + picked[0] + "\n"
				files[second] += row + picked[1] + "\n"
			}
		}
		dir := t.TempDir()
		for file, data := range files {
			writeFile(t, filepath.Join(dir, file), data)
		}
		rel, err := receita.Find(dir, "2026-09", receita.Accept{Partial: true})
		if err != nil {
			t.Fatal(err)
		}
		load, err := l.Ingester.Receita(t.Context(), &rel, ingest.Options{Force: true})
		if err != nil {
			t.Fatal(err)
		}
		kept := map[cnpj.Root]string{}
		rows, err := l.Pool.Query(t.Context(), `SELECT root, encode(doc, 'escape') FROM `+pgx.Identifier{schemaOf(load.ID)}.Sanitize()+`.record`)
		if err != nil {
			t.Fatal(err)
		}
		var root int64
		var doc string
		if _, err := pgx.ForEachRow(rows, []any{&root, &doc}, func() error {
			kept[cnpj.Root(root)] = doc
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		return load, kept
	}
	twice, want := load(func(i int) [2]string { return [2]string{cases[i].best, cases[i].best} })
	if diff := cmp.Diff(map[string]int64{"Empresas": 17, "Estabelecimentos": 19, "Simples": 16}, twice.Counts.Marked); diff != "" {
		t.Errorf("rows published twice: %s", diff)
	}
	for name, pick := range map[string]func(i int) [2]string{
		"the best first": func(i int) [2]string { return [2]string{cases[i].best, cases[i].worse} },
		"the best last":  func(i int) [2]string { return [2]string{cases[i].worse, cases[i].best} },
	} {
		now, kept := load(pick)
		for i, c := range cases {
			if root := rootOf(i); kept[root] != want[root] {
				t.Errorf("%s, %s: the row kept is %q, want %q", c.name, name, kept[root], want[root])
			}
		}
		marked := map[string]int64{
			"Empresas": 17, "Estabelecimentos": 19, "Simples": 16, "empresa_divergente": 3, "estabelecimento_divergente": 5, "simples_divergente": 2,
		}
		if diff := cmp.Diff(marked, now.Counts.Marked); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if diff := cmp.Diff(twice.Counts.Discarded, now.Counts.Discarded); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestIndexIsRebuiltFromTheStoreAlone(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	before := indexFiles(t, l)
	if err := os.RemoveAll(l.Ingester.IndexDir); err != nil {
		t.Fatal(err)
	}
	m, err := l.Ingester.RebuildIndex(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if m.Docs != 133 {
		t.Errorf("%d documents", m.Docs)
	}
	load := served(t, l.Live)
	if diff := cmp.Diff(before, indexFiles(t, l)); diff != "" {
		t.Errorf("the rebuilt index differs: %s", diff)
	}
	if _, err := l.Ingester.RebuildIndex(t.Context()); err != nil {
		t.Errorf("a second rebuild: %v", err)
	}
	if err := l.Ingester.Activate(t.Context(), load.ID); err != nil {
		t.Errorf("activate with the newest index: %v", err)
	}
}

func TestRefusalsKeepTheSnapshot(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	before := served(t, l.Live)
	small := func(t *testing.T, month string) receita.Release {
		dir := t.TempDir()
		row := "\"12345678\";\"ONE COMPANY\";\"2062\";\"49\";\"1,00\";\"05\";\"\"\n"
		if err := os.WriteFile(filepath.Join(dir, "Empresas0"), []byte(row), 0o600); err != nil {
			t.Fatal(err)
		}
		rel, err := receita.Find(dir, month, receita.Accept{Partial: true})
		if err != nil {
			t.Fatal(err)
		}
		rel.Missing = nil // they are cut short, and nobody knows
		return rel
	}
	cases := map[string]struct {
		release receita.Release
		state   registry.LoadState // "": no load was begun
		says    string
	}{
		"same month":     {fixture.Release(t), "", "already being served"},
		"far fewer rows": {small(t, "2026-10"), registry.LoadRefused, "fewer than 97 %"},
		"damaged file": {func() receita.Release {
			rel := small(t, "2026-10")
			if err := os.WriteFile(rel.Files[0].Path, []byte("\"1\";\"2\"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			return rel
		}(), registry.LoadFailed, "has 2 columns"},
		"unreadable file": {func() receita.Release {
			rel := small(t, "2026-10")
			rel.Files[0].Path += ".gone"
			return rel
		}(), registry.LoadFailed, "no such file"},
	}
	for name, c := range cases {
		loads := len(allLoads(t, l))
		_, err := l.Ingester.Receita(t.Context(), &c.release, ingest.Options{})
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q in it", name, err, c.says)
		}
		after := allLoads(t, l)
		switch {
		case c.state == "" && len(after) != loads:
			t.Errorf("%s: a load was begun", name)
		case c.state != "" && (len(after) != loads+1 || after[0].State != c.state || after[0].Reason == ""):
			t.Errorf("%s: newest load %+v", name, after[0])
		}
		if now := served(t, l.Live); now.ID != before.ID {
			t.Errorf("%s: load %d is served", name, now.ID)
		}
		checkNoLitter(t, l)
	}
	forced := small(t, "2026-10")
	if _, err := l.Ingester.Receita(t.Context(), &forced, ingest.Options{Force: true}); err != nil {
		t.Errorf("forced: %v", err)
	}
	if now := served(t, l.Live); now.Period != "2026-10" {
		t.Errorf("forced: %s is served", now.Period)
	}
}

func allLoads(t *testing.T, l *fixture.Loaded) []registry.Load {
	t.Helper()
	loads, err := l.Store.Loads(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return loads
}

// checkNoLitter fails if there are schemas or indexes of no complete load, rebuilt indexes that no
// snapshot was published with, or temporary files.
func checkNoLitter(t *testing.T, l *fixture.Loaded) {
	t.Helper()
	schemas, indexes := map[string]bool{}, map[string]bool{}
	for _, load := range allLoads(t, l) {
		if load.State != registry.LoadReady {
			continue
		}
		schemas[schemaOf(load.ID)] = true
		indexes[strings.TrimPrefix(schemaOf(load.ID), "load_")] = load.Source == registry.Receita
		for _, name := range texts(t, l, `SELECT index_name FROM snapshot JOIN snapshot_load ON snapshot_id = id WHERE load_id = $1`, load.ID) {
			indexes[name] = true
		}
	}
	for _, name := range texts(t, l, `SELECT nspname FROM pg_namespace WHERE nspname LIKE 'load\_%'`) {
		if !schemas[name] {
			t.Errorf("schema %s is left", name)
		}
	}
	for _, name := range namesIn(t, l.Ingester.IndexDir) {
		if !indexes[name] {
			t.Errorf("index %s is left", name)
		}
	}
	for _, name := range namesIn(t, l.Ingester.WorkDir) {
		t.Errorf("%s is left of the work", name)
	}
}

// texts asks the database for texts.
func texts(t *testing.T, l *fixture.Loaded, query string, args ...any) []string {
	t.Helper()
	rows, err := l.Pool.Query(context.Background(), query, args...)
	if err != nil {
		t.Fatal(err)
	}
	all, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// namesIn returns what is in a folder, which may not be there.
func namesIn(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestCancelAtAnyStage(t *testing.T) {
	t.Parallel()
	for _, stage := range []string{"read", "merge", "key", "index: "} {
		t.Run(stage, func(t *testing.T) {
			t.Parallel()
			l := fixture.Empty(t)
			ctx, cancel := context.WithCancel(t.Context())
			l.Ingester.Stages = watch(func(now string, _, _ int64) {
				if strings.HasPrefix(now, stage) {
					cancel()
				}
			})
			rel := fixture.Release(t)
			if _, err := l.Ingester.Receita(ctx, &rel, ingest.Options{}); !errors.Is(err, context.Canceled) {
				t.Errorf("got %v", err)
			}
			if loads := allLoads(t, l); len(loads) != 1 || loads[0].State != registry.LoadFailed {
				t.Errorf("loads %+v", loads)
			}
			checkNoLitter(t, l)
			l.Ingester.Stages = nil
			if _, err := l.Ingester.Receita(t.Context(), &rel, ingest.Options{}); err != nil {
				t.Errorf("the next run: %v", err)
			}
			if served(t, l.Live).Period != fixture.Month {
				t.Error("the next run is not served")
			}
		})
	}
}

func TestInterruptedLoadIsCleared(t *testing.T) {
	t.Parallel()
	l := fixture.Empty(t)
	ctx := t.Context()
	id, err := l.Store.BeginLoad(ctx, registry.Receita, "2026-08")
	if err != nil {
		t.Fatal(err)
	}
	w, err := l.Store.NewWriter(ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Commit(ctx, nil); err != nil { // killed between the records and the index
		t.Fatal(err)
	}
	for _, dir := range []string{
		filepath.Join(l.Ingester.IndexDir, "000001.tmp"), filepath.Join(l.Ingester.IndexDir, "000001"), filepath.Join(l.Ingester.WorkDir, "000001"),
	} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	rel := fixture.Release(t)
	if _, err := l.Ingester.Receita(ctx, &rel, ingest.Options{}); err != nil {
		t.Fatal(err)
	}
	checkNoLitter(t, l)
	if loads := allLoads(t, l); loads[1].State != registry.LoadFailed || loads[1].Reason != "interrupted" {
		t.Errorf("the interrupted load is %+v", loads[1])
	}
}

func TestRollbackAndPrune(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	ctx := t.Context()
	if _, err := l.Ingester.Rollback(ctx, registry.Receita); err == nil {
		t.Error("rolled back without a former load")
	}
	for range 2 {
		l.Ingest(t)
	}
	if loads := allLoads(t, l); loads[2].State != registry.LoadDropped || loads[1].State != registry.LoadReady || !loads[0].Active {
		t.Errorf("after three loads: %+v", loads)
	}
	checkNoLitter(t, l)
	back, err := l.Ingester.Rollback(ctx, registry.Receita)
	if err != nil || back.ID != 2 || served(t, l.Live).ID != 2 {
		t.Errorf("rolled back to %d, %v", back.ID, err)
	}
	if err := l.Ingester.Activate(ctx, 3); err != nil || served(t, l.Live).ID != 3 {
		t.Errorf("activate: %v", err)
	}
	if err := l.Ingester.Activate(ctx, 1); err == nil {
		t.Error("a deleted load was activated")
	}
	if err := l.Ingester.Activate(ctx, 99); !errors.Is(err, registry.ErrNoLoad) {
		t.Errorf("a load that never was: %v", err)
	}
}

func TestRequestsFinishOnTheirSnapshot(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	ctx := t.Context()
	held, err := l.Live.Acquire()
	if err != nil {
		t.Fatal(err)
	}
	l.Ingest(t)
	if now := served(t, l.Live); now.ID == held.Load.ID {
		t.Fatal("the new load is not served")
	}
	bakery, _ := cnpj.ParseRoot(fixture.Bakery)
	if _, err := held.Company(ctx, bakery); err != nil {
		t.Errorf("records of the former snapshot: %v", err)
	}
	if r, err := held.Find(ctx, index.Query{Text: "padaria estrela", Limit: 5}); err != nil || len(r.Matches) == 0 {
		t.Errorf("index of the former snapshot: %v, %v", r.Matches, err)
	}
	held.Release()
}
