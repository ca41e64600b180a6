package networks_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"razao/internal/data/cnpj"
	"razao/internal/store/network"
	"razao/internal/store/networks"
	"razao/internal/store/registry"
	"razao/internal/store/snapshot"
	"razao/internal/testing/fixture"
	"razao/internal/testing/fixture/sourcefiles"
)

// graph is a random network: what is published, and the ties that follow from it.
type graph struct {
	roots    []string
	partners [][]string
	ties     [][2]string // ids of holder and company
	ids      []string
	beside   map[string][]string // by id: whom ties join it with, each once
}

func (g *graph) person(company, digits, name string) {
	g.partners = append(g.partners, fixture.PersonRow(company, digits, name))
	g.tie(digits+"-"+strings.ToLower(strings.ReplaceAll(name, " ", "-")), company)
}

func (g *graph) company(company, holder string) {
	g.partners = append(g.partners, fixture.CompanyRow(company, holder, "777888", "PROCURADOR FICTICIO"))
	g.tie(holder, company)
}

func (g *graph) foreigner(company, country, name string) {
	g.partners = append(g.partners, fixture.ForeignRow(company, country, name))
	g.tie("ex-"+country+"-"+strings.ToLower(strings.ReplaceAll(name, " ", "-")), company)
}

func (g *graph) tie(holder, company string) {
	g.ties = append(g.ties, [2]string{holder, company})
	if g.beside == nil {
		g.beside = map[string][]string{}
	}
	for _, ends := range [][2]string{{holder, company}, {company, holder}} {
		id, other := ends[0], ends[1]
		if g.beside[id] == nil {
			g.ids = append(g.ids, id)
		}
		if !slices.Contains(g.beside[id], other) {
			g.beside[id] = append(g.beside[id], other)
		}
	}
}

// newGraph makes companies with people, namesakes, foreigners, companies in companies, pyramids and
// cycles, among them a company that is its own partner.
func newGraph(rng *rand.Rand, companies int) *graph {
	g := &graph{}
	for i := range companies {
		g.roots = append(g.roots, fmt.Sprintf("%08d", 10_000_000+i*7))
	}
	pick := func() string { return g.roots[rng.IntN(len(g.roots))] }
	for _, root := range g.roots {
		for range rng.IntN(3) {
			n := rng.IntN(companies / 2)
			g.person(root, fmt.Sprintf("%06d", 100+n%40), fmt.Sprintf("PESSOA INVENTADA %c", 'A'+n%23)) // few digits, few names: namesakes
		}
		if rng.IntN(3) == 0 {
			g.company(root, pick())
		}
		if rng.IntN(10) == 0 {
			g.foreigner(root, []string{"105", "249"}[rng.IntN(2)], fmt.Sprintf("FOREIGN %d LLC", rng.IntN(5)))
		}
	}
	for i := range 9 { // a pyramid
		g.company(g.roots[i+1], g.roots[i])
	}
	g.company(g.roots[20], g.roots[21]) // cycles
	g.company(g.roots[21], g.roots[22])
	g.company(g.roots[22], g.roots[20])
	g.company(g.roots[23], g.roots[23])
	g.company(g.roots[24], g.roots[25]) // partners of each other
	g.company(g.roots[25], g.roots[24])
	return g
}

// published loads a graph and writes its ties into the table tie.
func (g *graph) published(t testing.TB) (*fixture.Loaded, *snapshot.Snapshot) {
	t.Helper()
	l := fixture.Empty(t)
	l.Publish(t, fixture.Network(t, g.roots, g.partners))
	if _, err := l.Pool.Exec(t.Context(), `CREATE TABLE tie (holder text, company text)`); err != nil {
		t.Fatal(err)
	}
	rows := make([][]any, len(g.ties))
	for i, tie := range g.ties {
		rows[i] = []any{tie[0], tie[1]}
	}
	if _, err := l.Pool.CopyFrom(t.Context(), pgx.Identifier{"tie"}, []string{"holder", "company"}, pgx.CopyFromRows(rows)); err != nil {
		t.Fatal(err)
	}
	return l, fixture.Acquire(t, l.Live)
}

