package records

import (
	"razao/internal/store/registry"
	"razao/internal/store/snapshot"
	"razao/site/page"
)

// lineKey is what the row of a source in the table of sources without records depends on, unless the
// company has records in other establishments. The rest of it is declared by the source or published
// with the load, which does not change.
type lineKey struct {
	source string
	load   int64 // 0 without one
	status registry.Status
	stale  bool
}

// line returns the row of a card in the table of sources without records, empty if it is not worth
// keeping. load is that of its source, nil without one. Most companies have no records in most
// sources, so nearly every page has the same rows, which are rendered once for a snapshot.
func (hs *Handlers) line(snap *snapshot.Snapshot, c *Card, load *registry.Load) (page.Fragment, error) {
	if c.Counts != "" {
		return page.Fragment{}, nil
	}
	key := lineKey{source: c.ID, status: c.Status, stale: c.Stale}
	if load != nil {
		key.load = load.ID
	}
	return snapshot.Once(snap, key, func() (page.Fragment, error) { return page.Once(sourceRow(c)) })
}
