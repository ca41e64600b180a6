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
	maxName      = 80 // characters kept of what a client calls itself
	maxRedirects = 32 // addresses of one client
)

// Origin says how a client became known.
type Origin string

// The ways to become known.
const (
	ByDocument     Origin = "document"     // its id is the address of a document about it
	ByRegistration Origin = "registration" // it said so itself
	ByOperator     Origin = "operator"
)

// Client is a program that asks people to let it read for them.
type Client struct {
	ID           string     `db:"id"`
	Origin       Origin     `db:"origin"`
	Name         string     `db:"name"` // as it calls itself, unless the operator named it
	RedirectURIs []string   `db:"redirect_uris"`
	CreatedAt    time.Time  `db:"created_at"`
	LastUsedAt   *time.Time `db:"last_used_at"` // nil: nobody ever let it in; up to a day late
}

// AddClient registers a client for the operator. ErrClient: it has no name or no usable address.
func (s *Server) AddClient(ctx context.Context, name string, redirectURIs []string) (Client, error) {
	name = printable(name)
	if name == "" {
		return Client{}, fmt.Errorf("%w: it has no name", ErrClient)
	}
	if err := checkRedirects(redirectURIs); err != nil {
		return Client{}, fmt.Errorf("%w: %w", ErrClient, err)
	}
	return s.insertClient(ctx, Client{ID: newClientID(), Origin: ByOperator, Name: name, RedirectURIs: redirectURIs})
}

// DeleteClient ends a client and all that people allowed it. ErrUnknownClient: there is none with this id.
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

// Clients returns the clients that the operator registered and those that somebody let in, oldest first.
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

// client returns a client that is known. ErrUnknownClient: it is not.
func (s *Server) client(ctx context.Context, id string) (Client, error) {
	found, _, err := s.knownClient(ctx, id)
	return found, err
}

// knownClient is client that also says whether its document was fetched recently enough to be believed.
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

// resolve returns the client of a request that comes from an address, which may be not valid. What is known of a document
// expires: then, and the first time, it is fetched. The refusals are ErrUnknownClient, ErrDocument and *web.TooManyError.
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
	s.step(ctx, "document fetched", id)
	return s.keepDocument(ctx, described, lifetime)
}

func (s *Server) keepDocument(ctx context.Context, c Client, lifetime time.Duration) (Client, error) {
	const query = `
		INSERT INTO oauth_client (id, origin, name, redirect_uris, fresh_until)
		VALUES ($1, 'document', $2, $3, now() + $4)
		ON CONFLICT (id) DO UPDATE SET
			name = excluded.name, redirect_uris = excluded.redirect_uris, fresh_until = excluded.fresh_until
		RETURNING id, origin, name, redirect_uris, created_at, last_used_at`
	rows, err := s.pool.Query(ctx, query, c.ID, c.Name, c.RedirectURIs, lifetime)
	if err != nil {
		return Client{}, fmt.Errorf("keep a client document: %w", err)
	}
	kept, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[Client])
	if err != nil {
		return Client{}, fmt.Errorf("keep a client document: %w", err)
	}
	return kept, nil
}

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

// nameOf returns what people are shown of a name that anybody may have written; a client without one is called by where it
// leads to.
func nameOf(claimed string, redirectURIs []string) string {
	if name := printable(claimed); name != "" {
		return name
	}
	return destinationOf(redirectURIs[0]).Host
}

// printable keeps of a text what can be shown on one line. Characters that turn the direction of writing, or that cannot be
// seen, are not among it.
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

// clean drops from a text what a database does not keep as text.
func clean(text string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(text, ""), "\x00", "")
}
