// Package load runs builds of the program and puts load on them. It knows a build only by its
// commands, its settings and its HTTP interface, so an older build is measured and compared in the
// same way as this one. What it does use of this module is the private PostgreSQL, the invented
// release, and the creation of accounts, of which a measurement needs thousands.
//
// CPU times and memory of processes come from Linux's /proc.
package load

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"razao/internal/people/account"
	"razao/internal/people/seal"
	"razao/internal/store/pglocal"
	"razao/internal/testing/freeport"
)

const (
	// PublicAddress is RAZAO_BASE_URL of every server. With https, cookies carry the __Host- prefix.
	PublicAddress = "https://razao.exemplo"

	secret      = "the secret of every server that this laboratory starts" // equal secrets give equal cursors
	sampleEvery = 200 * time.Millisecond                                   // of memory and files, while a command runs
)

// Program is a build with a data folder and a private PostgreSQL of its own.
type Program struct {
	path, dir string
	dsn       string
	postgres  *pglocal.Server
	pool      *pgxpool.Pool
	server    *process // nil before Serve
}

// Open starts a PostgreSQL in the folder dir for the build at path and lets it migrate the database.
// The caller must call Close.
func Open(ctx context.Context, path, dir string) (*Program, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	p := &Program{path: path, dir: dir}
	if p.postgres, err = pglocal.Open(ctx, p.database(), pglocal.Options{}); err != nil {
		return nil, err
	}
	p.dsn = p.postgres.DSN(pglocal.User)
	if p.pool, err = pgxpool.New(ctx, p.dsn); err != nil {
		return nil, errors.Join(err, p.Close())
	}
	if _, err := p.Run(ctx, "migrate"); err != nil {
		return nil, errors.Join(err, p.Close())
	}
	return p, nil
}

// database is the folder of PostgreSQL.
func (p *Program) database() string { return filepath.Join(p.dir, "postgres") }

// Close stops the server, if there is one, and PostgreSQL.
func (p *Program) Close() error {
	var failed error
	if p.server != nil {
		failed = p.server.stop()
	}
	if p.pool != nil {
		p.pool.Close()
	}
	return errors.Join(failed, p.postgres.Close())
}

// command prepares a command of the build. It leads a session of its own, as under a service
// manager: Linux divides the processors by session (autogroup, sched(7)).
func (p *Program) command(ctx context.Context, settings []string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, p.path, args...)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 10 * time.Second
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	// Settings of whoever measures, and of the measurement itself, are not for the build.
	cmd.Env = slices.DeleteFunc(os.Environ(), func(entry string) bool { return strings.HasPrefix(entry, "RAZAO_") })
	cmd.Env = append(cmd.Env, "RAZAO_DATA="+p.dir, "RAZAO_DATABASE_URL="+p.dsn, "RAZAO_SECRET="+secret)
	cmd.Env = append(cmd.Env, settings...)
	return cmd
}

// Run runs a command of the build to its end and returns what it and PostgreSQL used.
func (p *Program) Run(ctx context.Context, args ...string) (Usage, error) {
	cmd := p.command(ctx, nil, args...)
	var log bytes.Buffer
	cmd.Stderr = &log
	start, before := time.Now(), FamilyCPU(p.postgres.PID())
	if err := cmd.Start(); err != nil {
		return Usage{}, fmt.Errorf("%s: %w", p.path, err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	var used Usage
	for tick := time.NewTicker(sampleEvery); ; {
		select {
		case <-tick.C:
			used.Memory = max(used.Memory, memory(cmd.Process.Pid)+memory(family(p.postgres.PID())...))
			used.Disk = max(used.Disk, disk(p.dir, p.database()))
		case err := <-ended:
			tick.Stop()
			if err != nil {
				return used, fmt.Errorf("%s %s: %w\n%s", p.path, strings.Join(args, " "), err, log.Bytes())
			}
			used.Wall = time.Since(start)
			used.Server = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
			used.Postgres = FamilyCPU(p.postgres.PID()) - before
			return used, nil
		}
	}
}

// Serve starts the server, without limits for addresses where there are settings for them, and waits
// until it is healthy. It believes X-Forwarded-For.
func (p *Program) Serve(ctx context.Context) (*Server, error) {
	address, err := freeport.Address()
	if err != nil {
		return nil, err
	}
	cmd := p.command(ctx, []string{
		"RAZAO_ADDR=" + address, "RAZAO_PRIVATE_ADDR=", "RAZAO_BASE_URL=" + PublicAddress,
		"RAZAO_TRUSTED_PROXIES=127.0.0.0/8", "RAZAO_IP_REQUESTS=0", "RAZAO_IP_FAILURES=0", "RAZAO_IP_CLIENTS=0", "RAZAO_IP_CALLS=0",
	}, "serve")
	if p.server, err = start(ctx, cmd, "http://"+address+"/health"); err != nil {
		return nil, err
	}
	return &Server{URL: "http://" + address, PIDs: []int{cmd.Process.Pid}, Postgres: p.postgres.PID()}, nil
}

// Hello starts this program with the given arguments, by which it serves at the address that it
// appends, and waits until it answers. The caller must call the function returned.
func Hello(ctx context.Context, args ...string) (*Server, func() error, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, nil, err
	}
	address, err := freeport.Address()
	if err != nil {
		return nil, nil, err
	}
	cmd := exec.CommandContext(ctx, self, append(args, address)...)
	p, err := start(ctx, cmd, "http://"+address)
	if err != nil {
		return nil, nil, err
	}
	return &Server{URL: "http://" + address, PIDs: []int{cmd.Process.Pid}}, p.stop, nil
}

// Keys creates n accounts and returns a key of each. The limit of an account is sixty calls a minute.
func (p *Program) Keys(ctx context.Context, n int) ([]string, error) {
	return Keys(ctx, p.pool, seal.New(secret), n)
}

// Sessions creates n accounts, signs them in and returns their cookies. The n-th account has the same
// address for every build, because pages show it.
func (p *Program) Sessions(ctx context.Context, n int) (cookies []string, err error) {
	store := account.NewStore(p.pool, nil)
	for i := range n {
		id, err := store.ByEmail(ctx, fmt.Sprintf("sessao%d@exemplo.com", i))
		if err != nil {
			return nil, err
		}
		token, _, err := store.StartSession(ctx, id, "lab", "")
		if err != nil {
			return nil, err
		}
		cookies = append(cookies, "__Host-razao="+token)
	}
	return cookies, nil
}
