package account

import (
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// rolled returns the totals of usage_day alone, and how many calls they could contain.
func rolled(t *testing.T, s *Store) (totals, calls int64) {
	t.Helper()
	const query = `SELECT (SELECT coalesce(sum(calls), 0) FROM usage_day), (SELECT count(*) FROM usage_call)`
	must(t, s.pool.QueryRow(t.Context(), query).Scan(&totals, &calls))
	return totals, calls
}

// waitUntilBlocked returns when a statement of this database waits for another.
func waitUntilBlocked(t *testing.T, pool *pgxpool.Pool) {
	t.Helper()
	const query = `
		SELECT EXISTS (
			SELECT FROM pg_stat_activity
			WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0)`
	for blocked := false; !blocked; {
		must(t, pool.QueryRow(t.Context(), query).Scan(&blocked))
	}
}

// TestRollUpBesideWriters rolls up in several processes what others write: every call is counted
// once.
func TestRollUpBesideWriters(t *testing.T) {
	s, _ := setUp(t)
	_, key := mustCreate(t, s, "ana@exemplo.com", "ERP")
	_, at := today(t, s)
	const processes, batches, calls = 3, 20, 7
	var all sync.WaitGroup
	for range processes {
		m := idleMeter(s.pool)
		all.Go(func() {
			for range batches {
				for range calls {
					m.Record(callBy(key, at))
				}
				if err := errors.Join(m.write(t.Context()), m.rollUp(t.Context())); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	const want = processes * batches * calls
	if totals, rows := rolled(t, s); totals != want || rows != want {
		t.Errorf("%d calls in the totals, %d in the list, want %d", totals, rows, want)
	}
	if days := daysOf(t, s, key.Account, key.ID); days[HistoryDays-1].Calls != want {
		t.Errorf("today has %d calls, want %d", days[HistoryDays-1].Calls, want)
	}
}

// TestRollUpWaitsForEarlierCalls rolls up while a batch with lower ids than the latest is
// uncommitted.
func TestRollUpWaitsForEarlierCalls(t *testing.T) {
	s, m := setUp(t)
	_, key := mustCreate(t, s, "ana@exemplo.com", "ERP")
	_, at := today(t, s)
	call := callBy(key, at)
	tx, err := s.pool.Begin(t.Context())
	must(t, err)
	defer func() { _ = tx.Rollback(t.Context()) }()
	var slow pgx.Batch
	slow.Queue(sharedLock)
	queueCalls(&slow, []Call{call})
	must(t, tx.SendBatch(t.Context(), &slow).Close())
	m.Record(call)
	must(t, m.write(t.Context()))

	done := make(chan error, 1)
	go func() { done <- m.rollUp(t.Context()) }()
	waitUntilBlocked(t, s.pool)
	must(t, tx.Commit(t.Context()))
	must(t, <-done)
	if totals, rows := rolled(t, s); totals != 2 || rows != 2 {
		t.Errorf("%d calls in the totals, %d in the list, want 2", totals, rows)
	}
}

// TestARollUpThatTakesLongKeepsNoCall blocks a roll-up; calls are written meanwhile.
func TestARollUpThatTakesLongKeepsNoCall(t *testing.T) {
	s, _ := setUp(t)
	_, key := mustCreate(t, s, "ana@exemplo.com", "ERP")
	_, at := today(t, s)
	hold, err := s.pool.Begin(t.Context())
	must(t, err)
	_, err = hold.Exec(t.Context(), rolledUp+` FOR NO KEY UPDATE`)
	must(t, err)
	var complaints strings.Builder
	m := newMeter(s.pool, testSeal, slog.New(slog.NewTextHandler(&complaints, nil)))
	m.rollUpEvery = time.Millisecond
	go m.run()
	go m.rollUps()
	waitUntilBlocked(t, s.pool)
	m.Record(callBy(key, at))
	for rows := int64(0); rows == 0; {
		_, rows = rolled(t, s)
	}
	must(t, hold.Rollback(t.Context()))
	m.Close()
	if complaints.Len() > 0 {
		t.Errorf("the call was written after the roll-up had given up: %s", &complaints)
	}
}

// TestRollUpInSteps rolls up more calls than one step takes.
func TestRollUpInSteps(t *testing.T) {
	s, m := setUp(t)
	_, key := mustCreate(t, s, "ana@exemplo.com", "ERP")
	const calls = rollUpStep + 2
	execute(t, s.pool, `
		INSERT INTO usage_call (account_id, key_id, at, version, endpoint, status)
		SELECT $1, $2, now(), 'v1', '/v1/cnpj/:cnpj', 200 FROM generate_series(1, $3)`, key.Account, key.ID, calls)
	must(t, m.rollUp(t.Context()))
	if totals, _ := rolled(t, s); totals != calls {
		t.Errorf("%d calls in the totals, want %d", totals, calls)
	}
}
