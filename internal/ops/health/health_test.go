package health_test

import (
	"context"
	"errors"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gin-gonic/gin"

	"razao/internal/ops/health"
	"razao/internal/testing/fixture"
)

// ask requests a path and returns status and body.
func ask(p *health.Probe, path string) (int, string) {
	gin.SetMode(gin.ReleaseMode)
	engine := gin.New()
	p.Register(engine)
	w := httptest.NewRecorder()
	engine.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
	return w.Code, strings.TrimSpace(w.Body.String())
}

const (
	live  = "/health/live"
	ready = "/health/ready"
)

func check(t *testing.T, p *health.Probe, path string, status int, want string) {
	t.Helper()
	if got, body := ask(p, path); got != status || body != want {
		t.Errorf("%s: %d %s\nwant %d %s", path, got, body, status, want)
	}
}

// TestReady takes one part away after the other. Records are served without an index.
func TestReady(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	check(t, health.New(l.Live, l.Pool.Ping), ready, 200, `{"status":"ok","partes":{"registros":"ok","banco":"ok","indice":"ok"}}`)

	empty := fixture.Empty(t)
	check(t, health.New(empty.Live, empty.Pool.Ping), ready, 503,
		`{"status":"indisponivel","partes":{"registros":"indisponivel","banco":"ok","indice":"indisponivel"}}`)
	check(t, health.New(empty.Live, empty.Pool.Ping), live, 200, `{"status":"ok"}`)

	l.Live.Close()
	if err := os.Rename(filepath.Join(l.IndexDir, "000001"), filepath.Join(l.IndexDir, "away")); err != nil {
		t.Fatal(err)
	}
	if err := l.Live.Refresh(t.Context()); err == nil {
		t.Fatal("the index is away")
	}
	check(t, health.New(l.Live, l.Pool.Ping), ready, 200, `{"status":"ok","partes":{"registros":"ok","banco":"ok","indice":"indisponivel"}}`)

	l.Pool.Close()
	check(t, health.New(l.Live, l.Pool.Ping), ready, 503, `{"status":"indisponivel","partes":{"registros":"ok","banco":"indisponivel","indice":"indisponivel"}}`)
	check(t, health.New(l.Live, l.Pool.Ping), live, 200, `{"status":"ok"}`)

	for _, replicas := range []struct {
		ping   func(context.Context) error
		status int
		want   string
	}{
		{empty.Pool.Ping, 200, `{"status":"ok","partes":{"registros":"ok","banco":"degradado","indice":"indisponivel"}}`},
		{l.Pool.Ping, 503, `{"status":"indisponivel","partes":{"registros":"ok","banco":"indisponivel","indice":"indisponivel"}}`},
	} {
		p := health.New(l.Live, l.Pool.Ping)
		p.WithReplicas(replicas.ping)
		check(t, p, ready, replicas.status, replicas.want)
	}
}

// TestManyAskOnce sends probes at once and in sequence where nobody else asks: they share the pings.
func TestManyAskOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var asked atomic.Int32
		lost := errors.New("connection lost")
		p := health.New(nil, func(context.Context) error {
			time.Sleep(100 * time.Millisecond)
			if asked.Add(1) == 2 {
				return lost
			}
			return nil
		})
		all := func(want error) {
			t.Helper()
			var group sync.WaitGroup
			for range 50 {
				group.Go(func() {
					if err := p.Ping(t.Context()); !errors.Is(err, want) {
						t.Errorf("got %v, want %v", err, want)
					}
				})
			}
			group.Wait()
		}
		all(nil)
		all(nil)
		time.Sleep(5 * time.Second)
		all(lost)
		time.Sleep(5 * time.Second)
		all(nil)
		if asked.Load() != 3 {
			t.Errorf("asked %d times, want 3", asked.Load())
		}
	})
}

// TestProbesWaitForNothing sends probes all the time while the database responds, refuses, hangs together with its replicas, and
// responds again. No probe takes any time, by the clock of the test; what they say is at most three seconds old.
func TestProbesWaitForNothing(t *testing.T) {
	t.Parallel()
	l := fixture.Shared(t)
	synctest.Test(t, func(t *testing.T) {
		hangs := func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }
		states := []struct {
			ping   func(context.Context) error
			status string
		}{
			{func(context.Context) error { return nil }, "ok"},
			{func(context.Context) error { return errors.New("refused") }, "indisponivel"},
			{hangs, "indisponivel"},
			{func(context.Context) error { return nil }, "ok"},
		}
		var current atomic.Int32
		p := health.New(l.Live, func(ctx context.Context) error { return states[current.Load()].ping(ctx) })
		p.WithReplicas(hangs)
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		go p.Run(ctx)
		synctest.Wait()
		for i, state := range states {
			current.Store(int32(i))
			time.Sleep(3 * time.Second)
			for range 100 {
				begun := time.Now()
				_, body := ask(p, ready)
				if !strings.Contains(body, `"banco":"`+state.status+`"`) {
					t.Errorf("state %d: %s", i, body)
				}
				ask(p, live)
				if waited := time.Since(begun); waited != 0 {
					t.Fatalf("state %d: a probe waited %s", i, waited)
				}
				time.Sleep(70 * time.Millisecond)
			}
		}
	})
}

// TestDrain stops a process: it is unready at once, and serves for the delay.
func TestDrain(t *testing.T) {
	t.Parallel()
	l := fixture.Shared(t)
	ping := func(context.Context) error { return nil }
	for _, delay := range []time.Duration{0, time.Hour} {
		p := health.New(l.Live, ping)
		ctx, stop := context.WithCancel(t.Context())
		drained := p.Drain(ctx, delay)
		if status, _ := ask(p, ready); status != 200 || drained.Err() != nil {
			t.Errorf("before: %d, %v", status, drained.Err())
		}
		stop()
		fixture.Wait(t, "the probe to say so", func() bool { status, _ := ask(p, ready); return status == 503 })
		if _, body := ask(p, ready); !strings.HasPrefix(body, `{"status":"encerrando",`) {
			t.Errorf("stopping: %s", body)
		}
		check(t, p, live, 200, `{"status":"ok"}`)
		if delay > 0 && drained.Err() != nil {
			t.Error("the delay is not over")
		}
		if delay == 0 {
			<-drained.Done()
		}
	}
}
