package account

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"razao/internal/people/seal"
	"razao/internal/testing/pgtest"
)

// testSeal is that of the service in tests.
var testSeal = seal.New("secret of the tests")

// setUp makes a test parallel and returns a store with an empty database, and an idle meter on it.
func setUp(t *testing.T) (*Store, *Meter) {
	t.Helper()
	t.Parallel()
	pool := pgtest.Pool(t)
	return NewStore(pool, testSeal), idleMeter(pool)
}

// secondPool returns another pool on the database of pool, as another process has one.
func secondPool(t *testing.T, pool *pgxpool.Pool) *pgxpool.Pool {
	t.Helper()
	second, err := pgxpool.NewWithConfig(t.Context(), pool.Config().Copy())
	must(t, err)
	t.Cleanup(second.Close)
	return second
}

// idleMeter returns a meter that writes only when the test says so.
func idleMeter(pool *pgxpool.Pool) *Meter {
	return newMeter(pool, testSeal, slog.New(slog.DiscardHandler))
}

func execute(t *testing.T, pool *pgxpool.Pool, query string, arguments ...any) {
	t.Helper()
	_, err := pool.Exec(t.Context(), query, arguments...)
	must(t, err)
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// keeps fails unless a table has so many rows.
func keeps(t *testing.T, s *Store, table string, want int) {
	t.Helper()
	var n int
	must(t, s.pool.QueryRow(t.Context(), `SELECT count(*) FROM `+table).Scan(&n))
	if n != want {
		t.Errorf("%s has %d rows, want %d", table, n, want)
	}
}

func accountOf(t *testing.T, s *Store, email string) ID {
	t.Helper()
	id, err := s.ByEmail(t.Context(), email)
	must(t, err)
	return id
}

func mustCreate(t *testing.T, s *Store, email, name string) (string, Key) {
	t.Helper()
	plain, key, err := s.CreateKey(t.Context(), email, name)
	must(t, err)
	return plain, key
}

// admit makes a call, which must be admitted.
func admit(t *testing.T, m *Meter, plain string) Admission {
	t.Helper()
	a, err := m.Admit(t.Context(), plain)
	must(t, err)
	return a
}

func callBy(key Key, at time.Time) Call {
	return Call{Account: key.Account, Key: key.ID, At: at, Version: "v1", Endpoint: "/v1/cnpj/:cnpj", Status: 200}
}

// endedContext returns the context of a client that has left, with which no query is answered.
func endedContext(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return ctx
}

// today returns the first moment of the database's day and a moment in it.
func today(t *testing.T, s *Store) (day, at time.Time) {
	t.Helper()
	must(t, s.pool.QueryRow(t.Context(), `SELECT now()`).Scan(&at))
	at = at.UTC().Truncate(time.Microsecond)
	return at.Truncate(24 * time.Hour), at
}

func daysOf(t *testing.T, s *Store, account ID, key KeyID) []Day {
	t.Helper()
	days, err := s.Days(t.Context(), account, key)
	if err != nil || len(days) != HistoryDays {
		t.Fatalf("%d days, %v, want %d", len(days), err, HistoryDays)
	}
	return days
}
