package stages

import "testing"

// TestNilWatch calls all methods on a nil Watch: callers need not ask whether anything is measured.
func TestNilWatch(t *testing.T) {
	t.Parallel()
	var w *Watch
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
