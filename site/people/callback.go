package people

import (
	"crypto/sha256"
	"encoding/base64"
	"errors"

	"github.com/gin-gonic/gin"

	"razao/internal/people/account"
	"razao/internal/people/signin"
	"razao/internal/web"
	"razao/site/page"
)

// callbackPage asks to confirm a sign-in by magic link. Mail scanners open links but do not submit
// forms, so they cannot use up the token.
type callbackPage struct {
	page.Frame
	Email   string // address to which the link was sent
	Token   string
	Next    string
	Browser string // double-submit value, see markOf
}

// callback answers /auth/callback, the target of magic links (token) and of OIDC and GitHub
// redirects (state).
func (hs *Handlers) callback(c *gin.Context) (page.Reply, error) {
	next := signin.SafeNext(c.Query("next"))
	answer := signin.Answer{State: c.Query("state"), Code: c.Query("code"), Error: c.Query("error"), Issuer: c.Query("iss")}
	switch token := c.Query("token"); {
	case token != "":
		return hs.confirm(c, token, next)
	case answer != signin.Answer{}:
		return hs.finish(c, answer)
	}
	return page.SeeOther(page.LoginPath("error", "", next)), nil
}

// confirm shows the address of a magic link and asks for confirmation. The link stays valid.
func (hs *Handlers) confirm(c *gin.Context, token, next string) (page.Reply, error) {
	email, err := hs.SignIn.Link(c.Request.Context(), token)
	if err != nil {
		return refused(c, err, next)
	}
	p := &callbackPage{Email: email, Token: token, Next: next, Browser: markOf(hs.Pages.Sessions.Browser(c))}
	p.Title = "Confirmar entrada"
	p.Description = "Confirme que quer entrar na sua conta do Razão neste navegador."
	p.NoIndex = true
	return page.Reply{Page: p}, nil
}

// noReferrer keeps the URL, which holds a token or code, out of the Referer of other requests.
func noReferrer(c *gin.Context) { c.Header("Referrer-Policy", "no-referrer") }

// markOf returns the double-submit value of a browser: a hash of its cookie. A forged form can
// neither know it nor send the cookie along (SameSite=Lax).
func markOf(browser string) string {
	sum := sha256.Sum256([]byte("confirm " + browser))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// fromConfirmation protects the form of confirm against CSRF. With Referrer-Policy: no-referrer,
// browsers post it with Origin: null (Fetch, "append a request Origin header"), so without
// Sec-Fetch-Site the Origin check would reject it. Only in that case, a matching double-submit
// value is accepted instead.
func (hs *Handlers) fromConfirmation(c *gin.Context) {
	nameless := c.GetHeader("Origin") == "null" && c.GetHeader("Sec-Fetch-Site") == ""
	known := hs.Pages.Sessions.KnownBrowser(c)
	if !nameless || known == "" || c.PostForm("navegador") != markOf(known) {
		hs.sameOrigin(c)
	}
}

// finish completes a sign-in by a provider.
func (hs *Handlers) finish(c *gin.Context, answer signin.Answer) (page.Reply, error) {
	arrival, err := hs.SignIn.Finish(c.Request.Context(), hs.Pages.Sessions.Browser(c), answer)
	if err != nil {
		return refused(c, err, signin.SafeNext(arrival.Next))
	}
	started, err := hs.Pages.Sessions.Begin(c, arrival.Account)
	if err != nil {
		return page.Reply{}, err
	}
	return begun(c, started, arrival.Next), nil
}

// useLink redeems the token of a confirmed magic link. It works once.
func (hs *Handlers) useLink(c *gin.Context) (page.Reply, error) {
	next := signin.SafeNext(c.PostForm("next"))
	started, err := hs.Pages.Sessions.BeginByLink(c, hs.SignIn, c.PostForm("token"))
	if err != nil {
		return refused(c, err, next)
	}
	return begun(c, started, next), nil
}

// begun redirects who has just signed in to next, a path that signin.SafeNext has checked.
func begun(c *gin.Context, started account.Session, next string) page.Reply {
	web.EventOf(c.Request.Context()).Account = int64(started.Account)
	return page.SeeOther(next)
}

// refused redirects to /login with the reason of a failed sign-in. It returns errors of our own,
// such as a database failure, unchanged.
func refused(c *gin.Context, err error, next string) (page.Reply, error) {
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
		return page.Reply{}, err
	}
	web.EventOf(c.Request.Context()).Fail(err)
	return page.SeeOther(page.LoginPath("error", code, next)), nil
}
