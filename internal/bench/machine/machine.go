// Package machine says what programs use of the machine: CPU time and memory of processes, of a process with its children, and
// of one thread, and the disk that a folder takes. It reads /proc, as Linux has it; elsewhere the figures are zero or an error.
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

// tick is the unit of CPU times in /proc: USER_HZ is 100 on every Linux that Go runs on.
const tick = 10 * time.Millisecond

// OwnCPU is the CPU time that this process has used.
func OwnCPU() time.Duration {
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

// CPU is the CPU time that a process has used.
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

// Family is a process and its children, such as a postmaster and its backends.
type Family struct{ PID int }

// members returns the family's process ids, the parent first.
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

// CPU is the CPU time of the family, of members that have ended as well.
func (f Family) CPU() (time.Duration, error) {
	parent, err := readStat(f.PID)
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

// Memory is the family's share of memory in bytes: pages shared by its members count once.
func (f Family) Memory() int64 {
	var total int64
	for _, pid := range f.members() {
		total += memoryField("/proc/"+strconv.Itoa(pid)+"/smaps_rollup", "Pss:")
	}
	return total
}

// OwnMemory is the resident memory of this process in bytes.
func OwnMemory() int64 { return memoryField("/proc/self/status", "VmRSS:") }

// Resident is the resident memory of a process in bytes, mapped files included.
func Resident(pid int) int64 { return memoryField("/proc/"+strconv.Itoa(pid)+"/status", "VmRSS:") }

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

// Disk is the bytes of the files below a folder. What is deleted meanwhile does not count.
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

// Describe names the processor, how much of it is used, and the memory.
func Describe() string {
	return fmt.Sprintf("%s, %d of %d processors used, %d GB memory, %s", processorName(), runtime.GOMAXPROCS(0), runtime.NumCPU(),
		memoryField("/proc/meminfo", "MemTotal:")>>30, runtime.Version())
}

func processorName() string {
	text, _ := os.ReadFile("/proc/cpuinfo") // which other systems do not have
	if name := modelName.FindSubmatch(text); name != nil {
		return string(name[1])
	}
	return runtime.GOARCH
}

var modelName = regexp.MustCompile(`(?m)^model name\s*: (.*)$`)
