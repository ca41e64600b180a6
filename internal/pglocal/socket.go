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
	// shortFolder is the prefix of folders for sockets whose path would be too long. It is not in $TMPDIR, which may itself
	// be long, or closed to the user who runs PostgreSQL.
	shortFolder = "/tmp/razao-pg-"
)

// socket is the folder in which the server listens.
type socket struct {
	host    string // for clients: absolute path
	setting string // for unix_socket_directories: relative to PGDATA
	link    string // symlink to the short folder, by which the next start deletes it; "": PGDATA itself
}

// makeSocket returns PGDATA, or a new short folder if the path of a socket in PGDATA is too long for clients.
func (c *cluster) makeSocket(as account) (*socket, error) {
	link := filepath.Join(c.dir, "socket")
	if err := removeShort(link); err != nil {
		return nil, err
	}
	// A comma would separate hosts in a connection string.
	if len(c.data)+len("/"+socketName) <= maxSocket && !strings.Contains(c.data, ",") {
		return &socket{host: c.data, setting: "."}, nil
	}
	dir, err := os.MkdirTemp(filepath.Dir(shortFolder), filepath.Base(shortFolder))
	if err != nil {
		return nil, fmt.Errorf("short folder for the socket: %w", err)
	}
	s := &socket{host: dir, setting: dir, link: link}
	if err := errors.Join(os.Symlink(dir, link), as.own(dir)); err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir), s.remove())
	}
	return s, nil
}

// remove deletes the short folder, if there is one.
func (s *socket) remove() error {
	if s.link == "" {
		return nil
	}
	return removeShort(s.link)
}

// removeShort deletes the short folder that link names, with the link. It refuses links that lead elsewhere.
func removeShort(link string) error {
	dir, err := os.Readlink(link)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if !strings.HasPrefix(dir, shortFolder) || filepath.Clean(dir) != dir {
		return fmt.Errorf("%s leads to %s, which is not a folder for sockets: delete it", link, dir)
	}
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	return os.Remove(link)
}
