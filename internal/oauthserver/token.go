package oauthserver

import (
	"net/http"
	"net/url"

	"github.com/gin-gonic/gin"
)

// tokens is the token response (RFC 6749 §5.1).
type tokens struct {
	Access    string `json:"access_token"`
	Type      string `json:"token_type"`
	ExpiresIn int    `json:"expires_in"` // seconds
	Refresh   string `json:"refresh_token"`
	Scope     string `json:"scope"`
}

// token is the token endpoint (RFC 6749 §3.2). It ignores the query, because URLs end up in logs.
func (s *Server) token(c *gin.Context) {
	issued, err := s.grantTokens(c)
	if err != nil {
		s.fail(c, err)
		return
	}
	s.send(c, http.StatusOK, issued)
}

// grantTokens issues tokens for an authorization code or a refresh token.
func (s *Server) grantTokens(c *gin.Context) (tokens, error) {
	ctx, form := c.Request.Context(), c.Request.PostForm
	if err := rejectDuplicates(form); err != nil {
		return tokens{}, err
	}
	client, err := s.identifyClient(c)
	if err != nil {
		return tokens{}, err
	}
	if err := s.checkResource(form); err != nil {
		return tokens{}, err
	}
	switch form.Get("grant_type") {
	case grantCode:
		return s.exchange(ctx, client, form)
	case grantRefresh:
		return s.refresh(ctx, client, form.Get("refresh_token"))
	case "":
		return tokens{}, &protocolError{Code: invalidRequest, Description: "grant_type is missing"}
	}
	return tokens{}, &protocolError{Code: "unsupported_grant_type", Description: "grant_type must be authorization_code or refresh_token"}
}

// identifyClient returns the client named by client_id or by HTTP Basic (RFC 6749 §2.3.1). It does not authenticate: clients are
// public, and a secret that comes along is ignored. ErrUnknownClient: it is not registered.
func (s *Server) identifyClient(c *gin.Context) (Client, error) {
	id := c.Request.PostForm.Get("client_id")
	if user, _, ok := c.Request.BasicAuth(); ok {
		user, err := url.QueryUnescape(user)
		if err != nil || id != "" && id != user {
			return Client{}, &protocolError{Code: invalidRequest, Description: "header and body name different clients"}
		}
		id = user
	}
	if id == "" {
		return Client{}, &protocolError{Code: invalidRequest, Description: "client_id is missing"}
	}
	return s.client(c.Request.Context(), id)
}

// revoke is the revocation endpoint (RFC 7009). Unknown tokens get the same response as revoked ones (§2.2).
func (s *Server) revoke(c *gin.Context) {
	form := c.Request.PostForm
	client, err := s.identifyClient(c)
	if err == nil {
		err = rejectDuplicates(form)
	}
	if err == nil && form.Get("token") == "" {
		err = &protocolError{Code: invalidRequest, Description: "token is missing"}
	}
	if err == nil {
		err = s.revokeFamily(c.Request.Context(), client, form.Get("token"))
	}
	if err != nil {
		s.fail(c, err)
		return
	}
	c.Header("Cache-Control", "no-store")
	c.Status(http.StatusOK)
}
