package ingest

import "testing"

// TestNilStopwatch calls all methods on a nil Stopwatch: callers need not ask whether anything is measured.
func TestNilStopwatch(t *testing.T) {
	t.Parallel()
	var w *Stopwatch
	w.Begin(nil)
	w.Report("read", 1, 2)
	if got := w.OfLoad(); got != nil {
		t.Errorf("stages of the load: %v", got)
	}
	w.End()
	if got := w.Stop(); got != nil {
		t.Errorf("all stages: %v", got)
	}
}
