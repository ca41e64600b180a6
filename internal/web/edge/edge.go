// Package edge purges the shared caches (CDN, Varnish) in front of the servers. A public response
// carries surrogate keys: one for everything made from snapshots and one for its snapshot ([Keys]).
// A request with the method PURGE and the header Surrogate-Key makes a cache drop every response
// with that key.
//
// Purging only makes a switch of snapshots visible at once. Package web decides what caches may
// keep, and for so short a time that a lost purge heals by itself, so nothing here blocks a switch:
// [Purger.Retire] queues, [Purger.Run] purges each cache independently and with exponential
// backoff. A snapshot is purged twice, because responses made from it may still be on their way to
// a cache during the first purge. [Purger.PurgeAll], for contacts that were hidden, waits for the
// result.
//
// The addresses of caches come from the operator, who may name any host: there is no SSRF guard.
package edge

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"time"
)

// Timeouts and bounds of a Purger.
const (
	askTimeout      = 5 * time.Second        // of one request to a cache
	firstPause      = 500 * time.Millisecond // before the second attempt; doubled after each
	longestPause    = time.Minute
	purgeAllTimeout = 10 * time.Second // PurgeAll gives up on a cache: somebody waits for it
	retireTimeout   = 5 * time.Minute  // Run gives up on a cache: by then nearly everything has expired by itself

	// A response made from a snapshot may reach a cache after the purge of that snapshot. A second
	// purge follows inFlightTime after the last request with the snapshot has ended, or after
	// maxDrain if it does not end.
	maxDrain     = 15 * time.Second
	inFlightTime = 2 * time.Second

	waiting = 64 // snapshots that may be queued for Run; more than one is rare
)

// allSnapshotsKey is the surrogate key of all responses made from any snapshot.
const allSnapshotsKey = "razao"

// keyOf returns the surrogate key of one snapshot.
func keyOf(snapshot int64) string { return allSnapshotsKey + "-" + strconv.FormatInt(snapshot, 10) }

// Keys returns the value of the Surrogate-Key header of a response made from a snapshot: two keys
// separated by a space.
func Keys(snapshot int64) string { return allSnapshotsKey + " " + keyOf(snapshot) }

// Purger purges caches. Make one with New. It is safe for concurrent use.
type Purger struct {
	addresses []string
	client    *http.Client
	log       *slog.Logger
	retired   chan retiredSnapshot
}

// retiredSnapshot is a snapshot that left service.
type retiredSnapshot struct {
	id     int64
	unused <-chan struct{} // closed when no request uses it any more
}

// New returns a Purger for the caches at these addresses; without any it does nothing. It returns
// an error, which does not quote the address, for one that is not http or https. Redirects are not
// followed.
func New(addresses []string, log *slog.Logger) (*Purger, error) {
	for _, a := range addresses {
		if u, err := url.Parse(a); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
			return nil, errors.New("RAZAO_EDGE_PURGE: an address is not http://… or https://…") // it may hold a password
		}
	}
	return &Purger{
		addresses: addresses, log: log, retired: make(chan retiredSnapshot, waiting),
		client: &http.Client{
			Transport: &http.Transport{}, Timeout: askTimeout,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}, nil
}

// Retire queues a snapshot that left service for Run, which purges it at once and again after
// unused is closed. It does not block: if the queue is full, it logs an error and the responses
// expire by themselves.
func (p *Purger) Retire(id int64, unused <-chan struct{}) {
	select {
	case p.retired <- retiredSnapshot{id, unused}:
	default:
		p.log.Error("caches are not asked to drop a former snapshot: too many are waiting", "snapshot", id)
	}
}

// Run purges the snapshots that Retire queues until ctx ends, and waits for its goroutines. Each
// cache has one of its own, so one that is down does not hold up the others.
func (p *Purger) Run(ctx context.Context) {
	var all sync.WaitGroup
	defer all.Wait()
	for {
		select {
		case <-ctx.Done():
			return
		case r := <-p.retired:
			for _, address := range p.addresses {
				all.Go(func() { p.follow(ctx, address, r) })
			}
		}
	}
}

// follow purges one cache of a snapshot twice: now, and when the last responses made from it have
// arrived.
func (p *Purger) follow(ctx context.Context, address string, r retiredSnapshot) {
	p.purgeLogged(ctx, address, r.id)
	gone, cancel := context.WithTimeout(ctx, maxDrain)
	defer cancel()
	select {
	case <-r.unused:
	case <-gone.Done():
	}
	select {
	case <-time.After(inFlightTime):
		p.purgeLogged(ctx, address, r.id)
	case <-ctx.Done():
	}
}

// purgeLogged purges one cache of a snapshot, trying for up to retireTimeout, and logs the result.
func (p *Purger) purgeLogged(ctx context.Context, address string, id int64) {
	switch err := p.purge(ctx, address, keyOf(id), retireTimeout); {
	case err == nil:
		p.log.Info("a cache dropped a former snapshot", "snapshot", id)
	case ctx.Err() == nil:
		p.log.Error("a cache does not drop a former snapshot, whose pages expire by themselves", "snapshot", id, "error", err)
	}
}

// PurgeAll makes all caches drop the responses of every snapshot, one cache after the other, each
// tried for up to 10 s. The error joins those of the caches that failed.
func (p *Purger) PurgeAll(ctx context.Context) error {
	var failed []error
	for _, address := range p.addresses {
		failed = append(failed, p.purge(ctx, address, allSnapshotsKey, purgeAllTimeout))
	}
	return errors.Join(failed...)
}

// purge asks a cache until it agrees, with exponential backoff, for at most the time most. The
// error is that of the last attempt.
func (p *Purger) purge(ctx context.Context, address, key string, most time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	for pause := firstPause; ; pause = min(2*pause, longestPause) {
		err := p.ask(ctx, address, key)
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("purge a cache: %w", err)
		case <-time.After(pause/2 + rand.N(pause)): // jitter: caches that went down together are not asked together
		}
	}
}

// ask sends one PURGE. Any 2xx status is success.
func (p *Purger) ask(ctx context.Context, address, key string) error {
	req, err := http.NewRequestWithContext(ctx, "PURGE", address, nil)
	if err != nil {
		return err
	}
	req.Header.Set("Surrogate-Key", key)
	resp, err := p.client.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	_, _ = io.Copy(io.Discard, io.LimitReader(resp.Body, 1<<10)) // a drained body lets the connection be reused
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		return fmt.Errorf("the cache answers %s", resp.Status)
	}
	return nil
}
