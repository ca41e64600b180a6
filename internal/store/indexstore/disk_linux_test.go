package indexstore

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"razao/internal/chaos"
)

// TestAFullDisk fetches onto a disk that fills up after the check of free space, since others write
// to it, too.
func TestAFullDisk(t *testing.T) {
	t.Parallel()
	disk, err := chaos.NewDisk(t)
	if errors.Is(err, syscall.EPERM) {
		t.Skip("it takes the right to mount a disk")
	}
	if err != nil {
		t.Fatal(err)
	}
	o, s := newOrigin(t), writable(t)["folder"]
	sent := o.send(s, "000001", -1)
	n := o.node(s, o.s)
	n.dir = filepath.Join(disk.Dir, "index")
	disk.Resize(sent.Bytes / 2)
	err = n.bring(t.Context(), o.s)
	if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), "of index 000001") || !strings.Contains(err.Error(), "bytes are written") {
		t.Errorf("full: %v", err)
	}
	entries, err := os.ReadDir(n.dir)
	if err != nil || len(entries) > 0 {
		t.Errorf("%v is left, %v", entries, err)
	}
	disk.Resize(chaos.Roomy)
	if err := n.bring(t.Context(), o.s); err != nil {
		t.Fatal(err)
	}
	o.same(n, o.s)
}
