package ptbr

import (
	"testing"
	"time"
)

// TestDaysOfDigits compares dayOfDigits with time.Parse for every day and for invalid dates.
func TestDaysOfDigits(t *testing.T) {
	t.Parallel()
	odd := []string{"", "20260230", "20261301", "20260001", "20260100", "31/04/2026", "2026-02-29", "29/02/2024", "2026/01/01", "01-01-2026", "0000-01-01", "0a/01/2026", "+2026101", "２0260101"}
	for day := time.Date(1890, 1, 1, 0, 0, 0, 0, time.UTC); day.Year() < 2110; day = day.AddDate(0, 0, 1) {
		for _, layout := range publishedLayouts[:3] {
			odd = append(odd, day.Format(layout))
		}
	}
	for _, s := range odd {
		var want time.Time
		valid := false
		for _, layout := range publishedLayouts[:3] {
			if day, err := time.Parse(layout, s); err == nil {
				want, valid = day, true
			}
		}
		if got, ok := dayOfDigits(s); ok != valid || ok && !got.Equal(want) {
			t.Errorf("%q: %v %v, want %v %v", s, got, ok, want, valid)
		}
	}
}
