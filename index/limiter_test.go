package index

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/sync/semaphore"

	"razao/index/build"
	"razao/index/indextest"
)

// TestTheLimitHoldsBack fills the limit: one more search waits until its context ends.
func TestTheLimitHoldsBack(t *testing.T) {
	t.Parallel()
	ix := open(t, indextest.Build(t, indextest.Synthetic(100), build.Options{Workers: 1}))
	var leaves []func()
	for {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		leave, err := ix.limiter.enter(ctx, searchWeight)
		cancel()
		if err != nil {
			break
		}
		leaves = append(leaves, leave)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := ix.Search(ctx, Query{Text: "ltda", Limit: 1}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("search: %v", err)
	}
	for _, leave := range leaves {
		leave()
	}
	if r, err := ix.Search(t.Context(), Query{Text: "ltda", Limit: 1}); err != nil || len(r.Hits) == 0 {
		t.Errorf("afterwards: %+v, %v", r, err)
	}
}

// TestLongCountsAreFinished cancels a count at once: it is finished in the background and cached.
func TestLongCountsAreFinished(t *testing.T) {
	t.Parallel()
	ix := open(t, indextest.Build(t, indextest.Synthetic(worthRemembering+1000), build.Options{Workers: 2}))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if counts, err := ix.Facets(ctx, Query{}); !errors.Is(err, context.Canceled) && counts == nil {
		t.Fatalf("got %v, %v", counts, err)
	}
	ix.limiter.wait()
	if _, ok := ix.facetCache.Get(facetKey{}); !ok {
		t.Error("the counts were thrown away")
	}
}

// TestIdenticalQueriesAreRunOnce has 20 callers wait for the run of a first one, which gives
// up: one of the 20 runs it again for all of them.
func TestIdenticalQueriesAreRunOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l, f := newLimiter(), &flights{}
		first, giveUp := context.WithCancel(t.Context())
		release := make(chan struct{})
		var asked sync.WaitGroup
		asked.Go(func() {
			if _, err := once(first, l, f, "q", func() (int, error) {
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
				n, err := once(t.Context(), l, f, "q", func() (int, error) {
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
		if s := l.stats(); s.Entered != 2 || s.Shared != 19 || s.Waited != 0 {
			t.Errorf("counted %+v", s)
		}
	})
}

// TestCountsOfOneCallerLeaveRoom has one caller ask for many counts that do not end: it runs its share, also
// of those that it has given up, and those that wait are dropped with whoever asked. Others count meanwhile.
func TestCountsOfOneCallerLeaveRoom(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l, f := newLimiter(), &flights{}
		l.running, l.share = semaphore.NewWeighted(4*countWeight), 2
		release := make(chan struct{})
		var runs atomic.Int32
		ask := func(who any, q int) error {
			ctx, giveUp := context.WithTimeout(t.Context(), 500*time.Millisecond)
			defer giveUp()
			_, err := finish(By(ctx, who), l, f, q, func(context.Context) (int, error) {
				runs.Add(1)
				<-release
				return 1, nil
			})
			return err
		}
		var asked sync.WaitGroup
		for q := range 100 {
			asked.Go(func() {
				if err := ask("greedy", q); !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("got %v", err)
				}
			})
		}
		asked.Wait()
		if n := runs.Load(); n != 2 {
			t.Errorf("%d counts of one caller ran", n)
		}
		asked.Go(func() {
			if _, err := finish(By(t.Context(), "another"), l, f, "q", func(context.Context) (int, error) { return 1, nil }); err != nil {
				t.Error(err)
			}
		})
		asked.Wait()
		close(release)
		l.wait()
		if err := ask("greedy", 100); err != nil {
			t.Errorf("afterwards: %v", err)
		}
		synctest.Wait()
		l.mu.Lock()
		defer l.mu.Unlock()
		if len(l.callers) != 0 {
			t.Errorf("callers that are kept: %v", l.callers)
		}
	})
}

// TestWaitingIsCounted has two callers wait for a full semaphore: one is admitted after a minute, the
// other gives up after ten seconds.
func TestWaitingIsCounted(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l, f := newLimiter(), &flights{}
		var leaves []func()
		for l.running.TryAcquire(searchWeight) {
			l.running.Release(searchWeight)
			leave, err := l.enter(t.Context(), searchWeight)
			if err != nil {
				t.Fatal(err)
			}
			leaves = append(leaves, leave)
		}
		var asked sync.WaitGroup
		asked.Go(func() {
			if _, err := finish(t.Context(), l, f, "q", func(context.Context) (int, error) { return 1, nil }); err != nil {
				t.Error(err)
			}
		})
		asked.Go(func() {
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			defer cancel()
			if _, err := l.enter(ctx, searchWeight); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("got in: %v", err)
			}
		})
		time.Sleep(time.Minute) // on the fake clock of synctest
		for _, leave := range leaves {
			leave()
		}
		asked.Wait()
		want := Stats{Entered: uint64(len(leaves)) + 1, Waited: 2, Waiting: 70 * time.Second, Counted: 1}
		if s := l.stats(); s != want {
			t.Errorf("counted %+v, want %+v", s, want)
		}
	})
}
