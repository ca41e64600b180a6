package registry_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"razao/internal/fixture"
	"razao/internal/pgtest"
	"razao/internal/registry"
	"razao/internal/source"
)

// TestASaturatedPoolIsNoSourcesTrouble lets a question wait for a connection for longer than all sources may take together. It
// must not end as fourteen questions, nor as sources in trouble: under load both would bring more of it.
func TestASaturatedPoolIsNoSourcesTrouble(t *testing.T) {
	t.Parallel()
	pool := pgtest.Pool(t)
	s := registry.NewStore(pool)
	records := invent(rand.New(rand.NewPCG(3, 4)), 5000, 3, 1)
	v := openView(t, s, write(t, s, company{"00000001", 1, 0}))
	for _, id := range []string{"ceis", "cepim", "rntrc"} {
		src, _ := source.Find(id)
		for i := range records {
			records[i].values = make([]string, len(src.Fields))
		}
		v = withSource(t, s, v, id, writeSource(t, s, id, records))
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
