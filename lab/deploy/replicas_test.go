package deploy

import (
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"

	"razao/internal/sample"
	"razao/internal/testing/fixture"
	"razao/internal/testing/program"
	"razao/lab/internal/built"
	"razao/lab/internal/chaos"
	"razao/migrations"
)

// replicated is a server that reads records from the first of two streaming replicas that has them.
type replicated struct {
	*program.Program
	key      string
	numbers  []string
	primary  *chaos.Postgres
	replicas [2]*chaos.Postgres
	pools    [2]*pgxpool.Pool // on the replicas, as a superuser
	log      *program.Log
}

// newReplicated has two months of companies, the first of which is served.
func newReplicated(t *testing.T) (r *replicated, next string) {
	t.Helper()
	dir := chaos.SharedFolder(t)
	r = &replicated{primary: chaos.NewPostgres(t, dir)}
	r.Program = built.New(t, "RAZAO_IP_REQUESTS=0", "RAZAO_RECORD_FILES=false", "RAZAO_DATABASE_URL="+chaos.DSN(r.primary.Addr()))
	r.Must("migrate")
	as := func(role, address string) string { return strings.Replace(chaos.DSN(address), "razao@", role+"@", 1) }
	r.Settings = append(r.Settings, "RAZAO_DATABASE_URL="+as(migrations.Serve, r.primary.Addr()), "RAZAO_DATABASE_INGEST_URL="+as(migrations.Ingest, r.primary.Addr()))
	for _, month := range []string{"2026-08", "2026-09"} {
		o := sample.Options{Roots: 1000, Seed: 7, Month: month, First: "2026-08", OnlyReceita: true}
		if _, err := sample.Write(t.Context(), filepath.Join(dir, month), o); err != nil {
			t.Fatal(err)
		}
	}
	r.Must("ingest", "receita", "--from", filepath.Join(dir, "2026-08", "receita"))
	r.key = r.NewKey("ana@exemplo.com.br", "chave")
	for i := range r.replicas {
		r.replicas[i] = r.primary.Replica(fmt.Sprint("replica", i))
		var err error
		if r.pools[i], err = pgxpool.New(t.Context(), chaos.DSN(r.replicas[i].Addr())); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(r.pools[i].Close)
	}
	r.Serving = []string{"RAZAO_DATABASE_READ_URL=" + as(migrations.Serve, r.replicas[0].Addr()+","+r.replicas[1].Addr())}
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

	r.replicas[0].Stop(syscall.SIGQUIT)
	r.serves("the one that is left, which lags", "3", "2026-08", "indisponivel")
	r.replay(1, "resume")
	r.serves("it to catch up", "3", "2026-08", "ok")
	if r.mail(shown) != "" {
		t.Error("the contact is shown again")
	}

	r.primary.Stop(syscall.SIGQUIT)
	fixture.Wait(t, "records to be served without the primary", func() bool {
		status, state := r.Get("/health/ready", "")
		_, health := r.Get("/health", "")
		return status == http.StatusOK && strings.Contains(state, `"banco":"degradado"`) && strings.Contains(health, `"banco":"degradado"`)
	})
	if status, page := r.Get("/"+shown, ""); status != http.StatusOK || !strings.Contains(page, "ocultados a pedido") {
		t.Errorf("a page without the primary: %d %.300s", status, page)
	}
}

func TestReplicasNeedAPrimary(t *testing.T) {
	t.Parallel()
	p := built.New(t, "RAZAO_DATABASE_READ_URL=postgres://127.0.0.1:1/razao")
	if code, _, stderr := p.Run("serve"); code != 1 || !strings.Contains(stderr, "RAZAO_DATABASE_READ_URL") {
		t.Errorf("exit code %d: %s", code, stderr)
	}
}
