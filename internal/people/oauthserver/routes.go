package oauthserver

import (
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"razao/internal/web"
)

// requestTime is the deadline of an HTTP request, including the fetch of a metadata document.
const requestTime = 10 * time.Second

// Register adds the routes to r. refuse renders the error page of /oauth/authorize and sets its
// status; it gets ErrUnknownClient, ErrMetadataDocument, ErrRedirectURI, ErrBadRequest or
// *web.TooManyError, and any other error for a failure of ours. The consent page is not among the
// routes.
func (s *Server) Register(r *gin.Engine, refuse func(*gin.Context, error)) {
	browsers := r.Group("", web.Recover(refuse), web.Limit(s.requests, refuse), web.Deadline(requestTime))
	browsers.GET("/oauth/authorize", s.authorize(refuse))

	// Any origin may call these (CORS): they use no cookies, so there is nothing to ride on (CSRF).
	programs := r.Group("", anyOrigin, web.Recover(s.fail), web.Deadline(requestTime))
	get := func(path string, handler gin.HandlerFunc) {
		web.Get(programs, path, handler)
		programs.OPTIONS(path, preflight(http.MethodGet))
	}
	get("/.well-known/oauth-authorization-server", s.describeServer)
	get("/.well-known/openid-configuration", s.describeServer)
	get("/.well-known/oauth-protected-resource", s.describeResource)
	get("/.well-known/oauth-protected-resource"+ResourcePath, s.describeResource)
	form := web.Form(s.fail)
	post := func(path string, handlers ...gin.HandlerFunc) {
		programs.POST(path, handlers...)
		programs.OPTIONS(path, preflight(http.MethodPost))
	}
	// Hosted assistants exchange the tokens of many users from few addresses. Spare: sealed tokens
	// pass even while guesses from the same address are blocked.
	atToken := web.Guard{Failures: s.failures, Known: s.offersKnown, Spare: true, Fail: s.fail}
	atRevoke := web.Guard{Failures: s.failures, Known: s.revokesKnown, Fail: s.fail}
	post("/oauth/token", form, atToken.Limit, s.token)
	post("/oauth/revoke", form, atRevoke.Limit, s.revoke)
	post("/oauth/register", web.Limit(s.newClients, s.fail), s.register)
}

// anyOrigin sets the CORS headers of responses.
func anyOrigin(c *gin.Context) {
	c.Header("Access-Control-Allow-Origin", "*")
	c.Header("Access-Control-Expose-Headers", "X-Request-ID, Retry-After, WWW-Authenticate")
}

// preflight answers CORS preflight requests.
func preflight(method string) gin.HandlerFunc {
	return func(c *gin.Context) {
		c.Header("Access-Control-Allow-Methods", method)
		c.Header("Access-Control-Allow-Headers", "Authorization, Content-Type, MCP-Protocol-Version")
		c.Header("Access-Control-Max-Age", "86400")
		c.Status(http.StatusNoContent)
	}
}

// offersKnown reports, without a query, whether the code or refresh token of a token request is
// certainly no guess (web.Guard).
func (s *Server) offersKnown(c *gin.Context) bool {
	k, plain := presentedSecret(c.Request.PostForm)
	return s.known(k, plain)
}

// revokesKnown is offersKnown for the token of a revocation request.
func (s *Server) revokesKnown(c *gin.Context) bool {
	token := c.Request.PostForm.Get("token")
	return s.known(kindOf(token), token)
}
