package sample

import (
	"testing"
	"time"

	"razao/internal/cnpj"
)

func newTestGenerator(t *testing.T, n int) *generator {
	t.Helper()
	g, err := newGenerator(Options{Roots: n, Seed: 9, Month: "2026-10"})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestRootsAscendAndAreUnique(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 2, 64, 1000, 60_000} {
		m := newTestGenerator(t, n).numbers
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
	m := newTestGenerator(t, 2000).numbers
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

func TestShuffleIsAPermutation(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 2, 10, 4096, 30_030} {
		for _, step := range []int{0, 1, n / 10, n * 618 / 1000} {
			s := newShuffle(5, n, step, 1)
			seen := make([]bool, n)
			for x := range n {
				if i := s.at(x); seen[i] {
					t.Fatalf("n %d, step %d: %d occurs twice", n, step, i)
				} else {
					seen[i] = true
				}
			}
		}
	}
}

func TestPublicationDays(t *testing.T) {
	t.Parallel()
	for month, want := range map[string]string{
		"2025-11": "D51108", "2026-05": "D60509", "2026-06": "D60613", "2026-07": "D60711", "2026-09": "D60912",
		"2026-08": "D60808", "2030-06": "D00608",
	} {
		c, err := newCalendar(month)
		if err != nil {
			t.Fatal(err)
		}
		if c.suffix != want {
			t.Errorf("%s: %s, want %s", month, c.suffix, want)
		}
		if got := string(c.append(nil, c.release)); got[3:] != want[1:] {
			t.Errorf("%s: release day %s", month, got)
		}
	}
}

func TestDaysOfTheRules(t *testing.T) {
	t.Parallel()
	c, err := newCalendar("2026-09")
	if err != nil {
		t.Fatal(err)
	}
	for d, want := range map[day]string{
		0: "19660101", confirmed: "20051103", simplesFrom: "20070701", meiFrom: "20090701",
		soleLimitedFrom: "20120108", soleLimitedTo: "20210826", firstLetters: "20260731",
	} {
		if got := string(c.append(nil, d)); got != want {
			t.Errorf("day %d is %s, want %s", d, got, want)
		}
	}
	if last := string(c.append(nil, day(len(c.text)-1))); last != time.Date(2028, 9, 12, 0, 0, 0, 0, time.UTC).Format("20060102") {
		t.Errorf("the calendar ends at %s", last)
	}
}

func TestWeightedFollowsItsWeights(t *testing.T) {
	t.Parallel()
	weights := []uint64{1, 0, 7, 2, 90}
	w := newWeighted(weights)
	d := newDice(1, topicNumber, 1)
	const throws = 200_000
	counts := make([]int, len(weights))
	for range throws {
		counts[w.pick(&d)]++
	}
	for i, weight := range weights {
		want := throws * int(weight) / 100
		if diff := counts[i] - want; diff*diff > want*16+100 {
			t.Errorf("index %d is picked %d times, want about %d", i, counts[i], want)
		}
	}
}

func TestAppendInt(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		n, width int
		want     string
	}{{0, 1, "0"}, {7, 2, "07"}, {42, 2, "42"}, {123, 2, "123"}, {5, 8, "00000005"}, {12345678, 8, "12345678"}} {
		if got := string(appendInt(nil, c.n, c.width)); got != c.want {
			t.Errorf("appendInt(%d, %d) = %s, want %s", c.n, c.width, got, c.want)
		}
	}
}

// TestCompanyAgreesWithItsRows holds the company function to the promise that later writers rely on.
func TestCompanyAgreesWithItsRows(t *testing.T) {
	t.Parallel()
	g := newTestGenerator(t, 3000)
	for i := range g.n {
		c, again := g.company(i), g.company(i)
		if c != again {
			t.Fatalf("company %d is derived in two ways: %+v and %+v", i, c, again)
		}
		if e := g.establishment(&c, 0); e.full.Root() != c.root {
			t.Fatalf("company %d: head office %s of root %s", i, e.full, c.root)
		}
		orders := map[cnpj.Order]bool{}
		for k := range c.branches + 1 {
			e := g.establishment(&c, k)
			if orders[e.full.Order()] {
				t.Fatalf("company %d has two establishments of order %s", i, e.full.Order())
			}
			orders[e.full.Order()] = true
		}
	}
}
