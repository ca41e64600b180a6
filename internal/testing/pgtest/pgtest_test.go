package pgtest

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"razao/migrations"
)

func TestPoolIsMigratedAndAlone(t *testing.T) {
	t.Parallel()
	first, second := Pool(t), Pool(t)
	if err := migrations.Check(t.Context(), DSN(t)); err != nil {
		t.Errorf("migrations: %v", err)
	}
	if _, err := first.Exec(t.Context(), "CREATE TABLE mine ()"); err != nil {
		t.Fatal(err)
	}
	if _, err := second.Exec(t.Context(), "CREATE TABLE mine ()"); err != nil {
		t.Errorf("another test's table is in the way: %v", err)
	}
}

func TestDatabaseIsDropped(t *testing.T) {
	t.Parallel()
	DSN(t) // skips without PostgreSQL
	var dsn string
	t.Run("test", func(t *testing.T) {
		dsn = DSN(t)
		// A process that the test left behind holds a connection.
		if _, err := pgx.Connect(context.Background(), dsn); err != nil {
			t.Fatal(err)
		}
	})
	if conn, err := pgx.Connect(t.Context(), dsn); err == nil {
		_ = conn.Close(t.Context())
		t.Error("the database is left")
	}
}

func TestWithDatabase(t *testing.T) {
	t.Parallel()
	for dsn, wantHost := range map[string]string{
		"postgres://me:secret@db.invalid:5433/postgres?sslmode=disable": "db.invalid",
		"host='/a b' port=5433 user=me dbname=postgres sslmode=disable": "/a b",
	} {
		config, err := pgx.ParseConfig(withDatabase(dsn, "other"))
		if err != nil {
			t.Errorf("%s: %v", dsn, err)
			continue
		}
		if config.Database != "other" || config.Host != wantHost || config.Port != 5433 || config.User != "me" {
			t.Errorf("%s: got %s on %s:%d as %s", dsn, config.Database, config.Host, config.Port, config.User)
		}
	}
}

func TestAs(t *testing.T) {
	t.Parallel()
	pool := Connect(t, As(t, DSN(t), migrations.Serve))
	var user string
	if err := pool.QueryRow(t.Context(), "SELECT current_user").Scan(&user); err != nil || user != migrations.Serve {
		t.Errorf("got %s, %v", user, err)
	}
	for dsn, want := range map[string]string{
		"postgres://me:secret@db.invalid/razao?sslmode=disable": "postgres://me:secret@db.invalid/razao?role=razao_serve&sslmode=disable",
		"host=db.invalid user=me":                               "host=db.invalid user=me role=razao_serve",
	} {
		if got := with(dsn, "role", migrations.Serve); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestTakeSlot(t *testing.T) {
	t.Parallel()
	base := filepath.Join(t.TempDir(), "slots")
	first, lock, err := takeSlot(base)
	if err != nil {
		t.Fatal(err)
	}
	second, otherLock, err := takeSlot(base)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = otherLock.Close() }()
	if second == first {
		t.Errorf("two processes got %s", first)
	}
	if err := lock.Close(); err != nil {
		t.Fatal(err)
	}
	again, lock, err := takeSlot(base)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = lock.Close() }()
	if again != first {
		t.Errorf("got %s, want the free %s", again, first)
	}
}

func TestTakeSlotRefusesOpenFolder(t *testing.T) {
	t.Parallel()
	base := t.TempDir()
	if err := os.Chmod(base, 0o777); err != nil {
		t.Fatal(err)
	}
	if _, _, err := takeSlot(base); err == nil {
		t.Error("a folder that others may change was taken")
	}
}

// A cluster that was damaged, or left running by a killed process, must not stop the next run.
func TestOpenSlotRecovers(t *testing.T) {
	t.Parallel()
	DSN(t) // skips without PostgreSQL
	dir := filepath.Join(t.TempDir(), "0")
	if err := os.MkdirAll(filepath.Join(dir, "cluster"), 0o700); err != nil {
		t.Fatal(err)
	}
	damaged, err := openSlot(t.Context(), dir)
	if err != nil {
		t.Fatalf("damaged: %v", err)
	}
	defer func() { _ = damaged.Close() }()
	former := damaged.PID()

	left, err := openSlot(t.Context(), dir)
	if err != nil {
		t.Fatalf("left running: %v", err)
	}
	defer func() { _ = left.Close() }()
	if left.Joined() || left.PID() == former {
		t.Error("the server of another process was taken")
	}
}

func TestDropLeftovers(t *testing.T) {
	t.Parallel()
	DSN(t) // skips without PostgreSQL
	dir := filepath.Join(t.TempDir(), "0")
	local, err := openSlot(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = local.Close() }()
	srv := &server{admin: local.DSN("postgres"), dsn: local.DSN}
	if err := srv.prepareTemplate(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{databasePrefix + "killed", templatePrefix + "old", lastingPrefix + "1_old", srv.template + "_new"} {
		if err := srv.execute(t.Context(), "CREATE DATABASE "+name); err != nil {
			t.Fatal(err)
		}
	}
	if err := srv.dropLeftovers(t.Context()); err != nil {
		t.Fatal(err)
	}
	got, err := srv.databases(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 1 || got[0] != srv.template {
		t.Errorf("got %v, want the template alone", got)
	}
}

// Copies of a filled database hold what it held, and change neither it nor each other.
func TestTemplate(t *testing.T) {
	t.Parallel()
	tp := NewTemplate(t, func(pool *pgxpool.Pool) {
		if _, err := pool.Exec(t.Context(), "CREATE TABLE filled AS SELECT 42 AS n"); err != nil {
			t.Fatal(err)
		}
	})
	count := func(pool *pgxpool.Pool) (n int) {
		t.Helper()
		if err := pool.QueryRow(t.Context(), "SELECT count(*) FROM filled WHERE n = 42").Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	first, second, reader := tp.Pool(t), tp.Pool(t), tp.Reader(t)
	defer reader.Close()
	if _, err := first.Exec(t.Context(), "DELETE FROM filled"); err != nil {
		t.Fatal(err)
	}
	if got := []int{count(first), count(second), count(reader)}; !slices.Equal(got, []int{0, 1, 1}) {
		t.Errorf("rows of the copy that was emptied, another, and the reader: %v", got)
	}
	var refused *pgconn.PgError
	if _, err := reader.Exec(t.Context(), "DELETE FROM filled"); !errors.As(err, &refused) || refused.Code != "25006" {
		t.Errorf("writing to the reader: %v, want a refusal", err)
	}
}

// On an outside server, lasting databases are dropped after their makers have gone, and not before.
func TestDropAbandoned(t *testing.T) {
	t.Parallel()
	DSN(t) // skips without PostgreSQL
	dir := filepath.Join(t.TempDir(), "0")
	local, err := openSlot(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = local.Close() }()
	maker, err := outsideServer(t.Context(), local.DSN("postgres"))
	if err != nil {
		t.Fatal(err)
	}
	// The maker lives as long as its connection, which the garbage collector would close after the last use of it.
	defer func() { _ = maker.alive.Close(context.Background()) }()
	kept, gone := maker.lastingName(), lastingPrefix+"1_killed"
	for _, name := range []string{kept, gone} {
		if err := maker.execute(t.Context(), "CREATE DATABASE "+quoted(name)); err != nil {
			t.Fatal(err)
		}
	}
	other, err := outsideServer(t.Context(), local.DSN("postgres"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := other.databases(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 1 || got[0] != kept {
		t.Errorf("left are %v, want that of the living process", got)
	}
}

func BenchmarkDSN(b *testing.B) {
	for b.Loop() {
		DSN(b)
	}
}
