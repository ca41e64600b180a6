package pglocal

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

const (
	socketName = ".s.PGSQL." + port
	maxSocket  = len(syscall.RawSockaddrUnix{}.Path) - 1 // bytes: sun_path without its NUL
	// shortFolder is the prefix of folders for sockets whose path would otherwise be too long. It
	// is not in $TMPDIR, which may itself be long or closed to the user who runs PostgreSQL.
	shortFolder = "/tmp/razao-pg-"
)

// socket is the folder in which the server listens, as both sides name it.
type socket struct {
	host    string // for clients: an absolute path
	setting string // for unix_socket_directories: relative to PGDATA
}

// address returns where the cluster's server listens while it runs.
func (c *cluster) address() (address, error) {
	dir, err := shortOf(c.socketLink())
	if dir == "" {
		dir = c.data
	}
	return address(dir), err
}

// makeSocket returns PGDATA, or a short folder if the path of a socket in PGDATA would exceed
// sun_path. The short folder stays the same until the last user has left, because clients reconnect
// to it.
func (c *cluster) makeSocket(as account) (*socket, error) {
	dir, err := shortOf(c.socketLink())
	if err != nil {
		return nil, err
	}
	// A comma would separate two hosts in a connection string.
	if len(c.data)+len("/"+socketName) <= maxSocket && !strings.Contains(c.data, ",") {
		return &socket{host: c.data, setting: "."}, removeShort(c.socketLink())
	}
	if dir == "" {
		if dir, err = os.MkdirTemp(filepath.Dir(shortFolder), filepath.Base(shortFolder)); err != nil {
			return nil, fmt.Errorf("short folder for the socket: %w", err)
		}
		if err := os.Symlink(dir, c.socketLink()); err != nil {
			return nil, errors.Join(err, os.Remove(dir))
		}
	}
	return &socket{host: dir, setting: dir}, as.claim(dir)
}

// claim makes a short folder the account's. /tmp may have been cleaned and the folder recreated by
// somebody else: that is an error.
func (a account) claim(dir string) error {
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	if uid, _ := owner(info); !info.IsDir() || uid != a.uid && uid != os.Geteuid() {
		return fmt.Errorf("%s, the folder of the socket, belongs to the user with id %d: delete the link to it", dir, uid)
	}
	return a.own(dir)
}

// removeShort deletes the short folder that link points to, and the link.
func removeShort(link string) error {
	dir, err := shortOf(link)
	if err != nil || dir == "" {
		return err
	}
	return errors.Join(os.RemoveAll(dir), os.Remove(link))
}

// shortOf returns the short folder that link points to, or "" if there is no link. It refuses a
// link that leads elsewhere, since removeShort deletes the target recursively.
func shortOf(link string) (string, error) {
	dir, err := os.Readlink(link)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	if !strings.HasPrefix(dir, shortFolder) || filepath.Clean(dir) != dir {
		return "", fmt.Errorf("%s leads to %s, which is not a folder for sockets: delete it", link, dir)
	}
	return dir, nil
}
