package networks_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"razao/index"
	"razao/internal/store/network"
	"razao/internal/store/networks"
	"razao/internal/store/registry"
	"razao/internal/store/snapshot"
	"razao/internal/testing/fixture"
)

// TestDenseHubsEnd: of companies that all have the same partners an answer holds as many rows as its calls pay for, the same ones every
// time, and says that it was cut; what is paid for further work is counted before.
func TestDenseHubsEnd(t *testing.T) {
	t.Parallel()
	l := fixture.Empty(t)
	hubs := fixture.NewHubs(t, 100)
	l.Publish(t, hubs.Release)
	s := fixture.Acquire(t, l.Live)
	around := func(id string, steps int, b *snapshot.Budget) *networks.Network {
		t.Helper()
		n, err := networks.Around(t.Context(), s, networks.Query{
			From: []network.Actor{actor(t, id)}, Steps: steps, Up: true, Down: true, Persons: true, Most: 500, Budget: b,
		})
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	const most = 4
	rows := 0
	for calls := 1; calls <= most; calls++ {
		paid := 1
		b := snapshot.NewBudget(1, calls-1, func(context.Context) error { paid++; return nil })
		n := around(hubs.Crowds[0][0], 6, b)
		if !n.Cut || n.Whole() || paid != calls || b.Calls() != calls {
			t.Errorf("cut %t after %d calls of %d", n.Cut, b.Calls(), calls)
		}
		if shown := evidence(n); shown <= rows || shown > calls*snapshot.CallWork/10 {
			t.Errorf("%d rows for %d calls, after %d for one less", shown, calls, rows)
		} else {
			rows = shown
		}
		again := around(hubs.Crowds[0][0], 6, snapshot.NewBudget(calls, 0, nil))
		if diff := cmp.Diff(n, again, cmpopts.IgnoreFields(networks.Member{}, "Head")); diff != "" {
			t.Errorf("another time: %s", diff)
		}
	}
	if n := around(hubs.Person, 1, budgetOf(t, 5_000)); !n.Cut || len(n.Members) < 20 {
		t.Errorf("when the search ends at the first tie, what it has found is told: %d members, cut %t", len(n.Members), n.Cut)
	}
	if n := around(hubs.Clients[0], 1, nil); n.Cut || !n.Whole() {
		t.Error("an accountant's client is cut")
	}
	if n := around(hubs.Accountant, 1, nil); n.Cut || n.Whole() || len(n.Omitted) != 1 {
		t.Errorf("an accountant is cut (%t), or is said to be whole: %v", n.Cut, n.Omitted)
	}
	refused := errors.New("no call is left")
	if _, err := networks.Around(t.Context(), s, networks.Query{
		From: []network.Actor{actor(t, hubs.Crowds[0][0])}, Steps: 6, Up: true, Down: true, Persons: true, Most: 500,
		Budget: snapshot.NewBudget(1, most, func(context.Context) error { return refused }),
	}); !errors.Is(err, refused) {
		t.Errorf("work that nobody pays for: %v", err)
	}
}

// budgetOf returns a budget of so many steps.
func budgetOf(t *testing.T, steps int) *snapshot.Budget {
	t.Helper()
	b := snapshot.NewBudget(1, 0, nil)
	if ok, err := b.Take(t.Context(), snapshot.CallWork-steps); !ok || err != nil {
		t.Fatal(err)
	}
	return b
}

// evidence counts the rows of a network.
func evidence(n *networks.Network) (rows int) {
	for i := range n.Ties {
		rows += len(n.Ties[i].Evidence)
	}
	return rows
}

// TestNoWayThroughHubs: the search for a way that is not there ends with its budget, and does not say that there is none; where one end
// leads nowhere it says so at once.
func TestNoWayThroughHubs(t *testing.T) {
	t.Parallel()
	l := fixture.Empty(t)
	hubs := fixture.NewHubs(t, 110) // more than the ties of one member: something is left out
	l.Publish(t, hubs.Release)
	s := fixture.Acquire(t, l.Live)
	for _, c := range []struct {
		to       string
		complete bool
		calls    int
	}{{hubs.Crowds[1][0], false, 4}, {hubs.Accountant, false, 3}, {hubs.Alone, true, 1}} {
		b := snapshot.NewBudget(1, 3, func(context.Context) error { return nil })
		found, err := networks.Paths(t.Context(), s, networks.PathQuery{From: actor(t, hubs.Crowds[0][0]), To: actor(t, c.to), Steps: 6, Most: 10, Budget: b})
		if err != nil || len(found.Paths) > 0 || len(found.Members) > 0 || found.Complete() != c.complete || b.Calls() != c.calls {
			t.Errorf("to %s: %+v, %d calls, %v", c.to, found, b.Calls(), err)
		}
	}
	found, err := networks.Paths(t.Context(), s, networks.PathQuery{From: actor(t, hubs.Crowds[0][0]), To: actor(t, hubs.Crowds[0][109]), Steps: 6, Most: 10})
	if err != nil || len(found.Paths) != 10 || len(found.Ties) != 20 || !found.More {
		t.Errorf("within a crowd: %d paths, %d ties, %v", len(found.Paths), len(found.Ties), err)
	}
}

// TestNamingPagesLoseNothing: a page that ends with its budget is continued by the next, and all together have every company.
func TestNamingPagesLoseNothing(t *testing.T) {
	t.Parallel()
	l := fixture.Empty(t)
	hubs := fixture.NewHubs(t, 100)
	l.Publish(t, hubs.Release)
	s := fixture.Acquire(t, l.Live)
	var got []string
	pages := 0
	for from := 0; ; pages++ {
		p, err := networks.Naming(t.Context(), s, actor(t, hubs.Person), registry.Range{From: from, Limit: 100}, budgetOf(t, 2_000))
		if err != nil {
			t.Fatal(err)
		}
		for i := range p.Ties {
			got = append(got, p.Ties[i].Company.String())
		}
		if from = p.Next; from == p.Total {
			break
		}
	}
	if !slices.Equal(got, hubs.Crowds[0]) || pages < 5 {
		t.Errorf("%d companies on %d pages", len(got), pages)
	}
}

// TestCompaniesOfThousandsOfPartners: of companies that have thousands, as many are examined as a call pays for, and a page of results looks at
// so many rows and no more for whom it has found.
func TestCompaniesOfThousandsOfPartners(t *testing.T) {
	t.Parallel()
	const companies, partners = 26, 2000
	l := fixture.Empty(t)
	var roots []string
	var rows [][]string
	for i := range companies {
		roots = append(roots, fmt.Sprintf("%08d", 40_000_000+i))
		for n := range partners {
			rows = append(rows, fixture.PersonRow(roots[i], fmt.Sprintf("%06d", 100_000+n), fmt.Sprintf("COOPERADA SOUZA %c%c", 'A'+n%26, 'A'+n/26%26)))
		}
	}
	l.Publish(t, fixture.Network(t, roots, rows))
	s := fixture.Acquire(t, l.Live)
	found, complete, err := networks.Partnerships(t.Context(), s, networks.Person{Name: "COOPERADA SOUZA"})
	if most := snapshot.CallWork / partners / 3; err != nil || complete || len(found) > most || len(found) < most/2 {
		t.Errorf("%d companies examined, complete %t, %v", len(found), complete, err)
	}
	for text, want := range map[string]int{"cooperada souza": companies, "cooperada sousa": 2} { // what is heard, not read, may always be found better
		page, err := s.Find(t.Context(), index.Query{Text: text, Scope: index.InPartners, ByCompany: true, Limit: companies})
		if err != nil || len(page.Matches) != companies {
			t.Fatal(len(page.Matches), err)
		}
		named := 0
		for i := range page.Matches {
			if page.Matches[i].Partner != nil {
				named++
			}
		}
		if named < want || named > want+1 {
			t.Errorf("%s: the partner of %d of %d companies is named", text, named, companies)
		}
	}
}
