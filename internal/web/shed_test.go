package web

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gin-gonic/gin"
)

// serveIn sends n requests at intervals of pause, each of which holds its slot for a time. It
// returns how many were served and refused, and the longest time that a refusal took, of those who came
// after the first quarter of a second, when an overload has been recognised.
func serveIn(s *Slots, n int, took, pause time.Duration) (served, refused int64, slowest time.Duration) {
	start := time.Now()
	engine := NewEngine(Options{Log: slog.New(slog.DiscardHandler)})
	Get(engine, "/", Shed(s, unavailable), func(c *gin.Context) { time.Sleep(took); c.Status(http.StatusOK) })
	var group sync.WaitGroup
	var good, bad, longest atomic.Int64
	for range n {
		group.Go(func() {
			began := time.Now()
			w := httptest.NewRecorder()
			engine.ServeHTTP(w, httptest.NewRequest("GET", "/", nil))
			if w.Code == http.StatusOK {
				good.Add(1)
				return
			}
			bad.Add(1)
			if took := int64(time.Since(began)); took > longest.Load() && began.Sub(start) > 250*time.Millisecond {
				longest.Store(took)
			}
			if w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") == "" {
				bad.Add(int64(n)) // which no test expects
			}
		})
		time.Sleep(pause)
	}
	group.Wait()
	return good.Load(), bad.Load(), time.Duration(longest.Load())
}

// TestNobodyWaitsMeansNoOverload lets a request come while the only slot has been held for longer than
// a request may wait, as slow answers do: it is free soon, so the request waits and is served.
func TestNobodyWaitsMeansNoOverload(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		if served, refused, _ := serveIn(NewRequestSlots(1, 1), 2, 180*time.Millisecond, 120*time.Millisecond); served != 2 || refused != 0 {
			t.Errorf("%d served, %d refused", served, refused)
		}
	})
}

// TestABurstIsAnswered sends bursts to an idle server: all requests wait a little and are served.
func TestABurstIsAnswered(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := NewRequestSlots(4, 4)
		for range 3 {
			if served, refused, _ := serveIn(s, 60, 5*time.Millisecond, 0); served != 60 || refused != 0 {
				t.Errorf("%d served, %d refused", served, refused)
			}
			time.Sleep(time.Second)
		}
		if got := s.Stats(); got != (SlotStats{Size: 4}) {
			t.Errorf("afterwards: %+v", got)
		}
	})
}

// TestOverloadIsRefusedSoon offers four times the capacity of 1,000 a second for ten seconds of
// synthetic time. At least nine tenths of the capacity are served, the rest is refused within
// standing, and when the overload is over bursts are served again.
func TestOverloadIsRefusedSoon(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := NewRequestSlots(10, 10)
		served, refused, slowest := serveIn(s, 40_000, 10*time.Millisecond, 250*time.Microsecond)
		if served < 9_000 || served+refused != 40_000 || slowest > standing {
			t.Errorf("%d served, %d refused, the slowest refusal after %s", served, refused, slowest)
		}
		time.Sleep(overload)
		if served, refused, _ := serveIn(s, 60, 10*time.Millisecond, 0); served != 60 || refused != 0 {
			t.Errorf("afterwards: %d served, %d refused", served, refused)
		}
		if got := s.Stats(); got.Taken != 0 || got.Waiting != 0 || got.Refused < refused {
			t.Errorf("afterwards: %+v", got)
		}
	})
}

// TestOverloadHasFewerSlots offers ten times the capacity: once that is recognised, the slots given in
// overload are all that are taken.
func TestOverloadHasFewerSlots(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := NewRequestSlots(8, 2)
		began, most := time.Now(), atomic.Int64{}
		var group sync.WaitGroup
		for range 4000 {
			time.Sleep(125 * time.Microsecond)
			group.Go(func() {
				if s.Take(t.Context(), 1) != nil {
					return
				}
				defer s.Release(1)
				if taken := s.Stats().Taken; time.Since(began) > 350*time.Millisecond && taken > most.Load() {
					most.Store(taken)
				}
				time.Sleep(10 * time.Millisecond)
			})
		}
		group.Wait()
		if n := most.Load(); n != 2 {
			t.Errorf("%d slots taken in overload, want 2", n)
		}
	})
}

// TestEightVisitorsAreNoOverload has eight clients ask without a pause, each as soon as it has its
// answer: they always queue for four slots, and never wait for long.
func TestEightVisitorsAreNoOverload(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := NewRequestSlots(4, 1)
		var refused atomic.Int64
		var group sync.WaitGroup
		for range 8 {
			group.Go(func() {
				for range 500 {
					if s.Take(t.Context(), 1) != nil {
						refused.Add(1)
						continue
					}
					time.Sleep(8 * time.Millisecond)
					s.Release(1)
				}
			})
		}
		group.Wait()
		if n := refused.Load(); n > 0 {
			t.Errorf("%d refused", n)
		}
	})
}

// TestQueueIsBounded has more requests come at once than may wait: the rest is refused at once.
func TestQueueIsBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		served, refused, _ := serveIn(NewSlots(4, time.Hour), 4+maxWaiting+100, time.Millisecond, 0)
		if served != 4+maxWaiting || refused != 100 {
			t.Errorf("%d served, %d refused", served, refused)
		}
	})
}

