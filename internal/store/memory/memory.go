// Package memory says how much memory this process may take: what the machine has, or less if one of
// its control groups has a limit. It reads those of version 2, of version 1, and of both side by side
// (hybrid), where only one of them has the memory controller. Systems other than Linux do not tell.
package memory

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// group is a control group with the memory controller, and the names of what it tells.
type group struct {
	dir                        string
	limit, usage, cache, kills string // cache is a line of memory.stat, kills the file with a line oom_kill
}

// groups returns the control groups of this process and all that contain them, because the limits of
// each apply. In a container the outermost is often its own, and the path is that of the host, whose
// folders are not there.
func groups(root string) (all []group) {
	text, _ := os.ReadFile(filepath.Join(root, "proc/self/cgroup"))
	lines := strings.Split(string(text), "\n")
	if len(text) == 0 {
		lines = []string{"0::/"}
	}
	for _, line := range lines { // hierarchy:controllers:path
		of := strings.SplitN(line, ":", 3)
		if len(of) < 3 {
			continue
		}
		mount, g := "", group{limit: "memory.max", usage: "memory.current", cache: "inactive_file", kills: "memory.events"}
		if slices.Contains(strings.Split(of[1], ","), "memory") {
			mount, g = "memory", group{limit: "memory.limit_in_bytes", usage: "memory.usage_in_bytes", cache: "total_inactive_file", kills: "memory.oom_control"}
		} else if of[1] != "" {
			continue
		}
		for own := path.Clean("/" + of[2]); ; own = path.Dir(own) { // begins with /.. outside of the namespace
			g.dir = filepath.Join(root, "sys/fs/cgroup", mount, own)
			all = append(all, g)
			if own == "/" {
				break
			}
		}
	}
	return all
}

// limited returns the limit of a group; ok is false if it has none. Version 1 has a number beyond all
// memory for none.
func (g *group) limited() (bytes int64, ok bool) {
	return figure(filepath.Join(g.dir, g.limit), "") // "max" is no number
}

// left returns how many bytes the processes of a group with this limit may still take: its usage
// includes page cache that the kernel reclaims before it refuses memory. Files that cannot be read
// count as 0.
func (g *group) left(limit int64) int64 {
	used, _ := figure(filepath.Join(g.dir, g.usage), "")
	cache, _ := figure(filepath.Join(g.dir, "memory.stat"), g.cache)
	return max(limit-max(used-cache, 0), 0)
}

// Limit returns the bytes of memory that this process and those beside it may take together. byGroup says
// that a control group limits them, not the machine. It is 0 where that is unknown. root is "/", or a folder
// in a test.
func Limit(root string) (bytes int64, byGroup bool) {
	kib, known := figure(filepath.Join(root, "proc/meminfo"), "MemTotal:")
	if !known {
		return 0, false
	}
	bytes = kib << 10
	for _, g := range groups(root) {
		if limit, ok := g.limited(); ok && limit < bytes {
			bytes, byGroup = limit, true
		}
	}
	return bytes, byGroup
}

// Free returns how many bytes of Limit are left. known is false where that is unknown.
func Free(root string) (bytes int64, known bool) {
	kib, known := figure(filepath.Join(root, "proc/meminfo"), "MemAvailable:")
	if !known {
		return 0, false
	}
	bytes = kib << 10
	for _, g := range groups(root) {
		if limit, ok := g.limited(); ok {
			bytes = min(bytes, g.left(limit))
		}
	}
	return bytes, true
}

// Kills returns how many processes the kernel has killed for lack of memory in the control groups of
// this process, since they were made. It only ever rises; 0 also where that is unknown.
func Kills(root string) (n int64) {
	for _, g := range groups(root) {
		killed, _ := figure(filepath.Join(g.dir, g.kills), "oom_kill")
		n += killed
	}
	return n
}

// figure returns the number that follows name in a file of the kernel; with "", its first one.
// known is false if there is none.
func figure(file, name string) (n int64, known bool) {
	text, err := os.ReadFile(file)
	if err != nil {
		return 0, false
	}
	words, at := strings.Fields(string(text)), 0
	if name != "" {
		at = slices.Index(words, name) + 1
	}
	if at >= len(words) || name != "" && at == 0 {
		return 0, false
	}
	n, err = strconv.ParseInt(words[at], 10, 64)
	return n, err == nil
}
