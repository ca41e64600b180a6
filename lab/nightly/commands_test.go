//go:build linux

package nightly

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io/fs"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	"razao/internal/store/registry"
)

// command is a command that changes loads.
type command struct {
	name  string
	args  []string
	moves string // the source whose period may change; "": none
}

// draw draws a command.
func (c *campaign) draw() command {
	switch name := []string{
		"ingest receita", "ingest receita", "ingest receita", "ingest ceis", "ingest bndes", "index build",
		"loads rollback receita", "loads rollback bndes", "loads activate", "loads prune", "loads prune",
	}[c.random.IntN(11)]; name {
	case "ingest receita", "ingest ceis", "ingest bndes":
		return c.loading(strings.Fields(name)[1])
	case "loads rollback receita", "loads rollback bndes":
		return command{name, strings.Fields(name), strings.Fields(name)[2]}
	case "loads activate":
		loads := c.ready()
		l := loads[c.random.IntN(len(loads))]
		return command{name, []string{"loads", "activate", fmt.Sprint(l.ID)}, l.Source}
	default:
		return command{name, strings.Fields(name), ""}
	}
}

// loading is the command that loads the other period of a source.
func (c *campaign) loading(source string) command {
	return command{"ingest " + source, c.ingest(source, c.other(source)), source}
}

func (c *campaign) ready() []registry.Load {
	loads, err := registry.NewStore(c.pool).Loads(c.p.T.Context())
	if err != nil {
		c.p.T.Fatal(err)
	}
	return slices.DeleteFunc(loads, func(l registry.Load) bool { return l.State != registry.LoadReady })
}

// running is a command in progress with its log.
type running struct {
	cmd   *exec.Cmd
	began time.Time
	lines chan string // closed at its end
	log   []string
	at    []time.Duration // of each line
}

