//go:build unix && !linux

package pglocal

import (
	"os/exec"
	"strconv"
	"syscall"
)

// endWithParent does nothing: only Linux has PDEATHSIG.
func endWithParent(*syscall.SysProcAttr, syscall.Signal) {}

// serves reports whether a process may be the server, by its name.
func serves(pid int, _ string) bool {
	out, err := exec.Command("ps", "-p", strconv.Itoa(pid), "-o", "comm=").Output()
	return err == nil && isServerName(string(out))
}

// children returns none: they end with their postmaster, unless they are frozen.
func children(int) []int { return nil }

// physicalMemory returns 2 GiB, a safe guess.
func physicalMemory() uint64 { return 2 << 30 }
