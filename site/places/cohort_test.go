package places

import (
	"strings"
	"testing"
)

// TestShareOfTheOldestCohort rounds it, and does not cut it: two of three are 67 of a hundred.
func TestShareOfTheOldestCohort(t *testing.T) {
	t.Parallel()
	c := newCohortChart([]cohort{{Year: 2026 - yearsShown + 1, Opened: 3, Active: 2}}, "2026-11")
	if !strings.Contains(c.Note, ", 67 estão ativos") {
		t.Errorf("%q", c.Note)
	}
}
