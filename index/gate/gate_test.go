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
	var begun sync.WaitGroup
	begun.Add(20)
	release := make(chan struct{})
	for range 20 {
		others.Go(func() {
			begun.Done()
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
	begun.Wait()
	time.Sleep(100 * time.Millisecond) // for the others to wait behind the first
	giveUp()
	asked.Wait()
	time.Sleep(100 * time.Millisecond) // and behind one of them
	close(release)
	others.Wait()
	if runs == 0 || runs > 10 {
		t.Errorf("the others ran it %d times", runs)
	}
}
