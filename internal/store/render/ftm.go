package render

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"razao/internal/data/record"
	"razao/internal/data/territory"
	"razao/internal/store/network"
	"razao/internal/store/networks"
)

// ftmEntity is an entity of FollowTheMoney 4.11.
type ftmEntity struct {
	ID         string              `json:"id"`
	Schema     string              `json:"schema"`
	Properties map[string][]string `json:"properties"`
}

// ftmSchemata are the schemata of members. A foreigner or an unidentified partner may be a person or not.
var ftmSchemata = [...]string{network.Company: "Company", network.Person: "Person", network.Foreigner: "LegalEntity", network.Unidentified: "LegalEntity"}

// ftmEdges are the schemata of ties, with the properties for their ends.
var ftmEdges = [...]struct{ schema, from, to string }{
	record.OtherPart:   {"UnknownLink", "subject", "object"},
	record.Owner:       {"Ownership", "owner", "asset"},
	record.Manager:     {"Directorship", "director", "organization"},
	record.BoardMember: {"Directorship", "director", "organization"},
	record.Appointed:   {"Directorship", "director", "organization"},
	record.Agent:       {"Representation", "agent", "client"},
}

const shareUnpublished = "A Receita Federal não publica o percentual da participação."

// ftmFile is a file of entities, one per line, none twice.
type ftmFile struct {
	*Exporter
	n     *networks.Network
	note  string
	out   []byte
	known map[string]bool // by id
	err   error
}

// AppendFTM appends a network as entities of FollowTheMoney, one per line. The ends of every tie are
// among them: a partner whose legal representative is a member, too. note is what the network must come
// with.
func (x *Exporter) AppendFTM(dst []byte, n *networks.Network, note string) ([]byte, error) {
	f := &ftmFile{Exporter: x, n: n, note: note, out: dst, known: map[string]bool{}}
	for i := range n.Members {
		f.member(&n.Members[i])
	}
	for i := range n.Ties {
		for j := range n.Ties[i].Evidence {
			f.tie(&n.Ties[i], &n.Ties[i].Evidence[j])
		}
	}
	return f.out, f.err
}

// ftmID returns the identifier of an actor: ASCII letters, digits and hyphens, none at the ends.
func ftmID(a network.Actor) string { return "razao-" + strings.TrimRight(a.ID(), "-") }

// add adds an entity without the values that are empty.
func (f *ftmFile) add(id, schema string, properties map[string][]string) {
	if f.known[id] {
		return
	}
	f.known[id] = true
	properties["publisher"] = []string{f.load.Provenance.Orgao}
	properties["retrievedAt"] = []string{f.loadedOn()}
	properties["sourceUrl"] = append(properties["sourceUrl"], f.source())
	for name, values := range properties {
		values = slices.DeleteFunc(values, func(s string) bool { return s == "" })
		if properties[name] = values; len(values) == 0 {
			delete(properties, name)
		}
	}
	line, err := json.Marshal(ftmEntity{id, schema, properties})
	if err != nil {
		f.err = fmt.Errorf("entity: %w", err)
	}
	f.out = append(append(f.out, line...), '\n')
}

// member adds a member.
func (f *ftmFile) member(member *networks.Member) {
	m := NetworkMember(member)
	properties := map[string][]string{"name": {m.Nome}, "notes": remarks(f.n, member, f.note)}
	if m.Nome == "" {
		properties["name"] = []string{m.ID} // a name is required
	}
	switch {
	case member.Kind != network.Company:
		properties["address"] = []string{f.describe(record.DomainPais, m.Pais)}
	default:
		properties["registrationNumber"] = []string{registered(&m)}
		properties["status"] = []string{f.describe(record.DomainSituacao, m.SituacaoCadastral)}
		properties["address"] = []string{f.address(&m)}
		properties["sourceUrl"] = []string{f.page(&m)}
		if m.UF != territory.Abroad {
			properties["country"], properties["jurisdiction"] = []string{"br"}, []string{"br"}
		}
	}
	f.add(ftmID(member.Actor), ftmSchemata[member.Kind], properties)
}

// tie adds what a row says: who the partner is in the company and, if the tie is his representative's,
// whom that represents.
func (f *ftmFile) tie(t *networks.Tie, e *networks.Evidence) {
	p := &e.Partner
	partner := network.PartnerOf(t.Company, p)
	row := f.citeRow(t, e)
	if e.Representative {
		f.member(&networks.Member{Actor: partner, Name: p.NomeSocio, Distance: 1})
		f.edge(record.Agent, t.Holder, partner, p.QualificacaoRepresentanteLegal, 0, row)
	}
	f.edge(record.PartOf(p.QualificacaoSocio), partner, network.CompanyOf(t.Company), p.QualificacaoSocio, p.DataEntradaSociedade, row)
}

// edge adds a tie. Its identifier is a hash of what is published of it, so that it is the same in the next
// load.
func (f *ftmFile) edge(part record.Part, from, to network.Actor, qualification string, since record.Date, row string) {
	kind := ftmEdges[part]
	sum := sha256.Sum256([]byte(strings.Join([]string{kind.schema, from.ID(), to.ID(), qualification, since.String()}, "|")))
	properties := map[string][]string{
		kind.from: {ftmID(from)}, kind.to: {ftmID(to)}, "recordId": {row},
		"role": {f.describe(record.DomainQualificacao, qualification)}, "startDate": {since.String()},
	}
	if part == record.Owner {
		properties["summary"] = []string{shareUnpublished}
	}
	f.add("razao-"+hex.EncodeToString(sum[:16]), kind.schema, properties)
}
