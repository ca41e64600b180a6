package network

import (
	"cmp"
	"slices"
	"strings"

	"github.com/a-h/templ"

	"razao/internal/data/ptbr"
	"razao/internal/data/record"
	"razao/internal/store/network"
	"razao/internal/store/networks"
	"razao/internal/store/snapshot"
	"razao/internal/store/wording"
	"razao/site/chart"
	"razao/site/page"
)

// member is an actor as people read it.
type member struct {
	networks.Member
	Name     string
	Document string // CNPJ of the company, or the masked CPF; "" if none is published
	URL      string // of the company's page, or the partner's; "" for none
	Further  string // of the company's network; "" for others
	City     string
	Status   wording.Status // of a company's head office; Text "" without one
	Several  string         // that it is several persons; "" if nothing says so
}

// memberOf puts a member into words.
func (hs *Handlers) memberOf(snap *snapshot.Snapshot, m *networks.Member) member {
	w := member{Member: *m, Name: ptbr.Person(m.Name), Several: wording.Homonyms(m)}
	switch m.Kind {
	case network.Company:
		w.Document = m.Root.Masked()
		if w.Name = ptbr.Company(cmp.Or(m.Name, m.Called)); m.Head != nil {
			w.URL, w.Further = "/"+m.Root.String(), "/"+m.Root.String()+networkPath
			if m.Head.Company.RazaoSocial != "" {
				w.Name = ptbr.Holder(m.Root, m.Head.Company.RazaoSocial, m.Head.Individual())
			}
		}
		if w.Name == "" {
			w.Name = w.Document
		}
		if m.Office != nil {
			w.Document = m.Office.CNPJ.Masked()
			w.URL = "/" + m.Office.CNPJ.String()
			w.City, w.Status = wording.CityOf(hs.atlas, snap, m.Office), wording.StatusOf(snap, m.Office)
		}
	case network.Person:
		w.Document, w.URL = record.MaskCPF(m.Digits), page.PartnerPath(m.Digits, m.Slug)
	case network.Foreigner:
		w.Document = wording.Describe(snap, record.DomainPais, m.Country)
		w.URL = page.ForeignerPath(m.Country, m.Slug)
	}
	return w
}

// kindText says what a member is.
func (m *member) kindText() string {
	switch m.Kind {
	case network.Company:
		if m.Head == nil {
			return "Empresa que não consta da carga"
		}
		return "Empresa"
	case network.Person:
		return "Pessoa"
	case network.Foreigner:
		return "No exterior"
	}
	return "Sem documento"
}

// person reports whether a member is, or may be, a natural person: then namesakes are warned of.
func (m *member) person() bool { return m.Kind != network.Company }

// row is a tie in the table.
type row struct {
	Holder, Company member
	Roles           []string
	Rows            string // numbers of the rows among the company's partners
}

// rowOf puts a tie into words.
func rowOf(snap *snapshot.Snapshot, t *networks.Tie, holder, company member) row {
	r := row{Holder: holder, Company: company, Roles: rolesOf(snap, t)}
	var numbers []string
	for i := range t.Evidence {
		numbers = append(numbers, ptbr.Count(t.Evidence[i].Number))
	}
	r.Rows = ptbr.Join(", ", numbers...)
	return r
}

// rolesOf says what each row of a tie makes of the holder.
func rolesOf(snap *snapshot.Snapshot, t *networks.Tie) (roles []string) {
	for i := range t.Evidence {
		roles = append(roles, wording.TieOf(snap, &t.Evidence[i]))
	}
	return roles
}

// view is a network in words: the rows of its table, its drawing, and what it leaves out.
type view struct {
	Members []member
	Rows    []row
	Drawing *chart.Network // nil: there is nothing to draw
	Undrawn int            // members that the drawing has no room for
	Omitted []string
	More    bool // there is more than the rows have: their numbers are not totals
}

// scripts are those of a page with a drawing: to print it, to zoom, and to save it as PNG.
func scripts() templ.Component { return templ.Join(page.Script("copy.js"), page.Script("drawing.js")) }

