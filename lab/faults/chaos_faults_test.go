//go:build linux

package faults

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sys/unix"

	"razao/internal/store/registry"
	"razao/lab/internal/chaos"
)

// indexSettling is how long search may still be refused after an index is whole again: the server tries again with growing pauses,
// of half a minute at the most (docs/serving.md).
const indexSettling = recovered

// kinds are the faults. What each breaks is what may be refused meanwhile, and nothing else.
func (c *chaosRun) kinds() []fault {
	const database = chaos.Reading | chaos.Writing
	all := []fault{
		{"PostgreSQL gone", database, settling, c.gone},
		{"PostgreSQL restarted", database, settling, c.restarted},
		{"PostgreSQL frozen", database, settling, c.frozen},
		{"PostgreSQL slow", database, settling, c.slow},
		{"connections reset", database, settling, c.resets},
		{"out of connections", database, settling, c.outOfConnections},
		{"read-only", chaos.Writing, settling, c.readOnly},
		{"records of a source locked", chaos.Records, settling, c.recordsLocked},
		{"index missing", chaos.Index, indexSettling, c.indexMissing},
		{"index damaged", chaos.Index, indexSettling, c.indexDamaged},
		{"index shrinking", chaos.Index, indexSettling, c.indexShrinking},
		{"mail server down", chaos.Mail, settling, c.mailDown},
		{"OpenID provider down", chaos.Issuer, settling, c.issuerDown},
		{"loads switched", 0, 0, c.switched},
		{"loads switched", 0, 0, c.switched}, // the most likely in a service's life, in many ways
		{"node killed", chaos.Process, settling, c.killed},
		{"memory limit", chaos.Process, settling, c.memoryLimit},
	}
	if c.disk != nil {
		all = append(all, fault{"disk full", database, settling, c.diskFull})
	}
	if c.postgres.HasClock() {
		all = append(all, fault{"clock of PostgreSQL jumps", chaos.Clock, settling, c.clockJumps})
	} else {
		c.p.T.Log("libfaketime is not installed: the clock of PostgreSQL does not jump")
	}
	return all
}

func (c *chaosRun) coin() bool { return c.random.IntN(2) == 0 }

func (c *chaosRun) gone() func() {
	c.postgres.Stop(syscall.SIGQUIT)
	c.last()
	return c.postgres.Start
}

func (c *chaosRun) restarted() func() {
	c.postgres.Stop(syscall.SIGINT)
	return c.postgres.Start
}

func (c *chaosRun) frozen() func() {
	c.postgres.Signal(syscall.SIGSTOP)
	c.last()
	return func() { c.postgres.Signal(syscall.SIGCONT) }
}

func (c *chaosRun) slow() func() {
	c.database.Slow(time.Duration(50+c.random.IntN(1500)) * time.Millisecond)
	c.last()
	return func() { c.database.Slow(0) }
}

func (c *chaosRun) resets() func() {
	refuse := c.coin()
	c.database.Refuse(refuse)
	for range 3 {
		c.database.Cut()
		time.Sleep(300 * time.Millisecond)
	}
	return func() { c.database.Refuse(false) }
}

// admin runs statements on a connection of the test's own, beside all faults but those of PostgreSQL itself.
func (c *chaosRun) admin(statements ...string) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	conn, err := pgx.Connect(ctx, chaos.DSN(c.postgres.Addr())+"&default_transaction_read_only=off")
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }()
	for _, statement := range statements {
		if _, err := conn.Exec(ctx, statement); err != nil {
			return fmt.Errorf("%s: %w", statement, err)
		}
	}
	return nil
}

func (c *chaosRun) mustAdmin(statements ...string) {
	c.p.T.Helper()
	if err := c.admin(statements...); err != nil {
		c.p.T.Fatal(err)
	}
}

// readOnly is what a node sees of PostgreSQL after a failover to a standby. Where the clock can be set it is half a day ahead, so that
// there is bookkeeping of sessions to do.
func (c *chaosRun) readOnly() func() {
	c.mustAdmin(`ALTER SYSTEM SET default_transaction_read_only = on`, `SELECT pg_reload_conf()`)
	if c.postgres.HasClock() {
		c.postgres.SetClock(14 * time.Hour)
		time.Sleep(time.Second) // it is read every second
	}
	c.last()
	return func() {
		c.postgres.SetClock(0)
		time.Sleep(2 * time.Second)
		c.mustAdmin(`ALTER SYSTEM RESET default_transaction_read_only`, `SELECT pg_reload_conf()`)
	}
}

