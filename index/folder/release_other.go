//go:build !unix

package folder

// ReleasePages does nothing: there is no portable way.
func ReleasePages([]byte) {}
