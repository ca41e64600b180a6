package index

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"razao/index/build"
	"razao/index/indextest"
)

// TestIdenticalQuestionsAreAskedOnce lets many ask while the first is running, and the first give up.
func TestIdenticalQuestionsAreAskedOnce(t *testing.T) {
	t.Parallel()
	ix := &Index{files: &files{gate: newGate()}}
	first, giveUp := context.WithCancel(t.Context())
	running := make(chan struct{})
	var asked, others sync.WaitGroup
	asked.Go(func() {
		if _, err := once(first, ix, "q", func() (int, error) {
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
			n, err := once(t.Context(), ix, "q", func() (int, error) {
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

// TestTheGateHoldsBack fills the index with questions: one more waits, and gives up with its context.
func TestTheGateHoldsBack(t *testing.T) {
	t.Parallel()
	ix := open(t, indextest.Build(t, indextest.Synthetic(100), build.Options{Workers: 1}))
	var leaves []func()
	for {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		leave, err := ix.gate.enter(ctx, searchWeight)
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

// TestLongCountsAreFinished gives up at once; the counts are there for who asks next.
func TestLongCountsAreFinished(t *testing.T) {
	t.Parallel()
	ix := open(t, indextest.Build(t, indextest.Synthetic(worthRemembering+1000), build.Options{Workers: 2}))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if counts, err := ix.Facets(ctx, Query{}); !errors.Is(err, context.Canceled) && counts == nil {
		t.Fatalf("got %v, %v", counts, err)
	}
	ix.gate.detached.Wait()
	if ix.remembered.get(facetKey{}) == nil {
		t.Error("the counts were thrown away")
	}
}
