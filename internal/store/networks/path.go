package networks

import (
	"cmp"
	"context"
	"slices"

	"razao/internal/store/network"
	"razao/internal/store/snapshot"
)

// Path is a shortest chain of ties between two actors.
type Path struct {
	Actors []network.Actor
	Ties   [][]Tie // between each and the next; two if they are partners of each other
}

// Chains are the shortest chains between two actors, no two of them over the same members.
type Chains struct {
	*Network // all their members
	Paths    []Path
	More     bool // there are others, as short as these
	Searched bool // there are none shorter, and no others but More: neither hubs nor the budget left something out
}

// Complete reports whether these are all.
func (c *Chains) Complete() bool { return c.Searched && !c.More }

// PathQuery asks for the shortest chains between two actors.
type PathQuery struct {
	From, To        network.Actor
	Steps           int  // at most
	Companies       bool // between the ends only companies
	Representatives bool
	Most            int // paths
	Budget          *snapshot.Budget
}

// Paths returns the shortest chains between two actors. The errors are those of Network.
func Paths(ctx context.Context, s *snapshot.Snapshot, q PathQuery) (*Chains, error) {
	x, err := explore(s, q.Representatives, q.Budget)
	if err != nil {
		return nil, err
	}
	x.companiesOnly, x.ends = q.Companies, []network.Actor{q.From, q.To}
	ends := [2]*end{newEnd(q.From), newEnd(q.To)}
	meeting, none := meet(ends), false
	for steps := 0; len(meeting) == 0 && steps < q.Steps; steps++ {
		e := ends[0]
		if len(e.frontier) == 0 || len(ends[1].frontier) > 0 && len(ends[1].frontier) < len(e.frontier) {
			e = ends[1]
		}
		if none = x.exhausted(ends[0]) || x.exhausted(ends[1]); none || len(e.frontier) == 0 {
			break
		}
		var found []Tie
		err := x.ties(ctx, e.frontier, true, true, func(part []Tie) error { found = append(found, part...); return nil })
		if err != nil {
			return nil, err
		}
		e.grow(found)
		meeting = meet(ends)
	}
	c := &Chains{Searched: (none || len(x.left) == 0 && !x.budget.Spent()) && s.Load.Gap(tied...) == ""}
	for _, actor := range meeting {
		for _, back := range ends[0].ways(actor, q.Most+1-len(c.Paths)) {
			for _, on := range ends[1].ways(actor, q.Most+1-len(c.Paths)) {
				c.Paths = append(c.Paths, joined(q.From, back, on))
			}
		}
	}
	if c.More = len(c.Paths) > q.Most; c.More {
		c.Paths = c.Paths[:q.Most]
	}
	g := x.gather(0, ways{up: true, down: true, persons: true})
	for i := range c.Paths {
		for _, a := range c.Paths[i].Actors {
			g.add(a)
		}
		for _, ties := range c.Paths[i].Ties {
			for n := range ties {
				g.tie(&ties[n])
			}
		}
	}
	if x.left = nil; len(c.Paths) > 0 {
		g.asked = []network.Actor{q.From, q.To}
	}
	c.Network, err = g.network(ctx)
	return c, err
}

// exhausted reports whether all that ties lead to from an end has been seen: then no way leads to the other, if that is not among it.
func (x *explorer) exhausted(e *end) bool {
	for a := range x.left {
		if _, seen := e.distance[a]; seen {
			return false
		}
	}
	return len(e.frontier) == 0 && !x.budget.Spent()
}

// end is one side of a search for paths.
type end struct {
	frontier []network.Actor
	distance map[network.Actor]int
	back     map[network.Actor][][]Tie // to actors nearer to the end, those to each together
}

func newEnd(a network.Actor) *end {
	return &end{[]network.Actor{a}, map[network.Actor]int{a: 0}, map[network.Actor][][]Tie{}}
}

// grow takes the ties of the frontier.
func (e *end) grow(found []Tie) {
	level := e.distance[e.frontier[0]]
	var next []network.Actor
	at := map[[2]network.Actor]int{} // of the ties between two
	for _, t := range found {
		for _, way := range [2][2]network.Actor{{t.Holder, network.CompanyOf(t.Company)}, {network.CompanyOf(t.Company), t.Holder}} {
			from, to := way[0], way[1]
			if d, known := e.distance[from]; !known || d != level {
				continue
			}
			if d, known := e.distance[to]; known && d <= level {
				continue
			} else if !known {
				e.distance[to] = level + 1
				next = append(next, to)
			}
			if i, known := at[way]; known {
				e.back[to][i] = append(e.back[to][i], t)
				continue
			}
			at[way] = len(e.back[to])
			e.back[to] = append(e.back[to], []Tie{t})
		}
	}
	e.frontier = next
}

// meet returns the actors that both ends have reached by the fewest ties together.
func meet(ends [2]*end) (at []network.Actor) {
	least := -1
	for a, d := range ends[0].distance {
		other, ok := ends[1].distance[a]
		if !ok {
			continue
		}
		if sum := d + other; least < 0 || sum < least {
			least, at = sum, nil
		}
		if d+other == least {
			at = append(at, a)
		}
	}
	// Of each path only one meeting: where the first end stops.
	far := 0
	for _, a := range at {
		far = max(far, ends[0].distance[a])
	}
	at = slices.DeleteFunc(at, func(a network.Actor) bool { return ends[0].distance[a] != far })
	slices.SortFunc(at, compareActors)
	return at
}

// ways returns up to most chains of ties from an actor to the end, nearest to the actor first.
func (e *end) ways(a network.Actor, most int) [][][]Tie {
	if most == 0 {
		return nil
	}
	if e.distance[a] == 0 {
		return [][][]Tie{nil}
	}
	var all [][][]Tie
	for _, ties := range e.back[a] {
		for _, rest := range e.ways(ties[0].other(a), most-len(all)) {
			all = append(all, append([][]Tie{ties}, rest...))
		}
	}
	return all
}

// other returns the actor at the other end of a tie.
func (t *Tie) other(a network.Actor) network.Actor {
	if t.Holder == a {
		return network.CompanyOf(t.Company)
	}
	return t.Holder
}

// joined makes a path of the way back to its beginning and the way on to its end.
func joined(from network.Actor, back, on [][]Tie) Path {
	p := Path{Actors: []network.Actor{from}, Ties: slices.Clone(back)}
	slices.Reverse(p.Ties)
	p.Ties = append(p.Ties, on...)
	for i := range p.Ties {
		p.Actors = append(p.Actors, p.Ties[i][0].other(p.Actors[i]))
	}
	return p
}

// compareActors orders actors by kind and identity.
func compareActors(a, b network.Actor) int {
	return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Root, b.Root), cmp.Compare(a.Digits, b.Digits),
		cmp.Compare(a.Country, b.Country), cmp.Compare(a.Slug, b.Slug))
}
