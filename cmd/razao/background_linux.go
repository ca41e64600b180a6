package main

import (
	"errors"
	"fmt"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// A load yields to servers on the same machine. On an idle machine it gets all the CPU; beside busy
// threads its own weigh about a tenth (110 to 1024, sched(7)). Its I/O class gets what is left
// where the disk's scheduler knows priorities (BFQ, mq-deadline).
const (
	loadNiceness = 10

	ioprioBestEffort = 2 << 13 // IOPRIO_CLASS_BE of ioprio_set(2), and its lowest level
	ioprioLowest     = 7
	ioprioOfProcess  = 1 // IOPRIO_WHO_PROCESS, which means a thread
)

// yieldProcess lowers the CPU and I/O priority of this process, then that of its session. On Linux priorities belong to
// threads and new threads inherit that of their creator, so it repeats until a pass finds no thread
// left to change: from then on none can create one with the old priority.
func yieldProcess() error {
	for {
		threads, err := os.ReadDir("/proc/self/task")
		if err != nil {
			return fmt.Errorf("threads of this process: %w", err)
		}
		changed := false
		for _, t := range threads {
			id, err := strconv.Atoi(t.Name())
			if err != nil {
				return fmt.Errorf("threads of this process: %w", err)
			}
			// The raw system call returns 20 - niceness.
			if now, err := unix.Getpriority(unix.PRIO_PROCESS, id); err != nil || 20-now >= loadNiceness {
				continue // it has ended, or is nice already, as with systemd's Nice=, whose I/O class is kept
			}
			if err := yieldThread(id); err != nil && !errors.Is(err, unix.ESRCH) {
				return err
			}
			changed = true
		}
		if !changed {
			return yieldSession()
		}
	}
}

// yieldSession lowers the priority of this session, if this process leads it, as the programs of
// services, timers and cron do. Where the kernel schedules sessions as groups, niceness counts only
// within a session (autogroup, sched(7)): a load would take as much as servers and PostgreSQL, which
// have sessions of their own. The session of a shell is left alone, because servers may be in it.
func yieldSession() error {
	if leader, err := unix.Getsid(0); err != nil || leader != os.Getpid() {
		return err
	}
	err := os.WriteFile("/proc/self/autogroup", strconv.AppendInt(nil, loadNiceness, 10), 0)
	if err != nil && !errors.Is(err, os.ErrNotExist) { // a kernel without autogroup has no such file
		return fmt.Errorf("niceness of the session: %w", err)
	}
	return nil
}

// yieldThread lowers the priority of one thread.
func yieldThread(id int) error {
	if err := unix.Setpriority(unix.PRIO_PROCESS, id, loadNiceness); err != nil {
		return fmt.Errorf("niceness of thread %d: %w", id, err)
	}
	_, _, errno := unix.Syscall(unix.SYS_IOPRIO_SET, ioprioOfProcess, uintptr(id), ioprioBestEffort|ioprioLowest)
	if errno != 0 {
		return fmt.Errorf("I/O priority of thread %d: %w", id, errno)
	}
	return nil
}
