//go:build linux

package faults

import (
	"errors"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"razao/internal/testing/mailtest"
	"razao/internal/testing/oidctest"
	"razao/internal/testing/program"
	"razao/lab/internal/built"
	"razao/lab/internal/chaos"
)

// settling is how long after a fault answers may still be refused; recovered bounds the time until
// every part has been right for a second.
const (
	settling  = 5 * time.Second
	recovered = 30 * time.Second
)

// chaosRun breaks what a server depends on while it is asked.
type chaosRun struct {
	*crash
	p        *program.Program
	disk     *chaos.Disk // nil without the permission to mount
	postgres *chaos.Postgres
	database *chaos.Link // to PostgreSQL; only the server uses it
	mails    *mailtest.Server
	mail     *chaos.Link
	issuer   *chaos.Link
	node     *program.Server
	nodeLog  *program.Log  // of this server and its predecessors
	slowest  time.Duration // of the recoveries
	pausing  atomic.Bool
	visitors int
	awaited  func() bool // waits for an effect that the fault has delayed, such as a mail; nil: none
}

// fault is a way to break something. begin breaks it and keeps it broken for a while; undo repairs
// it.
type fault struct {
	name     string
	breaks   chaos.Part
	settling time.Duration
	begin    func() (undo func())
}

// newChaos sets up the program so that everything around it can be broken, and learns the answers.
func newChaos(t *testing.T, seed, roots int) *chaosRun {
	c := &chaosRun{crash: &crash{
		random: rand.New(rand.NewPCG(uint64(seed), 1)), profiles: map[string][]time.Duration{}, where: map[string]int{}, before: map[string]bool{},
	}}
	dir := ""
	var err error
	if c.disk, err = chaos.NewDisk(t); errors.Is(err, syscall.EPERM) {
		t.Log("no disk can be mounted here: none becomes full")
		dir, err = chaos.SharedFolder(t), nil
	} else if err == nil {
		dir = c.disk.Dir
	}
	if err != nil {
		t.Fatal(err)
	}
	c.postgres = chaos.NewPostgres(t, dir)
	c.database = chaos.NewLink(t, "tcp", c.postgres.Addr())
	c.mails = &mailtest.Server{}
	mails := strings.TrimSuffix(strings.TrimPrefix(c.mails.Start(t), "smtp://"), "?tls=none")
	c.mail = chaos.NewLink(t, "tcp", mails)
	provider := oidctest.Start(t)
	c.issuer = chaos.NewLink(t, "tcp", provider.Addr())
	provider.Issuer = "http://" + c.issuer.Addr().String()
	p := built.New(t, "RAZAO_IP_REQUESTS=0", "RAZAO_PRIVATE_ADDR=", "RAZAO_TRUSTED_PROXIES=127.0.0.0/8", "TMPDIR="+t.TempDir(),
		"RAZAO_DATABASE_URL="+chaos.DSN(c.postgres.Addr()))
	p.Data = filepath.Join(dir, "data")
	p.Serving = []string{
		"RAZAO_DATABASE_URL=" + chaos.DSN(c.database.Addr().String()), "RAZAO_SMTP_URL=smtp://" + c.mail.Addr().String() + "?tls=none",
		"RAZAO_OIDC_ISSUER=" + provider.Issuer, "RAZAO_OIDC_CLIENT_ID=" + oidctest.ClientID, "RAZAO_OIDC_CLIENT_SECRET=" + oidctest.ClientSecret,
	}
	o, first := newOracleIn(p, roots, c.further)
	c.oracle = o
	first.Stop()
	c.nodeLog = &program.Log{}
	o.log = c.nodeLog.String
	c.startNode()
	t.Cleanup(func() { c.node.Stop() })
	c.waitForNode()
	o.settle()
	return c
}

// startNode starts the server without waiting for it.
func (c *chaosRun) startNode() { c.node = c.p.Launch(c.nodeLog, "serve") }

// restartNode kills the server and starts it again without waiting. Until its address is open, the
// faults records it as broken.
func (c *chaosRun) restartNode() {
	up := c.faults.Begin(chaos.Process, settling)
	c.node.Kill()
	c.startNode()
	go func() { defer up(); c.waitForNode() }()
}

// waitForNode waits until the server's address is open, at most a minute.
func (c *chaosRun) waitForNode() {
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if conn, err := net.Dial("tcp", c.p.Addr); err == nil {
			_ = conn.Close()
			return
		}
	}
}

// inflict breaks something, repairs it, waits for recovery and logs the outcome.
func (c *chaosRun) inflict(n int, f fault) {
	t := c.p.T
	before := c.counted()
	c.mu.Lock()
	clear(c.outcomes.failuresOf)
	c.mu.Unlock()
	end := c.faults.Begin(f.breaks, f.settling)
	begun := time.Now()
	undo := f.begin()
	undo()
	end()
	undone := time.Now()
	took, ok := c.recovery(undone)
	if c.awaited != nil {
		ok = c.awaited() && ok
		took, c.awaited = max(took, time.Since(undone)), nil
	}
	now := c.counted().since(before)
	t.Logf("%3d %s: %s to %s, recovered after %.1f s: %+v", n, f.name, clock(begun), clock(undone), took.Seconds(), now)
	if !ok {
		t.Errorf("%d %s: not recovered %s after it was undone", n, f.name, recovered)
	}
	if !c.node.Alive() {
		t.Errorf("%d %s: the server has ended: %v\n%s", n, f.name, c.node.Wait(), tail(c.nodeLog.String()))
		c.restartNode()
	}
	c.slowest = max(c.slowest, took)
}

