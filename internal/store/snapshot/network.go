package snapshot

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"razao/internal/data/cnpj"
	"razao/internal/data/record"
	"razao/internal/store/network"
	"razao/internal/store/registry"
	"razao/internal/store/registry/pack"
)

// Tie joins a company and an actor that it names.
type Tie struct {
	Holder   network.Actor
	Company  cnpj.Root
	Evidence []Evidence // at least one, in stored order
}

// Evidence is a row of the partners of a company.
type Evidence struct {
	Number         int // of the row among the partners of the company, from 1
	Partner        record.Partner
	Representative bool // the holder is the legal representative of this partner, and not the partner
}

// Represents reports whether the holder is nothing but a legal representative.
func (t *Tie) Represents() bool {
	return !slices.ContainsFunc(t.Evidence, func(e Evidence) bool { return !e.Representative })
}

// Member is an actor in a network.
type Member struct {
	network.Actor
	Name     string                // as published
	Head     *pack.Head            // of a company; nil if the load does not have it
	Office   *record.Establishment // its head office, or else its first one; nil if it has none
	Distance int                   // ties between it and the nearest actor that was asked for
}

// Omitted is what a network leaves out at one of its members.
type Omitted struct {
	At        network.Actor
	Partners  int // that the company has, beside those in the network
	Companies int // that name the actor, beside those in the network
}

// Network is a part of the graph. Members come in the order in which they are found, those asked for
// first; ties in that of their later member.
type Network struct {
	Members  []Member
	Ties     []Tie
	Contacts []Contact // if they were asked for
	Omitted  []Omitted // budgets of members and of ties of one member
}

// NetworkQuery asks for the surroundings of actors.
type NetworkQuery struct {
	From  []network.Actor
	Steps int  // ties between an actor asked for and any other
	Up    bool // from companies to their partners
	Down  bool // from actors to the companies that name them
	// Persons says that the way goes on through persons and foreigners who are not asked for. Otherwise
	// they are where it ends.
	Persons         bool
	Companies       bool // only companies are members
	Representatives bool // legal representatives are members, too
	// Contacts says that companies with a contact of a company asked for are members. The way does not go
	// on through them.
	Contacts bool
	Most     int // members
}

// The budgets of a question. Accountants, banks and franchises have thousands of ties.
const (
	mostTies  = 100         // of one member in each direction
	mostNamed = MaxExamined // companies that name somebody, of all members together
)

// ErrNobody says that no company of the load names an actor.
var ErrNobody = errors.New("no company names this actor")

// Network returns the surroundings of actors. It is deterministic. The errors are an *[IndexError] if
// there is no graph, and those of the records.
func (s *Snapshot) Network(ctx context.Context, q NetworkQuery) (*Network, error) {
	x, err := s.explore(q.Representatives)
	if err != nil {
		return nil, err
	}
	x.companiesOnly = q.Companies
	g := gathering{x: x, most: q.Most, at: map[network.Actor]int{}, tied: map[tieKey]bool{}}
	for _, a := range q.From {
		g.add(a, "", 0)
	}
	frontier := q.From
	for step := 1; step <= q.Steps && len(frontier) > 0; step++ {
		found, err := x.ties(ctx, frontier, q.Up, q.Down)
		if err != nil {
			return nil, err
		}
		frontier = nil
		for _, next := range g.join(found, step) {
			if next.Kind == network.Company || q.Persons {
				frontier = append(frontier, next)
			}
		}
	}
	if q.Contacts {
		if err := x.read(ctx, roots(q.From)); err != nil {
			return nil, err
		}
		if g.all.Contacts, err = g.contacts(ctx, q.From); err != nil {
			return nil, err
		}
	}
	return g.network(ctx)
}

// roots returns the roots of the companies among actors.
func roots(of []network.Actor) (found []cnpj.Root) {
	for _, a := range of {
		if a.Kind == network.Company {
			found = append(found, a.Root)
		}
	}
	return found
}

// Contains returns nil if the load has the company, or a company that names the actor. The errors are an
// *[registry.AbsentError], [ErrNobody] and those of Network.
func (s *Snapshot) Contains(ctx context.Context, a network.Actor) error {
	if a.Kind == network.Company {
		_, err := s.Company(ctx, a.Root)
		return err
	}
	n, _, err := s.Naming(ctx, a, registry.Range{Limit: 1})
	if err == nil && len(n.Ties) == 0 {
		err = ErrNobody
	}
	return err
}

// Naming returns a part of the companies that name an actor, each once, and how many there are: first those
// whose partner he is, in the order of their roots, then those that name him only as legal representative.
// The actor is the first member. The errors are those of Network.
func (s *Snapshot) Naming(ctx context.Context, a network.Actor, in registry.Range) (n *Network, total int, err error) {
	x, err := s.explore(true)
	if err != nil {
		return nil, 0, err
	}
	edges, total, err := x.graph.Naming(a.Node(), true, in.From, in.Limit)
	if err != nil {
		return nil, 0, s.troubled("network", err)
	}
	found, err := x.holdings(ctx, a, edges)
	if err != nil {
		return nil, 0, err
	}
	g := gathering{x: x, most: in.Limit + 1, at: map[network.Actor]int{}, tied: map[tieKey]bool{}}
	g.add(a, "", 0)
	g.join(found, 1)
	n, err = g.network(ctx)
	return n, total, err
}

