package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"time"

	"razao/index"
	"razao/internal/snapshot"
)

const (
	searchLimit  = 20               // hits of a page of the site
	suggestLimit = 10               // suggestions of the site
	warmUp       = 1000             // queries of each kind before the measured ones
	kindTime     = 30 * time.Second // after which a slow kind ends early
)

// searched is what queries inside the index took.
type searched struct {
	searches, suggestions []queryRun
}

// queryRun is the measurement of one kind of query, asked by one goroutine.
type queryRun struct {
	name   string
	took   latencies     // on the clock, in which other programs may have had the processor
	thread latencies     // CPU of the thread that asked, without what the collector of garbage did beside it
	cpu    time.Duration // of the whole process
	found  int           // queries with at least one hit
}

// search measures the index of the snapshot.
func (o *options) search(ctx context.Context, live *snapshot.Live, d *drawn) (*searched, error) {
	s, err := live.Acquire()
	if err != nil {
		return nil, err
	}
	defer s.Release()
	search := func(text string) (int, error) {
		if ctx.Err() != nil {
			return 0, ctx.Err()
		}
		found, err := s.Index.Search(ctx, index.Query{Text: text, Limit: searchLimit})
		return len(found.Hits), err
	}
	suggest := func(text string) (int, error) {
		if ctx.Err() != nil {
			return 0, ctx.Err()
		}
		hits, err := s.Index.Suggest(ctx, text, suggestLimit)
		return len(hits), err
	}
	out := &searched{}
	if out.searches, err = o.queryKinds("search", d.searches(), search); err != nil {
		return nil, err
	}
	if out.suggestions, err = o.queryKinds("suggestion", d.suggestions(), suggest); err != nil {
		return nil, err
	}
	return out, nil
}

// queryKinds measures every kind, and then all of them mixed.
func (o *options) queryKinds(what string, kinds []queryKind, ask func(string) (int, error)) ([]queryRun, error) {
	kinds = append(kinds, mixed(kinds))
	runs := make([]queryRun, 0, len(kinds))
	for _, kind := range kinds {
		say("%s: %s", what, kind.name)
		run, err := measureQueries(kind.name, kind.next, o.queries, kindTime, ask)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", what, err)
		}
		runs = append(runs, run)
	}
	return runs, nil
}

// measureQueries asks n queries, or as many as fit in a time, after warming up with the first of them.
func measureQueries[Q any](
	name string, next func(r *rand.Rand) Q, n int, atMost time.Duration, ask func(Q) (int, error),
) (queryRun, error) {
	r := rand.New(rand.NewPCG(1, 1))
	queries := make([]Q, n)
	for i := range queries {
		queries[i] = next(r)
	}
	begin := time.Now()
	for _, q := range queries[:min(n, warmUp)] {
		if _, err := ask(q); err != nil {
			return queryRun{}, fmt.Errorf("%s: %w", name, err)
		}
		if time.Since(begin) > atMost/4 {
			break
		}
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	run := queryRun{name: name, took: make(latencies, 0, n), thread: make(latencies, 0, n)}
	before := ownCPU()
	begin = time.Now()
	now, used := begin, threadCPU()
	for _, q := range queries {
		hits, err := ask(q)
		if err != nil {
			return queryRun{}, fmt.Errorf("%s: %w", name, err)
		}
		if hits > 0 {
			run.found++
		}
		nextUsed, next := threadCPU(), time.Now()
		run.thread, run.took = append(run.thread, nextUsed-used), append(run.took, next.Sub(now))
		if used, now = nextUsed, next; now.Sub(begin) > atMost {
			break
		}
	}
	run.cpu = ownCPU() - before
	run.took, run.thread = newLatencies(run.took), newLatencies(run.thread)
	return run, nil
}
