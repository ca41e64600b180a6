package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/pprof"
	"strings"

	"razao/index"
	"razao/ingest"
	"razao/ingest/receita"
	"razao/internal/registry"
)

// ingested is what loading the release took.
type ingested struct {
	load       registry.Load
	docs       int64
	indexBytes int64
	stages     []stage
	split      mergeSplit
	profile    *profile // of all stages
}

// mergeSplit parts the CPU time of this process in the merge stage by what it was for.
type mergeSplit struct {
	decode float64 // shares of 1: unpacking records for the index
	words  float64 // tokenising and sorting documents
	copy   float64 // sending rows to PostgreSQL
}

// index is the share of the merge stage that a program without an index would not have.
func (s mergeSplit) index() float64 { return s.decode + s.words }

// ingest loads the release in this process.
func (o *options) ingest(ctx context.Context, f *folder, db *database) (*ingested, error) {
	rel, err := receita.Find(f.path("receita"), month, false)
	if err != nil {
		return nil, err
	}
	say("loading %s", rel.Month)
	profiles := &stageProfiles{dir: f.dir}
	if err := profiles.next(); err != nil {
		return nil, err
	}
	m := startMeter(family{db.server.PID()}, profiles.between)
	in := &ingest.Ingester{
		Store:    registry.NewStore(db.pool),
		IndexDir: f.indexDir(),
		WorkDir:  f.path("work"),
		Workers:  o.workers,
		Log:      warnings(),
		Progress: m.report,
	}
	load, err := in.Receita(ctx, &rel, ingest.Options{})
	out := &ingested{load: load, stages: m.finish()}
	parts, profileErr := profiles.read()
	if err := errors.Join(err, profileErr); err != nil {
		return nil, err
	}
	out.split = splitMerge(parts[1])
	out.profile = &profile{}
	for _, p := range parts {
		out.profile.add(p)
	}
	if err := out.measureIndex(f); err != nil {
		return nil, err
	}
	return out, f.setLoaded()
}

// measureIndex takes the size of the index from its manifest.
func (in *ingested) measureIndex(f *folder) error {
	ix, err := index.Open(filepath.Join(f.indexDir(), fmt.Sprintf("%06d", in.load.ID)))
	if err != nil {
		return err
	}
	m := ix.Manifest()
	in.docs, in.indexBytes = m.Docs, m.Bytes()
	return ix.Close()
}

// splitMerge parts the merge stage by its profile. The collector and the scheduler, which work for all, are spread over
// the parts as the rest is.
func splitMerge(p *profile) mergeSplit {
	ours := float64(p.ours())
	if ours == 0 {
		return mergeSplit{} // too short to have been sampled
	}
	words := float64(p.under("razao/index.(*Writer).Add") + p.under("razao/index.(*Writer).Close"))
	all := float64(p.with(func(f string) bool {
		return f == "razao/ingest.(*merger).index" || f == "razao/index.(*Writer).Close"
	}))
	return mergeSplit{
		decode: (all - words) / ours,
		words:  words / ours,
		copy: float64(p.with(func(f string) bool { // it sends from a goroutine of its own, CopyFrom.func1
			return strings.HasPrefix(f, "github.com/jackc/pgx/v5/pgconn.(*PgConn).CopyFrom")
		})) / ours,
	}
}

// stageProfiles writes three CPU profiles of a load: of the stages read and merge, and of those that follow.
type stageProfiles struct {
	dir   string
	files []*os.File
	err   error
}

// next ends the profile that is being written and begins another.
func (s *stageProfiles) next() error {
	s.end()
	f, err := os.Create(filepath.Join(s.dir, fmt.Sprintf("ingest-%d.prof", len(s.files))))
	if err != nil {
		return fmt.Errorf("CPU profile: %w", err)
	}
	s.files = append(s.files, f)
	if err := pprof.StartCPUProfile(f); err != nil {
		return fmt.Errorf("CPU profile: %w", err)
	}
	return nil
}

func (s *stageProfiles) end() {
	if len(s.files) == 0 {
		return
	}
	pprof.StopCPUProfile()
	s.err = errors.Join(s.err, s.files[len(s.files)-1].Close())
}

func (s *stageProfiles) between(ended string) {
	say("  %s done", ended)
	if ended == stageRead || ended == stageMerge {
		s.err = errors.Join(s.err, s.next())
	}
}

// read ends profiling and returns the three profiles.
func (s *stageProfiles) read() ([]*profile, error) {
	s.end()
	if s.err != nil {
		return nil, s.err
	}
	parts := make([]*profile, 3)
	for i := range parts {
		parts[i] = &profile{}
	}
	for i, f := range s.files[:min(len(s.files), len(parts))] {
		var err error
		if parts[i], err = readProfile(f.Name()); err != nil {
			return nil, err
		}
	}
	return parts, nil
}
