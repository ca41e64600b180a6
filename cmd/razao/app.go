package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"

	"github.com/jackc/pgx/v5/pgxpool"

	"razao/ingest"
	"razao/internal/console"
	"razao/internal/database"
	"razao/internal/indexstore"
	"razao/internal/metrics"
	"razao/internal/registry"
	"razao/internal/traces"
	"razao/migrations"
)

// app is what the subcommands share.
type app struct {
	command  string // as it was called, without its arguments
	settings settings
	store    indexstore.Store // of indexes for many servers; nil: none
	log      *slog.Logger
	monitor  *metrics.Metrics // nil: nothing is measured
	tracer   *traces.Tracer   // nil: nothing is traced
}

func (a *app) configure(command string) (err error) {
	a.command, a.log = command, console.NewLog()
	if a.settings, err = readSettings(); err != nil {
		return err
	}
	if a.store, err = indexstore.Open(a.settings.IndexStore); err != nil {
		return fmt.Errorf("RAZAO_INDEX_STORE: %w", err)
	}
	return nil
}

// source returns the setting that names the database for a role of migrations, and its value; "" is the private server.
func (s *settings) source(role string) (name, dsn string) {
	if role == migrations.Ingest && s.IngestURL != "" {
		return "RAZAO_DATABASE_INGEST_URL", s.IngestURL
	}
	return "RAZAO_DATABASE_URL", s.DatabaseURL
}

// open opens the database for a role of package migrations, and lets look see to its schema. tune may change the pools.
func (a *app) open(
	ctx context.Context, role string, look func(ctx context.Context, dsn string) error, tune ...func(*pgxpool.Config),
) (*database.DB, error) {
	setting, dsn := a.settings.source(role)
	if dsn == "" {
		if err := os.MkdirAll(a.settings.Data, 0o755); err != nil {
			return nil, fmt.Errorf("data folder (RAZAO_DATA): %w", err)
		}
	}
	return database.Open(ctx, database.Options{
		DSN: dsn, Setting: setting, Role: role, Command: a.command, Dir: a.settings.clusterDir(), BinDir: a.settings.PostgresBin,
		Connections: a.settings.DatabaseConnections, Log: a.log, Look: look,
		Tune: append([]func(*pgxpool.Config){traces.Statements(a.settings.OTLP)}, tune...),
	})
}

// withDatabase opens a migrated database for the duration of do, as who serves or as who loads.
func (a *app) withDatabase(ctx context.Context, role string, do func(*database.DB) error) error {
	db, err := a.open(ctx, role, migrations.Check)
	if err != nil {
		return err
	}
	defer db.Close()
	return do(db)
}

// withIngester is withDatabase for the commands that change loads, beside servers at work; progress is shown until do returns.
func (a *app) withIngester(ctx context.Context, do func(*ingest.Ingester) error) error {
	db, err := a.open(ctx, migrations.Ingest, migrations.Check, a.yield)
	if err != nil {
		return err
	}
	defer db.Close()
	return a.ingesting(db, do)
}

// loadConns are the connections of a load. It needs two, for the lock and for a statement at a time; the others let a scan feed a COPY,
// and a look-up run beside them.
const loadConns = 4

// yield lets this process come after those who are served. Its connections in PostgreSQL do not: one that holds a lock would keep
// look-ups waiting (priority inversion).
func (a *app) yield(config *pgxpool.Config) {
	config.MaxConns = loadConns
	if err := yieldProcess(); err != nil {
		a.log.Warn("the load competes with those who are served", "error", err)
	}
}

func (a *app) ingesting(db *database.DB, do func(*ingest.Ingester) error) error {
	p := console.NewProgress(a.log)
	defer p.Stop()
	storeDir := ""
	if db.Private() {
		storeDir = a.settings.clusterDir()
	}
	in := &ingest.Ingester{
		StoreDir: storeDir,
		Store:    registry.NewStore(db.Pool),
		IndexDir: a.settings.indexDir(),
		WorkDir:  a.settings.workDir(),
		Log:      a.log,
		Stages:   p.Watch,
	}
	if to := a.publisher(); to != nil {
		in.Send = to.BeforeSwitch
	}
	return do(in)
}
