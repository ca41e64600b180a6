// Package load invents a release, loads it into a private PostgreSQL and an index in a folder of
// its own, and measures each stage: wall time, CPU of this process and of PostgreSQL, peak memory
// of both together, and temporary files.
//
// The loader runs inside the benchmark's process. Stage boundaries are derived from its progress
// reports: a stage ends with the report that says all of its work is done. The merge stage feeds
// the record store and the index at the same time, so a CPU profile of it is taken and divided
// between the two by the functions on each sample's stack.
package load

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"

	"razao/internal/bench/report"
	"razao/internal/data/source"
	"razao/internal/sample"
)

const month = "2026-08" // of the release: the first month whose roots may contain letters

// Options select what is invented and loaded.
type Options struct {
	Roots     int  // companies
	Workers   int  // goroutines of the sample and the loader; 0: one for each processor
	Sources   bool // load the public-record sources too
	Debts     int  // rows of pgfn; 0: in proportion to the companies
	Published bool // load the release as a real one: invented ones have no sitemap
}

// Loaded is the measurement of loading a release. It is a result of cmd/bench: see Goals and
// Section.
type Loaded struct {
	release sample.Summary
	ingest  *ingested
	sources []sourceRun
	rebuild stage // of the index, with the flags of the sources; zero without sources
}

// Fill invents a release in f, loads it and marks f as loaded. Leftovers of an interrupted run are
// replaced. The files of the release stay in f, where the benchmark of loads beside look-ups reads
// them again.
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

// invent writes the release. It returns freed memory to the operating system afterwards, so that
// the peak memory of the load does not include the sample's.
func (o *Options) invent(ctx context.Context, f *Folder, l *Loaded) error {
	report.Say("inventing %s companies", report.Count(o.Roots))
	for _, name := range append(source.IDs(), "receita") {
		if err := os.RemoveAll(f.path(name)); err != nil { // left by an interrupted run
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
