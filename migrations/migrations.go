// Package migrations embeds the database schema as numbered SQL files, applies them with goose, and
// sets up the roles of PostgreSQL and their rights.
//
// A released file is immutable; a change is a new file. It must work while the program of the
// version before still serves: add first, use later, remove last. The server only checks ([Check])
// and never migrates.
//
// There are three roles: [Owner] owns the tables and has no login, [Ingest] writes loads, [Serve]
// reads loads and writes accounts. roles.sql makes them, grants.sql is the one list of rights; [Up]
// runs both around the migrations and takes away every right that is not on the list. Where the
// migrating role may not create roles, as on a managed PostgreSQL, everything works as that one
// role until an administrator has run [RolesSQL].
package migrations

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

// FS holds the migrations, NNNN_name.sql, and the scripts roles.sql and grants.sql, which goose
// ignores.
//
//go:embed *.sql
var FS embed.FS

// ErrOutdated means that a migration of this program is not applied.
var ErrOutdated = errors.New("the database is older than this program: run `razao migrate`")

// schemaOf returns the schema in which the tables are, "" if there are none. It is an error if search_path hides
// it: the database would read as one without migrations, and Up would make a second set of tables.
func schemaOf(ctx context.Context, conn *pgx.Conn) (schema string, err error) {
	const query = `
		SELECT nspname, pg_table_is_visible(pg_class.oid), current_setting('search_path'), current_user
		FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
		WHERE relname = 'current_snapshot' AND relkind = 'r' AND has_schema_privilege(pg_namespace.oid, 'USAGE')
		ORDER BY 2 DESC, 1 LIMIT 1`
	var visible bool
	var path, role string
	err = conn.QueryRow(ctx, query).Scan(&schema, &visible, &path, &role)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return "", nil
	case err != nil:
		return "", fmt.Errorf("tables of the database: %w", err)
	case !visible:
		return "", fmt.Errorf(`the tables are in the schema %s, and search_path, which is "%s" for the role %s, hides them: add the schema to it, or reset it `+
			`(psql's \drds shows whether database or role set it)`, schema, path, role)
	}
	return schema, nil
}

// Up makes the roles, applies pending migrations as the owner and gives the roles their rights. It
// may run again at any time. If the role of dsn may not make roles, Up applies the migrations as
// that role and returns an error that is ErrNoRoles. Concurrent processes take turns by a
// session-level advisory lock, so dsn must not lead through a transaction-pooling proxy such as
// PgBouncer.
func Up(ctx context.Context, dsn string) error {
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		return fmt.Errorf("migrate the database: %w", err)
	}
	defer func() { _ = conn.Close(ctx) }()
	schema, err := schemaOf(ctx, conn)
	if err != nil {
		return err
	}
	noRoles := makeRoles(ctx, conn)
	if noRoles != nil && !errors.Is(noRoles, ErrNoRoles) {
		return fmt.Errorf("roles of the database: %w", noRoles)
	}
	up := func(p *goose.Provider) error {
		if _, err := p.Up(ctx); err != nil {
			return fmt.Errorf("migrate the database: %w", err)
		}
		return nil
	}
	if noRoles != nil {
		return errors.Join(withProvider(dsn, schema, up, stdlib.OptionAfterConnect(settle(schema))), noRoles)
	}
	// Granted before the migrations, so that the owner may alter tables that another role made, and
	// after them, for new tables.
	if err := grant(ctx, conn); err != nil {
		return err
	}
	if err := withProvider(dsn, schema, up, stdlib.OptionAfterConnect(settle(schema, "SET ROLE "+Owner))); err != nil {
		return err
	}
	return grant(ctx, conn)
}

// settle makes a new connection create tables where those of before are, whatever comes first in search_path,
// and runs further statements: as the owner, what a migration creates is the owner's.
func settle(schema string, further ...string) func(context.Context, *pgx.Conn) error {
	return func(ctx context.Context, conn *pgx.Conn) error {
		statements := slices.Clone(further)
		if schema != "" {
			statements = append(statements, "SET search_path = "+pgx.Identifier{schema}.Sanitize())
		}
		for _, statement := range statements {
			if _, err := conn.Exec(ctx, statement); err != nil {
				return err
			}
		}
		return nil
	}
}

// Check returns ErrOutdated if migrations are pending, also if this role may not read their table
// yet, and another error if search_path hides the tables. It changes nothing. A database that is
// newer than this program passes.
func Check(ctx context.Context, dsn string) error {
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		return fmt.Errorf("version of the database: %w", err)
	}
	schema, err := schemaOf(ctx, conn)
	_ = conn.Close(ctx)
	if err != nil {
		return err
	}
	return withProvider(dsn, schema, func(p *goose.Provider) error {
		pending, err := p.HasPending(ctx)
		var refused *pgconn.PgError
		if errors.As(err, &refused) && refused.Code == "42501" {
			return fmt.Errorf("%w (%w)", ErrOutdated, err) // insufficient_privilege: Up has not granted anything yet
		}
		if err != nil {
			return fmt.Errorf("version of the database: %w", err)
		}
		if pending {
			return ErrOutdated
		}
		return nil
	})
}

// withProvider calls do with a goose provider on a connection of its own. schema is that of the tables, "" for
// the first of search_path, the only one in which goose looks.
func withProvider(dsn, schema string, do func(*goose.Provider) error, options ...stdlib.OptionOpenDB) error {
	config, err := pgx.ParseConfig(dsn)
	if err != nil {
		return fmt.Errorf("open the database: %w", err)
	}
	db := stdlib.OpenDB(*config, options...)
	defer func() { _ = db.Close() }()
	locker, err := lock.NewPostgresSessionLocker()
	if err != nil {
		return fmt.Errorf("lock of the migrations: %w", err)
	}
	with := []goose.ProviderOption{goose.WithSessionLocker(locker)}
	if schema != "" {
		with = append(with, goose.WithTableName(schema+"."+goose.DefaultTablename))
	}
	p, err := goose.NewProvider(goose.DialectPostgres, db, FS, with...)
	if err != nil {
		return fmt.Errorf("read the migrations: %w", err)
	}
	return do(p)
}
