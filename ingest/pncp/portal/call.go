package portal

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"razao/internal/web/fetch"
)

const (
	maxBody       = 64 << 20         // bounds memory; a page of 500 contracts has about 1 MB
	maxRetryAfter = 30 * time.Minute // a longer Retry-After is cut to this
)

// totals is what every page says about its whole window.
type totals struct {
	Contracts int64 `json:"totalRegistros"`
	Pages     int   `json:"totalPaginas"`
}

// page is an answer of the API. That of an empty window (204) is the zero value.
type page struct {
	Data   []json.RawMessage `json:"data"` // compacted: one line each
	Number int               `json:"numeroPagina"`
	totals
}

// failureKind classifies failures that another call may cure.
type failureKind uint8

const (
	limited      failureKind = iota // 429, or the HTML page of the limit
	unstable                        // 5xx, 408, timeout, broken connection, damaged answer
	unwilling                       // 422, which also comes spuriously
	failureKinds                    // number of kinds
)

// backoff returns the exponential backoff of a kind: the pause after the first failure, which
// doubles up to most, and how many failures one page may have.
func (k failureKind) backoff() (first, most time.Duration, failures int) {
	switch k {
	case limited:
		return 30 * time.Second, 10 * time.Minute, 20
	case unstable:
		return 2 * time.Second, 2 * time.Minute, 10
	default:
		return 5 * time.Second, time.Minute, 3
	}
}

// failure is the error of a call that may be repeated; every other error of a call is final.
type failure struct {
	kind  failureKind
	after time.Duration // Retry-After, 0 for none
	err   error
}

// Error implements error.
func (f *failure) Error() string { return f.err.Error() }

// Unwrap returns the cause.
func (f *failure) Unwrap() error { return f.err }

// failed returns a failure without a Retry-After.
func failed(kind failureKind, format string, args ...any) error {
	return &failure{kind: kind, err: fmt.Errorf(format, args...)}
}

// page returns one page of a window. It repeats calls until one succeeds, one fails for good, or
// the page has had the failures that a kind may have; kinds are counted separately. Before every
// call but the first of the run it sleeps.
func (f *fetcher) page(ctx context.Context, w window, number int) (*page, error) {
	var failures [failureKinds]int
	for {
		if f.wait > 0 {
			if err := f.Sleep(ctx, f.wait); err != nil {
				return nil, err
			}
		}
		p, err := f.call(ctx, w, number)
		f.wait = f.Pause
		var again *failure
		if !errors.As(err, &again) {
			return p, err
		}
		failures[again.kind]++
		pause, borne := again.pause(failures[again.kind])
		if !borne {
			return nil, fmt.Errorf("page %d: %w; %d calls brought nothing: try again later, whole windows are kept", number, err, failures[again.kind])
		}
		f.wait = max(pause, f.Pause)
		f.Log.Warn("trying again", "window", w.String(), "page", number, "failures", failures[again.kind], "pause", f.wait, "error", err)
	}
}

// pause returns how long to wait after the nth failure of a kind, and false when no further call is
// worth it. Retry-After takes the place of the backoff.
func (f *failure) pause(n int) (time.Duration, bool) {
	pause, most, failures := f.kind.backoff()
	for range n - 1 {
		pause = min(2*pause, most)
	}
	if f.after > 0 {
		pause = f.after
	}
	return pause, n < failures
}

// call makes one HTTP request for a page.
func (f *fetcher) call(outer context.Context, w window, number int) (*page, error) {
	ctx, cancel := context.WithTimeout(outer, f.Timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, f.address(w, number), nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", "application/json")
	res, err := f.HTTP.Do(req)
	if err != nil {
		return nil, broken(outer, err)
	}
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(res.Body, maxBody+1))
	if err != nil {
		return nil, broken(outer, err)
	}
	if len(body) > maxBody {
		return nil, fmt.Errorf("page %d has more than %d bytes", number, maxBody)
	}
	return f.read(res, body, number)
}

