package nightly

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"razao/internal/sample"
	"razao/internal/store/database"
	"razao/internal/store/registry"
	"razao/internal/testing/fixture"
	"razao/internal/testing/program"
	"razao/lab/internal/built"
	"razao/migrations"
)

// replicated is a server that reads records from the first of two streaming replicas that has them.
type replicated struct {
	*program.Program
	key      string
	numbers  []string
	primary  *postgres
	replicas [2]*postgres
	pools    [2]*pgxpool.Pool // on the replicas, as a superuser
	log      *program.Log
}

// newReplicated has two months of companies, the first of which is served.
func newReplicated(t *testing.T) (r *replicated, next string) {
	t.Helper()
	dir := sharedFolder(t)
	r = &replicated{primary: newPostgres(t, dir)}
	r.Program = built.New(t, "RAZAO_IP_REQUESTS=0", "RAZAO_RECORD_FILES=false", "RAZAO_DATABASE_URL="+dsnAt(r.primary.addr()))
	r.Must("migrate")
	as := func(role, address string) string { return strings.Replace(dsnAt(address), "razao@", role+"@", 1) }
	r.Settings = append(r.Settings, "RAZAO_DATABASE_URL="+as(migrations.Serve, r.primary.addr()), "RAZAO_DATABASE_INGEST_URL="+as(migrations.Ingest, r.primary.addr()))
	for _, month := range []string{"2026-08", "2026-09"} {
		o := sample.Options{Roots: 1000, Seed: 7, Month: month, First: "2026-08", OnlyReceita: true}
		if _, err := sample.Write(t.Context(), filepath.Join(dir, month), o); err != nil {
			t.Fatal(err)
		}
	}
	r.Must("ingest", "receita", "--from", filepath.Join(dir, "2026-08", "receita"))
	r.key = r.NewKey("ana@exemplo.com.br", "chave")
	for i := range r.replicas {
		r.replicas[i] = r.primary.replica(fmt.Sprint("replica", i))
		var err error
		if r.pools[i], err = pgxpool.New(t.Context(), dsnAt(r.replicas[i].addr())); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(r.pools[i].Close)
	}
	r.Serving = []string{"RAZAO_DATABASE_READ_URL=" + as(migrations.Serve, r.replicas[0].addr()+","+r.replicas[1].addr())}
	r.log = r.Start("serve").Log
	r.numbers = slices.DeleteFunc(r.Program.Suggestions(), func(number string) bool { return number == "" }) // some are people
	return r, filepath.Join(dir, "2026-09", "receita")
}

// replay pauses or resumes a replica.
func (r *replicated) replay(i int, what string) {
	r.T.Helper()
	if _, err := r.pools[i].Exec(r.T.Context(), `SELECT pg_wal_replay_`+what+`()`); err != nil {
		r.T.Fatal(err)
	}
}

// asked returns how many sessions of a replica read a load last.
func (r *replicated) asked(i int, load string) (n int) {
	r.T.Helper()
	const query = `SELECT count(*) FROM pg_stat_activity WHERE usename = 'razao_serve' AND query LIKE '%' || $1 || '%'`
	if err := r.pools[i].QueryRow(r.T.Context(), query, load).Scan(&n); err != nil {
		r.T.Fatal(err)
	}
	return n
}

// serves waits until a snapshot is served and the database is in a state, and checks the answers.
func (r *replicated) serves(what, snapshot, month, database string) {
	r.T.Helper()
	ready := http.StatusOK
	if database == "indisponivel" {
		ready = http.StatusServiceUnavailable
	}
	fixture.Wait(r.T, what, func() bool {
		_, health := r.Get("/health", "")
		status, state := r.Get("/health/ready", "")
		return status == ready && strings.Contains(health, `"fotografia":"`+snapshot+`"`) && strings.Contains(health, month) &&
			strings.Contains(health, `"banco":"`+database+`"`) && strings.Contains(state, `"banco":"`+database+`"`)
	})
	if database == "indisponivel" {
		return
	}
	for _, number := range r.numbers {
		if status, body := r.Get("/"+number, ""); status != http.StatusOK {
			r.T.Errorf("%s: /%s: %d %.300s", what, number, status, body)
		}
	}
	for _, number := range r.numbers[:2] { // an account has sixty calls a minute
		status, body := r.Get("/v2/empresas/"+number[:8]+"/basic", r.key)
		if status != http.StatusOK || !strings.Contains(body, month) {
			r.T.Errorf("%s: %s: %d %.300s", what, number, status, body)
		}
	}
}