const steps = 4 // of the longest walk that is compared

// walks returns how far everything is from everything, up to some steps, as a recursive query finds it:
// by the id where it begins. step gives the neighbours b of a, and on says where a walk goes on.
func walks(t *testing.T, l *fixture.Loaded, step, on string, most int) map[string]map[string]int {
	t.Helper()
	query := `WITH RECURSIVE step AS (` + step + `), start AS (SELECT DISTINCT holder AS id FROM tie UNION SELECT company FROM tie),
		walk AS (SELECT id AS start, id, 0 AS d FROM start
			UNION SELECT walk.start, step.b, walk.d + 1 FROM walk JOIN step ON step.a = walk.id WHERE walk.d < $1 AND (walk.d = 0 OR ` + on + `))
		SELECT start, id, min(d) FROM walk GROUP BY start, id`
	rows, err := l.Pool.Query(t.Context(), query, most)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]map[string]int{}
	var start, id string
	var d int
	if _, err := pgx.ForEachRow(rows, []any{&start, &id, &d}, func() error {
		if found[start] == nil {
			found[start] = map[string]int{}
		}
		found[start][id] = d
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return found
}

const (
	stepsUp     = `SELECT company AS a, holder AS b FROM tie`
	stepsDown   = `SELECT holder AS a, company AS b FROM tie`
	companiesOn = `walk.id ~ '^\d{8}$'`
)

// TestNetworksAreThoseOfARecursiveQuery: every actor, every number of steps, in all directions.
func TestNetworksAreThoseOfARecursiveQuery(t *testing.T) {
	t.Parallel()
	g := newGraph(rand.New(rand.NewPCG(1, 2)), 400)
	l, s := g.published(t)
	queries := 0
	for _, of := range []struct {
		name, step, on string
		q              networks.Query
	}{
		{"up", stepsUp, companiesOn, networks.Query{Up: true}},
		{"down", stepsDown, companiesOn, networks.Query{Down: true}},
		{"both", stepsUp + " UNION " + stepsDown, companiesOn, networks.Query{Up: true, Down: true}},
		{"through persons", stepsUp + " UNION " + stepsDown, "true", networks.Query{Up: true, Down: true, Persons: true}},
		{"companies", `SELECT company AS a, holder AS b FROM tie WHERE holder ~ '^\d{8}$' UNION ` + stepsDown, "true", networks.Query{Up: true, Down: true, Companies: true}},
	} {
		want := walks(t, l, of.step, of.on, steps)
		for _, id := range g.ids {
			for most := 1; most <= steps; most++ {
				q := of.q
				q.From, q.Steps, q.Most = []network.Actor{actor(t, id)}, most, 1<<20
				n, err := networks.Around(t.Context(), s, q)
				if err != nil {
					t.Fatal(err)
				}
				expected := map[string]int{}
				for other, d := range want[id] {
					if d <= most {
						expected[other] = d
					}
				}
				if diff := cmp.Diff(expected, distances(n)); diff != "" || len(n.Omitted) > 0 {
					t.Fatalf("%s of %s in %d steps, with %v left out: %s", of.name, id, most, n.Omitted, diff)
				}
				queries++
			}
		}
	}
	if queries < 10_000 {
		t.Errorf("only %d queries", queries)
	}
}

func actor(t testing.TB, id string) network.Actor {
	t.Helper()
	a, ok := network.ParseID(id)
	if !ok {
		t.Fatalf("%q is no id", id)
	}
	return a
}

// distances returns how far the members of a network are, by id.
func distances(n *networks.Network) map[string]int {
	found := map[string]int{}
	for i := range n.Members {
		found[n.Members[i].ID()] = n.Members[i].Distance
	}
	return found
}

// BenchmarkNetwork asks for the surroundings of random actors, through persons, and beside it the recursive
// query that finds them, over ties with an index for each direction.
func BenchmarkNetwork(b *testing.B) {
	g := newGraph(rand.New(rand.NewPCG(7, 8)), 20_000)
	l, s := g.published(b)
	if _, err := l.Pool.Exec(b.Context(), `CREATE INDEX ON tie (holder, company); CREATE INDEX ON tie (company, holder); ANALYZE tie`); err != nil {
		b.Fatal(err)
	}
	const query = `WITH RECURSIVE walk AS (SELECT $1::text AS id, 0 AS d
		UNION SELECT step.id, walk.d + 1 FROM walk
			CROSS JOIN LATERAL (SELECT holder AS id FROM tie WHERE company = walk.id UNION ALL SELECT company FROM tie WHERE holder = walk.id) AS step
			WHERE walk.d < $2)
		SELECT id, min(d) FROM walk GROUP BY id`
	for _, depth := range []int{1, 2, 4} {
		b.Run(fmt.Sprintf("networks/%d", depth), func(b *testing.B) {
			for i := range b.N {
				n, err := networks.Around(b.Context(), s, networks.Query{
					From: []network.Actor{actor(b, g.ids[i*7919%len(g.ids)])}, Steps: depth, Up: true, Down: true, Persons: true, Most: 1000,
				})
				if err != nil || len(n.Members) < 2 {
					b.Fatal(len(n.Members), err)
				}
			}
		})
		b.Run(fmt.Sprintf("recursive/%d", depth), func(b *testing.B) {
			for i := range b.N {
				rows, err := l.Pool.Query(b.Context(), query, g.ids[i*7919%len(g.ids)], depth)
				if err != nil {
					b.Fatal(err)
				}
				found, err := pgx.CollectRows(rows, pgx.RowToStructByPos[struct {
					ID       string
					Distance int
				}])
				if err != nil || len(found) < 2 {
					b.Fatal(len(found), err)
				}
			}
		})
	}
}

// TestPathsAreThoseOfARecursiveQuery: as short, whole, all of them and each once, and none where there is none.
func TestPathsAreThoseOfARecursiveQuery(t *testing.T) {
	t.Parallel()
	const longest, most = 6, 2
	g := newGraph(rand.New(rand.NewPCG(3, 4)), 60)
	l, s := g.published(t)
	published := map[[2]string]bool{}
	for _, tie := range g.ties {
		published[tie] = true
	}
	for name, companies := range map[string]bool{"through all": false, "through companies": true} {
		on := map[bool]string{false: "true", true: companiesOn}[companies]
		want := walks(t, l, stepsUp+" UNION "+stepsDown, on, longest)
		found, none, more := 0, 0, 0
		for _, from := range g.ids {
			for _, to := range g.ids {
				c, err := networks.Paths(t.Context(), s, networks.PathQuery{From: actor(t, from), To: actor(t, to), Steps: longest, Most: most, Companies: companies})
				if err != nil || !c.Searched {
					t.Fatal(c, err)
				}
				all := g.chains(from, to, longest, companies)
				if d, reachable := want[from][to]; reachable != (len(all) > 0) || reachable && len(all[0]) != d+1 {
					t.Fatalf("%s, %s to %s: the query finds %d ties, the chains are %v", name, from, to, d, all)
				}
				if len(c.Paths) != min(len(all), most) || c.Complete() != (len(all) <= most) {
					t.Errorf("%s, %s to %s: %d of %d paths, complete %t", name, from, to, len(c.Paths), len(all), c.Complete())
				}
				seen := map[string]bool{}
				for _, p := range c.Paths {
					found++
					ids := idsOf(p)
					if seen[fmt.Sprint(ids)] || !slices.ContainsFunc(all, func(chain []string) bool { return slices.Equal(chain, ids) }) {
						t.Errorf("%s, %s to %s: %q is there twice, or none of %q", name, from, to, ids, all)
					}
					seen[fmt.Sprint(ids)] = true
					if !whole(p, published) || !has(c.Network, p) {
						t.Errorf("%s, %s to %s: %v", name, from, to, p)
					}
				}
				switch {
				case len(all) == 0:
					none++
				case len(all) > most:
					more++
				}
			}
		}
		if found < 1000 || none < 500 || more == 0 {
			t.Errorf("%s: %d paths, none in %d cases, more than are shown in %d: too few", name, found, none, more)
		}
	}
}

// chains returns all shortest chains between two ids, as plain search finds them: how far everything is from the end, then every way
// that comes nearer with each step.
func (g *graph) chains(from, to string, longest int, companies bool) (all [][]string) {
	far := map[string]int{to: 0}
	passes := func(id string) bool { return !companies || len(id) == 8 || id == from || id == to }
	for queue := []string{to}; len(queue) > 0; queue = queue[1:] {
		for _, next := range g.beside[queue[0]] {
			if _, known := far[next]; !known && passes(next) {
				far[next] = far[queue[0]] + 1
				queue = append(queue, next)
			}
		}
	}
	if d, ok := far[from]; !ok || d > longest {
		return nil
	}
	var walk func(way []string)
	walk = func(way []string) {
		at := way[len(way)-1]
		if at == to {
			all = append(all, slices.Clone(way))
			return
		}
		for _, next := range g.beside[at] {
			if d, ok := far[next]; ok && d == far[at]-1 {
				walk(append(slices.Clone(way), next))
			}
		}
	}
	walk([]string{from})
	return all
}

func idsOf(p networks.Path) (ids []string) {
	for _, a := range p.Actors {
		ids = append(ids, a.ID())
	}
	return ids
}

// whole reports whether a path leads over all published ties between each of its actors and the next.
func whole(p networks.Path, published map[[2]string]bool) bool {
	if len(p.Actors) != len(p.Ties)+1 {
		return false
	}
	for i, ties := range p.Ties {
		a, b := p.Actors[i].ID(), p.Actors[i+1].ID()
		want := map[[2]string]bool{}
		for _, ends := range [][2]string{{a, b}, {b, a}} {
			if published[ends] {
				want[ends] = true
			}
		}
		for _, tie := range ties {
			ends := [2]string{tie.Holder.ID(), tie.Company.String()}
			if !want[ends] {
				return false
			}
			delete(want, ends)
		}
		if len(want) > 0 {
			return false
		}
	}
	return true
}

// has reports whether a network has the members and ties of a path.
func has(n *networks.Network, p networks.Path) bool {
	members := distances(n)
	for _, a := range p.Actors {
		if _, ok := members[a.ID()]; !ok {
			return false
		}
	}
	return !slices.ContainsFunc(slices.Concat(p.Ties...), func(tie networks.Tie) bool {
		return !slices.ContainsFunc(n.Ties, func(other networks.Tie) bool { return other.Holder == tie.Holder && other.Company == tie.Company })
	})
}

// TestGroupsAreThoseOfARecursiveQuery: all companies above, and all below these.
func TestGroupsAreThoseOfARecursiveQuery(t *testing.T) {
	t.Parallel()
	g := newGraph(rand.New(rand.NewPCG(5, 6)), 400)
	l, s := g.published(t)
	const owned = ` FROM tie WHERE holder ~ '^\d{8}$'`
	const closure = 50
	above := walks(t, l, `SELECT company AS a, holder AS b`+owned, "true", closure)
	below := walks(t, l, `SELECT holder AS a, company AS b`+owned, "true", closure)
	groups := 0
	for _, root := range g.roots {
		want := map[string]bool{root: true}
		for top := range above[root] {
			for member := range below[top] {
				want[member] = true
			}
		}
		n, err := networks.Group(t.Context(), s, actor(t, root).Root, 1<<20, nil)
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]bool{}
		for id := range distances(n) {
			got[id] = true
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("group of %s: %s", root, diff)
		}
		if diff := cmp.Diff(g.within(root, want), distances(n)); diff != "" {
			t.Fatalf("distances in the group of %s: %s", root, diff)
		}
		if len(got) > 2 {
			groups++
		}
	}
	if groups < 100 {
		t.Errorf("only %d groups", groups)
	}
	if _, err := networks.Group(t.Context(), s, actor(t, "99999999").Root, 10, nil); err == nil {
		t.Error("a company that does not exist has a group")
	}
}

