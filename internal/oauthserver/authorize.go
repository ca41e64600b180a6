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

const maxState = 4 << 10 // bytes of what a client wants to get back

// validChallenge is the form of a SHA-256 in base64url, which is the only one that is taken.
var validChallenge = regexp.MustCompile(`^[A-Za-z0-9_-]{43}$`)

// authorize answers /oauth/authorize, where clients send people: it keeps the request and leads on to the page that asks for a
// decision. As long as it is not certain that the client is one and that the address is the client's, refuse answers with a
// page; from then on the client is told.
func (s *Server) authorize(refuse func(*gin.Context, error)) gin.HandlerFunc {
	return func(c *gin.Context) {
		c.Header("Cache-Control", "no-store")
		ctx, query := c.Request.Context(), c.Request.URL.Query()
		client, err := s.clientAsking(c, query)
		if err != nil {
			refuse(c, err)
			return
		}
		id, err := s.keepRequest(ctx, client, query)
		var refused *protocolError
		switch {
		case errors.As(err, &refused):
			web.EventOf(ctx).Fail(err)
			answer := url.Values{"error": {refused.Code}, "error_description": {refused.Description}}
			c.Redirect(http.StatusSeeOther, s.answer(query.Get("redirect_uri"), query.Get("state"), answer))
		case err != nil:
			refuse(c, err)
		default:
			s.step(ctx, "authorization asked for", client.ID, slog.String("destination", destinationOf(query.Get("redirect_uri")).Host))
			c.Redirect(http.StatusSeeOther, ConsentPath+"?"+url.Values{"authorization_id": {id}}.Encode())
		}
	}
}

// clientAsking returns the client of a request whose answer goes to an address of that client.
func (s *Server) clientAsking(c *gin.Context, query url.Values) (Client, error) {
	if len(query["client_id"]) != 1 {
		return Client{}, fmt.Errorf("%w: %d client_id", ErrUnknownClient, len(query["client_id"]))
	}
	client, err := s.resolve(c.Request.Context(), query.Get("client_id"), web.ClientOf(c))
	if err != nil {
		return Client{}, err
	}
	if len(query["redirect_uri"]) != 1 || !client.allows(query.Get("redirect_uri")) {
		return Client{}, ErrRedirect
	}
	return client, nil
}

// keepRequest keeps a request until somebody has decided and returns what opens it. A refusal is a *protocolError.
func (s *Server) keepRequest(ctx context.Context, client Client, query url.Values) (id string, err error) {
	if err := s.checkRequest(query); err != nil {
		return "", err
	}
	id = newSecret("")
	const insert = `
		INSERT INTO oauth_request (hash, client_id, redirect_uri, state, code_challenge, resource)
		VALUES ($1, $2, $3, $4, $5, $6)`
	_, err = s.pool.Exec(ctx, insert, hashOf(id), client.ID, query.Get("redirect_uri"), query.Get("state"),
		query.Get("code_challenge"), s.resource)
	if err != nil {
		return "", fmt.Errorf("keep an authorization request: %w", err)
	}
	return id, nil
}

// checkRequest returns what is wrong with a request. Which scopes it asks for does not matter: there is one, and clients ask
// for others that they know from elsewhere.
func (s *Server) checkRequest(query url.Values) error {
	if err := checkOnce(query); err != nil {
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

// answer returns the address that leads a browser back to a client with an answer, which says whose it is.
func (s *Server) answer(redirect, state string, answer url.Values) string {
	answer.Set("iss", s.issuer)
	if state != "" {
		answer.Set("state", state)
	}
	return withAnswer(redirect, answer)
}
