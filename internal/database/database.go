// Package database opens PostgreSQL for one process: a server that the operator names, or the private one of package pglocal.
//
// A process has two pools of connections to the same database. Whoever answers a question about the records takes one of Pool and waits
// for it; admission, accounts, the snapshot in service and health have Control for themselves, so a server whose records are all busy
// still counts calls and answers its balancer. Every connection names the command, the process and the host in application_name, which
// pg_stat_activity shows and which a load that has to wait for another one prints.
package database

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

	"razao/internal/pglocal"
	"razao/migrations"
)

const (
	// controlConns bounds the connections that never wait for records. The pool opens them when they are needed.
	controlConns = 6
	// closeTimeout bounds the wait for connections in use. A frozen PostgreSQL never gives them back.
	closeTimeout = 3 * time.Second
)

// Options of Open.
type Options struct {
	DSN     string // "": the private server in Dir
	Setting string // name of the setting that DSN comes from, for errors
	Role    string // of package migrations, with which the private server is entered; a DSN names its own
	Command string // what the process does, for application_name

	Dir    string // of the private server
	BinDir string // of its programs; "": as pglocal.FindBinaries

	Connections int                     // the most that Pool opens; 0: four for each processor, 8 to 16
	Tune        []func(*pgxpool.Config) // further changes of both pools, in order
	Log         *slog.Logger

	// Look sees to the schema before anything is connected: migrations.Check or migrations.Up. On the private server its DSN is
	// that of the superuser.
	Look func(ctx context.Context, dsn string) error
}

// DB is an open database.
type DB struct {
	Pool    *pgxpool.Pool // for records, and for the commands
	Control *pgxpool.Pool // for what must not wait for records

	server *pglocal.Server // nil: the operator's
	log    *slog.Logger
}

// Open connects to the database, starting the private server if no other is named. A database without the roles of package migrations
// is used as the one role that the DSN names, with a warning.
func Open(ctx context.Context, o Options) (*DB, error) {
	db := &DB{log: o.Log}
	admin := o.DSN
	if o.DSN == "" {
		server, err := pglocal.Open(ctx, o.Dir, pglocal.Options{Log: o.Log, BinDir: o.BinDir})
		if err != nil {
			return nil, err
		}
		db.server, admin, o.DSN = server, server.DSN("razao"), server.DSNAs(o.Role, "razao")
	}
	err := o.Look(ctx, admin)
	if errors.Is(err, migrations.ErrNoRoles) {
		o.Log.Warn("everything runs as one role of PostgreSQL", "reason", err)
		err = nil
	}
	if err == nil {
		err = db.connect(ctx, &o)
	}
	if err != nil {
		db.Close()
		return nil, fmt.Errorf("PostgreSQL (%s): %w", o.Setting, err)
	}
	return db, nil
}

func (db *DB) connect(ctx context.Context, o *Options) error {
	config, err := pgxpool.ParseConfig(o.DSN)
	if err != nil {
		return err
	}
	config.AfterConnect = migrations.Tune
	host, _ := os.Hostname()
	name := fmt.Sprintf("%s, pid %d on %s", o.Command, os.Getpid(), host) // PostgreSQL keeps the first 63 bytes
	params := config.ConnConfig.RuntimeParams
	params["application_name"] = cmp.Or(params["application_name"], name)
	// More connections than processors can work for only make all of them slower.
	config.MaxConns = int32(cmp.Or(o.Connections, min(max(4*runtime.GOMAXPROCS(0), 8), 16)))
	for _, change := range o.Tune {
		change(config)
	}
	if db.Pool, err = pgxpool.NewWithConfig(ctx, config); err != nil {
		return err
	}
	config = config.Copy()
	config.MaxConns = controlConns
	if db.Control, err = pgxpool.NewWithConfig(ctx, config); err != nil {
		return err
	}
	return db.Pool.Ping(ctx)
}

// Private reports whether the database is on the private server.
func (db *DB) Private() bool { return db.server != nil }

// Close closes both pools, waiting up to three seconds for connections in use, and leaves the private server.
func (db *DB) Close() {
	if db.Control != nil {
		closed := make(chan struct{})
		go func() { defer close(closed); db.Pool.Close(); db.Control.Close() }()
		select {
		case <-closed:
		case <-time.After(closeTimeout):
			db.log.Warn("PostgreSQL does not let connections go", "after", closeTimeout.String())
		}
	}
	if db.server != nil {
		if err := db.server.Close(); err != nil {
			db.log.Error("stop PostgreSQL", "error", err)
		}
	}
}
