//go:build linux

package faults

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"razao/internal/store/registry"
	"razao/lab/internal/chaos"
)

// fullDisk is a crash test whose private PostgreSQL, indexes and temporary files share a small disk.
type fullDisk struct {
	*crash
	*chaos.Disk
}

// attempt loads the other month with so many bytes left. The load must fail, say why, and change nothing; once there is room the
// next one completes, and nothing is left of the first.
func (f *fullDisk) attempt(room int64, before func()) (message string, panicked bool) {
	t := f.p.T
	log := filepath.Join(f.p.Data, "postgres/postgres.log")
	logged, failed := len(read(t, log)), f.now().during
	op, month := f.release(), f.served()[registry.Receita][0]
	f.expect(op.moves)
	f.outage() // PostgreSQL panics when it cannot write its log
	f.Resize(f.Used() + room)
	before()
	r := f.begin(op)
	r.until(-1, time.After(2*time.Minute))
	_ = r.cmd.Process.Kill() // it has ended, or hangs
	_ = r.cmd.Wait()
	f.Resize(chaos.Roomy)
	f.settle()
	panicked = bytes.Contains(read(t, log)[logged:], []byte("PANIC"))
	message = strings.Join(r.log, "\n")
	if code := r.cmd.ProcessState.ExitCode(); code != 1 || !panicked && !strings.Contains(message, "the disk is full: make room") {
		t.Errorf("with %d bytes: exit code %d, %s", room, code, message)
	}
	if now := f.served()[registry.Receita][0]; now != month {
		t.Errorf("with %d bytes: %s is served, of a load that failed", room, now)
	}
	if n := f.now().during - failed; n > 0 && !panicked {
		t.Errorf("with %d bytes: %d questions failed beside a PostgreSQL that goes on", room, n)
	}
	f.complete(f.release())
	f.p.Must("loads", "prune")
	f.compare()
	return r.log[len(r.log)-1], panicked
}

func (f *fullDisk) release() operation {
	return operation{"ingest receita", f.ingest(registry.Receita, f.other(registry.Receita)), registry.Receita}
}

// exhaust makes PostgreSQL write its log (WAL) until it cannot.
func (f *fullDisk) exhaust() {
	for range 1000 { // segments that were made before are used up first
		if _, err := f.pool.Exec(f.p.T.Context(), `SELECT pg_logical_emit_message(true, '', ''), pg_switch_wal()`); err != nil {
			return
		}
	}
	f.p.T.Error("PostgreSQL writes its log to a full disk")
}

// TestDiskFullAtAnyByte lets loads run out of disk at ten points from their first byte to their last, and once PostgreSQL, beside a
// server that is asked.
func TestDiskFullAtAnyByte(t *testing.T) {
	t.Parallel()
	points := int64(envNumber(t, "RAZAO_FULL_DISKS", 0))
	if points == 0 {
		t.Skip("it takes minutes: `make crash`")
	}
	d, err := chaos.NewDisk(t)
	if errors.Is(err, syscall.EPERM) && os.Getenv("REQUIRE_POSTGRES") != "1" {
		t.Skip("mounting a small file system is not permitted here")
	}
	if err != nil {
		t.Fatal(err)
	}
	f := &fullDisk{Disk: d, crash: &crash{
		oracle:   newOracle(t, envNumber(t, "RAZAO_ROOTS", 3000), filepath.Join(d.Dir, "data")),
		profiles: map[string][]time.Duration{}, before: map[string]bool{},
	}}
	counted := f.askedMeanwhile(func() {
		f.complete(operation{"index build", []string{"index", "build"}, ""})
		f.complete(f.release())
		before := d.Used()
		needed := d.Most(func() { f.complete(f.release()) }) - before
		f.remember()
		for i := range points {
			room := needed * (2*i + 1) / (2 * points)
			message, panicked := f.attempt(room, func() {})
			t.Logf("%d of %d bytes (PostgreSQL panicked: %t): %s", room, needed, panicked, message)
		}
		message, panicked := f.attempt(0, f.exhaust)
		if !panicked {
			t.Error("PostgreSQL did not panic without its log")
		}
		t.Logf("without room for the log of PostgreSQL (it panicked: %t): %s", panicked, message)
	})
	t.Logf("%d full disks; %d questions: %d wrong answers, %d failed; %d failed while PostgreSQL was down",
		points+1, counted.Asked, counted.Wrong, counted.Refused, counted.Expected)
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return content
}
