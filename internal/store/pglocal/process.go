package pglocal

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"time"
)

const (
	maxLog        = 10 << 20         // bytes; a larger postgres.log is rotated
	noticeTimeout = 5 * time.Second  // for the postmaster to acknowledge SIGINT
	stopTimeout   = 60 * time.Second // for the shutdown checkpoint on a slow disk
	killTimeout   = 6 * time.Second  // after SIGQUIT the postmaster itself kills what is left after 5 s
)

// process is the postmaster while it is being started. It outlives this process; afterwards it is
// known only by its files.
type process struct {
	cmd      *exec.Cmd
	logPath  string
	data     string        // PGDATA, which the log may name as it was inherited
	logStart int64         // offset in the log at which this run begins
	done     chan struct{} // closed when the process has exited
	err      error         // how it exited, never nil; valid once done is closed
}

// start starts p.cmd and reaps it in a goroutine.
func (p *process) start() error {
	started := make(chan error)
	go func() {
		// PR_SET_PDEATHSIG of a volatile server fires when the thread that started it ends, so the
		// thread is kept until the server has exited.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := p.cmd.Start()
		started <- err
		if err != nil {
			return
		}
		p.err = p.cmd.Wait()
		if p.err == nil {
			p.err = errors.New("exit status 0")
		}
		close(p.done)
	}()
	return <-started
}

// openLog opens the log for appending, after rotating a large one, and returns its size.
func openLog(path string) (*os.File, int64, error) {
	if err := rotateLog(path); err != nil {
		return nil, 0, err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return nil, 0, err
	}
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		_ = f.Close()
		return nil, 0, err
	}
	return f, size, nil
}

// rotateLog copies a large log to .old and truncates it in place (like logrotate's copytruncate),
// because a running server keeps the file open in append mode. A line written between copying and
// truncating is lost.
func rotateLog(path string) error {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && info.Size() <= maxLog {
		return nil
	}
	if err != nil {
		return err
	}
	from, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = from.Close() }()
	to, err := os.OpenFile(path+".old", os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(to, from)
	if err := errors.Join(err, to.Close()); err != nil {
		return err
	}
	return os.Truncate(path, 0)
}

// logged returns the last lines that this run has logged.
func (p *process) logged() string {
	f, err := os.Open(p.logPath)
	if err != nil {
		return err.Error()
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return err.Error()
	}
	const tail = 4096 // bytes
	from := max(p.logStart, info.Size()-tail)
	text, err := io.ReadAll(io.NewSectionReader(f, from, tail))
	if err != nil {
		return err.Error()
	}
	return strings.ReplaceAll(lastLines(string(text), 5), inherited, p.data)
}

// stop stops the server and waits for its last process: fast shutdown (SIGINT), then immediate
// shutdown (SIGQUIT), then SIGKILL, after which the next start recovers from the WAL. A postmaster
// that does not acknowledge SIGINT is frozen (SIGSTOP, a cgroup's freezer) and is killed at once.
func (c *cluster) stop(log *slog.Logger) error {
	ended := func() bool { return !c.alive() }
	if ended() {
		return nil
	}
	c.signal(syscall.SIGINT)
	if within(noticeTimeout, func() bool { return ended() || c.stopping() }) {
		if within(stopTimeout, ended) {
			return nil
		}
		log.Warn("private PostgreSQL does not stop", "after", stopTimeout.String())
		c.signal(syscall.SIGQUIT)
		if within(killTimeout, ended) {
			return nil
		}
	}
	log.Warn("private PostgreSQL does not react: killing it", "pid", c.pid())
	c.kill()
	if within(killTimeout, ended) {
		return nil
	}
	return fmt.Errorf("PostgreSQL, process %d, does not end: end it by hand", c.pid())
}

// kill kills the postmaster and its children, which do not end with it while they are frozen.
func (c *cluster) kill() {
	pid := c.pid()
	if pid == 0 || !serves(pid, c.data) {
		return
	}
	for _, child := range append([]int{pid}, children(pid)...) {
		_ = syscall.Kill(child, syscall.SIGKILL)
	}
}

// signal signals the postmaster. It does nothing if that has ended or is in another PID namespace.
func (c *cluster) signal(sig syscall.Signal) {
	if pid := c.pid(); pid > 0 && serves(pid, c.data) {
		_ = syscall.Kill(pid, sig)
	}
}

// within polls until is returns true or d has passed, and reports whether it did.
func within(d time.Duration, is func() bool) bool {
	for deadline := time.Now().Add(d); !is(); time.Sleep(pollEvery) {
		if time.Now().After(deadline) {
			return false
		}
	}
	return true
}
