//go:build linux || darwin

package download

import "syscall"

// freeSpace returns the bytes that an unprivileged process may still write below dir.
func freeSpace(dir string) (bytes int64, known bool) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(dir, &s); err != nil {
		return 0, false
	}
	return int64(s.Bavail) * int64(s.Bsize), true
}
