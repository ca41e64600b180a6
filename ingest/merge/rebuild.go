package merge

import (
	"context"
	"errors"
	"fmt"

	"razao/internal/data/record"
	"razao/internal/store/registry"
	"razao/internal/store/registry/pack"
)

// Rebuild writes the documents and pages of every establishment in the view, in the order of roots,
// with one goroutine. It fails if the store holds another number of establishments than its load
// counted.
func (o *Output) Rebuild(ctx context.Context, view *registry.View) error {
	total := view.Load.Counts.Establishments
	m := emitter{to: o.Documents.Writer()}
	var done int64
	err := view.Scan(ctx, func(h *pack.Head, partners []record.Partner, establishments *pack.EstablishmentCursor) error {
		m.begin(h.Establishments)
		for i := range partners {
			m.partner(&partners[i])
		}
		for establishments.Next() {
			if err := m.establishment(&h.Company, &h.Simples, &establishments.Establishment); err != nil {
				return err
			}
			done++
		}
		o.Progress(done, total)
		err := o.Pages(m.pages)
		m.pages = m.pages[:0]
		return errors.Join(err, establishments.Err())
	})
	if err != nil {
		return fmt.Errorf("documents from the record store: %w", err)
	}
	if done != total {
		return fmt.Errorf("the record store holds %d establishments, its load %d", done, total)
	}
	return m.to.Close()
}
