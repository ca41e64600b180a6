//go:build linux

package nightly

import (
	"fmt"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"razao/internal/store/registry"
	"razao/internal/testing/fixture"
	"razao/internal/testing/program"
	"razao/lab/internal/built"
	"razao/lab/internal/s3test"
)

// kinds of questions: calls are counted, which writes to the primary; pages only read.
const (
	calls = iota
	pages
)

// failover asks three servers with a pair of PostgreSQL servers behind them, while parts are
// switched and killed.
type failover struct {
	*oracle
	*stack
	t       *testing.T
	loader  *program.Program
	nodes   [3]*program.Program
	servers [3]*program.Server

	watch   sync.Mutex
	rightAt [2]time.Time     // by kind: when the latest right answer came
	stalls  [2]time.Duration // by kind: the longest time without one since the step began
	failed  [2]int
	slowest time.Duration
}

// learnFor returns an oracle that knows the answers before and after a second load, from a database
// of its own: they do not depend on where the records are.
func learnFor(t *testing.T) *oracle {
	t.Helper()
	p := built.New(t, "RAZAO_IP_REQUESTS=0", "RAZAO_TRUSTED_PROXIES=127.0.0.0/8", "TMPDIR="+t.TempDir())
	o, s := beginOracle(p, envNumber(t, "RAZAO_ROOTS", 2000), 40, withoutCursors)
	o.load(registry.Receita, "2026-09")
	o.learn()
	s.Stop()
	return o
}

// cursors are of a load and under a MAC.
var cursors = regexp.MustCompile(`cursor=[\w%-]+|"proximo_cursor":"[^"]*"`)

// withoutCursors makes all questions compare no cursors, which another database has others of.
func withoutCursors(o *oracle) {
	for i := range o.questions {
		plain := o.questions[i].plain
		o.questions[i].plain = func(body string) string { return cursors.ReplaceAllString(plain(body), "") }
	}
}

// newFailover starts everything with the first load in service. Keys are those of the new database.
func newFailover(t *testing.T) *failover {
	f := &failover{oracle: learnFor(t), stack: newStack(t), t: t}
	f.up()
	store := s3test.Start(t)
	f.loader = built.New(t, "RAZAO_IP_REQUESTS=0", "RAZAO_IP_CALLS=0", "RAZAO_TRUSTED_PROXIES=127.0.0.0/8", "RAZAO_SECRET="+strings.Repeat("segredo ", 5),
		"RAZAO_INDEX_STORE="+store, "AWS_ACCESS_KEY_ID=test", "AWS_SECRET_ACCESS_KEY=testtest")
	f.loader.Binary, f.loader.Data = f.p.Binary, t.TempDir()
	f.loader.Settings = append(f.loader.Settings, f.database(f.loader)...)
	f.loader.Addr = f.at("10.0.0.10:80") // HAProxy
	f.loader.Settings = append(f.loader.Settings, "RAZAO_BASE_URL=http://"+f.loader.Addr)
	f.p, f.keys = f.loader, nil
	f.connect(80) // sixty questions a second
	return f
}

// startNode starts server i with an empty folder.
func (f *failover) startNode(i int) {
	p := f.loader.Beside()
	p.Addr, p.Data = f.at(fmt.Sprintf("10.0.0.1%d:8080", i+1)), filepath.Join(f.t.TempDir(), "data")
	f.nodes[i], f.servers[i] = p, p.Start("serve")
}

// kill ends a node as an out-of-memory killer does.
func (f *failover) killNode(i int) {
	f.servers[i].Kill()
}

// settled waits until all servers are whole on the current snapshot, as one of which the balancer
// counts them, and from then on takes only its answers for right.
func (f *failover) settled() {
	f.t.Helper()
	for _, node := range f.nodes {
		fixture.Wait(f.t, "a server to be whole", func() bool {
			id, err := registry.NewStore(f.pool).CurrentID(f.t.Context())
			_, health := node.Get("/health", "")
			return err == nil && strings.Contains(health, `"status":"ok"`) && strings.Contains(health, fmt.Sprintf(`"fotografia":"%d"`, id))
		})
	}
	f.settle()
}

