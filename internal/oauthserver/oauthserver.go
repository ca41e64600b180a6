// Package oauthserver lets people allow programs to read for them: an OAuth 2.1 authorization server for the clients of /mcp.
// It describes itself, knows clients, keeps requests until somebody has decided, and gives and checks tokens. All SQL on the
// tables oauth_* is in this package; only hashes of secrets are in them.
package oauthserver

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"strings"

	"github.com/jackc/pgx/v5/pgxpool"

	"razao/internal/web"
)

var (
	// ErrInvalidToken means that a token is malformed, unknown, expired, revoked or for another resource. Trouble while looking
	// is never this error.
	ErrInvalidToken = errors.New("invalid access token")
	// ErrUnknownClient means that there is no such client, or not any more.
	ErrUnknownClient = errors.New("no such client")
	// ErrDocument means that a client's own description of itself cannot be had or believed.
	ErrDocument = errors.New("client document refused")
	// ErrRedirect means that a request names no address, or one that is not the client's, to lead back to.
	ErrRedirect = errors.New("not an address of the client")
	// ErrNoRequest means that there is no such request: it was decided, expired, or somebody else is looking at it.
	ErrNoRequest = errors.New("no such authorization request")
	// ErrNoAuthorization means that an account has no such authorization, or not any more.
	ErrNoAuthorization = errors.New("no such authorization")
	// ErrClient means that what an operator says of a client cannot be used.
	ErrClient = errors.New("not a client")
)

// Paths of the pages and of the server that the authorization server is for.
const (
	ConsentPath  = "/oauth/consent"
	ResourcePath = "/mcp"
)

// ScopeRead is the one scope: reading public records, within the calls that the account may make.
const ScopeRead = "consulta"

// Config are the parts of the program that the server needs.
type Config struct {
	Pool    *pgxpool.Pool
	Log     *slog.Logger
	BaseURL string // the public address, which names the server to clients; an http or https URL without a path
	// NewClients limits how many clients one address may make known, Requests how often it may send people here. nil does not.
	NewClients *web.Throttle
	Requests   *web.Throttle
}

// Server answers clients. It is made by New and safe for concurrent use; several processes share what it knows.
type Server struct {
	pool       *pgxpool.Pool
	log        *slog.Logger
	issuer     string // without a slash at the end
	resource   string
	newClients *web.Throttle
	requests   *web.Throttle
	documents  *fetcher
	sender     web.Sender
}

// New returns a server on a migrated database.
func New(c Config) (*Server, error) {
	issuer := strings.TrimSuffix(c.BaseURL, "/")
	u, err := url.Parse(issuer)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || issuer != u.Scheme+"://"+u.Host {
		return nil, fmt.Errorf("public address %q is not an http or https URL without a path", c.BaseURL)
	}
	return &Server{
		pool: c.Pool, log: c.Log, issuer: issuer, resource: issuer + ResourcePath, newClients: c.NewClients, requests: c.Requests,
		documents: newFetcher(isPublic),
	}, nil
}

// step logs one step of a flow, to be found by the id of its request. What a client or a person keeps secret is not for it.
func (s *Server) step(ctx context.Context, name, client string, more ...slog.Attr) {
	attrs := append([]slog.Attr{
		slog.String("id", web.EventOf(ctx).RequestID), slog.String("step", name), slog.String("client", client),
	}, more...)
	s.log.LogAttrs(ctx, slog.LevelInfo, "oauth", attrs...)
}

// Prefixes by which scanners tell a leaked token from other text.
const (
	accessPrefix  = "rza_"
	refreshPrefix = "rzr_"
)

// newSecret returns 256 random bits in letters, digits, - and _, after a prefix.
func newSecret(prefix string) string {
	var random [32]byte
	_, _ = rand.Read(random[:]) // never fails
	return prefix + base64.RawURLEncoding.EncodeToString(random[:])
}

// hashOf returns what is stored of a secret. Secrets are random, so that one round of a fast hash is enough.
func hashOf(secret string) []byte {
	sum := sha256.Sum256([]byte(secret))
	return sum[:]
}
