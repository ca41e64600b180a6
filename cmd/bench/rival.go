package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"
)

const (
	rivalQueries  = 2000             // of each kind for each engine
	rivalKindTime = 8 * time.Second  // after which a slow kind ends early
	rivalWarmUp   = 100              // queries
	rivalPatience = 10 * time.Second // after which PostgreSQL gives one query up
)

// engine is something that finds documents.
type engine interface {
	// can says whether the engine has a way to answer.
	can(q *rivalQuery) bool
	// ask returns the number of hits, or what was counted, and how long it took as this engine tells it.
	ask(ctx context.Context, q *rivalQuery) (found int, took time.Duration, err error)
	// cpu is the CPU time that the engine has used.
	cpu() (time.Duration, error)
}

// built is an engine that holds the documents, and what it took to give them to it.
type built struct {
	engine
	name   string
	wall   time.Duration
	used   time.Duration // of CPU
	bytes  int64         // what is needed to search
	detail string        // of what the bytes consist
	close  func() error
}

// rivals are the engines of a comparison and how they fared.
type rivals struct {
	docs    int
	engines []*built      // ours first
	missing []string      // what is not there, and what to install
	kinds   []string      // names of what was asked
	runs    [][]*rivalRun // of each kind, by engine; nil for one that cannot answer
}

// rivalRun is one kind asked of one engine.
type rivalRun struct {
	took  latencies
	cpu   time.Duration
	found int // queries with at least one hit
	late  int // queries given up
}

// errLate is the error of a query that was given up.
var errLate = errors.New("given up")

// compareAll gives the same documents to all engines and asks all of them the same.
func (o *options) compareAll(ctx context.Context, f *folder, db *database) (_ *rivals, err error) {
	docs, err := o.rivalDocs(ctx, f, db)
	if err != nil {
		return nil, err
	}
	out := &rivals{docs: len(docs)}
	defer func() {
		for _, e := range out.engines {
			err = errors.Join(err, e.close())
		}
	}()
	for _, build := range []func() (*built, []string, error){
		func() (*built, []string, error) { return o.buildOwn(ctx, f, docs) },
		func() (*built, []string, error) { return buildPostgres(ctx, db, docs) },
		func() (*built, []string, error) { return buildSQLite(ctx, f, docs) },
	} {
		e, missing, err := build()
		out.missing = append(out.missing, missing...)
		if err != nil {
			return out, err
		}
		if e != nil {
			out.engines = append(out.engines, e)
		}
	}
	log, err := newQueryLog(drawFrom(docs))
	if err != nil {
		return out, err
	}
	return out, out.askAll(ctx, log.rivalKinds())
}

// askAll asks kind by kind, so that whatever else the machine does meets all engines alike.
func (v *rivals) askAll(ctx context.Context, kinds []rivalKind) error {
	for _, kind := range kinds {
		say("side by side: %s", kind.name)
		queries := kind.draw(rivalQueries)
		runs := make([]*rivalRun, len(v.engines))
		for i, e := range v.engines {
			if !e.can(&queries[0]) {
				continue
			}
			run, err := measureRival(ctx, e, queries)
			if err != nil {
				return fmt.Errorf("%s: %s: %w", e.name, kind.name, err)
			}
			runs[i] = run
		}
		v.kinds, v.runs = append(v.kinds, kind.name), append(v.runs, runs)
	}
	return nil
}

func (k *rivalKind) draw(n int) []rivalQuery {
	r := rand.New(rand.NewPCG(5, 5))
	queries := make([]rivalQuery, n)
	for i := range queries {
		queries[i] = k.next(r)
	}
	return queries
}

// measureRival asks all queries, or as many as fit in the time.
func measureRival(ctx context.Context, e engine, queries []rivalQuery) (*rivalRun, error) {
	run := &rivalRun{}
	if err := run.askFor(ctx, e, queries[:rivalWarmUp], rivalKindTime/4); err != nil {
		return nil, err
	}
	*run = rivalRun{}
	before, err := e.cpu()
	if err != nil {
		return nil, err
	}
	if err := run.askFor(ctx, e, queries, rivalKindTime); err != nil {
		return nil, err
	}
	after, err := e.cpu()
	run.cpu, run.took = after-before, newLatencies(run.took)
	return run, err
}

func (run *rivalRun) askFor(ctx context.Context, e engine, queries []rivalQuery, atMost time.Duration) error {
	begin := time.Now()
	for i := range queries {
		found, took, err := e.ask(ctx, &queries[i])
		switch {
		case errors.Is(err, errLate):
			run.late++
		case err != nil:
			return errors.Join(ctx.Err(), err)
		case found > 0:
			run.found++
		}
		run.took = append(run.took, took)
		if time.Since(begin) > atMost {
			break
		}
	}
	return nil
}

// each is the CPU time of one query.
func (run *rivalRun) each() time.Duration { return run.cpu / time.Duration(max(len(run.took), 1)) }
