package registry

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"razao/internal/data/record"
)

// LoadState says how far a load has come.
type LoadState string

// The states of a load. Being served is not a state: see Load.Active and Snapshot.
const (
	LoadRunning LoadState = "loading" // being written; or interrupted, if nobody holds the Lock
	LoadReady   LoadState = "ready"   // complete; can be served
	LoadFailed  LoadState = "failed"  // ended by an error; no records are kept
	LoadRefused LoadState = "refused" // a check refused it as unfit to be served
	LoadDropped LoadState = "dropped" // was complete; its records are deleted, or about to be
)

// Load is one period of one source, as its row in the table load describes it.
type Load struct {
	ID            int64             `db:"id"`
	Source        string            `db:"source"`
	Period        string            `db:"period"` // AAAA-MM, AAAA-MM-DD or the publisher's label
	State         LoadState         `db:"state"`
	StartedAt     time.Time         `db:"started_at"`
	FinishedAt    *time.Time        `db:"finished_at"` // nil while it is running
	RowsRead      int64             `db:"rows_read"`
	RowsLoaded    int64             `db:"rows_loaded"`
	RowsRejected  int64             `db:"rows_rejected"`  // could not be read
	RowsDiscarded int64             `db:"rows_discarded"` // read, and left out by rule (duplicates, orphans)
	StoreBytes    int64             `db:"store_bytes"`    // of the records and their key, on disk
	Counts        Counts            `db:"counts"`
	CoverageStart string            `db:"coverage_start"` // AAAA-MM-DD; "" when the publisher states no start
	Provenance    record.Provenance `db:"provenance"`
	Invented      bool              `db:"invented"`  // made by razao sample: nothing in it is true
	Reason        string            `db:"reason"`    // why it failed or was refused; "" otherwise
	Edition       int64             `db:"edition"`   // the load that read the published files: mostly itself
	LinkedTo      int64             `db:"linked_to"` // the Receita load whose companies its records are linked to; 0: none
	Former        int64             `db:"former"`    // the load that it was compared with; 0: none
	ServedAt      *time.Time        `db:"served_at"` // when it was last put in service; nil: never
	Tree          *Tree             `db:"tree"`      // of the company registry; nil: none was made
	Overruled     []string          `db:"overruled"` // why it would have been refused without --force, for operators
	Stages        []Stage           `db:"stages"`    // of the run that made it, up to its publication; nil: unknown
	Active        bool              `db:"active"`    // part of the current snapshot
}

// Kept returns the number of records that the load holds; for the company registry, the rows of all four
// files.
func (l *Load) Kept() int64 {
	if l.Source == Receita {
		return l.RowsLoaded
	}
	return l.Counts.Records
}

// Tree is the Merkle tree over the companies of a load (package proof). It outlives the records.
type Tree struct {
	Size    int64  `json:"tamanho"` // leaves: companies
	Hash    []byte `json:"hash"`    // of its root
	LeafKey []byte `json:"chave"`   // secret: makes the nonces of the leaves
}

// Stage is what one stage of a load took, such as reading or creating the key.
type Stage struct {
	Name       string  `json:"etapa"`
	Seconds    float64 `json:"segundos"`     // of wall time
	CPUSeconds float64 `json:"cpu_segundos"` // of this process only, not of PostgreSQL
	Done       int64   `json:"feito"`        // bytes if the name ends in "read" or "download", else rows or documents
	Total      int64   `json:"total"`        // in the same unit; 0: unknown
}

// Fraction returns the part of the stage that is done, from 0 to 1; 0 if the total is unknown.
func (s *Stage) Fraction() float64 {
	if s.Total <= 0 {
		return 0
	}
	return min(1, float64(s.Done)/float64(s.Total))
}

// Counts are the figures of a load, fixed when it is written. Receita has the first six,
// public-record sources have Records and Owners.
type Counts struct {
	Companies            int64            `json:"empresas"`
	Establishments       int64            `json:"estabelecimentos"`
	ActiveEstablishments int64            `json:"estabelecimentos_ativos"`
	ActiveCompanies      int64            `json:"empresas_ativas"` // by the status of the head office
	Partners             int64            `json:"socios"`
	Simples              int64            `json:"simples"`
	Records              int64            `json:"registros,omitempty"`
	Owners               int64            `json:"cnpjs,omitempty"`       // distinct owners of records
	Discarded            map[string]int64 `json:"descartadas,omitempty"` // rule → rows
	Marked               map[string]int64 `json:"anotadas,omitempty"`    // note of the loader, informational → rows
	Repaired             map[string]int64 `json:"corrigidas,omitempty"`  // column kind → values that became null
}

