package migrations

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// Roles of PostgreSQL, made by roles.sql. Owner has no login; the other two log in.
const (
	Owner  = "razao_owner"
	Ingest = "razao_ingest"
	Serve  = "razao_serve"
)

//go:embed roles.sql
var rolesSQL string

//go:embed grants.sql
var grantsSQL string

// ErrNoRoles means that the migrating role may not make the others. The migrations are applied, and
// everything works as that one role.
var ErrNoRoles = errors.New("the roles razao_owner, razao_ingest and razao_serve are not set up: " +
	"`razao migrate --roles` prints what an administrator of the database runs first; until then all commands need the role that migrates")

// RolesSQL returns a script with which an administrator, connected to the database of dsn, makes
// the roles for the role of dsn. It returns an error if dsn is "" or not a connection string.
func RolesSQL(dsn string) (string, error) {
	if dsn == "" {
		return "", errors.New("no database is named: the private PostgreSQL makes the roles by itself")
	}
	config, err := pgx.ParseConfig(dsn)
	if err != nil {
		return "", fmt.Errorf("connection string: %w", err)
	}
	return fmt.Sprintf("-- Run in the database %q, by a superuser or by its owner if that may create roles. Then `razao migrate`.\n"+
		"SET razao.migrator = '%s';\n%s", config.Database, strings.ReplaceAll(config.User, "'", "''"), rolesSQL), nil
}

// attempts bounds the retries of makeRoles. Roles belong to the whole cluster, and an advisory lock
// only to its database, so migrations of different databases of one cluster cannot take turns: they
// collide and retry.
const attempts = 20

// makeRoles runs roles.sql, and runs it again after a collision with another database's migration.
// It returns ErrNoRoles if this role may not.
func makeRoles(ctx context.Context, conn *pgx.Conn) error {
	for attempt := 1; ; attempt++ {
		_, err := conn.Exec(ctx, rolesSQL)
		var refused *pgconn.PgError
		switch {
		case err == nil:
			return nil
		case !errors.As(err, &refused):
			return err
		case refused.Code == "42501":
			return fmt.Errorf("%w (%w)", ErrNoRoles, err)
		case attempt == attempts || !raced(refused):
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Duration(attempt) * 10 * time.Millisecond):
		}
	}
}

// raced reports whether a statement failed because another transaction was making or changing the
// same role.
func raced(err *pgconn.PgError) bool {
	switch err.Code {
	case "23505", "42710": // unique_violation of the catalog, duplicate_object
		return true
	case "XX000": // internal_error: tuple concurrently updated
		return true
	}
	return false
}

// grant runs grants.sql, which gives the roles their rights and takes away all others.
func grant(ctx context.Context, conn *pgx.Conn) error {
	if _, err := conn.Exec(ctx, grantsSQL); err != nil {
		return fmt.Errorf("rights of the roles: %w", err)
	}
	return nil
}

// Tune gives a new connection the settings that the program relies on, whatever those of database and role.
// With generic plans (plan_cache_mode) a look-up by key is not planned for each value, which costs more
// than running it; counters that many update at once need statements that wait for each other
// (read committed) and do not fail instead (40001). The roles have the former as a setting of their own, for
// which the statement changes nothing. Otherwise it is set for the session; behind a pooler other
// clients share that session, but they are the same program with the same role.
func Tune(ctx context.Context, conn *pgx.Conn) error {
	_, err := conn.Exec(ctx, `SELECT set_config(name, wanted, false)
		FROM (VALUES ('plan_cache_mode', 'force_generic_plan'), ('default_transaction_isolation', 'read committed')) AS needed (name, wanted)
		WHERE current_setting(name) <> wanted`)
	return err
}
