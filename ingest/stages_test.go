package ingest_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"razao/ingest"
	"razao/internal/store/registry"
	"razao/internal/testing/fixture"
	"razao/internal/testing/fixture/sourcefiles"
)

// watch returns a watch that calls do with each report.
func watch(do func(stage string, done, total int64)) *ingest.Stopwatch {
	return &ingest.Stopwatch{Show: func(m *ingest.Moment) {
		s := &m.Stages[len(m.Stages)-1]
		do(s.Name, s.Done, s.Total)
	}}
}

// TestALoadRemembersItsStages reads the stages recorded by loads of companies and of a source, and
// by one that was refused.
func TestALoadRemembersItsStages(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	l.Source(t, "ceis", sourcefiles.Folder(t, "ceis"), "")
	if _, err := l.Ingester.Source(t.Context(), "ceis", sourcefiles.Folder(t, "cnep"), ingest.SourceOptions{}); err == nil {
		t.Fatal("files of another source were loaded")
	}
	loads := allLoads(t, l)
	for i, want := range map[int][]string{
		1: {"ceis: read", "ceis: merge"},
		2: {"read", "merge", "key", "index: invert", "index: merge"},
	} {
		var names []string
		for _, s := range loads[i].Stages {
			names = append(names, s.Name)
			if s.Done <= 0 || s.Done > s.Total || s.Seconds < 0 || s.CPUSeconds < 0 {
				t.Errorf("load %d: %+v", loads[i].ID, s)
			}
		}
		if diff := cmp.Diff(want, names); diff != "" {
			t.Errorf("stages of load %d (-want +got):\n%s", loads[i].ID, diff)
		}
	}
	merge := loads[2].Stages[1]
	if merge.Done != loads[2].RowsRead-loads[2].RowsRejected {
		t.Errorf("merged %d rows of %d", merge.Done, loads[2].RowsRead)
	}
}

// TestTimeLeftFollowsTheFormerLoad loads a release twice: the first load is the plan of the second.
func TestTimeLeftFollowsTheFormerLoad(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	if _, err := l.Pool.Exec(t.Context(), `UPDATE load SET stages = '[{"etapa":"read","segundos":1},{"etapa":"merge","segundos":7},{"etapa":"key","segundos":2}]'`); err != nil {
		t.Fatal(err)
	}
	shares := map[string]float64{}
	l.Ingester.Stages = &ingest.Stopwatch{Show: func(m *ingest.Moment) { shares[m.Stages[len(m.Stages)-1].Name] = m.Share }}
	l.Ingest(t)
	if shares["read"] > 0.1 || shares["merge"] != 0.8 || shares["key"] != 1 {
		t.Errorf("at the ends of the stages these shares were done: %v", shares)
	}
}

// TestTimeLeft plans one hour of reading and two of merging; the reading takes half an hour.
func TestTimeLeft(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 9, 1, 12, 0, 0, 0, time.UTC)
	now := start
	var last ingest.Moment
	w := &ingest.Stopwatch{
		Now: func() time.Time { return now }, CPU: func() time.Duration { return now.Sub(start) / 1000 }, Show: func(m *ingest.Moment) { last = *m },
	}
	w.Report("download", 0, 10)
	now = now.Add(5 * time.Minute)
	w.Begin([]registry.Stage{{Name: "read", Seconds: 3600}, {Name: "merge", Seconds: 7200}})
	w.Report("read", 0, 4)
	if last.Share != 0 || last.Left != 0 {
		t.Errorf("at the beginning: %+v", last)
	}
	now = now.Add(15 * time.Minute)
	w.Report("read", 2, 4)
	if want := 75 * time.Minute; (last.Left - want).Abs() > time.Second {
		t.Errorf("half read: %v are left, want %v", last.Left, want)
	}
	now = now.Add(15 * time.Minute)
	w.Report("merge", 0, 4)
	w.Report("read", 4, 4) // late
	if want := time.Hour; (last.Left-want).Abs() > time.Second || last.Stages[len(last.Stages)-1].Name != "merge" {
		t.Errorf("all read: %v are left, want %v, in %+v", last.Left, want, last.Stages)
	}
	now = now.Add(time.Hour)
	w.Report("merge", 4, 4)
	w.Report("merge", 3, 4) // late
	if last.Left != 0 || last.Share != 1 {
		t.Errorf("at the end: %+v", last)
	}
	want := []registry.Stage{
		{Name: "read", Seconds: 1800, CPUSeconds: 1.8, Done: 2, Total: 4},
		{Name: "merge", Seconds: 3600, CPUSeconds: 3.6, Done: 4, Total: 4},
	}
	if diff := cmp.Diff(want, w.OfLoad()); diff != "" {
		t.Errorf("stages of the load (-want +got):\n%s", diff)
	}
	now = now.Add(time.Minute) // until the first range is done
	w.Report("key", 1, 2)
	if s := w.OfLoad(); len(s) != 3 || s[2].Seconds != 60 || s[2].CPUSeconds != 0.06 {
		t.Errorf("what follows a stage that is done: %+v", s)
	}
	if all := w.Stop(); len(all) != 4 || all[0].Seconds != 300 || len(w.Stop()) != 0 {
		t.Errorf("all stages: %+v", all)
	}
}
