// Package registry is the record store: it keeps the published records of companies in PostgreSQL, one packed row for
// a root and, for large roots, one for every further fifty establishments or partners, and reads them back without
// decoding more than it must.
//
// Records are written once, by a load, into a schema of the load's own, and never changed. A snapshot is a set of
// loads; a View reads one snapshot. All SQL on these tables is in this package and in schema, which writes a load.
package registry

import (
	"errors"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"razao/internal/registry/schema"
)

// Receita is the source id of the tax authority's monthly release, the load that holds the companies themselves.
const Receita = "receita"

var (
	// ErrNoSnapshot means that no load has been published yet.
	ErrNoSnapshot = errors.New("no load has been published")
	// ErrNoLoad means that there is no load with the id that was asked for.
	ErrNoLoad = errors.New("no such load")
	// ErrGone means that the records of a load are not kept any more.
	ErrGone = errors.New("the records of the load are not kept any more")
)

// AbsentError is the error of a look-up by number: the document is positively not in the load that was asked. Nothing else
// returns it, so that "not found" can never stand for "could not look". Its text leaves the number out, because errors are
// logged.
type AbsentError struct {
	Document Document
}

func (*AbsentError) Error() string { return "not in this load" }

// IsAbsent reports whether err says that a document is positively not in the load.
func IsAbsent(err error) bool {
	var absent *AbsentError
	return errors.As(err, &absent)
}

// IsDiskFull reports whether err says that PostgreSQL has no disk left to write to.
func IsDiskFull(err error) bool {
	var pgErr *pgconn.PgError
	return errors.As(err, &pgErr) && pgErr.Code == "53100" // disk_full
}

// Store reads and writes loads and snapshots.
type Store struct {
	pool *pgxpool.Pool
}

// NewStore returns a store on a migrated database.
func NewStore(pool *pgxpool.Pool) *Store { return &Store{pool: pool} }

// schemaName returns the schema of a load, unquoted.
func schemaName(load int64) string { return schema.Name(load) }
