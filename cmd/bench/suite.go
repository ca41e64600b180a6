package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"razao/index"
	"razao/internal/snapshot"
)

const (
	suiteKindTime = 6 * time.Second // for each kind, of which there are some sixty
	mixtureTime   = 20 * time.Second
	bytesPerRoot  = 1500    // of disk while a release is loaded: zips, database with its log, sorting, index twice
	bytesPerDoc   = 2500    // of disk for a document that is compared: three engines and what they sort
	bytesSpare    = 2 << 30 // that stay free
)

// sizeRun is what the search suite measured at one size.
type sizeRun struct {
	roots      int
	docs       int64
	indexBytes int64
	loaded     *ingested // nil: by a former run
	classes    []classRun
	mixture    queryRun
	cold       *coldRun
	http       []lookupRun
	trouble    error // that ended the requests over HTTP
}

// classRun is what one class of queries took: every kind, and the last one all of them in equal parts.
type classRun struct {
	name  string
	share int // of the mixture, in percent
	kinds []queryRun
}

// all is the run of all kinds mixed.
func (c *classRun) all() *queryRun { return &c.kinds[len(c.kinds)-1] }

// suite measures every size, then prints one report; of what was measured, when something fails.
func (o *options) suite(ctx context.Context) error {
	r := &suiteReport{options: o}
	err := o.eachSize(ctx, r)
	if len(r.sizes) == 0 {
		return errors.Join(err, r.nothing())
	}
	_, printErr := os.Stdout.WriteString(r.markdown())
	return errors.Join(err, printErr)
}

// eachSize works in a folder for each size, deleted before the next one.
func (o *options) eachSize(ctx context.Context, r *suiteReport) error {
	for i, roots := range o.sizes {
		one := *o
		one.roots = roots
		if i != o.comparedSize() {
			one.compare = 0
		}
		if o.data != "" && len(o.sizes) > 1 {
			one.data = filepath.Join(o.data, strconv.Itoa(roots))
		}
		if err := one.inFolder(ctx, r); err != nil {
			return fmt.Errorf("%s companies: %w", count(int64(roots)), err)
		}
	}
	return nil
}

// comparedSize is the position of the size at which the comparison is made, once: the first that has enough documents,
// or the largest.
func (o *options) comparedSize() int {
	enough := func(roots int) bool { return roots >= o.compare } // a company has at least one document
	if i := slices.IndexFunc(o.sizes, enough); i >= 0 {
		return i
	}
	return slices.Index(o.sizes, slices.Max(o.sizes))
}

func (o *options) inFolder(ctx context.Context, r *suiteReport) (err error) {
	f, err := openFolder(o.data)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.close(o.keep)) }()
	free, err := freeDisk(f.dir)
	if err != nil {
		return err
	}
	if needed := o.diskNeeded(f.hasDatabase()); free < needed {
		r.skip("%s companies: %s of disk are needed and %s are free", count(int64(o.roots)), megabytes(needed), megabytes(free))
		return nil
	}
	say("search suite at %s companies", count(int64(o.roots)))
	return o.measureSize(ctx, f, r)
}

// diskNeeded is a generous guess at the bytes that a size takes.
func (o *options) diskNeeded(loaded bool) int64 {
	needed := int64(bytesSpare) + int64(o.compare)*bytesPerDoc
	if !loaded {
		needed += int64(o.roots) * bytesPerRoot
	}
	return needed
}

