package pglocal

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// cluster is the folder given to Open and its content.
type cluster struct {
	dir  string // absolute
	data string // PostgreSQL's data folder, in dir
}

func newCluster(dir string) (*cluster, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	return &cluster{dir: dir, data: filepath.Join(dir, "cluster")}, nil
}

func (c *cluster) logPath() string    { return filepath.Join(c.dir, "postgres.log") }
func (c *cluster) socketLink() string { return filepath.Join(c.dir, "socket") }

// lock waits for exclusive access to joining, starting and stopping the server.
func (c *cluster) lock(ctx context.Context) (unlock func(), err error) {
	for {
		f, err := c.flock("lock", syscall.LOCK_EX)
		if err == nil {
			return func() { _ = funlock(f) }, nil
		}
		if !errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, err
		}
		if err := wait(ctx, pollEvery); err != nil {
			return nil, fmt.Errorf("another process is starting it: %w", err)
		}
	}
}

// alive reports whether any process of the server still runs.
func (c *cluster) alive() bool {
	f, err := c.flock("server", syscall.LOCK_SH)
	if err == nil {
		_ = funlock(f)
	}
	return errors.Is(err, syscall.EWOULDBLOCK)
}

// flock opens and locks a file in the cluster's folder without waiting. The kernel releases the
// lock when the last process that has the file open ends. The error is EWOULDBLOCK if the lock is
// taken.
func (c *cluster) flock(name string, how int) (*os.File, error) {
	f, err := os.OpenFile(filepath.Join(c.dir, name), os.O_RDWR|os.O_CREATE, 0o600)
	if errors.Is(err, fs.ErrPermission) {
		return nil, fmt.Errorf("%w: run as the user whose folder it is", err)
	}
	if err != nil {
		return nil, err
	}
	for {
		err := syscall.Flock(int(f.Fd()), how|syscall.LOCK_NB)
		if err == nil {
			return f, nil
		}
		if !errors.Is(err, syscall.EINTR) {
			_ = f.Close()
			return nil, &fs.PathError{Op: "lock", Path: f.Name(), Err: err}
		}
	}
}

// funlock releases a lock of flock. Closing the file would leave it to processes that were forked meanwhile and
// have not called execve yet: they have the same open file (flock(2)).
func funlock(f *os.File) error {
	return errors.Join(syscall.Flock(int(f.Fd()), syscall.LOCK_UN), f.Close())
}

// pollEvery is the interval of polling for other processes: flock has no timeout.
const pollEvery = 10 * time.Millisecond

// wait returns after d, or with the error of ctx when that is done first.
func wait(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// major returns the major version of the cluster (PG_VERSION), or 0 if there is no cluster yet.
func (c *cluster) major() (int, error) {
	if _, err := os.Stat(c.data); errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	path := filepath.Join(c.data, "PG_VERSION")
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, fmt.Errorf("%s is not a PostgreSQL cluster, it has no PG_VERSION: move it away", c.data)
	}
	if err != nil {
		return 0, err
	}
	major, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil || major <= 0 {
		return 0, fmt.Errorf("%s is damaged: it holds %.20q instead of a version", path, text)
	}
	return major, nil
}

// initialise creates the cluster under a temporary name and renames it when it is complete. The
// remains of an interrupted attempt are deleted by the next one.
func (c *cluster) initialise(ctx context.Context, bin binaries, as account, volatile bool) error {
	unfinished := c.data + ".new"
	if err := os.RemoveAll(unfinished); err != nil {
		return err
	}
	if err := os.Mkdir(unfinished, 0o700); err != nil {
		return err
	}
	if err := as.own(unfinished); err != nil {
		return err
	}
	if err := initdb(ctx, unfinished, bin, as, volatile); err != nil {
		return errors.Join(err, os.RemoveAll(unfinished))
	}
	if err := os.Rename(unfinished, c.data); err != nil {
		return err
	}
	// Makes the rename durable: if a power cut undid it, the next start would delete the cluster as
	// unfinished.
	return syncFolder(c.dir)
}

// initdb creates a cluster in dir. The error includes the last lines of its output.
func initdb(ctx context.Context, dir string, bin binaries, as account, volatile bool) error {
	args := []string{
		"--username=" + User, "--encoding=UTF8", "--locale=C",
		"--auth-local=trust", // the socket's mode admits only its owner and root
		"--auth-host=reject",
	}
	if volatile {
		args = append(args, "--no-sync", "--wal-segsize=1") // MB, instead of 16: many test clusters
	}
	data, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer func() { _ = data.Close() }()
	cmd := as.command(filepath.Join(bin.dir, "initdb"), data, args)
	cmd.SysProcAttr = as.attributes()
	endWithParent(cmd.SysProcAttr, syscall.SIGKILL)

	// PR_SET_PDEATHSIG fires when the thread that started the child ends, not the process.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	out, err := outputOf(ctx, cmd)
	if err != nil {
		return fmt.Errorf("initdb: %w\n%s", err, lastLines(out, 5))
	}
	return nil
}

// outputOf runs cmd and returns its output. When ctx is done it kills the process group, because
// initdb has children of its own.
func outputOf(ctx context.Context, cmd *exec.Cmd) (string, error) {
	var out strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		return "", err
	}
	stop := context.AfterFunc(ctx, func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) })
	err := cmd.Wait()
	if !stop() {
		err = ctx.Err()
	}
	return out.String(), err
}

// syncFolder makes renames in a folder durable.
func syncFolder(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// lastLines returns the last n lines of text that are not empty.
func lastLines(text string, n int) string {
	var lines []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}