// step does something under load and waits until every kind of question has been answered rightly
// for two seconds and all servers are whole. It returns a row of the table.
func (f *failover) step(name string, do func()) string {
	f.watch.Lock()
	before, began := f.counted(), time.Now()
	f.rightAt = [2]time.Time{began, began}
	f.stalls, f.failed, f.slowest = [2]time.Duration{}, [2]int{}, 0
	f.watch.Unlock()
	do()
	f.settled()
	until := time.Now().Add(2 * time.Second)
	fixture.Wait(f.t, "right answers after "+name, func() bool {
		f.watch.Lock()
		defer f.watch.Unlock()
		return f.rightAt[calls].After(until) && f.rightAt[pages].After(until)
	})
	f.watch.Lock()
	defer f.watch.Unlock()
	n := f.counted().since(before)
	row := fmt.Sprintf("| %s | %.0f | %d | %d | %d | %.1f | %.1f | %.1f | %d |\n", name, time.Since(began).Seconds(), n.Asked, f.failed[calls], f.failed[pages],
		f.stalls[calls].Seconds(), f.stalls[pages].Seconds(), f.slowest.Seconds(), n.Wrong)
	f.t.Log(row)
	return row
}

// load asks all questions in turn, thirty a second of each kind, until stop is called. The kinds have
// askers of their own, so that calls that hang delay no page. Answers may be refused at any time, but
// never be wrong.
func (f *failover) load() (stop func()) {
	f.faults.begin(everyPart, 0)
	const askers = 10 // of each kind
	var byKind [2][]*question
	for i := range f.questions {
		kind := f.questions[i].kind()
		byKind[kind] = append(byKind[kind], &f.questions[i])
	}
	var asking sync.WaitGroup
	ended := make(chan struct{})
	for _, questions := range byKind {
		for n := range askers {
			asking.Go(func() {
				rate := time.NewTicker(askers * time.Second / 30)
				defer rate.Stop()
				for i := n; ; i += askers {
					select {
					case <-ended:
						return
					case <-rate.C:
						f.askOnce(questions[i%len(questions)])
					}
				}
			})
		}
	}
	return sync.OnceFunc(func() { close(ended); asking.Wait() })
}

func (q *question) kind() int {
	if q.call {
		return calls
	}
	return pages
}

func (f *failover) askOnce(q *question) {
	asked := time.Now()
	right := f.ask(q)
	now := time.Now()
	kind := q.kind()
	f.watch.Lock()
	defer f.watch.Unlock()
	if !right {
		f.failed[kind]++
		return
	}
	f.slowest = max(f.slowest, now.Sub(asked))
	f.stalls[kind] = max(f.stalls[kind], now.Sub(f.rightAt[kind]))
	f.rightAt[kind] = now
}

// TestFailover switches and goes back, loses the primary and a server, and gets both back, with the
// files of deploy/ha.
func TestFailover(t *testing.T) {
	for _, name := range []string{"patroni", "etcd", "haproxy", "pgbouncer"} {
		built.Installed(t, name)
	}
	f := newFailover(t)
	for _, source := range []string{registry.Receita, ceis, bndes} {
		f.oracle.load(source, "2026-08")
	}
	for i := range f.nodes {
		f.startNode(i)
	}
	f.settled()
	stop := f.load()
	defer stop()
	table := "| Step | Seconds | Asked | Failed calls | Failed pages | Longest stall, calls | Longest stall, pages | Slowest answer | Wrong |\n|---|---|---|---|---|---|---|---|---|\n"
	for _, s := range []struct {
		name string
		do   func()
	}{
		{"nothing", func() { time.Sleep(10 * time.Second) }},
		{"a second load of companies is switched to", func() { f.expect(registry.Receita); f.oracle.load(registry.Receita, "2026-09") }},
		{"rollback", func() { f.expect(registry.Receita); f.p.Must("loads", "rollback", registry.Receita) }},
		{"the primary is killed: PostgreSQL and Patroni, `kill -9`", func() { f.stack.kill("patroni-1"); f.killPostgres("1"); f.await("2", "primary") }},
		{"the former primary comes back as the standby", func() { f.startPatroni("1"); f.await("1", "sync") }},
		{"the standby is killed", func() { f.stack.kill("patroni-1"); f.killPostgres("1"); time.Sleep(10 * time.Second) }},
		{"it comes back", func() { f.startPatroni("1"); f.await("1", "sync") }},
		{"a server is killed, `kill -9`", func() {
			f.killNode(2)
			time.Sleep(10 * time.Second)
			f.nodes[2], f.servers[2] = f.nodes[1], f.servers[1]
		}},
		{"a server with an empty folder takes its place", func() { f.startNode(2) }},
	} {
		table += f.step(s.name, s.do)
	}
	stop()
	f.reportFailures()
	t.Log("\n" + table)
	if resp, err := http.Get("http://" + f.p.Addr + "/health/ready"); err != nil || resp.StatusCode != http.StatusOK {
		t.Errorf("in the end: %v, %v", resp, err)
	}
}
