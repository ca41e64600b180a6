package indexstore

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"

	"razao/internal/web/fetch"
)

// web is a read-only store behind HTTP: files by name, no directory listings.
type web struct {
	base   *url.URL
	client *http.Client
}

func openWeb(base *url.URL) *web { return &web{base, &http.Client{Transport: transport()}} }

// transport returns an HTTP transport with timeouts for connecting and for the response headers,
// but none for bodies.
func transport() *http.Transport {
	return &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		DialContext:         (&net.Dialer{Timeout: dialTimeout}).DialContext,
		TLSHandshakeTimeout: dialTimeout, ResponseHeaderTimeout: answerTimeout,
		MaxIdleConnsPerHost: filesAtOnce, IdleConnTimeout: answerTimeout,
		ForceAttemptHTTP2: true, DisableCompression: true, // ranges count the bytes of the file itself
	}
}

func (w *web) String() string { return w.base.Redacted() }

// Open implements Store with a range request (RFC 9110, section 14). A server that ignores ranges
// answers 200 and the whole file, of which the first part is discarded.
func (w *web) Open(ctx context.Context, name string, from int64) (io.ReadCloser, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, w.base.JoinPath(name).String(), nil)
	if err != nil {
		return nil, err
	}
	// If-Range is not needed: the content of a name never changes.
	if from > 0 {
		req.Header.Set("Range", fmt.Sprintf("bytes=%d-", from))
	}
	resp, err := w.client.Do(req)
	if err != nil {
		return nil, fetch.Passing("%w", err)
	}
	switch {
	case resp.StatusCode == http.StatusOK: // also the answer of servers without ranges
		_, err = io.CopyN(io.Discard, resp.Body, from)
	case resp.StatusCode == http.StatusPartialContent && from > 0:
		var first int64
		if _, scanned := fmt.Sscanf(resp.Header.Get("Content-Range"), "bytes %d-", &first); scanned != nil || first != from {
			err = fmt.Errorf("%s was asked from byte %d and answers %q", name, from, resp.Header.Get("Content-Range"))
		}
	case resp.StatusCode == http.StatusNotFound, resp.StatusCode == http.StatusGone:
		err = fmt.Errorf("%s: %s: %w", name, resp.Status, fs.ErrNotExist)
	default:
		err = &fetch.Trouble{Err: fmt.Errorf("%s: %s", name, resp.Status), Again: fetch.MayPass(resp.StatusCode)}
	}
	if err != nil {
		_ = resp.Body.Close()
		return nil, err
	}
	return resp.Body, nil
}
