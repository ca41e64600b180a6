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
	Ties   []Tie // between each and the next
}

// PathQuery asks for the shortest chains between two actors.
type PathQuery struct {
	From, To        network.Actor
	Steps           int  // at most
	Companies       bool // between the ends only companies
	Representatives bool
	Most            int // paths
	Budget          *snapshot.Budget
}

// Paths returns the shortest chains between two actors, and the network of all their members. complete is
// false if hubs or the budget left something out, so that there may be others, or shorter ones. The errors
// are those of Network.
func Paths(ctx context.Context, s *snapshot.Snapshot, q PathQuery) (paths []Path, all *Network, complete bool, err error) {
	x, err := explore(s, q.Representatives, q.Budget)
	if err != nil {
		return nil, nil, false, err
	}
	x.companiesOnly = q.Companies
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
			return nil, nil, false, err
		}
		e.grow(found)
		meeting = meet(ends)
	}
	for _, actor := range meeting {
		for _, back := range ends[0].ways(actor, q.Most-len(paths)) {
			for _, on := range ends[1].ways(actor, q.Most-len(paths)) {
				paths = append(paths, joined(q.From, back, on))
			}
		}
	}
	complete = (none || len(x.left) == 0 && !x.budget.Spent()) && s.Load.Gap(tied...) == ""
	g := x.gather(0) // of whatever the paths are made
	for i := range paths {
		for n, a := range paths[i].Actors {
			g.add(a, "", n)
		}
		for n := range paths[i].Ties {
			g.tie(&paths[i].Ties[n])
		}
	}
	x.left = nil
	all, err = g.network(ctx)
	return paths, all, complete, err
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
	back     map[network.Actor][]Tie // to actors nearer to the end
}

func newEnd(a network.Actor) *end {
	return &end{[]network.Actor{a}, map[network.Actor]int{a: 0}, map[network.Actor][]Tie{}}
}

// grow takes the ties of the frontier.
func (e *end) grow(found []Tie) {
	level := e.distance[e.frontier[0]]
	var next []network.Actor
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
			e.back[to] = append(e.back[to], t)
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
func (e *end) ways(a network.Actor, most int) [][]Tie {
	if most == 0 {
		return nil
	}
	if e.distance[a] == 0 {
		return [][]Tie{nil}
	}
	var all [][]Tie
	for _, t := range e.back[a] {
		for _, rest := range e.ways(t.other(a), most-len(all)) {
			all = append(all, append([]Tie{t}, rest...))
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
func joined(from network.Actor, back, on []Tie) Path {
	p := Path{Actors: []network.Actor{from}, Ties: slices.Clone(back)}
	slices.Reverse(p.Ties)
	p.Ties = append(p.Ties, on...)
	for i := range p.Ties {
		p.Actors = append(p.Actors, p.Ties[i].other(p.Actors[i]))
	}
	return p
}

// compareActors orders actors by kind and identity.
func compareActors(a, b network.Actor) int {
	return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Root, b.Root), cmp.Compare(a.Digits, b.Digits),
		cmp.Compare(a.Country, b.Country), cmp.Compare(a.Slug, b.Slug))
}