func tail(log string) string { return log[max(0, len(log)-3000):] }

// last sleeps for the random time that something stays broken.
func (c *chaosRun) last() {
	time.Sleep(time.Second + time.Duration(c.random.Int64N(int64(3*time.Second))))
}

// recovery waits until every part has been asked and answered rightly for a second, and returns how
// long after undone that began.
func (c *chaosRun) recovery(undone time.Time) (took time.Duration, ok bool) {
	for {
		c.mu.Lock()
		since := undone
		if c.outcomes.badAt.After(since) {
			since = c.outcomes.badAt
		}
		whole := time.Since(since) >= time.Second
		for _, at := range c.outcomes.rightAt {
			whole = whole && at.After(since)
		}
		c.mu.Unlock()
		took = since.Sub(undone)
		if whole {
			return took, took <= recovered
		}
		if time.Since(undone) > 2*recovered {
			return time.Since(undone), false
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// TestChaos breaks things RAZAO_FAULTS times, seeded by RAZAO_SEED, while a server is asked
// questions with known answers; RAZAO_FAULT selects faults by a part of their name: `make chaos`.
func TestChaos(t *testing.T) {
	faults, seed := envNumber(t, "RAZAO_FAULTS", 0), envNumber(t, "RAZAO_SEED", 1)
	if faults == 0 {
		t.Skip("it takes minutes: `make chaos`")
	}
	c := newChaos(t, seed, envNumber(t, "RAZAO_ROOTS", 3000))
	kinds := slices.DeleteFunc(c.kinds(), func(f fault) bool { return !strings.Contains(f.name, os.Getenv("RAZAO_FAULT")) })
	if len(kinds) == 0 {
		t.Fatalf("RAZAO_FAULT=%s: there is no such fault", os.Getenv("RAZAO_FAULT"))
	}
	began := time.Now()
	counted := c.askedMeanwhile(func() {
		for _, name := range []string{"index build", "loads prune"} {
			c.complete(operation{name, strings.Fields(name), ""})
		}
		c.pausing.Store(true)
		var deck []fault
		for n := range faults {
			if len(deck) == 0 {
				deck = slices.Clone(kinds)
				c.random.Shuffle(len(deck), func(i, j int) { deck[i], deck[j] = deck[j], deck[i] })
			}
			c.inflict(n+1, deck[0])
			deck = deck[1:]
		}
	})
	t.Logf("seed %d: %d faults in %.0f s, recovery in %.1f s at most; %d walks to their end, %d ended by 409; of all questions %+v", seed, faults,
		time.Since(began).Seconds(), c.slowest.Seconds(), counted.walks, counted.changed, counted.count)
	for _, line := range panics(c.nodeLog.String()) {
		t.Errorf("the server's log: %.1500s", line)
	}
	if path := os.Getenv("RAZAO_CHAOS_LOG"); path != "" {
		if err := os.WriteFile(path, []byte(c.nodeLog.String()), 0o600); err != nil {
			t.Error(err)
		}
	}
}

// torn matches the log lines of other threads that come between the words "fatal error: " of the runtime
// and the reason, which it writes one after the other.
var torn = regexp.MustCompile(`(?m)^(fatal error: )((?:\{.*\n)+)`)

// panics returns the log lines that report a panic, except those that damaged mapped files or a
// lack of memory explain.
func panics(log string) (lines []string) {
	for line := range strings.Lines(torn.ReplaceAllString(log, "$2$1")) {
		if strings.HasPrefix(line, "{") && strings.Contains(line, "panic") && !strings.Contains(line, "damaged") ||
			strings.HasPrefix(line, "fatal error:") && !strings.Contains(line, "memory") {
			lines = append(lines, line)
		}
	}
	return lines[:min(len(lines), 5)]
}

// TestPanicsInALog tells panics from what a lack of memory explains, in logs whose lines are torn.
func TestPanicsInALog(t *testing.T) {
	t.Parallel()
	const request, another = `{"msg":"request"}` + "\n", `{"msg":"panic","error":"nil map"}` + "\n"
	tests := []struct {
		log  string
		want int
	}{
		{"fatal error: runtime: cannot allocate memory\n", 0},
		{"fatal error: " + request + "runtime: cannot allocate memory\n", 0},
		{"fatal error: " + request + request + "runtime: cannot allocate memory\n", 0},
		{"fatal error: " + another + "runtime: cannot allocate memory\n", 1},
		{"fatal error: concurrent map writes\n", 1},
		{"fatal error: " + request + "concurrent map writes\n" + another, 2},
		{"fatal error: " + request, 1},
	}
	for _, tt := range tests {
		if got := panics(tt.log); len(got) != tt.want {
			t.Errorf("%q: %q", tt.log, got)
		}
	}
}
