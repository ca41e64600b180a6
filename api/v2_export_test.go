package api

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"razao/internal/store/registry"
	"razao/internal/testing/fixture"
)

// entity is a line of an export as FollowTheMoney.
type entity struct {
	ID, Schema string
	Properties map[string][]string
}

func (s *service) entities(t *testing.T, path string) (all []entity) {
	t.Helper()
	got := s.do(t, "GET", path+"formato=ftm")
	if got.status != http.StatusOK || got.header.Get("Content-Type") != "application/x-ndjson" {
		t.Fatalf("%s: status %d, %s", path, got.status, got.header.Get("Content-Type"))
	}
	for line := range bytes.Lines(got.body) {
		var e entity
		if err := json.Unmarshal(line, &e); err != nil || !bytes.HasSuffix(line, []byte("}\n")) {
			t.Fatalf("%v: %s", err, line)
		}
		all = append(all, e)
	}
	return all
}

// statement is a statement of an export as BODS.
type statement struct {
	StatementID, StatementDate, DeclarationSubject, RecordID, RecordType string
	RecordDetails                                                        struct {
		IsComponent              *bool
		EntityType               struct{ Type string }
		UnspecifiedEntityDetails struct{ Reason string }
		PersonType               string
		UnspecifiedPersonDetails struct{ Reason string }
		Name                     string
		Names                    []struct{ FullName string }
		Jurisdiction             *struct{ Name, Code string }
		Addresses                []struct{ Country struct{ Name, Code string } }
		Subject, InterestedParty string
		Interests                []struct {
			Type, DirectOrIndirect, Details, StartDate string
			BeneficialOwnershipOrControl               *bool
		}
	}
	Annotations        []struct{ Motivation, Description string }
	PublicationDetails struct {
		PublicationDate, BODSVersion string
		Publisher                    struct{ Name string }
	}
	Source struct{ Type []string }
}

