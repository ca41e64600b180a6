package ask

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"time"

	"razao/index"
	"razao/index/filter"
	"razao/internal/bench/machine"
	"razao/internal/bench/questions"
	"razao/internal/bench/report"
	"razao/internal/store/registry"
)

const (
	warmUp      = 1000            // queries of each kind that are asked before measuring
	kindTime    = 6 * time.Second // bounds a slow kind: there are some sixty kinds
	mixtureTime = 20 * time.Second
)

// Index is the measurement of queries inside the index: a result of cmd/bench.
type Index struct {
	docs, bytes int64
	opened      time.Duration // to open the index, verify and warm it
	classes     []classRun
	mixture     queryRun
}

// classRun is the measurement of one class: each of its kinds, and as the last one all kinds mixed
// in equal parts.
type classRun struct {
	name  string
	share int // percent of the mixture
	kinds []queryRun
}

// all is the run of all kinds mixed, to which the goals of the class apply.
func (c *classRun) all() *queryRun { return &c.kinds[len(c.kinds)-1] }

// queryRun is the measurement of one kind of query, asked by one goroutine.
type queryRun struct {
	name   string
	took   report.Latencies // wall time, during which other programs may have had the processor
	thread report.Latencies // CPU time of the asking thread: without garbage collection on other threads
	cpu    time.Duration    // of the whole process, garbage collection included
	found  int              // queries with at least one hit
}

// Index opens the index of the snapshot in service in this process and measures every class of
// query, and then their mixture. It needs no server.
func (b *Bench) Index(ctx context.Context) (out *Index, err error) {
	store := registry.NewStore(b.DB.Pool)
	id, err := store.CurrentID(ctx)
	if err != nil {
		return nil, err
	}
	snapshot, err := store.Snapshot(ctx, id)
	if err != nil {
		return nil, err
	}
	start := time.Now()
	opened, err := index.Open(filepath.Join(b.Folder.IndexDir(), snapshot.IndexName))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, opened.Close()) }()
	ix, err := opened.ForLoads(snapshot.Loads)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(ix.Warm(ctx), ix.WarmFacets(ctx)); err != nil {
		return nil, err
	}
	m := ix.Manifest()
	out = &Index{docs: m.Docs, bytes: m.Bytes(), opened: time.Since(start)}
	classes := b.Log.Classes()
	for _, c := range classes {
		measured, err := b.class(ctx, ix, c)
		if err != nil {
			return nil, err
		}
		out.classes = append(out.classes, measured)
	}
	report.Say("the mixture")
	draw := questions.Mixture(classes)
	out.mixture, err = measureQueries("mixture", func(r *rand.Rand) asking {
		class, query := draw(r)
		return asking{class.Name, query}
	}, 2*b.Queries, mixtureTime, func(a asking) (int, error) { return a.ask(ctx, ix) })
	return out, err
}

// class measures each kind of a class and all of them mixed.
func (b *Bench) class(ctx context.Context, ix *index.Index, c questions.Class) (classRun, error) {
	out := classRun{name: c.Name, share: c.Share}
	kinds := c.Kinds
	kinds = append(kinds[:len(kinds):len(kinds)], questions.Kind{Name: "all of these", Next: func(r *rand.Rand) index.Query {
		return questions.Pick(r, kinds).Next(r)
	}})
	for _, kind := range kinds {
		report.Say("%s: %s", c.Name, kind.Name)
		run, err := measureQueries(kind.Name, kind.Next, b.Queries, kindTime, func(q index.Query) (int, error) {
			return asking{c.Name, q}.ask(ctx, ix)
		})
		if err != nil {
			return out, fmt.Errorf("%s: %w", c.Name, err)
		}
		out.kinds = append(out.kinds, run)
	}
	return out, nil
}

// asking is a query together with the class that decides which method of the index answers it.
type asking struct {
	class string
	query index.Query
}

// ask returns how many hits, completions or facet values there were, or for totals the total.
func (a asking) ask(ctx context.Context, ix *index.Index) (found int, err error) {
	if ctx.Err() != nil {
		return 0, ctx.Err()
	}
	switch {
	case a.class == questions.Completion:
		hits, err := ix.Suggest(ctx, a.query.Text, questions.Completions)
		return len(hits), err
	case a.class == questions.Facets:
		facets, err := ix.Facets(ctx, a.query)
		return len(facets["uf"]), err
	case a.class == questions.Ranking && a.query.Order == index.ByRank:
		return askRanking(ctx, ix, a.query)
	}
	result, err := ix.Search(ctx, a.query)
	if a.class == questions.Totals {
		return result.Total, err
	}
	return len(result.Hits), err
}

// askRanking reads the precomputed figures of a place and its first companies, as the page of a
// place does.
func askRanking(ctx context.Context, ix *index.Index, q index.Query) (int, error) {
	rankings := ix.Rankings()
	known := true
	uf, municipio := q.Filters.Value(filter.UF), q.Filters.Value(filter.Municipio)
	switch {
	case municipio != "":
		_, known = rankings.Municipality(municipio)
	case uf != "":
		_, known = rankings.UF(uf)
	}
	top, err := ix.Top(ctx, uf, municipio, q.Limit)
	if !known {
		return 0, err
	}
	return len(top), err
}

// measureQueries draws n queries before the clock runs, asks some of them to warm up, and then all
// of them, or as many as fit into atMost. The goroutine is locked to its thread, whose CPU clock is
// read around every query.
func measureQueries[Q any](
	name string, next func(r *rand.Rand) Q, n int, atMost time.Duration, ask func(Q) (found int, err error),
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
	run := queryRun{name: name, took: make(report.Latencies, 0, n), thread: make(report.Latencies, 0, n)}
	before := machine.OwnCPU()
	begin = time.Now()
	now, used := begin, machine.ThreadCPU()
	for _, q := range queries {
		hits, err := ask(q)
		if err != nil {
			return queryRun{}, fmt.Errorf("%s: %w", name, err)
		}
		if hits > 0 {
			run.found++
		}
		nextUsed, next := machine.ThreadCPU(), time.Now()
		run.thread, run.took = append(run.thread, nextUsed-used), append(run.took, next.Sub(now))
		if used, now = nextUsed, next; now.Sub(begin) > atMost {
			break
		}
	}
	run.cpu = machine.OwnCPU() - before
	run.took, run.thread = report.NewLatencies(run.took), report.NewLatencies(run.thread)
	return run, nil
}
