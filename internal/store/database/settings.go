package database

import (
	"context"

	"github.com/jackc/pgx/v5"

	"razao/migrations"
)

// warnOfSettings logs settings of the server, database or role with which everything starts and some of it
// then fails, with errors that do not name them. migrations.Tune has undone those that a session may undo.
func (db *DB) warnOfSettings(ctx context.Context, o *Options) {
	const query = `
		SELECT name, setting, source FROM pg_settings
		WHERE name = 'default_transaction_read_only' AND setting = 'on' OR name IN ('statement_timeout', 'transaction_timeout') AND setting <> '0' AND $1
		ORDER BY name`
	what := map[string]string{
		"default_transaction_read_only": "PostgreSQL is set to read only: calls, accounts and loads fail",
		"statement_timeout":             "PostgreSQL ends statements that a load may need longer for",
		"transaction_timeout":           "PostgreSQL ends transactions that a load may need longer for",
	}
	rows, err := db.Pool.Query(ctx, query, o.Role == migrations.Ingest)
	if err != nil {
		return // trouble that others will meet, too
	}
	var name, setting, source string
	_, _ = pgx.ForEachRow(rows, []any{&name, &setting, &source}, func() error {
		o.Log.Warn(what[name], "setting", name, "value", setting, "set", source)
		return nil
	})
}
