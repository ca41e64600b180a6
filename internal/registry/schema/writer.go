// Package schema writes the tables of one load, once, and knows what they are called.
package schema

import (
	"context"
	"fmt"
	"io"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"razao/internal/record"
)

// Writer fills the schema of a new load inside one transaction: either all of it exists or nothing does.
type Writer struct {
	conn     *pgxpool.Conn
	tx       pgx.Tx
	load     int64
	schema   string
	compared *comparison // nil: Compare was not called
	pipe     *io.PipeWriter
	copied   chan error
}

// Name returns the schema of a load: load_000042.
func Name(load int64) string { return fmt.Sprintf("load_%06d", load) }

// NewWriter creates the schema of a load and starts its COPY. End it with Commit or Rollback.
func NewWriter(ctx context.Context, pool *pgxpool.Pool, load int64) (*Writer, error) {
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return nil, fmt.Errorf("write load %d: %w", load, err)
	}
	w := &Writer{conn: conn, load: load, schema: pgx.Identifier{Name(load)}.Sanitize(), copied: make(chan error, 1)}
	if err := w.open(ctx); err != nil {
		w.Rollback(ctx)
		return nil, fmt.Errorf("write load %d: %w", load, err)
	}
	return w, nil
}

func (w *Writer) open(ctx context.Context) (err error) {
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
	// FREEZE writes the rows as old as they will ever get: the table, created in this transaction, needs no vacuum.
	query := `COPY ` + w.schema + `.record (root, seq, doc) FROM STDIN WITH (FORMAT binary, FREEZE)`
	go func() {
		_, err := w.conn.Conn().PgConn().CopyFrom(ctx, pr, query)
		if err != nil && ctx.Err() != nil {
			err = fmt.Errorf("%w: %w", ctx.Err(), err) // pgx tells of the connection it closed, not why
		}
		_ = pr.CloseWithError(err)
		w.copied <- err
	}()
	const copyHeader = "PGCOPY\n\xff\r\n\x00\x00\x00\x00\x00\x00\x00\x00\x00"
	_, err = io.WriteString(pw, copyHeader)
	return err
}

// WriteRows sends rows made by AppendRows or AppendItemRows, in the order of roots.
func (w *Writer) WriteRows(rows []byte) error {
	if _, err := w.pipe.Write(rows); err != nil {
		return fmt.Errorf("write records: %w", err)
	}
	return nil
}

// Commit ends the COPY, stores the domain tables, adds the primary key, analyses the tables and makes the schema visible. It returns the
// size on disk of table and key in bytes.
func (w *Writer) Commit(ctx context.Context, domains record.Domains) (size int64, err error) {
	return w.commit(ctx, func() error { return w.writeDomains(ctx, domains) })
}

// commit ends the COPY, lets beside write the tables that stand beside the records, and makes all of it visible.
func (w *Writer) commit(ctx context.Context, beside func() error) (size int64, err error) {
	defer w.Rollback(ctx)
	if err := w.endCopy(); err != nil {
		return 0, fmt.Errorf("write records: %w", err)
	}
	if err := beside(); err != nil {
		return 0, err
	}
	if _, err := w.tx.Exec(ctx, `ALTER TABLE `+w.schema+`.record ADD PRIMARY KEY (root, seq)`); err != nil {
		return 0, fmt.Errorf("key of the records: %w", err)
	}
	if w.compared != nil {
		if err := w.compare(ctx); err != nil {
			return 0, fmt.Errorf("changes of the records: %w", err)
		}
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

// analyze opens the tables to those who serve, and to the planner, which takes them for empty until autovacuum comes by.
func (w *Writer) analyze(ctx context.Context) error {
	const list = `
		SELECT string_agg(format('%I.%I', schemaname, tablename), ', ') FROM pg_tables
		WHERE schemaname = $1`
	var tables string
	if err := w.tx.QueryRow(ctx, list, Name(w.load)).Scan(&tables); err != nil {
		return err
	}
	_, err := w.tx.Exec(ctx, `ANALYZE `+tables+`; SELECT open_load('`+Name(w.load)+`')`)
	return err
}

func (w *Writer) endCopy() error {
	_, err := w.pipe.Write([]byte{0xff, 0xff})
	_ = w.pipe.Close()
	w.pipe = nil
	if copyErr := <-w.copied; copyErr != nil {
		return copyErr // the server's reason; the pipe only knows that it was closed
	}
	return err
}

func (w *Writer) writeDomains(ctx context.Context, domains record.Domains) error {
	var rows [][]any
	for kind, table := range domains {
		for code, description := range table {
			rows = append(rows, []any{string(kind), code, description})
		}
	}
	ddl := `(kind text NOT NULL, code text NOT NULL, description text NOT NULL, PRIMARY KEY (kind, code))`
	return w.table(ctx, "domain", ddl, []string{"kind", "code", "description"}, pgx.CopyFromRows(rows))
}

// table creates a table of the load and fills it.
func (w *Writer) table(ctx context.Context, name, ddl string, columns []string, rows pgx.CopyFromSource) error {
	if _, err := w.tx.Exec(ctx, `CREATE TABLE `+w.schema+`.`+name+` `+ddl); err != nil {
		return fmt.Errorf("create table %s: %w", name, err)
	}
	if _, err := w.tx.CopyFrom(ctx, pgx.Identifier{Name(w.load), name}, columns, rows); err != nil {
		return fmt.Errorf("fill table %s: %w", name, err)
	}
	return nil
}

// Rollback undoes everything unless Commit succeeded. It may be called more than once.
func (w *Writer) Rollback(ctx context.Context) {
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
