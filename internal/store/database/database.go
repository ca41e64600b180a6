// Package database opens PostgreSQL for one process: a server that the operator names, or the
// private one of package pglocal.
//
// A process has three pools on the same database. Queries of records take a connection from Pool and
// wait for one. The counting of calls, accounts and the snapshot in service use Control, so a
// server whose record connections are all busy still counts calls. Ping has one connection for the
// question whether the database responds, whatever waits in the other two; while it does not, they
// fail at once with [ErrSilent]. Pool may
// read from streaming replicas instead ([Reading]), from which nothing is read that they have not
// replayed ([Replicas]).
//
// Every connection names the command, process and host in application_name. pg_stat_activity shows
// it, and a load that finds another one running prints it.
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

	"razao/internal/store/pglocal"
	"razao/migrations"
)

const (
	// controlConns bounds the connections that never wait for records. The pool opens them when
	// they are needed.
	controlConns = 6
	// trialTimeout bounds an attempt to connect for a ping.
	trialTimeout = 5 * time.Second
	// closeTimeout bounds the wait for connections in use, which only canceled statements still have
	// by then. A frozen PostgreSQL never gives them back.
	closeTimeout = time.Second
)

// Options of Open. Setting, Role, Command, Log and Look are required.
type Options struct {
	DSN     string // "": the private server in Dir
	Setting string // name of the setting that DSN comes from, for errors
	Role    string // of package migrations, for the private server; a DSN names its own
	Command string // what the process does, for application_name

	Dir    string // of the private server
	BinDir string // of its programs; "": as pglocal.FindBinaries

	Connections int                     // the most that Pool opens; 0: four for each processor, 8 to 16
	Tune        []func(*pgxpool.Config) // further changes of both pools, in order
	Read        *Reading                // the servers of Pool; nil: that of DSN
	Log         *slog.Logger            // for warnings, and for errors of Close

	// Look brings the schema up to date or checks it, before anything connects: migrations.Up or
	// migrations.Check. On the private server its DSN is that of the superuser.
	Look func(ctx context.Context, dsn string) error
}

// DB is an open database.
type DB struct {
	Pool    *pgxpool.Pool // for records, and for the commands
	Control *pgxpool.Pool // for what must not wait for records
	Health  *pgxpool.Pool // of one connection, for Ping

	Replicas *Replicas // what Pool reads from; nil: the server of Control

	breaker *breaker // of Control, and of Pool unless there are replicas

	server *pglocal.Server // nil: the operator's
	log    *slog.Logger
}

// Open connects to the database, starting the private server if no other is named. A database
// without the roles of package migrations is used with the one role that the DSN names, and a
// warning. The caller closes the DB.
func Open(ctx context.Context, o Options) (*DB, error) {
	db := &DB{log: o.Log}
	admin := o.DSN
	if o.DSN == "" {
		slow := time.AfterFunc(warnAfter, func() {
			o.Log.Warn("the private PostgreSQL has not answered yet: it starts or recovers, and is given up after a minute without progress", "dir", o.Dir)
		})
		server, err := pglocal.Open(ctx, o.Dir, pglocal.Options{Log: o.Log, BinDir: o.BinDir})
		slow.Stop()
		if err != nil {
			return nil, err
		}
		db.server, admin, o.DSN = server, server.DSN("razao"), server.DSNAs(o.Role, "razao")
	}
	if err := db.open(ctx, &o, admin); err != nil {
		db.Close()
		return nil, fmt.Errorf("PostgreSQL (%s): %w", o.Setting, explain(err))
	}
	return db, nil
}

// open meets the server, looks at the schema as admin and opens the pools.
func (db *DB) open(ctx context.Context, o *Options, admin string) error {
	config, err := o.configure(o.DSN)
	if err != nil {
		return err
	}
	first := config.ConnConfig.Copy()
	if db.Private() {
		first.User = pglocal.User // other roles may not exist yet
	}
	if err := o.meet(ctx, first); err != nil {
		return err
	}
	err = o.Look(ctx, admin)
	if errors.Is(err, migrations.ErrNoRoles) {
		o.Log.Warn("everything runs as one role of PostgreSQL", "reason", err)
		err = nil
	}
	if err != nil {
		return err
	}
	if err := db.connect(ctx, o, config); err != nil {
		return err
	}
	db.warnOfSettings(ctx, o)
	return nil
}

