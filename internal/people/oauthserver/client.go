package oauthserver

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"razao/internal/web"
)

// Limits of client metadata.
const (
	maxName      = 80 // characters kept of client_name
	maxRedirects = 32 // redirect URIs of one client
)

// Origin says how a client was registered, and so who vouches for it.
type Origin string

// Origins of clients; the database has them as text.
const (
	ByDocument     Origin = "document"     // its id is the URL of a metadata document (CIMD)
	ByRegistration Origin = "registration" // it registered itself (DCR, RFC 7591)
	ByOperator     Origin = "operator"     // the operator added it
)

// Client is an OAuth client. All clients are public (RFC 6749 §2.1): none has a secret, and
// client_id identifies without authenticating.
type Client struct {
	ID           string     `db:"id"` // random, or the URL of the metadata document
	Origin       Origin     `db:"origin"`
	Name         string     `db:"name"`          // one printable line; unverified, unless the operator gave it
	RedirectURIs []string   `db:"redirect_uris"` // 1 to maxRedirects, compared by allowsRedirect
	CreatedAt    time.Time  `db:"created_at"`
	LastUsedAt   *time.Time `db:"last_used_at"` // nil: never authorized; up to a day late
}

// AddClient registers a client for the operator, whose bad requests are answered by redirect. It
// returns ErrClientMetadata if the name has nothing printable or a redirect URI is not allowed.
func (s *Server) AddClient(ctx context.Context, name string, redirectURIs []string) (Client, error) {
	name = printable(name)
	if name == "" {
		return Client{}, fmt.Errorf("%w: no name", ErrClientMetadata)
	}
	if err := checkRedirects(redirectURIs); err != nil {
		return Client{}, fmt.Errorf("%w: %w", ErrClientMetadata, err)
	}
	return s.insertClient(ctx, Client{ID: newClientID(), Origin: ByOperator, Name: name, RedirectURIs: redirectURIs}, netip.Addr{})
}

// DeleteClient deletes a client with its authorizations and tokens, effective at
// once, also for requests that are pending. It returns ErrUnknownClient if there is none with this id.
func (s *Server) DeleteClient(ctx context.Context, id string) error {
	done, err := s.pool.Exec(ctx, `DELETE FROM oauth_client WHERE id = $1`, id)
	if err == nil && done.RowsAffected() == 0 {
		err = ErrUnknownClient
	}
	if err != nil {
		return fmt.Errorf("delete a client: %w", err)
	}
	return nil
}

// Clients returns the clients that the operator added and those that a user ever authorized, oldest
// first. Clients that only registered themselves are left out.
func (s *Server) Clients(ctx context.Context) ([]Client, error) {
	const query = `
		SELECT id, origin, name, redirect_uris, created_at, last_used_at
		FROM oauth_client
		WHERE origin = 'operator' OR last_used_at IS NOT NULL
		ORDER BY created_at, id`
	rows, err := s.pool.Query(ctx, query)
	if err != nil {
		return nil, fmt.Errorf("list clients: %w", err)
	}
	clients, err := pgx.CollectRows(rows, pgx.RowToStructByName[Client])
	if err != nil {
		return nil, fmt.Errorf("list clients: %w", err)
	}
	return clients, nil
}

// client returns a stored client, or ErrUnknownClient. It never fetches a document: tokens of a
// client work whether or not its site is up.
func (s *Server) client(ctx context.Context, id string) (Client, error) {
	found, err := s.knownClient(ctx, id)
	return found.Client, err
}

// storedClient is a client with the state of its stored metadata document.
type storedClient struct {
	Client
	Fresh  bool      `db:"fresh"`  // use it without a fetch: not yet stale, or its site was down within the last minute
	Usable bool      `db:"usable"` // stale for less than 7 days: it may stand in if the site is down
	Now    time.Time `db:"now"`    // of the look-up, by the database's clock
}

// knownClient returns a stored client and whether its document needs to be fetched again. Clients
// without a document are always fresh (fresh_until is infinity). It returns ErrUnknownClient if
// there is none with this id.
func (s *Server) knownClient(ctx context.Context, id string) (storedClient, error) {
	if clean(id) != id {
		return storedClient{}, fmt.Errorf("look up a client: %w", ErrUnknownClient)
	}
	const query = `
		SELECT id, origin, name, redirect_uris, created_at, last_used_at, usable, now() AS now,
			fresh_until > now() OR usable AND coalesce(retry_at > now(), false) AS fresh
		FROM oauth_client, LATERAL (SELECT fresh_until > now() - interval '7 days' AS usable) u
		WHERE id = $1`
	rows, err := s.pool.Query(ctx, query, id)
	if err != nil {
		return storedClient{}, fmt.Errorf("look up a client: %w", err)
	}
	found, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[storedClient])
	if errors.Is(err, pgx.ErrNoRows) {
		err = ErrUnknownClient
	}
	if err != nil {
		return storedClient{}, fmt.Errorf("look up a client: %w", err)
	}
	return found, nil
}

