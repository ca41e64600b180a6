package ingest_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"razao/ingest"
	"razao/internal/store/registry"
	"razao/internal/store/sitemap"
	"razao/internal/testing/fixture"
	"razao/internal/testing/pgtest"
)

// TestIndexBuildsDoNotPileUp rebuilds an index again and again: only the one in service and its
// predecessor, which servers may still have open, are kept.
func TestIndexBuildsDoNotPileUp(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	l.Ingest(t) // the index of load 1 is kept for a rollback
	before := "000002"
	for n := 2; n <= 4; n++ {
		held := now(t, l)
		if _, err := l.Ingester.RebuildIndex(t.Context()); err != nil {
			t.Fatal(err)
		}
		built := fmt.Sprintf("000002-%d", n)
		if diff := cmp.Diff([]string{"000001", before, built}, namesIn(t, l.IndexDir)); diff != "" {
			t.Errorf("after build %d (-want +got):\n%s", n, diff)
		}
		if _, err := sitemap.Open(filepath.Join(l.IndexDir, held.Internals().Records().Snapshot.IndexName)); err != nil {
			t.Errorf("the snapshot that was in service until now: %v", err)
		}
		before = built
	}
	if _, err := l.Ingester.Prune(t.Context()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"000001", before}, namesIn(t, l.IndexDir)); diff != "" {
		t.Errorf("after pruning (-want +got):\n%s", diff)
	}
	checkFlags(t, now(t, l), "after pruning", "rntrc", 0)
	if _, err := l.Ingester.Rollback(t.Context(), registry.Receita); err != nil {
		t.Error(err)
	}
}

// logged redirects the ingester's log to a buffer.
func logged(l *fixture.Loaded) *bytes.Buffer {
	var lines bytes.Buffer
	l.Ingester.Log = slog.New(slog.NewTextHandler(&lines, nil))
	return &lines
}

// TestWhatNothingUsesIsFound leaves behind what a prune, a load and an index build leave when they
// are killed at the worst moment.
func TestWhatNothingUsesIsFound(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	l.Ingest(t)
	ctx := t.Context()
	if err := l.Store.Retire(ctx, 1); err != nil { // a prune ends here
		t.Fatal(err)
	}
	for _, state := range []registry.LoadState{registry.LoadFailed, registry.LoadRunning} { // clearing up ends here, and a load
		id, err := l.Store.BeginLoad(ctx, "rntrc", "2026-08")
		if err != nil {
			t.Fatal(err)
		}
		w, err := l.Store.NewWriter(ctx, id)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Commit(ctx, nil); err != nil {
			t.Fatal(err)
		}
		if err := l.Store.EndLoad(ctx, &registry.Load{ID: id, State: state}); err != nil {
			t.Fatal(err)
		}
	}
	for _, dir := range []string{
		filepath.Join(l.IndexDir, "000002-2.tmp"), filepath.Join(l.IndexDir, "000002-2"), filepath.Join(l.Ingester.WorkDir, "pgfn"),
		filepath.Join(l.IndexDir, "lost+found"),
	} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "file"), make([]byte, 1000), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{
		"schema load_000001", "schema load_000003", "schema load_000004",
		"index 000001", "index 000002-2", "index 000002-2.tmp", "work pgfn",
	}
	var got []string
	unused, err := l.Ingester.Unused(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, u := range unused {
		got = append(got, u.Kind+" "+u.Name)
		if u.Bytes < 1000 {
			t.Errorf("%s %s: %d bytes", u.Kind, u.Name, u.Bytes)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("unused (-want +got):\n%s", diff)
	}
	lines := logged(l)
	register(t, l, "2026-09", 3)
	for _, w := range want {
		_, name, _ := strings.Cut(w, " ")
		if strings.Count(lines.String(), "name="+name+" ") != 1 {
			t.Errorf("no line, or several, about %s", w)
		}
	}
	if err := os.RemoveAll(filepath.Join(l.IndexDir, "lost+found")); err != nil {
		t.Errorf("what is not ours is gone: %v", err)
	}
	checkNoLitter(t, l)
	if unused, err := l.Ingester.Unused(ctx); err != nil || len(unused) > 0 {
		t.Errorf("left: %v, %v", unused, err)
	}
	if loads := allLoads(t, l); loads[1].State != registry.LoadFailed || loads[1].Reason != "interrupted" {
		t.Errorf("the load that was killed: %+v", loads[1])
	}
}

// undeletable makes a folder, with something in it, whose contents nobody can delete until the test ends.
func undeletable(t *testing.T, dir string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Join(dir, "in it"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(dir, 0o700) })
	if os.Geteuid() != 0 {
		return
	}
	if out, err := exec.Command("chattr", "+i", dir).CombinedOutput(); err != nil { // root may delete what has no permissions
		t.Skipf("%v: %s", err, out)
	}
	t.Cleanup(func() { _ = exec.Command("chattr", "-i", dir).Run() })
}

