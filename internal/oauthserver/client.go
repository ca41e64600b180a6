package oauthserver

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"time"
	"unicode"

	"github.com/jackc/pgx/v5"
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
	return s.insertClient(ctx, Client{ID: newClientID(), Origin: ByOperator, Name: name, RedirectURIs: redirectURIs})
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
	found, _, err := s.knownClient(ctx, id)
	return found, err
}

// knownClient also reports whether the client's cached metadata document is fresh.
func (s *Server) knownClient(ctx context.Context, id string) (found Client, fresh bool, err error) {
	if clean(id) != id {
		return Client{}, false, fmt.Errorf("look up a client: %w", ErrUnknownClient)
	}
	const query = `
		SELECT id, origin, name, redirect_uris, created_at, last_used_at, fresh_until > now() AS fresh
		FROM oauth_client
		WHERE id = $1`
	rows, err := s.pool.Query(ctx, query, id)
	if err != nil {
		return Client{}, false, fmt.Errorf("look up a client: %w", err)
	}
	row, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[struct {
		Client
		Fresh bool `db:"fresh"`
	}])
	if errors.Is(err, pgx.ErrNoRows) {
		err = ErrUnknownClient
	}
	if err != nil {
		return Client{}, false, fmt.Errorf("look up a client: %w", err)
	}
	return row.Client, row.Fresh, nil
}

// resolve returns the client with an id, fetching its metadata document if the id is a URL and the cached copy is missing or
// stale. from is the requester's address, zero if unknown, whose fetches are limited. The refusals are ErrUnknownClient,
// ErrMetadataDocument and *web.TooManyError.
func (s *Server) resolve(ctx context.Context, id string, from netip.Addr) (Client, error) {
	known, fresh, err := s.knownClient(ctx, id)
	if fresh || err != nil && !errors.Is(err, ErrUnknownClient) {
		return known, err
	}
	if !strings.HasPrefix(id, "https://") {
		return Client{}, err
	}
	if err := s.newClients.Take(from); err != nil {
		return Client{}, err
	}
	described, lifetime, err := s.documents.fetch(ctx, id)
	if err != nil {
		return Client{}, err
	}
	s.logStep(ctx, "document fetched", id)
	return s.storeMetadata(ctx, described, lifetime)
}

// storeMetadata caches a metadata document in the database, where all processes find it.
func (s *Server) storeMetadata(ctx context.Context, c Client, lifetime time.Duration) (Client, error) {
	const query = `
		INSERT INTO oauth_client (id, origin, name, redirect_uris, fresh_until)
		VALUES ($1, 'document', $2, $3, now() + $4)
		ON CONFLICT (id) DO UPDATE SET
			name = excluded.name, redirect_uris = excluded.redirect_uris, fresh_until = excluded.fresh_until
		RETURNING id, origin, name, redirect_uris, created_at, last_used_at`
	rows, err := s.pool.Query(ctx, query, c.ID, c.Name, c.RedirectURIs, lifetime)
	if err != nil {
		return Client{}, fmt.Errorf("store a client's metadata: %w", err)
	}
	stored, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[Client])
	if err != nil {
		return Client{}, fmt.Errorf("store a client's metadata: %w", err)
	}
	return stored, nil
}

// insertClient stores a new client and returns it with its time of creation.
func (s *Server) insertClient(ctx context.Context, c Client) (Client, error) {
	const query = `
		INSERT INTO oauth_client (id, origin, name, redirect_uris) VALUES ($1, $2, $3, $4)
		RETURNING id, origin, name, redirect_uris, created_at, last_used_at`
	rows, err := s.pool.Query(ctx, query, c.ID, c.Origin, c.Name, c.RedirectURIs)
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
