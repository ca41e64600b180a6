package oauthserver

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"regexp"

	"github.com/gin-gonic/gin"

	"razao/internal/people/seal"
	"razao/internal/web"
)

const maxState = 4 << 10 // bytes of state, which the client chooses and the request's id carries

// validChallenge matches an S256 code challenge (RFC 7636 §4.2): a SHA-256 in base64url.
var validChallenge = regexp.MustCompile(`^[A-Za-z0-9_-]{43}$`)

// authorize is the authorization endpoint (RFC 6749 §3.1). It redirects to the consent page with the
// request in its id, so its only statement is the look-up of the client, or shows the error with
// refuse. Only clients that the operator added get errors by redirect (RFC 6749 §4.1.2.1): anybody
// can register a client with any https redirect URI, so redirecting without interaction would make
// this server an open redirector (RFC 9700 §4.11.2).
func (s *Server) authorize(refuse func(*gin.Context, error)) gin.HandlerFunc {
	return func(c *gin.Context) {
		ctx, query := c.Request.Context(), c.Request.URL.Query()
		client, err := s.requestingClient(c, query)
		if err != nil {
			refuse(c, err)
			return
		}
		err = s.checkRequest(query)
		var refused *protocolError
		switch {
		case errors.As(err, &refused) && client.Origin != ByOperator:
			refuse(c, fmt.Errorf("%w: %w", ErrBadRequest, err))
		case errors.As(err, &refused):
			web.EventOf(ctx).Fail(err)
			answer := url.Values{"error": {refused.Code}, "error_description": {refused.Description}}
			c.Redirect(http.StatusSeeOther, s.responseURI(query.Get("redirect_uri"), query.Get("state"), answer))
		default:
			id := s.sealRequest(request{
				Expires: client.Now.Add(requestLifetime), Client: client.ID,
				Redirect: query.Get("redirect_uri"), State: query.Get("state"), Challenge: query.Get("code_challenge"),
			})
			s.logStep(ctx, "authorization asked for", client.ID, slog.String("destination", destinationOf(query.Get("redirect_uri")).Host))
			c.Redirect(http.StatusSeeOther, ConsentPath+"?"+url.Values{"authorization_id": {id}}.Encode())
		}
	}
}

// requestingClient returns the client of an authorization request after checking that the redirect
// URI is registered for it (RFC 6749 §3.1.2.4); until then no error may be redirected there.
// Repeated parameters are refused, since two parsers could pick different ones.
func (s *Server) requestingClient(c *gin.Context, query url.Values) (storedClient, error) {
	if len(query["client_id"]) != 1 {
		return storedClient{}, fmt.Errorf("%w: %d client_id", ErrUnknownClient, len(query["client_id"]))
	}
	client, err := s.resolve(c.Request.Context(), query.Get("client_id"), web.ClientOf(c))
	if err != nil {
		return storedClient{}, err
	}
	if len(query["redirect_uri"]) != 1 || !client.allowsRedirect(query.Get("redirect_uri")) {
		return storedClient{}, ErrRedirectURI
	}
	return client, nil
}

// networkOf returns the key by which unused clients are counted: a hash of the client's network
// (web.Site), or nil if the address is unknown. The prefix separates the hash from those of secrets.
func networkOf(from netip.Addr) []byte {
	if !from.IsValid() {
		return nil
	}
	return seal.HashOf("network " + web.Site(from).String())
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
