package figures

import "testing"

func TestTwelveMonths(t *testing.T) {
	t.Parallel()
	for month, want := range map[string]period{
		"2026-12": {20260101, 20270101}, "2026-01": {20250201, 20260201}, "2024-02": {20230301, 20240301}, "teste": {},
	} {
		if got := twelveMonths(month); got != want {
			t.Errorf("twelveMonths(%q) = %v, want %v", month, got, want)
		}
	}
}
