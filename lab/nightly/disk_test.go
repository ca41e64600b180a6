//go:build linux

package nightly

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// roomy is the size in bytes at which a disk is not full. A tmpfs takes only the memory that is written.
const roomy = 4 << 30

// disk is a tmpfs whose size can be changed while it is in use. Mounting needs root.
type disk struct {
	t   *testing.T
	dir string // the mount point, which other users may enter
}

// newDisk mounts a disk until the end of the test. The error matches syscall.EPERM where that is not permitted.
func newDisk(t *testing.T) (*disk, error) {
	t.Helper()
	d := &disk{t, filepath.Join(sharedFolder(t), "mounted")}
	if err := os.Mkdir(d.dir, 0o755); err != nil {
		return nil, err
	}
	if err := syscall.Mount("tmpfs", d.dir, "tmpfs", 0, fmt.Sprintf("size=%d,mode=755", roomy)); err != nil {
		return nil, err
	}
	t.Cleanup(func() { _ = syscall.Unmount(d.dir, syscall.MNT_DETACH) })
	return d, nil
}

// folderOrDisk returns a folder on a disk of its own, or an ordinary one and no disk where none can be mounted.
func folderOrDisk(t *testing.T) (string, *disk) {
	t.Helper()
	d, err := newDisk(t)
	switch {
	case err == nil:
		return d.dir, d
	case !errors.Is(err, syscall.EPERM):
		t.Fatal(err)
	}
	t.Log("no disk can be mounted here: none becomes full")
	return sharedFolder(t), nil
}

// resize changes the size of the disk, in bytes, to no less than what is used.
func (d *disk) resize(bytes int64) {
	d.t.Helper()
	if err := syscall.Mount("tmpfs", d.dir, "tmpfs", syscall.MS_REMOUNT, fmt.Sprintf("size=%d", bytes)); err != nil {
		d.t.Fatal(err)
	}
}

// used returns the number of bytes in use.
func (d *disk) used() int64 {
	d.t.Helper()
	var s syscall.Statfs_t
	if err := syscall.Statfs(d.dir, &s); err != nil {
		d.t.Fatal(err)
	}
	return int64(s.Blocks-s.Bfree) * s.Bsize
}

// most returns the highest number of bytes in use while do runs, sampled every millisecond.
func (d *disk) most(do func()) (bytes int64) {
	done, most := make(chan struct{}), make(chan int64)
	go func() {
		often := time.NewTicker(time.Millisecond)
		defer often.Stop()
		for peak := d.used(); ; {
			select {
			case <-often.C:
				peak = max(peak, d.used())
			case <-done:
				most <- peak
				return
			}
		}
	}()
	do()
	close(done)
	return <-most
}
