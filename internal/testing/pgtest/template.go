package pgtest

import (
	"context"
	"crypto/rand"
	"os"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
)

// Template is a migrated database that a test has filled. Copying it takes no longer than copying
// an empty one. It lasts until the process ends; the next process drops it.
type Template struct {
	srv  *server
	name string
}

// NewTemplate returns a Template with what fill writes. The pool is closed when fill returns,
// because PostgreSQL copies only databases to which nobody is connected.
func NewTemplate(t testing.TB, fill func(*pgxpool.Pool)) *Template {
	t.Helper()
	srv := running(t)
	tp := &Template{srv: srv, name: databasePrefix + rand.Text()}
	if err := srv.clone(t.Context(), srv.template, tp.name); err != nil {
		t.Fatalf("create the template: %v", err)
	}
	pool := Connect(t, srv.DSN(tp.name))
	defer pool.Close()
	fill(pool)
	return tp
}

// Pool returns a pool on a copy, which is dropped at the end of the test.
func (tp *Template) Pool(t testing.TB) *pgxpool.Pool {
	t.Helper()
	return Connect(t, tp.DSN(t))
}

// DSN returns the connection string of a copy, which is dropped at the end of the test. It is for
// tests that start processes.
func (tp *Template) DSN(t testing.TB) string {
	t.Helper()
	return tp.srv.temporary(t, tp.name)
}

// Reader returns a pool on a read-only copy, which lasts until the process ends. Several tests may
// share it.
func (tp *Template) Reader(t testing.TB) *pgxpool.Pool {
	t.Helper()
	name := databasePrefix + rand.Text()
	if err := tp.srv.clone(t.Context(), tp.name, name); err != nil {
		t.Fatalf("copy the template: %v", err)
	}
	config, err := pgxpool.ParseConfig(tp.srv.DSN(name))
	if err != nil {
		t.Fatal(err)
	}
	config.MaxConns = 2 * maxConns // several tests use it at once
	config.ConnConfig.RuntimeParams["default_transaction_read_only"] = "on"
	pool, err := pgxpool.NewWithConfig(context.Background(), config) // it outlives the test that asks for it
	if err != nil {
		t.Fatal(err)
	}
	return pool
}

// Folder returns a new folder that exists until the process ends; the next process removes it.
func Folder(t testing.TB) string {
	t.Helper()
	parent := running(t).folder
	if err := os.MkdirAll(parent, 0o700); err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp(parent, "")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}
