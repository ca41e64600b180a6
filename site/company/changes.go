package company

import (
	"context"

	"razao/internal/data/ptbr"
	"razao/internal/store/registry"
	"razao/internal/store/registry/pack"
	"razao/internal/store/snapshot"
	"razao/internal/web"
	"razao/site/wording"
)

// changesShown bounds the events listed on a page; the rest is only counted.
const changesShown = 50

// changes is the section on the history of the company.
type changes struct {
	Failed bool         // the history could not be read; try again later
	Loads  []loadChange // newest first
	More   int          // events beyond changesShown
	Since  string       // month of the first load of the history, MM/AAAA; "" without one
}

// loadChange is what one load changed.
type loadChange struct {
	Period string // of the load, as people write it
	Source string // "" for the cadastre
	Events []event
}

// event is one of them, with the establishment that it is about.
type event struct {
	wording.Change
	Number string // masked CNPJ; "" for the company
}

// changes reads the history of the company. An error is logged and shown as Failed; it does not fail
// the page.
func (hs *Handlers) changes(ctx context.Context, snap *snapshot.Snapshot, h *pack.Head) changes {
	found, err := snap.Changes(ctx, h)
	if err != nil {
		web.EventOf(ctx).Fail(err)
		return changes{Failed: true}
	}
	c := changes{}
	for _, l := range snap.History() {
		if l.Source == registry.Receita {
			c.Since = ptbr.Month(l.Period)
			break
		}
	}
	var last *snapshot.Change
	for i := range found {
		if i == changesShown {
			c.More = len(found) - i
			break
		}
		if last == nil || last.Load != found[i].Load {
			c.Loads = append(c.Loads, loadChange{Period: ptbr.Period(found[i].Load.Period)})
		}
		last = &found[i]
		e := event{Change: wording.ChangeOf(hs.atlas, snap, last)}
		if number, ok := last.Number(); ok {
			e.Number = number.Masked()
		}
		into := &c.Loads[len(c.Loads)-1]
		into.Events = append(into.Events, e)
	}
	return c
}
