package pglocal

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// errNotRunning means that the cluster has no server.
var errNotRunning = errors.New("not running")

// postmaster is what is read from postmaster.pid.
type postmaster struct {
	pid     int
	address address
}

// postmaster returns the cluster's server, which may be starting or stopping; errNotRunning: there is none.
func (c *cluster) postmaster() (postmaster, error) {
	text, err := os.ReadFile(filepath.Join(c.data, pidFile))
	if errors.Is(err, fs.ErrNotExist) {
		return postmaster{}, errNotRunning
	}
	if err != nil {
		return postmaster{}, err
	}
	// Lines: pid, PGDATA, start time, port, socket folder, and others that are not needed.
	lines := strings.Split(string(text), "\n")
	pid, err := strconv.Atoi(strings.TrimSpace(lines[0]))
	if err != nil || pid <= 0 || !serves(pid, c.data) {
		return postmaster{}, errNotRunning
	}
	pm := postmaster{pid: pid, address: address{host: c.data, port: port}}
	if len(lines) > 4 {
		pm.address.port = strings.TrimSpace(lines[3])
		if dir := strings.TrimSpace(lines[4]); filepath.IsAbs(dir) {
			pm.address.host = dir
		}
	}
	return pm, nil
}

const pidFile = "postmaster.pid"

// disownStale makes the lock files of a killed server harmless if its pid has been reused by another process, which would keep
// PostgreSQL from starting. postmaster.pid cannot be deleted, because it names the shared memory by which PostgreSQL detects
// surviving backends; instead our pid is written into it, since PostgreSQL ignores that of its parent.
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
