package load

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime/pprof"
	"slices"
	"strings"

	"github.com/google/pprof/profile"

	"razao/index"
	"razao/ingest"
	"razao/ingest/receita"
	"razao/ingest/stages"
	"razao/internal/bench/report"
	"razao/internal/store/registry"
)

// ingested is the measurement of loading the companies.
type ingested struct {
	load       registry.Load
	docs       int64
	indexBytes int64
	stages     []stage
	split      mergeSplit
}

// mergeSplit divides the CPU time of this process in the merge stage by purpose. The rest of 1 is
// the record store's.
type mergeSplit struct {
	decode float64 // fraction spent unpacking records for the index
	words  float64 // fraction spent tokenising and sorting documents
}

// index is the fraction that a program without an index would save.
func (s mergeSplit) index() float64 { return s.decode + s.words }

// ingest loads the release in this process and takes a CPU profile of the merge stage.
func (o *Options) ingest(ctx context.Context, f *Folder, db *Database) (*ingested, error) {
	rel, err := receita.Find(f.path("receita"), month, false)
	if err != nil {
		return nil, err
	}
	report.Say("loading %s", rel.Month)
	var merging bytes.Buffer
	var profiling error
	m := startMeter(db.Postgres(), f.temporary, func(ended string) {
		report.Say("  %s done", ended)
		switch ended {
		case stageRead:
			profiling = pprof.StartCPUProfile(&merging)
		case stageMerge:
			pprof.StopCPUProfile()
		}
	})
	in := o.ingester(f, db)
	in.Stages = &stages.Watch{Show: m.show}
	load, err := in.Receita(ctx, &rel, ingest.Options{Force: true}) // with Published it has no mark, and the floors for real releases would refuse it
	out := &ingested{load: load, stages: m.finish()}
	if err := errors.Join(err, profiling); err != nil {
		return nil, err
	}
	p, err := profile.Parse(&merging)
	if err != nil {
		return nil, fmt.Errorf("CPU profile: %w", err)
	}
	if out.split, err = splitMerge(p); err != nil {
		return nil, err
	}
	return out, out.measureIndex(f)
}

func (o *Options) ingester(f *Folder, db *Database) *ingest.Ingester {
	return &ingest.Ingester{
		Store: registry.NewStore(db.Pool), IndexDir: f.IndexDir(), WorkDir: f.path("work"), Workers: o.Workers, Log: Warnings(),
		RowCache: true, // as the program does unless it is told otherwise
	}
}

// measureIndex takes the number of documents and the size of the index from its manifest.
func (in *ingested) measureIndex(f *Folder) error {
	ix, err := index.Open(filepath.Join(f.IndexDir(), fmt.Sprintf("%06d", in.load.ID)))
	if err != nil {
		return err
	}
	m := ix.Manifest()
	in.docs, in.indexBytes = m.Docs, m.Bytes()
	return ix.Close()
}

// splitMerge divides a profile of the merge stage. Only samples with a function of this module or
// of a dependency on their stack count: garbage collection and scheduling serve everything and are
// thereby spread over the parts in proportion. Tokenising is told by the index writer's methods;
// everything else below the merger's index method is unpacking. It is an error if documents are added
// outside that method: then it has another name by now.
func splitMerge(p *profile.Profile) (mergeSplit, error) {
	var ours, all, words int64
	for _, sample := range p.Sample {
		cpu, within := sample.Value[len(sample.Value)-1], stackOf(sample)
		if !within(strings.HasPrefix, "razao/", "github.com/") {
			continue
		}
		ours += cpu
		if within(is, "razao/index/build.(*Writer).Add", "razao/index/build.(*Writer).Close") {
			words += cpu
		}
		if within(is, "razao/ingest/merge.(*merger).index", "razao/index/build.(*Writer).Close") {
			all += cpu
		}
	}
	if all < words {
		return mergeSplit{}, errors.New("CPU profile: documents are added outside the merger's index method")
	}
	return mergeSplit{decode: report.Ratio(all-words, ours), words: report.Ratio(words, ours)}, nil
}

func is(function, name string) bool { return function == name }

// stackOf returns a predicate on the functions of a sample's stack, inlined ones included: whether
// any of them matches any of several names.
func stackOf(sample *profile.Sample) func(match func(function, name string) bool, names ...string) bool {
	var functions []string
	for _, location := range sample.Location {
		for _, line := range location.Line {
			functions = append(functions, line.Function.Name)
		}
	}
	return func(match func(function, name string) bool, names ...string) bool {
		return slices.ContainsFunc(functions, func(function string) bool {
			return slices.ContainsFunc(names, func(name string) bool { return match(function, name) })
		})
	}
}
