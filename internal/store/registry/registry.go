// Package registry is the record store: it keeps loads of published records in PostgreSQL and reads
// them back.
//
// A load is one period of one source: the company registry ([Receita]) or the public records
// of another source. It is a row in the table load and a schema of its own, load_000042, which a
// [LoadWriter] writes once and which never changes. A company is one packed row, its head, with the
// first fifty establishments and partners; each further fifty are a row more. Package pack knows
// the format; this package has all SQL on these tables.
//
// A [Snapshot] is the set of loads that are served together, at most one of each source. Publishing
// one is a transaction that switches the pointer current_snapshot (copy-on-write): readers of the
// snapshot before are not disturbed, and a rollback switches back. The life of a load is
//
//	BeginLoad → NewWriter → EndLoad (ready) → Publish → … → Retire → DropRecords
//
// and one process at a time goes through it, the holder of the [Lock].
//
// PostgreSQL is the record store. A [RowCache] beside the search index has the same rows of the
// companies in a file: a view reads through it, which takes less CPU than PostgreSQL does
// (docs/performance.md), and asks PostgreSQL for what it cannot read there.
//
// A [View] reads one snapshot. Most requests are one look-up by primary key, and collections are read
// chunk by chunk, so memory is bounded by a chunk and not by the company. Public-record sources are
// isolated from each other and from the company registry: each has its own deadline, circuit breaker and share
// of the connections, and a failing one is an answer with the status [Failed] instead of an error
// (sourcepage.go, sourceview.go).
//
// Absence and failure are never confused: only an [*AbsentError] means that a document is not in a
// load. All errors wrap those of PostgreSQL and of the context.
package registry

import (
	"context"
	"errors"
	"sync/atomic"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"razao/internal/data/source"
)

// Receita is the source id of the tax authority's monthly release, which holds the companies
// themselves (the company registry).
const Receita = source.Receita

var (
	// ErrNoSnapshot means that nothing has been published yet, or no load of Receita.
	ErrNoSnapshot = errors.New("no load has been published")
	// ErrNoLoad means that no load has the given id.
	ErrNoLoad = errors.New("no such load")
	// ErrInUse means that the records of a load cannot be deleted yet.
	ErrInUse = errors.New("they are being read")
	// ErrGone means that the records of a load have been deleted.
	ErrGone = errors.New("the records of the load are not kept any more")
)

// AbsentError is the error of a look-up by number when the document is confirmed absent from the load.
// Nothing else returns it, so "not found" never stands for "could not look". Its text leaves out
// the number, because errors are logged.
type AbsentError struct {
	Document Document // the company or establishment that was looked up
}

func (*AbsentError) Error() string { return "not in this load" }

// IsAbsent reports whether err is or wraps an *AbsentError.
func IsAbsent(err error) bool {
	var absent *AbsentError
	return errors.As(err, &absent)
}

// IsDiskFull reports whether err says that PostgreSQL has run out of disk space (SQLSTATE 53100).
func IsDiskFull(err error) bool {
	var pgErr *pgconn.PgError
	return errors.As(err, &pgErr) && pgErr.Code == "53100" // disk_full
}

// Store reads and writes loads and snapshots. It is safe for concurrent use.
type Store struct {
	pool   *pgxpool.Pool
	hidden atomic.Pointer[hiddenContacts] // nil until the first View, or HideContacts
}

// NewStore returns a Store on a database that the migrations have been applied to. The caller
// closes the pool.
func NewStore(pool *pgxpool.Pool) *Store { return &Store{pool: pool} }

// querier is a connection, a transaction or a pool.
type querier interface {
	Query(ctx context.Context, query string, args ...any) (pgx.Rows, error)
}

// collect returns the rows of a query as row makes values of them.
func collect[T any](ctx context.Context, db querier, row pgx.RowToFunc[T], query string, args ...any) ([]T, error) {
	rows, err := db.Query(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, row)
}

// eachRow scans the rows of a query into the same targets, one after the other, and calls visit for
// each. It stops at the first error of visit and returns it.
func eachRow(ctx context.Context, db querier, targets []any, visit func() error, query string, args ...any) error {
	rows, err := db.Query(ctx, query, args...)
	if err != nil {
		return err
	}
	_, err = pgx.ForEachRow(rows, targets, visit)
	return err
}
