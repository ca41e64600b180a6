package machine

import (
	"os"
	"testing"
	"time"
)

func TestParseStat(t *testing.T) {
	t.Parallel()
	line := "4711 (postgres: a) b) S 42 4711 4711 0 -1 4194560 999 888 1 0 250 50 1000 200 20 0 1 0 100 1 2"
	want := procStat{parent: 42, own: 3 * time.Second, reaped: 12 * time.Second}
	got, err := parseStat([]byte(line))
	if err != nil || got != want {
		t.Errorf("parseStat = %+v, %v; want %+v", got, err, want)
	}
	for _, bad := range []string{"", "1 (x) S 1 2"} {
		if got, err := parseStat([]byte(bad)); err == nil {
			t.Errorf("parseStat(%q) = %+v, want an error", bad, got)
		}
	}
}

func TestParseMemory(t *testing.T) {
	t.Parallel()
	text := []byte("Name:\tx\nVmRSS:\t  1234 kB\nPss:      9 kB\nPss_Anon: 1 kB\n")
	for name, want := range map[string]int64{"VmRSS:": 1234 << 10, "Pss:": 9 << 10, "Missing:": 0} {
		if got := parseMemory(text, name); got != want {
			t.Errorf("%s is %d, want %d", name, got, want)
		}
	}
}

func TestFamilyCountsItself(t *testing.T) {
	t.Parallel()
	own := Family{os.Getpid()}
	if members := own.members(); members[0] != os.Getpid() {
		t.Errorf("members begin with %d, want %d", members[0], os.Getpid())
	}
	if own.Memory() <= 0 || OwnMemory() <= 0 {
		t.Errorf("memory of this process is %d and %d, want more than nothing", own.Memory(), OwnMemory())
	}
}

func TestDisk(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.MkdirAll(dir+"/a/b", 0o700); err != nil {
		t.Fatal(err)
	}
	for name, size := range map[string]int{"one": 3, "a/two": 40, "a/b/three": 500} {
		if err := os.WriteFile(dir+"/"+name, make([]byte, size), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got := Disk(dir); got != 543 {
		t.Errorf("the folder holds %d bytes, want 543", got)
	}
	if got := Disk(dir + "/none"); got != 0 {
		t.Errorf("a folder that is not there holds %d bytes", got)
	}
}
