package registry_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"razao/internal/store/registry"
	"razao/internal/testing/fixture"
	"razao/internal/testing/pgtest"
)

// TestASaturatedPoolIsNoSourcesTrouble lets a query of all sources wait for a connection for
// longer than the joint statement may take. It must neither ask each source alone nor open their
// circuit breakers: both would amplify an overload.
func TestASaturatedPoolIsNoSourcesTrouble(t *testing.T) {
	t.Parallel()
	pool := pgtest.Pool(t)
	s := registry.NewStore(pool)
	records := invent(rand.New(rand.NewPCG(3, 4)), 5000, 3, 1)
	v := openView(t, s, write(t, s, company{"00000001", 1, 0}))
	for _, id := range []string{"ceis", "cepim", "rntrc"} {
		v = withSource(t, s, v, id, writeSource(t, s, id, blank(records, id)))
	}
	document := registry.Document{Root: 5000}
	v.Sources(t.Context(), document, 20) // opens them

	held := make([]*pgxpool.Conn, pool.Config().MaxConns)
	for i := range held {
		conn, err := pool.Acquire(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		held[i] = conn
	}
	before := pool.Stat()
	answered := make(chan []registry.SourcePage)
	go func() { answered <- v.Sources(t.Context(), document, 20) }()
	time.AfterFunc(registry.TogetherDeadline+100*time.Millisecond, func() {
		for _, conn := range held {
			conn.Release()
		}
	})
	for _, p := range <-answered {
		if p.Load != nil && p.Status != registry.Found || p.Err != nil {
			t.Errorf("%s: %s, %v", p.Source.ID, p.Status, p.Err)
		}
	}
	if n := pool.Stat().AcquireCount() + pool.Stat().CanceledAcquireCount() - before.AcquireCount() - before.CanceledAcquireCount(); n != 1 {
		t.Errorf("%d connections were asked for, want 1", n)
	}
	fixture.Wait(t, "the connections to return", func() bool { return pool.Stat().AcquiredConns() == 0 })
}

// TestNoConnectionIsNoSourcesTrouble asks sources while PostgreSQL gives no connection, as when it is known not to answer. As soon as
// it gives one again, all sources are asked with one statement: none has to prove itself first.
func TestNoConnectionIsNoSourcesTrouble(t *testing.T) {
	t.Parallel()
	var gone atomic.Bool
	config := pgtest.Pool(t).Config()
	config.BeforeConnect = func(context.Context, *pgx.ConnConfig) error {
		if gone.Load() {
			return errors.New("gone")
		}
		return nil
	}
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	s := registry.NewStore(pool)
	records := invent(rand.New(rand.NewPCG(3, 4)), 5000, 3, 1)
	v := openView(t, s, write(t, s, company{"00000001", 1, 0}))
	ids := []string{"ceis", "cepim", "rntrc"}
	for _, id := range ids {
		v = withSource(t, s, v, id, writeSource(t, s, id, blank(records, id)))
	}
	document := registry.Document{Root: 5000}
	v.Sources(t.Context(), document, 20) // opens them
	gone.Store(true)
	pool.Reset()
	for _, id := range ids {
		if page, _ := v.Select(t.Context(), id, document, first); page.Status != registry.Failed {
			t.Fatalf("%s without a connection: %s", id, page.Status)
		}
	}
	gone.Store(false)
	before := pool.Stat().AcquireCount()
	for _, p := range v.Sources(t.Context(), document, 20) {
		if p.Load != nil && p.Status != registry.Found {
			t.Errorf("%s: %s, %v", p.Source.ID, p.Status, p.Err)
		}
	}
	if n := pool.Stat().AcquireCount() - before; n != 1 {
		t.Errorf("%d connections were asked for, want 1", n)
	}
}

// TestALockedSourceHoldsFewConnections asks a source whose table is locked many times at once. Each
// statement waits in PostgreSQL with its connection; they must leave connections to everything
// else.
func TestALockedSourceHoldsFewConnections(t *testing.T) {
	t.Parallel()
	pool := pgtest.Pool(t)
	s := registry.NewStore(pool)
	const id = "ceis"
	load := writeSource(t, s, id, blank(invent(rand.New(rand.NewPCG(3, 4)), 5000, 3, 1), id))
	v := withSource(t, s, openView(t, s, write(t, s, company{"00000001", 1, 0})), id, load)
	document := registry.Document{Root: 5000}
	v.Sources(t.Context(), document, 20) // opens it

	other, err := pgx.ConnectConfig(t.Context(), pool.Config().ConnConfig)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = other.Close(t.Context()) }()
	tx := lock(t, other, load, "record")
	var asking sync.WaitGroup
	for range 20 {
		asking.Go(func() {
			if page, _ := v.Select(t.Context(), id, document, first); page.Status != registry.Failed {
				t.Errorf("the locked source: %s", page.Status)
			}
		})
	}
	waiting := func() (n int32) {
		const query = `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
		if err := tx.QueryRow(t.Context(), query).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	fixture.Wait(t, "queries to wait for the lock", func() bool {
		_, _ = tx.Exec(t.Context(), `SELECT pg_stat_clear_snapshot()`)
		return waiting() > 0
	})
	most := int32(0)
	done := make(chan struct{})
	go func() { asking.Wait(); close(done) }()
	for asked := false; !asked; {
		select {
		case <-done:
			asked = true
		case <-time.After(5 * time.Millisecond):
			_, _ = tx.Exec(t.Context(), `SELECT pg_stat_clear_snapshot()`)
			most = max(most, waiting())
		}
	}
	if limit := pool.Config().MaxConns / 2; most == 0 || most > limit {
		t.Errorf("%d of %d connections wait for the lock, want some, and %d at most", most, pool.Config().MaxConns, limit)
	}
	if err := tx.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	fixture.Wait(t, "the source to answer again", func() bool {
		page, _ := v.Select(t.Context(), id, document, first)
		return page.Status == registry.Found
	})
}
