package database

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

const (
	// connectTimeout bounds an attempt at one host, unless the DSN has a connect_timeout.
	connectTimeout = 3 * time.Second
	// replicaLifetime bounds the life of a connection, so that those that had to go to a later host
	// of the list return to an earlier one.
	replicaLifetime = 5 * time.Minute
	// A host that lags is not dialled again for laggingPause, one that did not respond in time for
	// silentPause: without that each request would try all hosts while all of them lag.
	laggingPause = 500 * time.Millisecond
	silentPause  = 5 * time.Second
	// recheckAfter is how long a success of Reach stands while nothing fails: without queries nobody
	// else would notice that all hosts are gone.
	recheckAfter = 10 * time.Second
)

// Reading names the servers that Pool reads from instead of that of Control: streaming replicas,
// and perhaps the primary as the last resort.
type Reading struct {
	DSN     string // may list hosts, in the order in which they are tried, and have target_session_attrs
	Setting string // name of the setting that DSN comes from, for errors

	// Reached returns the newest publication that the server of a connection has; publications are
	// numbered upwards.
	Reached func(context.Context, *pgconn.PgConn) (int64, error)
}

// Replicas keeps the connections of a pool on servers that have replayed a publication. It is safe
// for concurrent use, but for Reach.
//
// A host is asked what it has when a connection to it is made, and passed over for the next of the
// list if that is too little. Replay never goes back, so a connection is asked again only after the
// requirement has risen above what it is known to have, before the pool gives it out.
type Replicas struct {
	reached  func(context.Context, *pgconn.PgConn) (int64, error)
	probe    *pgx.ConnConfig // of a connection outside the pool
	required atomic.Int64    // what connections of the pool must have
	failed   atomic.Bool     // a host has been passed over since the last Reach
	askedAt  time.Time       // when Reach last asked with success; its own

	mu     sync.Mutex
	resume map[string]time.Time // when a host is dialled again, by its address
}

// errPassedOver is the error of dialling a host during its pause.
var errPassedOver = errors.New("not tried again yet: it lagged, or did not respond")

// newReplicas makes the pool that config describes keep to replicas that have what is required,
// which at first is nothing.
func newReplicas(config *pgxpool.Config, reached func(context.Context, *pgconn.PgConn) (int64, error)) *Replicas {
	r := &Replicas{reached: reached, resume: map[string]time.Time{}}
	conn := config.ConnConfig
	if conn.ConnectTimeout == 0 {
		conn.ConnectTimeout = connectTimeout
	}
	config.MaxConnLifetime = min(config.MaxConnLifetime, replicaLifetime)
	r.probe = conn.Copy()
	dial, role := conn.DialFunc, conn.ValidateConnect
	conn.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
		return r.dial(ctx, dial, network, address)
	}
	conn.ValidateConnect = func(ctx context.Context, c *pgconn.PgConn) error {
		if err := r.has(ctx, c, r.required.Load()); err != nil {
			r.passOver(c.Conn().RemoteAddr().String(), laggingPause)
			return err
		}
		return inRole(ctx, c, role)
	}
	config.PrepareConn = func(ctx context.Context, c *pgx.Conn) (bool, error) {
		ok := r.has(ctx, c.PgConn(), r.required.Load()) == nil
		if !ok {
			r.failed.Store(true)
		}
		return ok, nil
	}
	return r
}

// Reach requires of all connections that their servers have publication id, if at least one server
// of the list has it. Otherwise it returns an error, and the requirement is that of the publication
// in service, 0 for none, which id may be. It asks a server only if something has changed, the
// requirement or a host that was passed over since the last call, and otherwise after recheckAfter.
func (r *Replicas) Reach(ctx context.Context, id, inService int64) error {
	if failed := r.failed.Swap(false); !failed && r.required.Load() == id && time.Since(r.askedAt) < recheckAfter {
		return nil
	}
	if err := r.ask(ctx, id); err != nil {
		r.failed.Store(true)
		r.required.Store(inService)
		return err
	}
	r.required.Store(id)
	r.askedAt = time.Now()
	return nil
}

// Ping returns nil if a server of the list that has what is required responds. It does not wait for a
// connection of the pool.
func (r *Replicas) Ping(ctx context.Context) error { return r.ask(ctx, r.required.Load()) }

// ask makes a connection of its own to the first server that has publication id, pause or not. That
// ends its pause: the pool needs it now.
func (r *Replicas) ask(ctx context.Context, id int64) error {
	config := r.probe.Copy()
	role := config.ValidateConnect
	config.ValidateConnect = func(ctx context.Context, c *pgconn.PgConn) error {
		if err := r.has(ctx, c, id); err != nil {
			return err
		}
		return inRole(ctx, c, role)
	}
	conn, err := pgconn.ConnectConfig(ctx, &config.Config)
	if err != nil {
		return err
	}
	r.mu.Lock()
	delete(r.resume, conn.Conn().RemoteAddr().String())
	r.mu.Unlock()
	return conn.Close(ctx)
}

// inRole checks that the server of a new connection is what target_session_attrs wants, which a nil
// role does not. It comes after the check of what the server has, because pgx may take a connection
// after all whose role is only not preferred.
func inRole(ctx context.Context, c *pgconn.PgConn, role pgconn.ValidateConnectFunc) error {
	if role == nil {
		return nil
	}
	return role(ctx, c)
}

// known is the key of what a connection's server is known to have, in its custom data.
const known = "razao reached"

// has returns an error unless the server of a connection has what is required. It asks the server
// if that is not known.
func (r *Replicas) has(ctx context.Context, c *pgconn.PgConn, required int64) error {
	if n, asked := c.CustomData()[known].(int64); asked && n >= required {
		return nil
	}
	n, err := r.reached(ctx, c)
	if err != nil {
		return err
	}
	c.CustomData()[known] = n
	if n < required {
		return fmt.Errorf("it has reached snapshot %d of %d", n, required)
	}
	return nil
}

// dial dials a host that is not in a pause.
func (r *Replicas) dial(ctx context.Context, next pgconn.DialFunc, network, address string) (net.Conn, error) {
	r.mu.Lock()
	pausing := time.Now().Before(r.resume[address])
	r.mu.Unlock()
	if pausing {
		return nil, errPassedOver
	}
	conn, err := next(ctx, network, address)
	if err == nil {
		return conn, nil
	}
	r.failed.Store(true)
	var silent net.Error
	if errors.As(err, &silent) && silent.Timeout() {
		r.passOver(address, silentPause)
	}
	return nil, err
}

// passOver begins a pause of a host.
func (r *Replicas) passOver(address string, pause time.Duration) {
	r.failed.Store(true)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.resume[address] = time.Now().Add(pause)
}
