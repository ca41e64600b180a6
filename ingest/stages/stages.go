// Package stages is the one clock of the stages of loads: a load remembers what it measured, and whoever shows the progress is
// told of it.
package stages

import (
	"slices"
	"sync"
	"syscall"
	"time"

	"razao/internal/registry"
)

// Watch measures the stages of loads, and of what goes before them. A stage lasts until all of it is done, another one reports, or
// End; what happens after it was done belongs to the next, whose first report comes with its first results. The zero value is
// ready; a nil one measures nothing.
type Watch struct {
	Show func(*Moment)        // told of every report, one at a time; may be nil
	Now  func() time.Time     // nil: time.Now
	CPU  func() time.Duration // used by this process; nil: as the kernel counts it

	mu      sync.Mutex
	stages  []registry.Stage // since the last Stop
	running bool             // the last of them has not ended
	began   time.Time        // that stage
	cpuAt   time.Duration    // when it began
	doneAt  time.Time        // since when the last stage is done and no other has reported; zero: it is not
	load    int              // the first stage of the load
	plan    []registry.Stage // of the load, as far as it can be foreseen
}

// Moment is how far work has come.
type Moment struct {
	At      time.Time
	Stages  []registry.Stage // in the order of their beginning; valid during the call
	Running bool             // the last of them has not ended
	Share   float64          // of the load that is done; 0: not known
	Left    time.Duration    // to the end of the load; 0: not known
}

// Report tells that done of total units of a stage are behind us. Stages that end in "download" or "read" count bytes, the others
// rows or documents.
func (w *Watch) Report(name string, done, total int64) {
	if w == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	now := w.now()
	if !w.running || w.stages[len(w.stages)-1].Name != name {
		if w.late(name, done, total) {
			return
		}
		w.measure(now)
		w.stages = append(w.stages, registry.Stage{Name: name})
		if w.doneAt.IsZero() {
			w.began, w.cpuAt = now, w.cpu()
		} else {
			w.began = w.doneAt // cpuAt is of that moment
		}
		w.running, w.doneAt = true, time.Time{}
	}
	s := &w.stages[len(w.stages)-1]
	s.Seconds = now.Sub(w.began).Seconds()
	s.Done, s.Total = max(done, s.Done), total // calls from several goroutines overtake each other
	if total > 0 && done >= total {
		w.end(now)
		w.doneAt, w.cpuAt = now, w.cpu()
	}
	if w.Show != nil {
		m := &Moment{At: now, Stages: w.stages, Running: w.running}
		m.Share, m.Left = estimate(w.stages[w.load:], w.plan)
		w.Show(m)
	}
}

// late reports whether a worker tells of a stage of this load that is over: it is near the end, where a new run of the stage
// would be near the beginning.
func (w *Watch) late(name string, done, total int64) bool {
	return slices.ContainsFunc(w.stages[w.load:], func(s registry.Stage) bool {
		return s.Name == name && s.Total == total && done > total/2
	})
}

// Begin ends the running stage: what follows belongs to a load, which is expected to go as planned.
func (w *Watch) Begin(plan []registry.Stage) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.end(w.now())
	w.load, w.plan = len(w.stages), plan
}

// OfLoad returns the stages since Begin. The last one may not have ended.
func (w *Watch) OfLoad() []registry.Stage {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.measure(w.now())
	return slices.Clone(w.stages[w.load:])
}

// End ends the running stage.
func (w *Watch) End() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.end(w.now())
}

// Stop ends the running stage, returns all of them and forgets them.
func (w *Watch) Stop() []registry.Stage {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.end(w.now())
	all := w.stages
	w.stages, w.load, w.plan = nil, 0, nil
	return all
}

func (w *Watch) end(now time.Time) {
	w.measure(now)
	w.running, w.doneAt = false, time.Time{}
}

// measure brings the running stage up to now.
func (w *Watch) measure(now time.Time) {
	if w.running {
		s := &w.stages[len(w.stages)-1]
		s.Seconds, s.CPUSeconds = now.Sub(w.began).Seconds(), (w.cpu() - w.cpuAt).Seconds()
	}
}

func (w *Watch) now() time.Time {
	if w.Now != nil {
		return w.Now()
	}
	return time.Now()
}

func (w *Watch) cpu() time.Duration {
	if w.CPU != nil {
		return w.CPU()
	}
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// estimate returns which part of the planned work the stages have done, and how long the rest will take if it goes on as it went
// until now. Stages that are not in the plan do not count.
func estimate(stages, plan []registry.Stage) (share float64, left time.Duration) {
	var done, all, took float64
	for _, p := range plan {
		all += p.Seconds
		i := slices.IndexFunc(stages, func(s registry.Stage) bool { return s.Name == p.Name })
		if i < 0 {
			continue
		}
		took += stages[i].Seconds
		if i < len(stages)-1 {
			done += p.Seconds // over, however much of it was reported
		} else {
			done += p.Seconds * stages[i].Fraction()
		}
	}
	if done <= 0 {
		return 0, 0
	}
	if share = done / all; share < 0.01 || share >= 1 {
		return share, 0 // too early to tell, or beyond the plan
	}
	return share, time.Duration(took * (1 - share) / share * float64(time.Second))
}
