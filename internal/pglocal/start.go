package pglocal

import (
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
)

// maxSilence is how long a server may take to respond at all. Crash recovery may take longer, but then the server says that it
// is starting up.
const maxSilence = 60 * time.Second

const port = "5432"

// start starts the server. The caller holds the lock, and no server is running.
func (c *cluster) start(ctx context.Context, opts Options) (*Server, error) {
	major, err := c.major()
	if err != nil {
		return nil, err
	}
	as, err := c.account()
	if err != nil {
		return nil, err
	}
	bin, err := find(opts.BinDir, major, installed())
	if err != nil {
		return nil, err
	}
	if major == 0 {
		opts.Log.Info("creating the private PostgreSQL", "dir", c.dir, "binaries", bin.dir)
		if err := c.initialise(ctx, bin, as, opts.Volatile); err != nil {
			return nil, err
		}
	}
	if err := c.disownStale(); err != nil {
		return nil, err
	}
	for began := time.Now(); ; {
		s, err := c.launch(ctx, bin, as, opts)
		if err == nil || !strings.Contains(err.Error(), stillHeld) || time.Since(began) > orphansLast {
			return s, err
		}
		select {
		case <-ctx.Done():
			return nil, errors.Join(ctx.Err(), err)
		case <-time.After(100 * time.Millisecond):
		}
	}
}

const (
	// stillHeld is the server's error while backends of a killed server are still alive; they exit within moments.
	stillHeld   = "pre-existing shared memory block"
	orphansLast = 10 * time.Second
)

// launch tries once to start the server.
func (c *cluster) launch(ctx context.Context, bin binaries, as account, opts Options) (*Server, error) {
	sock, err := c.makeSocket(as)
	if err != nil {
		return nil, err
	}
	p, err := c.run(bin, as, sock, opts)
	if err != nil {
		return nil, errors.Join(err, sock.remove())
	}
	s := &Server{address: address{sock.host, port}, pid: p.cmd.Process.Pid, process: p, socket: sock}
	if err := p.awaitReady(ctx, s.address); err != nil {
		_ = s.Close() // err is the cause
		return nil, err
	}
	go p.report()
	return s, nil
}

// run starts the server process with its log.
func (c *cluster) run(bin binaries, as account, sock *socket, opts Options) (*process, error) {
	data, err := os.Open(c.data)
	if err != nil {
		return nil, err
	}
	defer func() { _ = data.Close() }()
	args := append(settings(opts.Volatile, physicalMemory()), "-c", "unix_socket_directories="+sock.setting)
	cmd, err := as.command(filepath.Join(bin.dir, "postgres"), data, args)
	if err != nil {
		return nil, err
	}
	cmd.SysProcAttr = as.attributes(syscall.SIGINT)

	logPath := filepath.Join(c.dir, "postgres.log")
	out, size, err := openLog(logPath)
	if err != nil {
		return nil, err
	}
	defer func() { _ = out.Close() }()
	cmd.Stdout, cmd.Stderr = out, out
	p := &process{cmd: cmd, log: opts.Log, logPath: logPath, logStart: size, done: make(chan struct{})}
	if err := p.launch(); err != nil {
		return nil, fmt.Errorf("start PostgreSQL as the user with id %d: %w", as.uid, err)
	}
	return p, nil
}

// settings returns the server's configuration as arguments, so that it changes with the program and not only with new clusters.
// memory is that of the machine in bytes, 0 if unknown.
func settings(volatile bool, memory uint64) []string {
	const mb = 1 << 20
	buffers := max(16, min(memory/4/mb, 512))
	values := []string{
		"listen_addresses=",
		"port=" + port,
		"unix_socket_permissions=0700",
		"shared_buffers=" + strconv.FormatUint(buffers, 10) + "MB",
		"maintenance_work_mem=256MB",
		"wal_level=minimal", // COPY into a table created in the same transaction writes no WAL
		"max_wal_senders=0",
		"max_wal_size=4GB",
		"checkpoint_timeout=15min",
		"max_connections=60",
		"jit=off", // compiling costs more than our queries
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

// awaitReady returns when the server accepts connections, or why it does not.
func (p *process) awaitReady(ctx context.Context, a address) error {
	deadline := time.Now().Add(maxSilence)
	for {
		err := ready(ctx, a)
		if err == nil {
			return nil
		}
		if answered(err) {
			deadline = time.Now().Add(maxSilence)
		}
		select {
		case <-p.done:
			return fmt.Errorf("PostgreSQL did not start (%w); the end of %s:\n%s", p.err, p.logPath, p.logged())
		case <-ctx.Done():
			return fmt.Errorf("wait for PostgreSQL to start: %w", ctx.Err())
		case <-time.After(10 * time.Millisecond):
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("PostgreSQL started but does not answer: %w", err)
		}
	}
}

// join returns the server that another process runs, once it is ready. It waits for a server that is stopping; errNotRunning:
// there is none.
func (c *cluster) join(ctx context.Context) (*Server, error) {
	deadline := time.Now().Add(maxSilence)
	for {
		pm, err := c.postmaster()
		if err != nil {
			return nil, err
		}
		err = ready(ctx, pm.address)
		if err == nil {
			return &Server{address: pm.address, pid: pm.pid}, nil
		}
		if answered(err) {
			deadline = time.Now().Add(maxSilence)
		}
		if time.Now().After(deadline) {
			return nil, fmt.Errorf("PostgreSQL runs as process %d but does not answer: %w", pm.pid, err)
		}
		if ctxErr := pause(ctx); ctxErr != nil {
			return nil, fmt.Errorf("wait for PostgreSQL, process %d: %w", pm.pid, ctxErr)
		}
	}
}

// SQLSTATE codes.
const (
	codeNoDatabase  = "3D000"
	codeTooManyConn = "53300"
)

// answered reports whether an error came from the server, which then is starting or stopping.
func answered(err error) bool {
	return codeOf(err) != ""
}

// codeOf returns the SQLSTATE of an error, "" if it is not the server's.
func codeOf(err error) string {
	var pgErr *pgconn.PgError
	if errors.As(err, &pgErr) {
		return pgErr.Code
	}
	return ""
}

// ready returns nil if the server accepts connections to the database User, which it creates if needed.
func ready(ctx context.Context, a address) error {
	err := execute(ctx, a.dsn(User), "")
	switch codeOf(err) {
	case codeNoDatabase:
		return execute(ctx, a.dsn("postgres"), "CREATE DATABASE "+User)
	case codeTooManyConn:
		return nil
	}
	return err
}

// execute connects and runs a statement; "" only tests the connection.
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
