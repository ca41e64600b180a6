package load

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"runtime"

	"github.com/jackc/pgx/v5/pgxpool"

	"razao/internal/bench/machine"
	"razao/internal/store/pglocal"
	"razao/migrations"
)

// Database is the private PostgreSQL of a run. The superuser's role is used for everything.
type Database struct {
	DSN  string        // of the superuser, for processes that are started on it
	Pool *pgxpool.Pool // of the benchmark itself

	server *pglocal.Server
}

// OpenDatabase starts the private PostgreSQL in f, creating the cluster if needed, and migrates it.
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

// Connect opens a pool with the default size of `razao serve`: four connections for each processor,
// 8 to 16.
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

// Close closes the pool and stops PostgreSQL. Errors are logged.
func (db *Database) Close() {
	if db.Pool != nil {
		db.Pool.Close()
	}
	if err := db.server.Close(); err != nil {
		slog.Error("stop PostgreSQL", "error", err)
	}
}

// Postgres returns the postmaster and its children, for measuring.
func (db *Database) Postgres() machine.Family { return machine.Family{PID: db.server.PID()} }

// Version returns the version of PostgreSQL, such as "15.18".
func (db *Database) Version(ctx context.Context) (version string, err error) {
	if err := db.Pool.QueryRow(ctx, `SELECT current_setting('server_version')`).Scan(&version); err != nil {
		return "", fmt.Errorf("version of PostgreSQL: %w", err)
	}
	return version, nil
}

// Warnings returns a logger for the measured code that drops everything below warnings, so that
// logging costs nothing and the terminal shows progress only.
func Warnings() *slog.Logger {
	return slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
}