// explorer reads ties. It keeps the companies that it has read.
type explorer struct {
	s               *Snapshot
	graph           *network.Graph
	representatives bool
	companiesOnly   bool
	named           int // companies that may still be read because they name somebody
	heads           map[cnpj.Root]*pack.Head
	left            map[network.Actor]*Omitted
}

// explore returns an explorer. The error is an *[IndexError].
func (s *Snapshot) explore(representatives bool) (*explorer, error) {
	if _, err := s.index(); err != nil {
		return nil, err
	}
	if s.opened.folder.network == nil {
		return nil, &IndexError{s.view.Snapshot.ID, network.ErrNone}
	}
	return &explorer{
		s: s, graph: s.opened.folder.network, representatives: representatives, named: mostNamed,
		heads: map[cnpj.Root]*pack.Head{}, left: map[network.Actor]*Omitted{},
	}, nil
}

// ties returns the ties of actors: up to the partners of companies, down to the companies that name
// them. They come in the order of the actors, up before down, and in stored order.
func (x *explorer) ties(ctx context.Context, of []network.Actor, up, down bool) ([]Tie, error) {
	var naming [][]network.Edge
	var roots []cnpj.Root
	for _, a := range of {
		if up && a.Kind == network.Company {
			roots = append(roots, a.Root)
		}
		var edges []network.Edge
		if down && a.Known() {
			var total int
			var err error
			if edges, total, err = x.graph.Naming(a.Node(), x.representatives, 0, min(mostTies, x.named)); err != nil {
				return nil, x.s.troubled("network", err)
			}
			x.named -= len(edges)
			x.leave(a, 0, total-len(edges))
		}
		for _, e := range edges {
			roots = append(roots, e.Root)
		}
		naming = append(naming, edges)
	}
	if err := x.read(ctx, roots); err != nil {
		return nil, err
	}
	var found []Tie
	for i, a := range of {
		if up && a.Kind == network.Company {
			ties, err := x.partners(ctx, a.Root)
			if err != nil {
				return nil, err
			}
			found = append(found, ties...)
		}
		down, err := x.holdings(ctx, a, naming[i])
		if err != nil {
			return nil, err
		}
		found = append(found, down...)
	}
	return found, nil
}

// holdings returns the ties of an actor to the companies of edges.
func (x *explorer) holdings(ctx context.Context, a network.Actor, edges []network.Edge) (found []Tie, err error) {
	var roots []cnpj.Root
	for _, e := range edges {
		roots = append(roots, e.Root)
	}
	if err := x.read(ctx, roots); err != nil {
		return nil, err
	}
	for _, e := range edges {
		t, err := x.tie(ctx, a, e.Root)
		if err != nil {
			return nil, err
		}
		if len(t.Evidence) > 0 && t.Represents() == e.Representative {
			found = append(found, t)
		}
	}
	return found, nil
}

// leave notes what is left out at an actor.
func (x *explorer) leave(a network.Actor, partners, companies int) {
	if partners <= 0 && companies <= 0 {
		return
	}
	l := x.left[a]
	if l == nil {
		l = &Omitted{At: a}
		x.left[a] = l
	}
	l.Partners, l.Companies = max(l.Partners, partners), max(l.Companies, companies)
}

// read reads companies that are not read yet.
func (x *explorer) read(ctx context.Context, roots []cnpj.Root) error {
	roots = slices.Clone(roots)
	slices.Sort(roots)
	roots = slices.DeleteFunc(slices.Compact(roots), func(root cnpj.Root) bool { _, known := x.heads[root]; return known })
	for part := range slices.Chunk(roots, examinedAtOnce) {
		heads, err := x.s.view.Heads(ctx, part)
		if err != nil {
			return err
		}
		for _, root := range part {
			x.heads[root] = nil // the load does not have it
		}
		for i := range heads {
			if heads[i].Exists() {
				x.heads[heads[i].Root] = &heads[i]
			}
		}
	}
	return nil
}

