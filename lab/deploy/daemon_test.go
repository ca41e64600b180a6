package deploy

import (
	"bytes"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"razao/internal/testing/fixture"
)

// installed returns the path of a program that is not ours, in a folder of PATH, one of others, or /usr/sbin, which is not in everybody's
// PATH. Without it the test is skipped, or fails if REQUIRE_POSTGRES is 1.
func installed(t *testing.T, name string, others ...string) string {
	t.Helper()
	for _, dir := range append(append(others, filepath.SplitList(os.Getenv("PATH"))...), "/usr/sbin") {
		path := filepath.Join(dir, name)
		if _, err := os.Stat(path); err == nil && dir != "" {
			return path
		}
	}
	if os.Getenv("REQUIRE_POSTGRES") == "1" {
		t.Fatalf("%s is missing: make programs", name)
	}
	t.Skipf("%s is missing: make programs", name)
	return ""
}

// daemon starts such a program. At the end of the test it gets a signal; of a test that has failed, its output is logged.
func daemon(t *testing.T, end os.Signal, cmd *exec.Cmd) {
	t.Helper()
	var log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &log, &log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(end) // it may have ended
		_ = cmd.Wait()
		if t.Failed() {
			t.Logf("%s:\n%s", cmd.Path, log.String())
		}
	})
}

// listening waits until somebody listens at an address.
func listening(t *testing.T, address string) {
	t.Helper()
	fixture.Wait(t, address+" to be listened at", func() bool {
		conn, err := net.Dial("tcp", address)
		if err == nil {
			_ = conn.Close()
		}
		return err == nil
	})
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
