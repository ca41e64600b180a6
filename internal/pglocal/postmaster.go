package pglocal

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// errNotRunning is the error of a cluster that no process serves.
var errNotRunning = errors.New("not running")

// postmaster is what a running server writes into postmaster.pid.
type postmaster struct {
	pid     int
	address address
}

// postmaster returns the server of the cluster, which may still be starting or already stopping, or errNotRunning.
func (c *cluster) postmaster() (postmaster, error) {
	text, err := os.ReadFile(filepath.Join(c.data, pidFile))
	if errors.Is(err, fs.ErrNotExist) {
		return postmaster{}, errNotRunning
	}
	if err != nil {
		return postmaster{}, err
	}
	// The lines: process, data folder, start time, port, folder of the socket, and more that we do not need.
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

// disownStale keeps the files of a server that was killed from stopping the next one, should its process id be that of
// another program by now. postmaster.pid is not deleted: it also names the shared memory by which PostgreSQL notices
// that parts of the old server are alive. PostgreSQL ignores its parent's process id there, so we put ours.
func (c *cluster) disownStale() error {
	// The folder belongs to another user when we are root: a link in it must not lead us out.
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

// isServerName reports whether a process of that name can be a server.
func isServerName(name string) bool {
	name = filepath.Base(strings.TrimSpace(name))
	return name == "postgres" || name == "postmaster"
}
