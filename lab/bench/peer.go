package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"razao/lab/internal/load"
)

// helloCommand is the argument by which this program is the server hello.
const helloCommand = "hello"

// hello answers every request with one word, as small a server as gin allows, until ctx ends.
func hello(ctx context.Context, address string) error {
	gin.SetMode(gin.ReleaseMode)
	engine := gin.New()
	engine.NoRoute(func(c *gin.Context) { c.String(http.StatusOK, "hello") })
	server := &http.Server{Addr: address, Handler: engine, ReadHeaderTimeout: time.Minute}
	defer context.AfterFunc(ctx, func() { _ = server.Close() })()
	if err := server.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// peer measures keyed look-ups in turns with those of another registry for the same numbers. Its
// address is RAZAO_BENCH_PEER, to which a CNPJ is appended, and its processes are those of
// RAZAO_BENCH_PEER_PIDS, of its database, too. Without these the peer is hello.
func (b *bench) peer(ctx context.Context) (err error) {
	server, path := (*load.Server)(nil), "/"
	if address := os.Getenv("RAZAO_BENCH_PEER"); address != "" {
		if server, path, err = other(address, os.Getenv("RAZAO_BENCH_PEER_PIDS")); err != nil {
			return err
		}
	} else {
		var stop func() error
		if server, stop, err = load.Hello(ctx, helloCommand); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, stop()) }()
	}
	out := series{}
	theirs := load.Get("peer", "", func(r *rand.Rand) string { return path + b.drawn.CNPJ(r) })
	for _, kind := range []load.Kind{b.v1(), b.basic(), b.full()} {
		if err := b.compete(ctx, out, kind.Name, contender{"razao", b.servers[0], kind}, contender{"peer", server, theirs}); err != nil {
			return err
		}
	}
	return out.print(ctx, title("peer", "look-ups beside "+server.URL+path), "peer", "razao")
}

// other returns the registry at an address, and the path that numbers are appended to.
func other(address, pids string) (*load.Server, string, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" || u.Port() == "" {
		return nil, "", fmt.Errorf("RAZAO_BENCH_PEER=%s: an address like http://127.0.0.1:8000/ is expected", address)
	}
	s := &load.Server{URL: "http://" + u.Host}
	for item := range strings.SplitSeq(pids, ",") {
		pid, err := strconv.Atoi(item)
		if err != nil || pid < 1 {
			return nil, "", fmt.Errorf("RAZAO_BENCH_PEER_PIDS=%s: the numbers of its processes are expected, as in 812,815", pids)
		}
		s.PIDs = append(s.PIDs, pid)
	}
	return s, strings.TrimSuffix(u.Path, "/") + "/", nil
}
