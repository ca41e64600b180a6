package facet

import (
	"strings"
	"testing"

	"razao/index/filter"
)

// TestDeeperThan leads one level down, stays beside a subclass, and takes several activities for parts of the same one or for none.
func TestDeeperThan(t *testing.T) {
	t.Parallel()
	for chosen, want := range map[string]string{
		"": "", "G": "", "47": "47", "472": "472", "47211": "47211", "4721102": "47211", "-47": "", "47 -4721102": "47",
		"4721102 4721104": "47211", "4721102 4722901": "", "47211 47229": "472", "47 10": "", "472 47211": "",
	} {
		var s filter.Set
		for _, value := range strings.Fields(chosen) {
			s = s.Add(filter.CNAE, value)
		}
		got := ""
		if d := DeeperThan(s); d != nil {
			got = d.Activity
		}
		if got != want {
			t.Errorf("%q leads below %q, want %q", chosen, got, want)
		}
	}
}