// recordsLocked locks the tables of a source, so that its records cannot be read in time and everything else can.
func (c *chaosRun) recordsLocked() func() {
	source := []string{ceis, bndes}[c.random.IntN(2)]
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	conn, err := pgx.Connect(ctx, chaos.DSN(c.postgres.Addr()))
	if err != nil {
		c.p.T.Fatal(err)
	}
	const lock = `
		DO $$ DECLARE name text; BEGIN
			FOR name IN SELECT format('%%I.%%I', schemaname, tablename) FROM pg_tables WHERE schemaname = 'load_%06d' LOOP
				EXECUTE 'LOCK TABLE ' || name || ' IN ACCESS EXCLUSIVE MODE';
			END LOOP;
		END $$`
	if _, err := conn.Exec(ctx, `BEGIN`); err != nil {
		c.p.T.Fatal(err)
	}
	if _, err := conn.Exec(ctx, fmt.Sprintf(lock, c.active()[source].ID)); err != nil {
		c.p.T.Fatal(err)
	}
	c.p.T.Logf("    of %s", source)
	time.Sleep(8 * time.Second) // longer than any deadline
	return func() { _ = conn.Close(ctx); cancel() }
}

// outOfConnections takes all connections that are free, and those that the server loses.
func (c *chaosRun) outOfConnections() func() {
	ctx, cancel := context.WithCancel(context.Background())
	var taken []*pgx.Conn
	var taking sync.WaitGroup
	taking.Go(func() {
		for ctx.Err() == nil {
			if conn, err := pgx.Connect(ctx, chaos.DSN(c.postgres.Addr())); err == nil {
				taken = append(taken, conn)
			} else {
				time.Sleep(2 * time.Millisecond)
			}
		}
	})
	time.Sleep(500 * time.Millisecond)
	c.database.Cut()
	c.last()
	return func() {
		cancel()
		taking.Wait()
		for _, conn := range taken {
			_ = conn.Close(context.Background())
		}
	}
}

// index is the folder of the index in service.
func (c *chaosRun) index() chaos.Folder {
	store := registry.NewStore(c.pool)
	id, err := store.CurrentID(c.p.T.Context())
	if err != nil {
		c.p.T.Fatal(err)
	}
	s, err := store.Snapshot(c.p.T.Context(), id)
	if err != nil {
		c.p.T.Fatal(err)
	}
	return chaos.Folder(filepath.Join(c.p.Data, "index", s.IndexName))
}

func (c *chaosRun) must(undo func() error, err error) func() {
	if err != nil {
		c.p.T.Fatal(err)
	}
	return func() {
		if err := undo(); err != nil {
			c.p.T.Fatal(err)
		}
	}
}

// indexMissing takes the index away from a server that has it open, or that starts without it.
func (c *chaosRun) indexMissing() func() {
	undo := c.must(c.index().Hide())
	if c.coin() {
		c.restartNode()
	}
	c.last()
	c.last() // the server looks at its files every two seconds
	return undo
}

// indexDamaged changes bytes below a server that has them mapped, or in a copy on which it starts.
func (c *chaosRun) indexDamaged() func() {
	inPlace := c.coin()
	what, restore, err := c.index().Flip(c.random, inPlace)
	undo := c.must(restore, err)
	c.p.T.Logf("    changed %s, in place: %t", what, inPlace)
	if !inPlace {
		c.restartNode()
	}
	c.last()
	c.last() // the server looks at its files every two seconds
	return undo
}

func (c *chaosRun) indexShrinking() func() {
	what, restore, err := c.index().Shrink(c.random)
	undo := c.must(restore, err)
	c.p.T.Logf("    cut %s", what)
	c.last()
	c.last() // the server looks at its files every two seconds
	return undo
}

