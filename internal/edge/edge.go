// Package edge tells the shared caches in front of the servers which of their answers have become old: CDNs and Varnish keep public
// answers under surrogate keys, such as that of the snapshot that they were made from, and drop all that have one when they are asked to.
//
// What caches may keep is decided in package web, and for so short a time that a purge that got lost heals by itself: purging makes a switch
// visible at once, and nothing depends on it. The addresses of the caches are the operator's, who may name any host, so there is no SSRF
// guard.
package edge

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"time"

	"github.com/cenkalti/backoff/v5"
)

const (
	askTimeout  = 5 * time.Second  // of one request to a cache
	patience    = 10 * time.Second // of PurgeAll: somebody waits for it
	persistence = 5 * time.Minute  // of Run; until then nearly all that a purge would drop has expired

	// An answer that was made from a snapshot may arrive at a cache after the purge of that snapshot. So there is a second purge when nobody
	// uses the snapshot any more, and what was sent last had the time to arrive.
	leaving = 15 * time.Second
	arrival = 2 * time.Second

	waiting = 64 // snapshots that may wait for Run; more than one is rare
)

// everything is the surrogate key of whatever is made from a snapshot.
const everything = "razao"

func keyOf(snapshot int64) string { return everything + "-" + strconv.FormatInt(snapshot, 10) }

// Keys returns the surrogate keys of what is made from a snapshot, separated by a space.
func Keys(snapshot int64) string { return everything + " " + keyOf(snapshot) }

// Purger asks caches to drop what they have of a snapshot. It is safe for concurrent use.
type Purger struct {
	addresses []string
	client    *http.Client
	log       *slog.Logger
	retired   chan retired
}

// retired is a snapshot that left service.
type retired struct {
	id     int64
	unused <-chan struct{}
}

// New returns a Purger of the caches at some http or https addresses. Without any it does nothing. Caches are asked with the method PURGE and
// the header Surrogate-Key.
func New(addresses []string, log *slog.Logger) (*Purger, error) {
	for _, a := range addresses {
		if u, err := url.Parse(a); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
			return nil, errors.New("RAZAO_EDGE_PURGE: an address is not http://… or https://…") // it may hold a password
		}
	}
	return &Purger{
		addresses: addresses, log: log, retired: make(chan retired, waiting),
		client: &http.Client{
			Transport: &http.Transport{}, Timeout: askTimeout,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}, nil
}

// Retire lets Run purge a snapshot that left service: at once, and again after unused was closed. It does not block.
func (p *Purger) Retire(id int64, unused <-chan struct{}) {
	select {
	case p.retired <- retired{id, unused}:
	default:
		p.log.Error("caches are not asked to drop a former snapshot: too many are waiting", "snapshot", id)
	}
}

// Run purges what Retire names until ctx ends, every cache on its own, so that one that is down holds up no other.
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

// follow purges one cache of a snapshot, twice.
func (p *Purger) follow(ctx context.Context, address string, r retired) {
	p.persist(ctx, address, r.id)
	gone, cancel := context.WithTimeout(ctx, leaving)
	defer cancel()
	select {
	case <-r.unused:
	case <-gone.Done():
	}
	select {
	case <-time.After(arrival):
		p.persist(ctx, address, r.id)
	case <-ctx.Done():
	}
}

// persist purges one cache of a snapshot and logs what came of it.
func (p *Purger) persist(ctx context.Context, address string, id int64) {
	switch err := p.purge(ctx, address, keyOf(id), persistence); {
	case err == nil:
		p.log.Info("a cache dropped a former snapshot", "snapshot", id)
	case ctx.Err() == nil:
		p.log.Error("a cache does not drop a former snapshot, whose pages expire by themselves", "snapshot", id, "error", err)
	}
}

// PurgeAll asks all caches to drop what they have of any snapshot, and waits for them.
func (p *Purger) PurgeAll(ctx context.Context) error {
	var failed []error
	for _, address := range p.addresses {
		failed = append(failed, p.purge(ctx, address, everything, patience))
	}
	return errors.Join(failed...)
}

// purge asks a cache, with growing pauses, until it does it or the time is over.
func (p *Purger) purge(ctx context.Context, address, key string, most time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	var last error
	attempt := func() (struct{}, error) {
		last = p.ask(ctx, address, key)
		return struct{}{}, last
	}
	if _, err := backoff.Retry(ctx, attempt, backoff.WithMaxElapsedTime(most)); err != nil {
		return fmt.Errorf("purge a cache: %w", last)
	}
	return nil
}

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
	_, _ = io.Copy(io.Discard, io.LimitReader(resp.Body, 1<<10)) // keeps the connection
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		return fmt.Errorf("the cache answers %s", resp.Status)
	}
	return nil
}
