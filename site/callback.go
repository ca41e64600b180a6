package site

import (
	"errors"

	"github.com/gin-gonic/gin"

	"razao/internal/account"
	"razao/internal/signin"
	"razao/internal/web"
)

// callbackPage asks to confirm a sign-in by a link. Programs that read mail open its links, but send no forms.
type callbackPage struct {
	frame
	Email string // the link was mailed to
	Token string
	Next  string
}

func (*callbackPage) template() string { return "callback" }

// callback answers /auth/callback, where people come back to from their mail and from providers.
func (s *Site) callback(c *gin.Context) (reply, error) {
	next := signin.SafeNext(c.Query("next"))
	answer := signin.Answer{State: c.Query("state"), Code: c.Query("code"), Error: c.Query("error"), Issuer: c.Query("iss")}
	switch token := c.Query("token"); {
	case token != "":
		return s.confirm(c, token, next)
	case answer != signin.Answer{}:
		return s.finish(c, answer)
	}
	return seeOther(loginAddress("error", "", next)), nil
}

func (s *Site) confirm(c *gin.Context, token, next string) (reply, error) {
	email, err := s.SignIn.Link(c.Request.Context(), token)
	if err != nil {
		return refused(c, err, next)
	}
	p := &callbackPage{Email: email, Token: token, Next: next}
	p.Title = "Confirmar entrada"
	p.Description = "Confirme que quer entrar na sua conta do Razão neste navegador."
	p.NoIndex = true
	return reply{page: p}, nil
}

// finish signs in who comes back from a provider.
func (s *Site) finish(c *gin.Context, answer signin.Answer) (reply, error) {
	arrival, err := s.SignIn.Finish(c.Request.Context(), s.Sessions.Browser(c), answer)
	if err != nil {
		return refused(c, err, signin.SafeNext(arrival.Next))
	}
	return s.begin(c, arrival.Account, arrival.Next)
}

// useLink signs in who confirmed a link.
func (s *Site) useLink(c *gin.Context) (reply, error) {
	next := signin.SafeNext(c.PostForm("next"))
	id, err := s.SignIn.UseLink(c.Request.Context(), c.PostForm("token"))
	if err != nil {
		return refused(c, err, next)
	}
	return s.begin(c, id, next)
}

func (s *Site) begin(c *gin.Context, id account.ID, next string) (reply, error) {
	if _, err := s.Sessions.Begin(c, id); err != nil {
		return reply{}, err
	}
	web.EventOf(c.Request.Context()).Account = int64(id)
	return seeOther(next), nil
}

// refused sends people back to /login with the reason. Trouble of ours is no reason.
func refused(c *gin.Context, err error, next string) (reply, error) {
	code := ""
	switch {
	case errors.Is(err, signin.ErrLink):
		code = "link"
	case errors.Is(err, signin.ErrState):
		code = "tentativa"
	case errors.Is(err, signin.ErrCancelled):
		code = "cancelado"
	case errors.Is(err, signin.ErrProvider):
		code = "provedor"
	case errors.Is(err, signin.ErrUnverified):
		code = "email"
	default:
		return reply{}, err
	}
	web.EventOf(c.Request.Context()).Fail(err)
	return seeOther(loginAddress("error", code, next)), nil
}
