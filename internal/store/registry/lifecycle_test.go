package registry_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"

	"razao/internal/store/registry"
	"razao/internal/testing/pgtest"
)

// TestTablesAreAnalysed checks that the planner has statistics of a load's tables once they are
// visible.
func TestTablesAreAnalysed(t *testing.T) {
	t.Parallel()
	pool := pgtest.Pool(t)
	load := write(t, registry.NewStore(pool), company{"00000001", 3, 2})
	rows, err := pool.Query(t.Context(), `
		SELECT relname FROM pg_class WHERE relnamespace = $1::regnamespace AND relkind = 'r' AND reltuples < 0`, fmt.Sprintf("load_%06d", load))
	if err != nil {
		t.Fatal(err)
	}
	for rows.Next() {
		t.Errorf("%v was never analysed", rows.RawValues())
	}
	var known int
	err = pool.QueryRow(t.Context(), `SELECT count(*) FROM pg_stats WHERE schemaname = $1 AND tablename = 'record'`, fmt.Sprintf("load_%06d", load)).Scan(&known)
	if err != nil || known == 0 {
		t.Errorf("statistics of %d columns of the records, %v", known, err)
	}
}

// TestACutPublicationIsLookedUp cuts the connection before and after the COMMIT. Publish must
// return what PostgreSQL did, although the answer was lost.
func TestACutPublicationIsLookedUp(t *testing.T) {
	t.Parallel()
	for name, how := range map[string]pgtest.Cut{"after the COMMIT": pgtest.AfterCommit, "before it": pgtest.BeforeCommit} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pool, proxy := pgtest.Proxied(t, pgtest.Pool(t))
			s := registry.NewStore(pool)
			load := write(t, s, company{"00000001", 1, 0})
			proxy.CutNextCommit(how)
			_, err := s.Publish(t.Context(), map[string]int64{registry.Receita: load}, "")
			forwarded := how == pgtest.AfterCommit
			if forwarded != (err == nil) || errors.Is(err, registry.ErrInDoubt) {
				t.Errorf("publish: %v", err)
			}
			l, err := s.Load(t.Context(), load)
			if err != nil || l.Active != forwarded {
				t.Errorf("in service: %t, %v", l.Active, err)
			}
		})
	}
}

// TestAPublicationInDoubtSaysSo cuts the connection and leaves no way to ask for the outcome.
func TestAPublicationInDoubtSaysSo(t *testing.T) {
	t.Parallel()
	pool, proxy := pgtest.Proxied(t, pgtest.Pool(t))
	s := registry.NewStore(pool)
	load := write(t, s, company{"00000001", 1, 0})
	proxy.CutNextCommit(pgtest.ForGood)
	if _, err := s.Publish(t.Context(), map[string]int64{registry.Receita: load}, ""); !errors.Is(err, registry.ErrInDoubt) {
		t.Errorf("publish: %v", err)
	}
}

func TestALostLockIsNoticed(t *testing.T) {
	t.Parallel()
	pool := pgtest.Pool(t)
	s := registry.NewStore(pool)
	lock, err := s.Lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Release()
	if err := lock.Held(t.Context()); err != nil {
		t.Errorf("held: %v", err)
	}
	endHolder(t, pool)
	if err := lock.Held(t.Context()); !errors.Is(err, registry.ErrLockLost) {
		t.Errorf("after its session has ended: %v", err)
	}
	again, err := s.Lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	again.Release()
}

// endHolder ends the session that holds the lock for loading, as an administrator or a failover
// does.
func endHolder(t *testing.T, pool *pgxpool.Pool) {
	t.Helper()
	tag, err := pool.Exec(context.Background(), `
		SELECT pg_terminate_backend(pid, 10000) FROM pg_locks
		WHERE locktype = 'advisory' AND granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`)
	if err != nil || tag.RowsAffected() != 1 {
		t.Fatalf("%d sessions hold the lock, %v", tag.RowsAffected(), err)
	}
}

// TestBusyNamesTheHolder checks the text of ErrBusy, which cron jobs log.
func TestBusyNamesTheHolder(t *testing.T) {
	t.Parallel()
	dsn := pgtest.DSN(t)
	named := func(name string) *registry.Store {
		config, err := pgxpool.ParseConfig(dsn)
		if err != nil {
			t.Fatal(err)
		}
		config.ConnConfig.RuntimeParams["application_name"] = name
		pool, err := pgxpool.NewWithConfig(t.Context(), config)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(pool.Close)
		return registry.NewStore(pool)
	}
	lock, err := named("razao ingest pgfn, pid 7 on here").Lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Release()
	_, err = named("razao ingest rntrc").Lock(t.Context())
	if !errors.Is(err, registry.ErrBusy) || !strings.Contains(err.Error(), "razao ingest pgfn, pid 7 on here, since 2") {
		t.Errorf("got %v", err)
	}
}

// TestTheLockNeedsNoSessionOfItsOwn checks that the lock is held by a transaction, which a pooler
// keeps on one connection, that it survives the timeout of idle transactions and does not hold back
// VACUUM.
func TestTheLockNeedsNoSessionOfItsOwn(t *testing.T) {
	t.Parallel()
	pool := pgtest.Pool(t)
	if _, err := pool.Exec(t.Context(), `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET idle_in_transaction_session_timeout = 1', current_database()); END $$`); err != nil {
		t.Fatal(err)
	}
	pool.Reset()
	lock, err := registry.NewStore(pool).Lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Release()
	var inTransaction, holdsBackVacuum bool
	const query = `
		SELECT xact_start IS NOT NULL, backend_xmin IS NOT NULL OR backend_xid IS NOT NULL
		FROM pg_stat_activity JOIN pg_locks USING (pid)
		WHERE locktype = 'advisory' AND granted AND database = datid AND datname = current_database()`
	if err := pool.QueryRow(t.Context(), query).Scan(&inTransaction, &holdsBackVacuum); err != nil || !inTransaction || holdsBackVacuum {
		t.Errorf("in a transaction: %t, holds back vacuum: %t, %v", inTransaction, holdsBackVacuum, err)
	}
	for range 100 { // each is a chance for the timeout of a millisecond
		if err := lock.Held(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}
