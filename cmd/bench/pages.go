package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"razao/internal/account"
	"razao/internal/sample"
)

// pageVisits is how many addresses of each kind are drawn before the measurement.
const pageVisits = 2_000

// pagesReport is what the pages of the website and their list for search engines took.
type pagesReport struct {
	options *options
	machine string
	pages   []pageRun
	assets  []asset
	listed  time.Duration // of CPU, to make the list of addresses again
	crawl   *crawl
}

// pages loads a release and all sources and opens every kind of page.
func (o *options) pages(ctx context.Context) error {
	r := &pagesReport{options: o}
	return o.reported(r, func(f *folder) error { return o.intoPages(ctx, f, r) })
}

func (o *options) intoPages(ctx context.Context, f *folder, r *pagesReport) error {
	loaded := f.hasDatabase()
	if !loaded {
		made, err := o.sample(ctx, f)
		if err != nil {
			return err
		}
		// Pages with invented companies are not for search engines. These are to be as those with published ones.
		if err := os.Remove(filepath.Join(made.Dir, sample.Mark)); err != nil {
			return fmt.Errorf("mark of the release: %w", err)
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
	if !loaded {
		if _, err := o.ingest(ctx, f, db); err != nil {
			return err
		}
		if err := o.loadSources(ctx, f, db, &sourcesReport{}); err != nil {
			return err
		}
	}
	d, err := drawVisits(ctx, f, db)
	if err != nil {
		return err
	}
	if r.listed, err = listAgain(d.index); err != nil {
		return err
	}
	return o.visitAll(ctx, f, db, d, r)
}

// visitAll opens every kind of page, weighs it, and reads the list for search engines.
func (o *options) visitAll(ctx context.Context, f *folder, db *database, d *visits, r *pagesReport) (err error) {
	cookie, err := signIn(ctx, db)
	if err != nil {
		return err
	}
	s, err := o.startServer(ctx, f, db)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	w := &weigher{address: s.Program}
	if r.crawl, err = readSitemap(ctx, w); err != nil {
		return err
	}
	if err := d.followLinks(ctx, w, r.crawl); err != nil {
		return err
	}
	for _, kind := range d.kinds(cookie) {
		run, err := o.visit(ctx, s, db, w, &kind)
		if err != nil {
			return fmt.Errorf("%s: %w", kind.name, err)
		}
		r.pages = append(r.pages, run)
	}
	r.assets = w.assets
	return r.crawl.check(ctx, w)
}

// signIn returns the header of somebody with an account and a key.
func signIn(ctx context.Context, db *database) (string, error) {
	store := account.NewStore(db.pool)
	email := fmt.Sprintf("bench%d@exemplo.com", time.Now().UnixNano())
	id, err := store.ByEmail(ctx, email)
	if err != nil {
		return "", err
	}
	if _, _, err := store.CreateKey(ctx, email, "bench"); err != nil {
		return "", err
	}
	token, _, err := store.StartSession(ctx, id, "bench", "")
	if err != nil {
		return "", err
	}
	return "Cookie: __Host-razao=" + token + "\r\n", nil
}

// pageRun is what one kind of page took.
type pageRun struct {
	lookupRun
	first   time.Duration // the very first request of the kind
	weight  weight
	reading bool // it is a page, not a file
}

// visit weighs pages of a kind and then asks for them, one after the other, as browsers do: compressed.
func (o *options) visit(ctx context.Context, s *server, db *database, w *weigher, kind *pageKind) (pageRun, error) {
	say("%s", kind.name)
	run := pageRun{lookupRun: lookupRun{name: kind.name, conns: 1}, reading: !kind.file}
	r := rand.New(rand.NewPCG(5, 5))
	paths := make([]string, pageVisits)
	for i := range paths {
		paths[i] = kind.next(r)
	}
	start := time.Now()
	if _, _, err := w.get(ctx, paths[0], kind.header); err != nil {
		return run, err
	}
	run.first = time.Since(start)
	var err error
	if run.weight, err = w.weigh(ctx, kind.header, paths); err != nil {
		return run, err
	}
	serverBefore, postgresBefore, err := usedBy(s, db)
	if err != nil {
		return run, err
	}
	c, err := dial(ctx, s.Program)
	if err != nil {
		return run, err
	}
	header, turn := []byte(kind.header+"Accept-Encoding: gzip\r\n"), 0
	before := ownCPU()
	start = time.Now()
	took, err := c.ask(ctx, start.Add(o.duration), func() (_, _, _ []byte) {
		turn++
		return []byte(paths[turn%len(paths)]), header, nil
	})
	if err != nil {
		return run, err
	}
	run.wall, run.client, run.took = time.Since(start), ownCPU()-before, newLatencies(took)
	serverAfter, postgresAfter, err := usedBy(s, db)
	if err != nil {
		return run, err
	}
	run.server, run.postgres = serverAfter-serverBefore, postgresAfter-postgresBefore
	return run, nil
}
