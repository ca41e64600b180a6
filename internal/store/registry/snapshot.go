package registry

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"razao/internal/store/registry/history"
)

// Snapshot names the loads that are served together. It is a value that does not change, but for
// Loads all copies share.
type Snapshot struct {
	ID          int64 // ascending: no two publications have the same
	PublishedAt time.Time
	IndexName   string           // folder of the search index; "" before a load of Receita
	Loads       map[string]int64 // load by source id; sources without a load are absent
}

// CurrentID returns the id of the snapshot to serve. The error is ErrNoSnapshot if none has been
// published. It reads a single row, since servers poll it.
func (s *Store) CurrentID(ctx context.Context) (int64, error) {
	const query = `SELECT snapshot_id FROM current_snapshot`
	var id int64
	err := s.pool.QueryRow(ctx, query).Scan(&id)
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, ErrNoSnapshot
	}
	if err != nil {
		return 0, fmt.Errorf("current snapshot: %w", err)
	}
	return id, nil
}

// Reached returns the id of the newest snapshot that the server of a connection knows, 0 for none. On
// a replica that is as far as it has replayed: what was committed before the publication of that
// snapshot, all records of its loads, it has too.
func Reached(ctx context.Context, conn *pgconn.PgConn) (int64, error) {
	results, err := conn.Exec(ctx, `SELECT snapshot_id FROM current_snapshot`).ReadAll()
	if err != nil {
		return 0, fmt.Errorf("snapshot of the replica: %w", err)
	}
	if len(results[0].Rows) == 0 {
		return 0, nil
	}
	return strconv.ParseInt(string(results[0].Rows[0][0]), 10, 64)
}

// Snapshots returns the snapshots that can be served, newest first: those whose loads all have
// their records.
func (s *Store) Snapshots(ctx context.Context) ([]Snapshot, error) {
	const query = `
		SELECT s.id, s.published_at, s.index_name, l.source, l.load_id
		FROM snapshot s JOIN snapshot_load l ON l.snapshot_id = s.id
		WHERE NOT EXISTS (
			SELECT FROM snapshot_load sl JOIN load ON load.id = sl.load_id
			WHERE sl.snapshot_id = s.id AND load.state <> 'ready')
		ORDER BY s.id DESC`
	var out []Snapshot
	var row Snapshot
	var source string
	var load int64
	err := eachRow(ctx, s.pool, []any{&row.ID, &row.PublishedAt, &row.IndexName, &source, &load}, func() error {
		if len(out) == 0 || out[len(out)-1].ID != row.ID {
			row.Loads = map[string]int64{}
			out = append(out, row)
		}
		out[len(out)-1].Loads[source] = load
		return nil
	}, query)
	if err != nil {
		return nil, fmt.Errorf("snapshots: %w", err)
	}
	return out, nil
}

// Snapshot returns one snapshot. The error is ErrGone if one of its loads has lost its records, or
// the snapshot is forgotten or unknown.
func (s *Store) Snapshot(ctx context.Context, id int64) (Snapshot, error) {
	all, err := s.Snapshots(ctx)
	if err != nil {
		return Snapshot{}, err
	}
	i := slices.IndexFunc(all, func(x Snapshot) bool { return x.ID == id })
	if i < 0 {
		return Snapshot{}, fmt.Errorf("snapshot %d: %w", id, ErrGone)
	}
	return all[i], nil
}

// ErrInDoubt means that the outcome of a publication is unknown: the answer to its COMMIT was lost
// and PostgreSQL could not be asked afterwards. Nothing that the snapshot names may be deleted.
var ErrInDoubt = errors.New("it is not known whether the snapshot was published")

// Publish makes a new snapshot current, in one transaction, and returns its id. loads has load ids
// by source; other sources keep the load of the current snapshot, and so does the index if
// indexName is "". The caller holds the Lock, and the loads are ready. After an error nothing has
// changed, except that after ErrInDoubt it may have.
func (s *Store) Publish(ctx context.Context, loads map[string]int64, indexName string) (id int64, err error) {
	tx, err := s.pool.Begin(ctx)
	if err != nil {
		return 0, fmt.Errorf("publish: %w", err)
	}
	defer func() { _ = tx.Rollback(context.WithoutCancel(ctx)) }() // nothing after a commit
	if id, err = point(ctx, tx, loads, indexName); err == nil {
		err = s.commit(ctx, tx)
	}
	if err != nil {
		return 0, fmt.Errorf("publish: %w", err)
	}
	return id, nil
}

