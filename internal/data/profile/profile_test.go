package profile

import (
	"encoding/json"
	"fmt"
	"strconv"
	"testing"
)

// FuzzMeter measures any value as any kind of column: nothing panics, what is stored reads back, and a table compared
// with itself has not moved.
func FuzzMeter(f *testing.F) {
	for _, value := range []string{"", "00000000", "20260131", "31/01/2026", "2026-01-31", "1.234,56", "-1", "1,2E+13", "S\xc3\x83O", "***123456**", `"a"`, "\xff\x00"} {
		f.Add(value, value+"1", false)
	}
	f.Fuzz(func(t *testing.T, a, b string, latin1 bool) {
		columns := []Declared{{Name: "t"}, {Name: "i", Kind: ID}, {Name: "c", Kind: Code}, {Name: "d", Kind: Day}, {Name: "n", Kind: Number, Personal: true}}
		m, o := NewMeter("x", columns, latin1), NewMeter("x", columns, latin1)
		for line := range int64(40) {
			for i := range columns {
				if m.Wants(line) {
					m.Add(i, "1", a)
				}
				if o.Wants(line) {
					o.Add(i, "2", b)
				}
			}
		}
		m.Merge(o)
		table := m.Table(nil)
		stored, err := json.Marshal(table)
		if err != nil {
			t.Fatal(err)
		}
		var read Table
		if err := json.Unmarshal(stored, &read); err != nil {
			t.Fatal(err)
		}
		for _, before := range []*Table{&table, &read} {
			if jumps := Compare(before, &table, columns, 1, true); len(jumps) > 0 {
				t.Errorf("moved: %v", jumps)
			}
		}
	})
}

// TestSketch estimates numbers of distinct values within five standard errors.
func TestSketch(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 10, 1000, 20_000} {
		m := NewMeter("x", []Declared{{Name: "i", Kind: ID}}, false)
		for i := range n {
			if m.Wants(int64(i)) {
				m.Add(0, "", strconv.Itoa(i*7919))
			}
		}
		column := m.Table(nil).Columns[0]
		if got := float64(column.Distinct); got < 0.84*float64(n) || got > float64(column.Filled) {
			t.Errorf("%d distinct values: %v", n, got)
		}
	}
}

// TestNeighboursMoveBehindTheMeasured: the establishments of one company, whose numbers are all the distinct ones there are, stand within the
// lines that are all measured in one month, and behind them in the next.
func TestNeighboursMoveBehindTheMeasured(t *testing.T) {
	t.Parallel()
	columns := []Declared{{Name: "cnpj_ordem", Kind: ID}}
	month := func(first int64) Table {
		m := NewMeter("Estabelecimentos", columns, false)
		for line := range int64(3 * wholly) {
			order := int64(1)
			if at := line - first; at >= 0 && at < 5000 {
				order = at + 1
			}
			if m.Wants(line + 1) {
				m.Add(0, "12345678", fmt.Sprintf("%04d", order))
			}
		}
		return m.Table(nil)
	}
	before, after := month(wholly-5000), month(wholly)
	if jumps := Compare(&before, &after, columns, 1, false); len(jumps) > 0 {
		t.Errorf("%v", jumps[0].String())
	}
}
