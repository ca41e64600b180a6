package memory

import (
	"os"
	"path/filepath"
	"testing"
)

// TestFreeMemory lays out the files of Linux in a folder.
func TestFreeMemory(t *testing.T) {
	t.Parallel()
	const (
		mib  = 1 << 20
		none = "9223372036854771712\n" // of version 1
	)
	cases := []struct {
		name    string
		own     string // /proc/self/cgroup
		cgroups map[string]string
		want    int64
	}{
		{"no cgroup", "", nil, 1000 * mib},
		{"version 1", "5:cpu,memory:/a/b\n4:pids:/c\n", map[string]string{
			"memory/memory.limit_in_bytes": none, "memory/memory.usage_in_bytes": "1048576000\n",
			"memory/a/memory.limit_in_bytes": "524288000\n", "memory/a/memory.usage_in_bytes": "314572800\n",
			"memory/a/memory.stat":             "inactive_file 1\ntotal_inactive_file 104857600\n",
			"memory/a/b/memory.limit_in_bytes": none, "memory/a/b/memory.usage_in_bytes": "1\n",
		}, 300 * mib},
		{"version 1 in a container, with the host's path", "4:memory:/docker/f00\n", map[string]string{
			"memory/memory.limit_in_bytes": "524288000\n", "memory/memory.usage_in_bytes": "0\n",
		}, 500 * mib},
		{"hybrid", "4:memory:/a\n1:name=systemd:/b\n0::/b\n", map[string]string{
			"memory/a/memory.limit_in_bytes": "524288000\n", "memory/a/memory.usage_in_bytes": "0\n", "unified/b/cgroup.procs": "1\n",
		}, 500 * mib},
		{"version 1 without a limit", "4:memory:/a\n", map[string]string{"memory/a/memory.limit_in_bytes": none}, 1000 * mib},
		{"another controller of version 1", "4:cpu:/a\n", map[string]string{"memory/a/memory.limit_in_bytes": "1\n", "cpu/a/memory.limit_in_bytes": "1\n"}, 1000 * mib},
		{"no limit", "0::/a\n", map[string]string{"a/memory.max": "max\n", "a/memory.current": "314572800\n"}, 1000 * mib},
		{"container", "0::/\n", map[string]string{
			"memory.max": "524288000\n", "memory.current": "314572800\n", "memory.stat": "anon 209715200\ninactive_file 104857600\nactive_file 1\n",
		}, 300 * mib}, // 500 less 300, of which 100 are reclaimable
		{"limit above what the machine has", "0::/a\n", map[string]string{"a/memory.max": "5368709120\n", "a/memory.current": "314572800\n"}, 1000 * mib},
		{"limit of a parent", "12:cpu:/x\n0::/a/b/c\n", map[string]string{
			"a/memory.max": "524288000\n", "a/memory.current": "419430400\n", "a/memory.stat": "inactive_file 0\n",
			"a/b/memory.max": "max\n", "a/b/memory.current": "1\n", "a/b/memory.stat": "inactive_file 0\n",
			"a/b/c/memory.max": "314572800\n", "a/b/c/memory.current": "52428800\n", "a/b/c/memory.stat": "inactive_file 0\n",
		}, 100 * mib},
		{"over its limit", "0::/a\n", map[string]string{"a/memory.max": "104857600\n", "a/memory.current": "209715200\n"}, 0},
		{"cache counted twice", "0::/a\n", map[string]string{
			"a/memory.max": "104857600\n", "a/memory.current": "52428800\n", "a/memory.stat": "inactive_file 104857600\n",
		}, 100 * mib},
		{"path of another namespace", "0::/../outer/a\n", map[string]string{"memory.max": "524288000\n", "memory.current": "0\n"}, 500 * mib},
		{"usage unknown", "0::/a\n", map[string]string{"a/memory.max": "524288000\n"}, 500 * mib},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			write(t, filepath.Join(root, "proc/meminfo"), "MemTotal: 4096000 kB\nMemAvailable: 1024000 kB\n")
			if c.own != "" {
				write(t, filepath.Join(root, "proc/self/cgroup"), c.own)
			}
			for name, text := range c.cgroups {
				write(t, filepath.Join(root, "sys/fs/cgroup", name), text)
			}
			got, known := Free(root)
			if got != c.want || !known {
				t.Errorf("got %d MiB (%t), want %d", got/mib, known, c.want/mib)
			}
		})
	}
}

func TestFreeMemoryUnknown(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{"absent": "", "without the line": "MemTotal: 1 kB\n", "damaged": "MemAvailable: many kB\n"} {
		root := t.TempDir()
		if text != "" {
			write(t, filepath.Join(root, "proc/meminfo"), text)
		}
		if got, known := Free(root); known {
			t.Errorf("%s: got %d bytes", name, got)
		}
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestLimit tells a limit of the machine from that of a group, and counts whom the kernel killed.
func TestLimit(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, own string
		files     map[string]string
		limit     int64
		byGroup   bool
		kills     int64
	}{
		{"machine", "0::/a\n", map[string]string{"a/memory.max": "max\n", "a/memory.events": "low 0\noom 3\noom_kill 2\noom_group_kill 9\n"}, 4096000 << 10, false, 2},
		{"version 2", "0::/a/b\n", map[string]string{"a/memory.max": "536870912\n", "a/b/memory.events": "oom_kill 1\n"}, 512 << 20, true, 1},
		{"version 1", "4:memory:/a\n0::/\n", map[string]string{
			"memory/a/memory.limit_in_bytes": "536870912\n", "memory/a/memory.oom_control": "oom_kill_disable 0\nunder_oom 0\noom_kill 7\n",
		}, 512 << 20, true, 7},
		{"unknown", "damaged", nil, 4096000 << 10, false, 0},
	} {
		root := t.TempDir()
		write(t, filepath.Join(root, "proc/meminfo"), "MemTotal: 4096000 kB\n")
		write(t, filepath.Join(root, "proc/self/cgroup"), c.own)
		for name, text := range c.files {
			write(t, filepath.Join(root, "sys/fs/cgroup", name), text)
		}
		limit, byGroup := Limit(root)
		if kills := Kills(root); limit != c.limit || byGroup != c.byGroup || kills != c.kills {
			t.Errorf("%s: %d, %t, %d kills, want %d, %t, %d", c.name, limit, byGroup, kills, c.limit, c.byGroup, c.kills)
		}
	}
	if limit, _ := Limit(t.TempDir()); limit != 0 {
		t.Errorf("no files: %d", limit)
	}
}
