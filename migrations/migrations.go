// Package migrations embeds the database schema as numbered SQL files and applies them with goose. Released files are
// immutable: a change is a new file, and runs while the program of the version before still serves.
package migrations

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"

	_ "github.com/jackc/pgx/v5/stdlib" // the "pgx" driver of database/sql, which goose speaks
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

// FS holds the migrations, NNNN_name.sql.
//
//go:embed *.sql
var FS embed.FS

// ErrOutdated means that a migration of this binary is not applied.
var ErrOutdated = errors.New("the database is older than this program: run `razao migrate`")

// Up applies pending migrations. Concurrent processes take turns by an advisory lock of the session, which does not pass through
// a transaction-pooling proxy such as PgBouncer.
func Up(ctx context.Context, dsn string) error {
	return with(dsn, func(p *goose.Provider) error {
		if _, err := p.Up(ctx); err != nil {
			return fmt.Errorf("migrate the database: %w", err)
		}
		return nil
	})
}

// Check returns ErrOutdated if migrations are pending. It changes nothing.
func Check(ctx context.Context, dsn string) error {
	return with(dsn, func(p *goose.Provider) error {
		pending, err := p.HasPending(ctx)
		if err != nil {
			return fmt.Errorf("version of the database: %w", err)
		}
		if pending {
			return ErrOutdated
		}
		return nil
	})
}

func with(dsn string, do func(*goose.Provider) error) error {
	db, err := sql.Open("pgx", dsn)
	if err != nil {
		return fmt.Errorf("open the database: %w", err)
	}
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
