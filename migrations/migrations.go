// Package migrations holds the database schema as numbered SQL files and applies them. A file that was released is
// never edited: the next change is the next number.
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

// FS holds the migrations.
//
//go:embed *.sql
var FS embed.FS

// ErrOutdated is the error of a database that lacks migrations of this binary.
var ErrOutdated = errors.New("the database is older than this program: run `razao migrate`")

// Up applies what is missing. Several processes may call it at once: one applies, the others wait.
func Up(ctx context.Context, dsn string) error {
	return with(dsn, func(p *goose.Provider) error {
		if _, err := p.Up(ctx); err != nil {
			return fmt.Errorf("migrate the database: %w", err)
		}
		return nil
	})
}

// Check returns ErrOutdated when a migration has not been applied.
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
