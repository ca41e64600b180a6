package rows

import (
	"net"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestOnlyRegularFiles: a FIFO would be waited for with the lock for loading held, a device read for ever.
func TestOnlyRegularFiles(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	fifo, socket := filepath.Join(folder, "Empresas1.zip"), filepath.Join(folder, "s.csv")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	for _, path := range []string{fifo, socket, "/dev/zero"} {
		if _, err := Find(t.Context(), path, t.TempDir(), FindOptions{}); err == nil || !strings.Contains(err.Error(), path+" is no regular file") {
			t.Errorf("%s: %v", path, err)
		}
	}
	for _, path := range []string{fifo, socket, "/dev/zero", folder} { // a loader may add what it found itself
		in := NewInput("", 1)
		if _, err := in.Add(path); err == nil || !strings.Contains(err.Error(), path+" is no regular file") {
			t.Errorf("%s: %v", path, err)
		}
	}
	if _, err := Find(t.Context(), folder, t.TempDir(), FindOptions{}); err == nil || !strings.Contains(err.Error(), "holds no files") {
		t.Errorf("a folder of these: %v", err)
	}
}
