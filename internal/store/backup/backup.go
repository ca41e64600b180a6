// Package backup writes to one file, and restores from it, what no load can make again: accounts,
// keys and their usage history, OAuth clients and authorizations, hidden contacts, and the secret.
// Records, indexes and downloads come back with `razao update`.
//
// The file is a tar archive (PAX), compressed with gzip and, if recipients are given, encrypted
// with age. Its members, in this order:
//
//	TABLE.copy      for each table, its rows in COPY text format; PAX record RAZAO.columns: columns
//	secret          RAZAO_SECRET, if it is included
//	manifest.json   a [Manifest]: versions, and the number of rows of each table
//
// [Write] reads all tables in one REPEATABLE READ transaction, so a backup is a snapshot of one
// moment. [Restore] replaces the tables in one transaction and checks the manifest, which must come
// last, and gzip's CRC before it commits: a truncated or damaged file changes nothing. Columns are
// named in the file, so a backup of an older schema can be restored into a newer one. Tables are
// streamed; one table at a time lies in a temporary file while the backup is written, and memory
// does not depend on their size.
//
// tablesKept and tablesOmitted together list every table of the schema; a test fails for a new table
// that is in neither.
package backup

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// format is the version of the file format. Increment it with every change of the format, and go on
// reading the former ones.
const format = 1

// table is a table in the manifest.
type table struct {
	Name    string   `json:"name"`
	Columns []string `json:"-"` // written to the header of the table's member instead
	Rows    int64    `json:"rows"`
}

// tablesKept lists the tables of a backup. A table comes after those that its foreign keys refer to:
// rows are inserted in this order and deleted in the opposite one.
var tablesKept = []string{
	"account", "identity", "api_key", "usage_day", "usage_call", "usage_rollup", "oauth_client", "oauth_grant", "oauth_code",
	"oauth_refresh_token", "hidden_contact", "hiding_request", "follower", "follow", "follow_list", "webhook",
}

// tablesOmitted maps every other table to the reason why it is not kept.
var tablesOmitted = map[string]string{
	"load": "loads are made again", "reject": "loads are made again", "snapshot": "loads are made again",
	"snapshot_load": "loads are made again", "current_snapshot": "loads are made again",
	"history": "belongs to loads, which have other ids elsewhere", "history_block": "belongs to loads", "history_place": "belongs to loads", "load_profile": "belongs to loads",
	"history_journal":  "belongs to loads",
	"goose_db_version": "razao migrate makes the tables",
	"session":          "people sign in again", "magic_link": "valid for minutes", "signin_attempt": "valid for minutes",
	"signin_quota": "counts minutes", "admission": "counts minutes", "mail_outbox": "mails of minutes",
	"oauth_request": "valid for minutes", "kept": "valid for minutes", "oauth_consent": "valid for minutes", "oauth_access_token": "programs get new ones by their refresh token",
	"follow_mark": "every database counts its own loads", "follow_told": "every database counts its own loads", "webhook_delivery": "events of days",
}

// Manifest is the last member of a backup and describes the others.
type Manifest struct {
	Format  int       `json:"format"`
	Program string    `json:"program"` // version of the program that wrote the backup
	Schema  int64     `json:"schema"`  // version of the database: number of its last migration
	Made    time.Time `json:"made"`    // UTC, whole seconds
	Tables  []table   `json:"tables"`
	Secret  bool      `json:"secret"` // the backup has the secret
}

// Rows returns the number of rows of all tables.
func (m *Manifest) Rows() int64 {
	var n int64
	for _, t := range m.Tables {
		n += t.Rows
	}
	return n
}

// Errors of Restore, wrapped; compare with [errors.Is].
var (
	// ErrNotBackup means that a file does not begin like a backup of this program.
	ErrNotBackup = errors.New("the file is no backup of Razão")
	// ErrCutShort means that the end of a backup is missing; ErrDamaged, that it is not as it was
	// written. Of an encrypted backup that is cut short only the latter is known.
	ErrCutShort = errors.New("the backup is cut short")
	ErrDamaged  = errors.New("the backup is damaged, or cut short")
	// ErrEncrypted means that a backup is encrypted and no key or passphrase was given.
	ErrEncrypted = errors.New("the backup is encrypted")
	// ErrWrongIdentity means that the given key or passphrase is not that of the backup; ErrOtherKind,
	// that a key was given and it has a passphrase, or the reverse.
	ErrWrongIdentity = errors.New("the backup is encrypted with another passphrase or key")
	ErrOtherKind     = errors.New("the backup is encrypted in another way")
	// ErrNotEncrypted means that a key or passphrase was given for a backup that is not encrypted.
	// Nobody can tell who wrote such a file.
	ErrNotEncrypted = errors.New("the backup is not encrypted")
	// ErrNotEmpty means that one of the tables has rows already and replace was false.
	ErrNotEmpty = errors.New("the database has accounts, keys or hidden contacts already")
	// ErrNewer means that the format or the schema of a backup is newer than this program's.
	ErrNewer = errors.New("the backup was made by a newer Razão")
)

// schemaOf returns the number of the last migration that was applied.
func schemaOf(ctx context.Context, tx pgx.Tx) (version int64, err error) {
	err = tx.QueryRow(ctx, "SELECT max(version_id) FROM goose_db_version WHERE is_applied").Scan(&version)
	if err != nil {
		return 0, fmt.Errorf("version of the database: %w", err)
	}
	return version, nil
}

// columnsOf returns the columns of a table in order, without generated ones, which COPY FROM cannot
// fill.
func columnsOf(ctx context.Context, tx pgx.Tx, name string) ([]string, error) {
	rows, err := tx.Query(ctx, `SELECT attname FROM pg_attribute
		WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY attnum`, name)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

// list returns names as SQL: quoted identifiers, separated by commas. Names come from files, so the
// quoting prevents SQL injection.
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
