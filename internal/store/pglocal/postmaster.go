package pglocal

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// pid returns the process id in postmaster.pid, which may be that of a former postmaster, or 0 if
// there is no such file.
func (c *cluster) pid() int {
	pid, err := strconv.Atoi(c.statusLine(0))
	if err != nil {
		return 0
	}
	return max(0, pid)
}

// stopping reports whether the postmaster has begun to shut down.
func (c *cluster) stopping() bool { return c.statusLine(7) == "stopping" }

// statusLine returns a line of postmaster.pid, counted from 0: pid, PGDATA, start time, port,
// socket folder, listen address, shared memory key, status.
func (c *cluster) statusLine(n int) string {
	text, err := os.ReadFile(filepath.Join(c.data, pidFile))
	if err != nil {
		return ""
	}
	lines := strings.Split(string(text), "\n")
	if n >= len(lines) {
		return ""
	}
	return strings.TrimSpace(lines[n])
}

const pidFile = "postmaster.pid"

// disownStale disarms the lock files of a killed server whose pid has been reused by another
// process, which would keep PostgreSQL from starting. postmaster.pid must not be deleted, because
// its shared memory key is how PostgreSQL detects surviving backends. Instead our own pid is
// written into it: PostgreSQL ignores the pid of its parent process.
func (c *cluster) disownStale() error {
	// os.Root, because PGDATA may belong to another user whose symlinks root must not follow.
	root, err := os.OpenRoot(c.data)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	if err := root.Remove(socketName + ".lock"); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	text, err := root.ReadFile(pidFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	_, rest, _ := strings.Cut(string(text), "\n")
	return root.WriteFile(pidFile, []byte(strconv.Itoa(os.Getpid())+"\n"+rest), 0o600)
}

// isServerName reports whether a command name is that of a PostgreSQL server.
func isServerName(name string) bool {
	name = filepath.Base(strings.TrimSpace(name))
	return name == "postgres" || name == "postmaster"
}
