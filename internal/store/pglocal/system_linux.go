package pglocal

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// endWithParent sets PR_SET_PDEATHSIG: the child gets sig when the thread that started it ends, so
// the caller must keep that thread alive.
func endWithParent(attr *syscall.SysProcAttr, sig syscall.Signal) { attr.Pdeathsig = sig }

// serves reports whether a process is, or may be, the postmaster of a PGDATA, judging by its name
// and working directory. It guards against signalling a process that reused the pid.
func serves(pid int, data string) bool {
	proc := fmt.Sprintf("/proc/%d", pid)
	name, err := os.ReadFile(proc + "/comm")
	if err != nil || !isServerName(string(name)) {
		return false
	}
	cwd, err := os.Stat(proc + "/cwd")
	if errors.Is(err, fs.ErrPermission) {
		return true // another user's server; in containers even root may be denied its cwd
	}
	if err != nil {
		return false // a zombie
	}
	own, err := os.Stat(data)
	return err == nil && os.SameFile(cwd, own)
}

// children returns the child processes of pid, or nil if the kernel does not tell
// (CONFIG_PROC_CHILDREN).
func children(pid int) []int {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%[1]d/children", pid))
	if err != nil {
		return nil
	}
	var pids []int
	for field := range strings.FieldsSeq(string(text)) {
		if child, err := strconv.Atoi(field); err == nil {
			pids = append(pids, child)
		}
	}
	return pids
}
