package pglocal

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// pid returns the process id of the postmaster, which may be that of a former one; 0: there is none.
func (c *cluster) pid() int {
	pid, err := strconv.Atoi(c.statusLine(0))
	if err != nil {
		return 0
	}
	return max(0, pid)
}

// stopping reports whether the postmaster has taken notice that it shall stop.
func (c *cluster) stopping() bool { return c.statusLine(7) == "stopping" }

// statusLine returns a line of postmaster.pid: pid, PGDATA, start time, port, socket folder, address, shared memory, status.
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

// disownStale makes the lock files of a killed server harmless if its pid has been reused by another process, which would keep
// PostgreSQL from starting. postmaster.pid cannot be deleted, because it names the shared memory by which PostgreSQL detects
// surviving processes; instead our pid is written into it, since PostgreSQL ignores that of its parent.
func (c *cluster) disownStale() error {
	// os.Root: PGDATA may belong to another user, whose symlinks root must not follow.
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
