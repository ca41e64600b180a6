package snapshot

import (
	"context"
	"fmt"

	"razao/internal/store/registry"
)

// Reach makes records come only from replicas that have snapshot id, if at least one has it.
// Otherwise it returns why none has, and records come from those that have the snapshot in service,
// 0 for none, which may be id itself.
type Reach func(ctx context.Context, id, inService int64) error

// ReadFromReplicas makes snapshots read records through a store whose connections are on replicas. A
// new snapshot goes into service when reach says that a replica has it. Which snapshot is current,
// and which contacts are hidden, the primary is asked.
func ReadFromReplicas(records *registry.Store, reach Reach) Option {
	return func(l *Live) { l.records, l.reach = records, reach }
}

// ReplicaError means that no replica that has a snapshot can be read.
type ReplicaError struct {
	Snapshot  int64 // its id
	InService bool  // it is the one in service, of which no record can be read; else a former one is
	Err       error
}

func (e *ReplicaError) Error() string {
	if e.InService {
		return fmt.Sprintf("no replica with snapshot %d can be read: %v", e.Snapshot, e.Err)
	}
	return fmt.Sprintf("the replicas have not reached snapshot %d: %v", e.Snapshot, e.Err)
}

// Unwrap returns Err.
func (e *ReplicaError) Unwrap() error { return e.Err }

// followReplicas asks whether a replica has snapshot id. The error is a *ReplicaError if none has.
func (l *Live) followReplicas(ctx context.Context, id int64, old *sharedSnapshot) error {
	var inService int64
	if old != nil {
		inService = old.view.Snapshot.ID
	}
	_, err := timely(ctx, viewTimeout, func(ctx context.Context) (struct{}, error) { return struct{}{}, l.reach(ctx, id, inService) })
	if err != nil {
		return &ReplicaError{Snapshot: id, InService: id == inService, Err: err}
	}
	return nil
}
