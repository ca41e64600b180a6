//go:build linux

package nightly

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sys/unix"

	"razao/internal/store/registry"
)

// indexSettling is how long search may still be refused after an index is whole again: the server tries again with growing pauses,
// of half a minute at the most (docs/serving.md).
const indexSettling = recovered

// kinds are the faults. What each breaks is what may be refused meanwhile, and nothing else.
func (c *campaign) kinds() []fault {
	const database = partReading | partWriting
	all := []fault{
		{"PostgreSQL gone", database, settling, c.gone},
		{"PostgreSQL restarted", database, settling, c.restarted},
		{"PostgreSQL frozen", database, settling, c.frozen},
		{"PostgreSQL slow", database, settling, c.slow},
		{"connections reset", database, settling, c.resets},
		{"out of connections", database, settling, c.outOfConnections},
		{"read-only", partWriting, settling, c.readOnly},
		{"records of a source locked", partRecords, settling, c.recordsLocked},
		{"index missing", partIndex, indexSettling, c.indexMissing},
		{"index damaged", partIndex, indexSettling, c.indexDamaged},
		{"index shrinking", partIndex, indexSettling, c.indexShrinking},
		{"loads switched", 0, 0, c.switched},
		{"loads switched", 0, 0, c.switched}, // the most likely in a service's life, in many ways
		{"command killed", 0, 0, c.commandKilled},
		{"PostgreSQL killed during a command", database, settling, c.postgresKilled},
		{"node killed", partProcess, settling, c.nodeKilled},
		{"memory limit", partProcess, settling, c.memoryLimit},
	}
	if c.disk != nil {
		all = append(all, fault{"disk full", database, settling, c.diskFull}, fault{"disk full during a load", database, settling, c.loadOnAFullDisk})
	}
	if c.postgres.hasClock() {
		all = append(all, fault{"clock of PostgreSQL jumps", 0, 0, c.clockJumps})
	} else {
		c.p.T.Log("libfaketime is not installed: the clock of PostgreSQL does not jump")
	}
	return all
}

func (c *campaign) coin() bool { return c.random.IntN(2) == 0 }

func (c *campaign) gone() func() {
	c.postgres.stop(syscall.SIGQUIT)
	c.last()
	return c.postgres.start
}

func (c *campaign) restarted() func() {
	c.postgres.stop(syscall.SIGINT)
	return c.postgres.start
}

func (c *campaign) frozen() func() {
	c.postgres.signal(syscall.SIGSTOP)
	c.last()
	return func() { c.postgres.signal(syscall.SIGCONT) }
}

func (c *campaign) slow() func() {
	c.database.slow(time.Duration(50+c.random.IntN(1500)) * time.Millisecond)
	c.last()
	return func() { c.database.slow(0) }
}

func (c *campaign) resets() func() {
	refuse := c.coin()
	c.database.refuse(refuse)
	for range 3 {
		c.database.cut()
		time.Sleep(300 * time.Millisecond)
	}
	return func() { c.database.refuse(false) }
}

// admin runs statements on a connection of the test's own, beside all faults but those of PostgreSQL itself.
func (c *campaign) admin(statements ...string) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	conn, err := pgx.Connect(ctx, dsnAt(c.postgres.addr())+"&default_transaction_read_only=off")
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

func (c *campaign) mustAdmin(statements ...string) {
	c.p.T.Helper()
	if err := c.admin(statements...); err != nil {
		c.p.T.Fatal(err)
	}
}

// readOnly is what a node sees of PostgreSQL after a failover to a standby. Where the clock can be set it is half a day ahead, so that
// there is bookkeeping of sessions to do.
func (c *campaign) readOnly() func() {
	c.mustAdmin(`ALTER SYSTEM SET default_transaction_read_only = on`, `SELECT pg_reload_conf()`)
	if c.postgres.hasClock() {
		c.postgres.setClock(14 * time.Hour)
		time.Sleep(time.Second) // it is read every second
	}
	c.last()
	return func() {
		c.postgres.setClock(0)
		time.Sleep(2 * time.Second)
		c.mustAdmin(`ALTER SYSTEM RESET default_transaction_read_only`, `SELECT pg_reload_conf()`)
	}
}

