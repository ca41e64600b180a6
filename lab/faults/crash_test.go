package faults

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"razao/internal/store/registry"
	"razao/internal/testing/fixture"
)

// crash kills commands at random moments and checks what they leave behind.
type crash struct {
	*oracle
	random   *rand.Rand
	profiles map[string][]time.Duration // by operation, undisturbed: times of its log lines and of its end
	where    map[string]int             // kills by operation and stage
	before   map[string]bool            // shapes of the paths below the data folder before the first kill
	kept     []string                   // files without a table, left by a PostgreSQL that was killed
}

// operation is a command that changes loads.
type operation struct {
	name  string
	args  []string
	moves string // the source whose period may change; "": none
}

// operation draws an operation.
func (c *crash) operation() operation {
	switch name := []string{
		"ingest receita", "ingest receita", "ingest receita", "ingest ceis", "ingest bndes", "index build",
		"loads rollback receita", "loads rollback bndes", "loads activate", "loads prune", "loads prune",
	}[c.random.IntN(11)]; name {
	case "ingest receita", "ingest ceis", "ingest bndes":
		source := strings.Fields(name)[1]
		return operation{name, c.ingest(source, c.other(source)), source}
	case "loads rollback receita", "loads rollback bndes":
		return operation{name, strings.Fields(name), strings.Fields(name)[2]}
	case "loads activate":
		loads := c.ready()
		l := loads[c.random.IntN(len(loads))]
		return operation{name, []string{"loads", "activate", fmt.Sprint(l.ID)}, l.Source}
	default:
		return operation{name, strings.Fields(name), ""}
	}
}

func (c *crash) ready() (ready []registry.Load) {
	loads, err := registry.NewStore(c.pool).Loads(c.p.T.Context())
	if err != nil {
		c.p.T.Fatal(err)
	}
	for _, l := range loads {
		if l.State == registry.LoadReady {
			ready = append(ready, l)
		}
	}
	return ready
}

// running is a command in progress with its log.
type running struct {
	cmd   *exec.Cmd
	began time.Time
	lines chan string // closed at its end
	log   []string
	at    []time.Duration // of each line
}

func (c *crash) begin(op operation) *running {
	r := &running{cmd: c.p.Command(op.args...), lines: make(chan string)}
	stderr, err := r.cmd.StderrPipe()
	if err != nil {
		c.p.T.Fatal(err)
	}
	r.began = time.Now()
	if err := r.cmd.Start(); err != nil {
		c.p.T.Fatal(err)
	}
	go func() {
		defer close(r.lines)
		for s := bufio.NewScanner(stderr); s.Scan(); {
			r.lines <- s.Text()
		}
	}()
	return r
}

// until reads n lines of the log, or all for n < 0, until a moment at the latest. It returns false
// when the log has ended.
func (r *running) until(n int, moment <-chan time.Time) bool {
	for n != 0 {
		select {
		case line, more := <-r.lines:
			if !more {
				return false
			}
			r.log, r.at = append(r.log, line), append(r.at, time.Since(r.began))
			n--
		case <-moment:
			return true
		}
	}
	return true
}

// stage describes the last log line of the command.
func (r *running) stage() string {
	var last struct{ Msg, Stage, Kind string }
	if len(r.log) > 0 {
		_ = json.Unmarshal([]byte(r.log[len(r.log)-1]), &last) // an error is text
	}
	return strings.TrimSpace("after " + cmp.Or(last.Stage, strings.TrimSpace(last.Msg+" "+last.Kind), "start"))
}

// complete runs an operation undisturbed, requires it to succeed and records its profile.
func (c *crash) complete(op operation) {
	t := c.p.T
	c.expect(op.moves)
	r := c.begin(op)
	r.until(-1, nil)
	if err := r.cmd.Wait(); err != nil {
		t.Fatalf("razao %s, undisturbed: %v\n%s", strings.Join(op.args, " "), err, strings.Join(r.log, "\n"))
	}
	c.profiles[op.name] = append(r.at, time.Since(r.began))
	c.settle()
}

