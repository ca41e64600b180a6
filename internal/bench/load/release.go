// Package load invents a release, loads it into a private PostgreSQL and an index, in a folder of its own, and measures what
// that takes: wall time, CPU of this process and of PostgreSQL, memory of both, stage by stage.
//
// A stage ends when the loader says that its work is done. The stage that merges feeds the record store and the index at once;
// a CPU profile of it tells how much of it was for which.
package load

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"

	"razao/internal/bench/report"
	"razao/internal/sample"
	"razao/internal/source"
)

const month = "2026-08" // of the release: the first with letters in roots

// Options say what to load.
type Options struct {
	Roots     int  // companies
	Workers   int  // processors to use, 0 for all
	Sources   bool // the public-record sources as well
	Debts     int  // rows of pgfn, 0 for as many as the companies would have
	Published bool // search engines are told of the pages, as they are of published companies
}

// Loaded is what loading took.
type Loaded struct {
	release sample.Summary
	ingest  *ingested
	sources []sourceRun
	rebuild stage // of the index, with the flags of the sources
}

// Fill loads a new release into a folder that has none.
func (o *Options) Fill(ctx context.Context, f *Folder, db *Database) (*Loaded, error) {
	l := &Loaded{}
	if err := o.invent(ctx, f, l); err != nil {
		return nil, err
	}
	var err error
	if l.ingest, err = o.ingest(ctx, f, db); err != nil {
		return nil, err
	}
	if o.Sources {
		if err := o.loadSources(ctx, f, db, l); err != nil {
			return nil, err
		}
	}
	return l, f.setLoaded()
}

// invent writes the release. What memory that took is given back, so that it does not count for what follows.
func (o *Options) invent(ctx context.Context, f *Folder, l *Loaded) error {
	report.Say("inventing %s companies", report.Count(o.Roots))
	for _, name := range append(source.IDs(), "receita") {
		if err := os.RemoveAll(f.path(name)); err != nil { // of a run that got no further
			return fmt.Errorf("former release: %w", err)
		}
	}
	var err error
	l.release, err = sample.Write(ctx, f.Dir, sample.Options{
		Roots: o.Roots, Seed: 1, Month: month, Workers: o.Workers, OnlyReceita: !o.Sources, Debts: o.Debts,
	})
	if err != nil {
		return err
	}
	debug.FreeOSMemory()
	if o.Published {
		if err := os.Remove(filepath.Join(l.release.Dir, sample.Mark)); err != nil {
			return fmt.Errorf("mark of the release: %w", err)
		}
	}
	return nil
}