// point writes a snapshot and switches current_snapshot to it. It locks that row first, so that no
// other publication comes between reading the current loads and switching.
func point(ctx context.Context, tx pgx.Tx, loads map[string]int64, indexName string) (id int64, err error) {
	const inherit = `
		SELECT l.source, l.load_id, s.index_name
		FROM current_snapshot JOIN snapshot_load l USING (snapshot_id) JOIN snapshot s ON s.id = l.snapshot_id
		FOR UPDATE OF current_snapshot`
	all := map[string]int64{}
	var source, formerIndex string
	var load int64
	err = eachRow(ctx, tx, []any{&source, &load, &formerIndex}, func() error { all[source] = load; return nil }, inherit)
	if err != nil {
		return 0, err
	}
	var replaced []int64
	for source := range loads {
		if before, ok := all[source]; ok {
			replaced = append(replaced, before)
		}
	}
	maps.Copy(all, loads)
	indexName = cmp.Or(indexName, formerIndex) // both are "" before the first load of Receita
	const create = `INSERT INTO snapshot (index_name) VALUES ($1) RETURNING id`
	if err := tx.QueryRow(ctx, create, indexName).Scan(&id); err != nil {
		return 0, err
	}
	for source, load := range all {
		const add = `INSERT INTO snapshot_load (snapshot_id, source, load_id) VALUES ($1, $2, $3)`
		if _, err := tx.Exec(ctx, add, id, source, load); err != nil {
			return 0, err
		}
	}
	const serve = `UPDATE load SET served_at = now() WHERE id = ANY($1)`
	if _, err := tx.Exec(ctx, serve, slices.Collect(maps.Values(loads))); err != nil {
		return 0, err
	}
	if err := history.Switch(ctx, tx, replaced, slices.Collect(maps.Values(loads))); err != nil {
		return 0, err
	}
	const current = `
		INSERT INTO current_snapshot (snapshot_id) VALUES ($1)
		ON CONFLICT (singleton) DO UPDATE SET snapshot_id = excluded.snapshot_id`
	_, err = tx.Exec(ctx, current, id)
	return id, err
}

// commit commits tx. If the answer is lost, with the connection or by the end of ctx, it asks
// PostgreSQL for the outcome on another connection (pg_xact_status), for up to 30 seconds and even
// after ctx has ended. It returns ErrInDoubt if the outcome cannot be found out.
func (s *Store) commit(ctx context.Context, tx pgx.Tx) error {
	var xid string
	if err := tx.QueryRow(ctx, `SELECT pg_current_xact_id()::text`).Scan(&xid); err != nil {
		return err
	}
	cause := tx.Commit(ctx)
	if cause == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 30*time.Second)
	defer cancel()
	for {
		var status string
		if err := s.pool.QueryRow(ctx, `SELECT pg_xact_status($1::text::xid8)`, xid).Scan(&status); err != nil {
			return errors.Join(ErrInDoubt, cause, err)
		}
		switch status {
		case "committed":
			return nil
		case "aborted":
			return cause
		}
		select { // in progress: PostgreSQL has not noticed the broken connection yet
		case <-ctx.Done():
			return errors.Join(ErrInDoubt, cause)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// Retire marks a load as dropped, before its records are deleted: a crash in between leaves only
// data that nothing uses. It deletes the snapshots that need the load, its rejects, and the rejects
// of earlier failed and refused loads of the source. It returns an error if the load is part of the
// current snapshot or does not exist.
func (s *Store) Retire(ctx context.Context, load int64) error {
	err := pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		const mark = `
			UPDATE load SET state = 'dropped'
			WHERE id = $1 AND NOT EXISTS (
				SELECT FROM current_snapshot JOIN snapshot_load l USING (snapshot_id) WHERE l.load_id = $1)`
		tag, err := tx.Exec(ctx, mark, load)
		if err != nil {
			return err
		}
		if tag.RowsAffected() == 0 {
			return errors.New("it is being served, or does not exist")
		}
		const forget = `DELETE FROM snapshot WHERE id IN (SELECT snapshot_id FROM snapshot_load WHERE load_id = $1)`
		if _, err := tx.Exec(ctx, forget, load); err != nil {
			return err
		}
		const rejects = `
			DELETE FROM reject USING load l, load gone
			WHERE gone.id = $1 AND l.source = gone.source AND l.id <= gone.id AND l.state <> 'ready' AND l.id = load_id`
		_, err = tx.Exec(ctx, rejects, load)
		return err
	})
	if err != nil {
		return fmt.Errorf("retire load %d: %w", load, err)
	}
	return nil
}
