package ingest_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"razao/ingest"
	"razao/ingest/receita"
	"razao/internal/data/cnpj"
	"razao/internal/store/registry"
	"razao/internal/store/registry/history"
	"razao/internal/store/snapshot"
	"razao/internal/testing/fixture"
	"razao/internal/testing/fixture/sourcefiles"
)

var (
	directHeader   = sourcefiles.Header("bndes/"+directFile) + "\n"
	indirectHeader = sourcefiles.Header("bndes/"+indirectFile) + "\n"
)

// The names of the two files.
const (
	directFile   = "operacoes-financiamento-operacoes-nao-automaticas.csv"
	indirectFile = "operacoes-financiamento-operacoes-indiretas-automaticas.csv"
)

// financing writes one operation with the holding's full number and one with the bakery's masked one.
func financing(t *testing.T) string {
	t.Helper()
	direct := directHeader + "ESTRELA PARTICIPACOES SA;98.765.432/0001-98;;SP;SAO PAULO;3550308;1;2024-02-01;10,50;10,50" + strings.Repeat(";", 24) + "\n"
	indirect := indirectHeader + "PADARIA ESTRELA DO SUL LTDA;**.*45.678/0001-**; SP;CAMPINAS;3509502;2024-05-14;42000;42000,00" + strings.Repeat(";", 22) + "\n"
	return sourcefiles.Write(t, directFile, direct, indirectFile, indirect)
}

func TestOperationsAreLinkedAgain(t *testing.T) {
	t.Parallel()
	l := fixture.Empty(t)
	loadSource(t, l, "bndes", financing(t), ingest.SourceOptions{Force: true})
	l.Ingest(t)
	bakery := registry.Document{Root: establishments(t, fixture.Bakery, 1)[0].Root()}
	holding := registry.Document{Root: establishments(t, fixture.Holding, 1)[0].Root()}
	checkLinks := func(when string, direct, indirect int) {
		t.Helper()
		if page := pageOf(t, l, "bndes", holding, registry.Range{Limit: 5}); page.Total != direct {
			t.Errorf("%s: %d published links, want %d", when, page.Total, direct)
		}
		page := pageOf(t, l, "bndes", bakery, registry.Range{Limit: 5})
		if page.Total != indirect {
			t.Errorf("%s: %d inferred links, want %d", when, page.Total, indirect)
		}
		for _, item := range page.Items {
			if item.Value("metodo_vinculo") != "inferido_mascara_nome_municipio" || item.Value("documento_fonte") != "**.*45.678/0001-**" ||
				item.Value("cnpj_vinculado") != "12345678000195" {
				t.Errorf("%s: %v", when, item.Values)
			}
		}
		if m := page.Load.Counts.Marked; m["operacoes"] != 2 || m["publicado"] != int64(direct) || m["nao_vinculado"] != int64(1-indirect) {
			t.Errorf("%s: figures %v", when, m)
		}
		if notes := strings.Join(page.Load.Provenance.Observacoes, " "); !strings.Contains(notes, fixture.Month) {
			t.Errorf("%s: the notes do not say what was linked with: %s", when, notes)
		}
		if len(page.Load.Provenance.Arquivos) != 2 || page.Load.Period != "2024-05" {
			t.Errorf("%s: the load lost its origin: %+v", when, page.Load)
		}
		read, err := l.Store.Load(t.Context(), page.Load.Edition)
		if err != nil || len(read.Overruled) == 0 || !slices.Equal(page.Load.Overruled, read.Overruled) {
			t.Errorf("%s: read and published in spite of %q, now %q: %v", when, read.Overruled, page.Load.Overruled, err)
		}
	}
	checkLinks("companies after operations", 1, 1)

	// The bakery under another name is no longer the client of the operation.
	renamed := fixture.Release(t)
	rename(t, &renamed, "PADARIA ESTRELA DO SUL LTDA", "PADARIA ESTRELA DO NORTE LTDA")
	if _, err := l.Ingester.Receita(t.Context(), &renamed, ingest.Options{Force: true}); err != nil {
		t.Fatal(err)
	}
	checkLinks("after a release with another name", 1, 0)
	if _, err := l.Ingester.Rollback(t.Context(), registry.Receita); err != nil {
		t.Fatal(err)
	}
	checkLinks("after going back", 1, 1)
	loadSource(t, l, "bndes", financing(t), ingest.SourceOptions{Force: true})
	checkLinks("after a new load of operations", 1, 1)
	for range 2 {
		if back, err := l.Ingester.Rollback(t.Context(), "bndes"); err != nil || !back.Active {
			t.Errorf("go back: %+v, %v", back, err)
		}
		checkLinks("after going back to former operations", 1, 1)
	}
	checkNoLitter(t, l)
}

