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
	maxDocument       = 16 << 10 // bytes
	maxDocumentURL    = 500      // bytes
	documentTimeout   = 5 * time.Second
	documentsAtOnce   = 4 // concurrent fetches, which slow servers can block
	minFresh          = 5 * time.Minute
	defaultFresh      = time.Hour // without max-age
	maxFresh          = 24 * time.Hour
	maxDocumentHeader = 16 << 10 // bytes
)

// fetcher fetches client metadata documents (draft-ietf-oauth-client-id-metadata-document) from URLs that anybody can send.
type fetcher struct {
	client http.Client
	dialer *net.Dialer
	slots  chan struct{} // a semaphore of documentsAtOnce
}

// newFetcher returns a fetcher that connects only to addresses for which reachable is true. This is the SSRF guard: it runs at
// dial time, after name resolution, which also defeats DNS rebinding. Redirects are not followed.
func newFetcher(reachable func(netip.Addr) bool) *fetcher {
	dialer := &net.Dialer{Timeout: documentTimeout, Control: func(_, address string, _ syscall.RawConn) error {
		to, err := netip.ParseAddrPort(address)
		if err != nil || !reachable(to.Addr()) {
			return errors.New("not a public address")
		}
		return nil
	}}
	transport := &http.Transport{ // no Proxy: it would connect for us and bypass the guard
		DialContext: dialer.DialContext, DisableKeepAlives: true, DisableCompression: true, TLSHandshakeTimeout: documentTimeout,
		MaxResponseHeaderBytes: maxDocumentHeader,
	}
	return &fetcher{
		dialer: dialer, slots: make(chan struct{}, documentsAtOnce),
		client: http.Client{
			Transport: transport, Timeout: documentTimeout,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
}

// notPublic are the special-purpose networks (RFC 6890 and its IANA registries) that netip's predicates do not cover.
var notPublic = [...]netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"), netip.MustParsePrefix("100.64.0.0/10"), netip.MustParsePrefix("192.0.0.0/24"),
	netip.MustParsePrefix("192.0.2.0/24"), netip.MustParsePrefix("192.88.99.0/24"), netip.MustParsePrefix("198.18.0.0/15"),
	netip.MustParsePrefix("198.51.100.0/24"), netip.MustParsePrefix("203.0.113.0/24"), netip.MustParsePrefix("240.0.0.0/4"),
	netip.MustParsePrefix("2001::/23"), netip.MustParsePrefix("2001:db8::/32"), netip.MustParsePrefix("2002::/16"),
	netip.MustParsePrefix("3fff::/20"),
}

// global is IPv6 global unicast (RFC 4291 §2.4). NAT64 and other embeddings of IPv4 lie outside it.
var global = netip.MustParsePrefix("2000::/3")

// isPublic reports whether an address is on the public Internet.
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

// document is a client metadata document; other fields are ignored.
type document struct {
	ID         string   `json:"client_id"`
	Secret     string   `json:"client_secret"`
	AuthMethod string   `json:"token_endpoint_auth_method"`
	Name       string   `json:"client_name"`
	Redirects  []string `json:"redirect_uris"`
}

// fetch returns the client that the document at a URL describes and how long it stays fresh. The refusal is
// ErrMetadataDocument, with the reason for the log.
func (f *fetcher) fetch(ctx context.Context, address string) (Client, time.Duration, error) {
	if err := checkDocumentURL(address); err != nil {
		return Client{}, 0, fmt.Errorf("%w: %w", ErrMetadataDocument, err)
	}
	select {
	case f.slots <- struct{}{}:
		defer func() { <-f.slots }()
	case <-ctx.Done():
		return Client{}, 0, fmt.Errorf("fetch a client's metadata: %w", ctx.Err())
	}
	body, lifetime, err := f.get(ctx, address)
	if err != nil {
		return Client{}, 0, fmt.Errorf("%w: %w", ErrMetadataDocument, err)
	}
	described, err := parseDocument(body, address)
	if err != nil {
		return Client{}, 0, fmt.Errorf("%w: %w", ErrMetadataDocument, err)
	}
	return described, lifetime, nil
}

// checkDocumentURL validates a client_id that is a URL: https, in canonical form, with a path and without user, fragment or dot
// segments (draft-ietf-oauth-client-id-metadata-document §3). Ids are compared as strings, hence the canonical form.
func checkDocumentURL(address string) error {
	u, err := url.Parse(address)
	switch {
	case err != nil || len(address) > maxDocumentURL || u.String() != address || clean(address) != address:
		return errors.New("client_id is not a canonical URL")
	case u.Scheme != "https" || u.Hostname() == "" || u.User != nil || strings.Contains(address, "#"):
		return errors.New("client_id is not https, or has a user or fragment")
	case len(u.Path) <= 1 || path.Clean(u.Path) != strings.TrimSuffix(u.Path, "/"):
		return errors.New("client_id has no path, or dot segments in it")
	}
	return nil
}

// get fetches a JSON document of at most maxDocument bytes and returns how long it stays fresh.
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

// parseDocument validates a document: client_id equals its URL, no secret, valid redirect URIs.
func parseDocument(body []byte, address string) (Client, error) {
	var d document
	if err := json.Unmarshal(body, &d); err != nil {
		return Client{}, err
	}
	if d.ID != address {
		return Client{}, errors.New("client_id in the document differs from its URL")
	}
	if d.Secret != "" || strings.HasPrefix(d.AuthMethod, "client_secret_") {
		return Client{}, errors.New("a public document cannot have a client secret")
	}
	if err := checkRedirects(d.Redirects); err != nil {
		return Client{}, err
	}
	return Client{ID: address, Origin: ByDocument, Name: nameOf(d.Name, d.Redirects), RedirectURIs: d.Redirects}, nil
}

// freshness returns how long a response may be cached: its max-age (RFC 9111 §5.2.2.1), 1 h without one, between 5 min and
// 24 h; no-store and no-cache count as 5 min, to bound the fetches.
func freshness(cacheControl string) time.Duration {
	lifetime := defaultFresh
	for directive := range strings.SplitSeq(cacheControl, ",") {
		name, value, _ := strings.Cut(strings.ToLower(strings.TrimSpace(directive)), "=")
		switch name {
		case "no-store", "no-cache":
			return minFresh
		case "max-age":
			if seconds, err := strconv.ParseInt(strings.Trim(value, `"`), 10, 32); err == nil {
				lifetime = time.Duration(seconds) * time.Second
			}
		}
	}
	return min(max(lifetime, minFresh), maxFresh)
}
