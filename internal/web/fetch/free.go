package fetch

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// Existing returns the path or its nearest ancestor that exists.
func Existing(path string) string {
	for {
		if _, err := os.Stat(path); err == nil || filepath.Dir(path) == path {
			return path
		}
		path = filepath.Dir(path)
	}
}

// FreeBytes returns how many bytes an unprivileged process may still write to the file system of
// dir, which need not exist yet.
func FreeBytes(dir string) (int64, error) {
	var stat syscall.Statfs_t
	if err := syscall.Statfs(Existing(dir), &stat); err != nil {
		return 0, fmt.Errorf("free disk of %s: %w", dir, err)
	}
	return int64(stat.Bavail) * int64(stat.Bsize), nil
}
