package country

import (
	"testing"

	"razao/internal/data/cnpj"
)

// TestRootsAreUnique numbers the companies of a series in which letters come in between.
func TestRootsAreUnique(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 2, 64, 20_000} {
		c, err := New(9, n, "2026-04", "2027-03")
		if err != nil {
			t.Fatal(err)
		}
		seen, lettered := map[cnpj.Root]bool{}, 0
		for i := range c.Companies {
			root := c.Root(i)
			if seen[root] {
				t.Fatalf("%d companies: two have the root %s", n, root)
			}
			if seen[root] = true; root.String()[0] > '9' || root.String()[1] > '9' {
				lettered++
			}
		}
		if lettered == 0 {
			t.Errorf("%d companies: none has letters", n)
		}
	}
}

func TestLargestCountryHasNumbers(t *testing.T) {
	t.Parallel()
	m, err := newNumbering(1, maxCompanies, maxCompanies, maxCompanies+1_000_000, maxCompanies*2)
	if err != nil {
		t.Fatal(err)
	}
	if last := m.root(maxCompanies - 1).String(); last[0] != '9' {
		t.Errorf("the last numeric root is %s", last)
	}
	if last := m.root(maxCompanies*2 - 1).String(); last[0] < 'Y' {
		t.Errorf("the last alphanumeric root is %s", last)
	}
	if _, err := newNumbering(1, maxCompanies, maxCompanies, maxCompanies+3_000_000, maxCompanies*2); err == nil {
		t.Error("numeric roots of nine digits are issued")
	}
}

func TestDays(t *testing.T) {
	t.Parallel()
	c, err := newCalendar("2026-09")
	if err != nil {
		t.Fatal(err)
	}
	for d, want := range map[Day]string{
		0: "19660101", confirmed: "20051103", SimplesFrom: "20070701", MEIFrom: "20090701", soleLimitedFrom: "20120108",
		soleLimitedTo: "20210826", firstLetters: "20260731", c.Release: "20260912",
	} {
		if got := c.Compact(d); got != want {
			t.Errorf("day %d is %s, want %s", d, got, want)
		}
	}
}

// TestACompanyIsDerivedInOneWay also checks that the orders of its establishments are distinct.
func TestACompanyIsDerivedInOneWay(t *testing.T) {
	t.Parallel()
	c, err := New(9, 3000, "2026-10", "2026-10")
	if err != nil {
		t.Fatal(err)
	}
	for i := range c.Companies {
		of := c.Company(i)
		if again := c.Company(i); of != again {
			t.Fatalf("company %d is derived in two ways: %+v and %+v", i, of, again)
		}
		orders := map[cnpj.Order]bool{}
		for k := range of.Branches + 1 {
			e := c.Establishment(&of, k)
			if orders[e.Full.Order()] || e.Full.Root() != of.Root {
				t.Fatalf("company %d: %s again, or of another root", i, e.Full)
			}
			orders[e.Full.Order()] = true
		}
	}
}
