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

	"razao/ingest/fetch"
)

const (
	maxBody       = 64 << 20 // a page of 500 contracts has about 1 MB
	maxRetryAfter = 30 * time.Minute
)

// totals are what every page says of its window.
type totals struct {
	Contracts int64 `json:"totalRegistros"`
	Pages     int   `json:"totalPaginas"`
}

// page is an answer of the API; an empty one has no totals.
type page struct {
	Data   []json.RawMessage `json:"data"` // one line each
	Number int               `json:"numeroPagina"`
	totals
}

// trouble is a kind of failure that another call may cure.
type trouble uint8

const (
	limited     trouble = iota // the API asks to wait
	unstable                   // it failed, or the connection
	unwilling                  // it refuses the window, which it also does without a reason
	troubleKind                // how many kinds there are
)

// patience returns the pause after the first failure of a kind, which doubles with each further one, its bound, and how
// many failures of one page are borne.
func (t trouble) patience() (first, most time.Duration, failures int) {
	switch t {
	case limited:
		return 30 * time.Second, 10 * time.Minute, 20
	case unstable:
		return 2 * time.Second, 2 * time.Minute, 10
	default:
		return 5 * time.Second, time.Minute, 3
	}
}

// failure is a failed call that may be repeated; every other error is final.
type failure struct {
	kind  trouble
	after time.Duration // what the API asked to wait, 0 when it did not
	err   error
}

func (f *failure) Error() string { return f.err.Error() }
func (f *failure) Unwrap() error { return f.err }

func failed(kind trouble, format string, args ...any) error {
	return &failure{kind: kind, err: fmt.Errorf(format, args...)}
}

// page returns one page of a window, however many calls that takes.
func (f *fetcher) page(ctx context.Context, w window, number int) (*page, error) {
	var failures [troubleKind]int
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

// pause returns how long to wait after the nth failure of a kind, and whether another call is worth it.
func (f *failure) pause(n int) (time.Duration, bool) {
	pause, most, failures := f.kind.patience()
	for range n - 1 {
		pause = min(2*pause, most)
	}
	if f.after > 0 {
		pause = f.after
	}
	return pause, n < failures
}

// call asks once for a page.
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

func (f *fetcher) address(w window, number int) string {
	const compact = "20060102"
	u := *f.endpoint
	u.RawQuery = url.Values{
		"dataInicial": {w.first.Format(compact)}, "dataFinal": {w.last.Format(compact)},
		"pagina": {strconv.Itoa(number)}, "tamanhoPagina": {strconv.Itoa(f.PageSize)},
	}.Encode()
	return u.String()
}

// broken tells our own end from a failed connection.
func broken(outer context.Context, err error) error {
	if outer.Err() != nil {
		return outer.Err()
	}
	return failed(unstable, "connection failed: %w", err)
}

// read makes a page of an answer.
func (f *fetcher) read(res *http.Response, body []byte, number int) (*page, error) {
	status := res.StatusCode
	html := isHTML(res.Header, body)
	switch {
	case status == http.StatusNoContent:
		return &page{}, nil
	case status == http.StatusTooManyRequests, status == http.StatusOK && html:
		// The page "Limite de Requisições Excedido" also comes as an answer that claims to be a success.
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

// decode reads a page and checks that it is the one that was asked for.
func decode(body []byte, number int) (*page, error) {
	// Control characters are blanks between values, and no part of a text that people wrote.
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

// isHTML says whether an answer is a page for people.
func isHTML(h http.Header, body []byte) bool {
	kind, _, err := mime.ParseMediaType(h.Get("Content-Type"))
	return err == nil && kind == "text/html" || bytes.HasPrefix(bytes.TrimSpace(body), []byte("<"))
}

// excerpt returns the beginning of an answer for an error, "" for an empty one.
func excerpt(body []byte) string {
	const shown = 200
	body = bytes.Join(bytes.Fields(body), []byte(" "))
	if len(body) == 0 {
		return ""
	}
	return fmt.Sprintf(" (%s)", bytes.ToValidUTF8(body[:min(len(body), shown)], nil))
}
