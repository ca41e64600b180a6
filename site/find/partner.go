package find

import (
	"context"
	"strings"

	"github.com/gin-gonic/gin"

	"razao/index"
	"razao/internal/cnpj"
	"razao/internal/record"
	"razao/internal/registry"
	"razao/internal/registry/pack"
	"razao/internal/slug"
	"razao/internal/snapshot"
	"razao/site/page"
	"razao/site/wording"
)

const (
	maxExamined   = 2000 // companies whose partners are read for one page; hardly any digits have a tenth of that
	examinedAtOne = 200  // of them in one batch
)

// partnerPage lists the companies of the partners who share a name and the visible digits of their numbers.
type partnerPage struct {
	page.Frame
	Name     string // as published
	Document string // as published: ***456789**
	Results  []result
	Cut      bool  // more companies might have been found
	Examined int64 // at the most
}

func (*partnerPage) Template() string { return "partner" }

// partner answers /socio/{d6}/{sl}.
func (rm *Room) partner(c *gin.Context, snap *snapshot.Snapshot) (page.Reply, error) {
	digits, name := c.Param("d6"), slug.Make(c.Param("sl"))
	if !record.ValidDigits(digits) || name == "" {
		return page.Reply{}, page.ErrUnknownPath
	}
	if moved, ok := page.Moved(c, page.PartnerPath(digits, name)); ok {
		return moved, nil
	}
	p := &partnerPage{Document: "***" + digits + "**", Examined: maxExamined}
	if err := rm.partnerships(c.Request.Context(), snap, p, digits, name); err != nil {
		return page.Reply{}, err
	}
	switch {
	case len(p.Results) > 0:
	case p.Cut: // there may be one among those that were not read: this is no 404
		p.Name = strings.ToUpper(strings.ReplaceAll(name, "-", " "))
	default:
		return page.Reply{}, page.ErrUnknownPath
	}
	p.describe(digits, name)
	return page.Reply{Page: p}, nil
}

// describe fills the head of the page.
func (p *partnerPage) describe(digits, name string) {
	p.NoIndex = true
	p.Title = p.Name + ", sócio " + p.Document
	p.Description = "Empresas em cujo quadro societário publicado aparece " + p.Name + " com o documento " + p.Document + "."
	p.Canonical = page.PartnerPath(digits, name)
}

// partnerships fills the page: companies that have a partner with these digits, read to compare the names.
func (rm *Room) partnerships(ctx context.Context, snap *snapshot.Snapshot, p *partnerPage, digits, name string) error {
	found, err := snap.Index.Search(ctx, index.Query{Filters: index.Filters{PartnerDigits: digits}, Limit: maxExamined})
	if err != nil {
		return err
	}
	p.Cut = found.Total > maxExamined
	seen := map[cnpj.Root]bool{}
	for first := 0; first < len(found.Hits); first += examinedAtOne {
		if err := rm.examine(ctx, snap, p, name, found.Hits[first:min(first+examinedAtOne, len(found.Hits))], seen); err != nil {
			return err
		}
	}
	return nil
}

// examine adds to the page those of the hits whose company has the partner.
func (rm *Room) examine(ctx context.Context, snap *snapshot.Snapshot, p *partnerPage, name string, hits []index.Hit, seen map[cnpj.Root]bool) error {
	var roots []cnpj.Root
	offices := map[cnpj.Root]cnpj.Full{}
	for _, hit := range hits {
		if root := hit.CNPJ.Root(); !seen[root] {
			seen[root], offices[root] = true, hit.CNPJ
			roots = append(roots, root)
		}
	}
	heads, err := snap.Heads(ctx, roots)
	if err != nil {
		return err
	}
	for i := range heads {
		h := &heads[i]
		roles, err := p.roles(ctx, snap, h, name)
		if err != nil {
			return err
		}
		if len(roles) == 0 {
			continue
		}
		e, err := snap.Establishment(ctx, h, offices[h.Root].Order())
		if err != nil {
			return err
		}
		r := rm.resultOf(snap, h, &e, index.WhyListed)
		r.Reason = strings.Join(roles, "; ")
		p.Results = append(p.Results, r)
	}
	return nil
}

// roles says as what the partner belongs to a company, nil when it does not.
func (p *partnerPage) roles(ctx context.Context, snap *snapshot.Snapshot, h *pack.Head, name string) ([]string, error) {
	var roles []string
	err := snap.Partners(ctx, h, registry.Range{Limit: h.Partners}, func(partner *record.Partner) error {
		if partner.CNPJCPFSocio != p.Document || slug.Make(partner.NomeSocio) != name {
			return nil
		}
		if p.Name == "" {
			p.Name = strings.Clone(partner.NomeSocio)
		}
		roles = append(roles, wording.RoleOf(snap, partner))
		return nil
	})
	return roles, err
}
