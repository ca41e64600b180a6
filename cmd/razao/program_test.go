package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"

	"razao/internal/testing/pgtest"
	"razao/migrations"
)

// buildDir is where the tests of this process build the program.
func buildDir() string {
	return filepath.Join(os.TempDir(), "razao-test-program-"+strconv.Itoa(os.Getpid()))
}

// build builds the program as it is shipped, once for all tests, unless RAZAO_CHAOS_BINARY names one to break.
var build = sync.OnceValues(func() (string, error) {
	if path := os.Getenv("RAZAO_CHAOS_BINARY"); path != "" {
		return filepath.Abs(path)
	}
	path := filepath.Join(buildDir(), "razao")
	cmd := exec.Command("go", "build", "-o", path, ".")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build razao: %w\n%s", err, out)
	}
	return path, nil
})

// newProgram returns a place for the built program, on a database of the test's own.
func newProgram(t *testing.T, more ...string) (*place, *pgxpool.Pool) {
	t.Helper()
	return programOn(t, pgtest.DSN(t), more...)
}

// programOn is newProgram on a given database, in which the program has its two roles and the pool all rights.
func programOn(t *testing.T, dsn string, more ...string) (*place, *pgxpool.Pool) {
	t.Helper()
	pool, err := pgxpool.New(context.Background(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	p := newPlace(t, append(more, "RAZAO_DATABASE_URL="+pgtest.As(t, dsn, migrations.Serve),
		"RAZAO_DATABASE_INGEST_URL="+pgtest.As(t, dsn, migrations.Ingest))...)
	if p.program, err = build(); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(p.data, 0o700); err != nil {
		t.Fatal(err)
	}
	return p, pool
}

// beside returns a place for another server on the database and the data of p.
func (p *place) beside() *place {
	other := *p
	other.addr = freeAddress(p.t)
	return &other
}

// in returns the place for a subtest.
func (p *place) in(t *testing.T) *place {
	other := *p
	other.t = t
	return &other
}

func TestVersionForPrograms(t *testing.T) {
	t.Parallel()
	var b struct{ Version, Go, OS, Arch string }
	if err := json.Unmarshal([]byte(newPlace(t).must("version", "--json")), &b); err != nil {
		t.Fatal(err)
	}
	if b.Version == "" || b.Go != runtime.Version() || b.OS != runtime.GOOS || b.Arch != runtime.GOARCH {
		t.Errorf("got %+v", b)
	}
}
