package assistant

import (
	"context"
	"errors"
	"slices"
	"strings"

	"razao/internal/data/ptbr"
	"razao/internal/data/record"
	"razao/internal/store/network"
	"razao/internal/store/networks"
	"razao/internal/store/registry"
	"razao/internal/store/render"
	"razao/internal/store/snapshot"
	"razao/internal/store/wording"
)

const (
	farthest    = 3 // ties of a network around a company or partner
	mostMembers = 60
	longestPath = 6
	fewPaths    = 3
)

// NetworkQuery asks for the network around a company or partner.
type NetworkQuery struct {
	De            string `json:"de" jsonschema:"CNPJ de empresa, ou id de um membro de outra resposta"`
	Profundidade  int    `json:"profundidade,omitempty" jsonschema:"vínculos até o membro mais distante; 1 se ausente" minimum:"1" maximum:"3"`
	Representante bool   `json:"representantes,omitempty" jsonschema:"true: inclui representantes legais"`
}

// GroupQuery asks for the group of a company.
type GroupQuery struct {
	CNPJ string `json:"cnpj" jsonschema:"empresa, 8 ou 14 posições"`
}

// PathQuery asks for the shortest chains between two members.
type PathQuery struct {
	De   string `json:"de" jsonschema:"CNPJ ou id"`
	Para string `json:"para" jsonschema:"CNPJ ou id"`
}

// NetworkMember is a company, or somebody in one.
type NetworkMember struct {
	ID        string `json:"id"`
	Tipo      string `json:"tipo"`
	Nome      string `json:"nome"`
	CNPJ      string `json:"cnpj"`
	Lugar     string `json:"lugar"`
	Situacao  string `json:"situacao"`
	Distancia int    `json:"distancia"`
	Homonimos string `json:"homonimos,omitempty"`
}

// NetworkTie says that a company names a member.
type NetworkTie struct {
	De    string   `json:"de"`
	Para  string   `json:"para" jsonschema:"empresa que nomeia de"`
	Como  []string `json:"como"`
	Linha []int    `json:"linhas" jsonschema:"posições em listar_socios, a partir de 1"`
}

// NetworkOmission is what is left out at a member.
type NetworkOmission struct {
	ID       string `json:"id"`
	Socios   int    `json:"socios"`
	Empresas int    `json:"empresas"`
}

// NetworkAnswer is a network.
type NetworkAnswer struct {
	Origin
	Membros  []NetworkMember   `json:"membros"`
	Vinculos []NetworkTie      `json:"vinculos"`
	Fora     []NetworkOmission `json:"fora" jsonschema:"o que não coube"`
	Completa bool              `json:"completa"`
	Aviso    string            `json:"aviso"`

	cut bool
}

// PathsAnswer is the shortest chains between two members, with all that are in them.
type PathsAnswer struct {
	NetworkAnswer
	Caminhos [][]string `json:"caminhos" jsonschema:"ids, de um fim ao outro"`
	Completo bool       `json:"completo" jsonschema:"false: pode haver outros, ou mais curtos"`

	searched bool
}

// GroupAnswer is the group of a company, with what sources come to for its members.
type GroupAnswer struct {
	NetworkAnswer
	Ciclos    [][]string    `json:"ciclos" jsonschema:"empresas que têm a si mesmas"`
	Registros []GroupFigure `json:"registros" jsonschema:"somas do grupo, por fonte"`
}

// GroupFigure is what a source comes to for a group.
type GroupFigure struct {
	Fonte    string `json:"fonte"`
	Status   string `json:"status"`
	Empresas int    `json:"empresas"`
	Total    Amount `json:"total"`
	EmVigor  int    `json:"em_vigor"`
	Faltam   int    `json:"sem_resposta"`

	said string
}

// Network returns the network around a company or partner. It needs the search index (see
// [NeedsIndex]).
func (a *Assistant) Network(ctx context.Context, q NetworkQuery) (*NetworkAnswer, error) {
	from, err := actorOf("de", q.De)
	if err != nil {
		return nil, err
	}
	steps, err := countOf("profundidade", q.Profundidade, 1, farthest)
	if err != nil {
		return nil, err
	}
	snap, err := a.acquire()
	if err != nil {
		return nil, err
	}
	defer snap.Release()
	if err := known(ctx, snap, from); err != nil {
		return nil, err
	}
	n, err := networks.Around(ctx, snap, networks.Query{
		From: []network.Actor{from}, Steps: steps, Up: true, Down: true, Persons: true, Representatives: q.Representante, Most: mostMembers,
	})
	if err != nil {
		return nil, err
	}
	return a.read(snap).network(n, from, render.NetworkNote), nil
}

