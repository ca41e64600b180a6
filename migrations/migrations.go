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
		return errors.Join(withProvider(dsn, up), noRoles)
	}
	// Granted before the migrations, so that the owner may alter tables that another role made, and
	// after them, for new tables.
	if err := grant(ctx, conn); err != nil {
		return err
	}
	if err := withProvider(dsn, up, stdlib.OptionAfterConnect(becomeOwner)); err != nil {
		return err
	}
	return grant(ctx, conn)
}

// becomeOwner makes a new connection act as the owner, who then owns what a migration creates.
func becomeOwner(ctx context.Context, conn *pgx.Conn) error {
	_, err := conn.Exec(ctx, "SET ROLE "+Owner)
	return err
}

// Check returns ErrOutdated if migrations are pending, also if this role may not read their table
// yet. It changes nothing. A database that is newer than this program passes.
func Check(ctx context.Context, dsn string) error {
	return withProvider(dsn, func(p *goose.Provider) error {
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

// withProvider calls do with a goose provider on a connection of its own.
func withProvider(dsn string, do func(*goose.Provider) error, options ...stdlib.OptionOpenDB) error {
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
	p, err := goose.NewProvider(goose.DialectPostgres, db, FS, goose.WithSessionLocker(locker))
	if err != nil {
		return fmt.Errorf("read the migrations: %w", err)
	}
	return do(p)
}
