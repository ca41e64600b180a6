// Package pglocal runs a private PostgreSQL for programs configured without a database. It finds the installed binaries, runs
// initdb once, and runs the server as a child process. The server listens on a Unix socket only, mode 0700.
//
// The folder given to Open holds
//
//	cluster/      PGDATA, with the socket
//	postgres.log  the server's log; .old is the one before
//	lock          flock, held while a process joins or starts the server
//	socket        if the path exceeds sun_path: symlink to a short folder in /tmp with the socket
//
// # Running as root
//
// PostgreSQL refuses to run as root, so root runs it as the owner of cluster/, or as postgres or nobody if cluster/ is new. That
// user usually cannot traverse the path to it, such as /root. So PGDATA is opened as root and inherited as a file descriptor:
// "-D /proc/self/fd/3" resolves without walking the path, and PostgreSQL then works relative to it. Only cluster/ is owned by
// that user, so it cannot plant symlinks in folders where root opens files. Without /proc, Open checks that the path can be
// traversed and names the folder that cannot.
//
// # No orphans
//
// On Linux the server dies with this process, however that ends (PR_SET_PDEATHSIG). Elsewhere it survives a killed parent, and
// the next Open joins it.
package pglocal

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
)

// User is the cluster's superuser, and the database that Open creates.
const User = "razao"

// Options of Open. The zero value is right for production.
type Options struct {
	Log    *slog.Logger // nil: silent
	BinDir string       // folder of initdb and postgres; "": as FindBinaries, in the version of the cluster
	// Volatile disables fsync and WAL durability: faster, loses data in a crash. For tests.
	Volatile bool
}

// Server is a running private PostgreSQL.
type Server struct {
	address address
	pid     int
	process *process // nil when joined
	socket  *socket
}

// Open starts the server of the cluster in dir, creating both if needed, or joins one that another process runs there. It
// returns once the server accepts connections and the database User exists. ctx bounds only Open. A joined server stops when
// the process that started it does.
//
// The error is ErrNoBinaries if PostgreSQL is not installed; others name the path at fault.
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

// DSN returns the connection string of a database in libpq's keyword/value form.
func (s *Server) DSN(database string) string { return s.address.dsn(database) }

// PID returns the process id of the postmaster.
func (s *Server) PID() int { return s.pid }

// Joined reports whether another process started the server, and will stop it.
func (s *Server) Joined() bool { return s.process == nil }

// Close stops the server if this process started it (fast shutdown: transactions are rolled back, clients disconnected) and
// waits for its end. For a joined or closed server it does nothing.
func (s *Server) Close() error {
	if s.process == nil {
		return nil
	}
	err := s.process.stop()
	return errors.Join(err, s.socket.remove())
}

// address is the socket of a server.
type address struct {
	host string // folder of the socket
	port string // suffix of the socket's name; there is no TCP
}

func (a address) dsn(database string) string {
	return fmt.Sprintf("host=%s port=%s user=%s dbname=%s sslmode=disable",
		quoted(a.host), quoted(a.port), User, quoted(database))
}

func quoted(value string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(value) + "'"
}
