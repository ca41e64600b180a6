package database_test

import (
	"log/slog"
	"testing"

	"razao/internal/database"
	"razao/internal/pgtest"
	"razao/migrations"
)

func TestBeside(t *testing.T) {
	t.Parallel()
	dsn := pgtest.DSN(t)
	open := func(command, dsn string) *database.DB {
		db, err := database.Open(t.Context(), database.Options{
			DSN: dsn, Setting: "TEST", Role: migrations.Ingest, Command: command, Connections: 2, Log: slog.New(slog.DiscardHandler), Look: migrations.Up,
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(db.Close)
		return db
	}
	load := open("razao ingest receita", dsn)
	open("razao serve", pgtest.DSN(t))
	sees := func(want bool, why string) {
		t.Helper()
		if got, err := load.Beside(t.Context(), "razao serve", "razao up"); err != nil || got != want {
			t.Errorf("%s: %v %v", why, got, err)
		}
	}
	sees(false, "only servers of another database")
	open("razao serve", dsn+" application_name=serve")
	sees(false, "a connection with a name of its own")
	open("razao serve", dsn)
	sees(true, "a server")
}
