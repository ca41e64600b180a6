package nodes

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"razao/internal/data/cnpj"
	"razao/internal/people/seal"
	"razao/internal/testing/fixture"
	"razao/internal/testing/pgtest"
	"razao/internal/testing/program"
	"razao/lab/internal/built"
	"razao/lab/internal/chaos"
	"razao/lab/internal/load"
	"razao/migrations"
)

func TestMain(m *testing.M) { built.Main(m) }

// callersOfNode is how many callers ask a node at once: as many as its slots for calls, with eight connections, so that it sheds none.
const callersOfNode = 32

// TestNodes asks several servers on one PostgreSQL, each from accounts of their own, over a link that takes its time. Every call that
// was answered is counted once. A number that is none costs admission alone. RAZAO_NODES, RAZAO_ROUND_TRIPS and RAZAO_NODES_FOR choose what `make nodes` measures for docs/scale.md.
func TestNodes(t *testing.T) {
	t.Parallel()
	lasts, err := time.ParseDuration(cmp.Or(os.Getenv("RAZAO_NODES_FOR"), "200ms"))
	if err != nil {
		t.Fatal(err)
	}
	var table bytes.Buffer
	w := tabwriter.NewWriter(&table, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "call\tnodes\tround trip ms\tcalls/s\tp50 ms\tp99 ms\tserver µs\tPostgreSQL µs\tshed\t\n")
	for _, nodes := range strings.Split(cmp.Or(os.Getenv("RAZAO_NODES"), "3"), ",") {
		n, err := strconv.Atoi(nodes)
		if err != nil {
			t.Fatal(err)
		}
		f := newFleet(t, n, max(200, int(2500*lasts.Seconds())))
		for _, trip := range strings.Split(cmp.Or(os.Getenv("RAZAO_ROUND_TRIPS"), "0,20"), ",") {
			ms, err := strconv.ParseFloat(trip, 64)
			if err != nil {
				t.Fatal(err)
			}
			f.link.Slow(time.Duration(ms * float64(time.Millisecond) / 2)) // either way
			f.measure(lasts, w, "refused number\t"+nodes+"\t"+trip, []string{"/v1/cnpj/abc"}, http.StatusBadRequest)
			f.measure(lasts, w, "company\t"+nodes+"\t"+trip, f.paths, http.StatusOK)
		}
		f.stop()
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d processors, %s\n%s", runtime.NumCPU(), runtime.Version(), table.String())
}

// fleet is some servers on one PostgreSQL, behind one link.
type fleet struct {
	t        *testing.T
	pool     *pgxpool.Pool
	postgres int // process id of the postmaster
	link     *chaos.Link
	nodes    []*program.Program
	servers  []*program.Server
	keys     *load.Ring // each of an account
	paths    []string
	client   http.Client
	before   int // calls in the history
}

func newFleet(t *testing.T, n, accounts int) *fleet {
	t.Helper()
	dsn := pgtest.DSN(t)
	p, pool := built.On(t, dsn, "RAZAO_IP_CALLS=0", "RAZAO_DATABASE_CONNECTIONS=8")
	p.Must("ingest", "receita", "--from", program.Sample(t, t.TempDir(), "2026-09", 2000))
	f := &fleet{t: t, pool: pool, client: http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: callersOfNode}}}
	t.Cleanup(f.client.CloseIdleConnections)
	config := pool.Config().ConnConfig
	f.link = chaos.NewLink(t, "unix", fmt.Sprintf("%s/.s.PGSQL.%d", config.Host, config.Port))
	text, err := os.ReadFile(filepath.Join(config.Host, "postmaster.pid"))
	if err != nil {
		t.Fatal(err)
	}
	first, _, _ := strings.Cut(string(text), "\n")
	if f.postgres, err = strconv.Atoi(first); err != nil {
		t.Fatal(err)
	}
	at := f.link.Addr()
	p.Serving = []string{fmt.Sprintf("RAZAO_DATABASE_URL=host=%s port=%d dbname=%s user=%s sslmode=disable", at.IP, at.Port, config.Database, migrations.Serve)}
	for range n {
		node := p.Beside()
		f.nodes = append(f.nodes, node)
		f.servers = append(f.servers, node.Start("serve"))
	}
	f.draw(p, accounts)
	return f
}

