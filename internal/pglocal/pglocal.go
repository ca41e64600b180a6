// Package pglocal runs a private PostgreSQL for programs configured without a database. It finds the installed binaries, runs
// initdb once, and runs the server. It listens on a Unix socket only, mode 0700.
//
// The folder given to Open holds
//
//	cluster/      PGDATA, with the socket
//	postgres.log  the server's log; .old is the one before
//	lock          flock, held while a process joins, starts or stops the server
//	users         flock, shared by all who have opened the server: whoever leaves last stops it
//	server        flock, inherited and held by every process of the server until it has ended
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
// # Several users
//
// The server is nobody's: it outlives the process that started it for as long as another has it open. Each of them watches it,
// and brings it back when it ends by itself. The flock "server" tells its end, because the kernel releases it with the last process
// that may still write to PGDATA or hold its shared memory: it holds across PID namespaces (containers that share a volume) and users,
// where process ids say nothing. If the last user is killed, the server stays until the next user leaves.
package pglocal

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"
)

// User is the cluster's superuser, and the database that Open creates.
const User = "razao"

// Options of Open. The zero value is right for production.
type Options struct {
	Log    *slog.Logger // nil: silent
	BinDir string       // folder of initdb and postgres; "": as FindBinaries, in the version of the cluster
	// Volatile disables fsync and WAL durability: faster, loses data in a crash. Such a server is not brought back, and on Linux it
	// ends with the process that started it, however that ends (PR_SET_PDEATHSIG). For tests.
	Volatile bool
}

// Server is a running private PostgreSQL.
type Server struct {
	cluster *cluster
	opts    Options
	address address
	joined  bool
	users   *os.File // locked, shared, until Close

	unwatch context.CancelFunc
	watched sync.WaitGroup
	close   func() error
}

// Open starts the server of the cluster in dir, creating both if needed, or joins the one that runs. It returns once the server
// accepts connections and the database User exists. ctx bounds only Open. Until Close the server is brought back when it ends, at the
// same address.
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
	opts.Log.Info("private PostgreSQL is ready", "dir", dir, "pid", s.PID(), "joined", s.joined)
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
	s := &Server{cluster: c, opts: opts}
	s.close = sync.OnceValue(s.leave)
	if s.users, err = c.flock("users", syscall.LOCK_SH); err != nil {
		return nil, err
	}
	if s.joined, err = c.joinOrStart(ctx, opts); err == nil {
		s.address, err = c.address()
	}
	if err != nil {
		return nil, errors.Join(err, s.release())
	}
	watching, cancel := context.WithCancel(context.Background())
	s.unwatch = cancel
	s.watched.Go(func() { s.watch(watching) })
	return s, nil
}

// DSN returns the connection string of a database in libpq's keyword/value form.
func (s *Server) DSN(database string) string { return s.DSNAs(User, database) }

// DSNAs is DSN for another role than the superuser. The server trusts whoever reaches its socket.
func (s *Server) DSNAs(role, database string) string { return s.address.dsn(role, database) }

// PID returns the process id of the postmaster, which changes when the server is brought back; 0: it is not running.
func (s *Server) PID() int { return s.cluster.pid() }

// Joined reports whether the server was running when it was opened.
func (s *Server) Joined() bool { return s.joined }

// watchEvery is how often the server's life is looked at, and the size of its log: one flock and one stat, some microseconds.
const watchEvery = 100 * time.Millisecond

// watch brings the server back when it has ended, and keeps its log from growing, until ctx is done.
func (s *Server) watch(ctx context.Context) {
	for wait(ctx, watchEvery) == nil {
		if s.cluster.alive() {
			if s.tidyLog() != nil {
				_ = wait(ctx, time.Second)
			}
			continue
		}
		s.opts.Log.Error("private PostgreSQL ended by itself", "log", s.cluster.logPath())
		if s.opts.Volatile {
			return
		}
		if err := s.revive(ctx); err != nil && ctx.Err() == nil {
			s.opts.Log.Error("private PostgreSQL does not come back; trying again", "error", err)
			_ = wait(ctx, time.Second)
		}
	}
}

// tidyLog rotates a log that has become large, unless another process holds the lock and perhaps does so. Nobody is told of an
// error: what keeps 10 MB from being copied, such as a full disk, others report.
func (s *Server) tidyLog() error {
	if info, err := os.Stat(s.cluster.logPath()); err != nil || info.Size() <= maxLog {
		return err
	}
	lock, err := s.cluster.flock("lock", syscall.LOCK_EX)
	if err != nil {
		return err
	}
	defer func() { _ = lock.Close() }()
	return rotateLog(s.cluster.logPath())
}

// revive starts the server, unless another of its users was faster.
func (s *Server) revive(ctx context.Context) error {
	unlock, err := s.cluster.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	joined, err := s.cluster.joinOrStart(ctx, s.opts)
	if err == nil {
		s.opts.Log.Warn("private PostgreSQL is back", "pid", s.PID(), "joined", joined)
	}
	return err
}

// Close leaves the server. Who is the last to leave stops it (fast shutdown: transactions are rolled back, clients disconnected)
// and waits for its end. Closing again does nothing.
func (s *Server) Close() error { return s.close() }

// leaveTimeout bounds the wait for another process that joins, starts or stops the server.
const leaveTimeout = 10 * time.Second

func (s *Server) leave() error {
	s.unwatch()
	s.watched.Wait()
	ctx, cancel := context.WithTimeout(context.Background(), leaveTimeout)
	defer cancel()
	unlock, err := s.cluster.lock(ctx)
	if err != nil {
		return s.users.Close() // another process has been starting it all the while: it is its user
	}
	defer unlock()
	if !s.cluster.alive() {
		err = fmt.Errorf("PostgreSQL had ended by itself; see %s", s.cluster.logPath())
	}
	return errors.Join(err, s.release())
}

// release gives the server up, and stops it if nobody else uses it. The caller holds the lock.
func (s *Server) release() error {
	defer func() { _ = s.users.Close() }()
	if err := syscall.Flock(int(s.users.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return nil // there are other users
	}
	return errors.Join(s.cluster.stop(s.opts.Log), removeShort(s.cluster.socketLink()))
}

// address is the socket of a server.
type address struct {
	host string // folder of the socket
	port string // suffix of the socket's name; there is no TCP
}

func (a address) dsn(role, database string) string {
	return fmt.Sprintf("host=%s port=%s user=%s dbname=%s sslmode=disable",
		quoted(a.host), quoted(a.port), role, quoted(database))
}

func quoted(value string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(value) + "'"
}
