package fetch

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// BusyError says that another process has the lock of a folder. It is always a pointer.
type BusyError struct {
	Folder string
	Holder string    // its process id; "" if it has not written it yet
	Since  time.Time // when it took the lock
}

// Error names the folder, the process and since when it has the lock.
func (e *BusyError) Error() string {
	return fmt.Sprintf("another process (pid %s) is at work in %s since %s: wait for it to end, or end it",
		e.Holder, e.Folder, e.Since.UTC().Format("2006-01-02 15:04:05 UTC"))
}

// Lock makes this process the only one that fills a folder, until release is called. It does not
// wait: a [*BusyError] names the process that has the lock. The lock is a flock(2) on a hidden file
// beside the folder, which is created if missing; the kernel drops it when the process dies, so a
// crash leaves no stale lock. It excludes other calls in the same process too.
func Lock(folder string) (release func(), err error) {
	parent, name := filepath.Split(filepath.Clean(folder))
	if err := os.MkdirAll(filepath.Join(parent, "."), 0o700); err != nil {
		return nil, fmt.Errorf("lock of %s: %w", folder, err)
	}
	f, err := os.OpenFile(filepath.Join(parent, "."+name+".lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("lock of %s: %w", folder, err)
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		busy := &BusyError{Folder: folder}
		holder, err := io.ReadAll(io.LimitReader(f, 32))
		busy.Holder = strings.TrimSpace(string(holder))
		if info, stat := f.Stat(); stat == nil {
			busy.Since = info.ModTime() // it has written its id
		}
		return nil, errors.Join(busy, err, f.Close())
	}
	if err == nil {
		err = f.Truncate(0)
	}
	if err == nil {
		_, err = fmt.Fprintln(f, os.Getpid())
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("lock of %s: %w", folder, err), f.Close())
	}
	// The file stays: deleting it would race with a process that has just opened it. Closing it alone would
	// leave the lock to a process that was forked meanwhile and has not called execve yet.
	return func() { _ = errors.Join(syscall.Flock(int(f.Fd()), syscall.LOCK_UN), f.Close()) }, nil
}
