package oauthserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"path"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const (
	maxDocument      = 16 << 10 // bytes
	maxDocumentURL   = 500      // bytes
	documentTimeout  = 5 * time.Second
	documentsAtOnce  = 4 // of all clients: whoever answers slowly holds up no more
	leastFresh       = 5 * time.Minute
	usuallyFresh     = time.Hour // where the answer does not say
	mostFresh        = 24 * time.Hour
	maxDocumentHeads = 16 << 10 // bytes
)

// fetcher fetches what clients say of themselves at addresses that anybody may have chosen.
type fetcher struct {
	client http.Client
	dialer *net.Dialer
	slots  chan struct{}
}

// newFetcher returns a fetcher that connects to addresses that are reachable alone. They are checked when they are connected
// to, after names were resolved: a name that resolves to something else the second time is of no use.
func newFetcher(reachable func(netip.Addr) bool) *fetcher {
	dialer := &net.Dialer{Timeout: documentTimeout, Control: func(_, address string, _ syscall.RawConn) error {
		to, err := netip.ParseAddrPort(address)
		if err != nil || !reachable(to.Addr()) {
			return errors.New("not a public address")
		}
		return nil
	}}
	transport := &http.Transport{ // without a proxy, which would connect for us
		DialContext: dialer.DialContext, DisableKeepAlives: true, DisableCompression: true, TLSHandshakeTimeout: documentTimeout,
		MaxResponseHeaderBytes: maxDocumentHeads,
	}
	return &fetcher{
		dialer: dialer, slots: make(chan struct{}, documentsAtOnce),
		client: http.Client{
			Transport: transport, Timeout: documentTimeout,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
}

// notPublic are the networks that are not of the Internet and that netip does not tell from it.
var notPublic = [...]netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"), netip.MustParsePrefix("100.64.0.0/10"), netip.MustParsePrefix("192.0.0.0/24"),
	netip.MustParsePrefix("192.0.2.0/24"), netip.MustParsePrefix("192.88.99.0/24"), netip.MustParsePrefix("198.18.0.0/15"),
	netip.MustParsePrefix("198.51.100.0/24"), netip.MustParsePrefix("203.0.113.0/24"), netip.MustParsePrefix("240.0.0.0/4"),
	netip.MustParsePrefix("2001::/23"), netip.MustParsePrefix("2001:db8::/32"), netip.MustParsePrefix("2002::/16"),
	netip.MustParsePrefix("3fff::/20"),
}

// global is the part of IPv6 that is the Internet. Outside it are also the forms that carry an address of IPv4.
var global = netip.MustParsePrefix("2000::/3")

// isPublic says whether an address is one of the Internet.
func isPublic(a netip.Addr) bool {
	a = a.Unmap()
	if !a.IsGlobalUnicast() || a.IsPrivate() || a.Zone() != "" || a.Is6() && !global.Contains(a) {
		return false
	}
	for _, p := range notPublic {
		if p.Contains(a) {
			return false
		}
	}
	return true
}

// document is what a client says of itself, of which the rest does not matter here.
type document struct {
	ID         string   `json:"client_id"`
	Secret     string   `json:"client_secret"`
	AuthMethod string   `json:"token_endpoint_auth_method"`
	Name       string   `json:"client_name"`
	Redirects  []string `json:"redirect_uris"`
}

// fetch returns the client that the document at an address describes, and for how long that may be believed. The refusal is
// ErrDocument.
func (f *fetcher) fetch(ctx context.Context, address string) (Client, time.Duration, error) {
	if err := checkDocumentURL(address); err != nil {
		return Client{}, 0, fmt.Errorf("%w: %w", ErrDocument, err)
	}
	select {
	case f.slots <- struct{}{}:
		defer func() { <-f.slots }()
	case <-ctx.Done():
		return Client{}, 0, fmt.Errorf("fetch a client document: %w", ctx.Err())
	}
	body, lifetime, err := f.get(ctx, address)
	if err != nil {
		return Client{}, 0, fmt.Errorf("%w: %w", ErrDocument, err)
	}
	described, err := parseDocument(body, address)
	if err != nil {
		return Client{}, 0, fmt.Errorf("%w: %w", ErrDocument, err)
	}
	return described, lifetime, nil
}

// checkDocumentURL says whether an id may be the address of a document: one that every program writes alike.
func checkDocumentURL(address string) error {
	u, err := url.Parse(address)
	switch {
	case err != nil || len(address) > maxDocumentURL || u.String() != address || clean(address) != address:
		return errors.New("its address is not a URL")
	case u.Scheme != "https" || u.Hostname() == "" || u.User != nil || strings.Contains(address, "#"):
		return errors.New("its address is not a plain https one")
	case len(u.Path) <= 1 || path.Clean(u.Path) != strings.TrimSuffix(u.Path, "/"):
		return errors.New("its address has no path of its own")
	}
	return nil
}

func (f *fetcher) get(ctx context.Context, address string) (body []byte, lifetime time.Duration, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, 0, err
	}
	r.Header.Set("Accept", "application/json")
	answer, err := f.client.Do(r)
	if err != nil {
		return nil, 0, err
	}
	defer func() { _ = answer.Body.Close() }()
	media, _, _ := mime.ParseMediaType(answer.Header.Get("Content-Type"))
	if answer.StatusCode != http.StatusOK {
		return nil, 0, fmt.Errorf("status %d", answer.StatusCode)
	}
	if media != "application/json" && !(strings.HasPrefix(media, "application/") && strings.HasSuffix(media, "+json")) {
		return nil, 0, fmt.Errorf("content type %.40q", media)
	}
	body, err = io.ReadAll(io.LimitReader(answer.Body, maxDocument+1))
	if err != nil {
		return nil, 0, err
	}
	if len(body) > maxDocument {
		return nil, 0, fmt.Errorf("more than %d bytes", maxDocument)
	}
	return body, freshness(answer.Header.Get("Cache-Control")), nil
}

func parseDocument(body []byte, address string) (Client, error) {
	var d document
	if err := json.Unmarshal(body, &d); err != nil {
		return Client{}, err
	}
	if d.ID != address {
		return Client{}, errors.New("its client_id is another one")
	}
	if d.Secret != "" || strings.HasPrefix(d.AuthMethod, "client_secret_") {
		return Client{}, errors.New("what everybody can read has no secret")
	}
	if err := checkRedirects(d.Redirects); err != nil {
		return Client{}, err
	}
	return Client{ID: address, Origin: ByDocument, Name: nameOf(d.Name, d.Redirects), RedirectURIs: d.Redirects}, nil
}

// freshness returns for how long an answer may be kept, by what it says and within bounds of ours.
func freshness(cacheControl string) time.Duration {
	lifetime := usuallyFresh
	for directive := range strings.SplitSeq(cacheControl, ",") {
		name, value, _ := strings.Cut(strings.ToLower(strings.TrimSpace(directive)), "=")
		switch name {
		case "no-store", "no-cache":
			return leastFresh
		case "max-age":
			if seconds, err := strconv.ParseInt(strings.Trim(value, `"`), 10, 32); err == nil {
				lifetime = time.Duration(seconds) * time.Second
			}
		}
	}
	return min(max(lifetime, leastFresh), mostFresh)
}