// within returns how many ties are between an id and each other, as plain search finds them, over members only.
func (g *graph) within(from string, members map[string]bool) map[string]int {
	far := map[string]int{from: 0}
	for queue := []string{from}; len(queue) > 0; queue = queue[1:] {
		for _, next := range g.beside[queue[0]] {
			if _, known := far[next]; !known && members[next] {
				far[next] = far[queue[0]] + 1
				queue = append(queue, next)
			}
		}
	}
	return far
}

// TestDistancesAroundHubs: who is found behind others, because of a hub only some ties are followed, is as near as the tie says that is in the
// network too. Both ends of a chain are asked for.
func TestDistancesAroundHubs(t *testing.T) {
	t.Parallel()
	g := &graph{roots: []string{"50000000"}}
	for i := 1; i < 150; i++ {
		g.roots = append(g.roots, fmt.Sprintf("%08d", 50_000_000+i))
		g.company(g.roots[i], g.roots[0])
	}
	first, last := g.roots[1], g.roots[149]
	g.company(last, first)
	_, s := g.published(t)
	n, err := networks.Around(t.Context(), s, networks.Query{From: []network.Actor{actor(t, g.roots[0])}, Steps: 3, Up: true, Down: true, Most: 1000})
	if err != nil || len(n.Omitted) == 0 {
		t.Fatal(n.Omitted, err)
	}
	if d, ok := distances(n)[last]; !ok || d != 1 {
		t.Errorf("%d ties to the last, found %t", d, ok)
	}
	c, err := networks.Paths(t.Context(), s, networks.PathQuery{From: actor(t, g.roots[2]), To: actor(t, last), Steps: 6, Most: 1})
	if err != nil || len(c.Paths) != 1 {
		t.Fatal(c, err)
	}
	if diff := cmp.Diff(map[string]int{g.roots[2]: 0, g.roots[0]: 1, last: 0}, distances(c.Network)); diff != "" {
		t.Error(diff)
	}
}

