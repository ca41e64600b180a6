package pgtest

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

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

func TestAs(t *testing.T) {
	t.Parallel()
	pool := Connect(t, As(t, DSN(t), migrations.Serve))
	var user string
	if err := pool.QueryRow(t.Context(), "SELECT current_user").Scan(&user); err != nil || user != migrations.Serve {
		t.Errorf("got %s, %v", user, err)
	}
}

// TestTakeSlot is not parallel: a process that another test is just starting holds the locks of this one
// until it has executed its program.
func TestTakeSlot(t *testing.T) {
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
