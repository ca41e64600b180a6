package ingest

import (
	"slices"
	"sync"
	"syscall"
	"time"

	"razao/internal/store/registry"
)

// Stopwatch measures stages. The zero value is ready for use; a nil Stopwatch measures nothing. All methods
// are safe for concurrent use. A stage ends when all of it is done, when another stage reports, or
// with End.
type Stopwatch struct {
	Show func(*Moment)        // called with every report, one call at a time; may be nil
	Now  func() time.Time     // nil: time.Now
	CPU  func() time.Duration // CPU time of this process; nil: as getrusage counts it

	mu      sync.Mutex
	stages  []registry.Stage // since the last Stop
	running bool             // the last stage has not ended
	began   time.Time        // of the last stage
	cpuAt   time.Duration    // CPU time at began
	doneAt  time.Time        // end of the last stage, while none has begun since; else zero
	load    int              // index of the load's first stage
	plan    []registry.Stage // expected stages of the load
}

// Moment is the state of the work at one report.
type Moment struct {
	At      time.Time
	Stages  []registry.Stage // in the order of their beginning; valid during the call only
	Running bool             // the last stage has not ended
	Share   float64          // of the planned work that is done, 0 to 1; 0: unknown
	Left    time.Duration    // estimate to the end of the load; 0: unknown
}

// Report tells that done of total units of a stage are done. Stages whose names end in "download"
// or "read" count bytes, the others rows or documents. The stage ends once done reaches total; a
// total of 0 is unknown. Goroutines may report out of order: done never falls.
func (w *Stopwatch) Report(name string, done, total int64) {
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
			w.began = w.doneAt // the gap belongs to this stage; cpuAt is of that moment too
		}
		w.running, w.doneAt = true, time.Time{}
	}
	s := &w.stages[len(w.stages)-1]
	s.Seconds = now.Sub(w.began).Seconds()
	s.Done, s.Total = max(done, s.Done), total // reports overtake each other
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

// late reports whether this is a straggler: a report of a stage of this load that has ended. A
// straggler is near the end of its total; a new run of a stage of the same name begins near 0.
func (w *Stopwatch) late(name string, done, total int64) bool {
	return slices.ContainsFunc(w.stages[w.load:], func(s registry.Stage) bool {
		return s.Name == name && s.Total == total && done > total/2
	})
}

// Begin starts a load: it ends the running stage, and the stages that follow belong to the load.
// plan is how the load is expected to go, usually the stages of the former one; nil gives no
// estimate.
func (w *Stopwatch) Begin(plan []registry.Stage) {
	if w == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.end(w.now())
	w.load, w.plan = len(w.stages), plan
}

// OfLoad returns a copy of the stages since Begin. A running one is measured up to this moment.
func (w *Stopwatch) OfLoad() []registry.Stage {
	if w == nil {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.measure(w.now())
	return slices.Clone(w.stages[w.load:])
}

// End ends the running stage.
func (w *Stopwatch) End() {
	if w == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.end(w.now())
}

// Stop ends the running stage, returns all stages since the last Stop and forgets them.
func (w *Stopwatch) Stop() []registry.Stage {
	if w == nil {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.end(w.now())
	all := w.stages
	w.stages, w.load, w.plan = nil, 0, nil
	return all
}

// end ends the running stage. The caller holds mu.
func (w *Stopwatch) end(now time.Time) {
	w.measure(now)
	w.running, w.doneAt = false, time.Time{}
}

// measure brings the times of the running stage up to now. The caller holds mu.
func (w *Stopwatch) measure(now time.Time) {
	if w.running {
		s := &w.stages[len(w.stages)-1]
		s.Seconds, s.CPUSeconds = now.Sub(w.began).Seconds(), (w.cpu() - w.cpuAt).Seconds()
	}
}

func (w *Stopwatch) now() time.Time {
	if w.Now != nil {
		return w.Now()
	}
	return time.Now()
}

// cpu returns the CPU time, user and system, that this process has used.
func (w *Stopwatch) cpu() time.Duration {
	if w.CPU != nil {
		return w.CPU()
	}
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// estimate returns which share of the planned work is done and how long the rest will take at the
// pace so far. Work is weighted by the seconds of the plan. Stages that the plan does not have are
// ignored. left is 0 below 1 %, where it would be noise, and beyond the plan.
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
			done += p.Seconds // ended, however much of it was reported
		} else {
			done += p.Seconds * stages[i].Fraction()
		}
	}
	if done <= 0 {
		return 0, 0
	}
	if share = done / all; share < 0.01 || share >= 1 {
		return share, 0 // too early for an estimate, or beyond the plan
	}
	return share, time.Duration(took * (1 - share) / share * float64(time.Second))
}
