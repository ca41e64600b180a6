package migrations_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"razao/internal/testing/pgtest"
	"razao/migrations"
)

// TestHiddenTables sets search_path on a database that is migrated. Neither is it called old, nor does migrating it again make other tables.
func TestHiddenTables(t *testing.T) {
	t.Parallel()
	dsn := pgtest.DSN(t)
	conn, err := pgx.Connect(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(t.Context()) }()
	set := func(path string) {
		t.Helper()
		const statement = `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET search_path = ', current_database()) || 'PATH'; END $$`
		if _, err := conn.Exec(t.Context(), strings.Replace(statement, "PATH", path, 1)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := conn.Exec(t.Context(), `CREATE SCHEMA other`); err != nil {
		t.Fatal(err)
	}
	set("other")
	if err := migrations.Check(t.Context(), dsn); err == nil || !strings.Contains(err.Error(), `search_path, which is "other"`) || !strings.Contains(err.Error(), "schema public") {
		t.Errorf("check: %v", err)
	}
	if err := migrations.Up(t.Context(), dsn); err == nil || !strings.Contains(err.Error(), "search_path") {
		t.Errorf("migrate: %v", err)
	}
	var made int
	if err := conn.QueryRow(t.Context(), `SELECT count(*) FROM pg_class WHERE relnamespace = 'other'::regnamespace`).Scan(&made); err != nil || made != 0 {
		t.Errorf("%d tables were made, %v", made, err)
	}
	set("other, public")
	if err := errors.Join(migrations.Check(t.Context(), dsn), migrations.Up(t.Context(), dsn)); err != nil {
		t.Errorf("visible behind another schema: %v", err)
	}
	if _, err := conn.Exec(t.Context(), `DELETE FROM goose_db_version WHERE version_id = (SELECT max(version_id) FROM goose_db_version)`); err != nil {
		t.Fatal(err)
	}
	if err := migrations.Check(t.Context(), dsn); !errors.Is(err, migrations.ErrOutdated) {
		t.Errorf("a migration is missing: %v", err)
	}
}

// TestTune connects to a database that is set to transactions which fail where ours wait.
func TestTune(t *testing.T) {
	t.Parallel()
	config, err := pgx.ParseConfig(pgtest.DSN(t))
	if err != nil {
		t.Fatal(err)
	}
	config.RuntimeParams["default_transaction_isolation"] = "serializable" // as ALTER DATABASE or ALTER ROLE would
	conn, err := pgx.ConnectConfig(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(t.Context()) }()
	if err := migrations.Tune(t.Context(), conn); err != nil {
		t.Fatal(err)
	}
	var isolation, plans string
	if err := conn.QueryRow(t.Context(), `SELECT current_setting('transaction_isolation'), current_setting('plan_cache_mode')`).Scan(&isolation, &plans); err != nil {
		t.Fatal(err)
	}
	if isolation != "read committed" || plans != "force_generic_plan" {
		t.Errorf("%s, %s", isolation, plans)
	}
}