// TestWhoIsNotInTheLoad has no name of his own, only that which another gives him, and is a member even so.
func TestWhoIsNotInTheLoad(t *testing.T) {
	t.Parallel()
	g := &graph{roots: []string{"30000001", "30000002"}}
	g.company("30000001", "39999999")
	g.company("30000002", "39999999")
	g.company("30000002", "30000001")
	_, s := g.published(t)
	from := actor(t, "30000001")
	around, err := networks.Around(t.Context(), s, networks.Query{From: []network.Actor{from}, Steps: 1, Up: true, Down: true, Most: 10})
	if err != nil {
		t.Fatal(err)
	}
	group, err := networks.Group(t.Context(), s, from.Root, 10, nil)
	if err != nil {
		t.Fatal(err)
	}
	chains, err := networks.Paths(t.Context(), s, networks.PathQuery{From: from, To: actor(t, "39999999"), Steps: 6, Most: 10})
	if err != nil {
		t.Fatal(err)
	}
	for name, n := range map[string]*networks.Network{"around": around, "group": group, "chains": chains.Network} {
		absent := 0
		for i := range n.Members {
			m := &n.Members[i]
			switch in := m.ID() != "39999999"; {
			case in != (m.Head != nil), in != (m.Name != ""), in != (m.Called == ""):
				t.Errorf("%s: %+v", name, m)
			case !in:
				absent++
			}
		}
		if absent != 1 {
			t.Errorf("%s has the company %d times", name, absent)
		}
	}
}