// TestRelinkingTellsWhatIsSeen: operations that are linked anew have changed only if something that a reader sees has.
func TestRelinkingTellsWhatIsSeen(t *testing.T) {
	t.Parallel()
	l := fixture.Empty(t)
	l.Publish(t, fixture.Published(t, "2026-08"))
	loadSource(t, l, "bndes", financing(t), ingest.SourceOptions{Force: true})
	_, at := announcedTo(t, l, history.Position{})
	for _, c := range []struct {
		month string
		edits []string
		want  []string
	}{
		{"2026-09", nil, nil},
		{"2026-10", []string{"REDE DE LOJAS", "CADEIA DE LOJAS", "5611203,4721102", "4721102,5611203"}, nil},
		{"2026-11", []string{"ESTRELA DO SUL LTDA", "ESTRELA DO NORTE LTDA"}, []string{"2024-05 " + fixture.Bakery + " fonte.bndes.saiu   registros=1> total=42000.00>"}},
	} {
		before := served(t, l.Live).ID
		l.Publish(t, fixture.Published(t, c.month, c.edits...))
		var events []string
		events, at = announcedTo(t, l, at)
		events = slices.DeleteFunc(events, func(e string) bool { return !strings.Contains(e, ".bndes.") })
		if !slices.Equal(events, c.want) {
			t.Errorf("%s: linked anew tells %q, want %q", c.month, events, c.want)
		}
		companies := served(t, l.Live).ID
		active := slices.IndexFunc(allLoads(t, l), func(x registry.Load) bool { return x.Active && x.Source == "bndes" && x.LinkedTo == companies })
		if companies == before || active < 0 {
			t.Errorf("%s: the operations are not linked with load %d", c.month, companies)
		}
	}
}

