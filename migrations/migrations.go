// Package migrations embeds the database schema as numbered SQL files and applies them with goose. Released files are
// immutable: a change is a new file, and runs while the program of the version before still serves.
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

// FS holds the migrations, NNNN_name.sql.
//
//go:embed *.sql
var FS embed.FS

// ErrOutdated means that a migration of this binary is not applied.
var ErrOutdated = errors.New("the database is older than this program: run `razao migrate`")

// Up applies pending migrations, makes the roles and gives them their rights. ErrNoRoles: all is migrated, but the role of dsn may not
// make the others. Concurrent processes take turns by an advisory lock of the session, which does not pass through
// a transaction-pooling proxy such as PgBouncer.
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
		return errors.Join(with(dsn, up), noRoles)
	}
	// Before, so that the owner may change what another role made; after, for what is new.
	if err := grant(ctx, conn); err != nil {
		return err
	}
	if err := with(dsn, up, stdlib.OptionAfterConnect(becomeOwner)); err != nil {
		return err
	}
	return grant(ctx, conn)
}

func becomeOwner(ctx context.Context, conn *pgx.Conn) error {
	_, err := conn.Exec(ctx, "SET ROLE "+Owner)
	return err
}

// Check returns ErrOutdated if migrations are pending. It changes nothing.
func Check(ctx context.Context, dsn string) error {
	return with(dsn, func(p *goose.Provider) error {
		pending, err := p.HasPending(ctx)
		var refused *pgconn.PgError
		if errors.As(err, &refused) && refused.Code == "42501" {
			return fmt.Errorf("%w (%w)", ErrOutdated, err) // nothing was granted yet
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

func with(dsn string, do func(*goose.Provider) error, options ...stdlib.OptionOpenDB) error {
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
