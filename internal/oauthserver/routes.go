package oauthserver

import (
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"razao/internal/web"
)

// requestTime bounds the work for one request, the document of a client included.
const requestTime = 10 * time.Second

// Register adds the routes to r. refuse answers people, with a page, whose request cannot be believed: with ErrUnknownClient,
// ErrDocument, ErrRedirect, a *web.TooManyError, or any other error when nobody could look.
func (s *Server) Register(r *gin.Engine, refuse func(*gin.Context, error)) {
	asked := r.Group("", web.Recover(refuse), web.Limit(s.requests, refuse), web.Deadline(requestTime))
	asked.GET("/oauth/authorize", s.authorize(refuse))

	// What programs ask carries no cookies, so that pages of other sites may ask it as well.
	open := r.Group("", anyOrigin, web.Recover(s.fail), web.Deadline(requestTime))
	read := func(path string, answer gin.HandlerFunc) {
		web.Get(open, path, answer)
		open.OPTIONS(path, preflight(http.MethodGet))
	}
	read("/.well-known/oauth-authorization-server", s.describeServer)
	read("/.well-known/openid-configuration", s.describeServer)
	read("/.well-known/oauth-protected-resource", s.describeResource)
	read("/.well-known/oauth-protected-resource"+ResourcePath, s.describeResource)
	form := web.Form(s.fail)
	ask := func(path string, answer ...gin.HandlerFunc) {
		open.POST(path, answer...)
		open.OPTIONS(path, preflight(http.MethodPost))
	}
	ask("/oauth/token", form, s.token)
	ask("/oauth/revoke", form, s.revoke)
	ask("/oauth/register", web.Limit(s.newClients, s.fail), s.register)
}

// anyOrigin lets pages of any site read an answer.
func anyOrigin(c *gin.Context) {
	c.Header("Access-Control-Allow-Origin", "*")
	c.Header("Access-Control-Expose-Headers", "X-Request-ID, Retry-After, WWW-Authenticate")
}

// preflight answers a browser that asks whether a page may send what programs send.
func preflight(method string) gin.HandlerFunc {
	return func(c *gin.Context) {
		c.Header("Access-Control-Allow-Methods", method)
		c.Header("Access-Control-Allow-Headers", "Authorization, Content-Type, MCP-Protocol-Version")
		c.Header("Access-Control-Max-Age", "86400")
		c.Status(http.StatusNoContent)
	}
}
