// Package machine reads what processes use of the machine: CPU time and memory of one process, of a
// process with its children, CPU time of the calling thread, and the size of a folder. The sources
// are getrusage(2), clock_gettime(2) and Linux's /proc. On other systems figures that come from
// /proc are zero or an error.
//
// Memory of a [Family] is its proportional set size (Pss): a page shared by n processes counts 1/n
// in each, so that the shared buffers of PostgreSQL are counted once.
package machine

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// tick is the unit of CPU times in /proc. USER_HZ is 100 on every Linux that Go runs on.
const tick = 10 * time.Millisecond

// OwnCPU returns the user and system time of this process, all threads included.
func OwnCPU() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// procStat is the part of /proc/PID/stat that is needed here.
type procStat struct {
	parent int
	own    time.Duration // utime + stime
	reaped time.Duration // cutime + cstime: children that were waited for
}

// CPU returns the user and system time of a process, without its children.
func CPU(pid int) (time.Duration, error) {
	stat, err := readStat(pid)
	return stat.own, err
}

func readStat(pid int) (procStat, error) {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return procStat{}, fmt.Errorf("CPU time of process %d: %w", pid, err)
	}
	return parseStat(text)
}

// parseStat parses the line of /proc/PID/stat, proc_pid_stat(5). The second field is the program's
// name in parentheses, which may itself contain blanks and parentheses, so fields are counted from
// the last closing one.
func parseStat(line []byte) (procStat, error) {
	end := bytes.LastIndexByte(line, ')')
	fields := strings.Fields(string(line[end+1:]))
	if end < 0 || len(fields) < 15 {
		return procStat{}, fmt.Errorf("unknown form of /proc/PID/stat: %.80q", line)
	}
	number := func(i int) (n int64) { // i = 0 is the third field of the line, the state
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

// Family is a process and its direct children, such as a postmaster and its backends.
type Family struct{ PID int }

// members returns the process ids of the family, the parent first. It scans /proc, so it costs one
// small read for every process of the machine.
func (f Family) members() []int {
	pids := []int{f.PID}
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return pids
	}
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		if stat, err := readStat(pid); err == nil && stat.parent == f.PID {
			pids = append(pids, pid)
		}
	}
	return pids
}

// CPU returns the CPU time of the family, including children that have exited and were reaped. The
// processes are read one after the other: a child that exits meanwhile may be missing from one
// result.
func (f Family) CPU() (time.Duration, error) {
	parent, err := readStat(f.PID)
	if err != nil {
		return 0, err
	}
	total := parent.own + parent.reaped
	for _, pid := range f.members()[1:] {
		if child, err := readStat(pid); err == nil { // else it has just exited
			total += child.own + child.reaped
		}
	}
	return total, nil
}

// Memory returns the proportional set size of the family in bytes. It needs permission to read
// smaps_rollup of every member; a member that cannot be read counts 0.
func (f Family) Memory() int64 {
	var total int64
	for _, pid := range f.members() {
		total += memoryField("/proc/"+strconv.Itoa(pid)+"/smaps_rollup", "Pss:")
	}
	return total
}

// OwnMemory returns the resident set size of this process in bytes.
func OwnMemory() int64 { return memoryField("/proc/self/status", "VmRSS:") }

// Resident returns the resident set size of a process in bytes, mapped files included, or 0 if the
// process is gone.
func Resident(pid int) int64 { return memoryField("/proc/"+strconv.Itoa(pid)+"/status", "VmRSS:") }

// memoryField returns the value of a line such as "VmRSS:  1234 kB" in bytes, or 0 if the file or
// the line is missing.
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

// Disk returns the total size in bytes of the files below dir, as stat(2) reports it. Files that
// disappear during the walk are skipped; a missing folder is 0.
func Disk(dir string) (bytes int64) {
	_ = filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return nil
		}
		if info, err := e.Info(); err == nil {
			bytes += info.Size()
		}
		return nil
	})
	return bytes
}

// Describe returns one line about the machine for the head of a report: processor, GOMAXPROCS of
// the available processors, memory, and the Go version.
func Describe() string {
	return fmt.Sprintf("%s, %d of %d processors used, %d GB memory, %s", processorName(), runtime.GOMAXPROCS(0), runtime.NumCPU(),
		memoryField("/proc/meminfo", "MemTotal:")>>30, runtime.Version())
}

func processorName() string {
	text, _ := os.ReadFile("/proc/cpuinfo") // missing outside Linux
	if name := modelName.FindSubmatch(text); name != nil {
		return string(name[1])
	}
	return runtime.GOARCH
}

var modelName = regexp.MustCompile(`(?m)^model name\s*: (.*)$`)
