// Package fetch is what clients of other servers share: responses that fail when the server stalls,
// errors that say whether a retry can help, retries with exponential backoff, the lock of a folder
// that is being filled, and its free space.
//
// Public servers are slow rather than dead: a file may take an hour, so no request has an overall
// deadline. Instead an [Answer] bounds silence, the time in which not one byte arrives, and has a least
// rate ([Pace]), because a byte now and then is no silence (slow server attack). Failures of
// a server are a [*Trouble] that says whether another attempt may help; every other error (disk,
// cancellation, a bad address) ends a download at once.
package fetch

import (
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"strconv"
	"time"
)

// Patience is the usual limit for a pause that a server asks for with Retry-After.
const Patience = 10 * time.Minute

var (
	// ErrSilent means that a server sent nothing for too long.
	ErrSilent = errors.New("the server sent nothing")
	// ErrSlow means that a body arrives too slowly; see [Pace].
	ErrSlow = errors.New("the server sends too slowly")
	// ErrRedirect is for CheckRedirect of a client: it makes the redirect a failure that is not
	// retried.
	ErrRedirect = errors.New("the server redirects where it is not safe to follow")
)

// LeastBytes is how many bytes must arrive in each minute of waiting for them: a
// slower server never ends (slow server attack), and a slow line still gets the largest file.
const LeastBytes = 1 << 20

// Pace tells whether bytes arrive fast enough to wait for: LeastBytes in each minute, or in each
// Silence, the time in which a server may send nothing, if that is longer. The first is not judged
// before it is over.
type Pace struct {
	Silence time.Duration

	bytes int64
	took  time.Duration
}

// Slow adds bytes that took some time, and reports whether all since the last time that was fast enough were
// too slow.
func (p *Pace) Slow(bytes int64, took time.Duration) bool {
	p.bytes, p.took = p.bytes+max(bytes, 0), p.took+took
	window := max(time.Minute, p.Silence)
	switch {
	case p.took < window:
		return false
	case float64(p.bytes) < LeastBytes*p.took.Seconds()/window.Seconds():
		return true
	}
	p.bytes, p.took = 0, 0
	return false
}

// Answer is a response whose reads fail with [ErrSilent] when the server sends nothing for too
// long, and with [ErrSlow] when it sends too little. It is for one goroutine and must be closed.
type Answer struct {
	*http.Response
	outer, inner context.Context // inner ends with outer or after silence
	cancel       context.CancelCauseFunc
	timer        *time.Timer
	silence      time.Duration
	pace         Pace
}

// Send sends a request and returns the head of its answer, whatever the status. silence bounds how
// long the server may send nothing, before the head and during each read of the body. ctx covers
// the body too. Close the answer.
//
// Errors of Send and of Answer.Read are those of ctx if it ended, else a [*Trouble]; it may be
// retried unless it wraps [ErrRedirect].
func Send(ctx context.Context, client *http.Client, req *http.Request, silence time.Duration) (*Answer, error) {
	a := &Answer{outer: ctx, silence: silence, pace: Pace{Silence: silence}}
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

// Read reads the body. Only waiting for the server counts, not the time between reads, so a slow disk
// causes neither ErrSilent nor ErrSlow.
func (a *Answer) Read(p []byte) (int, error) {
	a.timer.Reset(a.silence)
	began := time.Now()
	n, err := a.Body.Read(p)
	a.timer.Stop()
	slow := a.pace.Slow(int64(n), time.Since(began))
	switch {
	case err != nil && err != io.EOF:
		err = a.explain(err)
	case err == nil && slow:
		err = Passing("%w: less than %d bytes a minute", ErrSlow, LeastBytes)
	}
	return n, err
}

// Close cancels the request and discards what was not read.
func (a *Answer) Close() {
	a.timer.Stop()
	a.cancel(nil)
	_ = a.Body.Close()
}

// explain turns an error of the client into the caller's cancellation, silence, a refused redirect,
// or a failed connection that may be retried.
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

// IsPage reports whether the answer is HTML, by its Content-Type: servers answer 200 with a page
// where a file was expected.
func (a *Answer) IsPage() bool {
	kind, _, err := mime.ParseMediaType(a.Header.Get("Content-Type"))
	return err == nil && (kind == "text/html" || kind == "application/xhtml+xml")
}

// RetryAfter returns the pause that the header of that name asks for (RFC 9110, section 10.2.3:
// seconds or a date), at most most; 0 if it is absent, unreadable or past.
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

// Backoff returns the pause after the nth failure in a row, n from 1. It doubles from first up to
// 30 times first; of each pause the second half is random (jitter), so that clients which failed
// together do not retry together.
func Backoff(first time.Duration, n int) time.Duration {
	k := Kind{First: first}
	return k.pause(n)
}

// Sleep waits for d. It returns the error of ctx if that ends first.
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

// Reader returns a reader of r that fails with the error of ctx once it ends: hashing the largest
// file takes half a minute.
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
