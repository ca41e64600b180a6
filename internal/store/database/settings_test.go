package database_test

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"

	"razao/internal/store/database"
	"razao/internal/testing/pgtest"
	"razao/migrations"
)

// TestSettingsInTheWay opens databases whose settings let everything start and some of it fail.
func TestSettingsInTheWay(t *testing.T) {
	t.Parallel()
	dsn := pgtest.DSN(t)
	for _, tt := range []struct{ role, options, says string }{
		{migrations.Serve, "-c default_transaction_read_only=on", "setting=default_transaction_read_only value=on set=client"},
		{migrations.Ingest, "-c statement_timeout=60000", "setting=statement_timeout value=60000"},
		{migrations.Serve, "-c statement_timeout=60000", ""},
		{migrations.Ingest, "", ""},
	} {
		var out bytes.Buffer
		db, err := database.Open(t.Context(), database.Options{
			DSN: dsn + " options='" + tt.options + "'", Setting: "RAZAO_DATABASE_URL", Role: tt.role, Command: "razao loads",
			Log: slog.New(slog.NewTextHandler(&out, nil)), Look: migrations.Check,
		})
		if err != nil {
			t.Fatal(err)
		}
		db.Close()
		if log := out.String(); !strings.Contains(log, tt.says) || tt.says == "" && strings.Contains(log, "setting=") {
			t.Errorf("%s: the log says %q, want %q", tt.options, log, tt.says)
		}
	}
}

// TestSettingsAreExplained: an error that a setting of PostgreSQL causes says which, and what to do.
func TestSettingsAreExplained(t *testing.T) {
	t.Parallel()
	dsn := pgtest.DSN(t)
	for _, tt := range []struct{ options, statement, says string }{
		{"-c default_transaction_read_only=on", "CREATE TABLE public.x ()", "it is a standby, so name the primary, or default_transaction_read_only is on"},
		{"-c statement_timeout=500", "SELECT pg_sleep(60)", "statement_timeout ended a statement that needs longer"},
		{"-c idle_in_transaction_session_timeout=500", "BEGIN; SELECT pg_sleep(0)", "idle_in_transaction_session_timeout ended"},
	} {
		o := database.Options{
			DSN: dsn + " default_query_exec_mode=simple_protocol options='" + tt.options + "'", Setting: "RAZAO_DATABASE_URL", Role: migrations.Ingest, Command: "razao loads",
			Log: slog.New(slog.DiscardHandler), Look: migrations.Check,
		}
		db, err := database.Open(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		err = db.Pool.AcquireFunc(t.Context(), func(c *pgxpool.Conn) error {
			_, err := c.Exec(t.Context(), tt.statement)
			for err == nil { // until it is ended
				_, err = c.Conn().WaitForNotification(t.Context())
			}
			return err
		})
		if err = db.Explain(err); err == nil || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: %v", tt.options, err)
		}
		db.Close()
		if strings.Contains(tt.options, "read_only") {
			o.Look = migrations.Up
			if _, err := database.Open(t.Context(), o); err == nil || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("migrate: %v", err)
			}
		}
	}
}
