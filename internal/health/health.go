// Package health tells balancers and monitors how this process is: /health/live says that it answers at all, /health/ready that it
// can serve records. Both are outside sessions and limits, and cost the database one statement a second at the most, however many
// ask. /health, for people, is a page of package site.
package health

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/gin-gonic/gin"
	"golang.org/x/sync/singleflight"

	"razao/internal/snapshot"
)

// The states of the service and of its parts.
const (
	OK       = "ok"
	Degraded = "degradado"
	Down     = "indisponivel"
	Stopping = "encerrando" // of the service alone: it answers, but nobody new should come
)

const (
	pingTime = time.Second // for a sign of life
	pingLast = time.Second // that it stands for
)

// Probe knows how the parts are. It is made by New and safe for concurrent use.
type Probe struct {
	live     *snapshot.Live
	ping     func(context.Context) error
	stopping atomic.Bool

	flights singleflight.Group
	last    atomic.Pointer[answer]
}

// answer is what came of asking the database.
type answer struct {
	at  time.Time
	err error
}

// New returns a probe. ping asks the database for a sign of life, on connections that do not wait for those of records.
func New(live *snapshot.Live, ping func(context.Context) error) *Probe {
	return &Probe{live: live, ping: ping}
}

// Ping returns nil when the database answers, or has within the last second. It takes a second at the most.
func (p *Probe) Ping(ctx context.Context) error {
	if last := p.last.Load(); last != nil && time.Since(last.at) < pingLast {
		return last.err
	}
	_, err, _ := p.flights.Do("", func() (any, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), pingTime) // the answer is others' too
		defer cancel()
		err := p.ping(ctx)
		p.last.Store(&answer{time.Now(), err})
		return nil, err
	})
	return err
}

// Drain returns a context that ends a delay after ctx does. Meanwhile the process works on, and says that it is not ready, so that
// balancers send new connections elsewhere before the address is closed.
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

// Register adds /health/live and /health/ready, for GET and HEAD.
func (p *Probe) Register(r gin.IRoutes) {
	for path, handler := range map[string]http.HandlerFunc{"/health/live": p.Live, "/health/ready": p.Ready} {
		r.Match([]string{http.MethodGet, http.MethodHead}, path, gin.WrapF(handler))
	}
}

// Handler answers both addresses, beside other handlers.
func (p *Probe) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /health/live", p.Live)
	mux.HandleFunc("GET /health/ready", p.Ready)
	return mux
}

// body is the answer of both addresses.
type body struct {
	Status string `json:"status"`
	Parts  *parts `json:"partes,omitempty"` // of ready alone
}

type parts struct {
	Records  string `json:"registros"` // whether a snapshot is in service
	Database string `json:"banco"`
	Index    string `json:"indice"`
}

// Live answers /health/live: 200, as long as the process answers.
func (p *Probe) Live(w http.ResponseWriter, _ *http.Request) {
	send(w, http.StatusOK, body{Status: OK})
}

// Ready answers /health/ready: 200 when records can be served, with or without the index, and 503 otherwise and while the process
// stops.
func (p *Probe) Ready(w http.ResponseWriter, r *http.Request) {
	state, status := body{Status: OK, Parts: p.parts(r.Context())}, http.StatusOK
	if state.Parts.Records == Down || state.Parts.Database == Down {
		state.Status, status = Down, http.StatusServiceUnavailable
	}
	if p.stopping.Load() {
		state.Status, status = Stopping, http.StatusServiceUnavailable
	}
	send(w, status, state)
}

// parts says how each part is. The index is not asked, which would wait behind searches: what Live and its users found counts.
func (p *Probe) parts(ctx context.Context) *parts {
	state := &parts{Records: OK, Database: OK, Index: OK}
	if p.Ping(ctx) != nil {
		state.Database = Down
	}
	snap, err := p.live.Acquire()
	if err != nil {
		state.Records, state.Index = Down, Down
		return state
	}
	defer snap.Release()
	var missing *snapshot.IndexError
	switch {
	case !snap.Searchable():
		state.Index = Down
	case errors.As(p.live.Trouble(), &missing) || len(snap.Unflagged()) > 0:
		state.Index = Degraded
	}
	return state
}

func send(w http.ResponseWriter, status int, state body) {
	text, _ := json.Marshal(state) // strings encode
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(append(text, '\n')) // fails only if the client has left
}
