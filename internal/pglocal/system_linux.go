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

// endWithParent makes the kernel send sig to the child when the thread that started it ends.
func endWithParent(attr *syscall.SysProcAttr, sig syscall.Signal) { attr.Pdeathsig = sig }

// serves reports whether the process is, or at least may be, the server of the data folder.
func serves(pid int, data string) bool {
	proc := fmt.Sprintf("/proc/%d", pid)
	name, err := os.ReadFile(proc + "/comm")
	if err != nil || !isServerName(string(name)) {
		return false
	}
	cwd, err := os.Stat(proc + "/cwd")
	if errors.Is(err, fs.ErrPermission) {
		return true // a server of another user: containers forbid even root to look
	}
	if err != nil {
		return false // ended but not yet collected by its parent
	}
	own, err := os.Stat(data)
	return err == nil && os.SameFile(cwd, own)
}

// physicalMemory returns the bytes this process may use: the machine's, or fewer in a container with a limit. 0 means
// unknown.
func physicalMemory() uint64 {
	var info syscall.Sysinfo_t
	if err := syscall.Sysinfo(&info); err != nil {
		return 0
	}
	total := uint64(info.Totalram) * uint64(info.Unit)
	text, err := os.ReadFile("/sys/fs/cgroup/memory.max")
	if err != nil {
		return total
	}
	limit, err := strconv.ParseUint(strings.TrimSpace(string(text)), 10, 64)
	if err != nil { // "max"
		return total
	}
	return min(total, limit)
}
