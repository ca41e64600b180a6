package snapshot

import (
	"slices"
	"testing"

	"razao/index/folder"
)

// TestPause counts the ticks between the attempts to open an index.
func TestPause(t *testing.T) {
	t.Parallel()
	broken := &IndexError{Snapshot: 7, Err: folder.ErrDamaged}
	var p pause
	var tries []int
	for tick := range 100 {
		if !p.holds(7) {
			tries = append(tries, tick)
			p.extend(broken)
		}
	}
	if want := []int{0, 2, 5, 10, 19, 35, 51, 67, 83, 99}; !slices.Equal(tries, want) {
		t.Errorf("tried at %v, want %v", tries, want)
	}
	if p.holds(8) {
		t.Error("another snapshot has to wait")
	}
}
