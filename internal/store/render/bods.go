package render

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"

	"razao/internal/data/record"
	"razao/internal/data/territory"
	"razao/internal/store/network"
	"razao/internal/store/networks"
)

// bodsVersion is the version of the Beneficial Ownership Data Standard.
const bodsVersion = "0.4"

// bodsStatement is a statement. Its identifier is a hash of the rest of it: what differs is another
// statement.
type bodsStatement struct {
	StatementID        string           `json:"statementId"`
	StatementDate      string           `json:"statementDate"`
	DeclarationSubject string           `json:"declarationSubject"`
	RecordID           string           `json:"recordId"`
	RecordType         string           `json:"recordType"`
	RecordDetails      any              `json:"recordDetails"` // *bodsEntity, *bodsPerson or *bodsRelationship
	Annotations        []bodsAnnotation `json:"annotations"`
	Publication        bodsPublication  `json:"publicationDetails"`
	Source             bodsSource       `json:"source"`
}

type bodsAnnotation struct {
	Target      string `json:"statementPointerTarget"` // "": the whole statement
	Motivation  string `json:"motivation"`
	Description string `json:"description"`
}

type bodsPublication struct {
	Date      string        `json:"publicationDate"`
	Version   string        `json:"bodsVersion"`
	Publisher bodsPublisher `json:"publisher"`
}

type bodsPublisher struct {
	Name string `json:"name"`
	URL  string `json:"url,omitempty"`
}

type bodsSource struct {
	Type        []string    `json:"type"`
	Description string      `json:"description"`
	URL         string      `json:"url,omitempty"`
	RetrievedAt string      `json:"retrievedAt"`
	AssertedBy  []bodsAgent `json:"assertedBy"`
}

type bodsAgent struct {
	Name string `json:"name"`
}

type bodsEntity struct {
	IsComponent bool             `json:"isComponent"`
	Type        bodsEntityType   `json:"entityType"`
	Unspecified *bodsReason      `json:"unspecifiedEntityDetails,omitempty"`
	Name        string           `json:"name,omitempty"`
	Place       *bodsPlace       `json:"jurisdiction,omitempty"`
	Identifiers []bodsIdentifier `json:"identifiers,omitempty"`
	Addresses   []bodsAddress    `json:"addresses,omitempty"`
	URI         string           `json:"uri,omitempty"`
}

type bodsEntityType struct {
	Type string `json:"type"`
}

type bodsReason struct {
	Reason      string `json:"reason"`
	Description string `json:"description"`
}

type bodsPlace struct {
	Name string `json:"name"`
	Code string `json:"code,omitempty"` // ISO 3166-1
}

type bodsIdentifier struct {
	ID         string `json:"id"`
	Scheme     string `json:"scheme,omitempty"` // of org-id.guide
	SchemeName string `json:"schemeName"`
}

type bodsAddress struct {
	Type    string     `json:"type,omitempty"`
	Address string     `json:"address,omitempty"`
	Country *bodsPlace `json:"country"`
}

type bodsPerson struct {
	IsComponent bool          `json:"isComponent"`
	Type        string        `json:"personType"`
	Unspecified *bodsReason   `json:"unspecifiedPersonDetails,omitempty"`
	Names       []bodsName    `json:"names,omitempty"`
	Addresses   []bodsAddress `json:"addresses,omitempty"`
}

type bodsName struct {
	FullName string `json:"fullName"`
}

type bodsRelationship struct {
	IsComponent     bool           `json:"isComponent"`
	Subject         string         `json:"subject"`
	InterestedParty string         `json:"interestedParty"`
	Interests       []bodsInterest `json:"interests"`
}

type bodsInterest struct {
	Type       string `json:"type"`
	Direct     string `json:"directOrIndirect"`
	Beneficial *bool  `json:"beneficialOwnershipOrControl,omitempty"`
	Details    string `json:"details"`
	StartDate  string `json:"startDate,omitempty"`
}

// bodsInterests are the types of interests, and whether they are direct. Quotas of a limitada count as
// shares.
var bodsInterests = [...]struct{ kind, direct string }{
	record.OtherPart:   {"unknownInterest", "unknown"},
	record.Owner:       {"shareholding", "direct"},
	record.Manager:     {"seniorManagingOfficial", "direct"},
	record.BoardMember: {"boardMember", "direct"},
	record.Appointed:   {"controlByLegalFramework", "direct"},
	record.Agent:       {"otherInfluenceOrControl", "unknown"},
}

// bodsFile is an array of statements.
type bodsFile struct {
	*Exporter
	n     *networks.Network
	note  string
	out   []byte
	count int
	err   error
}

// AppendBODS appends a network as an array of statements of the Beneficial Ownership Data Standard: those
// on members, then those on ties. All are of the network of the first member, which was asked for. note is
// what the network must come with.
func (x *Exporter) AppendBODS(dst []byte, n *networks.Network, note string) ([]byte, error) {
	f := &bodsFile{Exporter: x, n: n, note: note, out: append(dst, '[')}
	for i := range n.Members {
		f.member(&n.Members[i])
	}
	for i := range n.Ties {
		f.tie(&n.Ties[i])
	}
	return append(f.out, ']'), f.err
}

