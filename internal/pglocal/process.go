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
	maxLog       = 10 << 20         // bytes of postgres.log after which a start begins a new one
	stopPatience = 60 * time.Second // a last checkpoint on a slow disk; a server cut short recovers at its next start
	killPatience = 5 * time.Second
)

// process is the postmaster as our child.
type process struct {
	cmd      *exec.Cmd
	log      *slog.Logger
	logPath  string
	logStart int64 // where the lines of this run begin

	stopping atomic.Bool
	stopOnce sync.Once
	done     chan struct{} // closed when the process has ended
	err      error         // how it ended, never nil; read after done
}

// launch starts p.cmd.
func (p *process) launch() error {
	started := make(chan error)
	go func() {
		// The kernel ties "stop when my parent ends" to the thread that started the child: it must live as long.
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

// report logs the end of a server that nobody stopped.
func (p *process) report() {
	<-p.done
	if !p.stopping.Load() {
		p.log.Error("private PostgreSQL ended by itself", "err", p.err, "log", p.logPath)
	}
}

// openLog opens the log for appending and returns its size. One long log is kept beside it.
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

// logged returns the last lines that this run logged.
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
	const enough = 4096
	from := max(p.logStart, info.Size()-enough)
	text, err := io.ReadAll(io.NewSectionReader(f, from, enough))
	if err != nil {
		return err.Error()
	}
	return lastLines(string(text), 5)
}

// stop ends the process and waits for its end: with SIGINT, PostgreSQL's fast shutdown, then harder.
func (p *process) stop() error {
	var err error
	p.stopOnce.Do(func() {
		p.stopping.Store(true)
		err = p.end()
	})
	<-p.done
	return err
}

func (p *process) end() error {
	select {
	case <-p.done:
		return fmt.Errorf("PostgreSQL had ended by itself: %w; see %s", p.err, p.logPath)
	default:
	}
	for _, step := range []struct {
		signal   syscall.Signal
		patience time.Duration
	}{
		{syscall.SIGINT, stopPatience},
		{syscall.SIGQUIT, killPatience},
	} {
		_ = p.cmd.Process.Signal(step.signal) // fails only when the process has just ended
		select {
		case <-p.done:
			return nil
		case <-time.After(step.patience):
			p.log.Warn("private PostgreSQL does not stop", "after", step.signal.String())
		}
	}
	_ = p.cmd.Process.Kill()
	return nil
}
