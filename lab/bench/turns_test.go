package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestRatios pairs the n-th results of each name, so that a drift over the turns cancels, and leaves
// out names that only one of the two has.
func TestRatios(t *testing.T) {
	t.Parallel()
	turn := func(name string, cpu, memory float64) result {
		return result{name, []value{{"cpu-sec/op", cpu}, {"memory-B", memory}}}
	}
	got := ratios(
		[]result{turn("v1", 1, 0), turn("v1", 2, 0), turn("gone", 1, 1), turn("v1", 4, 10)},
		[]result{turn("v1", 2, 7), turn("new", 1, 1), turn("v1", 2, 7), turn("v1", 6, 5)})
	want := []ratioRow{{"v1", []ratioCell{{"cpu-sec/op", "1.50 (1.00-2.00)"}, {"memory-B", "0.50 (0.50-0.50)"}}}}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(ratioRow{}, ratioCell{})); diff != "" {
		t.Errorf("ratios (-want +got):\n%s", diff)
	}
}
