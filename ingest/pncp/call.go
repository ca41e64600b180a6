package pncp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"razao/internal/web/fetch"
)

const (
	maxBody       = 64 << 20               // bounds memory; a page of 500 contracts has about 1 MB
	maxContracts  = 1000                   // of a page: twice what may be asked for
	maxPages      = 10_000                 // of a window, which has a hundred
	maxRetryAfter = 30 * time.Minute       // a longer Retry-After is cut to this
	pause         = 600 * time.Millisecond // between two calls: faster callers get 429
)

// totals is what every page says about its whole window.
type totals struct {
	Contracts int64 `json:"totalRegistros"`
	Pages     int   `json:"totalPaginas"`
}

// page is an answer of the API. That of an empty window (204) is the zero value.
type page struct {
	Data   contracts `json:"data"` // compacted: one line each
	Number int       `json:"numeroPagina"`
	totals
}

// contracts are the elements of a page, far fewer than an array of such a size could have.
type contracts []json.RawMessage

// UnmarshalJSON implements json.Unmarshaler.
func (c *contracts) UnmarshalJSON(text []byte) error {
	d := json.NewDecoder(bytes.NewReader(text))
	switch bracket, err := d.Token(); {
	case err != nil:
		return err
	case bracket == nil:
		return nil // null
	case bracket != json.Delim('['):
		return errors.New("data is no array")
	}
	for *c = nil; d.More(); {
		if len(*c) == maxContracts {
			return fmt.Errorf("a page has more than %d contracts", maxContracts)
		}
		var one json.RawMessage
		if err := d.Decode(&one); err != nil {
			return err
		}
		*c = append(*c, one)
	}
	return nil
}

// The kinds of failures that another call may cure. One page may have so many of each in a row. The
// portal's own Retry-After takes the place of a backoff.
var (
	// limited is 429, or the HTML page of the limit.
	limited = &fetch.Kind{First: 30 * time.Second, Most: 10 * time.Minute, Exact: true, Failures: 20}
	// unstable is 5xx, 408, silence, a broken connection, a damaged answer.
	unstable = &fetch.Kind{First: 2 * time.Second, Most: 2 * time.Minute, Exact: true, Failures: 10}
	// unwilling is 422, which also comes spuriously.
	unwilling = &fetch.Kind{First: 5 * time.Second, Most: time.Minute, Exact: true, Failures: 3}
)

// failed returns a failure that may pass. after is the pause that the portal asked for, 0 for none.
func failed(kind *fetch.Kind, after time.Duration, format string, args ...any) error {
	return &fetch.Trouble{Kind: kind, Again: true, After: after, Err: fmt.Errorf(format, args...)}
}

// page returns one page of a window. It repeats calls until one succeeds, fails for good, or has
// failed too often. Before every page but the first of the run it pauses.
func (f *fetcher) page(ctx context.Context, w window, number int) (p *page, err error) {
	if f.called {
		if err := f.sleep(ctx, pause); err != nil {
			return nil, err
		}
	}
	f.called = true
	retry := fetch.Retry{Stop: fetch.Resumable, Log: f.Log, Sleep: f.sleep}
	err = retry.Do(ctx, fmt.Sprintf("%s, page %d", w, number), func() (bool, error) {
		p, err = f.call(ctx, w, number)
		return false, err
	})
	if err != nil {
		return nil, fmt.Errorf("page %d: %w", number, err)
	}
	return p, nil
}

// call makes one HTTP request for a page.
func (f *fetcher) call(ctx context.Context, w window, number int) (*page, error) {
	req, err := http.NewRequest(http.MethodGet, f.address(w, number), nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", "application/json")
	a, err := fetch.Send(ctx, http.DefaultClient, req, f.timeout)
	if err != nil {
		return nil, broken(err)
	}
	defer a.Close()
	body, err := io.ReadAll(io.LimitReader(a, maxBody+1))
	if err != nil {
		return nil, broken(err)
	}
	if len(body) > maxBody {
		return nil, fmt.Errorf("it has more than %d bytes", maxBody)
	}
	return f.read(a, body, number)
}

// broken makes a failed connection one that is retried as unstable; the end of the context stays
// what it is.
func broken(err error) error {
	var t *fetch.Trouble
	if errors.As(err, &t) {
		t.Kind = unstable
	}
	return err
}

// address returns the URL of a page. The API wants days as AAAAMMDD.
func (f *fetcher) address(w window, number int) string {
	const compact = "20060102"
	u := *f.endpoint
	u.RawQuery = url.Values{
		"dataInicial": {w.first.Format(compact)}, "dataFinal": {w.last.Format(compact)},
		"pagina": {strconv.Itoa(number)}, "tamanhoPagina": {strconv.Itoa(f.pageSize)},
	}.Encode()
	return u.String()
}

// read classifies an answer by status and content, and decodes a page.
func (f *fetcher) read(a *fetch.Answer, body []byte, number int) (*page, error) {
	status, after := a.StatusCode, fetch.RetryAfter(a.Header, f.now(), maxRetryAfter)
	switch {
	case status == http.StatusNoContent:
		return &page{}, nil
	case status == http.StatusTooManyRequests, status == http.StatusOK && (a.IsPage() || bytes.HasPrefix(bytes.TrimSpace(body), []byte("<"))):
		// The HTML page "Limite de Requisições Excedido" also comes with status 200.
		return nil, failed(limited, after, "the portal limits calls: it answered %s%s", a.Status, excerpt(body))
	case status == http.StatusUnprocessableEntity:
		return nil, failed(unwilling, 0, "the portal refuses the window: it answered %s%s", a.Status, excerpt(body))
	case status >= 500, status == http.StatusRequestTimeout:
		return nil, failed(unstable, after, "the portal answered %s", a.Status)
	case status != http.StatusOK:
		return nil, fmt.Errorf("the portal answered %s%s: check the base URL", a.Status, excerpt(body))
	}
	return decodePage(body, number)
}

// decodePage decodes a page and checks that it is the page asked for and agrees with its own totals.
// It changes body: raw control characters, which are invalid inside JSON strings, become blanks.
func decodePage(body []byte, number int) (*page, error) {
	for i, c := range body {
		if c < ' ' {
			body[i] = ' '
		}
	}
	var p page
	if err := json.Unmarshal(body, &p); err != nil {
		return nil, failed(unstable, 0, "the answer arrived damaged: %w", err)
	}
	switch {
	case p.Number != 0 && p.Number != number:
		return nil, failed(unstable, 0, "the portal sent page %d instead", p.Number)
	case p.Pages > maxPages:
		return nil, fmt.Errorf("the portal speaks of %d pages: more than %d", p.Pages, maxPages)
	case p.Pages < 0 || p.Contracts < int64(len(p.Data)) || p.Pages == 0 && len(p.Data) > 0:
		return nil, failed(unstable, 0, "the page has %d contracts but speaks of %d on %d pages", len(p.Data), p.Contracts, p.Pages)
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

// excerpt returns up to 200 bytes of an answer, in brackets, for an error; "" for an empty answer.
func excerpt(body []byte) string {
	const shown = 200
	body = bytes.Join(bytes.Fields(body), []byte(" "))
	if len(body) == 0 {
		return ""
	}
	return fmt.Sprintf(" (%s)", bytes.ToValidUTF8(body[:min(len(body), shown)], nil))
}