// recordsLocked locks the tables of a source, so that its records cannot be read in time and everything else can.
func (c *campaign) recordsLocked() func() {
	source := []string{ceis, bndes}[c.random.IntN(2)]
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	conn, err := pgx.Connect(ctx, dsnAt(c.postgres.addr()))
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
func (c *campaign) outOfConnections() func() {
	ctx, cancel := context.WithCancel(context.Background())
	var taken []*pgx.Conn
	var taking sync.WaitGroup
	taking.Go(func() {
		for ctx.Err() == nil {
			if conn, err := pgx.Connect(ctx, dsnAt(c.postgres.addr())); err == nil {
				taken = append(taken, conn)
			} else {
				time.Sleep(2 * time.Millisecond)
			}
		}
	})
	time.Sleep(500 * time.Millisecond)
	c.database.cut()
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
func (c *campaign) index() string {
	store := registry.NewStore(c.pool)
	id, err := store.CurrentID(c.p.T.Context())
	if err != nil {
		c.p.T.Fatal(err)
	}
	s, err := store.Snapshot(c.p.T.Context(), id)
	if err != nil {
		c.p.T.Fatal(err)
	}
	return filepath.Join(c.p.Data, "index", s.IndexName)
}

// indexMissing takes the index away from a server that has it open, or that starts without it.
func (c *campaign) indexMissing() func() {
	dir, hidden := c.index(), filepath.Join(c.p.Data, "hidden")
	c.must(os.Rename(dir, hidden))
	if c.coin() {
		c.restartNode()
	}
	c.lastOfIndex()
	return func() { c.must(os.Rename(hidden, dir)) }
}

// lastOfIndex is last for a server that looks at its files every two seconds.
func (c *campaign) lastOfIndex() {
	c.last()
	c.last()
}

// flipped is the number of consecutive bytes that are damaged.
const flipped = 16

// indexDamaged changes bytes below a server that has them mapped, or in a copy on which it starts.
func (c *campaign) indexDamaged() func() {
	path, content := c.indexFile()
	at, inPlace := c.random.IntN(len(content)-flipped+1), c.coin()
	c.p.T.Logf("    %s at %d, in place: %t", filepath.Base(path), at, inPlace)
	damaged := slices.Clone(content[at : at+flipped])
	for i := range damaged {
		damaged[i] ^= 0x55
	}
	if inPlace {
		c.overwrite(path, at, damaged)
		c.lastOfIndex()
		return func() { c.overwrite(path, at, content[at:at+flipped]) }
	}
	whole := path + ".whole"
	c.must(os.Rename(path, whole))
	c.must(os.WriteFile(path, slices.Concat(content[:at], damaged, content[at+flipped:]), 0o600))
	c.restartNode()
	c.lastOfIndex()
	return func() { c.must(os.Rename(whole, path)) }
}

// indexShrinking cuts a file in half: whoever reads the rest of its mapping gets SIGBUS.
func (c *campaign) indexShrinking() func() {
	path, content := c.indexFile()
	half := len(content) / 2
	c.p.T.Logf("    %s", filepath.Base(path))
	c.must(os.Truncate(path, int64(half)))
	c.lastOfIndex()
	return func() { c.overwrite(path, half, content[half:]) }
}

// indexFile draws a file of the index in service.
func (c *campaign) indexFile() (path string, content []byte) {
	var paths []string
	c.must(filepath.WalkDir(c.index(), func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() || strings.HasPrefix(e.Name(), ".") {
			return err
		}
		if info, err := e.Info(); err == nil && info.Size() >= flipped {
			paths = append(paths, path)
		}
		return nil
	}))
	path = paths[c.random.IntN(len(paths))]
	content, err := os.ReadFile(path)
	c.must(err)
	return path, content
}

// overwrite writes bytes into a file, where a process that has it mapped sees them.
func (c *campaign) overwrite(path string, at int, bytes []byte) {
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	c.must(err)
	_, err = file.WriteAt(bytes, int64(at))
	c.must(errors.Join(err, file.Close()))
}

func (c *campaign) must(err error) {
	c.p.T.Helper()
	if err != nil {
		c.p.T.Fatal(err)
	}
}

// switched runs commands that put other loads into service, or delete some. Nothing may fail meanwhile.
func (c *campaign) switched() func() {
	for range 3 {
		op := c.draw()
		c.p.T.Logf("    razao %s", strings.Join(op.args, " "))
		c.complete(op)
	}
	return func() {}
}

func (c *campaign) nodeKilled() func() {
	c.node.Kill()
	if c.coin() {
		time.Sleep(time.Second)
	}
	return c.startNode
}

// memoryLimit lets the server have no more memory than it has, and asks much at once. The kernel, or the runtime, may end it; it is
// started again, as service managers do.
func (c *campaign) memoryLimit() func() {
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
func (c *campaign) answers() bool {
	client := http.Client{Timeout: 2 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}
	answer, err := client.Get("http://" + c.p.Addr + "/robots.txt")
	if err != nil {
		return false
	}
	return answer.Body.Close() == nil
}

// diskFull leaves no room on the disk of PostgreSQL and the indexes; half of the times PostgreSQL needs some at once, and panics.
func (c *campaign) diskFull() func() {
	c.disk.resize(c.disk.used())
	if c.coin() {
		for range 1000 { // segments of its log (WAL) that were made before are used up first
			if err := c.admin(`SELECT pg_logical_emit_message(true, '', ''), pg_switch_wal()`); err != nil {
				break
			}
		}
	}
	c.last()
	return c.roomAgain
}

// clockJumps moves PostgreSQL's clock by up to half a day, to either side. Nothing that is asked depends on it.
func (c *campaign) clockJumps() func() {
	jump := time.Duration(c.random.IntN(12*3600)) * time.Second
	if c.coin() {
		jump = -jump
	}
	c.p.T.Logf("    by %s", jump)
	c.postgres.setClock(jump)
	c.last()
	return func() { c.postgres.setClock(0) }
}
