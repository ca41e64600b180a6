package load

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/prometheus/procfs"
)

// Usage is what something used of the machine.
type Usage struct {
	Wall             time.Duration
	Server, Postgres time.Duration // of CPU
	Memory           uint64        // the most bytes of both at once; shared pages are divided among those who map them (Pss)
	Disk             uint64        // the most bytes of index, work and other files at once, those of PostgreSQL aside
}

// hertz is the unit of CPU times in /proc: USER_HZ is 100 wherever Go runs.
const hertz = 100

// stat reads /proc/PID/stat; of a process that is gone it returns zero.
func stat(pid int) procfs.ProcStat {
	p, err := procfs.NewProc(pid)
	if err != nil {
		return procfs.ProcStat{}
	}
	s, err := p.Stat()
	if err != nil {
		return procfs.ProcStat{}
	}
	return s
}

// CPU returns the CPU time of a process and of the children that it has waited for.
func CPU(pid int) time.Duration {
	s := stat(pid)
	ticks := int64(s.UTime) + int64(s.STime) + int64(s.CUTime) + int64(s.CSTime)
	return time.Duration(ticks) * time.Second / hertz
}

// family returns a process and its children, such as a postmaster and its backends.
func family(pid int) []int {
	all, err := procfs.AllProcs()
	if err != nil {
		return nil
	}
	members := []int{pid}
	for _, p := range all {
		if stat(p.PID).PPID == pid {
			members = append(members, p.PID)
		}
	}
	return members
}

// FamilyCPU returns the CPU time of a process and its children, those that have ended included. 0 has none.
func FamilyCPU(pid int) (total time.Duration) {
	if pid == 0 {
		return 0
	}
	for _, member := range family(pid) {
		total += CPU(member)
	}
	return total
}

// memory returns the proportional set size of processes in bytes.
func memory(pids ...int) (total uint64) {
	for _, pid := range pids {
		if p, err := procfs.NewProc(pid); err == nil {
			if maps, err := p.ProcSMapsRollup(); err == nil {
				total += maps.Pss
			}
		}
	}
	return total
}

// disk returns the bytes of the files below dir, without those in the folder aside.
func disk(dir, aside string) (total uint64) {
	_ = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil: // a file that has just been deleted
			return nil
		case path == aside:
			return filepath.SkipDir
		case e.IsDir():
			return nil
		}
		if info, err := e.Info(); err == nil {
			total += uint64(info.Size())
		}
		return nil
	})
	return total
}

// Machine describes the machine for the head of a report.
func Machine() string {
	processor := runtime.GOARCH
	text, _ := os.ReadFile("/proc/cpuinfo") // missing outside Linux
	for line := range bytes.Lines(text) {
		if name, ok := bytes.CutPrefix(line, []byte("model name\t: ")); ok {
			processor = string(bytes.TrimSpace(name))
			break
		}
	}
	return fmt.Sprintf("%s, %d processors, %s", processor, runtime.NumCPU(), runtime.Version())
}
