package registry

import (
	"context"
	"fmt"
	"io"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"razao/internal/data/record"
)

// The schema of a load has its packed records and small side tables. It is written once, in one
// transaction, and never changed; it becomes visible as a whole or not at all.
//
//	record      root, seq, doc: the packed rows of the load (package pack)
//	domain      kind, code, description: what codes mean (Receita)
//	change      root, load_id: which load brought the records of a root (Receita, WriteChanges)
//	field       position, name, kind: the fields of the records (sources)
//	dictionary  code, text: texts that many records share (sources)
//	presence    seq, doc: the sorted keys of the owners of records (sources, owners.go)
//	archive     seq, doc: what the load can be made from again (sources that need it)

// LoadWriter fills the schema of a new load in one transaction on a connection of its own. It streams
// rows into a binary COPY with FREEZE, so memory does not grow with the load and the table never needs a
// vacuum. The primary key is created after the COPY, which is much cheaper than maintaining it row by
// row. Then the writer fills the planner's statistics, grants the serving role its rights, and commits.
//
// It is not safe for concurrent use. End it with Commit or CommitSource, and defer Rollback.
type LoadWriter struct {
	conn   *pgxpool.Conn
	tx     pgx.Tx
	load   int64
	schema string
	pipe   *io.PipeWriter // to the goroutine that runs the COPY; nil after it has ended
	copied chan error     // receives the outcome of the COPY, once
}

// schemaName returns the name of the schema of a load, such as load_000042. It is not quoted.
func schemaName(load int64) string { return fmt.Sprintf("load_%06d", load) }

// NewWriter begins the transaction, creates the schema of a load and starts its COPY. It holds a
// connection of the pool until the writer ends. Cancelling ctx ends the COPY, and every call after
// that fails.
func (s *Store) NewWriter(ctx context.Context, load int64) (*LoadWriter, error) {
	conn, err := s.pool.Acquire(ctx)
	if err != nil {
		return nil, fmt.Errorf("write load %d: %w", load, err)
	}
	w := &LoadWriter{conn: conn, load: load, schema: pgx.Identifier{schemaName(load)}.Sanitize(), copied: make(chan error, 1)}
	if err := w.open(ctx); err != nil {
		w.Rollback(ctx)
		return nil, fmt.Errorf("write load %d: %w", load, err)
	}
	return w, nil
}

func (w *LoadWriter) open(ctx context.Context) (err error) {
	if w.tx, err = w.conn.Begin(ctx); err != nil {
		return err
	}
	ddl := []string{
		`CREATE SCHEMA ` + w.schema,
		`CREATE TABLE ` + w.schema + `.record (root bigint NOT NULL, seq integer NOT NULL, doc bytea NOT NULL)`,
	}
	for _, query := range ddl {
		if _, err := w.tx.Exec(ctx, query); err != nil {
			return err
		}
	}
	pr, pw := io.Pipe()
	w.pipe = pw
	// FREEZE writes rows as already frozen, so no vacuum has to rewrite them. PostgreSQL allows it
	// because the table was created in this transaction.
	query := `COPY ` + w.schema + `.record (root, seq, doc) FROM STDIN WITH (FORMAT binary, FREEZE)`
	go func() {
		_, err := w.conn.Conn().PgConn().CopyFrom(ctx, pr, query)
		if err != nil && ctx.Err() != nil {
			err = fmt.Errorf("%w: %w", ctx.Err(), err) // pgx reports only the closed connection
		}
		_ = pr.CloseWithError(err)
		w.copied <- err
	}()
	const copyHeader = "PGCOPY\n\xff\r\n\x00\x00\x00\x00\x00\x00\x00\x00\x00"
	_, err = io.WriteString(pw, copyHeader)
	return err
}

// WriteRows sends rows in binary COPY format, as pack.AppendRows and pack.AppendItemRows make them.
// Roots should ascend over all calls: index and table are then in the same order. The caller may
// reuse the slice afterwards. The error is that of the COPY, which may stem from an earlier call.
func (w *LoadWriter) WriteRows(rows []byte) error {
	if _, err := w.pipe.Write(rows); err != nil {
		return fmt.Errorf("write records: %w", err)
	}
	return nil
}

