package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"

	"github.com/jackc/pgx/v5/pgxpool"

	"razao/cmd/razao/console"
	"razao/ingest"
	"razao/internal/ops/metrics"
	"razao/internal/store/database"
	"razao/internal/store/indexstore"
	"razao/internal/store/registry"
	"razao/migrations"
)

// app is what the subcommands share.
type app struct {
	command  string // path of the subcommand, such as "razao ingest receita"
	settings settings
	store    indexstore.Store // shares indexes between servers; nil: none
	log      *slog.Logger
	monitor  *metrics.Metrics // nil until serve opens it; a nil one does nothing
}

// configure reads the settings and opens what depends on nothing else.
func (a *app) configure(command string) (err error) {
	a.command, a.log = command, console.NewLog()
	if a.settings, err = readSettings(os.Environ()); err != nil {
		return err
	}
	if a.store, err = indexstore.Open(a.settings.IndexStore); err != nil {
		return fmt.Errorf("RAZAO_INDEX_STORE: %w", err)
	}
	return nil
}

// source returns the name and value of the setting that holds the database's DSN for a role of
// package migrations. The DSN "" means the private server.
func (s *settings) source(role string) (name, dsn string) {
	if role == migrations.Ingest && s.IngestURL != "" {
		return "RAZAO_DATABASE_INGEST_URL", s.IngestURL
	}
	return "RAZAO_DATABASE_URL", s.DatabaseURL
}

// open opens the database for a role of package migrations and lets look check or migrate its
// schema. read, if not nil, has the servers that records are read from.
func (a *app) open(
	ctx context.Context, role string, look func(ctx context.Context, dsn string) error, read *database.Reading, tune ...func(*pgxpool.Config),
) (*database.DB, error) {
	a.warnOfDataFolder()
	setting, dsn := a.settings.source(role)
	if dsn == "" {
		if err := os.MkdirAll(a.settings.Data, 0o700); err != nil {
			return nil, fmt.Errorf("data folder (RAZAO_DATA): %w", err)
		}
	}
	return database.Open(ctx, database.Options{
		DSN: dsn, Setting: setting, Role: role, Command: a.command, Dir: a.settings.clusterDir(), BinDir: a.settings.PostgresBin,
		Connections: a.settings.DatabaseConnections, Log: a.log, Look: look, Read: read,
		Tune: tune,
	})
}

// warnOfDataFolder warns if others than the owner and the group may enter the data folder. It does not
// change the mode: the folder may be there for others on purpose, as a web server that sends indexes,
// and what the program keeps in it is private by its own mode.
func (a *app) warnOfDataFolder() {
	if info, err := os.Stat(a.settings.Data); err == nil && info.Mode().Perm()&0o007 != 0 {
		a.log.Warn("others may enter the data folder (RAZAO_DATA): chmod 750, or 700", "folder", a.settings.Data, "mode", info.Mode().String())
	}
}

// withDatabase opens a migrated database for a role and closes it when do returns.
func (a *app) withDatabase(ctx context.Context, role string, do func(*database.DB) error) error {
	db, err := a.open(ctx, role, migrations.Check, nil)
	if err != nil {
		return err
	}
	defer db.Close()
	return db.Explain(do(db))
}

// withRecords is withDatabase for commands that only read, from the replicas if there are any.
func (a *app) withRecords(ctx context.Context, do func(*database.DB) error) error {
	var read *database.Reading
	if a.settings.ReadURL != "" {
		read = &database.Reading{DSN: a.settings.ReadURL, Setting: "RAZAO_DATABASE_READ_URL", Reached: registry.Reached}
	}
	db, err := a.open(ctx, migrations.Serve, migrations.Check, read)
	if err != nil {
		return err
	}
	defer db.Close()
	return db.Explain(do(db))
}

// withIngester is withDatabase for commands that change loads beside running servers: the process
// yields to them, and progress is shown until do returns.
func (a *app) withIngester(ctx context.Context, do func(*ingest.Ingester) error) error {
	db, err := a.open(ctx, migrations.Ingest, migrations.Check, nil, a.yield)
	if err != nil {
		return err
	}
	defer db.Close()
	return db.Explain(a.ingesting(db, do))
}

// loadConns is the most connections of a load. It needs two, for its lock and for one statement at
// a time; with the others a scan can feed a COPY while look-ups run.
const loadConns = 4

// yield lowers the priority of this process, but not that of its connections in PostgreSQL: one
// that holds a lock would keep look-ups waiting (priority inversion).
func (a *app) yield(config *pgxpool.Config) {
	config.MaxConns = loadConns
	if err := yieldProcess(); err != nil {
		a.log.Warn("the load competes with those who are served", "error", err)
	}
}

// ingesting calls do with an ingester on an open database. With a writable index store, every
// publication sends its index there first.
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

		RowCache: a.settings.RecordFiles,
	}
	if to := a.publisher(); to != nil {
		in.Send = to.BeforeSwitch
	}
	return do(in)
}