// AllDiscarded returns the number of rows that rules left out, the sum of Discarded.
func (c *Counts) AllDiscarded() (n int64) {
	for _, rows := range c.Discarded {
		n += rows
	}
	return n
}

// Reject is a published row that could not be read. Loads keep a bounded number of them for
// operators; they may contain personal data and must not be served.
type Reject struct {
	File   string
	Line   int64  // the first line of the row, from 1
	Column string // the column that could not be read; "" for the row as a whole
	Reason string
	Raw    []byte // the row as published, with CPFs masked and cut at a bound
}

// loadColumns are the columns of load that scan into a Load, by name.
const loadColumns = `
	id, source, period, state, started_at, finished_at, rows_read, rows_loaded, rows_rejected, rows_discarded,
	store_bytes, counts, coverage_start, provenance, invented, reason,
	coalesce(edition_of, id) AS edition, coalesce(linked_to, 0) AS linked_to, coalesce(former, 0) AS former, served_at, tree, stages, overruled,
	EXISTS (SELECT FROM current_snapshot c JOIN snapshot_load s USING (snapshot_id) WHERE s.load_id = load.id) AS active`

// BeginLoad registers a new load in the state LoadRunning and returns its id; ids ascend. The
// caller holds the Lock.
func (s *Store) BeginLoad(ctx context.Context, source, period string) (id int64, err error) {
	const query = `INSERT INTO load (source, period, state) VALUES ($1, $2, 'loading') RETURNING id`
	if err := s.pool.QueryRow(ctx, query, source, period).Scan(&id); err != nil {
		return 0, fmt.Errorf("begin load of %s %s: %w", source, period, err)
	}
	return id, nil
}

// EndLoad stores the outcome of a load: state, period, figures, provenance, reason and the rest of
// l, except Source, StartedAt, ServedAt and Active. It sets FinishedAt in the database, not in l.
func (s *Store) EndLoad(ctx context.Context, l *Load) error {
	const query = `
		UPDATE load
		SET state = $2, finished_at = now(), rows_read = $3, rows_loaded = $4, rows_rejected = $5,
		    rows_discarded = $6, store_bytes = $7, counts = $8, provenance = $9, reason = $10, period = $11,
		    coverage_start = $12, invented = $13, edition_of = nullif(nullif($14::bigint, 0), id), linked_to = nullif($15::bigint, 0),
		    stages = $16, tree = $17, overruled = coalesce($18, '{}'::text[]), former = nullif($19::bigint, 0)
		WHERE id = $1`
	// What files say of themselves may be in any encoding.
	storable := func(text string) string {
		return strings.ReplaceAll(strings.ToValidUTF8(text, "\ufffd"), "\x00", "\ufffd")
	}
	var overruled []string
	for _, why := range l.Overruled {
		overruled = append(overruled, storable(why))
	}
	_, err := s.pool.Exec(ctx, query, l.ID, l.State, l.RowsRead, l.RowsLoaded, l.RowsRejected, l.RowsDiscarded,
		l.StoreBytes, l.Counts, l.Provenance, storable(l.Reason), l.Period, l.CoverageStart, l.Invented, l.Edition, l.LinkedTo, l.Stages, l.Tree, overruled, l.Former)
	if err != nil {
		return fmt.Errorf("end load %d: %w", l.ID, err)
	}
	return nil
}

// KeepTree stores the tree of a load that was made without one.
func (s *Store) KeepTree(ctx context.Context, load int64, tree *Tree) error {
	if _, err := s.pool.Exec(ctx, `UPDATE load SET tree = $2 WHERE id = $1 AND tree IS NULL`, load, tree); err != nil {
		return fmt.Errorf("tree of load %d: %w", load, err)
	}
	return nil
}

// KeepRejects stores rows that a load could not read. Retire deletes them.
func (s *Store) KeepRejects(ctx context.Context, load int64, rejects []Reject) error {
	_, err := s.pool.CopyFrom(ctx, pgx.Identifier{"reject"},
		[]string{"load_id", "file", "line", "column_name", "reason", "raw"},
		pgx.CopyFromSlice(len(rejects), func(i int) ([]any, error) {
			r := &rejects[i]
			return []any{load, r.File, r.Line, r.Column, r.Reason, r.Raw}, nil
		}))
	if err != nil {
		return fmt.Errorf("rejects of load %d: %w", load, err)
	}
	return nil
}

