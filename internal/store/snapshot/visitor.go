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

// Show returns what may be shown of an event of a company, and the fields that changed and are "" in it; ok is false if nothing is left.
// h is the company as it is now, nil if it is not there any more: what was asked to be hidden of it is then not known, and no contact is shown.
// individual says that the event is of a natural person in business.
//
// Visitors do not see names of natural persons, nor anything finer than the municipality. Which fields changed is shown.
func (i Internals) Show(e change.Event, h *pack.Head, individual bool) (shown change.Event, withheld []string, ok bool) {
	order, ofOffice := e.OrderOf()
	if ofOffice && (h == nil || h.ContactHidden(order)) {
		if withheld, ok = leaveOut(&e, withheld, isPersonal); !ok {
			return e, nil, false
		}
	}
	if i.s.visitor && (h == nil || individual || h.Individual()) {
		switch e.Kind.Info().Part {
		case change.Companies, change.Establishments:
			withheld, _ = leaveOut(&e, withheld, func(f *record.Field) bool { return f.Personal || isName(f.Name) })
		}
	}
	return e, withheld, true
}

// leaveOut empties the fields for which private is true, also those that did not change, and adds
// to withheld which of them changed. It reports whether anything is left of the event.
func leaveOut(e *change.Event, withheld []string, private func(*record.Field) bool) (all []string, left bool) {
	info, table := e.Kind.Info(), change.TableOf(e.Kind.Info().Part)
	changed := e.Changed()
	for side, values := range []*[]string{&e.Before, &e.After} {
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
			if (*values)[i] = ""; differs && (side == 1 || e.After == nil) {
				withheld = append(withheld, name)
			}
		}
	}
	return withheld, left
}

func isPersonal(f *record.Field) bool { return f.Personal }
