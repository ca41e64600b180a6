package database_test

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

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