// Rejects returns the rows that KeepRejects stored for a load, sorted by file and line.
func (s *Store) Rejects(ctx context.Context, load int64) ([]Reject, error) {
	const query = `SELECT file, line, column_name, reason, raw FROM reject WHERE load_id = $1 ORDER BY file, line`
	rejects, err := collect(ctx, s.pool, pgx.RowToStructByPos[Reject], query, load)
	if err != nil {
		return nil, fmt.Errorf("rejects of load %d: %w", load, err)
	}
	return rejects, nil
}

// Loads returns all loads in any state, newest first.
func (s *Store) Loads(ctx context.Context) ([]Load, error) {
	const query = `SELECT ` + loadColumns + ` FROM load ORDER BY id DESC`
	loads, err := collect(ctx, s.pool, pgx.RowToStructByName[Load], query)
	if err != nil {
		return nil, fmt.Errorf("loads: %w", err)
	}
	return loads, nil
}

// Load returns one load. The error is ErrNoLoad if there is none with this id.
func (s *Store) Load(ctx context.Context, id int64) (Load, error) {
	const query = `SELECT ` + loadColumns + ` FROM load WHERE id = $1`
	loads, err := collect(ctx, s.pool, pgx.RowToStructByName[Load], query, id)
	if err == nil && len(loads) == 0 {
		err = ErrNoLoad
	}
	if err != nil {
		return Load{}, fmt.Errorf("load %d: %w", id, err)
	}
	return loads[0], nil
}

// DropRecords is TryDropRecords, but waits for readers that still use the tables, until ctx ends. It
// waits in short attempts, because a DROP that queues for its lock blocks all readers that come after it.
func (s *Store) DropRecords(ctx context.Context, id int64) error {
	for {
		err := s.TryDropRecords(ctx, id)
		if !errors.Is(err, ErrInUse) {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%w: %w", err, ctx.Err())
		case <-time.After(200 * time.Millisecond):
		}
	}
}

// TryDropRecords deletes the schema of a load, if it exists; the row in load stays. Retire the load
// first. The error is an ErrInUse while readers use the tables.
func (s *Store) TryDropRecords(ctx context.Context, id int64) error {
	err := s.dropOnce(ctx, `DROP SCHEMA IF EXISTS `+pgx.Identifier{schemaName(id)}.Sanitize()+` CASCADE`)
	var pgErr *pgconn.PgError
	if errors.As(err, &pgErr) && pgErr.Code == "55P03" { // lock_not_available
		err = ErrInUse
	}
	if err != nil {
		return fmt.Errorf("delete records of load %d: %w", id, err)
	}
	return nil
}

// dropOnce runs a DROP that fails instead of waiting for a lock for longer than a second.
func (s *Store) dropOnce(ctx context.Context, query string) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `SET LOCAL lock_timeout = '1s'`); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, query)
		return err
	})
}

// LoadSchema describes the schema of a load in PostgreSQL.
type LoadSchema struct {
	Load   int64
	Schema string
	Bytes  int64 // of all its tables with their indexes
}

// Stored returns the schemas of loads that exist in PostgreSQL, sorted by load, whatever the table
// load says of them. The difference is what an interrupted process left behind.
func (s *Store) Stored(ctx context.Context) ([]LoadSchema, error) {
	const query = `
		SELECT substr(nspname, 6)::bigint, nspname::text, coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint
		FROM (SELECT oid, nspname FROM pg_namespace WHERE nspname ~ '^load_[0-9]{6,18}$' OFFSET 0) n -- only names that end in a number are read as one
		LEFT JOIN pg_class c ON relnamespace = n.oid AND relkind = 'r'
		GROUP BY 1, 2 ORDER BY 1`
	stored, err := collect(ctx, s.pool, pgx.RowToStructByPos[LoadSchema], query)
	if err != nil {
		return nil, fmt.Errorf("stored records: %w", err)
	}
	return stored, nil
}

// FailedSince returns, of each source, the newest load that failed or was refused after the one that
// this view has was begun.
func (v *View) FailedSince(ctx context.Context) ([]Load, error) {
	const query = `
		SELECT DISTINCT ON (source) ` + loadColumns + ` FROM load
		WHERE state IN ('failed', 'refused') AND id > (SELECT max(id) FROM load served WHERE served.source = load.source AND served.id = ANY($1))
		ORDER BY source, id DESC`
	return collect(ctx, v.pool, pgx.RowToStructByName[Load], query, slices.Collect(maps.Values(v.Snapshot.Loads)))
}
