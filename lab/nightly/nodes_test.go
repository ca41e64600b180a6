package nightly

import (
	"bytes"
	"cmp"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/jackc/pgx/v5"
	vegeta "github.com/tsenart/vegeta/v12/lib"

	"razao/internal/data/cnpj"
	"razao/internal/people/seal"
	"razao/internal/testing/fixture"
	"razao/internal/testing/pgtest"
	"razao/internal/testing/program"
	"razao/lab/internal/built"
	"razao/lab/internal/load"
	"razao/migrations"
)

// callersOfNode is how many callers ask a node at once: as many as its slots for calls, with eight connections, so that it sheds none.
const callersOfNode = 32

// TestNodes asks several servers on one PostgreSQL, each from accounts of their own, over a link that takes its time. Every call that
// was answered is counted once. RAZAO_NODES, RAZAO_ROUND_TRIPS and RAZAO_NODES_FOR choose what is measured for docs/scale.md.
func TestNodes(t *testing.T) {
	t.Parallel()
	lasts, err := time.ParseDuration(cmp.Or(os.Getenv("RAZAO_NODES_FOR"), "1s"))
	if err != nil {
		t.Fatal(err)
	}
	var table bytes.Buffer
	w := tabwriter.NewWriter(&table, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "nodes\tround trip ms\tcalls/s\tp50 ms\tp99 ms\tserver µs\tPostgreSQL µs\tshed\t\n")
	for nodes := range strings.SplitSeq(cmp.Or(os.Getenv("RAZAO_NODES"), "3"), ",") {
		n, err := strconv.Atoi(nodes)
		if err != nil {
			t.Fatal(err)
		}
		measureNodes(t, n, lasts, func(trip string, got *load.Result) {
			m, calls := &got.Answered, int64(got.Answered.Requests)
			ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
			fmt.Fprintf(w, "%d\t%s\t%.0f\t%.1f\t%.1f\t%d\t%d\t%d\t\n", n, trip, float64(calls)/got.Usage.Wall.Seconds(), ms(m.Latencies.P50), ms(m.Latencies.P99),
				got.Usage.Server.Microseconds()/calls, got.Usage.Postgres.Microseconds()/calls, got.Refused.Requests)
		})
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d processors, %s\n%s", runtime.NumCPU(), runtime.Version(), table.String())
}

// measureNodes starts n servers behind one link to PostgreSQL and measures look-ups over each round trip.
func measureNodes(t *testing.T, n int, lasts time.Duration, measured func(trip string, got *load.Result)) {
	t.Helper()
	p, pool := built.On(t, pgtest.DSN(t), "RAZAO_IP_CALLS=0", "RAZAO_DATABASE_CONNECTIONS=8")
	p.Must("ingest", "receita", "--from", program.Sample(t, t.TempDir(), "2026-09", 2000))
	config := pool.Config().ConnConfig
	slow := newLink(t, "unix", fmt.Sprintf("%s/.s.PGSQL.%d", config.Host, config.Port))
	p.Serving = []string{fmt.Sprintf("RAZAO_DATABASE_URL=host=127.0.0.1 port=%d dbname=%s user=%s sslmode=disable", slow.addr().Port, config.Database, migrations.Serve)}
	first, _, _ := strings.Cut(readFile(t, filepath.Join(config.Host, "postmaster.pid")), "\n")
	postmaster, err := strconv.Atoi(first)
	if err != nil {
		t.Fatal(err)
	}
	all := load.Server{Postgres: postmaster}
	var nodes []string
	for range n {
		node := p.Beside()
		server := node.Start("serve")
		defer server.Stop()
		nodes, all.PIDs = append(nodes, "http://"+node.Addr), append(all.PIDs, server.PID())
	}
	keys, err := load.Keys(t.Context(), pool, seal.New(p.Secret()), max(200, int(2500*lasts.Seconds()))) // enough for none to use up its minute
	if err != nil {
		t.Fatal(err)
	}
	all.Keys = load.NewRing(keys)
	rows, err := pool.Query(t.Context(), "SELECT DISTINCT root FROM load_000001.record")
	if err != nil {
		t.Fatal(err)
	}
	roots, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	if err != nil {
		t.Fatal(err)
	}
	company := load.Kind{Name: "company", Keyed: true, Next: func(r *rand.Rand, target *vegeta.Target) {
		target.Method, target.URL = http.MethodGet, load.Pick(r, nodes)+"/v1/cnpj/"+cnpj.Root(load.Pick(r, roots)).String()
	}}
	answered, refused := uint64(0), uint64(0)
	for trip := range strings.SplitSeq(cmp.Or(os.Getenv("RAZAO_ROUND_TRIPS"), "0,20"), ",") {
		ms, err := strconv.ParseFloat(trip, 64)
		if err != nil {
			t.Fatal(err)
		}
		slow.slow(time.Duration(ms * float64(time.Millisecond) / 2)) // either way
		got, err := all.Attack(t.Context(), &company, load.Attack{Conns: n * callersOfNode, Duration: lasts, Refusals: true})
		if err != nil || got.Answered.Requests == 0 {
			t.Fatalf("%d calls were answered, %v", got.Answered.Requests, err)
		}
		measured(trip, got)
		answered, refused = answered+got.Answered.Requests, refused+got.Refused.Requests
	}
	calls := uint64(0)
	fixture.Wait(t, "the history to have every call that was answered", func() bool {
		if err := pool.QueryRow(t.Context(), `SELECT count(*) FROM usage_call`).Scan(&calls); err != nil {
			t.Fatal(err)
		}
		return calls >= answered
	})
	if calls > answered+refused { // one that was refused may have been admitted before
		t.Errorf("%d calls were answered and %d refused, and the history has %d", answered, refused, calls)
	}
}
