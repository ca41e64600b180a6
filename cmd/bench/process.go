package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// tick is the unit of CPU times in /proc: USER_HZ is 100 on every Linux that Go runs on.
const tick = 10 * time.Millisecond

// ownCPU is the CPU time that this process has used.
func ownCPU() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// procStat is what /proc/PID/stat says of a process.
type procStat struct {
	parent int
	own    time.Duration // user and system
	reaped time.Duration // of the children that ended
}

func readStat(pid int) (procStat, error) {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return procStat{}, fmt.Errorf("CPU time of process %d: %w", pid, err)
	}
	return parseStat(text)
}

// parseStat reads a line of proc(5). The name of the program, in parentheses, may hold blanks and parentheses.
func parseStat(line []byte) (procStat, error) {
	end := bytes.LastIndexByte(line, ')')
	fields := strings.Fields(string(line[end+1:]))
	if end < 0 || len(fields) < 15 {
		return procStat{}, fmt.Errorf("unknown form of /proc/PID/stat: %.80q", line)
	}
	number := func(i int) (n int64) { // i counts from the field behind the name, which is the third of the line
		n, err := strconv.ParseInt(fields[i], 10, 64)
		if err != nil {
			return 0
		}
		return n
	}
	return procStat{
		parent: int(number(1)),
		own:    time.Duration(number(11)+number(12)) * tick,
		reaped: time.Duration(number(13)+number(14)) * tick,
	}, nil
}

// family is a process and its children: a postmaster and its backends.
type family struct{ pid int }

// members returns the family's process ids, the parent first.
func (f family) members() []int {
	pids := []int{f.pid}
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return pids
	}
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		if stat, err := readStat(pid); err == nil && stat.parent == f.pid {
			pids = append(pids, pid)
		}
	}
	return pids
}

// cpu is the CPU time of the family, of members that have ended as well.
func (f family) cpu() (time.Duration, error) {
	parent, err := readStat(f.pid)
	if err != nil {
		return 0, err
	}
	total := parent.own + parent.reaped
	for _, pid := range f.members()[1:] {
		if child, err := readStat(pid); err == nil { // else it has just ended
			total += child.own + child.reaped
		}
	}
	return total, nil
}

// memory is the family's share of memory in bytes: pages shared by its members count once.
func (f family) memory() int64 {
	var total int64
	for _, pid := range f.members() {
		total += memoryField("/proc/"+strconv.Itoa(pid)+"/smaps_rollup", "Pss:")
	}
	return total
}

// ownMemory is the resident memory of this process in bytes.
func ownMemory() int64 { return memoryField("/proc/self/status", "VmRSS:") }

// memoryField reads a line such as "VmRSS:  1234 kB", as bytes; 0 when there is none.
func memoryField(path, name string) int64 {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0
	}
	return parseMemory(text, name)
}

func parseMemory(text []byte, name string) int64 {
	for line := range bytes.Lines(text) {
		rest, ok := bytes.CutPrefix(line, []byte(name))
		if !ok {
			continue
		}
		kb, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(string(rest)), " kB"), 10, 64)
		if err != nil {
			return 0
		}
		return kb << 10
	}
	return 0
}

// describeMachine says on what the figures were taken.
func describeMachine(ctx context.Context, db *database) (string, error) {
	if runtime.GOOS != "linux" {
		return "", errors.New("the bench reads /proc: it runs on Linux only")
	}
	var server string
	if err := db.pool.QueryRow(ctx, `SELECT current_setting('server_version')`).Scan(&server); err != nil {
		return "", fmt.Errorf("version of PostgreSQL: %w", err)
	}
	return fmt.Sprintf("%s, %d of %d processors used, %d GB memory; %s, PostgreSQL %s; %s",
		processorName(), runtime.GOMAXPROCS(0), runtime.NumCPU(), memoryField("/proc/meminfo", "MemTotal:")>>30,
		runtime.Version(), server, time.Now().Format("2006-01-02 15:04")), nil
}

func processorName() string {
	text, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return runtime.GOARCH
	}
	defer func() { _ = text.Close() }()
	for lines := bufio.NewScanner(text); lines.Scan(); {
		if name, value, ok := strings.Cut(lines.Text(), ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return runtime.GOARCH
}
