package gate

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
)

// TestIdenticalQuestionsAreAskedOnce lets many wait behind the first, and the first give up.
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
	})
}
