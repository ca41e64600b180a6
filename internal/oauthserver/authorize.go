package oauthserver

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"regexp"
	"time"

	"github.com/gin-gonic/gin"

	"razao/internal/web"
)

const maxState = 4 << 10 // bytes of state, which the client chooses and oauth_request stores

// validChallenge matches an S256 code challenge (RFC 7636 §4.2): a SHA-256 in base64url.
var validChallenge = regexp.MustCompile(`^[A-Za-z0-9_-]{43}$`)

// Pending authorization requests, per network (web.Site) and in total. They are counted without a
// lock, so concurrent requests may exceed the limits by a few.
const (
	maxRequestsOfOne = 100
	maxRequests      = 10_000
)

// fullWait is the Retry-After for a network that has maxRequestsOfOne pending requests.
const fullWait = time.Minute

// authorize is the authorization endpoint (RFC 6749 §3.1). It stores the request and redirects to
// the consent page, or shows the error with refuse. Only clients that the operator added get errors
// by redirect (RFC 6749 §4.1.2.1): anybody can register a client with any https redirect URI, so
// redirecting without interaction would make this server an open redirector (RFC 9700 §4.11.2).
func (s *Server) authorize(refuse func(*gin.Context, error)) gin.HandlerFunc {
	return func(c *gin.Context) {
		ctx, query := c.Request.Context(), c.Request.URL.Query()
		client, err := s.requestingClient(c, query)
		if err != nil {
			refuse(c, err)
			return
		}
		id, err := s.storeRequest(ctx, client, query, web.ClientOf(c))
		var refused *protocolError
		switch {
		case errors.As(err, &refused) && client.Origin != ByOperator:
			refuse(c, fmt.Errorf("%w: %w", ErrBadRequest, err))
		case errors.As(err, &refused):
			web.EventOf(ctx).Fail(err)
			answer := url.Values{"error": {refused.Code}, "error_description": {refused.Description}}
			c.Redirect(http.StatusSeeOther, s.responseURI(query.Get("redirect_uri"), query.Get("state"), answer))
		case err != nil:
			refuse(c, err)
		default:
			s.logStep(ctx, "authorization asked for", client.ID, slog.String("destination", destinationOf(query.Get("redirect_uri")).Host))
			c.Redirect(http.StatusSeeOther, ConsentPath+"?"+url.Values{"authorization_id": {id}}.Encode())
		}
	}
}

// requestingClient returns the client of an authorization request after checking that the redirect
// URI is registered for it (RFC 6749 §3.1.2.4); until then no error may be redirected there.
// Repeated parameters are refused, since two parsers could pick different ones.
func (s *Server) requestingClient(c *gin.Context, query url.Values) (Client, error) {
	if len(query["client_id"]) != 1 {
		return Client{}, fmt.Errorf("%w: %d client_id", ErrUnknownClient, len(query["client_id"]))
	}
	client, err := s.resolve(c.Request.Context(), query.Get("client_id"), web.ClientOf(c))
	if err != nil {
		return Client{}, err
	}
	if len(query["redirect_uri"]) != 1 || !client.allowsRedirect(query.Get("redirect_uri")) {
		return Client{}, ErrRedirectURI
	}
	return client, nil
}

// storeRequest validates a request, stores it until the user decides, and returns its id, which is
// secret: whoever opens it first owns it. An invalid request is a *protocolError, a network with
// maxRequestsOfOne pending requests a *web.TooManyError. One statement counts and inserts; its
// LIMIT bounds the cost of counting during a flood.
func (s *Server) storeRequest(ctx context.Context, client Client, query url.Values, from netip.Addr) (id string, err error) {
	if err := s.checkRequest(query); err != nil {
		return "", err
	}
	id = s.newSecret(requestID)
	const insert = `
		WITH waiting AS (
			SELECT count(*) AS all_of_them, count(*) FILTER (WHERE network = $7) AS own
			FROM (SELECT network FROM oauth_request r WHERE ` + requestAlive + ` LIMIT $8) r
		), added AS (
			INSERT INTO oauth_request (hash, client_id, redirect_uri, state, code_challenge, resource, network)
			SELECT $1, $2, $3, $4, $5, $6, $7 FROM waiting WHERE all_of_them < $8 AND own < $9
		)
		SELECT all_of_them, own FROM waiting`
	var waiting, own int
	err = s.pool.QueryRow(ctx, insert, hashOf(id), client.ID, query.Get("redirect_uri"), query.Get("state"),
		query.Get("code_challenge"), s.resource, networkOf(from), maxRequests, maxRequestsOfOne).Scan(&waiting, &own)
	switch {
	case err == nil && own >= maxRequestsOfOne:
		err = &web.TooManyError{Wait: fullWait}
	case err == nil && waiting >= maxRequests:
		err = errors.New("too many requests wait for a decision")
	}
	if err != nil {
		return "", fmt.Errorf("store an authorization request: %w", err)
	}
	return id, nil
}

// networkOf returns the key by which pending requests and unused clients are counted: a hash of the
// client's network (web.Site), or nil if the address is unknown. The prefix separates the hash from
// those of secrets.
func networkOf(from netip.Addr) []byte {
	if !from.IsValid() {
		return nil
	}
	return hashOf("network " + web.Site(from).String())
}

// checkRequest validates response_type, state, PKCE and resource, and returns a *protocolError.
// PKCE with S256 is mandatory: "plain" reveals the verifier to whoever sees the request (RFC 9700
// §2.1.1). scope is ignored: there is only one, and generic clients ask for others (RFC 6749 §3.3
// allows granting less than was asked for).
func (s *Server) checkRequest(query url.Values) error {
	if err := rejectDuplicates(query); err != nil {
		return err
	}
	state := query.Get("state")
	switch {
	case query.Get("response_type") != "code":
		return &protocolError{Code: "unsupported_response_type", Description: "response_type must be code"}
	case len(state) > maxState || clean(state) != state:
		return &protocolError{Code: invalidRequest, Description: "state is too long or not text"}
	case query.Get("code_challenge_method") != "S256":
		return &protocolError{Code: invalidRequest, Description: "PKCE is required: code_challenge_method must be S256"}
	case !validChallenge.MatchString(query.Get("code_challenge")):
		return &protocolError{Code: invalidRequest, Description: "PKCE is required: code_challenge must be a SHA-256 in base64url"}
	}
	return s.checkResource(query)
}

// responseURI returns the redirect URI with the authorization response, state and iss added. iss
// tells a client with several servers which one answered, which defeats mix-up attacks (RFC 9207
// §2).
func (s *Server) responseURI(redirect, state string, answer url.Values) string {
	answer.Set("iss", s.issuer)
	if state != "" {
		answer.Set("state", state)
	}
	return withParameters(redirect, answer)
}
