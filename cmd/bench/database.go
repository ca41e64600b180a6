package main

import (
	"context"
	"fmt"
	"log/slog"
	"runtime"

	"github.com/jackc/pgx/v5/pgxpool"

	"razao/internal/pglocal"
	"razao/migrations"
)

// database is the private PostgreSQL of a run.
type database struct {
	server *pglocal.Server
	dsn    string
	pool   *pgxpool.Pool
}

func openDatabase(ctx context.Context, f *folder) (*database, error) {
	server, err := pglocal.Open(ctx, f.path("postgres"), pglocal.Options{})
	if err != nil {
		return nil, err
	}
	db := &database{server: server, dsn: server.DSN(pglocal.User)}
	if err := migrations.Up(ctx, db.dsn); err != nil {
		db.close()
		return nil, err
	}
	if db.pool, err = connect(ctx, db.dsn); err != nil {
		db.close()
		return nil, err
	}
	return db, nil
}

// connect opens a pool with the settings of the real program.
func connect(ctx context.Context, dsn string) (*pgxpool.Pool, error) {
	config, err := pgxpool.ParseConfig(dsn)
	if err != nil {
		return nil, fmt.Errorf("connect to PostgreSQL: %w", err)
	}
	config.MaxConns = int32(min(max(4*runtime.GOMAXPROCS(0), 8), 16))
	config.ConnConfig.RuntimeParams["plan_cache_mode"] = "force_generic_plan"
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("connect to PostgreSQL: %w", err)
	}
	return pool, nil
}

func (db *database) close() {
	if db.pool != nil {
		db.pool.Close()
	}
	if err := db.server.Close(); err != nil {
		slog.Error("stop PostgreSQL", "error", err)
	}
}
