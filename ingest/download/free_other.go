//go:build !linux && !darwin

package download

// freeSpace is not known here: a full disk is noticed when it is full.
func freeSpace(string) (bytes int64, known bool) { return 0, false }
