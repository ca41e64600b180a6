package database

import (
	"cmp"
	"context"
	"errors"
	"net"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// silence is how long a server must have sent nothing, while a ping waits for it, to be taken
// for frozen or cut off. Whatever it sends to anybody counts: a busy server that lets a ping wait is
// not silent.
const silence = 2 * time.Second

// ErrSilent fails what needs a server that is known not to answer, instead of letting it wait.
var ErrSilent = errors.New("PostgreSQL does not answer: nothing is asked of it until a health check gets an answer")

// breaker is a circuit breaker for the pools on one server. While it is open their connections are cut
// and none is made, so that neither statements, nor who waits for a connection, nor pgx, which holds one
// for the 15 s that a cancellation may take, wait for a server that does not answer. Only pings, on a connection
// of their own, try the server again (half-open); requests never pay for a trial. Make one with newBreaker.
type breaker struct {
	heard  atomic.Int64           // Unix nanoseconds of the last byte from the server, or of an answered ping
	closed atomic.Pointer[period] // the last period in which connections were allowed
}

// period ends when the breaker opens.
type period struct {
	context.Context
	end context.CancelCauseFunc
}

func newPeriod() *period {
	ctx, end := context.WithCancelCause(context.Background())
	return &period{ctx, end}
}

func newBreaker() *breaker {
	b := &breaker{}
	b.close()
	return b
}

// close allows connections.
func (b *breaker) close() {
	b.heard.Store(time.Now().UnixNano())
	if last := b.closed.Load(); last == nil || last.Err() != nil {
		b.closed.CompareAndSwap(last, newPeriod())
	}
}

// ping calls do, which asks the server on a connection that b does not guard, and opens or closes b by the
// outcome. An error that comes before the deadline of ctx does not open it: statements get theirs as
// quickly.
func (b *breaker) ping(ctx context.Context, do func(context.Context) error) error {
	err := do(ctx)
	switch {
	case err == nil:
		b.close()
	case errors.Is(ctx.Err(), context.DeadlineExceeded) && time.Now().UnixNano()-b.heard.Load() >= int64(silence):
		b.closed.Load().end(ErrSilent)
	}
	return err
}

// guard puts the connections of a pool that is to be made under b.
func (b *breaker) guard(config *pgxpool.Config) {
	config.BeforeConnect = func(context.Context, *pgx.ConnConfig) error { return context.Cause(b.closed.Load()) }
	dial := config.ConnConfig.DialFunc // cancellations go through it, too
	config.ConnConfig.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
		now := b.closed.Load()
		ctx, cancel := context.WithCancelCause(ctx)
		defer cancel(nil)
		defer context.AfterFunc(now, func() { cancel(ErrSilent) })()
		conn, err := dial(ctx, network, address)
		if err != nil {
			return nil, cmp.Or(context.Cause(now), err)
		}
		g := &guardedConn{Conn: conn, b: b, allowed: now}
		g.forget = context.AfterFunc(now, func() { _ = conn.Close() })
		return g, nil
	}
}

// guardedConn is a connection that is cut when its breaker opens.
type guardedConn struct {
	net.Conn
	b       *breaker
	allowed *period
	forget  func() bool
}

func (g *guardedConn) Read(p []byte) (int, error) {
	n, err := g.Conn.Read(p)
	if n > 0 {
		g.b.heard.Store(time.Now().UnixNano())
	}
	return n, g.because(err)
}

func (g *guardedConn) Write(p []byte) (int, error) {
	n, err := g.Conn.Write(p)
	return n, g.because(err)
}

func (g *guardedConn) Close() error {
	g.forget()
	return g.Conn.Close()
}

// because replaces the error of a connection that was cut by the reason.
func (g *guardedConn) because(err error) error {
	if err != nil && g.allowed.Err() != nil {
		return ErrSilent
	}
	return err
}
