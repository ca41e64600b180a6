package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/pprof"
	"os"
	"os/exec"

	"github.com/gin-gonic/gin"
	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sync/errgroup"

	"razao/api"
	"razao/internal/account"
	"razao/internal/mail"
	"razao/internal/registry"
	"razao/internal/signin"
	"razao/internal/snapshot"
	"razao/internal/territory"
	"razao/internal/web"
	"razao/site"
)

const roleServe = "serve"

// addresses are what a serving process prints when it is ready.
type addresses struct {
	Program   string // the API, with everybody let in, and the website
	Keyed     string // the API and /mcp as they are served: key, admission and history
	Yardstick string // /hello, /select1, and /profile of the process
}

// server is the process that answers.
type server struct {
	addresses
	cmd   *exec.Cmd
	stdin io.Closer
}

// startServer starts a process that serves what the folder and the database hold. It ends with its standard input.
func (o *options) startServer(ctx context.Context, f *folder, db *database) (*server, error) {
	cmd, err := o.child(ctx, roleServe, "-data", f.dir, "-dsn", db.dsn)
	if err != nil {
		return nil, err
	}
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("start the server: %w", err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("start the server: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start the server: %w", err)
	}
	s := &server{cmd: cmd, stdin: stdin}
	line, err := bufio.NewReader(stdout).ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(line, &s.addresses)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("start the server: %w", err), s.close())
	}
	return s, nil
}

func (s *server) close() error {
	_ = s.stdin.Close()
	if err := s.cmd.Wait(); err != nil {
		return fmt.Errorf("server: %w", err)
	}
	return nil
}

// serveRole serves until standard input ends, which it does when the bench ends in whatever way.
func (o *options) serveRole(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		defer cancel()
		_, _ = io.Copy(io.Discard, os.Stdin)
	}()
	pool, err := connect(ctx, o.dsn)
	if err != nil {
		return err
	}
	defer pool.Close()
	atlas, err := territory.Open()
	if err != nil {
		return err
	}
	live := snapshot.Open(ctx, registry.NewStore(pool), (&folder{dir: o.data}).indexDir(), atlas, warnings())
	defer live.Close()
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return fmt.Errorf("log of requests: %w", err)
	}
	defer func() { _ = null.Close() }()
	log := slog.New(slog.NewJSONHandler(null, nil))
	everybody := func(context.Context, string) (account.Admission, error) { return account.Admission{}, nil }
	program, err := programHandler(live, pool, log, everybody, nil)
	if err != nil {
		return err
	}
	meter := account.OpenMeter(pool, warnings())
	defer meter.Close()
	keyed, err := programHandler(live, pool, log, meter.Admit, meter.Record)
	if err != nil {
		return err
	}
	if err := addAssistants(keyed, live, pool, meter); err != nil {
		return err
	}
	return serveAll(ctx, program, keyed, yardstickHandler(pool))
}

func serveAll(ctx context.Context, program, keyed, yardstick http.Handler) error {
	g, ctx := errgroup.WithContext(ctx)
	var open addresses
	for _, s := range []struct {
		handler http.Handler
		address *string
	}{{program, &open.Program}, {keyed, &open.Keyed}, {yardstick, &open.Yardstick}} {
		listener, err := web.Listen(ctx, "127.0.0.1:0")
		if err != nil {
			return err
		}
		*s.address = listener.Addr().String()
		g.Go(func() error { return web.Serve(ctx, listener, s.handler, warnings()) })
	}
	g.Go(func() error { return json.NewEncoder(os.Stdout).Encode(open) })
	return g.Wait()
}

// programHandler is the API and the website behind the real engine, request log included. record may be nil.
func programHandler(live *snapshot.Live, pool *pgxpool.Pool, log *slog.Logger,
	admit func(context.Context, string) (account.Admission, error), record func(account.Call),
) (*gin.Engine, error) {
	atlas, err := territory.Open()
	if err != nil {
		return nil, err
	}
	accounts := account.NewStore(pool)
	outbox, err := mail.Open(pool, mail.Config{From: "bench@razao.exemplo", Log: log}) // which nobody runs: no mail is sent
	if err != nil {
		return nil, err
	}
	people, err := signin.New(signin.Config{Pool: pool, Accounts: accounts, Outbox: outbox, BaseURL: publicAddress})
	if err != nil {
		return nil, err
	}
	pages, err := site.New(site.Config{
		Live: live, Ping: pool.Ping, Version: "bench", BaseURL: publicAddress, Contacts: registry.NewContacts(pool),
		SignIn: people, Sessions: signin.NewSessions(accounts, publicAddress), Accounts: accounts,
	})
	if err != nil {
		return nil, err
	}
	engine := web.NewEngine(web.Options{Log: log, BaseURL: publicAddress})
	api.New(api.Config{Live: live, Admit: admit, Record: record, IBGE: atlas.IBGE}).Register(engine)
	pages.Register(engine)
	return engine, nil
}

// yardstickHandler answers with the least that gin, and gin with PostgreSQL, can do.
func yardstickHandler(pool *pgxpool.Pool) http.Handler {
	engine := gin.New()
	engine.GET("/hello", func(c *gin.Context) { c.JSON(http.StatusOK, gin.H{"message": "hello"}) })
	engine.GET("/select1", func(c *gin.Context) {
		var one int
		if err := pool.QueryRow(c.Request.Context(), `SELECT 1`).Scan(&one); err != nil {
			c.Status(http.StatusInternalServerError)
			return
		}
		c.JSON(http.StatusOK, gin.H{"message": one})
	})
	engine.GET("/profile", gin.WrapF(pprof.Profile))
	return engine
}
