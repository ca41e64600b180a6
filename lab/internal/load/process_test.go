package load

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestServeSaysWhyNot serves with a build that ends at once.
func TestServeSaysWhyNot(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "razao")
	if err := os.WriteFile(path, []byte("#!/bin/sh\necho the index is damaged >&2\nexit 3\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	p := &Program{path: path, dir: t.TempDir()}
	_, err := p.Serve(t.Context())
	if err == nil || !strings.Contains(err.Error(), "exit status 3") || !strings.Contains(err.Error(), "the index is damaged") {
		t.Errorf("error %v, want the exit status and the message", err)
	}
}
