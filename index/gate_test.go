package index

import (
	"context"
	"errors"
	"testing"
	"time"

	"razao/index/build"
	"razao/index/gate"
	"razao/index/indextest"
)

// TestTheGateHoldsBack fills the gate: one more search waits until its context ends.
func TestTheGateHoldsBack(t *testing.T) {
	t.Parallel()
	ix := open(t, indextest.Build(t, indextest.Synthetic(100), build.Options{Workers: 1}))
	var leaves []func()
	for {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		leave, err := ix.Gate.Enter(ctx, gate.Search)
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
	ix.Gate.Wait()
	if _, ok := ix.facetCache.Get(facetKey{}); !ok {
		t.Error("the counts were thrown away")
	}
}
