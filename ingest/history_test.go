package ingest_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"razao/ingest"
	"razao/ingest/receita"
	"razao/internal/data/cnpj"
	"razao/internal/data/source"
	"razao/internal/store/journal"
	"razao/internal/store/registry"
	"razao/internal/store/registry/history"
	"razao/internal/store/snapshot"
	"razao/internal/testing/fixture"
	"razao/internal/testing/fixture/sourcefiles"
)

// announcedTo returns what a reader at a position gets, a line for each event, and the position behind.
// It reads pages of a few events, so that most pages end within a company.
func announcedTo(t *testing.T, l *fixture.Loaded, from history.Position) (events []string, next history.Position) {
	t.Helper()
	s := now(t, l)
	for {
		page, err := journal.Walk(t.Context(), s, journal.Query{From: from, Limit: 3})
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range page.Withdrawn {
			events = append(events, fmt.Sprintf("withdrawn %s %s", w.Source, w.Period))
		}
		for i := range page.Changes {
			events = append(events, line(&page.Changes[i]))
		}
		if from = page.Next; !page.More {
			return events, from
		}
	}
}

// line writes an event with the values that changed.
func line(c *journal.Change) string {
	of := c.Root.String()
	if number, ok := c.Number(); ok {
		of = number.String()
	}
	var values []string
	for _, field := range c.Fields() {
		values = append(values, field.Name+"="+c.Value(c.Before, field.Name)+">"+c.Value(c.After, field.Name))
	}
	return strings.TrimRight(strings.Join([]string{c.Load.Period, of, c.Code(), c.Partner.Name, c.Date.String(), strings.Join(values, " ")}, " "), " ")
}

func sorted(lines []string) []string {
	lines = slices.Clone(lines)
	slices.Sort(lines)
	return lines
}

func TestHistoryOfTheRegistry(t *testing.T) {
	t.Parallel()
	l := fixture.Empty(t)
	l.Publish(t, fixture.Published(t, "2026-08"))
	if events, _ := announcedTo(t, l, history.Position{}); len(events) > 0 {
		t.Errorf("the first load announces %q", events)
	}
	l.Publish(t, fixture.Published(t, "2026-09",
		`"PADARIA ESTRELA DO SUL LTDA";"2062";"49";"480000,00";"03"`, `"PADARIA ESTRELA DO NORTE LTDA";"2054";"10";"500000,00";"05"`,
		`"12345678";"S";"20120101";"00000000"`, `"12345678";"N";"20120101";"20260831"`,
		`"12345678";"0003";"57";"2";"";"02";"20090314";"00"`, `"12345678";"0003";"57";"2";"";"08";"20260815";"01"`,
		`"12345678";"2";"MARTA FIGUEIRA INVENTADA";"***456789**";"49"`, `"12345678";"2";"MARTA FIGUEIRA INVENTADA";"***456789**";"10"`,
		`"12345678";"1";"ESTRELA PARTICIPA`, `"12345678";"1";"LUA PARTICIPA`,
		`"OVERSEAS HOLDINGS`, `"OVERSEAS HOLDING`,
		`"5611203,4721102"`, `"5611203,4711302"`,
	))
	events, _ := announcedTo(t, l, history.Position{})
	partner := "qualificacao_socio=22> data_entrada_sociedade=2019-08-02> representante_legal=***111222**> nome_representante=PROCURADOR FICTICIO> qualificacao_representante_legal=17> faixa_etaria=0>"
	entered := strings.NewReplacer("=22>", "=>22", "=2019-08-02>", "=>2019-08-02", "=***111222**>", "=>***111222**",
		"=PROCURADOR FICTICIO>", "=>PROCURADOR FICTICIO", "=17>", "=>17", "=0>", "=>0").Replace(partner)
	want := []string{
		"2026-09 12345678 empresa.nome   razao_social=PADARIA ESTRELA DO SUL LTDA>PADARIA ESTRELA DO NORTE LTDA",
		"2026-09 12345678 empresa.natureza   natureza_juridica=2062>2054",
		"2026-09 12345678 empresa.responsavel   qualificacao_responsavel=49>10",
		"2026-09 12345678 empresa.capital   capital_social=480000.00>500000.00",
		"2026-09 12345678 empresa.porte   porte_empresa=03>05",
		"2026-09 12345678 simples.saiu  2026-08-31 opcao_pelo_simples=S>N data_exclusao_simples=>2026-08-31",
		"2026-09 12345678000357 estabelecimento.baixado  2026-08-15 situacao_cadastral=02>08 data_situacao_cadastral=2009-03-14>2026-08-15 motivo_situacao_cadastral=00>01",
		"2026-09 12345678 socio.alterado MARTA FIGUEIRA INVENTADA  qualificacao_socio=49>10",
		"2026-09 12345678 socio.saiu ESTRELA PARTICIPAÇÕES S.A.  " + partner,
		"2026-09 12345678 socio.entrou LUA PARTICIPAÇÕES S.A. 2019-08-02 " + entered,
		"2026-09 12345678000195 estabelecimento.atividades_secundarias   cnae_fiscal_secundaria=5611203,4721102>5611203,4711302",
		"2026-09 " + fixture.Abroad + " empresa.nome   razao_social=OVERSEAS HOLDINGS EXEMPLO INC>OVERSEAS HOLDING EXEMPLO INC",
	}
	if diff := cmp.Diff(sorted(want), sorted(events)); diff != "" {
		t.Error(diff)
	}
}

