//go:build unix && !linux

package pglocal

import (
	"os/exec"
	"strconv"
	"syscall"
)

// endWithParent does nothing: only Linux ends a child with its parent.
func endWithParent(*syscall.SysProcAttr, syscall.Signal) {}

// serves reports whether the process may be the server of the data folder.
func serves(pid int, _ string) bool {
	out, err := exec.Command("ps", "-p", strconv.Itoa(pid), "-o", "comm=").Output()
	return err == nil && isServerName(string(out))
}

// physicalMemory returns what the smallest machine in use has.
func physicalMemory() uint64 { return 2 << 30 }
