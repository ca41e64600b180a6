package oauthserver

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"strings"
	"time"
	"unicode"

	"github.com/jackc/pgx/v5"

	"razao/internal/web"
)

const (
	maxName      = 80 // characters kept of client_name
	maxRedirects = 32 // redirect URIs of one client
)

// Origin is how a client was registered.
type Origin string

// The origins of clients.
const (
	ByDocument     Origin = "document"     // its id is the URL of a metadata document (CIMD)
	ByRegistration Origin = "registration" // it registered itself (DCR, RFC 7591)
	ByOperator     Origin = "operator"     // the operator added it
)

// Client is an OAuth client. All clients are public (RFC 6749 §2.1): none has a secret.
type Client struct {
	ID           string     `db:"id"`
	Origin       Origin     `db:"origin"`
	Name         string     `db:"name"` // unverified, unless the operator gave it
	RedirectURIs []string   `db:"redirect_uris"`
	CreatedAt    time.Time  `db:"created_at"`
	LastUsedAt   *time.Time `db:"last_used_at"` // nil: never authorized; up to a day late
}

// AddClient registers a client for the operator. ErrClientMetadata: its name or a redirect URI is not valid.
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

// DeleteClient deletes a client with its authorizations and tokens. ErrUnknownClient: there is none with this id.
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

// Clients returns the clients that the operator added and those that somebody authorized, oldest first.
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

// client returns a registered client. ErrUnknownClient: there is none with this id.
func (s *Server) client(ctx context.Context, id string) (Client, error) {
	found, err := s.knownClient(ctx, id)
	return found.Client, err
}

// known is a client with the state of its stored metadata document.
type known struct {
	Client
	Fresh  bool `db:"fresh"`  // need not be fetched again, or was tried a moment ago
	Usable bool `db:"usable"` // stands in for a document that cannot be fetched
}

// knownClient returns a client that is stored. ErrUnknownClient: there is none with this id.
func (s *Server) knownClient(ctx context.Context, id string) (known, error) {
	if clean(id) != id {
		return known{}, fmt.Errorf("look up a client: %w", ErrUnknownClient)
	}
	const query = `
		SELECT id, origin, name, redirect_uris, created_at, last_used_at, usable,
			fresh_until > now() OR usable AND coalesce(retry_at > now(), false) AS fresh
		FROM oauth_client, LATERAL (SELECT fresh_until > now() - interval '7 days' AS usable) u
		WHERE id = $1`
	rows, err := s.pool.Query(ctx, query, id)
	if err != nil {
		return known{}, fmt.Errorf("look up a client: %w", err)
	}
	found, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[known])
	if errors.Is(err, pgx.ErrNoRows) {
		err = ErrUnknownClient
	}
	if err != nil {
		return known{}, fmt.Errorf("look up a client: %w", err)
	}
	return found, nil
}

// resolve returns the client with an id, fetching its metadata document if the id is a URL and the stored copy is missing or
// stale. from is the requester's address, zero if unknown, whose fetches are limited. Requests for one URL share one fetch, which
// counts for the first of them. The refusals are ErrUnknownClient, ErrMetadataDocument and *web.TooManyError.
func (s *Server) resolve(ctx context.Context, id string, from netip.Addr) (Client, error) {
	stored, err := s.knownClient(ctx, id)
	if stored.Fresh || err != nil && !errors.Is(err, ErrUnknownClient) {
		return stored.Client, err
	}
	if !strings.HasPrefix(id, "https://") {
		return Client{}, err
	}
	own := false
	once := func() (any, error) {
		own = true
		// Others wait for it, also when the first has left.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), fetchTimeout)
		defer cancel()
		return s.refetch(ctx, id, from)
	}
	found, err, _ := s.fetches.Do(id, once)
	var busy *web.TooManyError
	if errors.As(err, &busy) && !own { // the first one's network is over its limit, not ours
		found, err, _ = s.fetches.Do(id, once)
	}
	if err != nil {
		return Client{}, err
	}
	return found.(Client), nil
}

// refetch fetches a metadata document, unless another request just has. The stored copy stands in for 7 days after it became
// stale if the document cannot be had for now (stale-if-error, RFC 5861 §4), and the site is then left alone for a minute.
func (s *Server) refetch(ctx context.Context, id string, from netip.Addr) (Client, error) {
	stored, err := s.knownClient(ctx, id)
	if stored.Fresh || err != nil && !errors.Is(err, ErrUnknownClient) {
		return stored.Client, err
	}
	if err = s.newClients.Take(from); err == nil {
		var described fetched
		if described, err = s.documents.fetch(ctx, id, from); err == nil {
			s.logStep(ctx, "document fetched", id)
			return s.storeMetadata(ctx, described, from)
		}
	}
	down := errors.Is(err, errSiteDown)
	if !stored.Usable || errors.Is(err, ErrMetadataDocument) && !down {
		return Client{}, err
	}
	s.logStep(ctx, "stale document used", id, slog.String("error", err.Error()))
	if down {
		_, err = s.pool.Exec(ctx, `UPDATE oauth_client SET retry_at = now() + interval '1 minute' WHERE id = $1`, id)
		web.EventOf(ctx).Fail(err) // the client is known all the same
	}
	return stored.Client, nil
}

// storeMetadata caches a metadata document in the database, where all processes find it.
func (s *Server) storeMetadata(ctx context.Context, described fetched, from netip.Addr) (Client, error) {
	c := described.Client
	const query = `
		INSERT INTO oauth_client (id, origin, name, redirect_uris, fresh_until, network)
		VALUES ($1, 'document', $2, $3, now() + $4, $5)
		ON CONFLICT (id) DO UPDATE SET
			name = excluded.name, redirect_uris = excluded.redirect_uris, fresh_until = excluded.fresh_until
		RETURNING id, origin, name, redirect_uris, created_at, last_used_at`
	rows, err := s.pool.Query(ctx, query, c.ID, c.Name, c.RedirectURIs, described.lifetime, networkOf(from))
	if err != nil {
		return Client{}, fmt.Errorf("store a client's metadata: %w", err)
	}
	stored, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[Client])
	if err != nil {
		return Client{}, fmt.Errorf("store a client's metadata: %w", err)
	}
	return stored, nil
}

// insertClient stores a new client and returns it with its time of creation. from is who registered it; zero: the operator.
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

// nameOf returns the name shown on the consent page: client_name sanitized, or else the host of the first redirect URI.
func nameOf(claimed string, redirectURIs []string) string {
	if name := printable(claimed); name != "" {
		return name
	}
	return destinationOf(redirectURIs[0]).Host
}

// printable sanitizes untrusted text for one line of display. It drops control, invisible and bidirectional-override characters,
// which could disguise a name.
func printable(text string) string {
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "")), " ")
	kept := make([]rune, 0, maxName)
	for _, r := range text {
		if len(kept) == maxName {
			break
		}
		if unicode.IsPrint(r) {
			kept = append(kept, r)
		}
	}
	return strings.TrimSpace(string(kept))
}

// clean drops what PostgreSQL's text cannot hold: invalid UTF-8 and NUL.
func clean(text string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(text, ""), "\x00", "")
}