// strike starts an operation and kills it, or PostgreSQL, at a random moment of a random stage,
// each stage with the same probability. It returns false if the operation ended first.
func (c *crash) strike(op operation, postgres bool) bool {
	t := c.p.T
	profile := c.profiles[op.name]
	stage := c.random.IntN(len(profile))
	length := profile[stage]
	if stage > 0 {
		length -= profile[stage-1]
	}
	wait := time.Duration(c.random.Int64N(int64(length) + 1))

	c.expect(op.moves)
	r := c.begin(op)
	if r.until(stage, nil) {
		r.until(-1, time.After(wait))
	}
	what := op.name + ", " + r.stage()
	killed := 0 // the postmaster
	if postgres {
		what = "PostgreSQL during " + what
		c.outage()
		killed = c.p.Postmaster()
		if err := syscall.Kill(killed, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
	} else {
		_ = r.cmd.Process.Kill() // it may have just ended
	}
	r.until(-1, time.After(time.Minute))
	_ = r.cmd.Process.Kill()
	_ = r.cmd.Wait()
	if postgres {
		// Backends answer until they notice that their postmaster is gone. The next postmaster
		// cannot start before they have ended.
		fixture.Wait(t, "PostgreSQL to be back", func() bool {
			pid, err := c.p.RunningPostmaster()
			return err == nil && pid != killed
		})
	}
	c.settle()
	status := r.cmd.ProcessState.Sys().(syscall.WaitStatus)
	if postgres {
		if status.Signaled() {
			t.Errorf("%s: it went on for a minute after PostgreSQL was killed\n%s", what, strings.Join(r.log, "\n"))
		}
	} else if !status.Signaled() {
		if code := status.ExitStatus(); code != 0 {
			t.Errorf("%s: exit code %d\n%s", what, code, strings.Join(r.log, "\n"))
		}
		return false
	}
	c.where[what]++
	return true
}

// recover runs one more load to its end and checks that nothing of the killed ones is left.
func (c *crash) recover() {
	t := c.p.T
	source := []string{registry.Receita, ceis, bndes}[c.random.IntN(3)]
	c.complete(operation{"ingest " + source, c.ingest(source, c.other(source)), source})
	c.p.Must("loads", "prune")
	if out := c.p.Must("loads"); strings.Contains(out, "used by nothing") || strings.Contains(out, "  loading  ") {
		t.Errorf("after a prune:\n%s", out)
	}
	c.compare()
}

// remember records the shapes of all paths before the first kill.
func (c *crash) remember() {
	for path := range c.paths() {
		name, _ := shape(path)
		c.before[name] = true
	}
}

// compare fails the test for schemas, folders and files without a ready load, and for paths of a
// shape that did not exist before the first kill.
func (c *crash) compare() {
	t := c.p.T
	var schemas, wanted, indexes []string
	const query = `SELECT array_agg(nspname::text ORDER BY nspname) FROM pg_namespace WHERE nspname LIKE 'load%'`
	if err := c.pool.QueryRow(t.Context(), query).Scan(&schemas); err != nil {
		t.Fatal(err)
	}
	ready := c.ready()
	needed := neededOf(ready)
	ids := map[string]bool{}
	for _, l := range ready {
		name := fmt.Sprintf("%06d", l.ID)
		ids[name] = true
		wanted = append(wanted, "load_"+name)
		if !needed[l.ID] {
			t.Errorf("load %d of %s (edition %d, linked to %d, served at %v) is one too many", l.ID, l.Source, l.Edition, l.LinkedTo, l.ServedAt)
		}
	}
	if slices.Sort(wanted); !slices.Equal(schemas, wanted) {
		t.Errorf("schemas %v, of ready loads are %v", schemas, wanted)
	}
	for path := range c.paths() {
		name, number := shape(path)
		if !c.before[name] {
			t.Errorf("%s was left behind", path)
		}
		if number != "" && !ids[number] {
			t.Errorf("%s belongs to no ready load", path)
		}
		if filepath.Dir(path) == "index" {
			indexes = append(indexes, path)
		}
	}
	if len(indexes) > 2 {
		t.Errorf("more indexes than that in service and the former: %v", indexes)
	}
	if files := c.orphans(); len(files) > 0 && c.now().outages == 0 {
		t.Errorf("PostgreSQL keeps files that no table has: %v", files)
	} else if len(files) > 0 { // it does not clean up after its own crash: docs/reliability.md
		c.kept = files
	}
}

// neededOf returns the loads that an operator is promised: of each source the one in service, the one
// served before it, which servers may not have left yet, and the one before it of another edition, to
// which a rollback goes; of BNDES also the one that goes with the companies of a rollback.
func neededOf(ready []registry.Load) map[int64]bool {
	needed := map[int64]bool{}
	former := map[string]*registry.Load{}
	for _, now := range ready {
		if !now.Active {
			continue
		}
		var before *registry.Load
		for i := range ready {
			l := &ready[i]
			if l.Source != now.Source || l.Active || l.ServedAt == nil {
				continue
			}
			if before == nil || l.ServedAt.After(*before.ServedAt) {
				before = l
			}
			if f := former[now.Source]; l.Edition != now.Edition && (f == nil || l.ServedAt.After(*f.ServedAt)) {
				former[now.Source] = l
			}
		}
		for _, l := range []*registry.Load{&now, before, former[now.Source]} {
			if l != nil {
				needed[l.ID] = true
			}
		}
	}
	for _, l := range ready {
		companies := former[registry.Receita]
		sameEdition := func(now registry.Load) bool { return now.Active && now.Source == bndes && now.Edition == l.Edition }
		if companies != nil && l.Source == bndes && l.LinkedTo == companies.ID && slices.ContainsFunc(ready, sameEdition) {
			needed[l.ID] = true
		}
	}
	return needed
}

var (
	loadNumber = regexp.MustCompile(`\d{6,}`)
	serial     = regexp.MustCompile(`-\d+\b|\d{12}`)
)

// shape returns a path with its numbers removed, and the load that it names last.
func shape(path string) (name, load string) {
	for part := range strings.SplitSeq(path, "/") {
		if n := loadNumber.FindString(part); len(n) == 6 {
			load = n
		}
	}
	name = serial.ReplaceAllString(loadNumber.ReplaceAllString(path, "N"), "")
	return name, load
}

// paths returns the paths below the data folder and the temporary folder, except PostgreSQL's own.
func (c *crash) paths() map[string]bool {
	t := c.p.T
	all := map[string]bool{}
	temporary := strings.TrimPrefix(c.p.Settings[1], "TMPDIR=")
	for _, root := range []string{c.p.Data, temporary} {
		err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if e.Name() == "cluster" {
				return fs.SkipDir
			}
			path, err = filepath.Rel(root, path)
			if e.Name() != ".verified.json" { // written by servers, when they have time
				all[path] = true
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// orphans returns the data files of PostgreSQL that belong to no table.
func (c *crash) orphans() (files []string) {
	t := c.p.T
	var database uint32
	var nodes []int64
	if _, err := c.pool.Exec(t.Context(), `CHECKPOINT`); err != nil { // deletes those of dropped tables
		t.Fatal(err)
	}
	const query = `
		SELECT (SELECT oid FROM pg_database WHERE datname = current_database()), array_agg(pg_relation_filenode(oid)::bigint)
		FROM pg_class WHERE pg_relation_filenode(oid) IS NOT NULL`
	if err := c.pool.QueryRow(t.Context(), query).Scan(&database, &nodes); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(filepath.Join(c.p.Data, "postgres/cluster/base", fmt.Sprint(database)))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		node, err := strconv.ParseInt(regexp.MustCompile(`^\d+`).FindString(e.Name()), 10, 64)
		if info, gone := e.Info(); err == nil && gone == nil && info.Size() > 0 && !slices.Contains(nodes, node) {
			files = append(files, e.Name())
		}
	}
	return files
}

// envNumber returns a number from the environment.
func envNumber(t *testing.T, name string, usual int) int {
	t.Helper()
	n, err := strconv.Atoi(cmp.Or(os.Getenv(name), fmt.Sprint(usual)))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return n
}

// TestKilledAtAnyMoment kills commands and PostgreSQL RAZAO_KILLS times, seeded by RAZAO_SEED,
// while a server is asked questions with known answers: `make crash`.
func TestKilledAtAnyMoment(t *testing.T) {
	t.Parallel()
	kills, seed := envNumber(t, "RAZAO_KILLS", 0), envNumber(t, "RAZAO_SEED", 1)
	if kills == 0 {
		t.Skip("it takes minutes: `make crash`")
	}
	c := &crash{
		oracle: newOracle(t, envNumber(t, "RAZAO_ROOTS", 3000), ""), random: rand.New(rand.NewPCG(uint64(seed), 0)),
		profiles: map[string][]time.Duration{}, where: map[string]int{}, before: map[string]bool{},
	}
	began := time.Now()
	struck, postgres := 0, 0
	counted := c.askedMeanwhile(func() {
		for name := range map[string]bool{"index build": true, "loads prune": true} {
			c.complete(operation{name, strings.Fields(name), ""})
		}
		c.remember()
		for struck < kills && !t.Failed() {
			op := c.operation()
			if c.profiles[op.name] == nil {
				c.complete(op)
				continue
			}
			below := struck%8 == 3
			if !c.strike(op, below) {
				continue
			}
			if struck++; below {
				postgres++
			}
			if struck%5 == 0 || struck == kills {
				c.recover()
			}
		}
	})
	var table strings.Builder
	for _, what := range slices.Sorted(maps.Keys(c.where)) {
		fmt.Fprintf(&table, "%4d  %s\n", c.where[what], what)
	}
	t.Logf("seed %d: %d kills, of which %d of PostgreSQL, in %.0f s; %d questions: %d wrong answers, %d failed; while PostgreSQL was down %d failed; it keeps %d files of tables that it was writing\n%s",
		seed, struck, postgres, time.Since(began).Seconds(), counted.Asked, counted.Wrong, counted.Refused, counted.Expected, len(c.kept), &table)
}
