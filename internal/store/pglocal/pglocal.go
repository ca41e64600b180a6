// Package pglocal runs a private PostgreSQL for programs configured without a database. It finds
// the installed binaries, runs initdb once, and starts the server, which listens only on a Unix
// socket with mode 0700.
//
// The folder given to Open holds
//
//	cluster/      PGDATA, with the socket
//	postgres.log  the server's log; .old is the one before
//	lock          flock, held exclusively while a process joins, starts or stops the server
//	users         flock, held shared by every process that has opened the server
//	server        flock, inherited and held by every process of the server
//	socket        only if the path exceeds sun_path: symlink to a short folder in /tmp with the socket
//
// # Running as root
//
// PostgreSQL refuses to run as root, so root runs it as the owner of cluster/, or as postgres or
// nobody if cluster/ is new. That user usually cannot traverse the path to it, such as /root.
// Therefore PGDATA is opened as root and inherited as a file descriptor: "-D /proc/self/fd/3"
// resolves without walking the path, and PostgreSQL then works relative to it. Only cluster/ is
// owned by that user, so it cannot plant symlinks in folders where root opens files. Without /proc
// the user must be able to traverse the path.
//
// # Several users
//
// The server belongs to no single process: it outlives the one that started it while any other has
// it open. Reference counting is done with flocks, which the kernel releases however a process
// ends. A process that leaves tries to take "users" exclusively; it succeeds only as the last one,
// and then stops the server. Every user watches the server and restarts it when it ends
// unexpectedly.
//
// "server" tells whether the server runs: the kernel releases it with the last process that may
// still write to PGDATA or hold its shared memory. Unlike process ids this works across PID
// namespaces (containers that share a volume) and across operating system users. If the last user
// is killed, the server keeps running until the next user leaves.
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
	"sync/atomic"
	"syscall"
	"time"

	"razao/internal/store/memory"
)

// User is the name of the cluster's superuser, and of the database that Open creates.
const User = "razao"

// Options configure Open. The zero value is right for production.
type Options struct {
	Log    *slog.Logger // nil: silent
	BinDir string       // folder of initdb and postgres; "": found as by FindBinaries, in the cluster's version
	// Volatile disables fsync and other WAL durability: faster, but a crash loses data. A volatile
	// server is not restarted when it ends, and on Linux it ends with the process that started it,
	// however that ends (PR_SET_PDEATHSIG). For tests.
	Volatile bool
}

// Server is this process's use of a running private PostgreSQL. It is safe for concurrent use.
type Server struct {
	cluster *cluster
	opts    Options
	address address
	joined  bool
	users   *os.File // holds the shared flock until Close

	logStart int64       // size of the log when Open had succeeded
	kills    int64       // memory.Kills, when Open began
	crashed  atomic.Bool // the postmaster ended without having been stopped

	unwatch context.CancelFunc
	watched sync.WaitGroup
	close   func() error
}

// Open starts the server of the cluster in dir, creating both if needed, or joins the one that
// runs. It returns when the server accepts connections and the database User exists. ctx bounds
// only Open itself. Until Close, the server is restarted when it ends; its address stays the same.
//
// The error is ErrNoBinaries if PostgreSQL is not installed. Other errors name the path at fault.
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
	s := &Server{cluster: c, opts: opts, kills: memory.Kills("/")}
	s.close = sync.OnceValue(s.leave)
	if s.users, err = c.flock("users", syscall.LOCK_SH); err != nil {
		return nil, err
	}
	if s.joined, err = c.joinOrStart(ctx, opts); err == nil {
		s.address, err = c.address()
	}
	if err != nil {
		if memory.Kills("/") > s.kills {
			err = fmt.Errorf("%w\n%s", err, s.scarce())
		}
		return nil, errors.Join(err, s.release())
	}
	if info, err := os.Stat(c.logPath()); err == nil {
		s.logStart = info.Size()
	}
	watching, cancel := context.WithCancel(context.Background())
	s.unwatch = cancel
	s.watched.Go(func() { s.watch(watching) })
	return s, nil
}

