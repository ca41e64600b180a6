package indexstore

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"razao/ingest/fetch"
	"razao/internal/registry"
)

// Node brings into a server's folder of indexes what a snapshot needs and the folder lacks. Create it with NewNode and keep Run running.
type Node struct {
	store     Store
	dir       string
	snapshots func(context.Context) ([]registry.Snapshot, error)
	free      func() (int64, error)
	log       *slog.Logger

	wake    chan struct{} // something is wanted
	arrived chan struct{}

	mu        sync.Mutex
	wanted    registry.Snapshot
	inService string             // index that is not to be deleted
	running   registry.Snapshot  // being fetched; its ID is 0 when nothing is
	cancel    context.CancelFunc // ends that
	failed    error              // why wanted is not there; nil while it was not tried
	times     int                // it failed
	notBefore time.Time          // it is tried again

	files, bytes, failures atomic.Int64
}

// NewNode returns a Node for a folder of indexes. snapshots are those that may be served (registry.Store.Snapshots), free the bytes that
// may still be written to the folder.
func NewNode(
	store Store, dir string, snapshots func(context.Context) ([]registry.Snapshot, error), free func() (int64, error), log *slog.Logger,
) *Node {
	return &Node{
		store: store, dir: dir, snapshots: snapshots, free: free, log: log,
		wake: make(chan struct{}, 1), arrived: make(chan struct{}, 1),
	}
}

// retryFirst is the pause after a fetch that failed; it grows to thirty times that.
const retryFirst = 5 * time.Second

// Want asks for the index of a snapshot and the flags of its loads, in place of what was wanted before, and returns at once: that it is
// on its way, or why the last attempt failed. Another one follows when it was asked for again after a pause. inService is an index that
// is used meanwhile, "" for none.
func (n *Node) Want(s registry.Snapshot, inService string) (coming bool, err error) {
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
	return n.failed == nil, n.failed
}

func (n *Node) wakeUp() {
	select {
	case n.wake <- struct{}{}:
	default:
	}
}

// Arrived receives when what was wanted is there, or when it is known that it cannot be had.
func (n *Node) Arrived() <-chan struct{} { return n.arrived }

// Run fetches what is wanted, one index at a time, until ctx ends. A nil Node fetches nothing.
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

// serve fetches what is wanted now.
func (n *Node) serve(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	n.mu.Lock()
	s := n.wanted
	n.running, n.cancel = s, cancel
	n.mu.Unlock()
	err := errors.New("the fetch ended in a panic") // unless it returns
	defer func() { n.done(ctx, s, err) }()
	err = n.bring(ctx, s)
}

// done notes how a fetch ended, and lets who waits for it know.
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

// Stats is what there is to say of a Node. The counts are since NewNode.
type Stats struct {
	Files, Bytes int64 // fetched
	Failures     int64 // attempts that failed
	Running      bool
}

// Stats returns the counts and the state of this moment; all is zero of a nil Node.
func (n *Node) Stats() Stats {
	if n == nil {
		return Stats{}
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	return Stats{n.files.Load(), n.bytes.Load(), n.failures.Load(), n.running.ID != 0}
}
