package snapshot

import (
	"context"
	"errors"

	"razao/internal/cnpj"
	"razao/internal/registry"
	"razao/internal/registry/pack"
)

// Changes is what is known of how the records of a company came to be as they are.
type Changes struct {
	Former string          // period of the load before; "" when there was none to compare with: the rest is empty
	Since  registry.Change // the load that brought the records
	Now    bool            // that load is the one in service; what follows says what it changed

	Gone    bool // the records before are not kept any more: the rest is empty
	Private bool // of a natural person: names and contacts are left out, and Withheld says which of them changed

	registry.Difference
	Here     registry.EstablishmentPair   // the establishment that was asked about, when it is not the same
	Others   []registry.EstablishmentPair // the other establishments that are not the same, in CNPJ order
	Withheld Withheld
}

// Changes compares the company h, as the establishment with a number sees it, with the load before.
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
