package networks

import (
	"context"
	"slices"
	"strings"

	"razao/index"
	"razao/index/filter"
	"razao/index/term"
	"razao/internal/data/cnpj"
	"razao/internal/data/ptbr"
	"razao/internal/data/record"
	"razao/internal/data/territory"
	"razao/internal/store/network"
)

// ContactKind says what a contact is.
type ContactKind uint8

// The kinds of contacts.
const (
	Telephone ContactKind = iota
	Email
	EmailDomain
	StreetAddress
)

// Contact is a contact that the head office of a company publishes, and the other companies that publish
// it, too. It hints at who is behind them, and proves nothing.
type Contact struct {
	Kind    ContactKind
	Text    string // (43) 1546-7271; contato@exemplo.com.br; exemplo.com.br; Rua Duque de Caxias, 589
	Filters filter.Set
	Of      cnpj.Root
	Others  []cnpj.Full // an establishment of each, the most important first; nil if Common
	Common  bool        // so many others publish it that it hints at nothing
}

// MostSharing is how many others may publish a contact that hints at something. That of an accountant, of a
// provider of e-mail or of an office building is published by more.
const MostSharing = 20

// contacts returns the contacts of companies that others publish as well, and makes those others members.
// Contacts of natural persons, and those hidden on request, are not compared.
func (g *gathering) contacts(ctx context.Context, from []network.Actor) ([]Contact, error) {
	var all []Contact
	for _, a := range from {
		h := g.x.heads[a.Root]
		if a.Kind != network.Company || h == nil || h.Individual() {
			continue
		}
		office, err := g.x.s.HeadOffice(ctx, h)
		if err != nil {
			return nil, err
		}
		if office == nil {
			continue
		}
		for _, c := range contactsOf(office) {
			if err := g.share(ctx, &c); err != nil {
				return nil, err
			}
			if c.Common || len(c.Others) > 0 {
				all = append(all, c)
			}
		}
	}
	return all, nil
}

// contactsOf returns the contacts of an establishment, as the index has them.
func contactsOf(e *record.Establishment) (all []Contact) {
	add := func(kind ContactKind, text string, f filter.Set) {
		if !slices.ContainsFunc(all, func(c Contact) bool { return c.Filters == f }) {
			all = append(all, Contact{Kind: kind, Text: text, Filters: f, Of: e.CNPJ.Root()})
		}
	}
	for _, t := range [...][2]string{{e.DDD1, e.Telefone1}, {e.DDD2, e.Telefone2}} {
		if code := term.PhoneCode(t[0], t[1]); code != "" {
			add(Telephone, ptbr.Phone(t[0], t[1]), filter.Of(filter.Phone, code))
		}
	}
	if code := term.EmailCode(e.CorreioEletronico); code != "" {
		_, domain, _ := strings.Cut(code, "@")
		add(Email, code, filter.Of(filter.Address, code))
		add(EmailDomain, domain, filter.Of(filter.Domain, domain))
	}
	street := ptbr.Join(" ", e.TipoLogradouro, e.Logradouro)
	if term.StreetCode(street) != "" && term.HouseNumberCode(e.Numero) != "" && e.UF != territory.Abroad && e.Municipio != "" {
		add(StreetAddress, ptbr.Street(street)+", "+e.Numero, filter.Of(filter.Municipio, e.Municipio, filter.Street, street, filter.House, term.HouseNumberCode(e.Numero)))
	}
	return all
}

// share finds the others that publish a contact.
func (g *gathering) share(ctx context.Context, c *Contact) error {
	r, err := search(ctx, g.x.s, index.Query{Filters: c.Filters, Limit: MostSharing + 2, ByCompany: true}) // with the company itself
	if err != nil {
		return err
	}
	for _, hit := range r.Hits {
		if hit.CNPJ.Root() != c.Of {
			c.Others = append(c.Others, hit.CNPJ)
		}
	}
	if c.Common = len(c.Others) > MostSharing; c.Common {
		c.Others = nil
	}
	for _, other := range c.Others {
		g.add(network.CompanyOf(other.Root()))
	}
	return nil
}
