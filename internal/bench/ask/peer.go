package ask

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"razao/internal/bench/report"
	"razao/internal/testing/freeport"
)

// HelloCommand is the subcommand that runs [Hello].
const HelloCommand = "hello"

// Peer is another registry to compare look-ups with.
type Peer struct {
	URL  *url.URL // answers with a company when a CNPJ of 14 positions is appended; nil: gin's "hello" instead
	PIDs []int    // its processes, with those of its database; they run on this machine
}

// Hello answers every request with one word, as small a server as gin allows, until ctx ends.
func Hello(ctx context.Context, address string) error {
	gin.SetMode(gin.ReleaseMode)
	engine := gin.New()
	engine.NoRoute(func(c *gin.Context) { c.String(http.StatusOK, "hello") })
	server := &http.Server{Addr: address, Handler: engine, ReadHeaderTimeout: time.Minute}
	stop := context.AfterFunc(ctx, func() { _ = server.Close() })
	defer stop()
	if err := server.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// Beside measures keyed look-ups in turns with a peer that is asked for the same numbers.
func (p Peer) Beside(b *Bench) func(ctx context.Context) (*Requests, error) {
	return func(ctx context.Context) (out *Requests, err error) {
		keys, err := b.keys(ctx)
		if err != nil {
			return nil, err
		}
		peer, path, err := p.server(ctx)
		if err != nil {
			return nil, err
		}
		if peer.cmd != nil {
			defer func() { err = errors.Join(err, peer.close()) }()
		}
		v1 := request{name: "v1, 14 positions", path: func(dst []byte, r *rand.Rand) []byte { return b.number(append(dst, "/v1/cnpj/"...), r) }}
		basic, full := b.ofEstablishment("v2 basic, 14 positions", "/basic"), b.ofEstablishment("v2 full, 14 positions", "/full")
		out = &Requests{title: "Beside a peer", against: p.name(), note: "Random existing numbers; ours with key, admission and history."}
		for _, kind := range []*request{&v1, &basic, &full} {
			kind.by = keys
			for _, n := range b.Conns {
				theirs := request{name: p.name(), path: func(dst []byte, r *rand.Rand) []byte { return b.number(append(dst, path...), r) }}
				run, err := b.compete(ctx, n, []contender{{b.servers[0], kind}, {peer, &theirs}})
				if err != nil {
					return nil, fmt.Errorf("%s beside %s, %d connections: %w", kind.name, p.name(), n, err)
				}
				out.runs = append(out.runs, run)
			}
		}
		return out, nil
	}
}

func (p Peer) name() string {
	if p.URL == nil {
		return "gin hello"
	}
	return p.URL.String()
}

// server returns the peer and the path that numbers are appended to. Without an address it starts this
// program as [Hello].
func (p Peer) server(ctx context.Context) (*server, string, error) {
	if p.URL != nil {
		return &server{address: p.URL.Host, pids: p.PIDs}, strings.TrimSuffix(p.URL.Path, "/") + "/", nil
	}
	self, err := os.Executable()
	if err != nil {
		return nil, "", fmt.Errorf("start gin's hello: %w", err)
	}
	address, err := freeport.Address()
	if err != nil {
		return nil, "", err
	}
	s := &server{address: address, cmd: exec.CommandContext(ctx, self, HelloCommand, address)}
	if err := s.cmd.Start(); err != nil {
		return nil, "", fmt.Errorf("start gin's hello: %w", err)
	}
	report.Say("%s on %s", p.name(), address)
	if err := s.ready(ctx); err != nil {
		return nil, "", errors.Join(fmt.Errorf("start gin's hello: %w", err), s.close())
	}
	return s, "/", nil
}
