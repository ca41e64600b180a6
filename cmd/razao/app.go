package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"runtime"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"razao/ingest"
	"razao/internal/console"
	"razao/internal/indexstore"
	"razao/internal/metrics"
	"razao/internal/pglocal"
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

// database is an open connection to PostgreSQL, with the private server that it may need.
type database struct {
	pool    *pgxpool.Pool   // of records, and of the commands
	control *pgxpool.Pool   // of what must not wait for records: admission, accounts, the snapshot in service, health
	server  *pglocal.Server // nil when RAZAO_DATABASE_URL names one
}

// source returns the setting that names the database for a role of migrations, and its value; "" is the private server.
func (s *settings) source(role string) (name, dsn string) {
	if role == migrations.Ingest && s.IngestURL != "" {
		return "RAZAO_DATABASE_INGEST_URL", s.IngestURL
	}
	return "RAZAO_DATABASE_URL", s.DatabaseURL
}

// open connects to the database, starting the private server when no other is named, and lets look see to its schema. On the private
// server it is the given role, one of package migrations; elsewhere whom the setting names. tune may change how.
func (a *app) open(
	ctx context.Context, role string, look func(ctx context.Context, dsn string) error, tune ...func(*pgxpool.Config),
) (*database, error) {
	db := &database{}
	setting, dsn := a.settings.source(role)
	admin := dsn
	if dsn == "" {
		if err := os.MkdirAll(a.settings.Data, 0o755); err != nil {
			return nil, fmt.Errorf("data folder (RAZAO_DATA): %w", err)
		}
		server, err := pglocal.Open(ctx, a.settings.clusterDir(), pglocal.Options{Log: a.log, BinDir: a.settings.PostgresBin})
		if err != nil {
			return nil, err
		}
		db.server, admin, dsn = server, server.DSN("razao"), server.DSNAs(role, "razao")
	}
	tune = append([]func(*pgxpool.Config){a.size, traces.Statements(a.settings.OTLP)}, tune...)
	err := look(ctx, admin)
	if errors.Is(err, migrations.ErrNoRoles) {
		a.log.Warn("everything runs as one role of PostgreSQL", "reason", err)
		err = nil
	}
	if err == nil {
		err = db.connect(ctx, a.command, dsn, tune)
	}
	if err != nil {
		db.close(a.log)
		return nil, fmt.Errorf("PostgreSQL (%s): %w", setting, err)
	}
	return db, nil
}

func (db *database) connect(ctx context.Context, command, dsn string, tune []func(*pgxpool.Config)) error {
	config, err := pgxpool.ParseConfig(dsn)
	if err != nil {
		return err
	}
	config.AfterConnect = migrations.Tune
	// In pg_stat_activity, and in the message of who has to wait for this process. PostgreSQL keeps the first 63 bytes.
	host, _ := os.Hostname()
	name := fmt.Sprintf("%s, pid %d on %s", command, os.Getpid(), host)
	params := config.ConnConfig.RuntimeParams
	params["application_name"] = cmp.Or(params["application_name"], name)
	for _, change := range tune {
		change(config)
	}
	if db.pool, err = pgxpool.NewWithConfig(ctx, config); err != nil {
		return err
	}
	config = config.Copy()
	config.MaxConns = controlConns
	if db.control, err = pgxpool.NewWithConfig(ctx, config); err != nil {
		return err
	}
	return db.pool.Ping(ctx)
}

// controlConns bounds the connections of a server that records do not wait for. They are opened when they are needed.
const controlConns = 6

// size bounds the connections of records. More than processors can work for make all of them slower.
func (a *app) size(config *pgxpool.Config) {
	config.MaxConns = int32(cmp.Or(a.settings.DatabaseConnections, min(max(4*runtime.GOMAXPROCS(0), 8), 16)))
}

// poolTimeout is how long connections get to end. A PostgreSQL that is frozen does not let them go.
const poolTimeout = 3 * time.Second

func (db *database) close(log *slog.Logger) {
	if db.control != nil {
		closed := make(chan struct{})
		go func() { defer close(closed); db.pool.Close(); db.control.Close() }()
		select {
		case <-closed:
		case <-time.After(poolTimeout):
			log.Warn("PostgreSQL does not let connections go", "after", poolTimeout.String())
		}
	}
	if db.server != nil {
		if err := db.server.Close(); err != nil {
			log.Error("stop PostgreSQL", "error", err)
		}
	}
}

// withDatabase opens a migrated database for the duration of do, as who serves or as who loads.
func (a *app) withDatabase(ctx context.Context, role string, do func(*database) error) error {
	db, err := a.open(ctx, role, migrations.Check)
	if err != nil {
		return err
	}
	defer db.close(a.log)
	return do(db)
}

// withIngester is withDatabase for the commands that change loads, beside servers at work; progress is shown until do returns.
func (a *app) withIngester(ctx context.Context, do func(*ingest.Ingester) error) error {
	db, err := a.open(ctx, migrations.Ingest, migrations.Check, a.yield)
	if err != nil {
		return err
	}
	defer db.close(a.log)
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

func (a *app) ingesting(db *database, do func(*ingest.Ingester) error) error {
	p := console.NewProgress(a.log)
	defer p.Stop()
	storeDir := ""
	if db.server != nil {
		storeDir = a.settings.clusterDir()
	}
	in := &ingest.Ingester{
		StoreDir: storeDir,
		Store:    registry.NewStore(db.pool),
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
