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

	"razao/ingest/fetch"
)

const (
	maxListings = 6  // of one Fetch, each after the release was seen to change
	maxFailures = 12 // repetitions in a row that may bring nothing
	maxDamaged  = 3  // downloads of one file that arrive whole but damaged
	maxStrain   = 3  // stalls or refusals after which one stream is left
)

// errChanged says that a file was published again after it had been listed.
var errChanged = errors.New("the file was published again during the download")

// Fetch downloads the 37 zips of a month into dir and returns when all of them are there, verified, and the same as the
// share then lists. An incomplete month is an *IncompleteError and touches nothing.
//
// dir, made when missing, belongs to one month: it also holds manifest.json (size, ETag and SHA-256 of each file) and
// *.part files. A later Fetch goes on from there, so a Fetch that failed or was cancelled is simply called again.
// Files with the 37 names that the manifest does not know, or knows under another ETag, are replaced.
func (c *Client) Fetch(ctx context.Context, month, dir string) error {
	for listing := 1; listing <= maxListings; listing++ {
		f, pending, err := c.plan(ctx, month, dir)
		if err != nil || len(pending) == 0 {
			return err
		}
		// After a success, too, the month is listed again: files verified one by one need not be of one publication.
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

// download fetches the files, the largest first, and stops all of them at the first error.
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

// fetchFile brings one file to its end: attempts until its part is whole, then the check, then its name.
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

// retry is how long trouble is borne. The share has had days on which every second request failed; with 12 repetitions such a
// day stops fewer than one download of 37 files in 200.
func (c *Client) retry() fetch.Retry {
	return fetch.Retry{First: c.backoff, Failures: maxFailures + 1, Log: c.log, Sleep: c.pause}
}

// attempt makes one request for what is missing of a file and finishes the file when nothing is missing any more.
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

// lanes bounds how many downloads run at once: all of them, or a single one after the server showed strain.
type lanes struct {
	all  int64
	free *semaphore.Weighted

	mu     sync.Mutex
	strain int
}

func newLanes(n int) *lanes { return &lanes{all: int64(n), free: semaphore.NewWeighted(int64(n))} }

// enter waits for a lane; leave gives it back. With one stream left a download takes all lanes.
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

// strained notes a failure and returns true when it is the one after which a single stream is left.
func (l *lanes) strained(err error) bool {
	if !errors.Is(err, fetch.ErrSilent) && !errors.Is(err, syscall.ECONNREFUSED) {
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.strain++
	return l.strain == maxStrain
}

// relax forgets single failures when a file is complete. One stream stays one stream.
func (l *lanes) relax() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.strain < maxStrain {
		l.strain = 0
	}
}
