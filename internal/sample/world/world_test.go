package world

import (
	"testing"
	"time"

	"razao/internal/cnpj"
)

func newTestWorld(t *testing.T, n int) *World {
	t.Helper()
	w, err := New(9, n, "2026-10")
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func TestRootsAscendAndAreUnique(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 2, 64, 1000, 60_000} {
		m := newTestWorld(t, n).roots
		last := cnpj.Root(-1)
		for i := range m.numeric {
			if root := m.root(i); root <= last {
				t.Fatalf("%d companies: root %d is %s after %s", n, i, root, last)
			} else {
				last = root
			}
		}
		last = -1
		for i := m.numeric; i < n; i++ {
			if root := m.root(i); root <= last {
				t.Fatalf("%d companies: root %d is %s after %s", n, i, root, last)
			} else {
				last = root
			}
		}
	}
}

func TestLargestRegistryHasRoom(t *testing.T) {
	t.Parallel()
	for seed := range uint64(20) {
		m := newNumbering(seed, maxCompanies, maxCompanies)
		for b := range blocks {
			if count := m.starts[b+1] - m.starts[b]; count > m.block {
				t.Fatalf("seed %d: block %d has %d companies for %d numbers", seed, b, count, m.block)
			}
		}
		if got := m.root(maxCompanies - 1).String(); len(got) != 8 || got[0] != '9' {
			t.Errorf("last root %s", got)
		}
	}
	m := newNumbering(1, 0, maxCompanies*3/100)
	if got := m.root(m.total - 1).String(); got[0] != 'Z' {
		t.Errorf("last root with letters %s", got)
	}
}

func TestSplitFollowsTheOrderOfRoots(t *testing.T) {
	t.Parallel()
	m := newTestWorld(t, 2000).roots
	numeric, lettered := 0, 0
	for x := range m.total {
		if a, b := m.split(x); a != numeric || b != lettered {
			t.Fatalf("split(%d) = %d, %d, want %d, %d", x, a, b, numeric, lettered)
		}
		if i := m.numeric + lettered; i == m.total || numeric < m.numeric && m.root(numeric) < m.root(i) {
			numeric++
		} else {
			lettered++
		}
	}
}

func TestPublicationDays(t *testing.T) {
	t.Parallel()
	for month, want := range map[string]string{
		"2025-11": "20251108", "2026-05": "20260509", "2026-06": "20260613", "2026-07": "20260711", "2026-09": "20260912",
		"2026-08": "20260808", "2030-06": "20300608",
	} {
		c, err := newCalendar(month)
		if err != nil {
			t.Fatal(err)
		}
		if got := c.Compact(c.Release); got != want {
			t.Errorf("%s: %s, want %s", month, got, want)
		}
	}
}

func TestDaysOfTheRules(t *testing.T) {
	t.Parallel()
	c, err := newCalendar("2026-09")
	if err != nil {
		t.Fatal(err)
	}
	for d, want := range map[Day]string{
		0: "19660101", confirmed: "20051103", SimplesFrom: "20070701", MEIFrom: "20090701",
		soleLimitedFrom: "20120108", soleLimitedTo: "20210826", firstLetters: "20260731",
	} {
		if got := c.Compact(d); got != want {
			t.Errorf("day %d is %s, want %s", d, got, want)
		}
	}
	if last := c.Compact(Day(len(c.days) - 1)); last != time.Date(2028, 9, 12, 0, 0, 0, 0, time.UTC).Format("20060102") {
		t.Errorf("the calendar ends at %s", last)
	}
}

// TestCompanyAgreesWithItsRows holds the company function to the promise that later writers rely on.
func TestCompanyAgreesWithItsRows(t *testing.T) {
	t.Parallel()
	w := newTestWorld(t, 3000)
	for i := range w.Companies {
		c, again := w.Company(i), w.Company(i)
		if c != again {
			t.Fatalf("company %d is derived in two ways: %+v and %+v", i, c, again)
		}
		if e := w.Establishment(&c, 0); e.Full.Root() != c.Root {
			t.Fatalf("company %d: head office %s of root %s", i, e.Full, c.Root)
		}
		orders := map[cnpj.Order]bool{}
		for k := range c.Branches + 1 {
			e := w.Establishment(&c, k)
			if orders[e.Full.Order()] {
				t.Fatalf("company %d has two establishments of order %s", i, e.Full.Order())
			}
			orders[e.Full.Order()] = true
		}
	}
}

func TestEveryTrapIsForcedOnce(t *testing.T) {
	t.Parallel()
	for _, n := range []int{forcedFrom, 12_347, 100_000} {
		w := newTestWorld(t, n)
		seen := map[Trap]int{}
		for i := range n {
			if trap, forced := w.trapOf(i); forced {
				seen[trap]++
			}
		}
		for trap := NoTrap + 1; trap < traps; trap++ {
			if seen[trap] != 1 {
				t.Errorf("%d companies: trap %d is forced %d times", n, trap, seen[trap])
			}
		}
	}
}
