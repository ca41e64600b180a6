package nightly

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"

	"razao/internal/sample"
	"razao/internal/testing/pgtest"
	"razao/internal/testing/program"
	"razao/lab/internal/built"
	"razao/migrations"
)

// pooled starts a PgBouncer that gives transactions of all clients a few connections to the database of pool, as Debian 12 has it, and
// returns the connection string of a role.
func pooled(t *testing.T, pool *pgxpool.Pool) func(role string) string {
	t.Helper()
	pooler := built.Installed(t, "pgbouncer")
	through, _ := pgtest.Proxied(t, pool) // PgBouncer may not run as root, who alone may reach the socket of root's test server
	config := through.Config().ConnConfig
	address := program.Address(t)
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		t.Fatal(err)
	}
	dir := sharedFolder(t)
	users := filepath.Join(dir, "users.txt")
	settings := fmt.Sprintf(`[databases]
%s = host=%s port=%d
[pgbouncer]
listen_addr = %s
listen_port = %s
unix_socket_dir =
auth_type = trust
auth_file = %s
log_connections = 0
log_disconnections = 0
pool_mode = transaction
default_pool_size = 3
max_client_conn = 200
`, config.Database, config.Host, config.Port, host, port, users)
	file := filepath.Join(dir, "pgbouncer.ini")
	writeFile(t, file, settings)
	writeFile(t, users, fmt.Sprintf("%q \"\"\n%q \"\"\n", migrations.Serve, migrations.Ingest))
	cmd := exec.Command(pooler, file)
	if os.Geteuid() == 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}} // nobody
	}
	daemon(t, os.Kill, cmd)
	listening(t, address)
	return func(role string) string {
		return fmt.Sprintf("postgres://%s@%s/%s?sslmode=disable&default_query_exec_mode=cache_describe",
			role, address, config.Database)
	}
}

// TestBehindPgBouncer loads, serves, switches and goes back through a PgBouncer in transaction mode, with more callers than it has
// connections: nothing that the program needs may belong to a session.
func TestBehindPgBouncer(t *testing.T) {
	t.Parallel()
	direct := pgtest.DSN(t)
	p, pool := built.On(t, direct) // gives the roles their rights
	dsn := pooled(t, pool)
	p.Settings = []string{
		"RAZAO_DATABASE_URL=" + dsn(migrations.Serve), "RAZAO_DATABASE_INGEST_URL=" + dsn(migrations.Ingest),
		"RAZAO_IP_REQUESTS=0", "RAZAO_IP_FAILURES=0",
	}
	former, latest := program.Sample(t, t.TempDir(), "2026-08", 2000), t.TempDir()
	following := sample.Options{Roots: 2000, Seed: 7, First: "2026-08", Month: "2026-09"} // with all sources
	if _, err := sample.Write(t.Context(), latest, following); err != nil {
		t.Fatal(err)
	}
	p.Must("ingest", "receita", "--from", former)
	s := p.Start("serve")
	key := p.NewKey("ana@exemplo.com.br", "teste")
	numbers := slices.DeleteFunc(p.Suggestions(), func(number string) bool { return number == "" }) // some are people

	ctx, done := context.WithCancel(t.Context())
	var asked atomic.Int64
	var callers sync.WaitGroup
	for i := range 6 {
		callers.Go(func() {
			for n := i; ctx.Err() == nil; n++ {
				number := numbers[n%len(numbers)]
				for _, path := range []string{"/" + number, "/v2/fontes", "/busca?q=ltda", "/sugestoes?q=com"} {
					if status, body := p.Get(path, ""); status != 200 {
						t.Errorf("%s: %d %.200s", path, status, body)
						done()
					}
					asked.Add(1)
				}
			}
		})
	}
	p.Must("ingest", "all", "--from", latest)
	p.Must("loads", "rollback", "receita")
	p.Must("loads", "prune")
	for range 20 {
		if status, body := p.Get("/v1/cnpj/"+numbers[0], key); status != 200 {
			t.Errorf("a call with a key: %d %.200s", status, body)
		}
	}
	done()
	callers.Wait()
	s.Stop() // flushes the history of calls
	var calls, sessions, named int
	const query = `
		SELECT (SELECT count(*) FROM usage_call), count(*) FILTER (WHERE usename ~ '^razao_'), count(*) FILTER (WHERE application_name LIKE 'razao %')
		FROM pg_stat_activity WHERE datname = current_database()`
	if err := pool.QueryRow(t.Context(), query).Scan(&calls, &sessions, &named); err != nil {
		t.Fatal(err)
	}
	if calls != 20 || sessions == 0 || sessions > 6 || named == 0 {
		t.Errorf("%d calls in the history, %d sessions of PgBouncer of which %d say for whom", calls, sessions, named)
	}
	if log := s.Log.String(); strings.Contains(log, "level=ERROR") || strings.Contains(log, "prepared statement") {
		t.Errorf("the server complains:\n%s", log)
	}
	t.Logf("%d requests through %d sessions", asked.Load(), sessions)
}
