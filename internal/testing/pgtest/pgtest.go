// Package pgtest gives each test its own migrated PostgreSQL database.
//
// All tests of a process share one private server (package pglocal, without fsync). A test's
// database is created with CREATE DATABASE … TEMPLATE from one of
//
//   - the migrated, empty template, which is rebuilt only when the migrations change (Pool, DSN),
//   - a [Template] that a test has filled once (Template.Pool, Template.DSN), or
//   - a read-only copy that many tests share (Template.Reader).
//
// Test processes that run at the same time use different clusters ("slots"), each locked by a
// flock. Clusters stay in a temporary folder between runs, so that only the first run pays for
// initdb. On Linux no server outlives its test process.
//
// Without PostgreSQL, or under -short, tests are skipped; if REQUIRE_POSTGRES is 1 they run, or fail.
package pgtest

import (
	"context"
	"crypto/rand"
	"errors"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"razao/internal/store/pglocal"
	"razao/migrations"
)

// maxConns bounds the pool of one test: many tests share the server.
const maxConns = 4

// Pool returns a pool on a fresh migrated database, which is dropped at the end of the test. All
// connections must have been released by then.
func Pool(t testing.TB) *pgxpool.Pool {
	t.Helper()
	return Connect(t, DSN(t))
}

// DSN returns the connection string of a fresh migrated database, which is dropped at the end of
// the test. It is for tests that start processes.
func DSN(t testing.TB) string {
	t.Helper()
	srv := running(t)
	return srv.temporary(t, srv.template)
}

// As grants a role of package migrations its rights in the database that dsn names, and returns the
// connection string for that role.
func As(t testing.TB, dsn, role string) string {
	t.Helper()
	if err := migrations.Up(t.Context(), dsn); err != nil { // rights on the database itself are not copied from a template
		t.Fatalf("rights in the test database: %v", err)
	}
	return dsn + " user=" + role // the last one counts
}

// running returns the server of this process, or skips or fails the test if there is none.
func running(t testing.TB) *server {
	t.Helper()
	required := os.Getenv("REQUIRE_POSTGRES") == "1"
	if testing.Short() && !required {
		t.Skip("it needs PostgreSQL")
	}
	srv, err := shared()
	switch {
	case errors.Is(err, pglocal.ErrNoBinaries) && !required:
		t.Skip(err)
	case err != nil:
		t.Fatalf("test server: %v", err)
	}
	return srv
}

// temporary copies a database for a test and returns the connection string of the copy.
func (s *server) temporary(t testing.TB, template string) string {
	t.Helper()
	name := databasePrefix + rand.Text()
	if err := s.clone(t.Context(), template, name); err != nil {
		t.Fatalf("create the test database: %v", err)
	}
	t.Cleanup(func() {
		// The test's context is cancelled by now. FORCE: processes left behind by the test may
		// still be connected.
		if err := s.execute(context.Background(), "DROP DATABASE "+quoted(name)+" WITH (FORCE)"); err != nil {
			t.Errorf("drop the test database: %v", err)
		}
	})
	return s.DSN(name)
}

// Connect returns a pool that is closed at the end of the test.
func Connect(t testing.TB, dsn string) *pgxpool.Pool {
	t.Helper()
	config, err := pgxpool.ParseConfig(dsn)
	if err != nil {
		t.Fatalf("test database: %v", err)
	}
	config.MaxConns = maxConns
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	if err != nil {
		t.Fatalf("test database: %v", err)
	}
	t.Cleanup(pool.Close)
	return pool
}

func quoted(name string) string { return pgx.Identifier{name}.Sanitize() }

// shared returns the server of this process. It is the one thing that tests share, because starting
// a server takes longer than most tests.
var shared = sync.OnceValues(func() (*server, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	return newServer(ctx)
})
