package find

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"

	"razao/internal/data/ptbr"
	"razao/internal/data/record"
	"razao/internal/store/network"
	"razao/internal/store/registry"
	"razao/internal/store/snapshot"
	"razao/site/page"
	"razao/site/wording"
)

// mostListed is how many ties of a partner his page lists: accountants represent thousands.
const mostListed = 500

// partnerPage lists the companies that name somebody: a name and six visible digits of a CPF, or a name
// and a country. They may be different people.
type partnerPage struct {
	page.Frame
	Name     string // in title case
	Document string // as published: ***456789**, or the country
	Person   bool   // with a CPF
	Follow   string // value of a follow
	Results  []result
	Unlisted string // sources whose records the results do not count; "" for none
	Left     int    // further ties
	Through  string // the network around him, for the API: his id
}

// partner answers /socio/{d6}/{sl}: six digits, or ex- and a country, and a name. A name that is not in
// slug form is redirected.
func (hs *Handlers) partner(c *gin.Context, snap *snapshot.Snapshot) (page.Reply, error) {
	given, name := c.Param("d6"), ptbr.Slug(c.Param("sl"))
	who, ok := network.ParseID(given + "-" + name)
	if !ok || who.Kind == network.Company {
		return page.Reply{}, page.ErrUnknownPath
	}
	if moved, ok := page.Moved(c, page.PartnerPath(given, name)); ok {
		return moved, nil
	}
	n, total, err := snap.Naming(c.Request.Context(), who, registry.Range{Limit: mostListed})
	if err != nil {
		return page.Reply{}, err
	}
	if len(n.Ties) == 0 {
		return page.Reply{}, page.ErrUnknownPath
	}
	p := &partnerPage{Person: who.Kind == network.Person, Left: max(0, total-mostListed), Through: who.ID()}
	if p.Document = wording.Describe(snap, record.DomainPais, who.Country); p.Person {
		p.Document, p.Follow = record.MaskCPF(who.Digits), who.Digits+"/"+who.Slug
	}
	p.fill(hs, snap, n)
	p.describe(given, name)
	return page.Reply{Page: p}, nil
}

// describe fills in the frame. The page is about natural persons, so it is always noindex.
func (p *partnerPage) describe(given, name string) {
	p.NoIndex = true
	p.Title = ptbr.Join(", ", p.Name, "sócio "+p.Document)
	p.Description = "Empresas em cujo quadro societário publicado aparece " + p.Name + ptbr.Join(" ", "", page.Either(p.Person, "com o documento", "de"), p.Document) + "."
	p.Canonical = page.PartnerPath(given, name)
}

// fill lists the companies with the roles in each: active ones first, then the largest.
func (p *partnerPage) fill(hs *Handlers, snap *snapshot.Snapshot, n *snapshot.Network) {
	p.Unlisted = uncountedNote("Registros sem contagem", snap.Unlisted())
	p.Name = ptbr.Person(n.Members[0].Name)
	ties := map[network.Actor]*snapshot.Tie{}
	for i := range n.Ties {
		ties[network.CompanyOf(n.Ties[i].Company)] = &n.Ties[i]
	}
	companies := slices.DeleteFunc(slices.Clone(n.Members[1:]), func(m snapshot.Member) bool { return m.Head == nil || m.Office == nil })
	slices.SortStableFunc(companies, func(a, b snapshot.Member) int {
		active := func(m *snapshot.Member) int {
			if m.Office.Active() {
				return 0
			}
			return 1
		}
		return cmp.Or(cmp.Compare(active(&a), active(&b)), cmp.Compare(b.Head.Company.CapitalSocial, a.Head.Company.CapitalSocial))
	})
	for i := range companies {
		m := &companies[i]
		r := hs.resultOf(snap, &snapshot.Match{Head: m.Head, Establishment: *m.Office})
		var roles []string
		for _, e := range ties[m.Actor].Evidence {
			roles = append(roles, wording.TieOf(snap, &e))
		}
		r.Reason = strings.Join(roles, "; ")
		p.Results = append(p.Results, r)
	}
}