// resolve returns the client with an id. If the id is a URL (checkDocumentURL) and the stored
// document is missing or stale, it fetches the document; concurrent requests for one URL share the
// fetch (singleflight), which counts against the rate limit of the first one's address. from is the
// requester's address, or zero if unknown. The errors are ErrUnknownClient, ErrMetadataDocument, *web.TooManyError and
// failures of the database.
func (s *Server) resolve(ctx context.Context, id string, from netip.Addr) (storedClient, error) {
	byDocument := strings.HasPrefix(id, "https://")
	if byDocument { // before the look-up: what is stored may be from when the rules were laxer
		if err := checkDocumentURL(id); err != nil {
			return storedClient{}, fmt.Errorf("%w: %w", ErrMetadataDocument, err)
		}
	}
	stored, err := s.knownClient(ctx, id)
	if stored.Fresh || err != nil && (!byDocument || !errors.Is(err, ErrUnknownClient)) {
		return stored, err
	}
	own := false
	once := func() (any, error) {
		own = true
		// Detached: the fetch goes on for the requests that share it when the first client
		// disconnects.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), fetchTimeout)
		defer cancel()
		return s.refetch(ctx, id, from)
	}
	found, err, _ := s.fetches.Do(id, once)
	var busy *web.TooManyError
	if errors.As(err, &busy) && !own { // the limit is that of the request we shared with, not ours: try on our own
		found, err, _ = s.fetches.Do(id, once)
	}
	if err != nil {
		return storedClient{}, err
	}
	return found.(storedClient), nil
}

// refetch fetches and stores a metadata document, unless another process has just done so. If the
// site is down or this network may not fetch for now, the stored copy serves for up to 7 days after
// it became stale (stale-if-error, RFC 5861 §4); otherwise attacking a client's site would lock out
// its users. A site that is down is left alone for a minute. A document that is gone or invalid is
// final.
func (s *Server) refetch(ctx context.Context, id string, from netip.Addr) (storedClient, error) {
	stored, err := s.knownClient(ctx, id)
	if stored.Fresh || err != nil && !errors.Is(err, ErrUnknownClient) {
		return stored, err
	}
	if err = s.newClients.Take(from); err == nil {
		var described fetchedClient
		if described, err = s.documents.fetch(ctx, id, from); err == nil {
			s.logStep(ctx, "document fetched", id)
			return s.storeMetadata(ctx, described, from)
		}
	}
	down := errors.Is(err, errSiteDown)
	if !stored.Usable || errors.Is(err, ErrMetadataDocument) && !down {
		return storedClient{}, err
	}
	s.logStep(ctx, "stale document used", id, slog.String("error", err.Error()))
	if down {
		_, err = s.pool.Exec(ctx, `UPDATE oauth_client SET retry_at = now() + interval '1 minute' WHERE id = $1`, id)
		web.EventOf(ctx).Fail(err) // logged only: the stored copy is good without it
	}
	return stored, nil
}

// storeMetadata caches a metadata document in the database, which all processes share. An update
// keeps the network of the first request.
func (s *Server) storeMetadata(ctx context.Context, described fetchedClient, from netip.Addr) (storedClient, error) {
	c := described.Client
	const query = `
		INSERT INTO oauth_client (id, origin, name, redirect_uris, fresh_until, network)
		VALUES ($1, 'document', $2, $3, now() + $4, $5)
		ON CONFLICT (id) DO UPDATE SET
			name = excluded.name, redirect_uris = excluded.redirect_uris, fresh_until = excluded.fresh_until
		RETURNING id, origin, name, redirect_uris, created_at, last_used_at, true AS fresh, true AS usable, now() AS now`
	rows, err := s.pool.Query(ctx, query, c.ID, c.Name, c.RedirectURIs, described.lifetime, networkOf(from))
	if err != nil {
		return storedClient{}, fmt.Errorf("store a client's metadata: %w", err)
	}
	stored, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[storedClient])
	if err != nil {
		return storedClient{}, fmt.Errorf("store a client's metadata: %w", err)
	}
	return stored, nil
}

// insertClient stores a new client and returns it with its time of creation. from is the address
// that registered it, or zero for the operator.
func (s *Server) insertClient(ctx context.Context, c Client, from netip.Addr) (Client, error) {
	const query = `
		INSERT INTO oauth_client (id, origin, name, redirect_uris, network) VALUES ($1, $2, $3, $4, $5)
		RETURNING id, origin, name, redirect_uris, created_at, last_used_at`
	rows, err := s.pool.Query(ctx, query, c.ID, c.Origin, c.Name, c.RedirectURIs, networkOf(from))
	if err != nil {
		return Client{}, fmt.Errorf("add a client: %w", err)
	}
	added, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[Client])
	if err != nil {
		return Client{}, fmt.Errorf("add a client: %w", err)
	}
	return added, nil
}

// nameOf returns the name for the consent page: client_name sanitized, or the host of the first
// redirect URI if nothing is left of it.
func nameOf(claimed string, redirectURIs []string) string {
	if name := printable(claimed); name != "" {
		return name
	}
	return destinationOf(redirectURIs[0]).Host
}

// clean drops what PostgreSQL's text type cannot hold: invalid UTF-8 and NUL. Callers compare the
// result with their input, so that such input is a refusal and not a failed statement (503).
func clean(text string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(text, ""), "\x00", "")
}
