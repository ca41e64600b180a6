// Package networks answers who is tied to whom by the partners and contacts that companies publish: the surroundings of companies and people,
// the group of a company, the shortest chains between two, and the companies that name somebody.
//
// Upwards a tie is read from the records: a company's rows name its partners. Downwards the graph of internal/store/network proposes companies,
// whose rows are then compared: every tie has rows as its evidence, and a collision of hashes costs a look-up and no wrong answer. A
// walk goes level by level and unpacks a company once for some members. Accountants, banks and franchises have thousands of ties, so some of each
// member are followed, and an answer says what it leaves out. What is read and written is counted ([snapshot.Budget]), so that a walk through dense
// hubs ends when it has used what its caller pays for. Who may go on through natural persons is for the callers to say.
package networks

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"razao/internal/data/change"
	"razao/internal/data/cnpj"
	"razao/internal/data/record"
	"razao/internal/store/network"
	"razao/internal/store/registry"
	"razao/internal/store/registry/pack"
	"razao/internal/store/snapshot"
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
	Name     string                // as published; "" of a company that the load does not have, and of who has no name
	Called   string                // of a company that the load does not have: how one that names it calls it
	Head     *pack.Head            // of a company; nil if the load does not have it
	Office   *record.Establishment // its head office, or else its first one; nil if it has none
	Nature   record.Nature         // of somebody who is not a company, as far as his rows in the network say
	Ages     []string              // age brackets that his rows in the network have, in order: of several persons, if there are two
	Distance int                   // ties of the network between it and the nearest member asked for; 1 if it only has a contact in common
}

// Omission is what a network leaves out at one of its members.
type Omission struct {
	At        network.Actor
	Partners  int // that the company has, beside those in the network
	Companies int // that name the actor, beside those in the network
}

// Network is a part of the graph. Members come in the order in which they are found, those asked for
// first; ties in that of their later member.
type Network struct {
	Members  []Member
	Ties     []Tie
	Contacts []Contact  // if they were asked for
	Omitted  []Omission // at members, of what they are known to have
	Cut      bool       // the budget was spent, or a tie has too many rows: more is left out than Omitted says
	Gap      string     // files that the load lacks (registry.Load.Gap), which may have more; "" for none
}

// Whole reports whether nothing was left out.
func (n *Network) Whole() bool { return !n.Cut && len(n.Omitted) == 0 && n.Gap == "" }

// Query asks for the surroundings of actors.
type Query struct {
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
	Budget   *snapshot.Budget
}

// What the search takes, in steps of [snapshot.CallWork]. Members are in the price of a call: they are bounded.
const (
	namingSteps   = 10 // finding the companies that name an actor
	rowSteps      = 1  // unpacking a row of the partners of a company and comparing it
	evidenceSteps = 3  // keeping one that names somebody who is looked for
	answerSteps   = 40 // writing it into an answer
	nameSteps     = 3  // unpacking a row and comparing the words of its name
)

const (
	mostTies       = 100 // of one member in each direction: accountants, banks and franchises have thousands
	mostEvidence   = 100 // rows of one tie: who represents all partners of a company has as many
	exploredAtOnce = 20  // actors: the companies that name several of them are unpacked once
)

// ErrNobody says that no company of the load names an actor.
var ErrNobody = errors.New("no company names this actor")

