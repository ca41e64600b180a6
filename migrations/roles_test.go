package migrations_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"golang.org/x/sync/errgroup"

	"razao/internal/store/pglocal"
	"razao/internal/testing/pgtest"
	"razao/migrations"
)

// cluster is a PostgreSQL cluster of the test's own, because roles belong to a whole cluster.
type cluster struct {
	t *testing.T
	*pglocal.Server
}

func newCluster(t *testing.T) cluster {
	t.Helper()
	pgtest.DSN(t) // skips without PostgreSQL
	server, err := pglocal.Open(t.Context(), t.TempDir(), pglocal.Options{Volatile: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	return cluster{t, server}
}

// major returns the version of the server.
func (c cluster) major() (major int) {
	c.t.Helper()
	conn, err := pgx.Connect(c.t.Context(), c.DSN("postgres"))
	if err != nil {
		c.t.Fatal(err)
	}
	defer func() { _ = conn.Close(c.t.Context()) }()
	if err := conn.QueryRow(c.t.Context(), "SELECT current_setting('server_version_num')::int / 10000").Scan(&major); err != nil {
		c.t.Fatal(err)
	}
	return major
}

// try runs statements without parameters on a new connection and returns the first error.
func (c cluster) try(dsn string, statements ...string) error {
	c.t.Helper()
	conn, err := pgx.Connect(c.t.Context(), dsn)
	if err != nil {
		c.t.Fatal(err)
	}
	defer func() { _ = conn.Close(c.t.Context()) }()
	for _, statement := range statements {
		if _, err := conn.Exec(c.t.Context(), statement); err != nil {
			return fmt.Errorf("%s: %w", statement, err)
		}
	}
	return nil
}

func (c cluster) must(dsn string, statements ...string) {
	c.t.Helper()
	if err := c.try(dsn, statements...); err != nil {
		c.t.Fatal(err)
	}
}

// refused fails the test unless each statement fails with insufficient_privilege.
func (c cluster) refused(dsn string, statements ...string) {
	c.t.Helper()
	for _, statement := range statements {
		var refusal *pgconn.PgError
		if err := c.try(dsn, statement); !errors.As(err, &refusal) || refusal.Code != "42501" {
			c.t.Errorf("%s: %v, want a refusal", statement, err)
		}
	}
}

func (c cluster) up(dsn string) {
	c.t.Helper()
	if err := migrations.Up(c.t.Context(), dsn); err != nil {
		c.t.Fatal(err)
	}
}

// Roles belong to the cluster and migrations to a database, so migrations of many databases make
// the same roles at once.
func TestRolesAreMadeByManyAtOnce(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	var all errgroup.Group
	for i := range 8 {
		name := fmt.Sprint("many_", i)
		c.must(c.DSN("postgres"), "CREATE DATABASE "+name)
		for range 2 {
			all.Go(func() error { return migrations.Up(t.Context(), c.DSN(name)) })
		}
	}
	if err := all.Wait(); err != nil {
		t.Fatal(err)
	}
	for i := range 8 {
		name := fmt.Sprint("many_", i)
		if err := migrations.Check(t.Context(), c.DSNAs(migrations.Serve, name)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		c.must(c.DSNAs(migrations.Ingest, name), "CREATE SCHEMA load_000001", "DROP SCHEMA load_000001")
	}
}

// oldLoad is a load as programs before the roles wrote it, owned by their only role.
var oldLoad = []string{
	"CREATE SCHEMA load_000001", "CREATE TABLE load_000001.record (root bigint)",
	"INSERT INTO load (source, period, state) VALUES ('receita', '2026-09', 'ready')",
	"INSERT INTO snapshot (index_name) VALUES ('x')", "INSERT INTO current_snapshot VALUES (true, 1)",
}

// A role that may not make others, as on a managed PostgreSQL: everything works as that role, an
// administrator makes the roles later, and the first role goes on working beside them.
func TestOneRoleBecomesTwo(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	admin, app := c.DSN("managed"), c.DSNAs("app", "managed")
	c.must(c.DSN("postgres"), "CREATE ROLE app LOGIN", "CREATE DATABASE managed OWNER app")
	if err := migrations.Up(t.Context(), app); !errors.Is(err, migrations.ErrNoRoles) {
		t.Fatalf("as a role that makes no roles: %v", err)
	}
	if err := migrations.Check(t.Context(), app); err != nil {
		t.Fatal(err)
	}
	c.must(app, oldLoad...)
	c.must(app, "SELECT open_load('load_000001')")

	text, err := migrations.RolesSQL(app)
	if err != nil {
		t.Fatal(err)
	}
	c.must(admin, text)
	c.up(app)
	c.up(app) // again
	serve, load := c.DSNAs(migrations.Serve, "managed"), c.DSNAs(migrations.Ingest, "managed")
	c.must(serve, "SELECT * FROM load_000001.record, load, current_snapshot", "INSERT INTO account (email) VALUES ('a@b.example')")
	c.must(serve, "SELECT load_id, column_name FROM reject")
	c.refused(serve, "SELECT raw FROM reject", "SELECT reason FROM reject", "SELECT * FROM reject", "DELETE FROM load_000001.record", "DELETE FROM load", "CREATE SCHEMA mine", "CREATE TABLE mine ()", "SET ROLE app")
	c.refused(load, "SELECT * FROM account", "DROP TABLE load", "CREATE TABLE mine ()", "SET ROLE app")
	c.must(app, "UPDATE load SET state = 'ready'", "SELECT * FROM account", "INSERT INTO load_000001.record VALUES (1)",
		"CREATE SCHEMA load_000002", "DROP SCHEMA load_000002")
	c.up(load)
	c.must(load, "UPDATE load SET state = 'dropped'", "DROP SCHEMA load_000001 CASCADE", "CREATE SCHEMA load_000002")

	// The way back of docs/postgresql.md.
	c.must(admin, "REASSIGN OWNED BY razao_owner, razao_ingest TO app", "DROP OWNED BY razao_owner, razao_ingest, razao_serve",
		"DROP ROLE razao_serve, razao_ingest, razao_owner")
	if err := migrations.Up(t.Context(), app); !errors.Is(err, migrations.ErrNoRoles) {
		t.Errorf("without the roles again: %v", err)
	}
	c.must(app, "UPDATE load SET state = 'ready'", "INSERT INTO account (email) VALUES ('c@d.example')", "DROP SCHEMA load_000002")
}

// A role that may make others and owns the database, but is no superuser, needs no administrator.
func TestRolesWithoutSuperuser(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	c.must(c.DSN("postgres"), "CREATE ROLE app LOGIN CREATEROLE", "CREATE DATABASE managed OWNER app")
	app, load := c.DSNAs("app", "managed"), c.DSNAs(migrations.Ingest, "managed")
	if c.major() < 15 { // where the schema is the superuser's, whoever owns the database
		if err := migrations.Up(t.Context(), app); !errors.Is(err, migrations.ErrNoRoles) || !strings.Contains(err.Error(), "app does not own the schema public") {
			t.Fatalf("in the schema of somebody else: %v", err)
		}
		c.must(c.DSN("managed"), "ALTER SCHEMA public OWNER TO app")
	}
	c.up(app)
	c.up(load)
	c.must(app, oldLoad...)
	c.refused(c.DSNAs(migrations.Serve, "managed"), "SELECT * FROM load_000001.record")
	c.up(app)
	c.must(c.DSNAs(migrations.Serve, "managed"), "SELECT * FROM load_000001.record")
	c.must(load, "DROP SCHEMA load_000001 CASCADE")

	c.must(c.DSN("postgres"), "CREATE DATABASE other OWNER razao")
	if err := migrations.Up(t.Context(), c.DSNAs("app", "other")); err == nil {
		t.Error("the database of somebody else was migrated")
	}
}

// Every table has a line in grants.sql and belongs to the owner; Up takes away a right that
// grants.sql does not give.
func TestRightsOfEveryTable(t *testing.T) {
	t.Parallel()
	dsn := pgtest.DSN(t)
	conn, err := pgx.Connect(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(t.Context()) }()
	if _, err := conn.Exec(t.Context(), "GRANT ALL ON load TO razao_serve, PUBLIC; ALTER TABLE session OWNER TO CURRENT_USER"); err != nil {
		t.Fatal(err)
	}
	if err := migrations.Up(t.Context(), dsn); err != nil {
		t.Fatal(err)
	}
	const query = `SELECT relname, pg_get_userbyid(relowner), coalesce(relacl::text, '') FROM pg_class
		WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'f')`
	rows, err := conn.Query(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	var table, owner, rights string
	seen := 0
	_, err = pgx.ForEachRow(rows, []any{&table, &owner, &rights}, func() error {
		seen++
		if owner != migrations.Owner {
			t.Errorf("%s belongs to %s", table, owner)
		}
		if !strings.Contains(rights, migrations.Serve+"=") && !strings.Contains(rights, migrations.Ingest+"=") {
			t.Errorf("%s has no line in grants.sql", table)
		}
		if table == "load" && !strings.Contains(rights, migrations.Serve+"=r/") || strings.Contains(rights, "{=") || strings.Contains(rights, ",=") {
			t.Errorf("%s: rights are left over: %s", table, rights)
		}
		return nil
	})
	if err != nil || seen < 20 {
		t.Errorf("%d tables, %v", seen, err)
	}
}
