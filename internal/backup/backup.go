// Package backup keeps what no load can make again in one file: people's accounts, keys, history and what they let programs do, the
// contacts that are hidden, and the secret. Records, indexes and downloads come back with `razao update`.
//
// A file is a tar archive, compressed by gzip and, on request, encrypted by age: one member for each table in PostgreSQL's text
// format of COPY, the secret, and at the end a manifest. A file without its end is not restored.
package backup

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// format is the version of the file's form. Who changes the form counts it up, and goes on reading the ones before.
const format = 1

// table is one that is kept, in an order in which foreign keys are no trouble.
type table struct {
	Name    string   `json:"name"`
	Columns []string `json:"-"` // beside the rows
	Rows    int64    `json:"rows"`
}

// kept are the tables of a backup, those that others refer to first.
var kept = []string{
	"account", "identity", "api_key", "usage_day", "usage_call", "usage_rollup", "oauth_client", "oauth_grant", "oauth_code",
	"oauth_refresh_token", "hidden_contact", "hiding_request",
}

// leftOut says why the others are not among them.
var leftOut = map[string]string{
	"load": "loads are made again", "reject": "loads are made again", "snapshot": "loads are made again",
	"snapshot_load": "loads are made again", "current_snapshot": "loads are made again",
	"goose_db_version": "razao migrate makes the tables",
	"session":          "people sign in again", "magic_link": "valid for minutes", "signin_attempt": "valid for minutes",
	"signin_quota": "counts minutes", "admission": "counts minutes", "mail_outbox": "mails of minutes",
	"oauth_request": "valid for minutes", "oauth_access_token": "programs get new ones by their refresh token",
}

// Manifest is the end of a file, and says what is in it.
type Manifest struct {
	Format  int       `json:"format"`
	Program string    `json:"program"` // version of the program that wrote it
	Schema  int64     `json:"schema"`  // version of the database, as migrations count
	Made    time.Time `json:"made"`
	Tables  []table   `json:"tables"`
	Secret  bool      `json:"secret"` // the file has it
}

// Rows is how many rows the tables have together.
func (m *Manifest) Rows() int64 {
	var n int64
	for _, t := range m.Tables {
		n += t.Rows
	}
	return n
}

var (
	// ErrNotBackup means that a file is none of this program, was cut short, or is damaged.
	ErrNotBackup = errors.New("not a whole backup of Razão")
	// ErrEncrypted means that a file is encrypted and the key or passphrase is missing or wrong.
	ErrEncrypted = errors.New("the backup is encrypted")
	// ErrNotEmpty means that a database has accounts or hidden contacts already.
	ErrNotEmpty = errors.New("the database has accounts, keys or hidden contacts already")
	// ErrNewer means that a backup is of a newer program.
	ErrNewer = errors.New("the backup was made by a newer Razão")
)

// schemaOf returns the version of the database.
func schemaOf(ctx context.Context, tx pgx.Tx) (version int64, err error) {
	err = tx.QueryRow(ctx, "SELECT max(version_id) FROM goose_db_version WHERE is_applied").Scan(&version)
	if err != nil {
		return 0, fmt.Errorf("version of the database: %w", err)
	}
	return version, nil
}

// columnsOf returns the columns of a table that hold something of their own, in their order.
func columnsOf(ctx context.Context, tx pgx.Tx, name string) ([]string, error) {
	rows, err := tx.Query(ctx, `SELECT attname FROM pg_attribute
		WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY attnum`, name)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

// list returns names as SQL.
func list(names []string) string {
	var text string
	for i, name := range names {
		if i > 0 {
			text += ", "
		}
		text += pgx.Identifier{name}.Sanitize()
	}
	return text
}