// viewOf puts a network into words. about is who the page is about.
func (hs *Handlers) viewOf(snap *snapshot.Snapshot, n *networks.Network, title string, about ...network.Actor) view {
	v := view{Drawing: &chart.Network{Title: title}, More: !n.Whole()}
	at := map[network.Actor]int{}
	for i := range n.Members {
		m := hs.memberOf(snap, &n.Members[i])
		current := slices.Contains(about, m.Actor)
		if current {
			m.Further = "" // it is this page
		}
		at[m.Actor] = i
		v.Members = append(v.Members, m)
		if i >= chart.MostNodes {
			v.Undrawn++
			continue
		}
		node := chart.Node{Text: m.Name, Kind: "company", URL: m.Further, Current: current}
		switch m.Kind {
		case network.Person, network.Unidentified:
			node.Kind, node.URL = "person", m.URL
		case network.Foreigner:
			node.Kind, node.URL = "abroad", m.URL
		}
		v.Drawing.Nodes = append(v.Drawing.Nodes, node)
	}
	for i := range n.Ties {
		t := &n.Ties[i]
		from, to := at[t.Holder], at[network.CompanyOf(t.Company)]
		r := rowOf(snap, t, v.Members[from], v.Members[to])
		v.Rows = append(v.Rows, r)
		if from < chart.MostNodes && to < chart.MostNodes {
			v.Drawing.Edges = append(v.Drawing.Edges, chart.Edge{
				From: from, To: to, Weak: t.Represents(), Text: r.Holder.Name + " em " + r.Company.Name + ": " + strings.Join(r.Roles, "; "),
			})
		}
	}
	for i := range n.Contacts {
		v.contact(&n.Contacts[i], at)
	}
	if len(v.Rows) == 0 {
		v.Drawing = nil
	}
	if n.Cut {
		v.Omitted = append(v.Omitted, "A rede tem mais do que está aqui: a procura parou no trabalho que uma consulta pode ter.")
	}
	if n.Gap != "" {
		v.Omitted = append(v.Omitted, "A rede pode ter mais do que está aqui: a publicação foi lida sem "+n.Gap+".")
	}
	for _, o := range n.Omitted {
		name := v.Members[at[o.At]].Name
		if o.Partners > 0 {
			v.Omitted = append(v.Omitted, name+" tem mais "+ptbr.Counted(o.Partners, "sócio", "sócios")+" que não estão aqui.")
		}
		if o.Companies > 0 {
			v.Omitted = append(v.Omitted, name+" está em mais "+ptbr.Counted(o.Companies, "empresa", "empresas")+" que não estão aqui.")
		}
	}
	return v
}

// contactWords are the kinds of contacts.
var contactWords = [...]string{networks.Telephone: "telefone", networks.Email: "e-mail", networks.EmailDomain: "domínio de e-mail", networks.StreetAddress: "endereço"}

// contact adds a contact in common: a row and a line for each who publishes it.
func (v *view) contact(c *networks.Contact, at map[network.Actor]int) {
	if c.Common {
		v.Omitted = append(v.Omitted, "Mais de "+ptbr.Count(networks.MostSharing)+" outras empresas publicam o "+contactWords[c.Kind]+" "+c.Text+", que assim não diz quem está por trás.")
	}
	from := at[network.CompanyOf(c.Of)]
	for _, other := range c.Others {
		to := at[network.CompanyOf(other.Root())]
		r := row{Holder: v.Members[from], Company: v.Members[to], Roles: []string{"Mesmo " + contactWords[c.Kind] + ": " + c.Text}}
		v.Rows = append(v.Rows, r)
		if from < chart.MostNodes && to < chart.MostNodes {
			v.Drawing.Edges = append(v.Drawing.Edges, chart.Edge{From: from, To: to, Weak: true, Symmetric: true, Text: r.Holder.Name + " e " + r.Company.Name + ": " + r.Roles[0]})
		}
	}
}

// yetMore follows a number that is no total.
func (v *view) yetMore() string { return page.When(v.More, ", e há mais") }

// dashed reports whether the drawing has lines of other ties than those of partners.
func (v *view) dashed() bool {
	return slices.ContainsFunc(v.Drawing.Edges, func(e chart.Edge) bool { return e.Weak })
}

// hasPersons reports whether somebody in the table is not a company.
func (v *view) hasPersons() bool {
	for i := range v.Members {
		if v.Members[i].person() {
			return true
		}
	}
	return false
}
