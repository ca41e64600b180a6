package report

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestPercentile(t *testing.T) {
	t.Parallel()
	hundred := make([]time.Duration, 100)
	for i := range hundred {
		hundred[i] = time.Duration(100 - i)
	}
	for _, test := range []struct {
		name string
		took []time.Duration
		p    int
		want time.Duration
	}{
		{"none", nil, 99, 0},
		{"one", []time.Duration{7}, 50, 7},
		{"median of two is the smaller", []time.Duration{9, 3}, 50, 3},
		{"half of a hundred", hundred, 50, 50},
		{"99 of a hundred", hundred, 99, 99},
		{"largest", hundred, 100, 100},
	} {
		if got := NewLatencies(slices.Clone(test.took)).Percentile(test.p); got != test.want {
			t.Errorf("%s: percentile %d is %d, want %d", test.name, test.p, got, test.want)
		}
	}
}

func TestTable(t *testing.T) {
	t.Parallel()
	table := Table{Head: []string{"Etapa", "µs"}}
	table.Row("é", "1,234")
	p := &Page{}
	p.Table(&table)
	want := "| Etapa |    µs |\n|-------|------:|\n| é     | 1,234 |\n\n"
	if diff := cmp.Diff(want, p.String()); diff != "" {
		t.Errorf("table (-want +got):\n%s", diff)
	}
}

func TestFigures(t *testing.T) {
	t.Parallel()
	for got, want := range map[string]string{
		Count(0): "0", Count(999): "999", Count(1000): "1,000", Count(int64(1234567)): "1,234,567",
		Times(30, 20): "1.50 ×", Times(1, 0): "", Percent(Ratio(1, 3)): "33.3 %", Percent(Ratio(1, 0)): "0.0 %",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
