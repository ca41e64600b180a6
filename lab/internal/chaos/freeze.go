package chaos

import (
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// Freeze stops a process and its children, so that they do not react any more, and returns them. At the end of the test they get a
// signal, SIGCONT or SIGKILL.
func Freeze(t *testing.T, pid int, end syscall.Signal) []int {
	t.Helper()
	frozen := []int{pid}
	list, err := exec.Command("pgrep", "-P", strconv.Itoa(pid)).Output()
	if err != nil {
		t.Fatalf("children of PostgreSQL: %v", err)
	}
	for _, child := range strings.Fields(string(list)) {
		n, err := strconv.Atoi(child)
		if err != nil {
			t.Fatal(err)
		}
		frozen = append(frozen, n)
	}
	for _, n := range frozen {
		_ = syscall.Kill(n, syscall.SIGSTOP) // one may have just ended
		t.Cleanup(func() { _ = syscall.Kill(n, end) })
	}
	return frozen
}
