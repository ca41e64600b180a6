//go:build linux

package nightly

import (
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"razao/internal/testing/program"
	"razao/lab/internal/built"
)

// settling is how long after a fault answers may still be refused; recovered bounds the time until
// every part has been right for a second.
const (
	settling  = 5 * time.Second
	recovered = 30 * time.Second
)

// campaign breaks what a server depends on while it is asked.
type campaign struct {
	*oracle
	random    *rand.Rand
	disk      *disk  // nil without the permission to mount
	temporary string // folder of temporary files
	postgres  *postgres
	database  *link // to PostgreSQL; only the server uses it
	node      *program.Server
	nodeLog   *program.Log // of this server and its predecessors

	slowest    time.Duration // of the recoveries
	pausing    atomic.Bool
	afterwards func() // what is to be done once a fault is over; nil: nothing

	profiles map[string][]time.Duration // by command, undisturbed: times of its log lines and of its end
	killed   map[string]int             // kills by command and stage
	shapes   map[string]bool            // of the paths of files before the first fault
	needed   int64                      // bytes that a load writes; 0: not known yet
}

// fault is a way to break something. begin breaks it and keeps it broken for a while; undo repairs
// it.
type fault struct {
	name     string
	breaks   part
	settling time.Duration
	begin    func() (undo func())
}

// newCampaign sets up the program so that everything around it can be broken, and learns the answers.
func newCampaign(t *testing.T, seed, roots int) *campaign {
	c := &campaign{
		random: rand.New(rand.NewPCG(uint64(seed), 1)), temporary: t.TempDir(), nodeLog: &program.Log{},
		profiles: map[string][]time.Duration{}, killed: map[string]int{}, shapes: map[string]bool{},
	}
	dir, disk := folderOrDisk(t)
	c.disk, c.postgres = disk, newPostgres(t, dir)
	c.database = newLink(t, "tcp", c.postgres.addr())
	p := built.New(t, "RAZAO_IP_REQUESTS=0", "RAZAO_IP_CALLS=0", "RAZAO_TRUSTED_PROXIES=127.0.0.0/8", "TMPDIR="+c.temporary,
		"RAZAO_DATABASE_URL="+dsnAt(c.postgres.addr()))
	p.Data = filepath.Join(dir, "data")
	p.Serving = []string{"RAZAO_DATABASE_URL=" + dsnAt(c.database.addr().String())}
	first := newOracle(p, roots, func(o *oracle) { c.oracle = o; c.further() })
	first.Stop()
	c.log = c.nodeLog.String
	c.startNode()
	t.Cleanup(func() { c.node.Stop() })
	c.waitForNode()
	c.settle()
	return c
}

// startNode starts the server without waiting for it.
func (c *campaign) startNode() { c.node = c.p.Launch(c.nodeLog, "serve") }

// restartNode kills the server and starts it again without waiting. Until its address is open, it counts as broken.
func (c *campaign) restartNode() {
	up := c.faults.begin(partProcess, settling)
	c.node.Kill()
	c.startNode()
	go func() { defer up(); c.waitForNode() }()
}

// waitForNode waits until the server's address is open, at most a minute.
func (c *campaign) waitForNode() {
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if conn, err := net.Dial("tcp", c.p.Addr); err == nil {
			_ = conn.Close()
			return
		}
	}
}

// inflict breaks something, repairs it, waits for recovery and logs the outcome.
func (c *campaign) inflict(n int, f fault) {
	t := c.p.T
	before := c.counted()
	c.mu.Lock()
	clear(c.outcomes.failuresOf)
	c.mu.Unlock()
	end := c.faults.begin(f.breaks, f.settling)
	begun := time.Now()
	undo := f.begin()
	undo()
	end()
	undone := time.Now()
	took, ok := c.recovery(undone)
	if c.afterwards != nil {
		c.afterwards()
		c.afterwards = nil
	}
	t.Logf("%3d %s: %s to %s, recovered after %.1f s: %+v", n, f.name, at(begun), at(undone), took.Seconds(), c.counted().since(before))
	if !ok {
		t.Errorf("%d %s: not recovered %s after it was undone", n, f.name, recovered)
	}
	if !c.node.Alive() {
		t.Errorf("%d %s: the server has ended: %v\n%s", n, f.name, c.node.Wait(), tail(c.nodeLog.String()))
		c.restartNode()
	}
	c.slowest = max(c.slowest, took)
}

// last sleeps for the random time that something stays broken.
func (c *campaign) last() {
	time.Sleep(time.Second + time.Duration(c.random.Int64N(int64(3*time.Second))))
}

// recovery waits until every part has been asked and answered rightly for a second, and returns how
// long after undone that began.
func (c *campaign) recovery(undone time.Time) (took time.Duration, ok bool) {
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

// envNumber returns a number from the environment.
func envNumber(t *testing.T, name string, usual int) int {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return usual
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return n
}

// TestFaults breaks things RAZAO_FAULTS times, each kind once before the next time, seeded by RAZAO_SEED, while a server is asked
// questions with known answers; RAZAO_FAULT selects faults by a part of their name.
func TestFaults(t *testing.T) {
	faults, seed := envNumber(t, "RAZAO_FAULTS", 30), envNumber(t, "RAZAO_SEED", 1)
	c := newCampaign(t, seed, envNumber(t, "RAZAO_ROOTS", 3000))
	kinds := slices.DeleteFunc(c.kinds(), func(f fault) bool { return !strings.Contains(f.name, os.Getenv("RAZAO_FAULT")) })
	if len(kinds) == 0 {
		t.Fatalf("RAZAO_FAULT=%s: there is no such fault", os.Getenv("RAZAO_FAULT"))
	}
	began := time.Now()
	counted := c.askedMeanwhile(func() {
		for _, name := range []string{"index build", "loads prune"} {
			c.complete(command{name, strings.Fields(name), ""})
		}
		for path := range c.paths() {
			name, _ := shape(path)
			c.shapes[name] = true
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
	t.Logf("seed %d: %d faults in %.0f s, recovery in %.1f s at most; %d walks to their end, %d ended by 409; killed: %v; of all questions %+v", seed, faults,
		time.Since(began).Seconds(), c.slowest.Seconds(), counted.walks, counted.changed, c.killed, counted.count)
	for _, line := range panics(c.nodeLog.String()) {
		t.Errorf("the server's log: %.1500s", line)
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
	for log, want := range map[string]int{
		"fatal error: runtime: cannot allocate memory\n":                          0,
		"fatal error: " + request + "runtime: cannot allocate memory\n":           0,
		"fatal error: " + request + request + "runtime: cannot allocate memory\n": 0,
		"fatal error: " + another + "runtime: cannot allocate memory\n":           1,
		"fatal error: concurrent map writes\n":                                    1,
		"fatal error: " + request + "concurrent map writes\n" + another:           2,
		"fatal error: " + request:                                                 1,
	} {
		if got := panics(log); len(got) != want {
			t.Errorf("%q: %q", log, got)
		}
	}
}
