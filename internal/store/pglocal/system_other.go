//go:build unix && !linux

package pglocal

import (
	"os/exec"
	"strconv"
	"syscall"
)

// endWithParent does nothing: only Linux has PR_SET_PDEATHSIG.
func endWithParent(*syscall.SysProcAttr, syscall.Signal) {}

// serves reports whether a process may be a postmaster, judging by its name alone.
func serves(pid int, _ string) bool {
	out, err := exec.Command("ps", "-p", strconv.Itoa(pid), "-o", "comm=").Output()
	return err == nil && isServerName(string(out))
}

// children returns nil. Backends end with their postmaster anyway, unless they are frozen.
func children(int) []int { return nil }