// Group returns the group of a company. It needs the search index (see [NeedsIndex]).
func (a *Assistant) Group(ctx context.Context, q GroupQuery) (*GroupAnswer, error) {
	of, err := parseDocument(q.CNPJ)
	if err != nil {
		return nil, err
	}
	snap, err := a.acquire()
	if err != nil {
		return nil, err
	}
	defer snap.Release()
	n, err := networks.Group(ctx, snap, of.Root, mostMembers, nil)
	if err != nil {
		return nil, missing(document{Document: registry.Document{Root: of.Root}, text: of.Root.String()}, err)
	}
	answer := &GroupAnswer{*a.read(snap).network(n, network.CompanyOf(of.Root), render.GroupNote), [][]string{}, []GroupFigure{}}
	for _, cycle := range n.Cycles() {
		var ids []string
		for _, root := range cycle {
			ids = append(ids, root.String())
		}
		answer.Ciclos = append(answer.Ciclos, ids)
	}
	for _, g := range networks.Figures(ctx, snap, n) {
		answer.Registros = append(answer.Registros, groupFigure(&g))
	}
	return answer, nil
}

// groupFigure renders a sum.
func groupFigure(g *networks.GroupFigures) GroupFigure {
	f := GroupFigure{
		Fonte: g.Source.ID, Status: string(g.Sum.Status), Empresas: len(g.Of), EmVigor: g.Sum.InForce, Faltam: len(g.Unknown),
		Total: Amount(record.NoCents),
	}
	if g.Source.Facts.Measures.Total && g.Sum.Whole {
		f.Total = Amount(g.Sum.Cents)
	}
	switch f.said = ptbr.Counted(len(g.Of), "empresa", "empresas"); {
	case g.Sum.Status == registry.Unavailable:
		f.said = "indisponivel"
	case len(g.Of) == 0 && g.Sum.Whole:
		f.said = "sem_ocorrencia"
	case g.Source.Facts.Measures.InForce:
		f.said = ptbr.Count(g.Sum.InForce) + " em vigor, em " + f.said
	case g.Source.Facts.Measures.Total:
		f.said = ptbr.Plain(ptbr.Money(g.Sum.Cents)) + " em " + f.said
	}
	if f.Faltam > 0 {
		f.said += ", e de " + ptbr.Count(f.Faltam) + " não se sabe"
	}
	return f
}

// Paths returns the shortest chains between two members. It needs the search index (see [NeedsIndex]).
func (a *Assistant) Paths(ctx context.Context, q PathQuery) (*PathsAnswer, error) {
	from, err := actorOf("de", q.De)
	if err != nil {
		return nil, err
	}
	to, err := actorOf("para", q.Para)
	if err != nil {
		return nil, err
	}
	snap, err := a.acquire()
	if err != nil {
		return nil, err
	}
	defer snap.Release()
	for _, end := range []network.Actor{from, to} {
		if err := known(ctx, snap, end); err != nil {
			return nil, err
		}
	}
	found, err := networks.Paths(ctx, snap, networks.PathQuery{From: from, To: to, Steps: longestPath, Most: fewPaths})
	if err != nil {
		return nil, err
	}
	answer := &PathsAnswer{NetworkAnswer: *a.read(snap).network(found.Network, from, render.NetworkNote), Caminhos: [][]string{}, Completo: found.Complete(), searched: found.Searched}
	answer.Completa, answer.cut = answer.Completo, false
	for _, p := range found.Paths {
		var ids []string
		for _, actor := range p.Actors {
			ids = append(ids, actor.ID())
		}
		answer.Caminhos = append(answer.Caminhos, ids)
	}
	return answer, nil
}

// actorOf reads a CNPJ or an identifier. The error is a *Refusal.
func actorOf(name, given string) (network.Actor, error) {
	if d, err := parseDocument(given); err == nil {
		return network.CompanyOf(d.Root), nil
	}
	a, ok := network.ParseID(strings.TrimSpace(given))
	if !ok {
		return a, refuse(Malformed, "O argumento %s deve ser um CNPJ (8 ou 14 posições) ou o id de um membro, como 456789-maria-ficticia: os seis dígitos visíveis do CPF e o nome inteiro.", name)
	}
	return a, nil
}

// known returns a *Refusal if the load has no company, or nobody, of that identifier.
func known(ctx context.Context, snap *snapshot.Snapshot, a network.Actor) error {
	if a.Kind == network.Company {
		_, err := company(ctx, snap, document{Document: registry.Document{Root: a.Root}, text: a.Root.String()})
		return err
	}
	err := networks.Contains(ctx, snap, a)
	if errors.Is(err, networks.ErrNobody) {
		return refuse(Unknown, "Nenhuma empresa da carga disponível nomeia %s. Procure pelo nome com empresas_do_socio.", a.ID())
	}
	return err
}