// mailDown lets somebody ask for a link while the mail server hangs or refuses; the mail arrives once it is back.
func (c *chaosRun) mailDown() func() {
	if c.coin() {
		c.mail.Hang(true)
	} else {
		c.mail.Refuse(true)
		c.mail.Cut()
	}
	c.visitors++
	email := fmt.Sprintf("visita%d@exemplo.com.br", c.visitors)
	resp, err := c.form("/auth/magic-link", url.Values{"email": {email}})
	if err != nil || resp.StatusCode != http.StatusSeeOther {
		c.p.T.Errorf("a link is refused while the mail server is down: %v, %v", resp, err)
	}
	c.last()
	return func() {
		c.mail.Refuse(false)
		c.mail.Hang(false)
		c.awaited = func() bool {
			select {
			case <-c.mails.Box(email):
				return true
			case <-time.After(recovered):
				c.p.T.Errorf("the mail to %s did not arrive", email)
				return false
			}
		}
	}
}

func (c *chaosRun) issuerDown() func() {
	if c.coin() {
		c.issuer.Hang(true)
	} else {
		c.issuer.Refuse(true)
		c.issuer.Cut()
	}
	if c.coin() { // before it has ever reached the provider
		c.restartNode()
	}
	c.last()
	return func() { c.issuer.Refuse(false); c.issuer.Hang(false) }
}

// switched runs commands that put other loads into service, or delete some. Nothing may fail meanwhile.
func (c *chaosRun) switched() func() {
	for range 3 {
		op := c.operation()
		c.p.T.Logf("    razao %s", strings.Join(op.args, " "))
		c.complete(op)
	}
	return func() {}
}

func (c *chaosRun) killed() func() {
	c.node.Kill()
	if c.coin() {
		time.Sleep(time.Second)
	}
	return c.startNode
}

// memoryLimit lets the server have no more memory than it has, and asks much at once. The kernel, or the runtime, may end it; it is
// started again, as service managers do.
func (c *chaosRun) memoryLimit() func() {
	pid := c.node.PID()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		c.p.T.Fatal(err)
	}
	_, text, _ := strings.Cut(string(status), "VmData:")
	kilobytes, err := strconv.ParseUint(strings.Fields(text)[0], 10, 64)
	if err != nil {
		c.p.T.Fatal(err)
	}
	limit := unix.Rlimit{Cur: kilobytes << 10, Max: unix.RLIM_INFINITY}
	if err := unix.Prlimit(pid, unix.RLIMIT_DATA, &limit, nil); err != nil {
		c.p.T.Fatal(err)
	}
	var burst sync.WaitGroup
	for i := range 4 * len(c.questions) {
		burst.Go(func() { c.ask(&c.questions[i%len(c.questions)]) })
	}
	burst.Wait()
	return func() {
		none := unix.Rlimit{Cur: unix.RLIM_INFINITY, Max: unix.RLIM_INFINITY}
		goesOn := c.node.Alive() && unix.Prlimit(pid, unix.RLIMIT_DATA, &none, nil) == nil && c.answers()
		c.p.T.Logf("    it went on: %t", goesOn)
		if !goesOn {
			c.restartNode()
		}
	}
}

// answers reports whether the server answers anything at all. A process that writes the stacks of its goroutines before it ends is
// alive, but does not.
func (c *chaosRun) answers() bool {
	client := http.Client{Timeout: 2 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	answer, err := client.Get("http://" + c.p.Addr + "/robots.txt")
	if err != nil {
		return false
	}
	return answer.Body.Close() == nil
}

// diskFull leaves no room on the disk of PostgreSQL and the indexes; half of the times PostgreSQL needs some at once, and panics.
func (c *chaosRun) diskFull() func() {
	c.disk.Resize(c.disk.Used())
	if c.coin() {
		for range 1000 { // segments of its log (WAL) that were made before are used up first
			if err := c.admin(`SELECT pg_logical_emit_message(true, '', ''), pg_switch_wal()`); err != nil {
				break
			}
		}
	}
	c.last()
	return func() {
		c.disk.Resize(chaos.Roomy)
		time.Sleep(100 * time.Millisecond) // it may be about to end
		c.postgres.Start()
	}
}

// clockJumps moves PostgreSQL's clock by up to half a day, to either side. Nothing depends on it but when things expire: a sign-in that
// has begun before its clock goes forward is over, and begins again.
func (c *chaosRun) clockJumps() func() {
	jump := time.Duration(c.random.IntN(12*3600)) * time.Second
	if c.coin() {
		jump = -jump
	}
	c.p.T.Logf("    by %s", jump)
	c.postgres.SetClock(jump)
	c.last()
	return func() { c.postgres.SetClock(0) }
}
