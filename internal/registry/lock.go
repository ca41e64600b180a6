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
	// ErrBusy means that another process is changing loads. The error around it names the process.
	ErrBusy = errors.New("another process is loading data")
	// ErrLockLost means that the session that held the Lock has ended: another process may be changing loads by now.
	ErrLockLost = errors.New("the lock for loading is lost: its connection to PostgreSQL has ended")
)

// Lock is held by the one process that may change loads. End it with Release.
//
// It is an advisory lock of a transaction that stays open and does nothing else. A pooler leaves a transaction on one server
// connection, where a lock of the session could end up with somebody else's. Nothing is held back by it: without a snapshot
// between its statements (READ COMMITTED) and without an id it does not keep VACUUM from its work.
type Lock struct{ conn *pgxpool.Conn }

// lockKey is any number that nothing else here uses.
const lockKey = 7291046

// Lock lets one process at a time change loads. It returns ErrBusy at once when another one holds the lock, which ends with
// the process at the latest.
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

// take begins the transaction and locks, in one message of the simple protocol: PostgreSQL never waits in between, when it might
// end the transaction, and keeps no portal after it, which would hold a snapshot.
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

// busy is an ErrBusy that names the holder.
func (s *Store) busy(ctx context.Context) error {
	holder, err := s.Holder(ctx)
	if err != nil || holder == "" { // it may have ended just now
		return errors.Join(ErrBusy, err)
	}
	return fmt.Errorf("%w: %s", ErrBusy, holder)
}

// Holder says who holds the Lock: the application name of its connection and since when; "" when nobody does.
func (s *Store) Holder(ctx context.Context) (string, error) {
	// What a role may not see of the sessions of others is null. A bigint key is two halves in pg_locks.
	const query = `
		SELECT coalesce(nullif(application_name, ''), 'process ' || pid || ' of PostgreSQL')
		    || coalesce(', since ' || to_char(xact_start AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS UTC'), '')
		FROM pg_locks JOIN pg_stat_activity USING (pid)
		WHERE locktype = 'advisory' AND granted AND objsubid = 1 AND classid = 0 AND objid = $1
		  AND database = datid AND datname = current_database()`
	var holder string
	err := s.pool.QueryRow(ctx, query, lockKey).Scan(&holder)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("holder of the lock for loading: %w", err)
	}
	return holder, nil
}

// Held returns an ErrLockLost when the lock may be another process's. Ask before what only its holder may do: the end of a
// session is not noticed while nothing is asked of it.
func (l *Lock) Held(ctx context.Context) error {
	if _, err := l.conn.Exec(ctx, `SELECT`); err != nil && ctx.Err() == nil { // a transaction that goes on has its locks
		return fmt.Errorf("%w: %w", ErrLockLost, err)
	}
	return ctx.Err()
}

// Release gives the lock up. It may be called more than once.
func (l *Lock) Release() {
	if l.conn == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	_, _ = l.conn.Exec(ctx, `ROLLBACK`) // the pool closes a connection on which that failed, and the lock ends with it
	l.conn.Release()
	l.conn = nil
}
