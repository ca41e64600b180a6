package machine

import (
	"time"

	"golang.org/x/sys/unix"
)

// ThreadCPU is the CPU time that the calling thread has used; the caller must have locked it.
func ThreadCPU() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		return 0
	}
	return time.Duration(t.Nano())
}
