package publisher

import (
	"testing"
	"time"
)

func TestMonthsOf(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	for period, want := range map[string]string{
		"2026-02":          "2026-02-01 2026-02-28",
		"2025-11..2026-06": "2025-11-01 2026-06-30",
		"2026-09..2026-12": "2026-09-01 2026-11-21", // as far as it is over
		"2026-06..2026-01": "",
		"2026-12":          "",
		"2026-01..":        "",
		"..2026-01":        "",
		"2026":             "",
	} {
		first, last, err := monthsOf(period, now)
		got := ""
		if err == nil {
			got = first.Format(time.DateOnly) + " " + last.Format(time.DateOnly)
		}
		if got != want {
			t.Errorf("%s: %q, %v, want %q", period, got, err, want)
		}
	}
}
