package database

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"razao/migrations"
)

// inTheWay says what is the matter when PostgreSQL answers with these codes, and what to do.
var inTheWay = map[string]string{
	"25006": "PostgreSQL takes no changes: it is a standby, so name the primary, or default_transaction_read_only is on for server, database or role " +
		"(psql's \\drds shows which), so reset it",
	"25P03": "idle_in_transaction_session_timeout ended a transaction that needs longer: ALTER ROLE … SET idle_in_transaction_session_timeout = 0 for this role",
	"25P04": "transaction_timeout ended a transaction that needs longer: ALTER ROLE … SET transaction_timeout = 0 for this role",
	"57014": "statement_timeout ended a statement that needs longer, or somebody canceled it: ALTER ROLE … SET statement_timeout = 0 for this role",
}

// explain puts before an error of PostgreSQL which of its settings is in the way.
func explain(err error) error {
	var refused *pgconn.PgError
	if errors.As(err, &refused) && inTheWay[refused.Code] != "" {
		return fmt.Errorf("%s: %w", inTheWay[refused.Code], err)
	}
	return err
}

// warnOfSettings logs settings of the server, database or role with which everything starts and some of it
// then fails, with errors that do not name them. migrations.Tune has undone those that a session may undo.
func (db *DB) warnOfSettings(ctx context.Context, o *Options) {
	const query = `
		SELECT name, setting, source FROM pg_settings
		WHERE name IN ('default_transaction_read_only', 'in_hot_standby') AND setting = 'on' OR name IN ('statement_timeout', 'transaction_timeout') AND setting <> '0' AND $1
		ORDER BY name`
	what := map[string]string{
		"default_transaction_read_only": "PostgreSQL is set to read only: calls, accounts and loads fail",
		"in_hot_standby":                "PostgreSQL is a standby: calls, accounts and loads fail",
		"statement_timeout":             "PostgreSQL ends statements that a load may need longer for",
		"transaction_timeout":           "PostgreSQL ends transactions that a load may need longer for",
	}
	writes := db.Pool
	if o.Read != nil { // from standbys
		writes = db.Control
	}
	rows, err := writes.Query(ctx, query, o.Role == migrations.Ingest)
	if err != nil {
		return // trouble that others will meet, too
	}
	var name, setting, source string
	_, _ = pgx.ForEachRow(rows, []any{&name, &setting, &source}, func() error {
		o.Log.Warn(what[name], "setting", name, "value", setting, "set", source)
		return nil
	})
}