// network renders a network around an actor.
func (r *reader) network(n *networks.Network, around network.Actor, note string) *NetworkAnswer {
	answer := &NetworkAnswer{
		Origin: r.origin(r.snap, "/"+around.ID()), Membros: []NetworkMember{}, Vinculos: []NetworkTie{}, Fora: []NetworkOmission{}, Completa: n.Whole(), Aviso: note, cut: n.Cut,
	}
	if around.Kind == network.Person {
		answer.Origin = r.origin(r.snap, "/socio/"+around.Digits+"/"+around.Slug)
	}
	absent := map[network.Actor]bool{} // companies that only others name
	for i := range n.Members {
		m := &n.Members[i]
		published := render.NetworkMember(m)
		member := NetworkMember{ID: published.ID, Tipo: published.Tipo, Nome: published.Nome, CNPJ: published.CNPJ, Distancia: m.Distance, Homonimos: wording.Homonyms(m)}
		if e := m.Office; e != nil {
			member.Lugar, member.Situacao = r.City(e.Municipio, e.UF), orCode(r.Describe(record.DomainSituacao, e.SituacaoCadastral), e.SituacaoCadastral)
		}
		absent[m.Actor] = m.Called != ""
		answer.Membros = append(answer.Membros, member)
	}
	for i := range n.Ties {
		t := &n.Ties[i]
		tie := NetworkTie{De: t.Holder.ID(), Para: t.Company.String(), Como: []string{}, Linha: []int{}}
		for e := range t.Evidence {
			role := r.role(&t.Evidence[e])
			if absent[t.Holder] {
				role += ", com o nome " + t.Evidence[e].Partner.NomeSocio
			}
			tie.Como, tie.Linha = append(tie.Como, role), append(tie.Linha, t.Evidence[e].Number)
		}
		answer.Vinculos = append(answer.Vinculos, tie)
	}
	for _, o := range n.Omitted {
		answer.Fora = append(answer.Fora, NetworkOmission{o.At.ID(), o.Partners, o.Companies})
	}
	return answer
}

// role says what a row makes of the holder.
func (r *reader) role(e *networks.Evidence) string {
	p := &e.Partner
	if e.Representative {
		return orCode(r.Describe(record.DomainQualificacao, p.QualificacaoRepresentanteLegal), p.QualificacaoRepresentanteLegal) +
			", representante de " + ptbr.Partner(p)
	}
	return ptbr.Since(orCode(r.Describe(record.DomainQualificacao, p.QualificacaoSocio), p.QualificacaoSocio), p.DataEntradaSociedade.Time())
}

// name returns how the answer names a member.
func (a *NetworkAnswer) name(id string) string {
	i := slices.IndexFunc(a.Membros, func(m NetworkMember) bool { return m.ID == id })
	if i < 0 {
		return id
	}
	m := &a.Membros[i]
	switch {
	case m.Nome == "" && m.Tipo == "empresa":
		return "CNPJ " + id + " (fora da carga)"
	case m.Nome == "":
		return id
	case m.CNPJ != "":
		return m.Nome + " (CNPJ " + ptbr.Document(m.CNPJ) + ")"
	}
	return m.Nome + " (" + id + ")"
}

// Text lists the ties as sentences.
func (a *NetworkAnswer) Text() string {
	var t text
	a.write(&t)
	return t.String()
}

func (a *NetworkAnswer) write(t *text) {
	t.line("Membros: %d; vínculos: %d.", len(a.Membros), len(a.Vinculos))
	for _, tie := range a.Vinculos {
		t.line("- %s em %s: %s.", a.name(tie.De), a.name(tie.Para), strings.Join(tie.Como, "; "))
	}
	for i := range a.Membros {
		if m := &a.Membros[i]; m.Homonimos != "" {
			t.line("%s: %s", a.name(m.ID), m.Homonimos)
		}
	}
	for _, o := range a.Fora {
		if o.Socios > 0 {
			t.line("Ficaram de fora %s sócios de %s.", ptbr.Count(o.Socios), a.name(o.ID))
		}
		if o.Empresas > 0 {
			t.line("Ficaram de fora %s empresas que nomeiam %s.", ptbr.Count(o.Empresas), a.name(o.ID))
		}
	}
	if a.cut {
		t.line("A procura parou no trabalho que uma chamada paga: a rede tem mais do que está aqui.")
	}
	t.line("%s", a.Aviso)
	t.origin(&a.Origin)
}

// Text lists the ties, then the sums.
func (a *GroupAnswer) Text() string {
	var t text
	for i := range a.Registros {
		t.line("%s: %s.", a.Registros[i].Fonte, a.Registros[i].said)
	}
	t.line("%s", notCertificate)
	for _, ids := range a.Ciclos {
		t.line("De sócia em sócia, têm a si mesmas: %s.", strings.Join(ids, " – "))
	}
	a.write(&t)
	return t.String()
}

// Text says the chains, then lists the ties.
func (a *PathsAnswer) Text() string {
	var t text
	switch {
	case len(a.Caminhos) == 0 && a.Completo:
		t.line("Nenhum caminho de até %d vínculos foi encontrado.", longestPath)
	case len(a.Caminhos) == 0:
		t.line("Nenhum caminho foi encontrado até onde a procura pôde ir. Isto não quer dizer que não haja.")
	case !a.Completo && a.searched:
		t.line("Há outros caminhos, tão curtos como estes.")
	case !a.Completo:
		t.line("A procura parou em limites: pode haver outros caminhos, ou mais curtos.")
	}
	for _, ids := range a.Caminhos {
		var names []string
		for _, id := range ids {
			names = append(names, a.name(id))
		}
		t.line("Caminho de %d vínculos: %s.", len(ids)-1, strings.Join(names, " – "))
	}
	a.write(&t)
	return t.String()
}