func (o *options) measureSize(ctx context.Context, f *folder, r *suiteReport) error {
	loaded := f.hasDatabase()
	if !loaded {
		if _, err := o.sample(ctx, f); err != nil {
			return err
		}
	}
	db, err := openDatabase(ctx, f)
	if err != nil {
		return err
	}
	defer db.close()
	if r.machine, err = describeMachine(ctx, db); err != nil {
		return err
	}
	run := &sizeRun{roots: o.roots}
	if !loaded {
		if run.loaded, err = o.ingest(ctx, f, db); err != nil {
			return err
		}
		if !o.keep {
			if err := os.RemoveAll(f.path("receita")); err != nil {
				return fmt.Errorf("release that was loaded: %w", err)
			}
		}
	}
	log, dir, err := o.askAll(ctx, f, db, run)
	if err != nil {
		return err
	}
	if run.cold, err = coldStart(ctx, dir, log); err != nil {
		return err
	}
	r.sizes = append(r.sizes, run)
	if o.compare > 0 {
		if r.rivals, err = o.compareAll(ctx, f, db); err != nil {
			return err
		}
	}
	return nil
}

// askAll measures what needs the snapshot open: the index in memory, and the requests over HTTP. It returns the log of
// queries and the folder of the index, which is closed again.
func (o *options) askAll(ctx context.Context, f *folder, db *database, run *sizeRun) (*queryLog, string, error) {
	live, _, err := openSnapshot(ctx, f, db)
	if err != nil {
		return nil, "", err
	}
	defer live.Close()
	say("drawing numbers and texts from the load")
	d, err := draw(ctx, live)
	if err != nil {
		return nil, "", err
	}
	log, err := newQueryLog(d)
	if err != nil {
		return nil, "", err
	}
	load, err := o.askIndex(ctx, live, log, run)
	if err != nil {
		return nil, "", err
	}
	if o.http {
		run.http, run.trouble = o.askServer(ctx, f, db, log)
	}
	return log, filepath.Join(f.indexDir(), fmt.Sprintf("%06d", load)), ctx.Err()
}

// askIndex returns the load from which the index was built.
func (o *options) askIndex(ctx context.Context, live *snapshot.Live, log *queryLog, run *sizeRun) (load int64, err error) {
	s, err := live.Acquire()
	if err != nil {
		return 0, err
	}
	defer s.Release()
	m := s.Index.Manifest()
	run.docs, run.indexBytes = m.Docs, m.Bytes()
	classes := log.classes()
	for _, c := range classes {
		measured, err := o.askClass(ctx, s.Index, c)
		if err != nil {
			return 0, err
		}
		run.classes = append(run.classes, measured)
	}
	say("the mixture")
	run.mixture, err = o.askMixture(ctx, s.Index, classes)
	return m.Load, err
}

func (o *options) askClass(ctx context.Context, ix *index.Index, c askClass) (classRun, error) {
	out := classRun{name: c.name, share: c.share}
	kinds := c.kinds
	kinds = append(kinds[:len(kinds):len(kinds)], askKind{"all of these", func(r *rand.Rand) index.Query {
		return pick(r, kinds).next(r)
	}})
	for _, kind := range kinds {
		say("%s: %s", c.name, kind.name)
		run, err := measureQueries(kind.name, kind.next, o.queries, suiteKindTime, func(q index.Query) (int, error) {
			if ctx.Err() != nil {
				return 0, ctx.Err()
			}
			return c.ask(ctx, ix, q)
		})
		if err != nil {
			return out, fmt.Errorf("%s: %w", c.name, err)
		}
		out.kinds = append(out.kinds, run)
	}
	return out, nil
}

// asking is a query together with what is to be done with it.
type asking struct {
	class *askClass
	query index.Query
}

func (a asking) ask(ctx context.Context, ix *index.Index) (int, error) {
	if ctx.Err() != nil {
		return 0, ctx.Err()
	}
	return a.class.ask(ctx, ix, a.query)
}

func (o *options) askMixture(ctx context.Context, ix *index.Index, classes []askClass) (queryRun, error) {
	draw := mixture(classes)
	next := func(r *rand.Rand) asking {
		class, query := draw(r)
		return asking{class, query}
	}
	return measureQueries("mixture", next, 2*o.queries, mixtureTime, func(a asking) (int, error) { return a.ask(ctx, ix) })
}
