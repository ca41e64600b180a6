package site

import (
	"context"
	"strings"

	"github.com/gin-gonic/gin"

	"razao/index"
	"razao/internal/cnpj"
	"razao/internal/registry"
	"razao/internal/slug"
	"razao/internal/snapshot"
)

const (
	maxExamined   = 2000 // companies whose partners are read for one page: the commonest names have more
	examinedAtOne = 200  // of them in one batch
	noDigits      = "000000"
)

// partnerPage lists the companies of the partners who share a name and the visible digits of their numbers.
type partnerPage struct {
	frame
	Name     string // as published
	Document string // as published: ***456789**
	Results  []result
	Cut      bool  // more companies might have been found
	Examined int64 // at the most
}

func (*partnerPage) template() string { return "partner" }

// partner answers /socio/{d6}/{sl}.
func (s *Site) partner(c *gin.Context, snap *snapshot.Snapshot) (reply, error) {
	digits, name := c.Param("d6"), slug.Make(c.Param("sl"))
	if len(digits) != len(noDigits) || strings.Trim(digits, "0123456789") != "" || digits == noDigits || name == "" {
		return reply{}, errUnknownPath
	}
	if moved, ok := movedTo(c, partnerPath(digits, name)); ok {
		return moved, nil
	}
	p := &partnerPage{Document: "***" + digits + "**", Examined: maxExamined}
	if err := s.partnerships(c.Request.Context(), snap, p, name); err != nil {
		return reply{}, err
	}
	switch {
	case len(p.Results) > 0:
	case p.Cut: // there may be one among those that were not read: this is no 404
		p.Name = strings.ToUpper(strings.ReplaceAll(name, "-", " "))
	default:
		return reply{}, errUnknownPath
	}
	p.describe(digits, name)
	return reply{page: p}, nil
}

// describe fills the head of the page.
func (p *partnerPage) describe(digits, name string) {
	p.NoIndex = true
	p.Title = p.Name + ", sócio " + p.Document
	p.Description = "Empresas em cujo quadro societário publicado aparece " + p.Name + " com o documento " + p.Document + "."
	p.Canonical = partnerPath(digits, name)
}

func partnerPath(digits, name string) string { return "/socio/" + digits + "/" + name }

// partnerAddress returns the address of the page of a person among the partners, "" for other partners and for those
// whose number shows no digits.
func partnerAddress(p *registry.Partner) string {
	document, name := p.CNPJCPFSocio, slug.Make(p.NomeSocio)
	if len(document) != 11 || !strings.HasPrefix(document, "***") || !strings.HasSuffix(document, "**") || name == "" || document[3:9] == noDigits {
		return ""
	}
	return partnerPath(document[3:9], name)
}

// partnerships fills the page: companies that a search for the name finds and that have such a partner.
func (s *Site) partnerships(ctx context.Context, snap *snapshot.Snapshot, p *partnerPage, name string) error {
	seen := map[cnpj.Root]bool{}
	for _, text := range spellings(name) {
		query := index.Query{Text: text, Filters: index.Filters{HeadOffice: index.Yes}, LiteralPlaces: true, Limit: maxExamined}
		found, err := snap.Index.Search(ctx, query)
		if err != nil {
			return err
		}
		p.Cut = p.Cut || found.Total > maxExamined
		for first := 0; first < len(found.Hits); first += examinedAtOne {
			if err := s.examine(ctx, snap, p, name, found.Hits[first:min(first+examinedAtOne, len(found.Hits))], seen); err != nil {
				return err
			}
		}
	}
	return nil
}

// spellings returns the words of a slug as names are written. A single letter may have been cut off its word by an
// apostrophe, which addresses lack: D'Ávila is a word.
func spellings(name string) []string {
	words := strings.Split(name, "-")
	var joined []string
	for i := 0; i < len(words); i++ {
		word := words[i]
		if len(word) == 1 && i+1 < len(words) {
			i++
			word += words[i]
		}
		joined = append(joined, word)
	}
	if len(joined) == len(words) {
		return []string{strings.Join(words, " ")}
	}
	return []string{strings.Join(words, " "), strings.Join(joined, " ")}
}

// examine adds to the page those of the hits whose company has the partner.
func (s *Site) examine(ctx context.Context, snap *snapshot.Snapshot, p *partnerPage, name string, hits []index.Hit, seen map[cnpj.Root]bool) error {
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
		r := s.resultOf(snap, h, &e, index.WhyListed)
		r.Reason = strings.Join(roles, "; ")
		p.Results = append(p.Results, r)
	}
	return nil
}

// roles says as what the partner belongs to a company, nil when it does not.
func (p *partnerPage) roles(ctx context.Context, snap *snapshot.Snapshot, h *registry.Head, name string) ([]string, error) {
	var roles []string
	err := snap.Partners(ctx, h, registry.Range{Limit: h.Partners}, func(partner *registry.Partner) error {
		if partner.CNPJCPFSocio != p.Document || slug.Make(partner.NomeSocio) != name {
			return nil
		}
		if p.Name == "" {
			p.Name = strings.Clone(partner.NomeSocio)
		}
		role := describe(snap, registry.DomainQualificacao, partner.QualificacaoSocio)
		if entry := formatDate(partner.DataEntradaSociedade); entry != "" {
			role += " desde " + entry
		}
		roles = append(roles, role)
		return nil
	})
	return roles, err
}
