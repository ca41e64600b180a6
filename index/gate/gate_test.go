package gate

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// TestIdenticalQuestionsAreAskedOnce has 20 callers wait for the run of a first one, which gives
// up: one of the 20 runs it again for all of them.
func TestIdenticalQuestionsAreAskedOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g, flights := New(), &Flights{}
		first, giveUp := context.WithCancel(t.Context())
		release := make(chan struct{})
		var asked sync.WaitGroup
		asked.Go(func() {
			if _, err := Once(first, g, flights, "q", func() (int, error) {
				<-first.Done()
				return 0, first.Err()
			}); !errors.Is(err, context.Canceled) {
				t.Errorf("the first got %v", err)
			}
		})
		synctest.Wait()
		var runs atomic.Int32
		for range 20 {
			asked.Go(func() {
				n, err := Once(t.Context(), g, flights, "q", func() (int, error) {
					runs.Add(1)
					<-release
					return 7, nil
				})
				if n != 7 || err != nil {
					t.Errorf("another got %d, %v", n, err)
				}
			})
		}
		synctest.Wait() // all wait behind the first
		giveUp()
		synctest.Wait() // and now behind one of them
		close(release)
		asked.Wait()
		if runs.Load() != 1 {
			t.Errorf("the others ran it %d times", runs.Load())
		}
		if s := g.Stats(); s.Entered != 2 || s.Shared != 19 || s.Waited != 0 {
			t.Errorf("counted %+v", s)
		}
	})
}

// TestWaitingIsCounted has two callers wait for a full gate: one is admitted after a minute, the
// other gives up after ten seconds.
func TestWaitingIsCounted(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g, flights := New(), &Flights{}
		var leaves []func()
		for g.running.TryAcquire(Search) {
			g.running.Release(Search)
			leave, err := g.Enter(t.Context(), Search)
			if err != nil {
				t.Fatal(err)
			}
			leaves = append(leaves, leave)
		}
		var asked sync.WaitGroup
		asked.Go(func() {
			if _, err := Finish(t.Context(), g, flights, "q", func(context.Context) (int, error) { return 1, nil }); err != nil {
				t.Error(err)
			}
		})
		asked.Go(func() {
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			defer cancel()
			if _, err := g.Enter(ctx, Search); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("got in: %v", err)
			}
		})
		time.Sleep(time.Minute) // on the fake clock of synctest
		for _, leave := range leaves {
			leave()
		}
		asked.Wait()
		want := Stats{Entered: uint64(len(leaves)) + 1, Waited: 2, Waiting: 70 * time.Second, Counted: 1}
		if s := g.Stats(); s != want {
			t.Errorf("counted %+v, want %+v", s, want)
		}
	})
}
