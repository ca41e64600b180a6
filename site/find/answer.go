package find

import (
	"context"
	"time"

	"razao/index"
	"razao/internal/recovery"
	"razao/internal/store/snapshot"
)

// facetTime is the deadline of the counts, so that they cannot delay the results further.
const facetTime = 500 * time.Millisecond

// answer is what the index says to a query: one page of results, and the counts of the facets.
type answer struct {
	snapshot.Found
	counts    index.Facets
	uncounted error // why there are no counts: the results are served without them
}

// ask runs both queries at once. An empty search has no results.
func (hs *Handlers) ask(ctx context.Context, snap *snapshot.Snapshot, q *query) (*answer, error) {
	a, err := &answer{}, error(nil)
	wait := counting(ctx, snap, q)
	if !q.words || !q.empty() {
		a.Found, err = snap.Find(ctx, q.forPage())
	}
	a.counts, a.uncounted = wait()
	return a, err
}

// counting starts counting the facets in a goroutine and returns a function that waits for them.
// wait must be called before the snapshot is released. A panic becomes the error.
func counting(ctx context.Context, snap *snapshot.Snapshot, q *query) (wait func() (index.Facets, error)) {
	var counts index.Facets
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		ctx, cancel := context.WithTimeout(ctx, facetTime)
		defer cancel()
		err = recovery.Do(func() (err error) {
			counts, err = snap.Facets(ctx, q.forIndex())
			return err
		})
	}()
	return func() (index.Facets, error) {
		<-done
		return counts, err
	}
}

// total returns the number of results, and whether there are more. The total of a listing is exact, however
// large, where its facets were counted: every establishment is either a head office or a branch.
func (a *answer) total(q *query) (total int64, floor bool) {
	if q.words || a.uncounted != nil {
		return int64(a.Total), a.TotalIsFloor
	}
	chosen := q.value(kindOfOffice)
	for _, v := range a.counts[kindOfOffice] {
		if chosen == "" || chosen == v.Value {
			total += v.Count
		}
	}
	return total, false
}