// Commit completes a load of Receita: it ends the COPY, stores the domain tables, creates the
// primary key, analyses the tables and commits. It
// returns the size on disk of the records and their key, in bytes. After an error nothing of the
// schema exists, except that an error of the COMMIT itself may hide a success.
func (w *LoadWriter) Commit(ctx context.Context, domains record.Domains) (size int64, err error) {
	return w.commit(ctx, func() error { return w.writeDomains(ctx, domains) })
}

// commit does what Commit and CommitSource share; sideTables writes the tables beside the records. It
// releases the connection.
func (w *LoadWriter) commit(ctx context.Context, sideTables func() error) (size int64, err error) {
	defer w.Rollback(ctx)
	if err := w.endCopy(); err != nil {
		return 0, fmt.Errorf("write records: %w", err)
	}
	if err := sideTables(); err != nil {
		return 0, err
	}
	if _, err := w.tx.Exec(ctx, `ALTER TABLE `+w.schema+`.record ADD PRIMARY KEY (root, seq)`); err != nil {
		return 0, fmt.Errorf("key of the records: %w", err)
	}
	if err := w.analyze(ctx); err != nil {
		return 0, fmt.Errorf("analyse the tables: %w", err)
	}
	query := `SELECT pg_total_relation_size($1::regclass)`
	if err := w.tx.QueryRow(ctx, query, w.schema+".record").Scan(&size); err != nil {
		return 0, fmt.Errorf("size of the records: %w", err)
	}
	if err := w.tx.Commit(ctx); err != nil {
		return 0, fmt.Errorf("commit the records: %w", err)
	}
	return size, nil
}

// analyze gathers statistics, without which the planner would take the new tables for empty until
// autovacuum comes by, and grants the serving role its rights (open_load, migration 0014).
func (w *LoadWriter) analyze(ctx context.Context) error {
	const list = `
		SELECT string_agg(format('%I.%I', schemaname, tablename), ', ') FROM pg_tables
		WHERE schemaname = $1`
	var tables string
	if err := w.tx.QueryRow(ctx, list, schemaName(w.load)).Scan(&tables); err != nil {
		return err
	}
	_, err := w.tx.Exec(ctx, `ANALYZE `+tables+`; SELECT open_load('`+schemaName(w.load)+`')`)
	return err
}

// endCopy sends the trailer of the COPY, a field count of -1, and waits for its outcome.
func (w *LoadWriter) endCopy() error {
	_, err := w.pipe.Write([]byte{0xff, 0xff})
	_ = w.pipe.Close()
	w.pipe = nil
	if copyErr := <-w.copied; copyErr != nil {
		return copyErr // the server's reason; the pipe only knows that it was closed
	}
	return err
}

func (w *LoadWriter) writeDomains(ctx context.Context, domains record.Domains) error {
	var rows [][]any
	for kind, table := range domains {
		for code, description := range table {
			rows = append(rows, []any{string(kind), code, description})
		}
	}
	ddl := `(kind text NOT NULL, code text NOT NULL, description text NOT NULL, PRIMARY KEY (kind, code))`
	return w.table(ctx, "domain", ddl, []string{"kind", "code", "description"}, pgx.CopyFromRows(rows))
}

// table creates a table in the schema and fills it by COPY. ddl is everything after its name.
func (w *LoadWriter) table(ctx context.Context, name, ddl string, columns []string, rows pgx.CopyFromSource) error {
	if _, err := w.tx.Exec(ctx, `CREATE TABLE `+w.schema+`.`+name+` `+ddl); err != nil {
		return fmt.Errorf("create table %s: %w", name, err)
	}
	if _, err := w.tx.CopyFrom(ctx, pgx.Identifier{schemaName(w.load), name}, columns, rows); err != nil {
		return fmt.Errorf("fill table %s: %w", name, err)
	}
	return nil
}

// Rollback undoes everything unless Commit or CommitSource succeeded, and releases the connection.
// It works after ctx has ended and may be called more than once: defer it.
func (w *LoadWriter) Rollback(ctx context.Context) {
	if w.conn == nil {
		return
	}
	ctx = context.WithoutCancel(ctx)
	if w.pipe != nil {
		_ = w.pipe.CloseWithError(context.Canceled) // COPY fails, and with it the transaction
		<-w.copied
		w.pipe = nil
	}
	if w.tx != nil {
		_ = w.tx.Rollback(ctx) // a no-op after Commit
	}
	w.conn.Release()
	w.conn = nil
}
