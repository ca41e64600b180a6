package gate

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"
)

// TestIdenticalQuestionsAreAskedOnce lets many ask while the first is running, and the first give up.
func TestIdenticalQuestionsAreAskedOnce(t *testing.T) {
	t.Parallel()
	g, flights := New(), &Flights{}
	first, giveUp := context.WithCancel(t.Context())
	running := make(chan struct{})
	var asked, others sync.WaitGroup
	asked.Go(func() {
		if _, err := Once(first, g, flights, "q", func() (int, error) {
			close(running)
			<-first.Done()
			return 0, first.Err()
		}); !errors.Is(err, context.Canceled) {
			t.Errorf("the first got %v", err)
		}
	})
	<-running
	var mu sync.Mutex
	runs := 0
	release := make(chan struct{})
	for range 20 {
		others.Go(func() {
			n, err := Once(t.Context(), g, flights, "q", func() (int, error) {
				mu.Lock()
				runs++
				mu.Unlock()
				<-release
				return 7, nil
			})
			if n != 7 || err != nil {
				t.Errorf("another got %d, %v", n, err)
			}
		})
	}
	time.Sleep(20 * time.Millisecond) // for the others to ask; fewer would only make the test weaker
	giveUp()
	asked.Wait()
	time.Sleep(20 * time.Millisecond)
	close(release)
	others.Wait()
	if runs == 0 || runs > 3 {
		t.Errorf("the others ran it %d times", runs)
	}
}