func (c *campaign) begin(op command) *running {
	c.expect(op.moves)
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

// end waits for the end of the command, and kills it if it does not come in time.
func (r *running) end(most time.Duration) syscall.WaitStatus {
	r.until(-1, time.After(most))
	_ = r.cmd.Process.Kill() // it has ended, or hangs
	_ = r.cmd.Wait()
	return r.cmd.ProcessState.Sys().(syscall.WaitStatus)
}

// stage describes the last log line of the command.
func (r *running) stage() string {
	var last struct{ Msg, Stage, Kind string }
	if len(r.log) > 0 {
		_ = json.Unmarshal([]byte(r.log[len(r.log)-1]), &last) // an error is text
	}
	return strings.TrimSpace("after " + cmp.Or(last.Stage, strings.TrimSpace(last.Msg+" "+last.Kind), "start"))
}

// complete runs a command undisturbed, requires it to succeed and records its profile.
func (c *campaign) complete(op command) {
	t := c.p.T
	r := c.begin(op)
	r.until(-1, nil)
	if err := r.cmd.Wait(); err != nil {
		t.Fatalf("razao %s, undisturbed: %v\n%s", strings.Join(op.args, " "), err, strings.Join(r.log, "\n"))
	}
	c.profiles[op.name] = append(r.at, time.Since(r.began))
	c.settle()
}

// reach starts a command and returns at a random moment of a random stage, each stage with the same probability.
func (c *campaign) reach() (op command, r *running) {
	op = c.draw()
	for c.profiles[op.name] == nil {
		c.complete(op)
		op = c.draw() // what it did may not be possible twice
	}
	profile := c.profiles[op.name]
	stage := c.random.IntN(len(profile))
	length := profile[stage]
	if stage > 0 {
		length -= profile[stage-1]
	}
	wait := time.Duration(c.random.Int64N(int64(length) + 1))
	r = c.begin(op)
	if r.until(stage, nil) {
		r.until(-1, time.After(wait))
	}
	return op, r
}

// commandKilled kills three commands, each at a random moment; one that had ended has ended well.
func (c *campaign) commandKilled() func() {
	for range 3 {
		op, r := c.reach()
		what := op.name + ", " + r.stage()
		_ = r.cmd.Process.Kill() // it may have just ended
		if status := r.end(time.Minute); status.Signaled() {
			c.killed[what]++
		} else if status.ExitStatus() != 0 {
			c.p.T.Errorf("%s: exit code %d\n%s", what, status.ExitStatus(), strings.Join(r.log, "\n"))
		}
		c.settle()
	}
	c.tidy()
	return func() {}
}

// postgresKilled ends PostgreSQL, without a checkpoint, at a random moment of a command, which must notice.
func (c *campaign) postgresKilled() func() {
	op, r := c.reach()
	what := "PostgreSQL during " + op.name + ", " + r.stage()
	c.postgres.stop(syscall.SIGQUIT)
	if r.end(time.Minute).Signaled() {
		c.p.T.Errorf("%s: it went on for a minute\n%s", what, strings.Join(r.log, "\n"))
	}
	c.killed[what]++
	c.afterwards = func() { c.settle(); c.tidy() }
	return c.postgres.start
}

// loadOnAFullDisk lets a load run out of disk at a random byte. It must fail, say why, and change nothing, not even answers unless
// PostgreSQL cannot write its log.
func (c *campaign) loadOnAFullDisk() func() {
	t := c.p.T
	if c.needed == 0 {
		before := c.disk.used()
		c.needed = c.disk.most(func() { c.complete(c.loading(registry.Receita)) }) - before
	}
	room := c.random.Int64N(c.needed * 9 / 10)
	logged, failed, month := len(c.postgres.log()), c.counted().Expected, c.served()[registry.Receita][0]
	c.disk.resize(c.disk.used() + room)
	r := c.begin(c.loading(registry.Receita))
	status := r.end(2 * time.Minute)
	c.disk.resize(roomy)
	message, panicked := strings.Join(r.log, "\n"), strings.Contains(c.postgres.log()[logged:], "PANIC")
	t.Logf("    %d of %d bytes (PostgreSQL panicked: %t): %.300s", room, c.needed, panicked, r.log[len(r.log)-1])
	if status.ExitStatus() != 1 || !panicked && !strings.Contains(message, "the disk is full: make room") {
		t.Errorf("with %d bytes: exit code %d, %s", room, status.ExitStatus(), message)
	}
	if n := c.counted().Expected - failed; n > 0 && !panicked {
		t.Errorf("with %d bytes: %d questions failed beside a PostgreSQL that goes on", room, n)
	}
	c.afterwards = func() {
		c.settle()
		if now := c.served()[registry.Receita][0]; now != month {
			t.Errorf("with %d bytes: %s is served, of a load that failed", room, now)
		}
		c.tidy()
	}
	return c.roomAgain
}

// roomAgain gives the disk its room back, and starts a PostgreSQL that has ended without.
func (c *campaign) roomAgain() {
	c.disk.resize(roomy)
	time.Sleep(100 * time.Millisecond) // it may be about to end
	c.postgres.start()
}

// tidy runs one more load to its end and checks that nothing of those that failed is left: schemas, folders and files without a ready load,
// paths of a shape that did not exist before, loads that nobody needs.
func (c *campaign) tidy() {
	t := c.p.T
	c.complete(c.loading([]string{registry.Receita, ceis, bndes}[c.random.IntN(3)]))
	c.p.Must("loads", "prune")
	if out := c.p.Must("loads"); strings.Contains(out, "used by nothing") || strings.Contains(out, "  loading  ") {
		t.Errorf("after a prune:\n%s", out)
	}
	var schemas, wanted, indexes []string
	const query = `SELECT array_agg(nspname::text ORDER BY nspname) FROM pg_namespace WHERE nspname LIKE 'load%'`
	if err := c.pool.QueryRow(t.Context(), query).Scan(&schemas); err != nil {
		t.Fatal(err)
	}
	ready, ids := c.ready(), map[string]bool{}
	needed := neededOf(ready)
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
		if !c.shapes[name] {
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

// paths returns the paths below the data folder and the temporary folder.
func (c *campaign) paths() map[string]bool {
	all := map[string]bool{}
	for _, root := range []string{c.p.Data, c.temporary} {
		err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			path, err = filepath.Rel(root, path)
			if e.Name() != ".verified.json" { // written by servers, when they have time
				all[path] = true
			}
			return err
		})
		if err != nil {
			c.p.T.Fatal(err)
		}
	}
	return all
}
