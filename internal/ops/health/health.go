// Package health serves the probes of load balancers and monitors: /health/live responds as long as
// the process does, /health/ready says whether it can serve records. Both are outside sessions,
// rate limits and load shedding, and wait for nothing: [Probe.Run] asks the database once a second,
// on a connection of its own, and probes get the last answer. [Ask] is the client, for the command
// line.
//
// Readiness depends on a snapshot in service, but not on the index: records are served without it. It
// depends on the database unless there is a row cache, from which pages are served. On shutdown
// [Probe.Drain] makes a process unready some time before it stops listening, so that balancers send
// new connections elsewhere. /health, for people, is a page of package site.
package health

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/gin-gonic/gin"
	"golang.org/x/sync/singleflight"

	"razao/internal/store/snapshot"
)

// States of the process and of its parts, as the responses have them.
const (
	OK       = "ok"
	Degraded = "degradado" // index: an older or incomplete one; database: replicas lag, or only they respond; process: no database
	Down     = "indisponivel"
	Stopping = "encerrando" // of the process only: it still serves, but wants no new connections
)

// Bounds of a ping.
const (
	pingTime  = time.Second     // timeout
	pingEvery = time.Second     // pause of Run
	pingLast  = 5 * time.Second // how long a result stands: longer than Run takes for the next, two timeouts and a pause
)

// Probe knows the state of the process. Make one with New. It is safe for concurrent use.
type Probe struct {
	live     *snapshot.Live
	ping     func(context.Context) error
	replicas func(context.Context) error // nil: records are read from the server that ping asks
	stopping atomic.Bool

	flights singleflight.Group
	last    atomic.Pointer[answer]
}

// answer is the result of a ping.
type answer struct {
	at  time.Time
	err error
}

// New returns a Probe. ping checks that the database responds. It must have a connection of its own: a
// probe that waits behind the statements of requests would report an overloaded process as down.
func New(live *snapshot.Live, ping func(context.Context) error) *Probe {
	return &Probe{live: live, ping: ping}
}

// ErrReadOnly means that the database does not respond, but replicas do: records are served, and what
// has to write fails.
var ErrReadOnly = errors.New("only the replicas respond")

// WithReplicas makes p distinguish a database that does not respond while replicas do. ping asks the
// replicas that records are read from, on a connection of its own. It must be called before p is used.
func (p *Probe) WithReplicas(ping func(context.Context) error) { p.replicas = ping }

// Ping returns nil if the database responds, and the error of ping otherwise, with ErrReadOnly if
// replicas respond: what Run last heard, good or bad. Only before its first answer, or if it has none
// of the last five seconds, Ping asks itself, which takes at most a second, with replicas two.
func (p *Probe) Ping(ctx context.Context) error {
	if last := p.last.Load(); last != nil && time.Since(last.at) < pingLast {
		return last.err
	}
	return p.ask(ctx)
}

// Run asks the database once a second until ctx is done.
func (p *Probe) Run(ctx context.Context) {
	tick := time.NewTicker(pingEvery)
	defer tick.Stop()
	for ctx.Err() == nil {
		_ = p.ask(ctx) // kept for Ping
		select {
		case <-ctx.Done():
		case <-tick.C:
		}
	}
}

// ask pings and keeps the result, which those who ask at the same time share.
func (p *Probe) ask(ctx context.Context) error {
	_, err, _ := p.flights.Do("", func() (any, error) {
		ctx = context.WithoutCancel(ctx)
		err := within(ctx, p.ping)
		if err != nil && p.replicas != nil && within(ctx, p.replicas) == nil {
			err = fmt.Errorf("%w: %w", ErrReadOnly, err)
		}
		p.last.Store(&answer{time.Now(), err})
		return nil, err
	})
	return err
}

// within calls ping with a deadline of pingTime.
func within(ctx context.Context, ping func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, pingTime)
	defer cancel()
	return ping(ctx)
}

// Drain returns a context that ends delay after ctx does; its values are those of ctx. In between
// the process goes on serving and /health/ready responds 503, so that balancers send new connections
// elsewhere before the address is closed.
func (p *Probe) Drain(ctx context.Context, delay time.Duration) context.Context {
	drained, end := context.WithCancel(context.WithoutCancel(ctx))
	context.AfterFunc(ctx, func() {
		p.stopping.Store(true)
		if delay <= 0 {
			end()
			return
		}
		time.AfterFunc(delay, end)
	})
	return drained
}

// Register adds the routes /health/live and /health/ready, for GET and HEAD.
func (p *Probe) Register(r gin.IRoutes) {
	handler := gin.WrapH(p.Handler())
	for _, path := range []string{"/health/live", "/health/ready"} {
		r.Match([]string{http.MethodGet, http.MethodHead}, path, handler)
	}
}

// Handler serves both paths without gin, for the private address.
func (p *Probe) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /health/live", p.serveLive)
	mux.HandleFunc("GET /health/ready", p.serveReady)
	return mux
}

// body is the response of both paths.
type body struct {
	Status string `json:"status"`
	Parts  *parts `json:"partes,omitempty"` // of /health/ready only
}

// parts has the state of each part.
type parts struct {
	Records  string `json:"registros"` // whether a snapshot is in service
	Database string `json:"banco"`
	Index    string `json:"indice"`
}

// serveLive serves /health/live: always 200. It asks nothing, or a database that is down would have
// every process restarted.
func (p *Probe) serveLive(w http.ResponseWriter, _ *http.Request) {
	send(w, http.StatusOK, body{Status: OK})
}

// serveReady serves /health/ready: 200 if records can be served, with or without the index, and with a row
// cache also without the database; 503 if not, and while the process drains.
func (p *Probe) serveReady(w http.ResponseWriter, r *http.Request) {
	parts, withoutDatabase := p.parts(r.Context())
	state, status := body{Status: OK, Parts: parts}, http.StatusOK
	switch {
	case parts.Records == Down || parts.Database == Down && !withoutDatabase:
		state.Status, status = Down, http.StatusServiceUnavailable
	case parts.Database == Down:
		state.Status = Degraded
	}
	if p.stopping.Load() {
		state.Status, status = Stopping, http.StatusServiceUnavailable
	}
	send(w, status, state)
}

// parts returns the state of each part, and whether companies can be served without the database. It
// does not query the index, which would wait behind searches, but reports what snapshot.Live knows of
// it.
func (p *Probe) parts(ctx context.Context) (state *parts, withoutDatabase bool) {
	state = &parts{Records: OK, Database: OK, Index: OK}
	switch err := p.Ping(ctx); {
	case errors.Is(err, ErrReadOnly):
		state.Database = Degraded
	case err != nil:
		state.Database = Down
	}
	snap, err := p.live.Acquire()
	if err != nil {
		state.Records, state.Index = Down, Down
		return state, false
	}
	defer snap.Release()
	var behind *snapshot.ReplicaError
	if errors.As(p.live.Trouble(), &behind) && state.Database == OK {
		if state.Database = Degraded; behind.InService {
			state.Database = Down
		}
	}
	var missing *snapshot.IndexError
	switch {
	case !snap.Searchable():
		state.Index = Down
	case errors.As(p.live.Trouble(), &missing) || len(snap.Unflagged()) > 0:
		state.Index = Degraded
	}
	return state, snap.HasRowCache()
}

func send(w http.ResponseWriter, status int, state body) {
	text, _ := json.Marshal(state) // strings encode
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(append(text, '\n')) // fails only if the client has left
}