// draw makes accounts, enough for none to use up its minute, and lists whom to ask about.
func (f *fleet) draw(p *program.Program, accounts int) {
	f.t.Helper()
	keys, err := load.Keys(f.t.Context(), f.pool, seal.New(p.Secret()), accounts)
	if err != nil {
		f.t.Fatal(err)
	}
	f.keys = load.NewRing(keys)
	rows, err := f.pool.Query(f.t.Context(), "SELECT DISTINCT root FROM load_000001.record")
	if err != nil {
		f.t.Fatal(err)
	}
	roots, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	if err != nil {
		f.t.Fatal(err)
	}
	for _, root := range roots {
		f.paths = append(f.paths, "/v1/cnpj/"+cnpj.Root(root).String())
	}
}

// measure asks all nodes for a while, expects one status, and writes a row of the table.
func (f *fleet) measure(lasts time.Duration, w io.Writer, title string, paths []string, want int) {
	f.t.Helper()
	serverCPU, postgresCPU := f.cpu()
	var mu sync.Mutex
	var answers []time.Duration
	shed := 0
	var callers sync.WaitGroup
	began := time.Now()
	for i := range len(f.nodes) * callersOfNode {
		callers.Go(func() {
			var mine []time.Duration
			refused := 0
			for n := i; time.Since(began) < lasts; n += callersOfNode {
				asked := time.Now()
				switch status := f.call(f.nodes[i%len(f.nodes)], f.keys.Next(), paths[n*7919%len(paths)]); status {
				case want:
					mine = append(mine, time.Since(asked))
				case http.StatusServiceUnavailable:
					refused++
				default:
					f.t.Errorf("status %d", status)
					return
				}
			}
			mu.Lock()
			defer mu.Unlock()
			answers, shed = append(answers, mine...), shed+refused
		})
	}
	callers.Wait()
	took := time.Since(began)
	if len(answers) == 0 {
		f.t.Fatal("no call was answered")
	}
	f.counted(len(answers), shed)
	slices.Sort(answers)
	server, postgres := f.cpu()
	n := len(answers)
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	fmt.Fprintf(w, "%s\t%.0f\t%.1f\t%.1f\t%d\t%d\t%d\t\n", title, float64(n)/took.Seconds(), ms(answers[n/2]), ms(answers[n*99/100]),
		(server-serverCPU).Microseconds()/int64(n), (postgres-postgresCPU).Microseconds()/int64(n), shed)
}

// call returns the status of the answer, 0 for none.
func (f *fleet) call(p *program.Program, key, path string) int {
	req, err := http.NewRequestWithContext(f.t.Context(), http.MethodGet, "http://"+p.Addr+path, nil)
	if err != nil {
		return 0
	}
	req.Header.Set("Authorization", "Bearer "+key)
	resp, err := f.client.Do(req)
	if err != nil {
		return 0
	}
	defer func() { _ = resp.Body.Close() }()
	if _, err := io.Copy(io.Discard, resp.Body); err != nil {
		return 0
	}
	return resp.StatusCode
}

// counted waits until the history has the calls that were answered since it was called before, and fails if it has more. One that was
// refused may have been admitted before.
func (f *fleet) counted(answers, refused int) {
	f.t.Helper()
	calls := 0
	fixture.Wait(f.t, "the history", func() bool {
		if err := f.pool.QueryRow(f.t.Context(), `SELECT count(*) FROM usage_call`).Scan(&calls); err != nil {
			f.t.Fatal(err)
		}
		return calls >= f.before+answers
	})
	if calls > f.before+answers+refused {
		f.t.Errorf("%d calls were answered and %d refused, and the history has %d more", answers, refused, calls-f.before)
	}
	f.before = calls
}

// cpu returns the processor time so far of all nodes, and of PostgreSQL.
func (f *fleet) cpu() (nodes, postgres time.Duration) {
	for _, s := range f.servers {
		nodes += load.CPU(s.PID())
	}
	return nodes, load.FamilyCPU(f.postgres)
}

func (f *fleet) stop() {
	for _, s := range f.servers {
		s.Stop()
	}
}
