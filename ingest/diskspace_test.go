package ingest

import (
	"os"
	"path/filepath"
	"testing"
)

// TestFreeMemory lays out the files of Linux in a folder.
func TestFreeMemory(t *testing.T) {
	t.Parallel()
	const mib = 1 << 20
	cases := []struct {
		name    string
		own     string // /proc/self/cgroup
		cgroups map[string]string
		want    int64
	}{
		{"no cgroup", "", nil, 1000 * mib},
		{"version 1 only", "5:memory:/a\n", map[string]string{"memory/a/memory.limit_in_bytes": "1"}, 1000 * mib},
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
			got, known := freeMemory(root)
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
		if got, known := freeMemory(root); known {
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
