package export

import (
	"context"
	"iter"

	"razao/internal/data/cnpj"
	"razao/internal/data/record"
	"razao/internal/store/registry/pack"
	"razao/internal/store/snapshot"
)

// whole is a company with everything that the company registry has of it.
type whole struct {
	*pack.Head
	Partners []record.Partner

	first  *pack.EstablishmentCursor // at the beginning
	cursor pack.EstablishmentCursor
	hidden map[cnpj.Full]bool
}

// establishments returns the establishments in the order of their numbers, from the first however often
// it is called, but once at a time. Each is valid until the next; contacts that are hidden on request are left out. An
// error ends them.
func (w *whole) establishments() iter.Seq2[*record.Establishment, error] {
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

// eachCompany calls visit for every company, by root, ascending; what it passes is valid only during
// the call. It stops at the first error of visit and returns it, wrapped.
func eachCompany(ctx context.Context, s *snapshot.Snapshot, visit func(*whole) error) error {
	records := s.Internals().Records()
	w := whole{hidden: map[cnpj.Full]bool{}}
	for _, number := range records.HiddenContacts() {
		w.hidden[number] = true
	}
	return records.Scan(ctx, func(h *pack.Head, partners []record.Partner, establishments *pack.EstablishmentCursor) error {
		w.Head, w.Partners, w.first = h, partners, establishments
		return visit(&w)
	})
}
