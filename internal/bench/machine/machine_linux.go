package machine

import (
	"time"

	"golang.org/x/sys/unix"
)

// ThreadCPU returns the CPU time of the calling thread. The difference of two calls is meaningful
// only if the goroutine is locked to its thread (runtime.LockOSThread) in between.
func ThreadCPU() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		return 0
	}
	return time.Duration(t.Nano())
}
