package main

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// evict sends a file out of the page cache.
func evict(file *os.File) error {
	return unix.Fadvise(int(file.Fd()), 0, 0, unix.FADV_DONTNEED)
}

// freeDisk is how many bytes an ordinary user may still write to the disk of a folder.
func freeDisk(dir string) (int64, error) {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return 0, fmt.Errorf("free space of %s: %w", dir, err)
	}
	return int64(s.Bavail) * s.Bsize, nil
}