// TestOneLeftoverDoesNotStopTheOthers: something is not to be deleted, something is deleted by somebody
// else meanwhile, something is still being read. The rest goes, and what stays is named.
func TestOneLeftoverDoesNotStopTheOthers(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	ctx := t.Context()
	for range 5 { // loads 2 to 6 leave a schema each
		id, err := l.Store.BeginLoad(ctx, "rntrc", "2026-08")
		if err != nil {
			t.Fatal(err)
		}
		w, err := l.Store.NewWriter(ctx, id)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Commit(ctx, nil); err != nil {
			t.Fatal(err)
		}
		if err := l.Store.EndLoad(ctx, &registry.Load{ID: id, State: registry.LoadFailed}); err != nil {
			t.Fatal(err)
		}
	}
	run := func(query string) {
		t.Helper()
		if _, err := l.Pool.Exec(ctx, query); err != nil {
			t.Fatal(err)
		}
	}
	run(`CREATE FUNCTION keep() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN
		IF EXISTS (SELECT FROM pg_event_trigger_dropped_objects() WHERE object_identity = 'load_000002') THEN RAISE 'it is to stay'; END IF;
	END $$`)
	run(`CREATE EVENT TRIGGER keep ON sql_drop EXECUTE FUNCTION keep()`)
	undeletable(t, filepath.Join(l.IndexDir, "000002"))
	undeletable(t, filepath.Join(l.Ingester.WorkDir, "000002"))
	for _, dir := range []string{filepath.Join(l.IndexDir, "000001-7"), filepath.Join(l.IndexDir, "000003"), filepath.Join(l.Ingester.WorkDir, "a"), filepath.Join(l.Ingester.WorkDir, "z")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	reader, err := l.Pool.Begin(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = reader.Rollback(context.Background()) }()
	if _, err := reader.Exec(ctx, `LOCK TABLE load_000004.record IN ACCESS SHARE MODE`); err != nil {
		t.Fatal(err)
	}
	l.Ingester.Log = slog.New(&onRecord{Handler: slog.DiscardHandler, report: func(message, name string) {
		switch {
		case strings.HasPrefix(message, "waiting for"):
			if name != "load_000004" {
				t.Errorf("it waits for %s", name)
			}
			left := texts(t, l, `SELECT nspname::text FROM pg_namespace WHERE nspname ~ '^load_' ORDER BY 1`)
			if diff := cmp.Diff([]string{"load_000001", "load_000002", "load_000004"}, left); diff != "" {
				t.Errorf("before it waits: %s", diff)
			}
			if err := reader.Rollback(ctx); err != nil {
				t.Error(err)
			}
		case name == "load_000005":
			run(`DROP SCHEMA load_000005 CASCADE`)
		case name == "000003":
			_ = os.RemoveAll(filepath.Join(l.IndexDir, name))
		}
	}})
	_, err = l.Ingester.Prune(ctx)
	var left *ingest.LeftoverError
	if !errors.As(err, &left) || len(left.Left) != 3 {
		t.Fatalf("pruned: %v", err)
	}
	for i, want := range []string{"index 000002: ", "schema load_000002: ", "work 000002: "} {
		if said := left.Left[i].Error(); !strings.HasPrefix(said, want) || !strings.Contains(err.Error(), "\n"+said) {
			t.Errorf("it says %q, want %q; in all %q", said, want, err)
		}
	}
	if !strings.Contains(err.Error(), "it is to stay") {
		t.Errorf("it says %v", err)
	}
	if diff := cmp.Diff([]string{"load_000001", "load_000002"}, texts(t, l, `SELECT nspname::text FROM pg_namespace WHERE nspname ~ '^load_' ORDER BY 1`)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([][]string{{"000001", "000002"}, {"000002"}}, [][]string{namesIn(t, l.IndexDir), namesIn(t, l.Ingester.WorkDir)}); diff != "" {
		t.Error(diff)
	}
	lines := logged(l)
	register(t, l, "2026-09", 3) // a load is not in the way of what is left, nor the other way round
	if said := lines.String(); !strings.Contains(said, "razao loads prune") || !strings.Contains(said, "schema load_000002") {
		t.Errorf("a load says\n%s", said)
	}
	run(`DROP EVENT TRIGGER keep`)
	if _, err := l.Ingester.Prune(ctx); err == nil || strings.Contains(err.Error(), "schema") || !strings.Contains(err.Error(), "index 000002") {
		t.Errorf("pruned again: %v", err)
	}
}

// TestALoadWhoseRecordsStayIsNotSaidToBeDeleted keeps the records of a former load from being deleted.
func TestALoadWhoseRecordsStayIsNotSaidToBeDeleted(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	for _, query := range []string{
		`CREATE FUNCTION keep() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'everything is to stay'; END $$`,
		`CREATE EVENT TRIGGER keep ON sql_drop WHEN TAG IN ('DROP SCHEMA') EXECUTE FUNCTION keep()`,
	} {
		if _, err := l.Pool.Exec(t.Context(), query); err != nil {
			t.Fatal(err)
		}
	}
	l.Ingest(t)
	l.Ingest(t)
	if gone, err := l.Ingester.Prune(t.Context()); err == nil || len(gone) > 0 || !strings.Contains(err.Error(), "schema load_000001: ") {
		t.Errorf("loads %v are said to be gone: %v", gone, err)
	}
	if _, err := l.Pool.Exec(t.Context(), `DROP EVENT TRIGGER keep`); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Ingester.Prune(t.Context()); err != nil {
		t.Error(err)
	}
	checkNoLitter(t, l)
}

// onRecord is a log that tells of each record's message and its attribute "name".
type onRecord struct {
	slog.Handler
	report func(message, name string)
}

func (o *onRecord) Enabled(context.Context, slog.Level) bool { return true }

func (o *onRecord) Handle(_ context.Context, r slog.Record) error {
	r.Attrs(func(a slog.Attr) bool {
		if a.Key == "name" {
			o.report(r.Message, a.Value.String())
		}
		return true
	})
	return nil
}

// TestNothingIsUnusedDuringALoad: the files of a running load must not be listed as unused.
func TestNothingIsUnusedDuringALoad(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	lock, err := l.Store.Lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Release()
	if _, err := l.Ingester.Unused(t.Context()); !errors.Is(err, registry.ErrBusy) {
		t.Errorf("got %v", err)
	}
}

// TestACutPublicationIsNotUndone cuts the connection before or after the COMMIT of a publication,
// with and without a way to ask for its outcome.
func TestACutPublicationIsNotUndone(t *testing.T) {
	t.Parallel()
	for name, how := range map[string]pgtest.Cut{"asks": pgtest.AfterCommit, "cannot ask": pgtest.ForGood, "was not published": pgtest.BeforeCommit} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := fixture.Load(t)
			pool, proxy := pgtest.Proxied(t, l.Pool)
			l.Ingester.Store = registry.NewStore(pool)
			l.Ingester.Stages = watch(func(stage string, done, total int64) {
				if stage == "flags of sources" && done == total { // what comes next is the publication
					proxy.CutNextCommit(how)
				}
			})
			from := carriers(t, "2026-09", establishments(t, fixture.Chain, decimalOrders(t, 3)...)...)
			_, err := l.Ingester.Source(t.Context(), "rntrc", from, ingest.SourceOptions{Force: true})
			if (how == pgtest.AfterCommit) != (err == nil) || (how == pgtest.ForGood) != errors.Is(err, registry.ErrInDoubt) {
				t.Errorf("load: %v", err)
			}
			l.Ingester.Stages, l.Ingester.Store = nil, l.Store
			if how == pgtest.ForGood { // the session that has got the COMMIT may still be at it
				fixture.Wait(t, "the publication", func() bool { return allLoads(t, l)[0].Active })
			}
			newest := allLoads(t, l)[0]
			if published := how != pgtest.BeforeCommit; newest.Active != published || (newest.State == registry.LoadReady) != published {
				t.Errorf("newest load %+v", newest)
			}
			checkFlags(t, now(t, l), name, "rntrc", map[bool]int{true: 3}[newest.Active])
			if _, err := l.Ingester.Prune(t.Context()); err != nil {
				t.Error(err)
			}
			checkFlags(t, now(t, l), name+", after pruning", "rntrc", map[bool]int{true: 3}[newest.Active])
			checkNoLitter(t, l)
		})
	}
}

// TestARunEndsWithItsLock ends the session that holds the lock during a load, which must then fail:
// another process may be loading.
func TestARunEndsWithItsLock(t *testing.T) {
	t.Parallel()
	for _, stage := range []string{"read", "merge", "index: "} {
		t.Run(stage, func(t *testing.T) {
			t.Parallel()
			l := fixture.Load(t)
			ended := false
			l.Ingester.Workers = 1
			l.Ingester.Stages = watch(func(now string, _, _ int64) {
				if ended || !strings.HasPrefix(now, stage) {
					return
				}
				ended = true
				const end = `
					SELECT pg_terminate_backend(pid, 10000)::text FROM pg_locks
					WHERE locktype = 'advisory' AND granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`
				if got := texts(t, l, end); !slices.Equal(got, []string{"true"}) {
					t.Errorf("ended sessions: %v", got)
				}
			})
			rel := fixture.Release(t)
			if _, err := l.Ingester.Receita(t.Context(), &rel, ingest.Options{Force: true}); !errors.Is(err, registry.ErrLockLost) {
				t.Errorf("got %v", err)
			}
			checkServed(t, l, 1)
			checkNoLitter(t, l)
		})
	}
}
