package networks

import (
	"context"
	"slices"

	"razao/internal/data/cnpj"
	"razao/internal/store/network"
	"razao/internal/store/snapshot"
)

// Group returns the companies above a company, through partners that are companies, and all below
// these: what the published partners make of a group. The company is the first member. The errors are
// those of Network, and an *registry.AbsentError.
func Group(ctx context.Context, s *snapshot.Snapshot, root cnpj.Root, most int, b *snapshot.Budget) (*Network, error) {
	if _, err := s.Company(ctx, root); err != nil {
		return nil, err
	}
	x, err := explore(s, false, b)
	if err != nil {
		return nil, err
	}
	x.companiesOnly = true
	g := x.gather(most, ways{up: true, down: true}, network.CompanyOf(root))
	for _, up := range []bool{true, false} {
		var frontier []network.Actor
		for i := range g.all.Members {
			frontier = append(frontier, g.all.Members[i].Actor)
		}
		for len(frontier) > 0 {
			if frontier, err = g.step(ctx, frontier, up, !up); err != nil {
				return nil, err
			}
		}
	}
	return g.network(ctx)
}

// Cycles returns circles of companies that hold themselves in the end: for each member that is in one, and
// in none before, a shortest. A company that is its own partner is a circle of one.
func (n *Network) Cycles() (all [][]cnpj.Root) {
	out := map[cnpj.Root][]cnpj.Root{}
	for i := range n.Ties {
		if t := &n.Ties[i]; t.Holder.Kind == network.Company {
			out[t.Holder.Root] = append(out[t.Holder.Root], t.Company)
		}
	}
	for i := range n.Members {
		m := &n.Members[i]
		if m.Kind != network.Company || slices.ContainsFunc(all, func(cycle []cnpj.Root) bool { return slices.Contains(cycle, m.Root) }) {
			continue
		}
		if cycle := shortestCycle(out, m.Root); cycle != nil {
			all = append(all, cycle)
		}
	}
	return all
}

// shortestCycle returns a shortest way from a company to itself, without its end; nil if there is none.
func shortestCycle(out map[cnpj.Root][]cnpj.Root, from cnpj.Root) []cnpj.Root {
	before := map[cnpj.Root]cnpj.Root{}
	for queue := []cnpj.Root{from}; len(queue) > 0; queue = queue[1:] {
		at := queue[0]
		for _, next := range out[at] {
			if next == from {
				cycle := []cnpj.Root{at}
				for at != from {
					at = before[at]
					cycle = append(cycle, at)
				}
				slices.Reverse(cycle)
				return cycle
			}
			if _, known := before[next]; !known {
				before[next] = at
				queue = append(queue, next)
			}
		}
	}
	return nil
}
