package database_test

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"razao/internal/store/database"
)

// freezer holds back what a server reads and writes, as SIGSTOP does: connections are accepted, and nothing is answered.
type freezer struct {
	mu     sync.Mutex
	moved  *sync.Cond
	frozen bool
	dialed atomic.Int64
}

func newFreezer() *freezer { f := &freezer{}; f.moved = sync.NewCond(&f.mu); return f }

func (f *freezer) set(frozen bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.frozen = frozen
	f.moved.Broadcast()
}

func (f *freezer) wait() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for f.frozen {
		f.moved.Wait()
	}
}

// coldConn is a server's end of a connection under a freezer.
type coldConn struct {
	net.Conn
	f *freezer
}

func (c coldConn) Read(p []byte) (int, error)  { n, err := c.Conn.Read(p); c.f.wait(); return n, err }
func (c coldConn) Write(p []byte) (int, error) { c.f.wait(); return c.Conn.Write(p) }

// TestFrozenPostgreSQLFailsFast freezes a server under statements, with others waiting for a connection. Everything fails as soon as
// pings have got nothing for two seconds; from then on nothing waits and nothing is dialled, except by pings, until one is answered.
func TestFrozenPostgreSQLFailsFast(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFreezer()
		db := opened(t, f)
		defer db.Close()
		ping := func() error {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			return db.Ping(ctx)
		}
		statement := func(pool *pgxpool.Pool) error {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			return pool.Ping(ctx)
		}
		for _, err := range []error{ping(), statement(db.Pool), statement(db.Control)} {
			if err != nil {
				t.Fatal(err)
			}
		}
		f.set(true)
		began := time.Now()
		var waiting sync.WaitGroup
		for _, pool := range []*pgxpool.Pool{db.Pool, db.Control} {
			for range pool.Config().MaxConns + 3 { // three wait for a connection
				waiting.Go(func() {
					if err := statement(pool); !errors.Is(err, database.ErrSilent) || time.Since(began) > 3*time.Second {
						t.Errorf("a statement under way failed after %s: %v", time.Since(began), err)
					}
				})
			}
		}
		for range 3 {
			if err := ping(); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("ping: %v", err)
			}
		}
		waiting.Wait()
		time.Sleep(time.Minute) // of the bubble
		_ = ping()
		before, began := f.dialed.Load(), time.Now()
		for _, pool := range []*pgxpool.Pool{db.Pool, db.Control} {
			if err := statement(pool); !errors.Is(err, database.ErrSilent) {
				t.Errorf("statement: %v", err)
			}
		}
		if took := time.Since(began); took != 0 || f.dialed.Load() != before {
			t.Errorf("statements took %s and %d connections", took, f.dialed.Load()-before)
		}
		f.set(false)
		time.Sleep(20 * time.Second) // pgx gives up the connections of former pings
		for _, err := range []error{ping(), statement(db.Pool), statement(db.Control)} {
			if err != nil {
				t.Errorf("it answers again: %v", err)
			}
		}
		db.Close()
		time.Sleep(time.Minute)
	})
}

// TestBusyPostgreSQLIsNotSilent lets pings time out while statements are answered, and lets them fail at once: statements go on.
func TestBusyPostgreSQLIsNotSilent(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		db := opened(t, newFreezer())
		for range 5 {
			if err := db.Pool.Ping(t.Context()); err != nil {
				t.Fatal(err)
			}
			late, cancel := context.WithTimeout(t.Context(), 0)
			if err := db.Ping(late); err == nil {
				t.Error("a ping without time succeeded")
			}
			cancel()
			time.Sleep(time.Second)
		}
		time.Sleep(time.Hour)
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		if err := db.Ping(gone); err == nil {
			t.Error("a canceled ping succeeded")
		}
		if err := db.Pool.Ping(t.Context()); err != nil {
			t.Error(err)
		}
		db.Close()
		time.Sleep(time.Minute)
	})
}

// opened returns a database whose server is under a freezer.
func opened(t *testing.T, f *freezer) *database.DB {
	t.Helper()
	db, err := database.Open(t.Context(), database.Options{
		DSN: "postgres://razao@192.0.2.1/razao?sslmode=disable&default_query_exec_mode=simple_protocol", Setting: "RAZAO_DATABASE_URL", Command: "razao serve",
		Log: slog.New(slog.DiscardHandler), Connections: 4, Look: func(context.Context, string) error { return nil },
		Tune: []func(*pgxpool.Config){func(c *pgxpool.Config) {
			c.ConnConfig.DialFunc = func(context.Context, string, string) (net.Conn, error) {
				f.dialed.Add(1)
				client, server := net.Pipe()
				go postgres(0, "160004", "16.4")(coldConn{server, f})
				return client, nil
			}
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return db
}
