//go:build !unix

package folder

import "io/fs"

// fileNumber returns "": without an inode nothing is remembered, and files are verified each time.
func fileNumber(fs.FileInfo) string { return "" }
