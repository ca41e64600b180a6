// Package fetch is what downloads over HTTP have in common: answers that fail when the server falls silent, trouble and how
// long it is borne, the lock of a folder, its manifest, and the check of what has arrived.
package fetch

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"mime"
	"net/http"
	"strconv"
	"time"
)

// Patience is how long a pause a server may usually ask for.
const Patience = 10 * time.Minute

var (
	// ErrSilent means that a server sent nothing for too long.
	ErrSilent = errors.New("the server sent nothing")
	// ErrRedirect is for a client's CheckRedirect, to refuse a step for good.
	ErrRedirect = errors.New("the server redirects where it is not safe to follow")
)

// Answer is a response whose reads fail with ErrSilent once the server has sent nothing for too long.
type Answer struct {
	*http.Response
	outer, inner context.Context // inner ends with outer or by silence
	cancel       context.CancelCauseFunc
	timer        *time.Timer
	silence      time.Duration
}

// Send sends a request and returns the head of its answer, whatever the status; the server may be silent for so long, then
// and while the body is read. Close the answer. The error, then and from Read, is that of ctx when it ended,
// else a *Trouble, which another attempt may cure unless it wraps ErrRedirect.
func Send(ctx context.Context, client *http.Client, req *http.Request, silence time.Duration) (*Answer, error) {
	// Ranges and lengths count the bytes of the file, not those of a compressed transfer.
	req.Header.Set("Accept-Encoding", "identity")
	a := &Answer{outer: ctx, silence: silence}
	a.inner, a.cancel = context.WithCancelCause(ctx)
	a.timer = time.AfterFunc(silence, func() { a.cancel(ErrSilent) })
	var err error
	a.Response, err = client.Do(req.WithContext(a.inner))
	a.timer.Stop()
	if err != nil {
		err = a.explain(err)
		a.cancel(nil)
		return nil, err
	}
	return a, nil
}

// Read reads the body. Only the time spent waiting for the server counts as silence, not that of a slow disk.
func (a *Answer) Read(p []byte) (int, error) {
	a.timer.Reset(a.silence)
	n, err := a.Body.Read(p)
	a.timer.Stop()
	if err != nil && err != io.EOF {
		err = a.explain(err)
	}
	return n, err
}

// Close ends the answer. What was not read is lost.
func (a *Answer) Close() {
	a.timer.Stop()
	a.cancel(nil)
	_ = a.Body.Close()
}

// explain tells apart our own end, silence, a redirect that is refused and the many ways a connection fails.
func (a *Answer) explain(err error) error {
	switch {
	case a.outer.Err() != nil:
		return a.outer.Err()
	case errors.Is(context.Cause(a.inner), ErrSilent):
		return Passing("%w for %s", ErrSilent, a.silence)
	case errors.Is(err, ErrRedirect):
		return &Trouble{Err: err}
	}
	return Passing("connection failed: %w", err)
}

// IsPage says whether the answer is a page for people.
func (a *Answer) IsPage() bool {
	kind, _, err := mime.ParseMediaType(a.Header.Get("Content-Type"))
	return err == nil && (kind == "text/html" || kind == "application/xhtml+xml")
}

// RetryAfter reads the header of that name, seconds or a date; 0 when it is absent, unreadable or past. What it asks for is
// cut at most.
func RetryAfter(h http.Header, now time.Time, most time.Duration) time.Duration {
	value := h.Get("Retry-After")
	if seconds, err := strconv.Atoi(value); err == nil {
		return time.Duration(min(max(seconds, 0), int(most/time.Second))) * time.Second
	}
	if t, err := http.ParseTime(value); err == nil {
		return min(max(t.Sub(now), 0), most)
	}
	return 0
}

// Backoff returns the pause after the nth failure in a row, n from 1: it doubles from first up to thirty times that, with
// jitter so that those who failed together do not come back together.
func Backoff(first time.Duration, n int) time.Duration {
	d := first * 30
	if n <= 5 {
		d = min(d, first<<(n-1))
	}
	return d/2 + rand.N(d/2+1)
}

// Sleep waits for d or until ctx ends.
func Sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Reader returns a reader of r that ends with ctx: to read the largest file takes half a minute.
func Reader(ctx context.Context, r io.Reader) io.Reader { return &reader{ctx, r} }

type reader struct {
	ctx context.Context
	r   io.Reader
}

// Read implements io.Reader.
func (r *reader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.r.Read(p)
}
