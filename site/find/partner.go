package find

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"

	"razao/internal/data/ptbr"
	"razao/internal/data/record"
	"razao/internal/store/network"
	"razao/internal/store/networks"
	"razao/internal/store/registry"
	"razao/internal/store/snapshot"
	"razao/internal/store/wording"
	"razao/site/page"
)

// mostListed is how many ties of a partner his page lists: accountants represent thousands.
const mostListed = 500

// fileCalls is how many calls' worth of work the file has: ten thousand companies with a few partners each.
const fileCalls = 10

// partnerFile follows the path of a partner's page.
const partnerFile = "/empresas.csv"

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
	CSV      string // address of all of them as a file
	Through  string // the network around him, for the API: his id
	Several  string // that the companies name several persons; "" if nothing says so
}

// partner answers /socio/{d6}/{sl}: six digits, or ex- and a country, and a name. A name that is not in
// slug form is redirected.
func (hs *Handlers) partner(c *gin.Context, snap *snapshot.Snapshot) (page.Reply, error) {
	who, err := partnerOf(c)
	if err != nil {
		return page.Reply{}, err
	}
	given, name := c.Param("d6"), ptbr.Slug(c.Param("sl"))
	if moved, ok := page.Moved(c, page.PartnerPath(given, name)); ok {
		return moved, nil
	}
	n, err := naming(c.Request.Context(), snap, who, mostListed, nil)
	if err != nil {
		return page.Reply{}, err
	}
	p := &partnerPage{Person: who.Kind == network.Person, Left: n.Total - n.Next, Through: who.ID()}
	if p.Document = wording.Describe(snap, record.DomainPais, who.Country); p.Person {
		p.Document, p.Follow = record.MaskCPF(who.Digits), who.Digits+"/"+who.Slug
	}
	p.fill(hs, snap, n.Network)
	p.describe(given, name)
	p.CSV = p.Canonical + partnerFile
	return page.Reply{Page: p}, nil
}

// partnerOf reads whom a path names. The error is page.ErrUnknownPath.
func partnerOf(c *gin.Context) (network.Actor, error) {
	who, ok := network.ParseID(c.Param("d6") + "-" + ptbr.Slug(c.Param("sl")))
	if !ok || who.Kind == network.Company {
		return network.Actor{}, page.ErrUnknownPath
	}
	return who, nil
}

// naming reads the first most ties of somebody, as many as a budget pays for. Without any the error is page.ErrUnknownPath.
func naming(ctx context.Context, snap *snapshot.Snapshot, who network.Actor, most int, b *snapshot.Budget) (*networks.NamingPage, error) {
	n, err := networks.Naming(ctx, snap, who, registry.Range{Limit: most}, b)
	if err == nil && len(n.Ties) == 0 {
		if err = networks.Nobody(snap); errors.Is(err, networks.ErrNobody) {
			err = page.ErrUnknownPath
		}
	}
	return n, err
}

// partnerCSV answers /socio/{d6}/{sl}/empresas.csv: the companies of the page, beyond those that it
// lists, too.
func (hs *Handlers) partnerCSV(c *gin.Context, snap *snapshot.Snapshot) (page.Table, error) {
	who, err := partnerOf(c)
	if err != nil {
		return page.Table{}, err
	}
	n, err := naming(c.Request.Context(), snap, who, page.MaxWhole, snapshot.NewBudget(fileCalls, 0, nil))
	if err != nil {
		return page.Table{}, err
	}
	given, name := c.Param("d6"), ptbr.Slug(c.Param("sl"))
	rows := hs.heldBy(snap, n.Network)
	t := page.TableOf(ExportedPartner(), exportedPartner(), rows, ptbr.Join("-", "socio", given, name, snap.Load.Period), page.PartnerPath(given, name))
	t.More = n.Next < n.Total
	return t, nil
}

// ExportedPartner describes the columns of /socio/{d6}/{sl}/empresas.csv for the data dictionary.
func ExportedPartner() record.Table {
	return record.Table{
		Name: "socio.csv", Title: "Empresas de um sócio", Fields: exportedPartner().Fields(),
		About: "Em /socio/{d6}/{sl}/empresas.csv: as empresas que nomeiam alguém com este nome e documento, até 10.000, para quem entrou na conta. Pessoas diferentes podem ter o mesmo nome e os mesmos seis dígitos do CPF.",
	}
}

// exportedPartner returns the columns of a list of companies, and the tie.
func exportedPartner() page.Columns[*held] {
	all := page.Columns[*held]{
		page.NewColumn("vinculo", record.Text, "qualificação e data de entrada, em cada linha do quadro societário", func(h *held) string { return h.tie }),
	}
	for _, column := range Columns() {
		all = append(all, page.Column[*held]{Field: column.Field, Of: func(h *held) string { return column.Of(h.Row) }})
	}
	return all
}

// held is a company that names somebody.
type held struct {
	*Row
	tie string // roles, in words
}

// heldBy returns the companies of a network that name its first member: active ones first, then the
// largest.
func (hs *Handlers) heldBy(snap *snapshot.Snapshot, n *networks.Network) []*held {
	roles := map[network.Actor][]string{}
	for i := range n.Ties {
		company := network.CompanyOf(n.Ties[i].Company)
		roles[company] = nil
		for k := range n.Ties[i].Evidence {
			roles[company] = append(roles[company], wording.TieOf(snap, &n.Ties[i].Evidence[k]))
		}
	}
	var all []*held
	for i := range n.Members[1:] {
		if m := &n.Members[1+i]; m.Head != nil && m.Office != nil {
			found := &snapshot.Match{Head: m.Head, Establishment: *m.Office}
			all = append(all, &held{NewRow(hs.atlas, snap, found), strings.Join(roles[m.Actor], "; ")})
		}
	}
	slices.SortStableFunc(all, func(a, b *held) int {
		active := func(h *held) int {
			if h.Establishment.Active() {
				return 0
			}
			return 1
		}
		return cmp.Or(cmp.Compare(active(a), active(b)), cmp.Compare(b.Company.CapitalSocial, a.Company.CapitalSocial))
	})
	return all
}

// describe fills in the frame. The page is about natural persons, so it is always noindex.
func (p *partnerPage) describe(given, name string) {
	p.NoIndex = true
	p.Title = ptbr.Join(", ", p.Name, "sócio "+p.Document)
	p.Description = "Empresas em cujo quadro societário publicado aparece " + ptbr.Join(" ", p.Name, page.Either(p.Person, "com o documento", "de"), p.Document) + "."
	p.Canonical = page.PartnerPath(given, name)
}

// fill lists the companies with the roles in each.
func (p *partnerPage) fill(hs *Handlers, snap *snapshot.Snapshot, n *networks.Network) {
	p.Unlisted = uncountedNote("Registros sem contagem", snap.Unlisted())
	p.Name, p.Several = ptbr.Person(n.Members[0].Name), wording.Homonyms(&n.Members[0])
	for _, h := range hs.heldBy(snap, n) {
		r := hs.resultOf(snap, h.Match)
		r.Reason = h.tie
		p.Results = append(p.Results, r)
	}
}
