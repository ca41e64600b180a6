package pglocal

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"razao/internal/store/memory"
)

// maxSilence bounds how long a server may take to respond at all. Crash recovery may take longer,
// but meanwhile the server answers that it is starting up, which restarts the clock.
const maxSilence = 60 * time.Second

// port is only part of the socket's name: the server does not listen on TCP.
const port = "5432"

// start starts the server, creating the cluster first if there is none. The caller holds the lock.
// life is the file "server", locked exclusively, which proves that no server runs; start closes it.
func (c *cluster) start(ctx context.Context, life *os.File, opts Options) error {
	major, err := c.major()
	if err != nil {
		return err
	}
	as, err := c.account()
	if err != nil {
		return err
	}
	bin, err := find(opts.BinDir, major, installed())
	if err != nil {
		return err
	}
	if major == 0 {
		opts.Log.Info("creating the private PostgreSQL", "dir", c.dir, "binaries", bin.dir)
		if err := c.initialise(ctx, bin, as, opts.Volatile); err != nil {
			return err
		}
	}
	a, err := c.address()
	if err != nil {
		return err
	}
	if err := ready(ctx, a); err == nil || answered(err) {
		return errors.New("a server runs that was started by an older version of this program: stop that first")
	}
	if err := c.disownStale(); err != nil {
		return err
	}
	return c.launch(ctx, bin, as, life, opts)
}

// launch starts the server and waits until it accepts connections. If ctx is done first, the server
// keeps starting: other processes may be waiting for it, and its last user stops it.
func (c *cluster) launch(ctx context.Context, bin binaries, as account, life *os.File, opts Options) error {
	sock, err := c.makeSocket(as)
	if err != nil {
		return err
	}
	p, err := c.run(bin, as, sock, life, opts)
	if err != nil {
		return err
	}
	// The server inherited the lock. A second reference here would make it look alive after its
	// end.
	_ = life.Close()
	return p.awaitReady(ctx, address(sock.host))
}

// run starts the postmaster with its log as stdout and stderr.
func (c *cluster) run(bin binaries, as account, sock *socket, life *os.File, opts Options) (*process, error) {
	data, err := os.Open(c.data)
	if err != nil {
		return nil, err
	}
	defer func() { _ = data.Close() }()
	room, _ := memory.Limit("/")
	args := append(settings(opts.Volatile, cmp.Or(room, guessedMemory)), "-c", "unix_socket_directories="+sock.setting)
	cmd := as.command(filepath.Join(bin.dir, "postgres"), data, args)
	cmd.ExtraFiles = append(cmd.ExtraFiles, life)
	cmd.SysProcAttr = as.attributes()
	if opts.Volatile {
		endWithParent(cmd.SysProcAttr, syscall.SIGINT)
	}
	out, size, err := openLog(c.logPath())
	if err != nil {
		return nil, err
	}
	defer func() { _ = out.Close() }()
	cmd.Stdout, cmd.Stderr = out, out
	p := &process{cmd: cmd, logPath: c.logPath(), data: c.data, logStart: size, done: make(chan struct{})}
	if err := p.start(); err != nil {
		return nil, fmt.Errorf("start PostgreSQL as the user with id %d: %w", as.uid, err)
	}
	return p, nil
}

// guessedMemory is a safe guess where the system does not say how much there is.
const guessedMemory = 2 << 30

// settings returns the server's configuration as arguments rather than in postgresql.conf, so that
// existing clusters get it with a new program. room is the memory in bytes that it shares with this
// program, of which an index that is being created takes maintenance_work_mem beside the buffers.
func settings(volatile bool, room int64) []string {
	const mb = 1 << 20
	buffers := max(16, min(room/4/mb, 512))
	maintenance := max(16, min(room/8/mb, 256))
	values := []string{
		"listen_addresses=",
		"port=" + port,
		"unix_socket_permissions=0700",
		"shared_buffers=" + strconv.FormatInt(buffers, 10) + "MB",
		"maintenance_work_mem=" + strconv.FormatInt(maintenance, 10) + "MB",
		"wal_level=minimal", // lets COPY into a table of the same transaction skip WAL
		"max_wal_senders=0",
		"max_wal_size=4GB",
		"checkpoint_timeout=15min",
		"max_connections=60",
		"jit=off", // compiling takes longer than our queries
		"autovacuum=on",
		"logging_collector=off",
	}
	if volatile {
		values = append(values, "shared_buffers=64MB", "max_connections=200", "min_wal_size=16MB", "max_wal_size=64MB",
			"fsync=off", "synchronous_commit=off", "full_page_writes=off")
	}
	args := make([]string, 0, 2*len(values))
	for _, v := range values {
		args = append(args, "-c", v)
	}
	return args
}

