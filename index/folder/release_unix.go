//go:build unix

package folder

import "golang.org/x/sys/unix"

// ReleasePages gives the memory of a mapped file back, which the system would otherwise keep for the
// process until it is short of memory. data must be a whole read-only mapping. Failure costs memory
// only, so there is no error.
func ReleasePages(data []byte) { _ = unix.Madvise(data, unix.MADV_DONTNEED) }
