package oauthserver

import (
	"errors"
	"net/http"
	"net/url"

	"github.com/gin-gonic/gin"

	"razao/internal/web"
)

// tokens is the token response (RFC 6749 §5.1).
type tokens struct {
	Access    string `json:"access_token"`
	Type      string `json:"token_type"`
	ExpiresIn int    `json:"expires_in"` // seconds
	Refresh   string `json:"refresh_token"`
	Scope     string `json:"scope"`
}

// token is the token endpoint (RFC 6749 §3.2). It reads the body only: secrets in a URL end up in
// logs. Only invalid_grant counts as a failed guess; other errors say nothing about a secret.
func (s *Server) token(c *gin.Context) {
	issued, err := s.grantTokens(c)
	if err != nil {
		var refused *protocolError
		if errors.As(err, &refused) && refused.Code == invalidGrant {
			web.Failed(c)
		}
		s.fail(c, err)
		return
	}
	s.send(c, http.StatusOK, issued)
}

// grantTokens validates a token request and issues tokens for its code or refresh token. Forged
// secrets are refused before the first query.
func (s *Server) grantTokens(c *gin.Context) (tokens, error) {
	ctx, form := c.Request.Context(), c.Request.PostForm
	if err := rejectDuplicates(form); err != nil {
		return tokens{}, err
	}
	id, err := clientID(c)
	if err != nil {
		return tokens{}, err
	}
	if err := s.checkResource(form); err != nil {
		return tokens{}, err
	}
	k, plain := presentedSecret(form)
	switch form.Get("grant_type") {
	case grantCode, grantRefresh:
	case "":
		return tokens{}, &protocolError{Code: invalidRequest, Description: "grant_type is missing"}
	default:
		return tokens{}, &protocolError{Code: "unsupported_grant_type", Description: "grant_type must be authorization_code or refresh_token"}
	}
	refreshes := k == refreshToken
	if !s.mayExist(k, plain) { // before the client is looked up: a forgery must not cost a query
		if refreshes {
			return tokens{}, errNoRefreshToken
		}
		return tokens{}, errNoCode
	}
	client, err := s.client(ctx, id)
	if err != nil {
		return tokens{}, err
	}
	if refreshes {
		return s.refresh(ctx, client, plain)
	}
	return s.exchange(ctx, client, form)
}

// presentedSecret returns the secret of a token request and its kind.
func presentedSecret(form url.Values) (kind, string) {
	if form.Get("grant_type") == grantRefresh {
		return refreshToken, form.Get("refresh_token")
	}
	return codeSecret, form.Get("code")
}

// clientID returns the client_id of the form or of HTTP Basic (RFC 6749 §2.3.1), which must agree
// if both are sent. It identifies without authenticating: clients are public, and a client_secret
// is ignored.
func clientID(c *gin.Context) (string, error) {
	id := c.Request.PostForm.Get("client_id")
	if user, _, ok := c.Request.BasicAuth(); ok {
		user, err := url.QueryUnescape(user)
		if err != nil || id != "" && id != user {
			return "", &protocolError{Code: invalidRequest, Description: "header and body name different clients"}
		}
		id = user
	}
	if id == "" {
		return "", &protocolError{Code: invalidRequest, Description: "client_id is missing"}
	}
	return id, nil
}

// revoke is the revocation endpoint (RFC 7009). Unknown tokens get the same response as revoked
// ones (§2.2), but count as failed guesses.
func (s *Server) revoke(c *gin.Context) {
	form := c.Request.PostForm
	id, err := clientID(c)
	if err == nil {
		err = rejectDuplicates(form)
	}
	if err == nil && form.Get("token") == "" {
		err = &protocolError{Code: invalidRequest, Description: "token is missing"}
	}
	if err == nil {
		err = s.revokeToken(c, id, form.Get("token"))
	}
	if err != nil {
		s.fail(c, err)
		return
	}
	c.Status(http.StatusOK)
}

// revokeToken revokes the family of a token. A token that is unknown, or of another client, is no
// error. It returns ErrUnknownClient if the client is not registered.
func (s *Server) revokeToken(c *gin.Context, id, token string) error {
	if !s.mayExist(kindOf(token), token) {
		web.Failed(c)
		return nil
	}
	client, err := s.client(c.Request.Context(), id)
	if err != nil {
		return err
	}
	found, err := s.revokeFamily(c.Request.Context(), client, token)
	if err == nil && !found {
		web.Failed(c)
	}
	return err
}