// TestHomonyms: rows of one month with other age brackets are of other persons, though name and digits are the same; representatives and rows
// without a bracket say nothing.
func TestHomonyms(t *testing.T) {
	t.Parallel()
	g := &graph{roots: []string{"30000001", "30000002", "30000003"}}
	for i, ages := range [][]string{{"8"}, {"3", "8"}, {"0"}} {
		for _, age := range ages {
			g.person(g.roots[i], "456789", "MARIA FICTICIA")
			g.partners[len(g.partners)-1][10] = age
		}
	}
	_, s := g.published(t)
	for from, want := range map[string][]string{"30000001": {"8"}, "30000002": {"3", "8"}, "30000003": nil, "456789-maria-ficticia": {"3", "8"}} {
		n, err := networks.Around(t.Context(), s, networks.Query{From: []network.Actor{actor(t, from)}, Steps: 1, Up: true, Down: true, Representatives: true, Most: 10})
		if err != nil {
			t.Fatal(err)
		}
		for i := range n.Members {
			if m := &n.Members[i]; m.Kind == network.Person && !slices.Equal(m.Ages, want) {
				t.Errorf("from %s: %q, want %q", from, m.Ages, want)
			}
		}
	}
}

// TestHubsAreCut, and what is left out is said.
func TestHubsAreCut(t *testing.T) {
	t.Parallel()
	g := &graph{}
	for i := range 130 {
		root := fmt.Sprintf("%08d", 20_000_000+i)
		g.roots = append(g.roots, root)
		g.person(root, "123456", "CONTADOR INVENTADO")
	}
	for i := range 120 {
		g.person(g.roots[0], fmt.Sprintf("%06d", 200_000+i), fmt.Sprintf("COOPERADO %03d", i))
	}
	_, s := g.published(t)
	of := func(id string, most int) (members int, omitted []networks.Omission) {
		t.Helper()
		n, err := networks.Around(t.Context(), s, networks.Query{From: []network.Actor{actor(t, id)}, Steps: 1, Up: true, Down: true, Most: most})
		if err != nil {
			t.Fatal(err)
		}
		return len(n.Members), n.Omitted
	}
	accountant, company := actor(t, "123456-contador-inventado"), actor(t, g.roots[0])
	if n, omitted := of(accountant.ID(), 1000); n != 101 || !slices.Equal(omitted, []networks.Omission{{At: accountant, Companies: 30}}) {
		t.Errorf("the accountant has %d companies, without %v", n-1, omitted)
	}
	if n, omitted := of(company.ID(), 1000); n != 101 || !slices.Equal(omitted, []networks.Omission{{At: company, Partners: 21}}) {
		t.Errorf("the company has %d partners, without %v", n-1, omitted)
	}
	if n, omitted := of(company.ID(), 10); n != 10 || !slices.Equal(omitted, []networks.Omission{{At: company, Partners: 112}}) {
		t.Errorf("ten members at most: %d, without %v", n, omitted)
	}
}

