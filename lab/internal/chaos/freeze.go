package chaos

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// Freeze stops a process and its children, so that they do not react any more, and returns them. At
// the end of the test they get a signal, SIGCONT or SIGKILL.
func Freeze(t *testing.T, pid int, end syscall.Signal) []int {
	t.Helper()
	frozen := signalAll(pid, syscall.SIGSTOP)
	t.Cleanup(func() {
		for _, n := range frozen {
			_ = syscall.Kill(n, end)
		}
	})
	return frozen
}

// signalAll sends a signal to a process, first, so that it forks no more, and to its children, and
// returns them.
func signalAll(pid int, sig syscall.Signal) []int {
	all := []int{pid}
	_ = syscall.Kill(pid, sig)
	list, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, pid))
	for child := range strings.FieldsSeq(string(list)) {
		if n, err := strconv.Atoi(child); err == nil {
			all = append(all, n)
			_ = syscall.Kill(n, sig) // it may have just ended
		}
	}
	return all
}