// rename replaces a name in the files of a release.
func rename(t *testing.T, rel *receita.Release, from, to string) {
	t.Helper()
	for _, f := range rel.Files {
		data, err := os.ReadFile(f.Path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(f.Path, []byte(strings.ReplaceAll(string(data), from, to)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// linksOf returns how many operations the bakery has, whose links are inferred.
func linksOf(t *testing.T, l *fixture.Loaded) int {
	t.Helper()
	bakery := registry.Document{Root: establishments(t, fixture.Bakery, 1)[0].Root()}
	return pageOf(t, l, "bndes", bakery, registry.Range{Limit: 5}).Total
}

// renamed is a release in which the bakery is not the client of the operation any more.
func renamed(t *testing.T) *receita.Release {
	t.Helper()
	rel := fixture.Release(t)
	rename(t, &rel, "PADARIA ESTRELA DO SUL LTDA", "PADARIA ESTRELA DO NORTE LTDA")
	return &rel
}

// TestOperationsAreLinkedFromTheFile links operations with the companies' table gone: they are read from
// the file beside the index.
func TestOperationsAreLinkedFromTheFile(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	loads := texts(t, l, `SELECT id::text FROM load WHERE source = 'receita'`)
	if _, err := l.Pool.Exec(t.Context(), fmt.Sprintf(`DROP TABLE load_%06s.record`, loads[0])); err != nil {
		t.Fatal(err)
	}
	loadSource(t, l, "bndes", financing(t), ingest.SourceOptions{Force: true})
	if got := linksOf(t, l); got != 1 {
		t.Errorf("%d links", got)
	}
}

// TestRollingBackLinksIsASwitch switches between two releases: each time one snapshot and no load.
func TestRollingBackLinksIsASwitch(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	loadSource(t, l, "bndes", financing(t), ingest.SourceOptions{Force: true})
	if _, err := l.Ingester.Receita(t.Context(), renamed(t), ingest.Options{Force: true}); err != nil {
		t.Fatal(err)
	}
	if got := linksOf(t, l); got != 0 {
		t.Errorf("%d links with the new release", got)
	}
	state := func() string {
		return strings.Join(texts(t, l, `SELECT id || ' ' || source || ' ' || state FROM load ORDER BY id`), ", ")
	}
	before := state()
	for _, want := range []int{1, 0, 1} {
		from, err := l.Store.CurrentID(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := l.Ingester.Rollback(t.Context(), registry.Receita); err != nil {
			t.Fatal(err)
		}
		if to, err := l.Store.CurrentID(t.Context()); err != nil || to != from+1 {
			t.Errorf("from snapshot %d to %d, %v", from, to, err)
		}
		if got := linksOf(t, l); got != want {
			t.Errorf("%d links, want %d", got, want)
		}
		if after := state(); after != before {
			t.Errorf("loads were %s, are %s", before, after)
		}
		if _, err := l.Ingester.Prune(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	checkNoLitter(t, l)
}

// TestTheFormerEditionIsKept relinks an edition repeatedly: a rollback still goes to the edition
// before it.
func TestTheFormerEditionIsKept(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	first := loadSource(t, l, "bndes", financing(t), ingest.SourceOptions{Force: true, Period: "first"})[0]
	second := loadSource(t, l, "bndes", financing(t), ingest.SourceOptions{Force: true, Period: "second"})[0]
	for range 3 {
		l.Ingest(t)
	}
	linkedNow := func(when, period string, edition int64) {
		t.Helper()
		if got := linksOf(t, l); got != 1 {
			t.Errorf("%s: %d links", when, got)
		}
		var companies registry.Load
		for _, x := range allLoads(t, l) {
			if x.Active && x.Source == registry.Receita {
				companies = x
			}
		}
		for _, x := range allLoads(t, l) {
			if x.Active && x.Source == "bndes" && (x.Period != period || x.Edition != edition || x.LinkedTo != companies.ID) {
				t.Errorf("%s: %+v", when, x)
			}
		}
	}
	linkedNow("after new releases", "second", second.ID)
	for _, want := range []registry.Load{first, second} {
		if _, err := l.Ingester.Rollback(t.Context(), "bndes"); err != nil {
			t.Fatal(err)
		}
		linkedNow("after going back", want.Period, want.ID)
	}
	if _, err := l.Ingester.Prune(t.Context()); err != nil {
		t.Fatal(err)
	}
	kept := texts(t, l, `SELECT period FROM load WHERE source = 'bndes' AND state = 'ready' ORDER BY id`)
	if len(kept) > 3 { // the former edition, and that in service for the two releases
		t.Errorf("kept are %v", kept)
	}
	checkNoLitter(t, l)
}

// TestOperationsThatCannotBeReadStopNobody damages the archive that operations of BNDES are
// relinked from: publications succeed, and relinking works once it is repaired.
func TestOperationsThatCannotBeReadStopNobody(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	operations := loadSource(t, l, "bndes", financing(t), ingest.SourceOptions{Force: true})[0]
	tables := []string{"archive", "presence"}
	alter := func(from, to string) {
		for _, table := range tables {
			query := fmt.Sprintf(`ALTER TABLE %s.%s%s RENAME TO %s%s`, schemaOf(operations.ID), table, from, table, to)
			if _, err := l.Pool.Exec(t.Context(), query); err != nil {
				t.Fatal(err)
			}
		}
	}
	alter("", "_away")
	lines := logged(l)
	if _, err := l.Ingester.Receita(t.Context(), renamed(t), ingest.Options{Force: true}); err != nil {
		t.Fatal(err)
	}
	if served(t, l.Live).ID == 1 {
		t.Error("the new release is not served")
	}
	again := fmt.Sprintf("razao loads activate %d", operations.ID)
	if !strings.Contains(lines.String(), again) {
		t.Errorf("the log does not say %q:\n%s", again, lines)
	}
	if _, err := l.Ingester.Rollback(t.Context(), registry.Receita); err != nil || served(t, l.Live).ID != 1 {
		t.Errorf("going back: %v", err)
	}
	if _, err := l.Ingester.Rollback(t.Context(), registry.Receita); err != nil {
		t.Errorf("and forth: %v", err)
	}
	alter("_away", "")
	if err := l.Ingester.Activate(t.Context(), operations.ID); err != nil {
		t.Fatal(err)
	}
	if got := linksOf(t, l); got != 0 {
		t.Errorf("%d links with the new release", got)
	}
	checkFlags(t, now(t, l), "linked again", "bndes", 1)
	checkNoLitter(t, l)
}

// TestRequestsFinishBesideRelinking holds on to the snapshot that is in service between a release
// and its relinking.
func TestRequestsFinishBesideRelinking(t *testing.T) {
	t.Parallel()
	l := fixture.Empty(t)
	loadSource(t, l, "bndes", financing(t), ingest.SourceOptions{Force: true})
	var between *snapshot.Snapshot
	l.Ingester.Stages = watch(func(stage string, _, _ int64) {
		if between == nil && stage == "bndes: merge" {
			between = now(t, l)
		}
	})
	l.Ingest(t)
	holding, err := cnpj.ParseRoot(fixture.Holding)
	if err != nil {
		t.Fatal(err)
	}
	h, err := between.Company(t.Context(), holding)
	if err != nil {
		t.Fatal(err)
	}
	page, found := between.Select(t.Context(), "bndes", &h, registry.Document{Root: holding}, registry.Selection{Range: registry.Range{Limit: 5}})
	if !found || page.Err != nil || page.Total != 1 {
		t.Errorf("found %t, %d records, %v", found, page.Total, page.Err)
	}
	if between.LoadOf("bndes") == now(t, l).LoadOf("bndes") {
		t.Error("the operations were not linked again")
	}
}
