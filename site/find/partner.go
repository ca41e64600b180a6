package find

import (
	"strings"

	"github.com/gin-gonic/gin"

	"razao/internal/data/ptbr"
	"razao/internal/data/record"
	"razao/internal/store/snapshot"
	"razao/site/page"
	"razao/site/wording"
)

// partnerPage lists the companies of all partners with one name and the same six visible CPF
// digits. They may be different people.
type partnerPage struct {
	page.Frame
	Name     string // in title case
	Document string // as published: ***456789**
	Follow   string // value of a follow
	Results  []result
	Unlisted string // sources whose records the results do not count; "" for none
	Cut      bool   // not all candidates were examined: the list may be incomplete
	Examined int64  // bound of the candidates examined
}

// partner answers /socio/{d6}/{sl}. A name that is not in slug form is redirected. No company is a
// 404 only when all candidates were examined.
func (hs *Handlers) partner(c *gin.Context, snap *snapshot.Snapshot) (page.Reply, error) {
	digits, name := c.Param("d6"), ptbr.Slug(c.Param("sl"))
	if !record.ValidDigits(digits) || name == "" {
		return page.Reply{}, page.ErrUnknownPath
	}
	if moved, ok := page.Moved(c, page.PartnerPath(digits, name)); ok {
		return moved, nil
	}
	p := &partnerPage{Document: record.MaskCPF(digits), Examined: snapshot.MaxExamined}
	found, complete, err := snap.Partnerships(c.Request.Context(), snapshot.Person{Document: p.Document, Slug: name})
	if err != nil {
		return page.Reply{}, err
	}
	p.Cut = !complete
	p.fill(hs, snap, found)
	switch {
	case len(p.Results) > 0:
	case p.Cut: // an unread candidate may have this partner: a 404 would be a claim
		p.Name = ptbr.Person(strings.ToUpper(strings.ReplaceAll(name, "-", " ")))
	default:
		return page.Reply{}, page.ErrUnknownPath
	}
	p.describe(digits, name)
	return page.Reply{Page: p}, nil
}

// describe fills in the frame. The page is about natural persons, so it is always noindex.
func (p *partnerPage) describe(digits, name string) {
	p.NoIndex = true
	p.Follow = digits + "/" + name
	p.Title = p.Name + ", sócio " + p.Document
	p.Description = "Empresas em cujo quadro societário publicado aparece " + p.Name + " com o documento " + p.Document + "."
	p.Canonical = page.PartnerPath(digits, name)
}

// fill lists the companies with the partner's role in each.
func (p *partnerPage) fill(hs *Handlers, snap *snapshot.Snapshot, partnerships []snapshot.Partnership) {
	p.Unlisted = uncountedNote("Registros sem contagem", snap.Unlisted())
	for i := range partnerships {
		found := &partnerships[i]
		r := hs.resultOf(snap, &snapshot.Match{Head: found.Head, Establishment: found.Office})
		var roles []string
		for i := range found.Partners {
			roles = append(roles, wording.RoleOf(snap, &found.Partners[i]))
		}
		r.Reason = strings.Join(roles, "; ")
		p.Results = append(p.Results, r)
	}
	if len(partnerships) > 0 {
		p.Name = ptbr.Partner(&partnerships[0].Partners[0])
	}
}
