package chaos

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// Disk is a tmpfs whose size can be changed while it is in use. Mounting needs root.
type Disk struct {
	test *testing.T
	Dir  string // the mount point, which other users may enter
}

// Roomy is the initial size in bytes, at which a disk is not full. A tmpfs takes only the memory
// that is written.
const Roomy = 4 << 30

// NewDisk mounts a disk until the end of the test. The error matches syscall.EPERM where that is
// not permitted.
func NewDisk(t *testing.T) (*Disk, error) {
	t.Helper()
	dir, err := os.MkdirTemp("", "razao-disk-")
	if err != nil {
		return nil, err
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	d := &Disk{t, filepath.Join(dir, "mounted")}
	if err := errors.Join(os.Chmod(dir, 0o755), os.Mkdir(d.Dir, 0o755)); err != nil {
		return nil, err
	}
	if err := syscall.Mount("tmpfs", d.Dir, "tmpfs", 0, fmt.Sprintf("size=%d,mode=755", Roomy)); err != nil {
		return nil, err
	}
	t.Cleanup(func() { _ = syscall.Unmount(d.Dir, syscall.MNT_DETACH) })
	return d, nil
}

// Resize changes the size of the disk, in bytes, to no less than what is used.
func (d *Disk) Resize(bytes int64) {
	d.test.Helper()
	if err := syscall.Mount("tmpfs", d.Dir, "tmpfs", syscall.MS_REMOUNT, fmt.Sprintf("size=%d", bytes)); err != nil {
		d.test.Fatal(err)
	}
}

// Used returns the number of bytes in use.
func (d *Disk) Used() int64 {
	d.test.Helper()
	var s syscall.Statfs_t
	if err := syscall.Statfs(d.Dir, &s); err != nil {
		d.test.Fatal(err)
	}
	return int64(s.Blocks-s.Bfree) * s.Bsize
}

// Most returns the highest number of bytes in use while do runs, sampled every millisecond.
func (d *Disk) Most(do func()) (bytes int64) {
	done := make(chan struct{})
	most := make(chan int64)
	go func() {
		often := time.NewTicker(time.Millisecond)
		defer often.Stop()
		peak := d.Used()
		for {
			select {
			case <-often.C:
				peak = max(peak, d.Used())
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
