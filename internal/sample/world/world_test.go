package world

import (
	"slices"
	"strings"
	"testing"
	"time"

	"razao/internal/data/cnpj"
)

func newTestWorld(t *testing.T, n int) *World {
	t.Helper()
	w, err := New(9, n, "2026-10", "2026-10")
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func TestRootsAscendAndAreUnique(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 2, 64, 1000, 60_000} {
		m := newTestWorld(t, n).roots
		seen := map[cnpj.Root]bool{}
		for _, r := range m.runs {
			last := cnpj.Root(-1)
			for i := r.from; i < r.to; i++ {
				root := m.root(i)
				if root <= last || seen[root] {
					t.Fatalf("%d companies: root %d is %s after %s, seen before: %t", n, i, root, last, seen[root])
				}
				last, seen[root] = root, true
			}
		}
	}
}

// TestLaterRootsAvoidFormerOnes checks that taken finds exactly the roots that the first release
// has.
func TestLaterRootsAvoidFormerOnes(t *testing.T) {
	t.Parallel()
	m := newNumbering(3, 0, 40)
	if err := m.issue(40, 60); err != nil {
		t.Fatal(err)
	}
	for k := range 40 {
		p := m.lettered(k)
		if !m.taken(p) || m.taken(p+1) || m.taken(p-1) {
			t.Errorf("root %d of the first release: taken %t, its neighbours %t and %t", k, m.taken(p), m.taken(p-1), m.taken(p+1))
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
		if err := m.issue(maxCompanies+1_000_000, maxCompanies*2); err != nil {
			t.Fatal(err)
		}
		if got := m.root(maxCompanies - 1).String(); len(got) != 8 || got[0] != '9' {
			t.Errorf("last root %s", got)
		}
		if got := m.root(maxCompanies*2 - 1).String(); got[0] < 'Y' {
			t.Errorf("last root issued later %s", got)
		}
		if m.issue(maxCompanies+2_000_000, maxCompanies*2) == nil {
			t.Error("numeric roots of nine digits are issued")
		}
	}
	m := newNumbering(1, 0, maxCompanies*3/100)
	if got := m.root(maxCompanies*3/100 - 1).String(); got[0] != 'Z' {
		t.Errorf("last root with letters %s", got)
	}
}

func TestCompaniesByRoot(t *testing.T) {
	t.Parallel()
	w, err := New(9, 2000, "2026-04", "2027-03") // letters come in between
	if err != nil {
		t.Fatal(err)
	}
	var want []cnpj.Root
	for i := range w.Companies {
		want = append(want, w.Root(i))
	}
	slices.Sort(want)
	for _, from := range []int{0, 1, 777, w.Companies - 1} {
		at := from
		for i := range w.ByRoot(from, w.Companies) {
			if w.Root(i) != want[at] {
				t.Fatalf("from %d: root %s at %d, want %s", from, w.Root(i), at, want[at])
			}
			at++
		}
	}
	if len(slices.Compact(want)) != w.Companies {
		t.Error("two companies have one root")
	}
}

// TestPlacesDifferInDensity checks that small municipalities differ in density as real ones do, and
// the mean of the country.
func TestPlacesDifferInDensity(t *testing.T) {
	t.Parallel()
	w := newTestWorld(t, 10)
	lowest, highest, companies, people := 1000, 0, 0, 0
	for k, line := range readLines("municipios.csv") {
		inhabitants := atoi(strings.Split(line, ";")[3])
		d := density(k, inhabitants)
		lowest, highest = min(lowest, d), max(highest, d)
		companies, people = companies+d*inhabitants, people+inhabitants
	}
	if mean := companies / people; lowest != 30 || highest != 150 || mean < 85 || mean > 95 {
		t.Errorf("%d to %d companies for a thousand people, %d in the mean, in %d places", lowest, highest, mean, len(w.Cities))
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

// TestCompanyAgreesWithItsRows checks that a company is always derived in the same way, and that
// the orders of its establishments are distinct.
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