// connect opens the pools and tests the first. The others open their connections when they are needed.
func (db *DB) connect(ctx context.Context, o *Options, config *pgxpool.Config) (err error) {
	health := config.Copy()
	health.MaxConns = 1
	// pgx goes on connecting when a ping has given up. Where packets are dropped, that would keep the next from trying for minutes.
	if conn := health.ConnConfig; conn.ConnectTimeout == 0 || conn.ConnectTimeout > trialTimeout {
		conn.ConnectTimeout = trialTimeout
	}
	if db.Health, err = pgxpool.NewWithConfig(ctx, health); err != nil {
		return err
	}
	db.breaker = newBreaker()
	control := config.Copy()
	control.MaxConns = controlConns
	db.breaker.guard(control)
	if db.Control, err = pgxpool.NewWithConfig(ctx, control); err != nil {
		return err
	}
	if o.Read != nil {
		return db.connectReplicas(ctx, o)
	}
	db.breaker.guard(config)
	if db.Pool, err = pgxpool.NewWithConfig(ctx, config); err != nil {
		return err
	}
	return o.await(ctx, o.Setting, config.ConnConfig, db.Pool.Ping)
}

// connectReplicas opens and tests Pool on other servers than that of Control.
func (db *DB) connectReplicas(ctx context.Context, o *Options) error {
	config, err := o.configure(o.Read.DSN)
	if err == nil {
		db.Replicas = newReplicas(config, o.Read.Reached)
		db.Pool, err = pgxpool.NewWithConfig(ctx, config)
	}
	if err == nil {
		err = o.await(ctx, o.Read.Setting, config.ConnConfig, db.Pool.Ping)
	}
	if err != nil {
		return fmt.Errorf("replicas (%s): %w", o.Read.Setting, err)
	}
	return nil
}

// configure returns the configuration of the pool for records on the servers that a DSN names.
func (o *Options) configure(dsn string) (*pgxpool.Config, error) {
	config, err := pgxpool.ParseConfig(dsn)
	if err != nil {
		return nil, err
	}
	config.AfterConnect = migrations.Tune
	host, _ := os.Hostname()
	name := fmt.Sprintf("%s, pid %d on %s", o.Command, os.Getpid(), host) // PostgreSQL keeps the first 63 bytes
	params := config.ConnConfig.RuntimeParams
	params["application_name"] = cmp.Or(params["application_name"], name)
	// More connections than the processors can keep busy slow all of them down.
	config.MaxConns = int32(cmp.Or(o.Connections, min(max(4*runtime.GOMAXPROCS(0), 8), 16)))
	for _, change := range o.Tune {
		change(config)
	}
	return config, nil
}

// Private reports whether the database is on the private server.
func (db *DB) Private() bool { return db.server != nil }

// Explain puts before an error what is known of why the private server ended a connection
// (pglocal.Server.Explain), or which setting of PostgreSQL is in the way.
func (db *DB) Explain(err error) error {
	if err == nil || db.server == nil {
		return explain(err)
	}
	return db.server.Explain(explain(err))
}

// Ping returns nil if the server of Control responds before the deadline of ctx. Who serves calls it
// again and again: when it gets no answer, it makes the pools fail at once (circuit breaker) until
// a later call gets one. A process that never calls it waits as long as its contexts allow.
func (db *DB) Ping(ctx context.Context) error { return db.breaker.ping(ctx, db.Health.Ping) }

// Close closes the pools, waiting at most a second for connections in use, and leaves the
// private server. Errors are logged.
func (db *DB) Close() {
	if db.Health != nil {
		closed := make(chan struct{})
		go func() {
			defer close(closed)
			for _, pool := range []*pgxpool.Pool{db.Health, db.Control, db.Pool} {
				if pool != nil {
					pool.Close()
				}
			}
		}()
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