// TestRepresentativesAreTiesApart: they are members only if asked for.
func TestRepresentativesAreTiesApart(t *testing.T) {
	t.Parallel()
	g := &graph{roots: []string{"30000001", "30000002"}}
	g.company("30000002", "30000001")
	_, s := g.published(t)
	for _, asked := range []bool{false, true} {
		for _, from := range []string{"30000002", "777888-procurador-ficticio"} {
			n, err := networks.Around(t.Context(), s, networks.Query{From: []network.Actor{actor(t, from)}, Steps: 1, Up: true, Down: true, Representatives: asked, Most: 10})
			if err != nil {
				t.Fatal(err)
			}
			i := slices.IndexFunc(n.Ties, func(tie networks.Tie) bool { return tie.Holder.ID() == "777888-procurador-ficticio" })
			if asked != (i >= 0) || asked && (!n.Ties[i].Represents() || n.Ties[i].Evidence[0].Number != 1) {
				t.Errorf("from %s, asked %t: %v", from, asked, n.Ties)
			}
		}
	}
}

// TestRepresentativesTakeNoRoomOfPartners: who represents many companies is still a partner of the one, and
// what is said to be left out is what was asked for.
func TestRepresentativesTakeNoRoomOfPartners(t *testing.T) {
	t.Parallel()
	g := &graph{}
	for i := range 150 {
		root := fmt.Sprintf("%08d", 50_000_000+i)
		g.roots = append(g.roots, root)
		g.company(root, "50000000")
	}
	last := g.roots[149]
	g.person(last, "777888", "PROCURADOR FICTICIO")
	_, s := g.published(t)
	from := []network.Actor{actor(t, "777888-procurador-ficticio")}
	n, err := networks.Around(t.Context(), s, networks.Query{From: from, Steps: 1, Down: true, Most: 1000})
	if err != nil {
		t.Fatal(err)
	}
	if len(n.Ties) != 1 || n.Ties[0].Company.String() != last || len(n.Omitted) > 0 {
		t.Errorf("%d ties, left out: %v", len(n.Ties), n.Omitted)
	}
	n, err = networks.Around(t.Context(), s, networks.Query{From: from, Steps: 1, Down: true, Representatives: true, Most: 1000})
	if err != nil || len(n.Ties) != 100 || n.Ties[0].Company.String() != last || len(n.Omitted) != 1 || n.Omitted[0].Companies != 50 {
		t.Errorf("with representatives: %d ties, left out: %v; %v", len(n.Ties), n.Omitted, err)
	}
}

