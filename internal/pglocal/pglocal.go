// Package pglocal runs a private PostgreSQL for a program that was given no database: it finds the installed binaries,
// creates a cluster once, runs the server as a direct child and stops it again. The server has no TCP port; its socket
// can be used by its owner and by root only.
//
// The folder given to Open holds
//
//	cluster/      the data folder of PostgreSQL, which also holds the socket
//	postgres.log  what the server says
//	lock          held while a process looks for a running server and starts one
//	socket        only when the path is too long for a socket: a link to the short folder that holds it
//
// # Running as root
//
// PostgreSQL refuses to run as root, so root starts it as the owner of cluster/: the user postgres, or nobody. That
// user often cannot enter the folders above, a home above all, and must not be given rights on them. So the data
// folder is opened here, as root, and handed over as an open file: the child names it /proc/self/fd/3, which the
// kernel resolves without walking the path, and PostgreSQL then works relative to it, its socket included. Keeping the
// cluster elsewhere would split the data from its folder. Only cluster/ belongs to that user, so that nothing it
// writes decides which files root opens. Where there is no /proc, Open checks the path and names the folder to open.
//
// # No orphans
//
// On Linux the kernel stops the server when this process ends in any way. Elsewhere a server whose starter was killed
// goes on, and the next Open joins it.
package pglocal

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
)

// User is the superuser of the cluster, and the name of the database that Open creates.
const User = "razao"

// Options of Open. The zero value is what a program in production wants.
type Options struct {
	Log    *slog.Logger // nil: silent
	BinDir string       // folder of initdb and postgres; empty: the one that FindBinaries finds for the cluster
	// Volatile gives up safety against crashes of the machine for speed. For tests.
	Volatile bool
}

// Server is a running private PostgreSQL.
type Server struct {
	address address
	pid     int
	process *process // nil when joined
	socket  *socket
}

// Open starts the cluster kept in dir, which is created when missing, or joins the server that another process already
// runs there. It returns once the server answers and the database named User exists; cancelling ctx later does not
// stop the server. When a joined server's owner ends, the server ends too, and connections to it break.
//
// The error is ErrNoBinaries when PostgreSQL is not installed, and names the path at fault otherwise.
func Open(ctx context.Context, dir string, opts Options) (*Server, error) {
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	s, err := open(ctx, dir, opts)
	if err != nil {
		return nil, fmt.Errorf("private PostgreSQL in %s: %w", dir, err)
	}
	opts.Log.Info("private PostgreSQL is ready", "dir", dir, "pid", s.pid, "joined", s.Joined())
	return s, nil
}

func open(ctx context.Context, dir string, opts Options) (*Server, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	c, err := newCluster(dir)
	if err != nil {
		return nil, err
	}
	unlock, err := c.lock(ctx)
	if err != nil {
		return nil, err
	}
	defer unlock()

	s, err := c.join(ctx)
	if errors.Is(err, errNotRunning) {
		return c.start(ctx, opts)
	}
	return s, err
}

// DSN returns the connection string of a database of this server, for pgx and whatever understands libpq's
// "keyword = value" form.
func (s *Server) DSN(database string) string { return s.address.dsn(database) }

// PID returns the process id of the postmaster.
func (s *Server) PID() int { return s.pid }

// Joined reports whether another process started the server, and will stop it.
func (s *Server) Joined() bool { return s.process == nil }

// Close stops the server if this process started it: open transactions are rolled back and clients disconnected. It
// returns when the server is gone. Closing twice, or closing a joined server, does nothing.
func (s *Server) Close() error {
	if s.process == nil {
		return nil
	}
	err := s.process.stop()
	return errors.Join(err, s.socket.remove())
}

// address is where clients find a server.
type address struct {
	host string // folder of the socket
	port string // part of the socket's name, even without TCP
}

func (a address) dsn(database string) string {
	return fmt.Sprintf("host=%s port=%s user=%s dbname=%s sslmode=disable",
		quoted(a.host), quoted(a.port), User, quoted(database))
}

func quoted(value string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(value) + "'"
}
