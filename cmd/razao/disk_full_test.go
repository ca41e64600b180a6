//go:build linux

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"razao/internal/registry"
)

// mount is a file system of its own, whose size can be changed while it is used.
type mount struct {
	test *testing.T
	dir  string
}

const roomy = 4 << 30 // bytes, of which no more is taken than is written

func newDisk(t *testing.T) *mount {
	t.Helper()
	d := &mount{t, t.TempDir()}
	err := syscall.Mount("tmpfs", d.dir, "tmpfs", 0, fmt.Sprintf("size=%d,mode=755", roomy))
	if errors.Is(err, syscall.EPERM) && os.Getenv("REQUIRE_POSTGRES") != "1" {
		t.Skip("mounting a small file system is not permitted here")
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(d.dir, syscall.MNT_DETACH) })
	return d
}

func (d *mount) resize(bytes int64) {
	d.test.Helper()
	if err := syscall.Mount("tmpfs", d.dir, "tmpfs", syscall.MS_REMOUNT, fmt.Sprintf("size=%d", bytes)); err != nil {
		d.test.Fatal(err)
	}
}

func (d *mount) used() int64 {
	d.test.Helper()
	var s syscall.Statfs_t
	if err := syscall.Statfs(d.dir, &s); err != nil {
		d.test.Fatal(err)
	}
	return int64(s.Blocks-s.Bfree) * s.Bsize
}

// most returns how much is used at the most while do runs.
func (d *mount) most(do func()) (bytes int64) {
	done := make(chan struct{})
	most := make(chan int64)
	go func() {
		often := time.NewTicker(time.Millisecond)
		defer often.Stop()
		peak := d.used()
		for {
			select {
			case <-often.C:
				peak = max(peak, d.used())
			case <-done:
				most <- peak
				return
			}
		}
	}()
	do()
	close(done)
	return <-most
}

// fullDisk is a crash test whose private PostgreSQL, indexes and temporary files share a small disk.
type fullDisk struct {
	*crash
	*mount
}

// attempt loads the other month with so many bytes left. The load must fail, say why, and change nothing; once there is room the
// next one completes, and nothing is left of the first.
func (f *fullDisk) attempt(room int64, before func()) (said string, panicked bool) {
	t := f.p.t
	log := filepath.Join(f.p.data, "postgres/postgres.log")
	logged, failed := len(read(t, log)), f.now().during
	op, month := f.release(), f.served()[registry.Receita][0]
	f.expect(op.moves)
	f.outage() // PostgreSQL panics when it cannot write its log
	f.resize(f.used() + room)
	before()
	r := f.begin(op)
	r.until(-1, time.After(2*time.Minute))
	_ = r.cmd.Process.Kill() // it has ended, or hangs
	_ = r.cmd.Wait()
	f.resize(roomy)
	f.settle()
	panicked = bytes.Contains(read(t, log)[logged:], []byte("PANIC"))
	said = strings.Join(r.log, "\n")
	if code := r.cmd.ProcessState.ExitCode(); code != 1 || !panicked && !strings.Contains(said, "the disk is full: make room") {
		t.Errorf("with %d bytes: exit code %d, said %s", room, code, said)
	}
	if now := f.served()[registry.Receita][0]; now != month {
		t.Errorf("with %d bytes: %s is served, of a load that failed", room, now)
	}
	if n := f.now().during - failed; n > 0 && !panicked {
		t.Errorf("with %d bytes: %d questions failed beside a PostgreSQL that goes on", room, n)
	}
	f.complete(f.release())
	f.p.must("loads", "prune")
	f.compare()
	return r.log[len(r.log)-1], panicked
}

func (f *fullDisk) release() operation {
	return operation{"ingest receita", f.ingest(registry.Receita, f.other(registry.Receita)), registry.Receita}
}

// exhaust makes PostgreSQL write its log (WAL) until it cannot.
func (f *fullDisk) exhaust() {
	for range 1000 { // segments that were made before are used up first
		if _, err := f.pool.Exec(f.p.t.Context(), `SELECT pg_logical_emit_message(true, '', ''), pg_switch_wal()`); err != nil {
			return
		}
	}
	f.p.t.Error("PostgreSQL writes its log to a full disk")
}

// TestDiskFullAtAnyByte lets loads run out of disk at ten places from their first byte to their last, and once PostgreSQL, beside a
// server that is asked.
func TestDiskFullAtAnyByte(t *testing.T) {
	t.Parallel()
	places := int64(envNumber(t, "RAZAO_FULL_DISKS", 0))
	if places == 0 {
		t.Skip("it takes minutes: `make crash`")
	}
	d := newDisk(t)
	f := &fullDisk{mount: d, crash: &crash{
		oracle:   newOracle(t, envNumber(t, "RAZAO_ROOTS", 3000), filepath.Join(d.dir, "data")),
		profiles: map[string][]time.Duration{}, before: map[string]bool{},
	}}
	counted := f.askedMeanwhile(func() {
		f.complete(operation{"index build", []string{"index", "build"}, ""})
		f.complete(f.release())
		before := d.used()
		needed := d.most(func() { f.complete(f.release()) }) - before
		f.remember()
		for i := range places {
			room := needed * (2*i + 1) / (2 * places)
			said, panicked := f.attempt(room, func() {})
			t.Logf("%d of %d bytes (PostgreSQL panicked: %t): %s", room, needed, panicked, said)
		}
		said, panicked := f.attempt(0, f.exhaust)
		if !panicked {
			t.Error("PostgreSQL did not panic without its log")
		}
		t.Logf("without room for the log of PostgreSQL (it panicked: %t): %s", panicked, said)
	})
	t.Logf("%d full disks; %d questions: %d wrong answers, %d failed; %d failed while PostgreSQL was down",
		places+1, counted.asked, counted.wrong, counted.failed, counted.during)
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return content
}