// address returns the URL of a page. The API wants days as AAAAMMDD.
func (f *fetcher) address(w window, number int) string {
	const compact = "20060102"
	u := *f.endpoint
	u.RawQuery = url.Values{
		"dataInicial": {w.first.Format(compact)}, "dataFinal": {w.last.Format(compact)},
		"pagina": {strconv.Itoa(number)}, "tamanhoPagina": {strconv.Itoa(f.PageSize)},
	}.Encode()
	return u.String()
}

// broken tells the end of the caller's context from a failed connection or the timeout of the call.
func broken(outer context.Context, err error) error {
	if outer.Err() != nil {
		return outer.Err()
	}
	return failed(unstable, "connection failed: %w", err)
}

// read classifies an answer by status and content, and decodes a page.
func (f *fetcher) read(res *http.Response, body []byte, number int) (*page, error) {
	status := res.StatusCode
	html := isHTML(res.Header, body)
	switch {
	case status == http.StatusNoContent:
		return &page{}, nil
	case status == http.StatusTooManyRequests, status == http.StatusOK && html:
		// The HTML page "Limite de Requisições Excedido" also comes with status 200.
		return nil, &failure{limited, fetch.RetryAfter(res.Header, f.Now(), maxRetryAfter), fmt.Errorf("the portal limits calls: it answered %s%s", res.Status, excerpt(body))}
	case status == http.StatusUnprocessableEntity:
		return nil, failed(unwilling, "the portal refuses the window: it answered %s%s", res.Status, excerpt(body))
	case status >= 500, status == http.StatusRequestTimeout:
		return nil, &failure{unstable, fetch.RetryAfter(res.Header, f.Now(), maxRetryAfter), fmt.Errorf("the portal answered %s", res.Status)}
	case status != http.StatusOK:
		return nil, fmt.Errorf("the portal answered %s%s: check the base URL", res.Status, excerpt(body))
	}
	return decode(body, number)
}

// decode decodes a page and checks that it is the page asked for and agrees with its own totals. It
// changes body: raw control characters, which are invalid inside JSON strings, become blanks.
func decode(body []byte, number int) (*page, error) {
	for i, c := range body {
		if c < ' ' {
			body[i] = ' '
		}
	}
	var p page
	if err := json.Unmarshal(body, &p); err != nil {
		return nil, failed(unstable, "the answer arrived damaged: %w", err)
	}
	switch {
	case p.Number != 0 && p.Number != number:
		return nil, failed(unstable, "the portal sent page %d instead", p.Number)
	case p.Pages < 0 || p.Contracts < int64(len(p.Data)) || p.Pages == 0 && len(p.Data) > 0:
		return nil, failed(unstable, "the page has %d contracts but speaks of %d on %d pages", len(p.Data), p.Contracts, p.Pages)
	}
	for i, c := range p.Data {
		var line bytes.Buffer
		if err := json.Compact(&line, c); err != nil {
			return nil, fmt.Errorf("page %d: %w", number, err)
		}
		p.Data[i] = line.Bytes()
	}
	return &p, nil
}

// isHTML reports whether an answer is an HTML page, by its type or its first byte.
func isHTML(h http.Header, body []byte) bool {
	kind, _, err := mime.ParseMediaType(h.Get("Content-Type"))
	return err == nil && kind == "text/html" || bytes.HasPrefix(bytes.TrimSpace(body), []byte("<"))
}

// excerpt returns up to 200 bytes of an answer, in brackets, for an error; "" for an empty answer.
func excerpt(body []byte) string {
	const shown = 200
	body = bytes.Join(bytes.Fields(body), []byte(" "))
	if len(body) == 0 {
		return ""
	}
	return fmt.Sprintf(" (%s)", bytes.ToValidUTF8(body[:min(len(body), shown)], nil))
}
