//go:build unix

package folder

import (
	"fmt"
	"io/fs"
	"syscall"
)

// fileNumber returns device and inode, which tell a file from another one renamed to its path.
func fileNumber(info fs.FileInfo) string {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return fmt.Sprintf("%d:%d", stat.Dev, stat.Ino)
	}
	return ""
}
