// Package oauthserver is an OAuth 2.1 authorization server for the clients of /mcp, for one scope and public clients only:
// authorization code with PKCE (RFC 7636), refresh token rotation, metadata (RFC 8414, RFC 9728), dynamic registration
// (RFC 7591), client ID metadata documents, resource indicators (RFC 8707), revocation (RFC 7009) and iss (RFC 9207).
//
// The consent page is the site's: it shows a Request and calls Approve or Deny. Tokens are opaque and looked up at every use. All
// SQL on the tables oauth_* is in this package; secrets are stored as SHA-256 only. docs/oauth.md has the whole picture.
package oauthserver

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"strings"

	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sync/singleflight"

	"razao/internal/seal"
	"razao/internal/web"
)

var (
	// ErrInvalidToken means that a token is malformed, unknown, expired, revoked or for another resource. A failed look-up is
	// never this error.
	ErrInvalidToken = errors.New("invalid access token")
	// ErrUnknownClient means that no client has this id.
	ErrUnknownClient = errors.New("no such client")
	// ErrMetadataDocument means that a client metadata document could not be fetched or is not valid.
	ErrMetadataDocument = errors.New("client metadata document refused")
	// ErrRedirectURI means that redirect_uri is missing, repeated or not registered by the client.
	ErrRedirectURI = errors.New("redirect_uri is not the client's")
	// ErrBadRequest means that a request of a client that nobody vouches for is invalid.
	ErrBadRequest = errors.New("invalid authorization request")
	// ErrNoRequest means that an authorization request is unknown, expired, decided or bound to another session.
	ErrNoRequest = errors.New("no such authorization request")
	// ErrNoAuthorization means that an account has no such authorization.
	ErrNoAuthorization = errors.New("no such authorization")
	// ErrClientMetadata means that the operator gave a client no name, or a redirect URI that is not allowed.
	ErrClientMetadata = errors.New("invalid client metadata")
)

// ConsentPath is the consent page, which the site serves; ResourcePath is the protected resource.
const (
	ConsentPath  = "/oauth/consent"
	ResourcePath = "/mcp"
)

// ScopeRead is the one scope: reading public records, within the account's limit of calls.
const ScopeRead = "consulta"

// Config are the dependencies of a Server.
type Config struct {
	Pool    *pgxpool.Pool
	Log     *slog.Logger
	BaseURL string // the issuer: public http or https URL without a path
	// Seal makes and recognises codes and tokens; servers on one database share it. nil for who neither gives out nor takes any.
	Seal *seal.Sealer
	// Failures limits by client address how often codes and tokens are wrong; nil does not.
	Failures *web.Throttle
	// NewClients limits registrations and fetches of metadata documents, Requests authorization requests, both by client
	// address. nil: no limit.
	NewClients *web.Throttle
	Requests   *web.Throttle
}

// Server is the authorization server. It is made by New and safe for concurrent use; its state is in the database, which
// processes share.
type Server struct {
	pool       *pgxpool.Pool
	log        *slog.Logger
	issuer     string // without a slash at the end
	resource   string
	newClients *web.Throttle
	requests   *web.Throttle
	failures   *web.Throttle
	seal       *seal.Sealer
	gate       *seal.Gate
	documents  *fetcher
	fetches    singleflight.Group // of documents, by client id
	sender     web.Sender
}

// New returns a server on a migrated database. The error is that of an unusable BaseURL.
func New(c Config) (*Server, error) {
	issuer := strings.TrimSuffix(c.BaseURL, "/")
	u, err := url.Parse(issuer)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || issuer != u.Scheme+"://"+u.Host {
		return nil, fmt.Errorf("public address %q is not an http or https URL without a path", c.BaseURL)
	}
	return &Server{
		pool: c.Pool, log: c.Log, issuer: issuer, resource: issuer + ResourcePath, newClients: c.NewClients, requests: c.Requests,
		documents: newFetcher(isPublic), failures: c.Failures, seal: c.Seal, gate: newGate(c),
	}, nil
}

// logStep logs a step of an authorization with the request id. It must not be given codes, tokens or states.
func (s *Server) logStep(ctx context.Context, name, client string, more ...slog.Attr) {
	attrs := append([]slog.Attr{
		slog.String("id", web.EventOf(ctx).RequestID), slog.String("step", name), slog.String("client", client),
	}, more...)
	s.log.LogAttrs(ctx, slog.LevelInfo, "oauth", attrs...)
}

// hashOf returns the SHA-256 that is stored in place of a secret. Secrets are random, so they need no salt and no slow hash.
func hashOf(secret string) []byte {
	sum := sha256.Sum256([]byte(secret))
	return sum[:]
}