// TestALoadIsComparedByItsFiles: the rows of both loads are read from the files beside their indexes, without PostgreSQL, and from
// PostgreSQL if there are none. What is announced is the same.
func TestALoadIsComparedByItsFiles(t *testing.T) {
	t.Parallel()
	for name, before := range map[string]func(l *fixture.Loaded, records, file string) error{
		"files": func(l *fixture.Loaded, records, _ string) error { // one row is left, which tells the version
			_, err := l.Pool.Exec(t.Context(), `DELETE FROM `+records+` WHERE root > (SELECT min(root) FROM `+records+`)`)
			return err
		},
		"one file": func(_ *fixture.Loaded, _, file string) error { return os.Remove(file) },
		"no files": func(l *fixture.Loaded, _, file string) error {
			l.Ingester.RowCache = false
			return os.Remove(file)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := fixture.Empty(t)
			l.Publish(t, fixture.Published(t, "2026-08"))
			if err := before(l, "load_000001.record", filepath.Join(l.IndexDir, "000001", registry.RowCacheName)); err != nil {
				t.Fatal(err)
			}
			l.Publish(t, fixture.Published(t, "2026-09", "ESTRELA DO SUL", "ESTRELA DO NORTE"))
			events, _ := announcedTo(t, l, history.Position{})
			want := []string{
				"2026-09 12345678 empresa.nome   razao_social=PADARIA ESTRELA DO SUL LTDA>PADARIA ESTRELA DO NORTE LTDA",
				"2026-09 12345678000195 estabelecimento.nome_fantasia   nome_fantasia=ESTRELA DO SUL PÃES E DOCES>ESTRELA DO NORTE PÃES E DOCES",
			}
			if diff := cmp.Diff(want, events); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestReadersResume: whoever was away for some months gets, page by page, what a reader got who came
// after each; a rollback withdraws what a reader has seen, and only from those who saw it.
func TestReadersResume(t *testing.T) {
	t.Parallel()
	l := fixture.Empty(t)
	publish := func(month string, edits ...string) { l.Publish(t, fixture.Published(t, month, edits...)) }
	publish("2026-08")
	var early []string
	_, away := announcedTo(t, l, history.Position{})
	at := away
	come := func() (events []string) {
		events, at = announcedTo(t, l, at)
		early = append(early, events...)
		return events
	}
	publish("2026-09", "ESTRELA DO SUL", "ESTRELA DO NORTE")
	seen := come()
	publish("2026-10", "ESTRELA DO SUL", "ESTRELA DO OESTE", "REDE DE LOJAS", "CADEIA DE LOJAS")
	seen = append(seen, come()...)
	if len(seen) != 2+3 { // the name and the trade name of the bakery, twice; the chain
		t.Errorf("two months announce %q", seen)
	}
	late, _ := announcedTo(t, l, away)
	if diff := cmp.Diff(early, late); diff != "" {
		t.Errorf("read month by month -, after both +: %s", diff)
	}
	if _, err := l.Ingester.Rollback(t.Context(), registry.Receita); err != nil {
		t.Fatal(err)
	}
	if got := come(); !slices.Equal(got, []string{"withdrawn receita 2026-10"}) {
		t.Errorf("after a rollback: %q", got)
	}
	if got := come(); len(got) > 0 {
		t.Errorf("announced twice: %q", got)
	}
	if late, _ := announcedTo(t, l, away); !slices.Equal(sorted(late), sorted(seen[:2])) {
		t.Errorf("a reader who comes after the rollback gets %q", late)
	}
	publish("2026-11", "ESTRELA DO SUL", "ESTRELA DO LESTE")
	if got := come(); len(got) != 2 || !strings.Contains(got[0]+got[1], "NORTE") {
		t.Errorf("after another load: %q; it is compared with the one in service", got)
	}
	if err := l.Ingester.Activate(t.Context(), 2); err != nil {
		t.Fatal(err)
	}
	if got := come(); !slices.Equal(got, []string{"withdrawn receita 2026-11"}) {
		t.Errorf("after a second rollback: %q", got)
	}
	late, _ = announcedTo(t, l, away)
	if !slices.Equal(sorted(late), sorted(seen[:2])) {
		t.Errorf("a reader who was away all the time gets %q", late)
	}
}

// TestWithdrawnOnlyFromWhoSaw: a reader in pages who came after a rollback, or who had not come to the load yet, does not learn on a later page
// that it was withdrawn; one who had read a part of it is.
func TestWithdrawnOnlyFromWhoSaw(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	register(t, l, "2026-09", 3)
	_, early := announcedTo(t, l, history.Position{})
	l.Publish(t, fixture.Published(t, "2026-10", "ESTRELA DO SUL", "ESTRELA DO NORTE", "REDE DE LOJAS", "CADEIA DE LOJAS"))
	page, err := journal.Walk(t.Context(), now(t, l), journal.Query{From: early, Limit: 1})
	if err != nil {
		t.Fatal(err)
	}
	partly := page.Next
	loadSource(t, l, "rntrc", carriers(t, "2026-10", establishments(t, fixture.Bakery, 1)[0]), ingest.SourceOptions{Force: true})
	if _, err := l.Ingester.Rollback(t.Context(), registry.Receita); err != nil {
		t.Fatal(err)
	}
	withdrawnFrom := func(at history.Position) (events []string) {
		for more := true; more; {
			page, err := journal.Walk(t.Context(), now(t, l), journal.Query{From: at, Limit: 1})
			if err != nil {
				t.Fatal(err)
			}
			for _, w := range page.Withdrawn {
				events = append(events, w.Source+" "+w.Period)
			}
			at, more = page.Next, page.More
		}
		return events
	}
	for name, from := range map[string]history.Position{"first": {}, "before": early} {
		if got := withdrawnFrom(from); len(got) > 0 {
			t.Errorf("a reader who comes %s learns that %q were withdrawn", name, got)
		}
	}
	if got := withdrawnFrom(partly); !slices.Equal(got, []string{"receita 2026-10"}) {
		t.Errorf("a reader of a part learns that %q were withdrawn", got)
	}
	old := partly
	old.AsOf = 0
	if got := withdrawnFrom(old); !slices.Equal(got, []string{"receita 2026-10"}) {
		t.Errorf("a reader of a part with a position of 2.2 learns that %q were withdrawn", got)
	}
}

// TestNoHoleWhenALoadComesBack: a load that is served again after a rollback, and after others, is announced
// again, behind everything announced before.
func TestNoHoleWhenALoadComesBack(t *testing.T) {
	t.Parallel()
	l := fixture.LoadRecords(t)
	l.Publish(t, fixture.Published(t, "2026-10"))
	second := fixture.Published(t, "2026-11", "ESTRELA DO SUL LTDA", "ESTRELA DO NORTE LTDA")
	_, at := announcedTo(t, l, history.Position{})
	l.Publish(t, second)
	id := now(t, l).Load.ID
	if _, err := l.Ingester.Rollback(t.Context(), registry.Receita); err != nil {
		t.Fatal(err)
	}
	if events, next := announcedTo(t, l, at); len(events) > 0 {
		t.Errorf("a load that came and went announces %q", events)
	} else {
		at = next
	}
	register(t, l, "2026-12", 3)
	register(t, l, "2027-01", 4)
	_, at = announcedTo(t, l, at)
	if err := l.Ingester.Activate(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	events, _ := announcedTo(t, l, at)
	events = slices.DeleteFunc(events, func(e string) bool { return strings.Contains(e, "bndes") }) // its links follow the names
	if len(events) != 1 || !strings.Contains(events[0], "empresa.nome") {
		t.Errorf("the load that came back announces %q", events)
	}
}

// TestAMissingTableIsAGap and not the departure of all partners, nor their return a month later.
func TestAMissingTableIsAGap(t *testing.T) {
	t.Parallel()
	l := fixture.Empty(t)
	l.Publish(t, fixture.Published(t, "2026-08"))
	_, at := announcedTo(t, l, history.Position{})
	partial := fixture.Published(t, "2026-09", "ESTRELA DO SUL LTDA", "ESTRELA DO NORTE LTDA")
	partial.Files = slices.DeleteFunc(partial.Files, func(f receita.File) bool { return strings.HasPrefix(f.Table.String(), "Socios") })
	for i := range 10 {
		partial.Missing = append(partial.Missing, fmt.Sprintf("Socios%d.zip", i))
	}
	l.Publish(t, partial)
	events, at := announcedTo(t, l, at)
	if len(events) != 1 || !strings.Contains(events[0], "empresa.nome") {
		t.Errorf("without partners: %q", events)
	}
	l.Publish(t, fixture.Published(t, "2026-10", "ESTRELA DO SUL LTDA", "ESTRELA DO NORTE LTDA"))
	if events, _ := announcedTo(t, l, at); len(events) > 0 {
		t.Errorf("with partners again: %q", events)
	}
	for _, load := range journal.Loads(now(t, l))[1:] {
		if want := []history.Gap{{Part: "socios", Why: history.Missing}}; !slices.Equal(load.Gaps, want) {
			t.Errorf("%s has the gaps %v, want %v", load.Period, load.Gaps, want)
		}
	}
}

func TestHistoryOfASource(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	first := register(t, l, "2026-09", 3)
	_, at := announcedTo(t, l, history.Position{})
	chain := establishments(t, fixture.Chain, 1)[0]
	bakery := establishments(t, fixture.Bakery, 1)[0]
	load := func(month string, of ...cnpj.Full) []string {
		loadSource(t, l, "rntrc", carriers(t, month, of...), ingest.SourceOptions{Force: true})
		var events []string
		events, at = announcedTo(t, l, at)
		return events
	}
	same := load("2026-10", establishments(t, fixture.Chain, decimalOrders(t, 3)...)...)
	if len(same) > 0 {
		t.Errorf("the same records: %q", same)
	}
	got := load("2026-11", chain, bakery)
	want := []string{
		"2026-11 " + fixture.Chain + " fonte.rntrc.alterado   registros=3>1",
		"2026-11 " + fixture.Bakery + " fonte.rntrc.entrou   registros=>1",
	}
	if diff := cmp.Diff(want, sorted(got)); diff != "" {
		t.Error(diff)
	}
	want = []string{"2026-12 " + fixture.Chain + " fonte.rntrc.saiu   registros=1>", "2026-12 " + fixture.Bakery + " fonte.rntrc.alterado   campos=>numero_rntrc,nome_transportador"}
	if got := load("2026-12", bakery); !slices.Equal(sorted(got), want) {
		t.Errorf("another record of the bakery, none of the chain: %q", got)
	}
	if load := journal.Loads(now(t, l)); load[len(load)-1].Former == first.ID {
		t.Error("the last load is compared with the first")
	}
}

// TestHistoryOutlivesRecords, those of loads that were announced; what a failed load found is forgotten.
func TestHistoryOutlivesRecords(t *testing.T) {
	t.Parallel()
	l := fixture.Empty(t)
	for i := range 5 {
		l.Publish(t, fixture.Published(t, fmt.Sprintf("2026-%02d", i+1), "ESTRELA DO SUL LTDA", fmt.Sprintf("ESTRELA %d LTDA", i)))
	}
	if _, err := l.Ingester.Prune(t.Context()); err != nil {
		t.Fatal(err)
	}
	if loads := allLoads(t, l); loads[4].State != registry.LoadDropped || loads[2].State != registry.LoadDropped {
		t.Fatalf("loads are kept: %+v", loads)
	}
	if events, _ := announcedTo(t, l, history.Position{}); len(events) != 4 {
		t.Errorf("four months announced %q", events)
	}
	root, _ := cnpj.ParseRoot(fixture.Bakery)
	s := now(t, l)
	h, err := s.Company(t.Context(), root)
	if err != nil {
		t.Fatal(err)
	}
	changes, err := journal.Of(t.Context(), s, &h)
	if err != nil || len(changes) != 4 || changes[0].Load.Period != "2026-05" || changes[3].Load.Period != "2026-02" {
		t.Errorf("the bakery: %v, %v", changes, err)
	}
	if _, err := l.Ingester.Rollback(t.Context(), registry.Receita); err != nil {
		t.Fatal(err)
	}
	l.Publish(t, fixture.Published(t, "2026-06"))
	l.Publish(t, fixture.Published(t, "2026-07"))
	if stored := texts(t, l, `SELECT load_id::text FROM history ORDER BY load_id`); !slices.Equal(stored, []string{"1", "2", "3", "4", "6", "7"}) {
		t.Errorf("histories are kept of loads %q; the fifth was withdrawn and its records are deleted", stored)
	}
}

// TestHistoryIsBuiltAgain from the loads that are kept, and what cannot be found again stays as it was.
func TestHistoryIsBuiltAgain(t *testing.T) {
	t.Parallel()
	l := fixture.Empty(t)
	for i, name := range []string{"SUL", "NORTE", "LESTE"} {
		l.Publish(t, fixture.Published(t, fmt.Sprintf("2026-%02d", i+8), "ESTRELA DO SUL LTDA", "ESTRELA DO "+name+" LTDA"))
	}
	build := func(when string) {
		t.Helper()
		before, end := announcedTo(t, l, history.Position{})
		if _, err := l.Ingester.BuildHistory(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := l.Live.Refresh(t.Context()); err != nil {
			t.Fatal(err)
		}
		after, _ := announcedTo(t, l, history.Position{})
		if diff := cmp.Diff(before, after); diff != "" || len(before) == 0 {
			t.Errorf("%s: %q before, after the history was built again: %s", when, before, diff)
		}
		if events, _ := announcedTo(t, l, end); len(events) > 0 {
			t.Errorf("%s: a reader gets them again: %q", when, events)
		}
	}
	build("three months")
	if _, err := l.Pool.Exec(t.Context(), `UPDATE history_block SET doc = '' WHERE load_id = 3`); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Ingester.BuildHistory(t.Context()); err != nil {
		t.Fatal(err)
	}
	build("after damage")
	if _, err := l.Ingester.Rollback(t.Context(), registry.Receita); err != nil {
		t.Fatal(err)
	}
	build("after a rollback") // the load before the one in service is deleted, and the one to go back to is a later one
}

// TestHistoryBeginsWithTheLoadInService, as after an update from a version without a history.
func TestHistoryBeginsWithTheLoadInService(t *testing.T) {
	t.Parallel()
	l := fixture.Empty(t)
	l.Publish(t, fixture.Published(t, "2026-08"))
	l.Publish(t, fixture.Published(t, "2026-09", "ESTRELA DO SUL LTDA", "ESTRELA DO NORTE LTDA"))
	want, _ := announcedTo(t, l, history.Position{})
	if _, err := l.Pool.Exec(t.Context(), `DELETE FROM history_journal; DELETE FROM history`); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Ingester.BuildHistory(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Ingester.RebuildIndex(t.Context()); err != nil { // another snapshot, which servers open
		t.Fatal(err)
	}
	if got, _ := announcedTo(t, l, history.Position{}); !slices.Equal(got, want) {
		t.Errorf("announced %q, want %q", got, want)
	}
}

// TestOperatorsAreSeenAtOnce: beside a server that goes on, forgetting ends the cursors from before even before the server has noticed, and
// then nobody reads of what is forgotten; what is built is announced.
func TestOperatorsAreSeenAtOnce(t *testing.T) {
	t.Parallel()
	l := fixture.Empty(t)
	l.Publish(t, fixture.Published(t, "2026-08"))
	l.Publish(t, fixture.Published(t, "2026-09", "ESTRELA DO SUL LTDA", "ESTRELA DO NORTE LTDA"))
	serving := now(t, l)
	first, err := journal.Walk(t.Context(), serving, journal.Query{Limit: 1})
	if err != nil || len(first.Changes) != 1 {
		t.Fatalf("%+v, %v", first, err)
	}
	cursor := history.Position{Seq: first.Changes[0].Load.Seq}
	announced := func(s *snapshot.Snapshot) (n int64) {
		for _, load := range journal.Loads(s) {
			n += load.Companies
		}
		return n
	}
	if announced(serving) == 0 {
		t.Fatal("nothing was announced")
	}
	if n, err := l.Store.ForgetHistoryBefore(t.Context(), time.Now().Add(time.Hour)); n != 2 || err != nil {
		t.Fatalf("forgot %d loads, %v", n, err)
	}
	for when, s := range map[string]func() *snapshot.Snapshot{"at once": func() *snapshot.Snapshot { return serving }, "soon": func() *snapshot.Snapshot { return now(t, l) }} {
		page, err := journal.Walk(t.Context(), s(), journal.Query{From: cursor, Limit: 1})
		if _, old := errors.AsType[*journal.TooOldError](err); !old {
			t.Errorf("%s a cursor from before gets %+v, %v", when, page, err)
		}
		if page, err := journal.Walk(t.Context(), s(), journal.Query{From: journal.End(serving), Limit: 1}); err != nil || len(page.Changes) > 0 {
			t.Errorf("%s a cursor from the end gets %+v, %v", when, page, err)
		}
	}
	if n := announced(now(t, l)); n != 0 {
		t.Errorf("%d companies are said to have changed", n)
	}
	if _, err := l.Ingester.BuildHistory(t.Context()); err != nil {
		t.Fatal(err)
	}
	if events, _ := announcedTo(t, l, history.Position{}); len(events) != 1 {
		t.Errorf("after a history was built beside a server: %q", events)
	}
}

// TestEditionsTellNothing: a file in which only what speaks of its edition or extraction has moved is no change of anything.
func TestEditionsTellNothing(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	edited := map[string]*strings.Replacer{
		"acordos_leniencia": strings.NewReplacer(`"13/08/2026"`, `"14/08/2026"`),
		"ibama_autos":       strings.NewReplacer(";2026-08-05 18:56:39", ";2026-08-06 18:56:39", ";2024-04-02 09:10:11;", ";2024-05-02 09:10:11;"),
		"ibama_embargos":    strings.NewReplacer(";2026-05-03 18:56:39", ";2026-05-04 18:56:39"),
		"mte_ceac":          strings.NewReplacer("\n1;", "\n9;"),
		"mte_empregadores":  strings.NewReplacer("\n7;", "\n9;"),
		"pncp":              strings.NewReplacer(`"dataAtualizacao": "2026-03-01T`, `"dataAtualizacao": "2026-03-02T`, `"dataAtualizacaoGlobal": "2026-03-01T`, `"dataAtualizacaoGlobal": "2026-03-02T`),
	}
	for _, id := range source.IDs() {
		if id == "pncp_orgao" { // it comes with pncp
			continue
		}
		dir := sourcefiles.Folder(t, id)
		l.Source(t, id, dir, sourcefiles.Period(id))
		_, at := announcedTo(t, l, history.Position{})
		if changed := edited[id]; changed != nil && !edit(t, dir, changed) {
			t.Errorf("%s: nothing to edit", id)
		}
		loadSource(t, l, id, dir, ingest.SourceOptions{Period: sourcefiles.Period(id), Force: true})
		if events, _ := announcedTo(t, l, at); len(events) > 0 {
			t.Errorf("%s: %q", id, events)
		}
	}
}

// edit changes the files of a folder, and reports whether there was anything to change.
func edit(t *testing.T, dir string, by *strings.Replacer) (changed bool) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		was, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		is := by.Replace(string(was))
		changed = changed || is != string(was)
		if err := os.WriteFile(file, []byte(is), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return changed
}
