package snapshot

import (
	"razao/internal/cnpj"
	"razao/internal/record"
	"razao/internal/registry"
	"razao/internal/registry/pack"
	"razao/internal/source"
)

// What pages show of natural persons in business is decided here and nowhere else (the API returns what is published). A
// company is one when it is an individual entrepreneur or a MEI: of its establishments the municipality stays, street and
// contacts go; so do streets in public records, and former names and contacts among what changed.

// redact takes out of an establishment what visitors may not see.
func (s *Snapshot) redact(h *pack.Head, e *record.Establishment) {
	if s.visitor && h.Individual() {
		e.HideContact()
	}
}

// redactRecords takes addresses out of records about a natural person, or an establishment whose contact is hidden on request.
func (s *Snapshot) redactRecords(h *pack.Head, d registry.Document, pages []registry.SourcePage) {
	if !s.visitor {
		return
	}
	for i := range pages {
		for _, name := range source.Addresses(pages[i].Source.ID) {
			for n := range pages[i].Items {
				if it := &pages[i].Items[n]; h.Individual() || hiddenIn(h, d, it) {
					it.Withhold(name)
				}
			}
		}
	}
}

// hiddenIn reports whether a record may say what was hidden on request. One among those of a company that names none of its
// establishments may, as soon as one of them is hidden.
func hiddenIn(h *pack.Head, d registry.Document, it *pack.Item) bool {
	if d.Order != nil && !d.Whole {
		return h.ContactHidden(*d.Order)
	}
	full, err := cnpj.ParseFull(it.Document())
	if err != nil || full.Root() != h.Root {
		return h.AnyContactHidden()
	}
	return h.ContactHidden(full.Order())
}

// Withheld says what changed of a natural person that visitors learn no more of than that.
type Withheld struct {
	Name, TradeName, Street, Phone, Fax, Email bool
}

// redactChanges takes former and present names and contacts out of what changed of a one that is, or was, a natural person.
func (s *Snapshot) redactChanges(h *pack.Head, c *Changes) {
	if !s.visitor || !h.Individual() && !c.Heads[0].Individual() {
		return
	}
	c.Private = true
	c.Withheld.Name = c.Heads[0].Company.RazaoSocial != c.Heads[1].Company.RazaoSocial
	for i := range c.Heads {
		c.Heads[i].Company.RazaoSocial = ""
	}
	if b, a := c.Here.Before, c.Here.After; b != nil && a != nil {
		c.Withheld.compare(b, a)
		a.NomeFantasia, b.NomeFantasia = "", ""
	}
	for _, p := range append(c.Others, c.Here) {
		for _, e := range []*record.Establishment{p.Before, p.After} {
			if e != nil {
				e.HideContact()
			}
		}
	}
}

func (w *Withheld) compare(b, a *record.Establishment) {
	w.TradeName = b.NomeFantasia != a.NomeFantasia
	w.Street = b.TipoLogradouro != a.TipoLogradouro || b.Logradouro != a.Logradouro || b.Numero != a.Numero ||
		b.Complemento != a.Complemento || b.Bairro != a.Bairro || b.CEP != a.CEP
	w.Phone = b.DDD1 != a.DDD1 || b.Telefone1 != a.Telefone1 || b.DDD2 != a.DDD2 || b.Telefone2 != a.Telefone2
	w.Fax = b.DDDFax != a.DDDFax || b.Fax != a.Fax
	w.Email = b.CorreioEletronico != a.CorreioEletronico
}
