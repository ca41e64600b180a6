package snapshot

import (
	"slices"

	"razao/internal/data/change"
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

// Withholds reports whether contacts of a company are withheld from visitors. It is false for the API.
func (i Internals) Withholds(h *pack.Head) bool { return i.s.visitor && h.Individual() }

// redact removes from an establishment what visitors may not see. It does nothing for the API.
func (s *Snapshot) redact(h *pack.Head, e *record.Establishment) {
	if s.Internals().Withholds(h) {
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

// isName reports whether a field holds a name that a natural person in business has or had.
func isName(field string) bool { return field == "razao_social" || field == "nome_fantasia" }

// withhold removes from an event of a natural person in business what visitors may not see: names, and
// everything finer than the municipality. Which fields changed is told.
func (c *Change) withhold() {
	switch c.Kind.Info().Part {
	case change.Companies, change.Establishments:
		c.leaveOut(func(f *record.Field) bool { return f.Personal || isName(f.Name) })
	}
}

// leaveOut empties the fields for which private is true, also those that did not change, and notes
// in Withheld which of them changed. It reports whether anything is left of the event.
func (c *Change) leaveOut(private func(*record.Field) bool) (left bool) {
	info, table := c.Kind.Info(), change.TableOf(c.Kind.Info().Part)
	changed := c.Changed()
	for side, values := range []*[]string{&c.Before, &c.After} {
		if *values == nil {
			continue
		}
		*values = slices.Clone(*values)
		for i, name := range info.Fields {
			f, differs := table.Field(name), slices.Contains(changed, i)
			if !private(&f) {
				left = left || differs
				continue
			}
			if (*values)[i] = ""; differs && (side == 1 || c.After == nil) {
				c.Withheld = append(c.Withheld, name)
			}
		}
	}
	return left
}

func isPersonal(f *record.Field) bool { return f.Personal }
