package indexstore

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestAFullDisk fetches onto a disk that fills up after the check of free space, since others write
// to it, too.
func TestAFullDisk(t *testing.T) {
	t.Parallel()
	disk := t.TempDir()
	resize := func(flags uintptr, bytes int64) error {
		return syscall.Mount("tmpfs", disk, "tmpfs", flags, fmt.Sprintf("size=%d,mode=700", bytes))
	}
	const roomy = 1 << 30 // of which a tmpfs takes what is written
	if err := resize(0, roomy); errors.Is(err, syscall.EPERM) && os.Getenv("REQUIRE_POSTGRES") != "1" {
		t.Skip("it takes the right to mount a disk")
	} else if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(disk, syscall.MNT_DETACH) })
	o, s := newOrigin(t), inFolder(t)
	sent := o.send(s, "000001", -1)
	n := o.node(s, o.s)
	n.dir = filepath.Join(disk, "index")
	if err := resize(syscall.MS_REMOUNT, sent.Bytes/2); err != nil {
		t.Fatal(err)
	}
	err := n.bring(t.Context(), o.s)
	if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), "of index 000001") || !strings.Contains(err.Error(), "bytes are written") {
		t.Errorf("full: %v", err)
	}
	entries, err := os.ReadDir(n.dir)
	if err != nil || len(entries) > 0 {
		t.Errorf("%v is left, %v", entries, err)
	}
	if err := resize(syscall.MS_REMOUNT, roomy); err != nil {
		t.Fatal(err)
	}
	if err := n.bring(t.Context(), o.s); err != nil {
		t.Fatal(err)
	}
	o.same(n, o.s)
}
