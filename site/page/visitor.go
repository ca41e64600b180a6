package page

import (
	"errors"

	"github.com/gin-contrib/sessions"
	"github.com/gin-gonic/gin"

	"razao/internal/people/account"
	"razao/internal/people/signin"
	"razao/internal/web"
)

// Visitor returns the session of the request. It returns [signin.ErrSignedOut] if nobody is signed
// in; any other error means that the session could not be looked up. The account id goes to the
// log.
func (s *Server) Visitor(c *gin.Context) (account.Session, error) {
	if s.Sessions == nil {
		return account.Session{}, signin.ErrSignedOut
	}
	who, err := signin.Current(c)
	if err == nil {
		web.EventOf(c.Request.Context()).Account = int64(who.Account)
	}
	return who, err
}

// LookUp runs the session middleware for a request that matched no route, so that its error page
// has the same header.
func (s *Server) LookUp(c *gin.Context) {
	if s.Sessions != nil {
		s.Sessions.Middleware()(c)
	}
}

// entrance returns the account link of the header: /conta or /login, "" if sign-in is off or the
// session could not be read.
func (s *Server) entrance(c *gin.Context) string {
	if s.Sessions == nil {
		return ""
	}
	if _, ok := c.Get(sessions.DefaultKey); !ok { // refused before the session middleware ran
		return ""
	}
	switch _, err := s.Visitor(c); {
	case err == nil:
		return "/conta"
	case errors.Is(err, signin.ErrSignedOut):
		return "/login"
	}
	return ""
}
