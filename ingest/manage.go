package ingest

import (
	"context"
	"fmt"

	"razao/internal/store/registry"
)

// Activate puts a complete load in service, one of the Receita with its newest index. It reads no
// published file. The operations of BNDES follow a switch of companies: the load that is linked to
// these takes their place, and one is made if there is none. A load that is not ready, or has no
// index here, is an error.
func (in *Ingester) Activate(ctx context.Context, id int64) error {
	release, err := in.lockLoads(ctx)
	if err != nil {
		return err
	}
	defer release()
	return in.activate(ctx, id)
}

// activate is Activate for the holder of the lock.
func (in *Ingester) activate(ctx context.Context, id int64) error {
	l, err := in.Store.Load(ctx, id)
	if err != nil {
		return err
	}
	if l.State != registry.LoadReady {
		return fmt.Errorf("load %d (%s %s) cannot be served: it is %q", id, l.Source, l.Period, l.State)
	}
	name := "" // a source has only flags, no index of its own
	if l.Source == registry.Receita {
		if name, err = in.newestIndex(id); err != nil {
			return err
		}
	}
	if err := in.publish(ctx, map[string]int64{l.Source: id}, name); err != nil {
		return err
	}
	if l.Source == registry.Receita || l.Source == bndesID {
		in.relink(ctx)
	}
	return nil
}

// Rollback puts the former load of a source in service and returns it. Of BNDES it switches the
// edition, not merely the links. A source without a former load is an error.
func (in *Ingester) Rollback(ctx context.Context, source string) (registry.Load, error) {
	release, err := in.lockLoads(ctx)
	if err != nil {
		return registry.Load{}, err
	}
	defer release()
	loads, err := in.Store.Loads(ctx)
	if err != nil {
		return registry.Load{}, err
	}
	l := former(loads, source)
	if l == nil {
		return registry.Load{}, fmt.Errorf("there is no former load of %s to go back to", source)
	}
	if err := in.activate(ctx, l.ID); err != nil {
		return registry.Load{}, err
	}
	active, err := in.activeLoads(ctx)
	if err != nil {
		return registry.Load{}, err
	}
	return *active[source], nil
}

// Prune deletes complete loads that are neither in service nor needed for a rollback, and
// everything else that nothing uses. It returns the ids of those loads. The error is a [*LeftoverError]
// if something could not be deleted and all else was.
func (in *Ingester) Prune(ctx context.Context) ([]int64, error) {
	release, err := in.lockLoads(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	return in.clean(ctx)
}
