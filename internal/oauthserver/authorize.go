package oauthserver

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"regexp"

	"github.com/gin-gonic/gin"

	"razao/internal/web"
)

const maxState = 4 << 10 // bytes

// validChallenge is the form of an S256 code challenge (RFC 7636 §4.2): a SHA-256 in base64url.
var validChallenge = regexp.MustCompile(`^[A-Za-z0-9_-]{43}$`)

// authorize is the authorization endpoint (RFC 6749 §3.1): it stores the request and redirects to the consent page. Until client
// and redirect URI are verified, errors are shown by refuse, never redirected (open redirect, RFC 6749 §4.1.2.1); after that
// they go to the client.
func (s *Server) authorize(refuse func(*gin.Context, error)) gin.HandlerFunc {
	return func(c *gin.Context) {
		c.Header("Cache-Control", "no-store")
		ctx, query := c.Request.Context(), c.Request.URL.Query()
		client, err := s.requestingClient(c, query)
		if err != nil {
			refuse(c, err)
			return
		}
		id, err := s.storeRequest(ctx, client, query)
		var refused *protocolError
		switch {
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

// requestingClient verifies the client of a request and that the redirect URI is one of its own.
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

// storeRequest stores a valid request until consent is given or denied, and returns its secret id. A refusal is a
// *protocolError.
func (s *Server) storeRequest(ctx context.Context, client Client, query url.Values) (id string, err error) {
	if err := s.checkRequest(query); err != nil {
		return "", err
	}
	id = s.newSecret(requestID)
	const insert = `
		INSERT INTO oauth_request (hash, client_id, redirect_uri, state, code_challenge, resource)
		VALUES ($1, $2, $3, $4, $5, $6)`
	_, err = s.pool.Exec(ctx, insert, hashOf(id), client.ID, query.Get("redirect_uri"), query.Get("state"),
		query.Get("code_challenge"), s.resource)
	if err != nil {
		return "", fmt.Errorf("store an authorization request: %w", err)
	}
	return id, nil
}

// checkRequest validates response_type, state, PKCE and resource. scope is ignored: there is only one, and generic clients ask
// for others (RFC 6749 §3.3 allows granting less).
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

// responseURI returns the redirect URI with an authorization response, including state and iss (RFC 9207, against mix-up).
func (s *Server) responseURI(redirect, state string, answer url.Values) string {
	answer.Set("iss", s.issuer)
	if state != "" {
		answer.Set("state", state)
	}
	return withParameters(redirect, answer)
}
