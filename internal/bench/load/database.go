package load

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"runtime"

	"github.com/jackc/pgx/v5/pgxpool"

	"razao/internal/bench/machine"
	"razao/internal/pglocal"
	"razao/migrations"
)

// Database is the private PostgreSQL of a run.
type Database struct {
	DSN  string
	Pool *pgxpool.Pool

	server *pglocal.Server
}

// OpenDatabase starts the PostgreSQL of a folder.
func OpenDatabase(ctx context.Context, f *Folder) (*Database, error) {
	server, err := pglocal.Open(ctx, f.path("postgres"), pglocal.Options{})
	if err != nil {
		return nil, err
	}
	db := &Database{server: server, DSN: server.DSN(pglocal.User)}
	if err := migrations.Up(ctx, db.DSN); err != nil {
		db.Close()
		return nil, err
	}
	if db.Pool, err = Connect(ctx, db.DSN); err != nil {
		db.Close()
		return nil, err
	}
	return db, nil
}

// Connect opens a pool with the settings of the real program.
func Connect(ctx context.Context, dsn string) (*pgxpool.Pool, error) {
	config, err := pgxpool.ParseConfig(dsn)
	if err != nil {
		return nil, fmt.Errorf("connect to PostgreSQL: %w", err)
	}
	config.MaxConns = int32(min(max(4*runtime.GOMAXPROCS(0), 8), 16))
	config.AfterConnect = migrations.Tune
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("connect to PostgreSQL: %w", err)
	}
	return pool, nil
}

// Close stops it.
func (db *Database) Close() {
	if db.Pool != nil {
		db.Pool.Close()
	}
	if err := db.server.Close(); err != nil {
		slog.Error("stop PostgreSQL", "error", err)
	}
}

// Postgres is the processes of PostgreSQL.
func (db *Database) Postgres() machine.Family { return machine.Family{PID: db.server.PID()} }

// Version is that of PostgreSQL.
func (db *Database) Version(ctx context.Context) (version string, err error) {
	if err := db.Pool.QueryRow(ctx, `SELECT current_setting('server_version')`).Scan(&version); err != nil {
		return "", fmt.Errorf("version of PostgreSQL: %w", err)
	}
	return version, nil
}

// Warnings is the log of the parts that are measured: only what went wrong.
func Warnings() *slog.Logger {
	return slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
}
