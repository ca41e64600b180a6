package snapshot

import (
	"context"
	"iter"

	"razao/internal/data/cnpj"
	"razao/internal/data/record"
	"razao/internal/data/source"
	"razao/internal/store/registry/pack"
)

// Whole is a company with everything that the cadastre has of it.
type Whole struct {
	*pack.Head
	Partners []record.Partner

	first  *pack.EstablishmentCursor // at the beginning
	cursor pack.EstablishmentCursor
	hidden map[cnpj.Full]bool
}

// Establishments returns the establishments in the order of their numbers, from the first however often
// it is called, but once at a time. Each is valid until the next; contacts that are hidden on request are left out. An
// error ends them.
func (w *Whole) Establishments() iter.Seq2[*record.Establishment, error] {
	return func(yield func(*record.Establishment, error) bool) {
		w.cursor = *w.first
		for w.cursor.Next() {
			e := &w.cursor.Establishment
			if len(w.hidden) > 0 && w.hidden[e.CNPJ] {
				e.ClearContact()
			}
			if !yield(e, nil) {
				return
			}
		}
		if err := w.cursor.Err(); err != nil {
			yield(nil, err)
		}
	}
}

// EachCompany calls visit for every company, by root, ascending; what it passes is valid only during
// the call. It stops at the first error of visit and returns it, wrapped. It is not for visitors.
func (s *Snapshot) EachCompany(ctx context.Context, visit func(*Whole) error) error {
	w := Whole{hidden: map[cnpj.Full]bool{}}
	for _, number := range s.view.HiddenContacts() {
		w.hidden[number] = true
	}
	return s.view.Scan(ctx, func(h *pack.Head, partners []record.Partner, establishments *pack.EstablishmentCursor) error {
		w.Head, w.Partners, w.first = h, partners, establishments
		return visit(&w)
	})
}

// EachRecord calls visit for every record of a source: roots ascend, and the records of a root come in
// the order in which they are served. Items are valid only during the call. It does nothing
// if the snapshot has no load of the source.
func (s *Snapshot) EachRecord(ctx context.Context, src *source.Source, visit func(root cnpj.Root, it *pack.Item)) error {
	return s.view.EachRecord(ctx, src, visit)
}
