package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"razao/internal/testing/program"
	"razao/migrations"
)

// relation is a table, sequence or the like as the catalog has it.
type relation struct {
	Schema, Name, Kind, Column string // the first column of a table
	Writable                   bool   // razao_serve may change its rows
}

func (r *relation) String() string { return pgx.Identifier{r.Schema, r.Name}.Sanitize() }

// published reports whether nobody who serves may change the rows: loads, what is said of them, and the schema's version.
func (r *relation) published() bool {
	return strings.HasPrefix(r.Schema, "load_") ||
		slices.Contains([]string{"load", "reject", "snapshot", "snapshot_load", "current_snapshot", "goose_db_version"}, r.Name)
}

// forbidden returns what razao_serve may not do to a relation.
func (r *relation) forbidden() []string {
	if r.Kind == "S" {
		return []string{
			"ALTER SEQUENCE " + r.String() + " RESTART", "DROP SEQUENCE " + r.String(),
			fmt.Sprintf("SELECT setval('%s', 1)", r), fmt.Sprintf("SELECT nextval('%s')", r),
		}
	}
	statements := []string{
		"TRUNCATE %s", "DROP TABLE %s CASCADE", "ALTER TABLE %s ADD COLUMN mine text", "ALTER TABLE %s DROP COLUMN " + r.Column,
		"ALTER TABLE %s RENAME TO mine", "ALTER TABLE %s OWNER TO razao_serve", "ALTER TABLE %s DISABLE TRIGGER ALL",
		"ALTER TABLE %s SET UNLOGGED", "ALTER TABLE %s ENABLE ROW LEVEL SECURITY", "CREATE INDEX ON %s (" + r.Column + ")",
		"CREATE RULE mine AS ON INSERT TO %s DO INSTEAD NOTHING", "CREATE POLICY mine ON %s",
		"CREATE TRIGGER mine BEFORE INSERT ON %s EXECUTE FUNCTION suppress_redundant_updates_trigger()",
		"COMMENT ON TABLE %s IS 'mine'", "CLUSTER %s", "COPY %s TO PROGRAM 'true'", "COPY %s FROM '/etc/passwd'",
	}
	if !r.Writable {
		statements = append(statements, "INSERT INTO %s DEFAULT VALUES", "UPDATE %s SET "+r.Column+" = DEFAULT", "DELETE FROM %s",
			"COPY %s FROM STDIN", "SELECT FROM %s FOR UPDATE", "LOCK TABLE %s IN EXCLUSIVE MODE")
	}
	for i, s := range statements {
		statements[i] = strings.ReplaceAll(s, "%s", r.String())
	}
	return statements
}

// everywhere is what razao_serve may not do at all.
func everywhere(schemas []string) []string {
	statements := []string{
		"CREATE SCHEMA mine", "CREATE TEMP TABLE mine ()", "CREATE DATABASE mine", "CREATE ROLE mine",
		"CREATE PUBLICATION mine FOR ALL TABLES", "CREATE LANGUAGE mine HANDLER plpgsql_call_handler", "CREATE TABLESPACE mine LOCATION '/tmp'",
		"CREATE EVENT TRIGGER mine ON ddl_command_end EXECUTE FUNCTION suppress_redundant_updates_trigger()",
		"ALTER DATABASE razao SET work_mem = '1GB'", "DROP DATABASE razao", "ALTER SYSTEM SET fsync = off", "CHECKPOINT",
		"ALTER ROLE razao_serve SUPERUSER", "ALTER ROLE razao_serve CREATEROLE", "ALTER ROLE razao_ingest PASSWORD 'mine'",
		"DROP ROLE razao_ingest",
		"SET ROLE razao", "SET ROLE razao_owner", "SET ROLE razao_ingest", "SET SESSION AUTHORIZATION razao_owner",
		"GRANT razao_owner TO razao_serve", "GRANT razao_ingest TO razao_serve",
		"REASSIGN OWNED BY razao_owner TO razao_serve", "DROP OWNED BY razao_ingest",
		"ALTER DEFAULT PRIVILEGES FOR ROLE razao_ingest GRANT ALL ON TABLES TO razao_serve", "SET session_replication_role = replica",
		"SELECT pg_read_file('/etc/passwd')", "SELECT lo_import('/etc/passwd')", "SELECT pg_ls_dir('.')", "COPY (SELECT 1) TO '/tmp/mine'",
		"DROP FUNCTION open_load", "ALTER FUNCTION open_load(text) SECURITY DEFINER",
		"CREATE OR REPLACE FUNCTION open_load(schema_name text) RETURNS void LANGUAGE sql AS ''",
	}
	for _, schema := range schemas {
		statements = append(statements, "CREATE TABLE "+schema+".mine ()", "CREATE VIEW "+schema+".mine AS SELECT 1",
			"CREATE FUNCTION "+schema+".mine() RETURNS int LANGUAGE sql AS 'SELECT 1'", "CREATE TYPE "+schema+".mine AS ENUM ()",
			"DROP SCHEMA "+schema+" CASCADE", "ALTER SCHEMA "+schema+" RENAME TO mine", "ALTER SCHEMA "+schema+" OWNER TO razao_serve")
	}
	return statements
}

