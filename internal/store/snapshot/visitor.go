package snapshot

import (
	"razao/internal/data/cnpj"
	"razao/internal/data/record"
	"razao/internal/data/source"
	"razao/internal/store/registry"
	"razao/internal/store/registry/pack"
)

// Pages do not show contacts and addresses of natural persons in business (record.IsIndividual). This
// file alone decides what is removed: from establishments everything finer than the municipality,
// from public records their addresses, from changes former names and contacts. The API returns what
// is published.

// redact removes from an establishment what visitors may not see. It does nothing for the API.
func (s *Snapshot) redact(h *pack.Head, e *record.Establishment) {
	if s.visitor && h.Individual() {
		e.ClearContact()
	}
}

// redactRecords empties the address fields in records about a natural person, or about an
// establishment whose contact is hidden on request. It changes the items in place.
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

// hiddenIn reports whether a record may contain a contact that is hidden on request. A record of
// the company that does not name one of its establishments may belong to any, so it counts as soon
// as one of them is hidden.
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

// Withheld says which fields of a natural person changed. Visitors learn that they changed, but
// neither value.
type Withheld struct {
	Name, TradeName, Street, Phone, Fax, Email bool
}

// redactChanges removes names and contacts, former and present, from the changes of a company that
// is or was a natural person, and notes in c.Withheld which of them changed.
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
				e.ClearContact()
			}
		}
	}
}

// compare notes which fields differ between the establishment before (b) and after (a).
func (w *Withheld) compare(b, a *record.Establishment) {
	w.TradeName = b.NomeFantasia != a.NomeFantasia
	w.Street = b.TipoLogradouro != a.TipoLogradouro || b.Logradouro != a.Logradouro || b.Numero != a.Numero ||
		b.Complemento != a.Complemento || b.Bairro != a.Bairro || b.CEP != a.CEP
	w.Phone = b.DDD1 != a.DDD1 || b.Telefone1 != a.Telefone1 || b.DDD2 != a.DDD2 || b.Telefone2 != a.Telefone2
	w.Fax = b.DDDFax != a.DDDFax || b.Fax != a.Fax
	w.Email = b.CorreioEletronico != a.CorreioEletronico
}
