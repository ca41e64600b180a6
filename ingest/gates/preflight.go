package gates

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"razao/internal/registry"
)

// What a load of companies takes for each 100 bytes of its CSV, measured at 410 bytes a root: 160 bytes a root in the work
// folder, 309 in PostgreSQL and 172 in the index, and a tenth more to spare.
const (
	workPercent  = 43
	storePercent = 83
	indexPercent = 46
)

// Memory in bytes, measured from 1 M to 40 M roots: the buffers grow up to their bound, the index with the roots.
const (
	bytesPerRoot   = 410 // of CSV
	memoryPerRoot  = 36
	buffersPerRoot = 250
	maxBuffers     = 250 << 20
)

// need is what a load will write to a folder.
type need struct {
	what  string
	dir   string
	bytes int64
}

// Folders are where a load of companies writes. Store is "" when another machine may have it.
type Folders struct{ Work, Index, Store string }

// Room refuses a load of companies, with the figures, that would run out of disk or memory by the bytes of its CSV. It writes
// nothing.
func Room(csv int64, in Folders) error {
	needs := []need{{"temporary files", in.Work, csv * workPercent / 100}, {"index", in.Index, csv * indexPercent / 100}}
	if in.Store != "" {
		needs = append(needs, need{"private PostgreSQL", in.Store, csv * storePercent / 100})
	}
	if err := errors.Join(enoughDisk(needs), enoughMemory(csv/bytesPerRoot)); err != nil {
		return fmt.Errorf("%w: %w", ErrRefused, err)
	}
	return nil
}

// enoughDisk compares what is needed with what is free, by file system.
func enoughDisk(needs []need) error {
	together := map[uint64][]need{}
	for _, n := range needs {
		device, err := deviceOf(n.dir)
		if err != nil {
			return err
		}
		together[device] = append(together[device], n)
	}
	var short []error
	for _, group := range together {
		free, err := FreeBytes(group[0].dir)
		if err != nil {
			return err
		}
		var all int64
		var parts []string
		for _, n := range group {
			all += n.bytes
			parts = append(parts, fmt.Sprintf("%s for %s in %s", size(n.bytes), n.what, n.dir))
		}
		if all > free {
			short = append(short, fmt.Errorf("the load needs about %s of disk (%s), and %s are free: make room, or try it with --force",
				size(all), strings.Join(parts, ", "), size(free)))
		}
	}
	return errors.Join(short...)
}

// existing returns the path, or the nearest folder above it that is there.
func existing(path string) string {
	for {
		if _, err := os.Stat(path); err == nil || filepath.Dir(path) == path {
			return path
		}
		path = filepath.Dir(path)
	}
}

func deviceOf(dir string) (uint64, error) {
	info, err := os.Stat(existing(dir))
	if err != nil {
		return 0, err
	}
	return uint64(info.Sys().(*syscall.Stat_t).Dev), nil
}

// FreeBytes returns what this user may still write to a folder's file system.
func FreeBytes(dir string) (int64, error) {
	var stat syscall.Statfs_t
	if err := syscall.Statfs(existing(dir), &stat); err != nil {
		return 0, fmt.Errorf("free disk of %s: %w", dir, err)
	}
	return int64(stat.Bavail) * int64(stat.Bsize), nil
}

func enoughMemory(roots int64) error {
	needed := roots*memoryPerRoot + min(roots*buffersPerRoot, maxBuffers)
	if free, known := freeMemory(); known && needed > free {
		return fmt.Errorf("the load needs about %s of memory, and %s are free: end other programs, or try it with --force", size(needed), size(free))
	}
	return nil
}

// freeMemory returns what the kernel could give without swapping, or the limit of the cgroup if that is lower. Only Linux tells.
func freeMemory() (bytes int64, known bool) {
	f, err := os.Open("/proc/meminfo")
	if err != nil {
		return 0, false
	}
	defer func() { _ = f.Close() }()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		if len(fields) < 2 || fields[0] != "MemAvailable:" {
			continue
		}
		kib, err := strconv.ParseInt(fields[1], 10, 64)
		if err != nil {
			return 0, false
		}
		return min(kib<<10, cgroupLimit(kib<<10)), true
	}
	return 0, false
}

// cgroupLimit returns the memory that the cgroup allows, other if it has no limit.
func cgroupLimit(other int64) int64 {
	text, err := os.ReadFile("/sys/fs/cgroup/memory.max")
	if err != nil {
		return other
	}
	limit, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	if err != nil { // "max"
		return other
	}
	return limit
}

func size(bytes int64) string {
	if bytes < 1e6 {
		return fmt.Sprintf("%.1f kB", float64(bytes)/1e3)
	}
	if bytes < 1e9 {
		return fmt.Sprintf("%.1f MB", float64(bytes)/1e6)
	}
	return fmt.Sprintf("%.1f GB", float64(bytes)/1e9)
}

// Explained says what to do about a full disk, which the words of PostgreSQL ("wrote only 4096 of 8192 bytes") may not even name.
func Explained(cause error) error {
	if errors.Is(cause, syscall.ENOSPC) || registry.IsDiskFull(cause) {
		return fmt.Errorf("%w: the disk is full: make room, and run it again", cause)
	}
	return cause
}