func (s *service) statements(t *testing.T, path string) (all []statement) {
	t.Helper()
	got := s.do(t, "GET", path+"formato=bods")
	if got.status != http.StatusOK || got.header.Get("Content-Type") != "application/vnd.bods+json; charset=utf-8" {
		t.Fatalf("%s: status %d, %s", path, got.status, got.header.Get("Content-Type"))
	}
	if err := json.Unmarshal(got.body, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

// exported are networks of all kinds of members and ties.
var exported = []string{
	"/v2/empresas/" + fixture.Bakery + "/rede?",
	"/v2/empresas/" + fixture.Bakery + "/rede?profundidade=4&representantes=sim&",
	"/v2/empresas/" + fixture.Bakery + "/rede?representantes=sim&limite=2&",
	"/v2/empresas/" + fixture.Holding + "/rede?profundidade=2&",
	"/v2/empresas/" + fixture.Chain + "/rede?representantes=sim&limite=500&",
	"/v2/empresas/" + fixture.Abroad + "/rede?",
	"/v2/empresas/" + fixture.Homeless + "/rede?",
	"/v2/empresas/" + fixture.Nameless + "/rede?",
	"/v2/grupos/" + fixture.Bakery + "?",
}

// eachExport calls check for the exported networks, and for one with a partner of each part in a company.
func eachExport(t *testing.T, check func(s *service, path string)) {
	t.Helper()
	s := read(t, fixture.SharedRecords(t))
	for _, path := range exported {
		check(s, path)
	}
	check(qualifications(t, "49", "10", "08", "13", "17", "53", "69", "00"), "/v2/empresas/20000001/rede?representantes=sim&")
}

// qualifications makes a company with a partner of each of these qualifications, and more of all kinds.
func qualifications(t *testing.T, codes ...string) *service {
	t.Helper()
	const company, holder = "20000001", "20000002"
	var rows [][]string
	for i, code := range codes {
		row := fixture.PersonRow(company, "456789", "SOCIA INVENTADA "+string(rune('A'+i)))
		row[4] = code
		rows = append(rows, row)
	}
	unidentified := fixture.PersonRow(company, "", "")
	unidentified[3] = ""
	rows = append(rows, unidentified, fixture.CompanyRow(company, holder, "777888", "PROCURADOR FICTICIO"), fixture.ForeignRow(company, "249", "ACME INC"))
	l := fixture.Empty(t)
	l.Publish(t, fixture.Network(t, []string{company, holder}, rows))
	return start(t, l)
}

// The short lists of the standards that exports use, and the ends of each kind of tie.
var (
	nodeSchemata  = []string{"Company", "LegalEntity", "Person"}
	edgeEnds      = map[string][2]string{"Ownership": {"owner", "asset"}, "Directorship": {"director", "organization"}, "Representation": {"agent", "client"}, "UnknownLink": {"subject", "object"}}
	companyOnly   = []string{"asset", "organization"} // properties whose values must be companies
	interestTypes = []string{"boardMember", "controlByLegalFramework", "otherInfluenceOrControl", "seniorManagingOfficial", "shareholding", "unknownInterest"}
	entityTypes   = []string{"legalEntity", "registeredEntity", "unknownEntity"}
	directness    = []string{"direct", "unknown"}
)

// TestExportsAsFollowTheMoney: every line is an entity of a known schema with an identifier of its own, and the
// ends of every tie are in the file.
func TestExportsAsFollowTheMoney(t *testing.T) {
	t.Parallel()
	check := func(s *service, path string) {
		nodes, ids := map[string]string{}, map[string]bool{}
		all := s.entities(t, path)
		for _, e := range all {
			if ids[e.ID] || !regexp.MustCompile(`^razao-[0-9A-Za-z-]*[0-9A-Za-z]$`).MatchString(e.ID) {
				t.Errorf("%s: id %q", path, e.ID)
			}
			ids[e.ID] = true
			for name, values := range e.Properties {
				if len(values) == 0 || slices.Contains(values, "") {
					t.Errorf("%s: %s of %s is %q", path, name, e.ID, values)
				}
			}
			if slices.Contains(nodeSchemata, e.Schema) {
				nodes[e.ID] = e.Schema
				if len(e.Properties["name"]) != 1 {
					t.Errorf("%s: %s has no name", path, e.ID)
				}
			}
		}
		for _, e := range all {
			ends, edge := edgeEnds[e.Schema]
			if _, node := nodes[e.ID]; !edge && !node {
				t.Errorf("%s: schema %s", path, e.Schema)
			}
			for _, end := range ends {
				if !edge {
					continue
				}
				if at := e.Properties[end]; len(at) != 1 || nodes[at[0]] == "" || slices.Contains(companyOnly, end) && nodes[at[0]] != "Company" {
					t.Errorf("%s: %s of %s is %q", path, end, e.ID, at)
				}
			}
			if share := e.Properties["percentage"]; share != nil {
				t.Errorf("%s: a share, %q", path, share)
			}
		}
	}
	eachExport(t, check)
}

// TestExportsAsBODS: statements have what 0.4 requires and values of its codelists, members come before
// their ties, and nobody is said to be a beneficial owner.
func TestExportsAsBODS(t *testing.T) {
	t.Parallel()
	check := func(s *service, path string) {
		ids, records := map[string]bool{}, map[string]string{}
		for _, st := range s.statements(t, path) {
			if len(st.StatementID) < 32 || len(st.StatementID) > 64 || ids[st.StatementID] || records[st.RecordID] != "" || st.RecordID == "" {
				t.Errorf("%s: statement %q, record %q", path, st.StatementID, st.RecordID)
			}
			ids[st.StatementID], records[st.RecordID] = true, st.RecordType
			d := &st.RecordDetails
			if st.StatementDate != fixture.Month+"-01" || records[st.DeclarationSubject] != "entity" || d.IsComponent == nil || *d.IsComponent ||
				st.PublicationDetails.BODSVersion != "0.4" || st.PublicationDetails.PublicationDate == "" || st.PublicationDetails.Publisher.Name == "" ||
				!slices.Equal(st.Source.Type, []string{"officialRegister"}) {
				t.Errorf("%s: %+v", path, st)
			}
			for _, a := range st.Annotations {
				if a.Motivation != "commenting" || a.Description == "" {
					t.Errorf("%s: %+v", path, a)
				}
			}
			switch st.RecordType {
			case "entity":
				if unknown := d.EntityType.Type == "unknownEntity"; !slices.Contains(entityTypes, d.EntityType.Type) || unknown != (d.UnspecifiedEntityDetails.Reason == "informationUnknownToPublisher") {
					t.Errorf("%s: %+v", path, d)
				}
			case "person":
				known := d.PersonType == "knownPerson" && len(d.Names) == 1 && d.Names[0].FullName != "" && d.UnspecifiedPersonDetails.Reason == ""
				if unknown := d.PersonType == "unknownPerson" && d.Names == nil && d.UnspecifiedPersonDetails.Reason == "informationUnknownToPublisher"; known == unknown {
					t.Errorf("%s: %+v", path, d)
				}
			case "relationship":
				if records[d.Subject] != "entity" || records[d.InterestedParty] == "" || records[d.InterestedParty] == "relationship" || len(d.Interests) == 0 {
					t.Errorf("%s: %+v", path, d)
				}
				for _, i := range d.Interests {
					if !slices.Contains(interestTypes, i.Type) || !slices.Contains(directness, i.DirectOrIndirect) || i.Details == "" || i.BeneficialOwnershipOrControl != nil && *i.BeneficialOwnershipOrControl {
						t.Errorf("%s: %+v", path, i)
					}
				}
			default:
				t.Errorf("%s: type %q", path, st.RecordType)
			}
		}
	}
	eachExport(t, check)
}

// TestQualificationsInExports: what a qualification says decides what a tie is.
func TestQualificationsInExports(t *testing.T) {
	t.Parallel()
	codes := []string{"49", "10", "08", "13", "17", "53", "69"}
	s := qualifications(t, codes...)
	links, interests := map[string]string{}, map[string]string{}
	const path = "/v2/empresas/20000001/rede?"
	for _, e := range s.entities(t, path) {
		if ends, edge := edgeEnds[e.Schema]; edge {
			links[e.Properties[ends[0]][0]] = e.Schema
		}
	}
	unsaid := 0
	for _, st := range s.statements(t, path) {
		for _, i := range st.RecordDetails.Interests {
			interests["razao-"+st.RecordDetails.InterestedParty] = i.Type
			if i.BeneficialOwnershipOrControl == nil {
				unsaid++
			}
			if (i.Type == "shareholding") != strings.Contains(i.Details, "não publica o percentual") {
				t.Errorf("%+v", i)
			}
		}
	}
	for i, want := range [][2]string{
		{"Ownership", "shareholding"},
		{"Directorship", "seniorManagingOfficial"},
		{"Directorship", "boardMember"},
		{"Directorship", "controlByLegalFramework"},
		{"Representation", "otherInfluenceOrControl"},
		{"UnknownLink", "unknownInterest"},
		{"UnknownLink", "unknownInterest"},
	} {
		id := "razao-456789-socia-inventada-" + string(rune('a'+i))
		if links[id] != want[0] || interests[id] != want[1] {
			t.Errorf("qualification %s: %s, %s, want %s", codes[i], links[id], interests[id], want)
		}
	}
	if unsaid != 1 {
		t.Errorf("%d interests leave open who benefits, want that of the final beneficiary", unsaid)
	}
}

// party is what the exports say of a member.
type party struct{ schema, country, address, kind, place string }

// TestPartiesOfExports: somebody abroad or without a document is what his rows say, of the country of the official table; nobody is given a name.
func TestPartiesOfExports(t *testing.T) {
	t.Parallel()
	const company, other, nameless, absent = "20000001", "20000002", "20000003", "29999999"
	abroad := func(company, qualification, country, name string) []string {
		row := fixture.ForeignRow(company, country, name)
		row[4] = qualification
		return row
	}
	without := func(company, kind, name string) []string {
		row := fixture.PersonRow(company, "", name)
		row[1], row[3] = kind, ""
		return row
	}
	represented := without(nameless, "2", "")
	represented[7], represented[8], represented[9] = "***777888**", "PROCURADOR FICTICIO", "17"
	l := fixture.Empty(t)
	l.Publish(t, fixture.Network(t, []string{company, other, nameless}, [][]string{
		abroad(company, "37", "249", "ACME INC"), abroad(company, "38", "275", "JEAN FICTIF"), abroad(company, "22", "840", "QUEM SABE"),
		abroad(company, "37", "237", "AMBOS LTD"), abroad(other, "38", "237", "AMBOS LTD"), abroad(company, "38", "", "SEM PAIS"),
		without(company, "2", "PESSOA SEM CPF"), without(other, "1", "SOCIEDADE SEM CNPJ"), without(other, "3", ""), represented,
		fixture.CompanyRow(company, absent, "777888", "PROCURADOR FICTICIO"),
		fixture.CompanyRow(other, company, "777888", "PROCURADOR FICTICIO"), fixture.CompanyRow(nameless, company, "777888", "PROCURADOR FICTICIO"),
	}))
	s := start(t, l)
	const path = "/v2/empresas/" + company + "/rede?profundidade=2&representantes=sim&"
	got := map[string]party{}
	at := func(id string) party { return got[strings.TrimPrefix(id, "razao-")] }
	set := func(id string, p party) { got[strings.TrimPrefix(id, "razao-")] = p }
	edges := map[string]string{}
	for _, e := range s.entities(t, path) {
		for name, values := range e.Properties {
			if _, edge := edgeEnds[e.Schema]; !edge && slices.ContainsFunc(values, func(v string) bool { return strings.Contains(v, "sem-") }) {
				t.Errorf("%s of %s is invented: %q", name, e.ID, values)
			}
		}
		if ends, edge := edgeEnds[e.Schema]; edge {
			edges[e.Properties[ends[0]][0]+" "+e.Properties[ends[1]][0]] = e.Schema
			continue
		}
		set(e.ID, party{schema: e.Schema, country: strings.Join(e.Properties["country"], ","), address: strings.Join(e.Properties["address"], ",")})
		if e.ID == "razao-"+nameless && !slices.Contains(e.Properties["notes"], "Fora deste arquivo, que pede nomes: 1 sócio sem nome publicado.") {
			t.Errorf("the company of a nameless partner says %q", e.Properties["notes"])
		}
	}
	for _, st := range s.statements(t, path) {
		if d := st.RecordDetails; st.RecordType != "relationship" {
			p := at(st.RecordID)
			p.kind = d.EntityType.Type + d.PersonType
			for _, a := range d.Addresses {
				p.place = a.Country.Name + " " + a.Country.Code
			}
			set(st.RecordID, p)
		}
	}
	for id, want := range map[string]party{
		company:                           {"Company", "br", "CAMPINAS, SP", "registeredEntity", "Brasil BR"},
		absent:                            {"Company", "", "", "registeredEntity", ""},
		"ex-249-acme-inc":                 {"Company", "us", "", "legalEntity", "ESTADOS UNIDOS US"},
		"ex-275-jean-fictif":              {"Person", "fr", "", "knownPerson", "FRANCA FR"},
		"ex-840-quem-sabe":                {"LegalEntity", "", "U.R.S.S.", "unknownEntity", "U.R.S.S. "},
		"ex-237-ambos-ltd":                {"LegalEntity", "ae", "", "unknownEntity", "DUBAI AE"},
		"ex-000-sem-pais":                 {"Person", "", "", "knownPerson", ""},
		"sem-20000001-pessoa-sem-cpf":     {"Person", "", "", "knownPerson", ""},
		"sem-20000002-sociedade-sem-cnpj": {"Company", "", "", "legalEntity", ""},
		"sem-20000002-":                   {"", "", "", "unknownEntity", ""},
		"sem-20000003-":                   {"", "", "", "unknownPerson", ""},
	} {
		if got[id] != want {
			t.Errorf("%s: %+v, want %+v", id, got[id], want)
		}
	}
	if got := edges["razao-777888-procurador-ficticio razao-"+nameless]; got != "UnknownLink" {
		t.Errorf("the representative of a nameless partner is tied to the company by %q", got)
	}
}

// TestExportsOfALoad: the same load gives the same bytes, whatever is published and served in between.
func TestExportsOfALoad(t *testing.T) {
	t.Parallel()
	l := fixture.Empty(t)
	release := fixture.Network(t, []string{"20000001", "20000002"}, [][]string{
		fixture.PersonRow("20000001", "456789", "MARTA FIGUEIRA INVENTADA"), fixture.CompanyRow("20000001", "20000002", "777888", "PROCURADOR FICTICIO"),
	})
	l.Publish(t, release)
	s := start(t, l)
	export := func(format string) []byte {
		t.Helper()
		got := s.do(t, "GET", "/v2/empresas/20000001/rede?representantes=sim&formato="+format)
		if got.status != http.StatusOK {
			t.Fatalf("status %d: %s", got.status, got.body)
		}
		return got.body
	}
	before := map[string][]byte{"ftm": export("ftm"), "bods": export("bods")}
	l.Publish(t, release)
	for format, was := range before {
		if bytes.Equal(export(format), was) {
			t.Errorf("%s: another load is not told from the first", format)
		}
	}
	if _, err := l.Ingester.Rollback(t.Context(), registry.Receita); err != nil {
		t.Fatal(err)
	}
	if err := l.Live.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	for format, was := range before {
		if diff := cmp.Diff(string(was), string(export(format))); diff != "" {
			t.Errorf("%s of the same load: %s", format, diff)
		}
	}
}

// TestIdentifiersOfExports are the same in the next load; statements about another load are others.
func TestIdentifiersOfExports(t *testing.T) {
	t.Parallel()
	const path = "/v2/empresas/20000001/rede?representantes=sim&"
	publish := func(l *fixture.Loaded) {
		l.Publish(t, fixture.Network(t, []string{"20000001", "20000002"}, [][]string{
			fixture.PersonRow("20000001", "456789", "MARTA FIGUEIRA INVENTADA"), fixture.CompanyRow("20000001", "20000002", "777888", "PROCURADOR FICTICIO"),
		}))
	}
	l := fixture.Empty(t)
	publish(l)
	s := start(t, l)
	ids := func() (entities, records, statements []string) {
		for _, e := range s.entities(t, path) {
			entities = append(entities, e.ID)
		}
		for _, st := range s.statements(t, path) {
			records, statements = append(records, st.RecordID), append(statements, st.StatementID)
		}
		return entities, records, statements
	}
	entities, records, statements := ids()
	_, _, again := ids()
	if diff := cmp.Diff(statements, again); diff != "" || len(statements) == 0 {
		t.Errorf("the same statements have other identifiers: %s", diff)
	}
	publish(l)
	sameEntities, sameRecords, others := ids()
	if diff := cmp.Diff(entities, sameEntities) + cmp.Diff(records, sameRecords); diff != "" {
		t.Error(diff)
	}
	for _, id := range others {
		if slices.Contains(statements, id) {
			t.Errorf("statement %s is of two loads", id)
		}
	}
}

// TestExportsHaveNoMoreOfPersons: of a person there is what the JSON has of him, and no field for anything else.
func TestExportsHaveNoMoreOfPersons(t *testing.T) {
	t.Parallel()
	s := read(t, fixture.SharedRecords(t))
	for _, path := range exported {
		plain := string(s.do(t, "GET", strings.TrimRight(path, "?&")).body)
		for _, e := range s.entities(t, path) {
			if e.Schema != "Person" {
				continue
			}
			allowed := []string{"name", "notes", "publisher", "retrievedAt", "sourceUrl"}
			for name, values := range e.Properties {
				if !slices.Contains(allowed, name) {
					t.Errorf("%s: %s of a person: %q", path, name, values)
				}
			}
			id := strings.TrimPrefix(e.ID, "razao-")
			cpf, published := strings.CutPrefix(strings.Join(e.Properties["notes"][1:], "\n"), "CPF mascarado, como publicado: ")
			if digits := !strings.HasPrefix(id, "sem-"); digits != published || digits && (cpf != "***"+id[:6]+"**" || !strings.Contains(plain, cpf)) {
				t.Errorf("%s: not in the JSON: %+v", path, e)
			}
			if !strings.Contains(plain, `"`+e.Properties["name"][0]+`"`) {
				t.Errorf("%s: not in the JSON: %+v", path, e)
			}
			if !strings.Contains(e.Properties["notes"][0], "homônimos") {
				t.Errorf("%s: no warning", path)
			}
		}
		var raw []struct {
			RecordID      string
			RecordType    string
			RecordDetails map[string]any
			Annotations   []struct{ Description string }
		}
		if err := json.Unmarshal(s.do(t, "GET", path+"formato=bods").body, &raw); err != nil {
			t.Fatal(err)
		}
		for _, st := range raw {
			if st.RecordType != "person" {
				continue
			}
			if got := slices.Sorted(maps.Keys(st.RecordDetails)); !slices.Equal(got, []string{"isComponent", "names", "personType"}) {
				t.Errorf("%s: fields of a person: %q", path, got)
			}
			digits := !strings.HasPrefix(st.RecordID, "sem-")
			if len(st.Annotations) < 1 || !strings.Contains(st.Annotations[0].Description, "homônimos") || digits != (len(st.Annotations) > 1 && strings.HasPrefix(st.Annotations[1].Description, "CPF mascarado")) {
				t.Errorf("%s: no warning: %v", path, st.Annotations)
			}
		}
	}
}

// TestExportsSayWhatTheyLeaveOut: bounds of a network are told at the member.
func TestExportsSayWhatTheyLeaveOut(t *testing.T) {
	t.Parallel()
	s := read(t, fixture.SharedRecords(t))
	const path, remark = "/v2/empresas/" + fixture.Bakery + "/rede?limite=1&", "Fora desta rede, pelos limites dela: 2 sócios"
	if all := s.entities(t, path); len(all) != 1 || !strings.Contains(strings.Join(all[0].Properties["notes"], " "), remark) {
		t.Errorf("%+v", all)
	}
	if all := s.statements(t, path); len(all) != 1 || len(all[0].Annotations) != 2 || !strings.Contains(all[0].Annotations[1].Description, remark) {
		t.Errorf("%+v", all)
	}
}

// TestFormats: json is what there is without the parameter, others are refused, and each has its own tag.
func TestFormats(t *testing.T) {
	t.Parallel()
	s := read(t, fixture.SharedRecords(t))
	tags := map[string]bool{}
	for _, path := range []string{"/v2/empresas/" + fixture.Bakery + "/rede", "/v2/grupos/" + fixture.Bakery} {
		if plain, named := s.do(t, "GET", path), s.do(t, "GET", path+"?formato=json"); !bytes.Equal(plain.body, named.body) {
			t.Errorf("%s: json is something else", path)
		}
		for _, format := range []string{"ftm", "bods"} {
			got := s.do(t, "GET", path+"?formato="+format)
			tag := got.header.Get("ETag")
			if tag == "" || tags[tag] {
				t.Errorf("%s as %s: tag %q", path, format, tag)
			}
			tags[tag] = true
			if again := s.do(t, "GET", path+"?formato="+format, "If-None-Match", tag); again.status != http.StatusNotModified {
				t.Errorf("%s as %s again: %d", path, format, again.status)
			}
			checkError(t, s.do(t, "GET", strings.Replace(path, fixture.Bakery, "99999999", 1)+"?formato="+format), 404, "cnpj_nao_encontrado")
		}
		for _, format := range []string{"", "xml", "FTM"} {
			checkError(t, s.do(t, "GET", path+"?formato="+format), 400, "parametro_invalido")
		}
	}
}

var (
	loadedOn    = regexp.MustCompile(`"(retrievedAt|publicationDate)":(\[?)"20\d\d-\d\d-\d\d"`)
	statementID = regexp.MustCompile(`"statementId":"[0-9a-f]{32}"`)
)

// TestExportsOfCompanies compares exports with golden files. The day of the load differs from one run to the next, and with
// it the identifiers of statements.
func TestExportsOfCompanies(t *testing.T) {
	t.Parallel()
	s := read(t, fixture.SharedRecords(t))
	for file, path := range map[string]string{
		"v2_rede":  "/v2/empresas/" + fixture.Bakery + "/rede?profundidade=2&representantes=sim&formato=",
		"v2_grupo": "/v2/grupos/" + fixture.Holding + "?formato=",
	} {
		for _, format := range []string{"ftm", "bods"} {
			body := s.do(t, "GET", path+format).body
			if format == "ftm" {
				lines := bytes.Split(bytes.TrimSpace(body), []byte("\n"))
				body = slices.Concat([]byte("["), bytes.Join(lines, []byte(",")), []byte("]"))
			}
			body = loadedOn.ReplaceAll(body, []byte(`"$1":$2"2026-10-01"`))
			golden(t, "testdata/"+file+"_"+format+".json", statementID.ReplaceAll(body, []byte(`"statementId":"00000000000000000000000000000000"`)))
		}
	}
}