// mail returns the address of an establishment as it is served.
func (r *replicated) mail(number string) string {
	r.T.Helper()
	status, body := r.Get("/v2/estabelecimentos/"+number+"/basic", r.key)
	var answer struct {
		Dados struct {
			Estabelecimento struct {
				Mail string `json:"correio_eletronico"`
			}
		}
	}
	if err := json.Unmarshal([]byte(body), &answer); status != http.StatusOK || err != nil {
		r.T.Fatalf("status %d, %v: %s", status, err, body)
	}
	return answer.Dados.Estabelecimento.Mail
}

// TestRecordsFromReplicas pauses and kills the replicas of a server one after the other while months
// are switched.
func TestRecordsFromReplicas(t *testing.T) {
	t.Parallel()
	r, next := newReplicated(t)
	r.serves("the first month", "1", "2026-08", "ok")
	if r.asked(0, "load_000001") == 0 || r.asked(1, "load_000001") != 0 {
		t.Error("the first replica is not the one that is read")
	}

	r.replay(0, "pause")
	r.Must("ingest", "receita", "--from", next)
	r.serves("the second month, from the replica that has it", "2", "2026-09", "ok")
	if r.asked(0, "load_000002") != 0 || r.asked(1, "load_000002") == 0 {
		t.Error("the replica that lags was asked about the second month")
	}

	r.replay(1, "pause")
	i := slices.IndexFunc(r.numbers, func(number string) bool { return r.mail(number) != "" })
	if i < 0 {
		t.Fatal("no establishment has an e-mail address to hide")
	}
	shown := r.numbers[i]
	r.Must("contacts", "hide", shown)
	fixture.Wait(t, "the contact to be hidden, which no replica knows", func() bool {
		_, page := r.Get("/"+shown, "")
		return strings.Contains(page, "ocultados a pedido")
	})
	if r.mail(shown) != "" {
		t.Error("the address is still served to callers")
	}

	r.Must("loads", "rollback", "receita")
	r.serves("no replica to have the former month", "2", "2026-09", "degradado")
	if !strings.Contains(r.log.String(), "the replicas have not reached snapshot 3") {
		t.Errorf("the log does not say why:\n%s", r.log.String())
	}
	r.replay(0, "resume")
	r.serves("a replica to have the former month", "3", "2026-08", "ok")

	r.replicas[0].stop(syscall.SIGQUIT)
	r.serves("the one that is left, which lags", "3", "2026-08", "indisponivel")
	r.replay(1, "resume")
	r.serves("it to catch up", "3", "2026-08", "ok")
	if r.mail(shown) != "" {
		t.Error("the contact is shown again")
	}

	r.primary.stop(syscall.SIGQUIT)
	fixture.Wait(t, "records to be served without the primary", func() bool {
		status, state := r.Get("/health/ready", "")
		_, health := r.Get("/health", "")
		return status == http.StatusOK && strings.Contains(state, `"banco":"degradado"`) && strings.Contains(health, `"banco":"degradado"`)
	})
	if status, page := r.Get("/"+shown, ""); status != http.StatusOK || !strings.Contains(page, "ocultados a pedido") {
		t.Errorf("a page without the primary: %d %.300s", status, page)
	}
}

