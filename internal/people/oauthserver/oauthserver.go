// Package oauthserver is the OAuth 2.1 authorization server of /mcp. It has one resource
// ([ResourcePath]), one scope ([ScopeRead]) and public clients only (RFC 6749 §2.1).
//
// # Flow
//
//  1. A client becomes known by dynamic registration (RFC 7591), by a client ID metadata document
//     whose URL is its client_id, or through the operator ([Server.AddClient]).
//  2. GET /oauth/authorize validates a request and redirects to the site's consent page, whose
//     authorization_id is the request, encrypted: nothing is stored for strangers. The page shows a
//     [Request] and calls [Server.Approve] or [Server.Deny]. The request is bound to the first
//     session that opens it and consumed by the decision, which is remembered until it expires.
//  3. POST /oauth/token exchanges the code and its PKCE verifier (RFC 7636) for an opaque access
//     token (1 h) and a refresh token (90 days). Each refresh rotates both (RFC 9700 §4.14.2).
//  4. /mcp passes the access token of each call to [Server.Verify]. Tokens are not cached, so a
//     revocation (RFC 7009, [Server.RevokeAuthorization]) takes effect at once.
//
// Metadata follow RFC 8414 and RFC 9728, resource indicators RFC 8707, and responses carry iss
// (RFC 9207). docs/oauth.md describes the same for authors of clients.
//
// # State
//
// All state is in PostgreSQL, so any process can serve any step. An oauth_grant is the consent of
// one account to one client; an oauth_code is the head of a token family, and the access and
// refresh tokens descended from it are the members. Foreign keys cascade downwards: deleting an
// account, a client, a grant or a code deletes every token below it. Codes, tokens and request ids
// are stored as SHA-256 only, and each is sealed (package seal), so forgeries cost no query.
// Expiry is decided by the database's clock alone, which makes clock skew between processes
// harmless. Only this package has SQL on the tables oauth_*.
//
// # Abuse and errors
//
// Anybody may register a client, so everything that a stranger can create is bounded per network
// ([web.Site]) and in total, and [Server.Purge] deletes what nobody uses. Errors of
// /oauth/authorize are shown to the user by the site; the other endpoints respond with RFC 6749
// §5.2 errors. A failed query is a 503, never invalid_token or invalid_grant: the client would
// throw away a good token.
package oauthserver

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"strings"

	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sync/singleflight"

	"razao/internal/people/seal"
	"razao/internal/store/batching"
	"razao/internal/web"
	"razao/internal/web/outbound"
)

// Errors of the package's functions, possibly wrapped; compare with [errors.Is]. None stands for a
// failed query.
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
	// ErrBadRequest means that a parameter other than client_id and redirect_uri is invalid, in a
	// request of a client that the operator did not add. It is shown to the user and not
	// redirected.
	ErrBadRequest = errors.New("invalid authorization request")
	// ErrNoRequest means that an authorization request is forged, expired, decided or bound to another session.
	ErrNoRequest = errors.New("no such authorization request")
	// ErrNoAuthorization means that the account has no authorization with this id.
	ErrNoAuthorization = errors.New("no such authorization")
	// ErrClientMetadata means that AddClient got no printable name or a redirect URI that is not
	// allowed.
	ErrClientMetadata = errors.New("invalid client metadata")
)

// Paths below the public address.
const (
	ConsentPath  = "/oauth/consent" // the site's consent page; its parameter authorization_id goes to Request
	ResourcePath = "/mcp"           // the protected resource, and the audience of every token
)

// ScopeRead is the only scope: it permits reading public records, within the account's rate limit.
const ScopeRead = "consulta"

// Config holds the dependencies of a Server.
type Config struct {
	Pool    *pgxpool.Pool // migrated; the Server does not close it
	Log     *slog.Logger
	BaseURL string // the issuer: public http or https URL without a path
	// Seal seals codes, tokens and requests. Servers on one database
	// share its secret. It may be nil where none is issued or checked, as in commands that only
	// manage clients.
	Seal *seal.Sealer
	// Failures limits wrong codes and tokens per client address, against guessing; nil: no limit.
	Failures *web.Throttle
	// NewClients limits registrations and fetches of metadata documents per client address; nil: no
	// limit.
	NewClients *web.Throttle
	// Requests limits authorization requests per client address; nil: no limit.
	Requests *web.Throttle
}

// Server is the authorization server. Make one with New and Close it. It is safe for concurrent
// use, and several processes may serve one database.
type Server struct {
	pool       *pgxpool.Pool
	log        *slog.Logger
	issuer     string // without a slash at the end
	resource   string // issuer + ResourcePath: the only resource that tokens are issued for
	newClients *web.Throttle
	requests   *web.Throttle
	failures   *web.Throttle
	seal       *seal.Sealer
	filter     *seal.Filter
	documents  *fetcher
	fetches    singleflight.Group // of documents, by client id
	sender     web.Sender
	verifying  batching.Batcher[seal.Hash, verifiedToken]
}

// New returns a Server. It fails only if BaseURL is not an http or https URL without path, query,
// fragment and user: clients compare the issuer as a string (RFC 8414 §3.3, RFC 9207 §2.4).
func New(c Config) (*Server, error) {
	issuer := strings.TrimSuffix(c.BaseURL, "/")
	u, err := url.Parse(issuer)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || issuer != u.Scheme+"://"+u.Host {
		return nil, fmt.Errorf("public address %q is not an http or https URL without a path", c.BaseURL)
	}
	s := &Server{
		pool: c.Pool, log: c.Log, issuer: issuer, resource: issuer + ResourcePath, newClients: c.NewClients, requests: c.Requests,
		documents: newFetcher(outbound.IsPublic), failures: c.Failures, seal: c.Seal, filter: newFilter(c),
	}
	s.verifying = batching.Batcher[seal.Hash, verifiedToken]{Ask: s.lookUp, Most: maxVerified}
	return s, nil
}

// Close waits for verifications whose callers have left, and cancels and waits for the query that
// runs in the background. Call it when no request is in progress, before the pool is closed.
func (s *Server) Close() {
	s.verifying.Wait()
	s.filter.Close()
}

// logStep logs a step of an authorization under the id of the HTTP request. Its arguments must not
// include codes, tokens or states: logs outlive them and have other readers.
func (s *Server) logStep(ctx context.Context, name, client string, more ...slog.Attr) {
	attrs := append([]slog.Attr{
		slog.String("id", web.EventOf(ctx).RequestID), slog.String("step", name), slog.String("client", client),
	}, more...)
	s.log.LogAttrs(ctx, slog.LevelInfo, "oauth", attrs...)
}
