//go:build !unix

package folder

import "io/fs"

// fileNumber returns "": files are verified each time.
func fileNumber(fs.FileInfo) string { return "" }