// TestReplicas reads through the pools of the program, with the primary among what is read, and with replicas that all lag.
func TestReplicas(t *testing.T) {
	t.Parallel()
	primary := newPostgres(t, sharedFolder(t))
	if err := migrations.Up(t.Context(), dsnAt(primary.addr())); err != nil {
		t.Fatal(err)
	}
	first, second := primary.replica("first"), primary.replica("second")
	pools := map[*postgres]*pgxpool.Pool{}
	for _, p := range []*postgres{primary, first, second} {
		pool, err := pgxpool.New(t.Context(), dsnAt(p.addr()))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(pool.Close)
		pools[p] = pool
	}
	publish := func(have ...*postgres) int64 { // a snapshot without loads
		t.Helper()
		id, err := registry.NewStore(pools[primary]).Publish(t.Context(), nil, "")
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range have {
			fixture.Wait(t, "a replica to replay", func() bool {
				has, err := registry.NewStore(pools[p]).CurrentID(t.Context())
				return err == nil && has == id
			})
		}
		return id
	}
	replay := func(p *postgres, does string) {
		t.Helper()
		if _, err := pools[p].Exec(t.Context(), "SELECT pg_wal_replay_"+does+"()"); err != nil {
			t.Fatal(err)
		}
	}
	asked := map[string]int{} // how often a server was asked what it has reached, by address
	var mu sync.Mutex
	options := func(attributes string, hosts ...*postgres) database.Options {
		var list []string
		for _, h := range hosts {
			list = append(list, h.addr())
		}
		return database.Options{
			DSN: dsnAt(primary.addr()), Setting: "TEST", Command: "test", Connections: 4, Log: slog.New(slog.DiscardHandler),
			Look: func(context.Context, string) error { return nil },
			Read: &database.Reading{DSN: dsnAt(strings.Join(list, ",")) + attributes, Setting: "TEST_READ", Reached: func(ctx context.Context, conn *pgconn.PgConn) (int64, error) {
				mu.Lock()
				asked[conn.Conn().RemoteAddr().String()]++
				mu.Unlock()
				return registry.Reached(ctx, conn)
			}},
		}
	}
	open := func(attributes string, hosts ...*postgres) *database.DB {
		t.Helper()
		db, err := database.Open(t.Context(), options(attributes, hosts...))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(db.Close)
		return db
	}
	// serves requires a snapshot, beside the one in service, and who answers then.
	serves := func(what string, db *database.DB, id, inService int64, reached bool, want *postgres) {
		t.Helper()
		if err := db.Replicas.Reach(t.Context(), id, inService); (err == nil) != reached {
			t.Errorf("%s: %v, want snapshot %d to be reached: %t", what, err, id, reached)
		}
		var port int
		err := db.Pool.QueryRow(t.Context(), `SELECT inet_server_port()`).Scan(&port)
		if err != nil || fmt.Sprint(port) != want.port {
			t.Errorf("%s: %d answers, want %s, %v", what, port, want.port, err)
		}
	}

	one := publish(first, second)
	listed, preferred, standby := open("", first, primary), open("&target_session_attrs=prefer-standby", primary, first), open("&target_session_attrs=standby", primary, first)
	for _, db := range []*database.DB{listed, preferred, standby} {
		serves("the replica has it", db, one, 0, true, first)
	}
	replay(first, "pause")
	two := publish(second)
	serves("the replica lags, listed before the primary", listed, two, one, true, primary)
	serves("the replica lags, preferred to the primary", preferred, two, one, true, primary)
	serves("the replica lags, and no other may be read", standby, two, one, false, first)

	// The one replica that has what is in service dies. However many ask, the other is not asked again and again.
	db := open("", second, first)
	serves("the first lags", db, two, 0, true, second)
	second.stop(syscall.SIGQUIT)
	const calls = 2000
	mu.Lock()
	asked[first.addr()] = 0
	mu.Unlock()
	var all sync.WaitGroup
	for range 10 {
		all.Go(func() {
			for range calls / 10 {
				if err := db.Pool.Ping(t.Context()); err == nil {
					t.Error("a replica that lags is read")
				}
			}
		})
	}
	all.Wait()
	mu.Lock()
	if n := asked[first.addr()]; n > calls/10 {
		t.Errorf("%d calls asked the replica that lags %d times", calls, n)
	}
	mu.Unlock()
	replay(first, "resume")
	fixture.Wait(t, "the replica to be read again", func() bool { return db.Pool.Ping(t.Context()) == nil })
	serves("it has caught up", db, two, two, true, first)

	first.stop(syscall.SIGQUIT)
	if _, err := database.Open(t.Context(), options("", first, second)); err == nil || !strings.Contains(err.Error(), "TEST_READ") {
		t.Errorf("opened without replicas: %v", err)
	}
}