// state adds a statement. The company registry's period is a month: its first day stands for it, as the standard
// advises for dates without a day.
func (f *bodsFile) state(s *bodsStatement, cited string) {
	s.StatementDate, s.DeclarationSubject = f.load.Period+"-01", f.n.Members[0].ID()
	if s.Annotations == nil {
		s.Annotations = []bodsAnnotation{}
	}
	s.Publication = bodsPublication{f.loadedOn(), bodsVersion, bodsPublisher{"Razão", f.baseURL}}
	s.Source = bodsSource{[]string{"officialRegister"}, cited, f.source(), f.loadedOn(), []bodsAgent{{f.load.Provenance.Orgao}}}
	sum := sha256.Sum256(f.marshal(s))
	s.StatementID = hex.EncodeToString(sum[:16])
	f.out = append(AppendComma(f.out, f.count), f.marshal(s)...)
	f.count++
}

func (f *bodsFile) marshal(s *bodsStatement) []byte {
	raw, err := json.Marshal(s)
	if err != nil {
		f.err = fmt.Errorf("statement: %w", err)
	}
	return raw
}

// member adds the statement on a member.
func (f *bodsFile) member(member *networks.Member) {
	m := NetworkMember(member)
	s := &bodsStatement{RecordID: m.ID, RecordType: "entity"}
	for _, remark := range remarks(f.n, member, f.note) {
		s.Annotations = append(s.Annotations, bodsAnnotation{"", "commenting", remark})
	}
	switch {
	case member.Kind == network.Company:
		s.RecordDetails = f.company(member, &m)
	case member.Kind == network.Person || member.Nature == record.NaturalPerson:
		s.RecordType, s.RecordDetails = "person", f.person(member)
	default:
		s.RecordDetails = f.entity(member)
	}
	f.state(s, f.cite())
}

// addresses returns the country of a member, if one is published, with what else there is of the address.
func (f *bodsFile) addresses(m *networks.Member, kind, address string) []bodsAddress {
	name, iso := f.country(m)
	if name == "" {
		return nil
	}
	return []bodsAddress{{kind, address, &bodsPlace{name, iso}}}
}

// unidentified says that the publication does not say who a member is.
func unidentified(description string) *bodsReason {
	return &bodsReason{"informationUnknownToPublisher", "A publicação não identifica este sócio." + description}
}

// person returns the details of a natural person.
func (f *bodsFile) person(m *networks.Member) *bodsPerson {
	p := &bodsPerson{Type: "unknownPerson", Addresses: f.addresses(m, "", "")}
	if m.Name == "" {
		p.Unspecified = unidentified("")
		return p
	}
	p.Type, p.Names = "knownPerson", []bodsName{{m.Name}}
	return p
}

func (f *bodsFile) company(member *networks.Member, m *record.NetworkMember) *bodsEntity {
	e := &bodsEntity{
		Type: bodsEntityType{"registeredEntity"}, Name: cmp.Or(m.Nome, member.Called), URI: f.page(m),
		Identifiers: []bodsIdentifier{{registered(m), "BR-CNPJ", "Cadastro Nacional da Pessoa Jurídica"}},
		Addresses:   f.addresses(member, "registered", f.address(m)),
	}
	if len(e.Addresses) > 0 && m.UF != territory.Abroad {
		e.Place = e.Addresses[0].Country
	}
	return e
}

// entity returns the details of a legal entity abroad, or of a partner of whom nothing says whether he is a person. The standard has no
// party that may be a person or an entity.
func (f *bodsFile) entity(m *networks.Member) *bodsEntity {
	e := &bodsEntity{Type: bodsEntityType{"legalEntity"}, Name: m.Name, Addresses: f.addresses(m, "", "")}
	switch {
	case m.Nature != record.LegalEntity:
		e.Type.Type, e.Unspecified = "unknownEntity", unidentified(" Pode ser uma pessoa natural.")
	case m.Name == "":
		e.Type.Type, e.Unspecified = "unknownEntity", unidentified("")
	}
	return e
}

// tie adds the statement on a tie, with one interest for each row that says something else.
func (f *bodsFile) tie(t *networks.Tie) {
	company, holder := t.Company.String(), t.Holder.ID()
	r := &bodsRelationship{Subject: company, InterestedParty: holder}
	for i := range t.Evidence {
		interest := f.interest(&t.Evidence[i])
		same := func(other bodsInterest) bool {
			return other.Type == interest.Type && other.Details == interest.Details && other.StartDate == interest.StartDate
		}
		if !slices.ContainsFunc(r.Interests, same) {
			r.Interests = append(r.Interests, interest)
		}
	}
	f.state(&bodsStatement{RecordID: company + "/" + holder, RecordType: "relationship", RecordDetails: r}, f.citeRow(t, &t.Evidence[0]))
}

// interest returns what a row says of the holder. The company registry publishes neither shares nor, but for one
// qualification, who ultimately benefits.
func (f *bodsFile) interest(e *networks.Evidence) bodsInterest {
	p := &e.Partner
	part, role, since := record.PartOf(p.QualificacaoSocio), f.describe(record.DomainQualificacao, p.QualificacaoSocio), p.DataEntradaSociedade
	beneficial := new(bool)
	switch {
	case e.Representative: // since when is not published
		part, since = record.Agent, 0
		role = fmt.Sprintf("Representante legal de %s: %s", p.NomeSocio, f.describe(record.DomainQualificacao, p.QualificacaoRepresentanteLegal))
	case p.QualificacaoSocio == record.FinalBeneficiary:
		beneficial = nil // must not be true of an entity
	case part == record.Owner:
		role += ". " + shareUnpublished
	}
	kind := bodsInterests[part]
	return bodsInterest{kind.kind, kind.direct, beneficial, role, since.String()}
}
