package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"time"

	"golang.org/x/sync/errgroup"

	"razao/index"
)

// own is our index.
type own struct{ *index.Index }

// buildOwn builds an index of the documents as a load does, without reading and packing records.
func (o *options) buildOwn(ctx context.Context, f *folder, docs []index.Doc) (*built, []string, error) {
	say("side by side: building our index of %s documents", count(int64(len(docs))))
	dir := f.path("compared")
	if err := os.RemoveAll(dir); err != nil { // of a former run
		return nil, nil, fmt.Errorf("former index of the comparison: %w", err)
	}
	before, start := ownCPU(), time.Now()
	b, err := index.NewBuilder(dir, index.BuildOptions{Month: month, Workers: runtime.GOMAXPROCS(0)})
	if err != nil {
		return nil, nil, err
	}
	if err := addAll(b, docs); err != nil {
		return nil, nil, errors.Join(err, b.Abort())
	}
	m, err := b.Finish(ctx)
	if err != nil {
		return nil, nil, err
	}
	e := &built{name: "Razão", wall: time.Since(start), used: ownCPU() - before, bytes: m.Bytes()}
	ix, err := index.Open(dir)
	if err != nil {
		return nil, nil, err
	}
	e.engine, e.close = own{ix}, ix.Close
	return e, nil, ix.Warm(ctx)
}

// addAll gives the documents to the builder in as many parts as there are processors.
func addAll(b *index.Builder, docs []index.Doc) error {
	parts := runtime.GOMAXPROCS(0)
	var g errgroup.Group
	for part := range parts {
		g.Go(func() error {
			w := b.Writer()
			for i := part * len(docs) / parts; i < (part+1)*len(docs)/parts; i++ {
				if err := w.Add(&docs[i]); err != nil {
					return errors.Join(err, w.Close())
				}
			}
			return w.Close()
		})
	}
	return g.Wait()
}

func (own) can(*rivalQuery) bool { return true }

func (own) cpu() (time.Duration, error) { return ownCPU(), nil }

func (e own) ask(ctx context.Context, q *rivalQuery) (found int, took time.Duration, err error) {
	start := time.Now()
	switch {
	case q.suggest:
		found, err = askSuggest(ctx, e.Index, q.own)
	case q.counting == countTotal:
		found, err = askTotal(ctx, e.Index, q.own)
	case q.counting == countByUF:
		found, err = askFacets(ctx, e.Index, q.own)
	default:
		found, err = askSearch(ctx, e.Index, q.own)
	}
	return found, time.Since(start), err
}