// Around returns the surroundings of actors. It is deterministic. The errors are an *[snapshot.IndexError] if
// there is no graph, and those of the records.
func Around(ctx context.Context, s *snapshot.Snapshot, q Query) (*Network, error) {
	x, err := explore(s, q.Representatives, q.Budget)
	if err != nil {
		return nil, err
	}
	x.companiesOnly = q.Companies
	g := x.gather(q.Most, ways{q.Up, q.Down, q.Persons}, q.From...)
	frontier := q.From
	for step := 1; step <= q.Steps && len(frontier) > 0; step++ {
		added, err := g.step(ctx, frontier, q.Up, q.Down)
		if err != nil {
			return nil, err
		}
		frontier = slices.DeleteFunc(added, func(next network.Actor) bool { return next.Kind != network.Company && !q.Persons })
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

// companiesOf returns the companies of edges.
func companiesOf(edges []network.Edge) (found []cnpj.Root) {
	for _, e := range edges {
		found = append(found, e.Root)
	}
	return found
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
func Contains(ctx context.Context, s *snapshot.Snapshot, a network.Actor) error {
	if a.Kind == network.Company {
		_, err := s.Company(ctx, a.Root)
		return err
	}
	found, err := Naming(ctx, s, a, registry.Range{Limit: 1}, nil)
	if err == nil && len(found.Ties) == 0 {
		err = Nobody(s)
	}
	return err
}

// Nobody returns the error of an actor whom no company names: [ErrNobody], or a *registry.LackError if one may, in files
// that the load lacks.
func Nobody(s *snapshot.Snapshot) error {
	if err := s.Load.Lack(tied...); err != nil {
		return err
	}
	return ErrNobody
}

// tied are the parts that ties are in.
var tied = []change.Part{change.Companies, change.Establishments, change.Partners}

// NamingPage is a part of the companies that name an actor.
type NamingPage struct {
	*Network     // the actor is the first member
	Total    int // companies
	Next     int // where the next page begins; Total: this is the last one
}

// Naming returns a part of the companies that name an actor, each once: first those whose partner he is, in the order of their
// roots, then those that name him only as legal representative. If the budget is spent, the page ends earlier. The errors are those of
// Network.
func Naming(ctx context.Context, s *snapshot.Snapshot, a network.Actor, in registry.Range, b *snapshot.Budget) (*NamingPage, error) {
	x, err := explore(s, true, b)
	if err != nil {
		return nil, err
	}
	edges, total, err := x.graph.Naming(a.Node(), true, in.From, in.Limit)
	if err != nil {
		return nil, s.Internals().Wrap("network", err)
	}
	g := x.gather(in.Limit+1, ways{down: true}, a)
	if err := x.read(ctx, companiesOf(edges)); err != nil {
		return nil, err
	}
	read := 0
	for ; read < len(edges) && !x.budget.Spent(); read++ {
		found, err := x.holdings(ctx, []network.Actor{a}, [][]network.Edge{{edges[read]}})
		if err != nil {
			return nil, err
		}
		if x.budget.Spent() {
			break
		}
		if _, err := g.join(ctx, found[0]); err != nil {
			return nil, err
		}
	}
	page := &NamingPage{Total: total, Next: min(in.From+max(read, 1), total)} // of a company that no budget pays for, the next page knows no more
	page.Network, err = g.network(ctx)
	return page, err
}

// explorer reads ties. It keeps the companies that it has read.
type explorer struct {
	s               *snapshot.Snapshot
	graph           *network.Graph
	representatives bool
	companiesOnly   bool
	ends            []network.Actor // who may be members even so
	budget          *snapshot.Budget
	heads           map[cnpj.Root]*pack.Head
	left            map[network.Actor]*Omission
	cut             bool // rows of a tie are left out
}

// explore returns an explorer. The error is an *[snapshot.IndexError].
func explore(s *snapshot.Snapshot, representatives bool, b *snapshot.Budget) (*explorer, error) {
	graph, err := s.Internals().Network()
	if err != nil {
		return nil, err
	}
	return &explorer{
		s: s, graph: graph, representatives: representatives, budget: cmp.Or(b, snapshot.NewBudget(1, 0, nil)),
		heads: map[cnpj.Root]*pack.Head{}, left: map[network.Actor]*Omission{},
	}, nil
}

// ties calls visit for the ties of actors, some actors at a time: up to the partners of companies, down to the companies that name
// them. They come in the order of the actors, up before down, and in stored order. If the budget is spent, the last ones are missing.
func (x *explorer) ties(ctx context.Context, of []network.Actor, up, down bool, visit func([]Tie) error) (err error) {
	for part := range slices.Chunk(of, exploredAtOnce) {
		var above, below [][]Tie
		if up {
			if above, err = x.above(ctx, part); err != nil {
				return err
			}
		}
		if down {
			if below, err = x.below(ctx, part); err != nil {
				return err
			}
		}
		var found []Tie
		for i := range part {
			for _, way := range [][][]Tie{above, below} {
				if way != nil {
					found = append(found, way[i]...)
				}
			}
		}
		if err := visit(found); err != nil || x.budget.Spent() {
			return err
		}
	}
	return nil
}

// above returns the ties of each of some actors, if it is a company, to its partners.
func (x *explorer) above(ctx context.Context, of []network.Actor) ([][]Tie, error) {
	if err := x.read(ctx, roots(of)); err != nil {
		return nil, err
	}
	found := make([][]Tie, len(of))
	for i, a := range of {
		if a.Kind != network.Company {
			continue
		}
		var err error
		if found[i], err = x.partners(ctx, a.Root); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// below returns the ties of each of some actors to companies that name it.
func (x *explorer) below(ctx context.Context, of []network.Actor) ([][]Tie, error) {
	naming := make([][]network.Edge, len(of))
	for i, a := range of {
		if !a.Known() {
			continue
		}
		if ok, err := x.budget.Take(ctx, namingSteps); !ok {
			return nil, err
		}
		edges, total, err := x.graph.Naming(a.Node(), x.representatives, 0, mostTies)
		if err != nil {
			return nil, x.s.Internals().Wrap("network", err)
		}
		naming[i] = edges
		x.leave(a, 0, total-len(edges))
	}
	return x.holdings(ctx, of, naming)
}

// holdings returns the ties of each of some actors to the companies of its edges. Each company is unpacked once.
func (x *explorer) holdings(ctx context.Context, of []network.Actor, naming [][]network.Edge) ([][]Tie, error) {
	named := map[cnpj.Root]map[network.Actor]*Tie{}
	var order []cnpj.Root
	for i, a := range of {
		for _, e := range naming[i] {
			if named[e.Root] == nil {
				named[e.Root] = map[network.Actor]*Tie{}
				order = append(order, e.Root)
			}
			named[e.Root][a] = &Tie{Holder: a, Company: e.Root}
		}
	}
	if err := x.read(ctx, order); err != nil {
		return nil, err
	}
	for _, root := range order {
		if err := x.match(ctx, root, named[root]); err != nil {
			return nil, err
		}
	}
	found := make([][]Tie, len(of))
	for i, a := range of {
		for _, e := range naming[i] {
			if t := named[e.Root][a]; len(t.Evidence) > 0 && t.Represents() == e.Representative {
				found[i] = append(found[i], *t)
			}
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
		l = &Omission{At: a}
		x.left[a] = l
	}
	l.Partners, l.Companies = max(l.Partners, partners), max(l.Companies, companies)
}

// read reads companies that are not read yet, as many as the budget pays for.
func (x *explorer) read(ctx context.Context, roots []cnpj.Root) error {
	var unread []cnpj.Root
	for _, root := range roots {
		if _, known := x.heads[root]; known {
			continue
		}
		ok, err := x.budget.Take(ctx, snapshot.CompanySteps)
		if err != nil {
			return err
		}
		if !ok {
			break
		}
		x.heads[root] = nil // the load does not have it
		unread = append(unread, root)
	}
	return x.fetch(ctx, unread)
}

// fetch reads companies, at no cost.
func (x *explorer) fetch(ctx context.Context, roots []cnpj.Root) error {
	for part := range slices.Chunk(roots, examinedAtOnce) {
		heads, err := x.s.Companies(ctx, part)
		if err != nil {
			return err
		}
		for root, h := range heads {
			if h.Exists() {
				x.heads[root] = h
			}
		}
	}
	return nil
}

// partners returns the ties of a company, which has been read, to its partners.
func (x *explorer) partners(ctx context.Context, root cnpj.Root) (ties []Tie, err error) {
	at := map[network.Actor]int{}
	more := map[network.Actor]bool{}
	err = x.eachRow(ctx, root, func(a network.Actor, e Evidence) int {
		if x.companiesOnly && a.Kind != network.Company && !slices.Contains(x.ends, a) {
			return 0
		}
		i, known := at[a]
		if !known && len(ties) == mostTies {
			more[a] = true
			return 0
		}
		if !known {
			i = len(ties)
			at[a], ties = i, append(ties, Tie{Holder: a, Company: root})
		}
		return x.add(&ties[i], e)
	})
	x.leave(network.CompanyOf(root), len(more), 0)
	return ties, err
}

// match adds to the ties of actors to a company, which has been read, the rows that name them. Without evidence the company names
// another actor of the same node, or is not in the load.
func (x *explorer) match(ctx context.Context, root cnpj.Root, ties map[network.Actor]*Tie) error {
	return x.eachRow(ctx, root, func(a network.Actor, e Evidence) int {
		if t := ties[a]; t != nil {
			return x.add(t, e)
		}
		return 0
	})
}

// eachRow calls add, which returns how many rows it has kept, for everybody whom a row of the partners of a company names. It calls it for none if
// the load does not have the company, which has been read, or the budget does not pay for unpacking its rows.
func (x *explorer) eachRow(ctx context.Context, root cnpj.Root, add func(network.Actor, Evidence) int) error {
	h := x.heads[root]
	if h == nil {
		return nil
	}
	if ok, err := x.budget.Take(ctx, h.Partners*rowSteps); !ok {
		return err
	}
	number, rows := 0, 0
	err := x.s.Partners(ctx, h, registry.Range{Limit: h.Partners}, func(p *record.Partner) error {
		number++
		rows += add(network.PartnerOf(root, p), Evidence{Number: number, Partner: *p})
		if a, ok := network.RepresentativeOf(p); ok && x.representatives {
			rows += add(a, Evidence{Number: number, Partner: *p, Representative: true})
		}
		return nil
	})
	if err == nil {
		_, err = x.budget.Take(ctx, rows*evidenceSteps)
	}
	return err
}

// add adds a row to a tie, and returns how many it has added.
func (x *explorer) add(t *Tie, e Evidence) int {
	if len(t.Evidence) == mostEvidence {
		x.cut = true
		return 0
	}
	t.Evidence = append(t.Evidence, e)
	return 1
}

type tieKey struct {
	holder  network.Actor
	company cnpj.Root
}

// ways are those that a walk may go.
type ways struct {
	up, down bool // from companies to their partners; from actors to the companies that name them
	persons  bool // on through who is not a company, and was not asked for
}

// gathering makes a network.
type gathering struct {
	x     *explorer
	most  int
	ways  ways
	asked []network.Actor
	all   Network
	at    map[network.Actor]int
	tied  map[tieKey]bool
}

// gather returns a gathering of at most most members, around those asked for.
func (x *explorer) gather(most int, w ways, asked ...network.Actor) *gathering {
	g := &gathering{x: x, most: most, ways: w, asked: asked, at: map[network.Actor]int{}, tied: map[tieKey]bool{}}
	for _, a := range asked {
		g.add(a)
	}
	return g
}

// add makes an actor a member, and reports whether he is new.
func (g *gathering) add(a network.Actor) bool {
	if _, known := g.at[a]; known {
		return false
	}
	g.at[a] = len(g.all.Members)
	g.all.Members = append(g.all.Members, Member{Actor: a})
	return true
}

// step joins the ties of actors, and returns the new members.
func (g *gathering) step(ctx context.Context, of []network.Actor, up, down bool) (added []network.Actor, err error) {
	err = g.x.ties(ctx, of, up, down, func(found []Tie) error {
		joined, err := g.join(ctx, found)
		added = append(added, joined...)
		return err
	})
	return added, err
}

// join takes ties, as far as members are allowed and the budget pays for writing them, and returns the new members.
func (g *gathering) join(ctx context.Context, found []Tie) (added []network.Actor, err error) {
	for i := range found {
		t := &found[i]
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
		if g.tied[tieKey{t.Holder, t.Company}] {
			continue
		}
		if ok, err := g.x.budget.TakeReserve(ctx, len(t.Evidence)*answerSteps); !ok {
			return added, err
		}
		if g.add(t.Holder) {
			added = append(added, t.Holder)
		}
		if g.add(company) {
			added = append(added, company)
		}
		g.tie(t)
	}
	return added, nil
}

// tie adds a tie of members.
func (g *gathering) tie(t *Tie) {
	if key := (tieKey{t.Holder, t.Company}); !g.tied[key] {
		g.tied[key] = true
		g.all.Ties = append(g.all.Ties, *t)
	}
}

// name returns how the company names the holder.
func (t *Tie) name() string {
	if e := &t.Evidence[0]; !e.Representative {
		return e.Partner.NomeSocio
	}
	return t.Evidence[0].Partner.NomeRepresentante
}

func (x *explorer) leftAt(a network.Actor) Omission {
	if l := x.left[a]; l != nil {
		return *l
	}
	return Omission{}
}

// network completes the members, and returns the network.
func (g *gathering) network(ctx context.Context) (*Network, error) {
	var unread []cnpj.Root
	for i := range g.all.Members {
		if m := &g.all.Members[i]; m.Kind == network.Company && g.x.heads[m.Root] == nil {
			unread = append(unread, m.Root)
		}
	}
	if err := g.x.fetch(ctx, unread); err != nil {
		return nil, err
	}
	g.all.Cut = g.x.budget.Spent() || g.x.cut
	g.all.Gap = g.x.s.Load.Gap(tied...)
	g.describe()
	g.measure()
	for i := range g.all.Members {
		m := &g.all.Members[i]
		if l := g.x.left[m.Actor]; l != nil {
			g.all.Omitted = append(g.all.Omitted, *l)
		}
		if m.Kind != network.Company || g.x.heads[m.Root] == nil {
			continue
		}
		m.Head, m.Called = g.x.heads[m.Root], ""
		var err error
		if m.Office, err = g.x.s.HeadOffice(ctx, m.Head); err != nil {
			return nil, fmt.Errorf("head office of %s: %w", m.Root, err)
		}
		if m.Name = cmp.Or(m.Head.Company.RazaoSocial, "CNPJ "+m.Root.Masked()); m.Office != nil {
			m.Name = m.Head.NameOf(m.Office)
		}
	}
	return &g.all, nil
}

// describe takes from the rows of ties what they say of the holders.
func (g *gathering) describe() {
	for i := range g.all.Ties {
		t := &g.all.Ties[i]
		m := &g.all.Members[g.at[t.Holder]]
		if m.Kind == network.Company {
			m.Called = cmp.Or(m.Called, t.name())
			continue
		}
		m.Name = cmp.Or(m.Name, t.name())
		for k := range t.Evidence {
			if e := &t.Evidence[k]; !e.Representative {
				m.Learn(&e.Partner)
			}
		}
	}
}

// Learn takes from a row what it says of a member who is its partner.
func (m *Member) Learn(p *record.Partner) {
	m.Nature |= p.Nature()
	if age := p.AgeBracket(); age != "" && !slices.Contains(m.Ages, age) {
		m.Ages = append(m.Ages, age)
		slices.Sort(m.Ages)
	}
}

// measure says of each member how far it is, by the ties of the network. A walk may have come to it by more: down from a
// company far above, or around a hub of which only some ties were followed.
func (g *gathering) measure() {
	next := make([][]int, len(g.all.Members))
	for i := range g.all.Ties {
		holder, company := g.at[g.all.Ties[i].Holder], g.at[network.CompanyOf(g.all.Ties[i].Company)]
		if g.ways.up {
			next[company] = append(next[company], holder)
		}
		if g.ways.down {
			next[holder] = append(next[holder], company)
		}
	}
	var queue []int
	reached := make([]bool, len(g.all.Members))
	for i := range g.all.Members {
		g.all.Members[i].Distance = 1
	}
	for _, a := range g.asked {
		queue, reached[g.at[a]], g.all.Members[g.at[a]].Distance = append(queue, g.at[a]), true, 0
	}
	for ; len(queue) > 0; queue = queue[1:] {
		m := &g.all.Members[queue[0]]
		if m.Kind != network.Company && m.Distance > 0 && !g.ways.persons {
			continue
		}
		for _, other := range next[queue[0]] {
			if !reached[other] {
				queue, reached[other], g.all.Members[other].Distance = append(queue, other), true, m.Distance+1
			}
		}
	}
}
