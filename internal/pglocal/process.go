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
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

const (
	maxLog      = 10 << 20         // bytes; a larger postgres.log is rotated at the start
	stopTimeout = 60 * time.Second // for the shutdown checkpoint on a slow disk
	killTimeout = 5 * time.Second  // after that; the next start recovers from the WAL
)

// process is the postmaster, a child of this process.
type process struct {
	cmd      *exec.Cmd
	log      *slog.Logger
	logPath  string
	logStart int64 // offset at which this run's lines begin

	stopping atomic.Bool
	stopOnce sync.Once
	done     chan struct{} // closed when the process has exited
	err      error         // how it exited, never nil; to be read after done
}

// launch starts p.cmd and waits for it in a goroutine.
func (p *process) launch() error {
	started := make(chan error)
	go func() {
		// PDEATHSIG is sent when the thread that started the child ends, so the thread is kept until then.
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

// report logs an unexpected exit.
func (p *process) report() {
	<-p.done
	if !p.stopping.Load() {
		p.log.Error("private PostgreSQL ended by itself", "err", p.err, "log", p.logPath)
	}
}

// openLog opens the log for appending, after rotating a large one, and returns its size.
func openLog(path string) (*os.File, int64, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, 0, err
	case info.Size() > maxLog:
		if err := os.Rename(path, path+".old"); err != nil {
			return nil, 0, err
		}
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

// logged returns the last lines of this run's log.
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
	return lastLines(string(text), 5)
}

// stop stops the server and waits for its exit: fast shutdown (SIGINT), then immediate (SIGQUIT), then SIGKILL.
func (p *process) stop() error {
	var err error
	p.stopOnce.Do(func() {
		p.stopping.Store(true)
		err = p.end()
	})
	<-p.done
	return err
}

// end signals the process until it exits; an error means that it had exited before.
func (p *process) end() error {
	select {
	case <-p.done:
		return fmt.Errorf("PostgreSQL had ended by itself: %w; see %s", p.err, p.logPath)
	default:
	}
	for _, step := range []struct {
		signal  syscall.Signal
		timeout time.Duration
	}{
		{syscall.SIGINT, stopTimeout},
		{syscall.SIGQUIT, killTimeout},
	} {
		_ = p.cmd.Process.Signal(step.signal) // fails only if the process has just exited
		select {
		case <-p.done:
			return nil
		case <-time.After(step.timeout):
			p.log.Warn("private PostgreSQL does not stop", "after", step.signal.String())
		}
	}
	_ = p.cmd.Process.Kill()
	return nil
}
