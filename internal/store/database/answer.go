package database

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

const (
	// warnAfter is how long a server may be silent before the log says what is waited for.
	warnAfter = 5 * time.Second
	// answerTimeout bounds the wait for a server that accepts connections and does not answer, unless
	// the DSN has a longer connect_timeout. One that starts or recovers answers that it does.
	answerTimeout = 30 * time.Second
	// oldest is the server_version_num of the oldest version whose SQL we may use.
	oldest = 14_00_00
)

// errSilent is the cause of a context that await has ended.
var errSilent = errors.New("no answer")

// await calls do, which waits for the servers of a configuration that comes from a setting, with a
// bound.
func (o *Options) await(ctx context.Context, setting string, conn *pgx.ConnConfig, do func(context.Context) error) error {
	limit := max(answerTimeout, conn.ConnectTimeout+time.Second) // which ends first, and tells hosts apart
	until := time.Now().Add(limit)
	ctx, cancel := context.WithDeadlineCause(ctx, until, errSilent)
	defer cancel()
	slow := time.AfterFunc(warnAfter, func() {
		o.Log.Warn("PostgreSQL has not answered yet", "server", servers(conn), "setting", setting, "until", until.Round(time.Second))
	})
	defer slow.Stop()
	err := do(ctx)
	if err != nil && errors.Is(context.Cause(ctx), errSilent) {
		return fmt.Errorf("%s has not answered within %s: it is frozen or overloaded, or something else listens there", servers(conn), limit)
	}
	return err
}

// servers returns the addresses of a configuration, without users and passwords.
func servers(conn *pgx.ConnConfig) string {
	_, first := pgconn.NetworkAddress(conn.Host, conn.Port)
	all := []string{first}
	for _, f := range conn.Fallbacks { // also the same without TLS
		if _, next := pgconn.NetworkAddress(f.Host, f.Port); !slices.Contains(all, next) {
			all = append(all, next)
		}
	}
	return strings.Join(all, ", ")
}

// meet makes a first connection, waiting for the server, and refuses one that is too old. The simple
// query protocol also passes through PgBouncer.
func (o *Options) meet(ctx context.Context, config *pgx.ConnConfig) error {
	return o.await(ctx, o.Setting, config, func(ctx context.Context) error {
		conn, err := pgconn.ConnectConfig(ctx, &config.Config)
		if err != nil {
			return err
		}
		defer func() { _ = conn.Close(ctx) }()
		results, err := conn.Exec(ctx, `SELECT current_setting('server_version_num'), current_setting('server_version')`).ReadAll()
		if err != nil {
			return err
		}
		version := results[0].Rows[0]
		number, err := strconv.Atoi(string(version[0]))
		if err != nil {
			return fmt.Errorf("server_version_num: %w", err)
		}
		if number < oldest {
			return fmt.Errorf("%s is PostgreSQL %s: %d or newer is needed", servers(config), version[1], oldest/10_000)
		}
		return nil
	})
}
