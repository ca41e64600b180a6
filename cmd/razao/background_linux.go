package main

import (
	"errors"
	"fmt"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// Whoever is served comes before a load, which has time. On an idle machine a load gets all of it; beside a busy server its threads
// weigh a tenth (110 to 1024, sched(7)). Of the disk they get what is left, where its scheduler knows priorities (BFQ, mq-deadline).
const (
	loadNiceness = 10

	ioprioBestEffort = 2 << 13 // IOPRIO_CLASS_BE of ioprio_set(2), and its lowest level
	ioprioLowest     = 7
	ioprioOfProcess  = 1 // IOPRIO_WHO_PROCESS, which means a thread
)

// yieldProcess lets this process come after others. On Linux priorities are those of threads: new ones have that of the
// thread that makes them, so all are told until none is left that could make another one.
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
			// The system call returns 20 less the niceness.
			if now, err := unix.Getpriority(unix.PRIO_PROCESS, id); err != nil || 20-now >= loadNiceness {
				continue // it has ended, or yields already, as with Nice= of a unit, whose I/O class stays
			}
			if err := yieldThread(id); err != nil && !errors.Is(err, unix.ESRCH) {
				return err
			}
			changed = true
		}
		if !changed {
			return nil
		}
	}
}

// yieldThread lets a thread come after others.
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
