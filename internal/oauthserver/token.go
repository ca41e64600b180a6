package oauthserver

import (
	"net/http"
	"net/url"

	"github.com/gin-gonic/gin"
)

// tokens are what a client gets. It is told nothing else about them.
type tokens struct {
	Access    string `json:"access_token"`
	Type      string `json:"token_type"`
	ExpiresIn int    `json:"expires_in"` // seconds
	Refresh   string `json:"refresh_token"`
	Scope     string `json:"scope"`
}

// token answers /oauth/token. Only the body is read: what stands in an address ends up in logs.
func (s *Server) token(c *gin.Context) {
	issued, err := s.issueFor(c)
	if err != nil {
		s.fail(c, err)
		return
	}
	s.send(c, http.StatusOK, issued)
}

func (s *Server) issueFor(c *gin.Context) (tokens, error) {
	ctx, form := c.Request.Context(), c.Request.PostForm
	if err := checkOnce(form); err != nil {
		return tokens{}, err
	}
	client, err := s.clientOf(c)
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

// clientOf returns the client that says that a form is its own: in the form or, as clients with a secret do, in the header. A
// secret is not looked at, because no client has one. ErrUnknownClient: it is not known, or not any more.
func (s *Server) clientOf(c *gin.Context) (Client, error) {
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

// revoke answers /oauth/revoke. It says the same whether there was something to end or not.
func (s *Server) revoke(c *gin.Context) {
	form := c.Request.PostForm
	client, err := s.clientOf(c)
	if err == nil {
		err = checkOnce(form)
	}
	if err == nil && form.Get("token") == "" {
		err = &protocolError{Code: invalidRequest, Description: "token is missing"}
	}
	if err == nil {
		err = s.endChain(c.Request.Context(), client, form.Get("token"))
	}
	if err != nil {
		s.fail(c, err)
		return
	}
	c.Header("Cache-Control", "no-store")
	c.Status(http.StatusOK)
}