// DSN returns the connection string of a database as the superuser, in libpq's keyword/value form.
func (s *Server) DSN(database string) string { return s.DSNAs(User, database) }

// DSNAs is DSN for another role. The server trusts whoever can reach its socket, which is its owner
// and root, so no role needs a password.
func (s *Server) DSNAs(role, database string) string { return s.address.dsn(role, database) }

// PID returns the process id of the postmaster, or 0 if it is not running. It changes with a
// restart.
func (s *Server) PID() int { return s.cluster.pid() }

// Joined reports whether the server was already running when Open was called.
func (s *Server) Joined() bool { return s.joined }

// watchEvery is the interval at which the server's life and the size of its log are checked, by one
// flock and one stat.
const watchEvery = 100 * time.Millisecond

// watch restarts the server when it has ended and rotates its log, until ctx is done.
func (s *Server) watch(ctx context.Context) {
	for wait(ctx, watchEvery) == nil {
		if s.cluster.alive() {
			if s.tidyLog() != nil {
				_ = wait(ctx, time.Second)
			}
			continue
		}
		attrs := []any{"log", s.cluster.logPath()}
		if s.killed() {
			s.crashed.Store(true)
			attrs = append(attrs, "reason", s.scarce())
		}
		s.opts.Log.Error("private PostgreSQL ended by itself", attrs...)
		if s.opts.Volatile {
			return
		}
		if err := s.revive(ctx); err != nil && ctx.Err() == nil {
			s.opts.Log.Error("private PostgreSQL does not come back; trying again", "error", err)
			_ = wait(ctx, time.Second)
		}
	}
}

// tidyLog rotates a large log, unless another process holds the lock and may be doing the same. Its
// error only makes watch pause: whatever prevents copying 10 MB, such as a full disk, shows up
// elsewhere.
func (s *Server) tidyLog() error {
	if info, err := os.Stat(s.cluster.logPath()); err != nil || info.Size() <= maxLog {
		return err
	}
	lock, err := s.cluster.flock("lock", syscall.LOCK_EX)
	if err != nil {
		return err
	}
	defer func() { _ = funlock(lock) }()
	return rotateLog(s.cluster.logPath())
}

// revive starts the server, unless another user already has.
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

// Close leaves the server. The last user stops it with a fast shutdown, which rolls back
// transactions and disconnects clients, and waits for its end. Further calls do nothing and return
// the same error.
func (s *Server) Close() error { return s.close() }

// leaveTimeout bounds the wait for another process that is joining, starting or stopping the
// server.
const leaveTimeout = 10 * time.Second

func (s *Server) leave() error {
	s.unwatch()
	s.watched.Wait()
	ctx, cancel := context.WithTimeout(context.Background(), leaveTimeout)
	defer cancel()
	unlock, err := s.cluster.lock(ctx)
	if err != nil {
		return funlock(s.users) // another process has been starting the server all the while, so it remains a user
	}
	defer unlock()
	if !s.cluster.alive() {
		err = fmt.Errorf("PostgreSQL had ended by itself; see %s", s.cluster.logPath())
		if s.killed() {
			err = fmt.Errorf("%w: %s", err, s.scarce())
		}
	}
	return errors.Join(err, s.release())
}

// release gives up this process's use and stops the server if nobody else uses it. The caller holds
// the lock.
func (s *Server) release() error {
	defer func() { _ = funlock(s.users) }()
	if err := syscall.Flock(int(s.users.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return nil // there are other users
	}
	return errors.Join(s.cluster.stop(s.opts.Log), removeShort(s.cluster.socketLink()))
}

// address is the folder of the socket in which a server listens.
type address string

func (a address) dsn(role, database string) string {
	return fmt.Sprintf("host=%s port=%s user=%s dbname=%s sslmode=disable",
		quoted(string(a)), port, role, quoted(database))
}

func quoted(value string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(value) + "'"
}