// partners returns the ties of a company, which has been read, to its partners.
func (x *explorer) partners(ctx context.Context, root cnpj.Root) (ties []Tie, err error) {
	h := x.heads[root]
	if h == nil {
		return nil, nil
	}
	at := map[network.Actor]int{}
	more := map[network.Actor]bool{}
	add := func(a network.Actor, e Evidence) {
		if x.companiesOnly && a.Kind != network.Company {
			return
		}
		i, known := at[a]
		if !known && len(ties) == mostTies {
			more[a] = true
			return
		}
		if !known {
			i = len(ties)
			at[a], ties = i, append(ties, Tie{Holder: a, Company: root})
		}
		ties[i].Evidence = append(ties[i].Evidence, e)
	}
	number := 0
	err = x.s.view.Partners(ctx, h, registry.Range{Limit: h.Partners}, func(p *record.Partner) error {
		number++
		add(network.PartnerOf(root, p), Evidence{Number: number, Partner: *p})
		if a, ok := network.RepresentativeOf(p); ok && x.representatives {
			add(a, Evidence{Number: number, Partner: *p, Representative: true})
		}
		return nil
	})
	x.leave(network.CompanyOf(root), len(more), 0)
	return ties, err
}

// tie returns the tie of an actor to a company that names him. Without evidence the company names another
// actor of the same node, or is not in the load.
func (x *explorer) tie(ctx context.Context, a network.Actor, root cnpj.Root) (Tie, error) {
	t := Tie{Holder: a, Company: root}
	h := x.heads[root]
	if h == nil {
		return t, nil
	}
	number := 0
	err := x.s.view.Partners(ctx, h, registry.Range{Limit: h.Partners}, func(p *record.Partner) error {
		number++
		if network.PartnerOf(root, p) == a {
			t.Evidence = append(t.Evidence, Evidence{Number: number, Partner: *p})
		}
		if of, ok := network.RepresentativeOf(p); ok && of == a && x.representatives {
			t.Evidence = append(t.Evidence, Evidence{Number: number, Partner: *p, Representative: true})
		}
		return nil
	})
	return t, err
}

type tieKey struct {
	holder  network.Actor
	company cnpj.Root
}

// gathering makes a network.
type gathering struct {
	x    *explorer
	most int
	all  Network
	at   map[network.Actor]int
	tied map[tieKey]bool
}

// add makes an actor a member, and reports whether he is new.
func (g *gathering) add(a network.Actor, name string, distance int) bool {
	if _, known := g.at[a]; known {
		return false
	}
	g.at[a] = len(g.all.Members)
	g.all.Members = append(g.all.Members, Member{Actor: a, Name: name, Distance: distance})
	return true
}

// join takes ties at this distance, as far as members are allowed, and returns the new members.
func (g *gathering) join(found []Tie, distance int) (added []network.Actor) {
	for _, t := range found {
		company := network.CompanyOf(t.Company)
		_, hasHolder := g.at[t.Holder]
		_, hasCompany := g.at[company]
		if len(g.all.Members) >= g.most && !(hasHolder && hasCompany) {
			if hasCompany {
				g.x.leave(company, g.x.leftAt(company).Partners+1, 0)
			} else {
				g.x.leave(t.Holder, 0, g.x.leftAt(t.Holder).Companies+1)
			}
			continue
		}
		if g.add(t.Holder, t.name(), distance) {
			added = append(added, t.Holder)
		}
		if g.add(company, "", distance) {
			added = append(added, company)
		}
		if key := (tieKey{t.Holder, t.Company}); !g.tied[key] {
			g.tied[key] = true
			g.all.Ties = append(g.all.Ties, t)
		}
	}
	return added
}

// name returns how the company names the holder.
func (t *Tie) name() string {
	if e := &t.Evidence[0]; !e.Representative {
		return e.Partner.NomeSocio
	}
	return t.Evidence[0].Partner.NomeRepresentante
}

func (x *explorer) leftAt(a network.Actor) Omitted {
	if l := x.left[a]; l != nil {
		return *l
	}
	return Omitted{}
}

// network completes the members, and returns the network.
func (g *gathering) network(ctx context.Context) (*Network, error) {
	var roots []cnpj.Root
	for i := range g.all.Members {
		if m := &g.all.Members[i]; m.Kind == network.Company {
			roots = append(roots, m.Root)
		}
	}
	if err := g.x.read(ctx, roots); err != nil {
		return nil, err
	}
	for i := range g.all.Ties {
		t := &g.all.Ties[i]
		if m := &g.all.Members[g.at[t.Holder]]; m.Name == "" {
			m.Name = t.name()
		}
	}
	for i := range g.all.Members {
		m := &g.all.Members[i]
		if l := g.x.left[m.Actor]; l != nil {
			g.all.Omitted = append(g.all.Omitted, *l)
		}
		if m.Kind != network.Company || g.x.heads[m.Root] == nil {
			continue
		}
		m.Head = g.x.heads[m.Root]
		office, exists, err := g.x.s.HeadOfficeOf(ctx, m.Head)
		if err != nil {
			return nil, err
		}
		if exists {
			e, err := g.x.s.Establishment(ctx, m.Head, office.Order())
			if err != nil {
				return nil, fmt.Errorf("head office of %s: %w", m.Root, err)
			}
			m.Office = &e
			m.Name = m.Head.NameOf(&e)
		}
	}
	return &g.all, nil
}
