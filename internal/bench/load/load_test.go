package load

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/pprof/profile"

	"razao/internal/bench/machine"
)

func TestMeterKnowsWhereStagesEnd(t *testing.T) {
	t.Parallel()
	var ended []string
	m := startMeter(machine.Family{PID: os.Getpid()}, func() int64 { return 0 }, func(stage string) { ended = append(ended, stage) })
	for _, r := range []struct {
		stage       string
		done, total int64
	}{
		{"read", 1, 3}, {"read", 3, 3}, {"read", 2, 3}, // the last one is late
		{"merge", 1, 2}, // without its end
		{"key", 0, 1}, {"key", 1, 1},
	} {
		m.report(r.stage, r.done, r.total)
	}
	var names []string
	for _, s := range m.finish() {
		names = append(names, s.name)
	}
	want := []string{"read", "merge", "key", stageVerify}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("stages (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want, ended); diff != "" {
		t.Errorf("ends (-want +got):\n%s", diff)
	}
}

// TestSplitMerge parts 30 ms of tokenising, 10 ms of unpacking for it, 40 ms of packing and 20 ms of the collector.
func TestSplitMerge(t *testing.T) {
	t.Parallel()
	frame := func(names ...string) *profile.Location {
		location := &profile.Location{}
		for _, name := range names {
			location.Line = append(location.Line, profile.Line{Function: &profile.Function{Name: name}})
		}
		return location
	}
	stack := func(ms int64, frames ...*profile.Location) *profile.Sample {
		return &profile.Sample{Value: []int64{1, ms * 1e6}, Location: frames}
	}
	copying, merging := frame("runtime.memmove"), frame("razao/ingest.(*merger).index")
	got, err := splitMerge(&profile.Profile{Sample: []*profile.Sample{
		stack(30, frame("runtime.memmove", "razao/index/build.(*Writer).Add"), merging), // inlined
		stack(10, copying, merging),
		stack(40, frame("razao/internal/pack.AppendRows")),
		stack(20, copying, frame("runtime.gcBgMarkWorker")),
	}})
	if want := (mergeSplit{decode: 0.125, words: 0.375}); got != want || err != nil {
		t.Errorf("splitMerge = %+v, %v, want %+v", got, err, want)
	}
	if got, err := splitMerge(&profile.Profile{}); got != (mergeSplit{}) || err != nil {
		t.Errorf("a stage too short to be sampled gives %+v, %v, want nothing", got, err)
	}
	renamed := stack(30, frame("razao/index/build.(*Writer).Add"), frame("razao/ingest.(*merger).document"))
	if got, err := splitMerge(&profile.Profile{Sample: []*profile.Sample{renamed}}); err == nil {
		t.Errorf("with a method of another name: %+v", got)
	}
}

func TestUseIsSharedBetweenStoreAndIndex(t *testing.T) {
	t.Parallel()
	in := &ingested{
		stages: []stage{
			{name: stageRead, client: 10 * time.Second, peak: 5},
			{name: stageMerge, client: 20 * time.Second, server: 3 * time.Second, peak: 7},
			{name: stageKey, client: time.Second, server: 2 * time.Second},
			{name: stageIndexOrder, client: 30 * time.Second, peak: 9},
		},
		split: mergeSplit{words: 0.25, decode: 0.25},
	}
	want := use{storeClient: 21 * time.Second, postgres: 5 * time.Second, indexClient: 40 * time.Second, storePeak: 7}
	if got := in.use(); got != want {
		t.Errorf("use = %+v, want %+v", got, want)
	}
}

func TestFolder(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "bench")
	made, err := OpenFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(made.path("postgres"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := made.setLoaded(); err != nil {
		t.Fatal(err)
	}
	if err := made.Close(true); err != nil {
		t.Fatal(err)
	}
	again, err := OpenFolder(dir)
	if err != nil || !again.Loaded() {
		t.Fatalf("the kept folder: %v, want it to hold a load", err)
	}
	if err := again.Close(false); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir); err != nil {
		t.Errorf("the folder of a former run: %v, want it left alone", err)
	}

	foreign := t.TempDir()
	if err := os.WriteFile(filepath.Join(foreign, "letter.txt"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenFolder(foreign); err == nil {
		t.Error("a folder with other files was taken, want an error")
	}
}