// TestServeCannotAlterARecord tries, as the role that serves, everything that would change what is published: on every table of the
// catalog, so that new ones are in it, after a load by the program and while it serves.
func TestServeCannotAlterARecord(t *testing.T) {
	t.Parallel()
	p := newProgram(t)
	p.Must("migrate")
	p.Must("ingest", "receita", "--from", program.Sample(t, t.TempDir(), "2026-09", 100))
	p.Start("serve")
	socket := "host=" + filepath.Join(p.Data, "postgres/cluster") + " dbname=razao user="
	admin, serve := connectAs(t, socket+"razao"), connectAs(t, socket+migrations.Serve)

	var sessions []string // that the program has open
	scan(t, admin, "SELECT DISTINCT usename::text FROM pg_stat_activity WHERE application_name LIKE 'razao serve%'", &sessions)
	if !slices.Equal(sessions, []string{migrations.Serve}) {
		t.Errorf("razao serve is connected as %v", sessions)
	}
	var bounds []string
	scan(t, serve, `SELECT name || ' ' || setting FROM pg_settings
		WHERE name IN ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'plan_cache_mode') ORDER BY name`, &bounds)
	want := []string{"idle_in_transaction_session_timeout 30000", "lock_timeout 10000", "plan_cache_mode force_generic_plan", "statement_timeout 15000"}
	if !slices.Equal(bounds, want) {
		t.Errorf("the sessions of razao_serve have %v", bounds)
	}
	relations := catalog(t, admin)
	before := digest(t, admin, relations)
	var statements []string
	tried := map[string]bool{}
	for _, r := range relations {
		statements = append(statements, r.forbidden()...)
		tried[r.Schema] = true
		if r.published() && r.Writable {
			t.Errorf("razao_serve may write %s", &r)
		}
	}
	statements = append(statements, everywhere(slices.Sorted(maps.Keys(tried)))...)
	for _, statement := range statements {
		if err := attempt(serve, statement); !isRefusal(err) {
			t.Errorf("%s: %v, want a refusal", statement, err)
		}
	}
	// Who has any right to a table is only warned that it has none to give away.
	for _, r := range relations {
		_ = attempt(serve, "GRANT ALL ON "+r.String()+" TO razao_serve, PUBLIC")
	}
	_, _ = serve.Exec(t.Context(), "GRANT ALL ON DATABASE razao TO razao_serve; SELECT open_load('load_000001')")
	if after := digest(t, admin, relations); after != before {
		t.Errorf("what is published has changed, or the rights to it:\n%s\n%s", before, after)
	}
	t.Logf("%d statements on %d relations", len(statements), len(relations))
	if len(relations) < 30 {
		t.Errorf("the catalog has only %v", relations)
	}
}

func connectAs(t *testing.T, dsn string) *pgxpool.Pool {
	t.Helper()
	config, err := pgxpool.ParseConfig(dsn)
	if err != nil {
		t.Fatal(err)
	}
	config.MaxConns = 1
	pool, err := pgxpool.NewWithConfig(context.Background(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	return pool
}

func scan[T any](t *testing.T, pool *pgxpool.Pool, query string, to *[]T) {
	t.Helper()
	rows, err := pool.Query(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	if *to, err = pgx.CollectRows(rows, pgx.RowTo[T]); err != nil {
		t.Fatal(err)
	}
}

func catalog(t *testing.T, admin *pgxpool.Pool) []relation {
	t.Helper()
	const query = `
		SELECT nspname, relname, relkind::text, 
		    coalesce((SELECT quote_ident(attname) FROM pg_attribute WHERE attrelid = c.oid AND attnum = 1), ''),
		    relkind <> 'S' AND has_table_privilege('razao_serve', c.oid, 'INSERT, UPDATE, DELETE')
		FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
		WHERE nspname !~ '^(pg_|information_schema)' AND relkind IN ('r', 'p', 'v', 'm', 'f', 'S') ORDER BY 1, 2`
	rows, err := admin.Query(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	relations, err := pgx.CollectRows(rows, pgx.RowToStructByPos[relation])
	if err != nil {
		t.Fatal(err)
	}
	return relations
}

// digest returns one of all rows that who serves may not change, and the rights to everything.
func digest(t *testing.T, admin *pgxpool.Pool, relations []relation) string {
	t.Helper()
	var all []string
	for _, r := range relations {
		if r.Kind != "S" && r.published() {
			var rows []string
			scan(t, admin, "SELECT count(*) || ' ' || coalesce(md5(string_agg(x::text, '' ORDER BY x::text)), '') FROM "+r.String()+" x", &rows)
			all = append(all, r.String()+" "+rows[0])
		}
	}
	var rights []string
	scan(t, admin, `SELECT relname || relowner || coalesce(relacl::text, '') FROM pg_class
		UNION ALL SELECT nspname || nspowner || coalesce(nspacl::text, '') FROM pg_namespace
		UNION ALL SELECT datname || datdba || coalesce(datacl::text, '') FROM pg_database ORDER BY 1`, &rights)
	return strings.Join(append(all, rights...), "\n")
}

// attempt runs a statement in a transaction that is undone, if it can be in one.
func attempt(pool *pgxpool.Pool, statement string) error {
	ctx := context.Background()
	tx, err := pool.Begin(ctx)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, statement)
	_ = tx.Rollback(ctx)
	var refusal *pgconn.PgError
	if errors.As(err, &refusal) && refusal.Code == "25001" { // not in a transaction
		_, err = pool.Exec(ctx, statement)
	}
	return err
}

func isRefusal(err error) bool {
	var refusal *pgconn.PgError
	return errors.As(err, &refusal) && refusal.Code == "42501"
}
