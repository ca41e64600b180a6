package indexstore

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"razao/internal/store/registry"
	"razao/internal/web/fetch"
)

// Node fetches into a server's folder of indexes what a snapshot needs and the folder lacks. Create
// it with NewNode and keep Run running. Want, Arrived and Stats are safe for concurrent use.
//
// It is a state machine with one wanted and at most one running snapshot; a new wish replaces the
// old one and cancels a fetch of another index.
type Node struct {
	store     Store
	dir       string
	snapshots func(context.Context) ([]registry.Snapshot, error)
	free      func() (int64, error)
	log       *slog.Logger

	wake    chan struct{} // capacity 1: something is wanted
	arrived chan struct{} // capacity 1: see Arrived

	mu        sync.Mutex
	wanted    registry.Snapshot
	inService string             // index that must not be deleted
	running   registry.Snapshot  // being fetched; ID 0 for none
	cancel    context.CancelFunc // cancels running
	failed    error              // last failure of wanted; nil before the first attempt has ended
	times     int                // consecutive failures of wanted
	notBefore time.Time          // end of the backoff

	files, bytes, failures atomic.Int64 // counters of Stats
}

// NewNode returns a Node for the folder dir. snapshots returns those that may be served
// (registry.Store.Snapshots), free the bytes that may still be written to the folder; both are
// called in Run.
func NewNode(
	store Store, dir string, snapshots func(context.Context) ([]registry.Snapshot, error), free func() (int64, error), log *slog.Logger,
) *Node {
	return &Node{
		store: store, dir: dir, snapshots: snapshots, free: free, log: log,
		wake: make(chan struct{}, 1), arrived: make(chan struct{}, 1),
	}
}

// retryFirst is the pause after the first failure: see fetch.Backoff, which grows to thirty times
// that.
const retryFirst = 5 * time.Second

// Want asks for the index of a snapshot and the flags of its loads, replacing the former wish. It
// returns at once: nil when they are on their way, otherwise why the last attempt failed. A failed
// fetch is repeated only when Want is called again after the backoff. inService is an index in use,
// which must not be deleted; "" for none.
func (n *Node) Want(s registry.Snapshot, inService string) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.inService = inService
	if n.wanted.ID != s.ID {
		n.wanted, n.failed, n.times, n.notBefore = s, nil, 0, time.Time{}
		if n.running.ID != 0 && n.running.IndexName != s.IndexName {
			n.cancel()
		}
	}
	if n.running.ID != s.ID && !time.Now().Before(n.notBefore) {
		n.wakeUp()
	}
	return n.failed
}

// wakeUp wakes Run, unless it is about to wake.
func (n *Node) wakeUp() {
	select {
	case n.wake <- struct{}{}:
	default:
	}
}

// Arrived receives a value when a wish is fulfilled or has failed. It has a capacity of one: values
// coalesce.
func (n *Node) Arrived() <-chan struct{} { return n.arrived }

// Run fetches what is wanted, one index at a time, until ctx ends. On a nil Node it returns at
// once.
func (n *Node) Run(ctx context.Context) {
	if n == nil {
		return
	}
	for {
		select {
		case <-ctx.Done():
			return
		case <-n.wake:
			n.serve(ctx)
		}
	}
}

// serve fetches the current wish.
func (n *Node) serve(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	n.mu.Lock()
	s := n.wanted
	n.running, n.cancel = s, cancel
	n.mu.Unlock()
	err := errors.New("the fetch ended in a panic") // overwritten on return
	defer func() { n.done(ctx, s, err) }()
	err = n.bring(ctx, s)
}

// done records the end of a fetch and signals Arrived, unless the wish has changed, ctx has ended,
// or another process is fetching.
func (n *Node) done(ctx context.Context, s registry.Snapshot, err error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.running = registry.Snapshot{}
	switch {
	case n.wanted.ID != s.ID: // meanwhile another snapshot was published
		n.wakeUp()
		return
	case ctx.Err() != nil:
		return
	case errors.As(err, new(*fetch.BusyError)): // another server of this machine fetches the same
		n.notBefore = time.Now().Add(retryFirst)
		return
	}
	if n.failed = err; err != nil {
		n.failures.Add(1)
		n.times++
		n.notBefore = time.Now().Add(fetch.Backoff(retryFirst, n.times))
	} else {
		n.times, n.notBefore = 0, time.Time{}
	}
	select {
	case n.arrived <- struct{}{}:
	default:
	}
}

// Stats are the counters of a Node since NewNode, and its state.
type Stats struct {
	Files, Bytes int64 // fetched
	Failures     int64 // failed attempts
	Running      bool  // a fetch is under way
}

// Stats returns the counters and the state of this moment; all zero for a nil Node.
func (n *Node) Stats() Stats {
	if n == nil {
		return Stats{}
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	return Stats{n.files.Load(), n.bytes.Load(), n.failures.Load(), n.running.ID != 0}
}
