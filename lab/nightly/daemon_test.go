package nightly

import (
	"bytes"
	"net"
	"os"
	"os/exec"
	"testing"

	"razao/internal/testing/fixture"
)

// daemon starts a program that is not ours. At the end of the test it gets a signal; of a test that has failed, its output is logged.
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
