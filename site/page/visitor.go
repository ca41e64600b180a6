package page

import (
	"errors"

	"github.com/gin-contrib/sessions"
	"github.com/gin-gonic/gin"

	"razao/internal/account"
	"razao/internal/signin"
	"razao/internal/web"
)

// Visitor returns who is signed in. signin.ErrSignedOut: nobody is; any other error is trouble while looking.
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

// LookUp gives a request that no route took the session that routes have.
func (s *Server) LookUp(c *gin.Context) {
	if s.Sessions != nil {
		s.Sessions.Middleware()(c)
	}
}

// entrance returns where the header leads a visitor, "" when it is not known who that is: the header then says nothing of them.
func (s *Server) entrance(c *gin.Context) string {
	if s.Sessions == nil {
		return ""
	}
	if _, ok := c.Get(sessions.DefaultKey); !ok { // refused before its turn came
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
