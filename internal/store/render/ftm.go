package render

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"razao/internal/data/cnpj"
	"razao/internal/data/ptbr"
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

// ftmSchema returns the schema of a member. A foreigner or an unidentified partner of whom nothing says whether he is a person may be one or not.
func ftmSchema(m *networks.Member) string {
	switch {
	case m.Kind == network.Company || m.Kind != network.Person && m.Nature == record.LegalEntity:
		return "Company"
	case m.Kind == network.Person || m.Nature == record.NaturalPerson:
		return "Person"
	}
	return "LegalEntity"
}

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
// among them: a partner whose legal representative is a member, too. A partner without a name is not, because
// the schemata require one; his company says so. note is what the network must come with.
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
	country, iso := f.country(member)
	properties := map[string][]string{
		"name": {m.Nome}, "notes": remarks(f.n, member, f.note), "country": {strings.ToLower(iso)}, "address": {f.address(&m)},
	}
	if iso == "" {
		properties["address"] = []string{country}
	}
	switch {
	case member.Kind == network.Company:
		properties["name"] = []string{cmp.Or(m.Nome, member.Called, registered(&m))}
		properties["registrationNumber"] = []string{registered(&m)}
		properties["status"] = []string{f.describe(record.DomainSituacao, m.SituacaoCadastral)}
		properties["sourceUrl"] = []string{f.page(&m)}
		properties["notes"] = append(properties["notes"], f.nameless(member.Root))
		if m.UF != territory.Abroad {
			properties["jurisdiction"] = properties["country"]
		}
	case m.Nome == "":
		return
	}
	f.add(ftmID(member.Actor), ftmSchema(member), properties)
}

// nameless says how many rows of partners of a company are left out, "" for none.
func (f *ftmFile) nameless(of cnpj.Root) string {
	who := network.Actor{Kind: network.Unidentified, Root: of}
	for i := range f.n.Ties {
		if rows := f.n.Ties[i].Evidence; f.n.Ties[i].Holder == who && rows[0].Partner.NomeSocio == "" {
			return "Fora deste arquivo, que pede nomes: " + ptbr.Counted(len(rows), "sócio", "sócios") + " sem nome publicado."
		}
	}
	return ""
}

// tie adds what a row says: who the partner is in the company and, if the tie is his representative's,
// whom that represents: if he has no name, the representative is tied to the company.
func (f *ftmFile) tie(t *networks.Tie, e *networks.Evidence) {
	p := &e.Partner
	partner := network.PartnerOf(t.Company, p)
	row := f.citeRow(t, e)
	if e.Representative {
		f.member(&networks.Member{Actor: partner, Name: p.NomeSocio, Nature: p.Nature(), Distance: 1})
		part, represented := record.Agent, partner
		if !f.known[ftmID(partner)] {
			part, represented = record.OtherPart, network.CompanyOf(t.Company)
		}
		f.edge(part, t.Holder, represented, p.QualificacaoRepresentanteLegal, 0, row)
	}
	f.edge(record.PartOf(p.QualificacaoSocio), partner, network.CompanyOf(t.Company), p.QualificacaoSocio, p.DataEntradaSociedade, row)
}

// edge adds a tie, if its beginning is in the file. Its identifier is a hash of what is published of it, so that it is the same in the next
// load.
func (f *ftmFile) edge(part record.Part, from, to network.Actor, qualification string, since record.Date, row string) {
	if !f.known[ftmID(from)] {
		return
	}
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
