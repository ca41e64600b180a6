package share

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"syscall"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"

	"razao/internal/web/fetch"
)

// Limits of a Fetch.
const (
	maxListings = 6  // listings of a month, each after the release was seen to change
	maxFailures = 12 // retries in a row without progress
	maxDamaged  = 3  // times that a file may arrive complete but damaged
	maxStrain   = 3  // stalls or refused connections, after which one stream is left
)

// errChanged says that a file was published again after it was listed.
var errChanged = errors.New("the file was published again during the download")

// Fetch downloads the 37 zips of a month into dir. It returns when all are complete, verified and
// the same as the share lists at the end. An incomplete month is an [*IncompleteError] and touches
// nothing.
//
// dir, created if missing, belongs to one month. It also holds manifest.json (size, ETag and
// SHA-256 of each file) and *.part files, from which a later Fetch resumes after an error or
// cancellation. Files with the 37 names that the manifest does not know, or knows under another
// ETag, are replaced.
func (c *Client) Fetch(ctx context.Context, month, dir string) error {
	for listing := 1; listing <= maxListings; listing++ {
		f, pending, err := c.plan(ctx, month, dir)
		if err != nil || len(pending) == 0 {
			return err
		}
		// After success the month is listed again too: files verified one by one need not be of one
		// publication.
		err = c.download(ctx, f, pending)
		if errors.Is(err, errChanged) {
			c.log.Warn("the release changed during its download, listing it again", "month", month, "error", err)
			err = c.pause(ctx, fetch.Backoff(c.backoff, listing))
		}
		if ctx.Err() != nil {
			return fmt.Errorf("download of %s into %s was stopped, start it again to go on from there: %w", month, dir, ctx.Err())
		}
		if err != nil {
			return fmt.Errorf("download of %s into %s: %w", month, dir, err)
		}
	}
	return fmt.Errorf("download of %s into %s: %w and again: it is being published right now, try again later", month, dir, errChanged)
}

// plan lists a month and returns the files that its folder lacks.
func (c *Client) plan(ctx context.Context, month, dir string) (*folder, []File, error) {
	files, err := c.List(ctx, month)
	if err != nil {
		return nil, nil, err
	}
	f, err := openFolder(dir, month)
	if err != nil {
		return nil, nil, err
	}
	var pending []File
	for _, file := range files {
		if f.holds(file) {
			c.report(file.Name, file.Bytes, file.Bytes)
		} else {
			pending = append(pending, file)
		}
	}
	return f, pending, nil
}

// download fetches files, the largest first, and stops all at the first error.
func (c *Client) download(ctx context.Context, f *folder, files []File) error {
	slices.SortStableFunc(files, func(a, b File) int { return cmp.Compare(b.Bytes, a.Bytes) })
	l := newLanes(c.streams)
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(c.streams)
	for _, file := range files {
		if ctx.Err() != nil {
			break
		}
		g.Go(func() error {
			if err := c.fetchFile(ctx, f, file, l); err != nil {
				return fmt.Errorf("%s: %w", file.Name, err)
			}
			return nil
		})
	}
	return g.Wait()
}

// fetchFile fetches one file: attempts until its part is complete and verified.
func (c *Client) fetchFile(ctx context.Context, f *folder, file File, l *lanes) error {
	best, err := f.begin(file)
	if err != nil {
		return err
	}
	damaged := 0
	retry := c.retry()
	return retry.Do(ctx, file.Name, func() (further bool, err error) {
		err = c.attempt(ctx, f, file, l)
		if err == nil {
			c.log.Info("file complete", "file", file.Name, "bytes", file.Bytes)
			l.relax()
			return true, nil
		}
		if errors.Is(err, fetch.ErrDamaged) {
			if damaged++; damaged == maxDamaged {
				return false, &fetch.Trouble{Err: fmt.Errorf("%w: it arrived damaged %d times: the published file is broken, take the month before or try again tomorrow", err, damaged)}
			}
			best = 0
		}
		if l.strained(err) {
			c.log.Warn("the server cannot keep up, one stream is left")
		}
		held := f.held(file)
		further = held > best
		best = max(best, held)
		return further, err
	})
}

// retry returns the policy for failures. The share has had days on which every second request
// failed; with 12 retries such a day stops fewer than one download of 37 files in 200.
func (c *Client) retry() fetch.Retry {
	return fetch.Retry{First: c.backoff, Failures: maxFailures + 1, Log: c.log, Sleep: c.pause}
}

// attempt makes one request for the missing bytes of a file, and verifies and renames the part once
// it is complete. Only the transfer occupies a lane.
func (c *Client) attempt(ctx context.Context, f *folder, file File, l *lanes) error {
	leave, err := l.enter(ctx)
	if err != nil {
		return err
	}
	err = c.resume(ctx, f.url(c.base, file), f.part(file), file)
	leave()
	if err != nil {
		return err
	}
	sum, err := verify(ctx, f.part(file), file.Bytes)
	if errors.Is(err, fetch.ErrDamaged) {
		return cmp.Or(os.Remove(f.part(file)), err)
	}
	if err != nil {
		return err
	}
	return f.finish(file, sum)
}

// lanes bounds how many transfers run at once: all of them or, after the server showed strain, a
// single one. It is a weighted semaphore: in the second state a transfer acquires all of it.
type lanes struct {
	all  int64 // number of lanes
	free *semaphore.Weighted

	mu     sync.Mutex
	strain int // stalls and refused connections since the last complete file
}

func newLanes(n int) *lanes { return &lanes{all: int64(n), free: semaphore.NewWeighted(int64(n))} }

// enter waits for a lane; leave returns it.
func (l *lanes) enter(ctx context.Context) (leave func(), err error) {
	l.mu.Lock()
	weight := int64(1)
	if l.strain >= maxStrain {
		weight = l.all
	}
	l.mu.Unlock()
	if err := l.free.Acquire(ctx, weight); err != nil {
		return nil, err
	}
	return func() { l.free.Release(weight) }, nil
}

// strained notes a failure. It returns true once: when this one leaves a single stream.
func (l *lanes) strained(err error) bool {
	if !errors.Is(err, fetch.ErrSilent) && !errors.Is(err, syscall.ECONNREFUSED) {
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.strain++
	return l.strain == maxStrain
}

// relax forgets occasional failures when a file is complete. A single stream stays single.
func (l *lanes) relax() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.strain < maxStrain {
		l.strain = 0
	}
}