// awaitReady returns nil when the server accepts connections, or the reason why it does not, with
// the end of its log.
func (p *process) awaitReady(ctx context.Context, a address) error {
	deadline := time.Now().Add(maxSilence)
	for {
		err := ready(ctx, a)
		if err == nil {
			return nil
		}
		if coming(err) {
			deadline = time.Now().Add(maxSilence)
		}
		select {
		case <-p.done:
			return fmt.Errorf("PostgreSQL did not start (%w); the end of %s:\n%s", p.err, p.logPath, p.logged())
		case <-ctx.Done():
			return fmt.Errorf("wait for PostgreSQL to start: %w", ctx.Err())
		case <-time.After(pollEvery):
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("PostgreSQL started but does not accept connections: %w; the end of %s:\n%s", err, p.logPath, p.logged())
		}
	}
}

// joinOrStart returns when the server accepts connections; joined reports that it was already
// running. The caller holds the lock. If a server is stopping or was killed, it first waits for the
// end of its last process.
func (c *cluster) joinOrStart(ctx context.Context, opts Options) (joined bool, err error) {
	deadline := time.Now().Add(maxSilence)
	for {
		life, err := c.flock("server", syscall.LOCK_EX)
		if err == nil {
			defer func() { _ = life.Close() }()
			return false, c.start(ctx, life, opts)
		}
		if !errors.Is(err, syscall.EWOULDBLOCK) {
			return false, err
		}
		a, err := c.address()
		if err != nil {
			return false, err
		}
		if err = ready(ctx, a); err == nil {
			return true, nil
		}
		if coming(err) {
			deadline = time.Now().Add(maxSilence)
		}
		if time.Now().After(deadline) {
			return false, fmt.Errorf("PostgreSQL runs as process %d but does not accept connections: %w", c.pid(), err)
		}
		if ctxErr := wait(ctx, pollEvery); ctxErr != nil {
			return false, fmt.Errorf("wait for PostgreSQL, process %d: %w", c.pid(), ctxErr)
		}
	}
}

// SQLSTATE codes.
const (
	codeNoDatabase  = "3D000"
	codeTooManyConn = "53300"
)

// answered reports whether err came from the server itself.
func answered(err error) bool {
	return codeOf(err) != ""
}

// coming reports whether the server itself says that it is starting, recovering or stopping (class 57P0x).
// Other refusals, as of files that it may not open, would go on for ever.
func coming(err error) bool {
	return strings.HasPrefix(codeOf(err), "57P0")
}

// codeOf returns the SQLSTATE of an error, or "" if the error is not the server's.
func codeOf(err error) string {
	var pgErr *pgconn.PgError
	if errors.As(err, &pgErr) {
		return pgErr.Code
	}
	return ""
}

// ready returns nil if the server accepts connections. It creates the database User if that is
// missing.
func ready(ctx context.Context, a address) error {
	err := execute(ctx, a.dsn(User, User), "")
	switch codeOf(err) {
	case codeNoDatabase:
		return execute(ctx, a.dsn(User, "postgres"), "CREATE DATABASE "+User)
	case codeTooManyConn:
		return nil
	}
	return err
}

// execute connects, runs one statement and disconnects. The statement "" only tests the connection.
func execute(ctx context.Context, dsn, statement string) error {
	ctx, cancel := context.WithTimeout(ctx, maxSilence)
	defer cancel()
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }()
	_, err = conn.Exec(ctx, statement)
	return err
}
