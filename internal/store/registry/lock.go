package registry

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

var (
	// ErrBusy means that another process holds the Lock. The error that wraps it names the process.
	ErrBusy = errors.New("another process is loading data")
	// ErrLockLost means that the database session of the Lock has ended, so another process may
	// hold it.
	ErrLockLost = errors.New("the lock for loading is lost: its connection to PostgreSQL has ended")
)

// Lock is held by the one process that may change loads: write, publish and delete them. It holds a
// connection of the pool. End it with Release. It is not safe for concurrent use.
//
// It is an advisory lock of a transaction that stays open and does nothing else. A transaction
// pooler keeps a transaction on one server connection; a session's lock could end up with another
// client. The transaction does not hold back VACUUM: at READ COMMITTED it has no snapshot between
// statements, and as it writes nothing it has no transaction id.
type Lock struct{ conn *pgxpool.Conn }

// lockKey is arbitrary, and no other advisory lock of this program uses it. It fits 32 bits: see
// Holder.
const lockKey = 7291046

// Lock acquires the lock, or returns ErrBusy at once if another process holds it. PostgreSQL frees
// the lock of a process that dies, when it notices that the connection has ended.
func (s *Store) Lock(ctx context.Context) (*Lock, error) {
	conn, err := s.pool.Acquire(ctx)
	if err != nil {
		return nil, fmt.Errorf("lock for loading: %w", err)
	}
	l := &Lock{conn}
	if err := l.take(ctx); err != nil {
		l.Release()
		if errors.Is(err, ErrBusy) {
			err = s.busy(ctx)
		}
		return nil, fmt.Errorf("lock for loading: %w", err)
	}
	return l, nil
}

// take begins the transaction, switches its timeouts off and locks, in one message of the simple
// query protocol. So there is no idle moment before the timeouts are off in which PostgreSQL might
// end the transaction, and no portal stays open, which would hold a snapshot.
func (l *Lock) take(ctx context.Context) error {
	query := fmt.Sprintf(`
		BEGIN ISOLATION LEVEL READ COMMITTED;
		SELECT set_config(name, '0', true) FROM pg_settings
		WHERE name IN ('idle_in_transaction_session_timeout', 'transaction_timeout'); -- the second is new in PostgreSQL 17
		SELECT pg_try_advisory_xact_lock(%d)`, lockKey)
	results, err := l.conn.Conn().PgConn().Exec(ctx, query).ReadAll()
	if err != nil {
		return err
	}
	if got := results[len(results)-1].Rows[0][0]; string(got) != "t" {
		return ErrBusy
	}
	return nil
}

// BusyError is an ErrBusy that says who holds the lock. It is always a pointer.
type BusyError struct {
	Holder string    // as [Store.Holder] says it
	Since  time.Time // zero: the role may not see it
}

// Error names the holder.
func (e *BusyError) Error() string { return ErrBusy.Error() + ": " + e.Holder }

// Unwrap returns ErrBusy.
func (e *BusyError) Unwrap() error { return ErrBusy }

// busy returns a BusyError, or ErrBusy alone if the holder is no longer there.
func (s *Store) busy(ctx context.Context) error {
	holder, since, err := s.holder(ctx)
	if err != nil || holder == "" { // it may have ended in between
		return errors.Join(ErrBusy, err)
	}
	return &BusyError{holder, since}
}

// Holder returns who holds the Lock, for people to read: the application name of its connection, or
// its PostgreSQL process, and since when. It returns "" if nobody does.
func (s *Store) Holder(ctx context.Context) (string, error) {
	holder, _, err := s.holder(ctx)
	return holder, err
}

// holder is Holder, and since when it is, the zero time if the role may not see it.
func (s *Store) holder(ctx context.Context) (holder string, since time.Time, err error) {
	// pg_stat_activity shows nulls for sessions that the role may not inspect. pg_locks splits a
	// bigint key into classid (high half) and objid (low half), with objsubid 1.
	const query = `
		SELECT coalesce(nullif(application_name, ''), 'process ' || pid || ' of PostgreSQL')
		    || coalesce(', since ' || to_char(xact_start AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS UTC'), ''), xact_start
		FROM pg_locks JOIN pg_stat_activity USING (pid)
		WHERE locktype = 'advisory' AND granted AND objsubid = 1 AND classid = 0 AND objid = $1
		  AND database = datid AND datname = current_database()`
	var began *time.Time
	err = s.pool.QueryRow(ctx, query, lockKey).Scan(&holder, &began)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", time.Time{}, nil
	}
	if err != nil {
		return "", time.Time{}, fmt.Errorf("holder of the lock for loading: %w", err)
	}
	if began != nil {
		since = *began
	}
	return holder, since, nil
}

// Held returns ErrLockLost if the session of the lock has ended, or the error of ctx. Call it right
// before any step that only the holder may take: the end of an idle session is noticed only by
// using it.
func (l *Lock) Held(ctx context.Context) error {
	// While the transaction lives, it has its lock.
	if _, err := l.conn.Exec(ctx, `SELECT`); err != nil && ctx.Err() == nil {
		return fmt.Errorf("%w: %w", ErrLockLost, err)
	}
	return ctx.Err()
}

// Release gives up the lock and its connection, waiting at most ten seconds. It may be called more
// than once.
func (l *Lock) Release() {
	if l.conn == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	_, _ = l.conn.Exec(ctx, `ROLLBACK`) // after an error the pool closes the connection: no lock left
	l.conn.Release()
	l.conn = nil
}