// TestContactsOfOthers: who else publishes the telephone, the address, the e-mail address or its domain is a
// member, however they write it, and leads no further; a contact of many hints at nothing; what is hidden
// is not there.
func TestContactsOfOthers(t *testing.T) {
	t.Parallel()
	l := fixture.Empty(t)
	roots := []string{"20000001", "20000002", "20000003", "20000004", "20000005"}
	offices := [][]string{
		fixture.OfficeRow("20000001", "987654321", "a@grupo.exemplo", "CORONEL TESTE", "12"),
		fixture.OfficeRow("20000002", "87654321", "", "OUTRA", "1"), // the telephone, as it was written once
		fixture.OfficeRow("20000003", "", "B@GRUPO.EXEMPLO", "OUTRA", "2"),
		fixture.OfficeRow("20000004", "", "", "CEL. TESTE", "012"),
		fixture.OfficeRow("20000005", "", "a@provedor.exemplo", "OUTRA", "3"),
	}
	for i := range 30 {
		root := fmt.Sprintf("%08d", 30_000_000+i)
		roots, offices = append(roots, root), append(offices, fixture.OfficeRow(root, "", fmt.Sprintf("c%d@provedor.exemplo", i), "OUTRA", "4"))
	}
	l.Publish(t, fixture.Network(t, roots, [][]string{fixture.PersonRow("20000002", "456789", "MARTA FIGUEIRA INVENTADA")}, offices...))
	s := fixture.Acquire(t, l.Live)
	around := func(root string, asked bool) *networks.Network {
		t.Helper()
		n, err := networks.Around(t.Context(), s, networks.Query{
			From: []network.Actor{actor(t, root)}, Steps: 4, Up: true, Down: true, Persons: true, Contacts: asked, Most: 1,
		})
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	check := func(root, want string) {
		t.Helper()
		n := around(root, true)
		var got []string
		members := []string{root}
		for _, c := range n.Contacts {
			line := fmt.Sprintf("%d %s", c.Kind, c.Text)
			if c.Common {
				line += " common"
			}
			for _, other := range c.Others {
				line += " " + other.Root().String()
				members = append(members, other.Root().String())
			}
			got = append(got, line)
		}
		if diff := cmp.Diff(want, strings.Join(got, "\n")); diff != "" {
			t.Errorf("contacts of %s: %s", root, diff)
		}
		for i := range n.Members {
			if m := &n.Members[i]; m.Office == nil || m.Name == "" || !slices.Contains(members, m.Root.String()) {
				t.Errorf("contacts of %s: member %+v", root, m)
			}
		}
		if len(n.Members) != len(members) {
			t.Errorf("%s: %d members, want %q", root, len(n.Members), members)
		}
	}
	check("20000001", "0 (19) 98765-4321 20000002\n2 grupo.exemplo 20000003\n3 Rua Coronel Teste, 12 20000004")
	check("20000002", "0 (19) 8765-4321 20000001")
	check("20000005", "2 provedor.exemplo common")
	if n := around("20000001", false); len(n.Contacts) > 0 || len(n.Members) > 1 {
		t.Errorf("not asked for: %+v", n)
	}
	l.Hide(t, cnpj.Join(actor(t, "20000002").Root, 1))
	s = fixture.Acquire(t, l.Live)
	check("20000001", "2 grupo.exemplo 20000003\n3 Rua Coronel Teste, 12 20000004")
	check("20000002", "")
}

// TestContactsOfPersonsAreNotCompared: neither does an individual entrepreneur lead to others by his
// contact, nor others to him.
func TestContactsOfPersonsAreNotCompared(t *testing.T) {
	t.Parallel()
	s := fixture.Acquire(t, fixture.Shared(t).Live)
	for root, others := range map[string]bool{fixture.OldMEI: false, fixture.Holding: true} {
		n, err := networks.Around(t.Context(), s, networks.Query{From: []network.Actor{actor(t, root)}, Contacts: true, Most: 100})
		if err != nil {
			t.Fatal(err)
		}
		if (len(n.Contacts) > 0 && len(n.Members) > 1) != others {
			t.Errorf("%s: %+v", root, n.Contacts)
		}
		for i := range n.Members {
			if m := &n.Members[i]; i > 0 && m.Head.Individual() {
				t.Errorf("%s leads to %s", root, m.Root)
			}
		}
	}
}

// TestWithoutANetwork: an index that is older than networks answers everything else.
func TestWithoutANetwork(t *testing.T) {
	t.Parallel()
	g := newGraph(rand.New(rand.NewPCG(7, 8)), 30)
	l, _ := g.published(t)
	for _, dir := range indexes(t, l) {
		if err := os.Remove(filepath.Join(dir, network.FileName)); err != nil {
			t.Fatal(err)
		}
	}
	live := snapshot.Open(t.Context(), l.Store, l.IndexDir, fixture.Atlas(t), slog.New(slog.DiscardHandler))
	t.Cleanup(live.Close)
	s := fixture.Acquire(t, live)
	if s.Searchable() {
		t.Fatal("an index that lacks a file of its manifest is in service")
	}
	_, err := networks.Around(context.Background(), s, networks.Query{From: []network.Actor{actor(t, g.roots[0])}, Steps: 1, Up: true, Most: 10})
	if _, ok := errors.AsType[*snapshot.IndexError](err); !ok {
		t.Errorf("without a network: %v", err)
	}
}

func indexes(t *testing.T, l *fixture.Loaded) []string {
	t.Helper()
	dirs, err := filepath.Glob(filepath.Join(l.IndexDir, "0*"))
	if err != nil || len(dirs) == 0 {
		t.Fatal(dirs, err)
	}
	return dirs
}

// TestGroupFigures: a group owes what its members owe, each is named, and a source that has no load says so.
func TestGroupFigures(t *testing.T) {
	t.Parallel()
	g := &graph{roots: []string{"30000001", "30000002", "30000003", "30000009"}}
	g.company("30000002", "30000001")
	g.company("30000003", "30000002")
	l, _ := g.published(t)
	office := func(root string) string { return fixture.Full(t, root).String() }
	l.Source(t, "pgfn", sourcefiles.Debts(t, []sourcefiles.Debt{
		{CNPJ: office("30000001"), Cents: 100_05},
		{CNPJ: office("30000003"), Cents: 20_00},
		{CNPJ: office("30000003"), Cents: 7},
		{CNPJ: office("30000009"), Cents: 999_999},
	}), "")
	if err := l.Live.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	s := fixture.Acquire(t, l.Live)
	n, err := networks.Group(t.Context(), s, actor(t, "30000002").Root, 100, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range networks.Figures(t.Context(), s, n) {
		if f.Source.ID != "pgfn" {
			if f.Sum.Status != registry.Unavailable || f.Sum.Whole {
				t.Errorf("%s: %+v", f.Source.ID, f.Sum)
			}
			continue
		}
		var of []string
		for _, c := range f.Of {
			of = append(of, fmt.Sprint(c.Root, " ", c.Records, " ", c.Cents))
		}
		if want := []string{"30000001 1 10005", "30000003 2 2007"}; f.Sum.Cents != 120_12 || f.Sum.Records != 3 || !f.Sum.Whole || len(f.Unknown) > 0 || !slices.Equal(of, want) {
			t.Errorf("%+v, of %q, want %q", f.Sum, of, want)
		}
	}
}
