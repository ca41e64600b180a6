package snapshot

import (
	"context"
	"errors"

	"razao/internal/data/cnpj"
	"razao/internal/store/registry"
	"razao/internal/store/registry/pack"
)

// Changes says since when a company has the records that it has, and what the load in service
// changed of them.
type Changes struct {
	Former string          // period of the load before; "" if there was none to compare with: the rest is empty
	Since  registry.Change // the load that brought the records
	Now    bool            // the load in service changed them; otherwise the rest is empty

	Gone    bool // the records before have been deleted: the rest is empty
	Private bool // of a natural person: names and contacts are removed, and Withheld says which changed

	registry.Difference
	Here     registry.EstablishmentPair   // the establishment that was asked about; both nil if unchanged
	Others   []registry.EstablishmentPair // the other changed establishments, in CNPJ order
	Withheld Withheld                     // if Private
}

// Changes compares the company h with the load before; number is the establishment that becomes
// Here. Unknown changes are not an error: the result is then zero.
func (s *Snapshot) Changes(ctx context.Context, h *pack.Head, number cnpj.Full) (Changes, error) {
	former, ok := s.view.Former()
	if !ok {
		return Changes{}, nil
	}
	since, known, err := s.view.Change(ctx, h.Root)
	if err != nil || !known {
		return Changes{}, err
	}
	c := Changes{Former: former.Period, Since: since, Now: since.Exact && since.Load == s.Load.ID}
	if !c.Now {
		return c, nil
	}
	c.Difference, err = s.view.Difference(ctx, h)
	if errors.Is(err, registry.ErrGone) {
		c.Gone = true
		return c, nil
	}
	if err != nil {
		return Changes{}, err
	}
	for _, p := range c.Establishments {
		if p.Before != nil && p.Before.CNPJ == number || p.After != nil && p.After.CNPJ == number {
			c.Here = p
		} else {
			c.Others = append(c.Others, p)
		}
	}
	s.redactChanges(h, &c)
	return c, nil
}