// TestOverloadEnds offers twice the capacity for a second, and then for a minute of synthetic time 70 %
// of it, in the irregular intervals of a Poisson process: after two seconds nobody is refused.
func TestOverloadEnds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := NewRequestSlots(4, 4)
		const took = 10 * time.Millisecond // so the capacity is 400 a second
		if _, refused, _ := serveIn(s, 800, took, 1250*time.Microsecond); refused == 0 {
			t.Fatal("twice the capacity was served")
		}
		r := rand.New(rand.NewPCG(1, 2))
		ended := time.Now()
		var refused atomic.Int64
		var group sync.WaitGroup
		for range 60 * 280 {
			time.Sleep(time.Duration(r.ExpFloat64() * float64(time.Second/280)))
			group.Go(func() {
				switch err := s.Take(t.Context(), 1); {
				case err == nil:
					time.Sleep(took)
					s.Release(1)
				case time.Since(ended) > 2*time.Second:
					refused.Add(1)
				}
			})
		}
		group.Wait()
		if n := refused.Load(); n > 0 {
			t.Errorf("%d refused at 70 %% of the capacity", n)
		}
	})
}

// TestWhoLeavesTakesNoSlot cancels a request while it waits.
func TestWhoLeavesTakesNoSlot(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := NewRequestSlots(1, 1)
		if err := s.Take(t.Context(), 1); err != nil {
			t.Fatal(err)
		}
		ctx, leave := context.WithCancel(t.Context())
		time.AfterFunc(time.Millisecond, leave)
		if err := s.Take(ctx, 1); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
		s.Release(1)
		if got := s.Stats(); got != (SlotStats{Size: 1}) {
			t.Errorf("afterwards: %+v", got)
		}
	})
}

// stuck is a client that does not read until it is told to.
type stuck struct {
	*httptest.ResponseRecorder
	writing chan struct{}
	read    chan struct{}
}

func (s stuck) Write(b []byte) (int, error) {
	close(s.writing)
	<-s.read
	return s.ResponseRecorder.Write(b)
}

// TestSlowReaders has clients that do not read large bodies: they hold no slots, and no more bytes
// than Options.Bodies.
func TestSlowReaders(t *testing.T) {
	t.Parallel()
	const size = 1 << 20
	slots, bodies, sender := NewRequestSlots(1, 1), NewSharedSlots(2*size, Share{}, 0), &Sender{}
	engine := NewEngine(Options{Log: slog.New(slog.DiscardHandler), Bodies: bodies})
	send := func(body []byte) gin.HandlerFunc {
		return func(c *gin.Context) {
			sender.Send(c, Reply{Status: http.StatusOK, ContentType: "application/octet-stream", ETag: ETag(body), Body: body})
		}
	}
	Get(engine, "/large", Shed(slots, unavailable), send(bytes.Repeat([]byte("x"), size)))
	Get(engine, "/larger", Shed(slots, unavailable), send(bytes.Repeat([]byte("x"), 5*size)))
	Get(engine, "/small", Shed(slots, unavailable), send([]byte("x")))
	get := func(path string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		engine.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		return w
	}
	var readers sync.WaitGroup
	read := make(chan struct{})
	for range 2 {
		w := stuck{httptest.NewRecorder(), make(chan struct{}), read}
		readers.Go(func() { engine.ServeHTTP(w, httptest.NewRequest("GET", "/large", nil)) })
		<-w.writing
	}
	if w := get("/large"); w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") == "" || w.Header().Get("ETag") != "" {
		t.Errorf("a third large body: %d %v", w.Code, w.Header())
	}
	if w := get("/small"); w.Code != http.StatusOK {
		t.Errorf("a small body: %d", w.Code)
	}
	if got := bodies.Stats(); got.Taken != 2*size || got.Refused != 1 {
		t.Errorf("bodies: %+v", got)
	}
	close(read)
	readers.Wait()
	for _, path := range []string{"/large", "/larger"} { // one that is larger than all there is is sent alone
		if w := get(path); w.Code != http.StatusOK {
			t.Errorf("%s, when all is free: %d", path, w.Code)
		}
	}
	if held := bodies.Stats().Taken; held != 0 {
		t.Errorf("%d bytes are still held", held)
	}
}

// TestRefusalsAreLoggedTogether: shed requests share log lines, which have their number.
func TestRefusalsAreLoggedTogether(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		engine := NewEngine(Options{Log: slog.New(slog.NewTextHandler(&log, nil))})
		refuse := func(c *gin.Context, err error) { EventOf(c.Request.Context()).Fail(err); unavailable(c, err) }
		Get(engine, "/refused", func(c *gin.Context) { c.Abort(); refuse(c, ErrOverload) })
		Get(engine, "/", func(c *gin.Context) { c.Status(http.StatusOK) })
		ask := func(path string) { engine.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", path, nil)) }
		for range 1000 {
			ask("/refused")
			time.Sleep(2 * time.Millisecond)
		}
		time.Sleep(shedLogEvery)
		ask("/")
		lines, refused := 0, 0
		for line := range strings.Lines(log.String()) {
			var n int
			if _, after, ok := strings.Cut(line, `msg="requests refused" count=`); ok {
				_, err := fmt.Sscan(after, &n)
				if err != nil {
					t.Error(err)
				}
				lines, refused = lines+1, refused+n
			}
		}
		if refused != 1000 || lines > 4 || strings.Count(log.String(), "\n") != lines+1 {
			t.Errorf("%d refused in %d lines:\n%s", refused, lines, log.String())
		}
	})
}
