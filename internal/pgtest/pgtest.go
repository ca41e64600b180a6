// Package pgtest gives each test its own migrated PostgreSQL database.
//
// A test process runs one private server for all its tests, and a database is a copy of a migrated template, or of a
// Template that tests have filled, or is that of a Template itself, for tests that only read. Clusters
// stay in a temporary folder between runs, as many as test processes ever ran at the same time, so that only the first
// run pays for creating them. On Linux no server outlives the test process.
//
// RAZAO_TEST_DATABASE_URL names a server to use instead. Where PostgreSQL is not installed tests are skipped, unless
// REQUIRE_POSTGRES is 1.
package pgtest

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"razao/internal/pglocal"
	"razao/migrations"
)

// maxConns is what the pool of one test may hold: many tests share the server.
const maxConns = 4

// Pool returns a pool on a fresh migrated database, which is dropped at the end of the test. Connections must be given
// back by then.
func Pool(t testing.TB) *pgxpool.Pool {
	t.Helper()
	return connect(t, DSN(t))
}

// DSN returns the connection string of a fresh migrated database, which is dropped at the end of the test, for tests
// that start processes.
func DSN(t testing.TB) string {
	t.Helper()
	srv := running(t)
	return srv.temporary(t, srv.template)
}

// As returns the connection string of the same database for a role of package migrations, which has its rights there from now on.
// A server from outside may want a password of the role: there whoever has signed in becomes it.
func As(t testing.TB, dsn, role string) string {
	t.Helper()
	if err := migrations.Up(t.Context(), dsn); err != nil { // a copy has no rights on the database as a whole
		t.Fatalf("rights in the test database: %v", err)
	}
	if running(t).slot == nil {
		return with(dsn, "role", role)
	}
	return with(dsn, "user", role)
}

// running returns the server of this process.
func running(t testing.TB) *server {
	t.Helper()
	srv, err := shared()
	switch {
	case errors.Is(err, pglocal.ErrNoBinaries) && os.Getenv("REQUIRE_POSTGRES") != "1":
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
		// The context of the test is cancelled by now.
		if err := s.execute(context.Background(), "DROP DATABASE "+quoted(name)+" WITH (FORCE)"); err != nil {
			t.Errorf("drop the test database: %v", err)
		}
	})
	return s.dsn(name)
}

// connect returns a pool that is closed at the end of the test.
func connect(t testing.TB, dsn string) *pgxpool.Pool {
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

// shared returns the server of this process. It is the one thing that tests share, because starting a server takes
// longer than most tests.
var shared = sync.OnceValues(func() (*server, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	srv, err := newServer(ctx)
	if err != nil {
		return nil, err
	}
	if err := srv.prepareTemplate(ctx); err != nil {
		return nil, fmt.Errorf("template database: %w", err)
	}
	return srv, nil
})
