package oauthserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/netip"
	"net/url"
	"path"
	"strconv"
	"strings"
	"time"

	"razao/internal/web"
	"razao/internal/web/outbound"
)

// Limits of a fetch. Publishers are strangers: every one may be slow, endless or hostile.
const (
	maxDocument     = 16 << 10 // bytes
	maxDocumentURL  = 500      // bytes
	documentTimeout = 5 * time.Second
	documentsAtOnce = 16              // concurrent fetches of this process, which slow servers can occupy
	documentsOfOne  = 2               // of these, fetches caused by one network (web.Site)
	fetchTimeout    = 8 * time.Second // includes the wait for a slot; must be less than requestTime
	minFresh        = 5 * time.Minute
	defaultFresh    = time.Hour // without max-age
	maxFresh        = 24 * time.Hour
)

// errSiteDown means that a fetch failed in a way that may pass (no connection, 429, 5xx): the
// stored copy may stand in for the document. An address that is not public is never errSiteDown: a
// site whose name moves to a private one must not be served from the stored copy.
var errSiteDown = errors.New("its site is down")

// fetcher fetches client metadata documents (draft-ietf-oauth-client-id-metadata-document). Their
// URLs come from anybody who can send an authorization request, so every fetch is a potential SSRF.
type fetcher struct {
	client *outbound.Client
	slots  *web.SharedSlots
}

// newFetcher returns a fetcher that connects only to addresses for which reachable is true.
func newFetcher(reachable func(netip.Addr) bool) *fetcher {
	return &fetcher{
		client: outbound.New(documentTimeout, reachable), slots: web.NewSharedSlots(documentsAtOnce, web.Share{Network: documentsOfOne}, documentTimeout),
	}
}

// document has the members of a client metadata document that are used; others are ignored.
type document struct {
	ID         string   `json:"client_id"`
	Secret     string   `json:"client_secret"`
	AuthMethod string   `json:"token_endpoint_auth_method"`
	Name       string   `json:"client_name"`
	Redirects  []string `json:"redirect_uris"`
}

// fetchedClient is the client that a document describes.
type fetchedClient struct {
	Client
	lifetime time.Duration // how long it stays fresh
}

// fetch waits for a slot, then fetches and validates the document at a URL that passes
// checkDocumentURL. from is the requester's address. It returns ErrMetadataDocument, wrapping the
// reason and errSiteDown if the trouble may pass, or *web.TooManyError if the requester's network
// holds all its slots.
func (f *fetcher) fetch(ctx context.Context, address string, from netip.Addr) (fetchedClient, error) {
	release, err := f.slots.Take(ctx, from)
	if err != nil {
		return fetchedClient{}, fmt.Errorf("fetch a client's metadata: %w", err)
	}
	defer release()
	body, lifetime, err := f.get(ctx, address)
	if err != nil {
		return fetchedClient{}, fmt.Errorf("%w: %w", ErrMetadataDocument, err)
	}
	described, err := parseDocument(body, address)
	if err != nil {
		return fetchedClient{}, fmt.Errorf("%w: %w", ErrMetadataDocument, err)
	}
	return fetchedClient{described, lifetime}, nil
}

// checkDocumentURL validates a client_id that is a URL: https, with a path and without user,
// fragment or dot segments (draft-ietf-oauth-client-id-metadata-document §3). It must be in
// canonical form because ids are compared as strings: two spellings of a URL would be two clients.
func checkDocumentURL(address string) error {
	u, err := url.Parse(address)
	switch {
	case err != nil || len(address) > maxDocumentURL || u.String() != address || clean(address) != address:
		return errors.New("client_id is not a canonical URL")
	case u.Scheme != "https" || u.Hostname() == "" || u.User != nil || strings.Contains(address, "#"):
		return errors.New("client_id is not https, or has a user or fragment")
	case checkHost(u) != nil || shownHost(u) != u.Host || !isASCII(address):
		return errors.New("client_id has a host that is not canonical: ASCII in lower case, internationalised names in punycode, no :443")
	case len(u.Path) <= 1 || path.Clean(u.Path) != strings.TrimSuffix(u.Path, "/"):
		return errors.New("client_id has no path, or dot segments in it")
	}
	return nil
}

// get fetches a JSON document of at most maxDocument bytes and returns how long it stays fresh.
// Only a transport error, 429 or 5xx is errSiteDown; any other response is the site's answer, so a
// client can withdraw its document at once.
func (f *fetcher) get(ctx context.Context, address string) (body []byte, lifetime time.Duration, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, 0, err
	}
	r.Header.Set("Accept", "application/json")
	answer, err := f.client.Do(r)
	switch {
	case errors.Is(err, outbound.ErrNotPublic):
		return nil, 0, err
	case err != nil:
		return nil, 0, fmt.Errorf("%w: %w", errSiteDown, err)
	}
	defer func() { _ = answer.Body.Close() }()
	media, _, _ := mime.ParseMediaType(answer.Header.Get("Content-Type"))
	if status := answer.StatusCode; status >= http.StatusInternalServerError || status == http.StatusTooManyRequests {
		return nil, 0, fmt.Errorf("%w: status %d", errSiteDown, status)
	} else if status != http.StatusOK {
		return nil, 0, fmt.Errorf("status %d", status)
	}
	if media != "application/json" && !(strings.HasPrefix(media, "application/") && strings.HasSuffix(media, "+json")) {
		return nil, 0, fmt.Errorf("content type %.40q", media)
	}
	body, err = io.ReadAll(io.LimitReader(answer.Body, maxDocument+1))
	if err != nil {
		return nil, 0, fmt.Errorf("%w: %w", errSiteDown, err)
	}
	if len(body) > maxDocument {
		return nil, 0, fmt.Errorf("more than %d bytes", maxDocument)
	}
	return body, freshness(answer.Header.Get("Cache-Control")), nil
}

// parseDocument validates a document. client_id must equal its URL, or any site could describe
// another site's client; it must have no secret, which everybody could read; its redirect URIs must
// be allowed.
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

// freshness returns how long a response is cached: its max-age (RFC 9111 §5.2.2.1), or an hour
// without one, clamped to 5 minutes to 24 hours. no-store and no-cache count as 5 minutes:
// honouring them would let a stranger cause a fetch with every request.
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
