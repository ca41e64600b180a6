package people

import (
	"crypto/sha256"
	"encoding/base64"
	"errors"

	"github.com/gin-gonic/gin"

	"razao/internal/account"
	"razao/internal/signin"
	"razao/internal/web"
	"razao/site/page"
)

// callbackPage asks to confirm a sign-in by a link. Programs that read mail open its links, but send no forms.
type callbackPage struct {
	page.Frame
	Email   string // the link was mailed to
	Token   string
	Next    string
	Browser string // its mark
}

func (*callbackPage) Template() string { return "callback" }

// callback answers /auth/callback, where people come back to from their mail and from providers.
func (rm *Room) callback(c *gin.Context) (page.Reply, error) {
	next := signin.SafeNext(c.Query("next"))
	answer := signin.Answer{State: c.Query("state"), Code: c.Query("code"), Error: c.Query("error"), Issuer: c.Query("iss")}
	switch token := c.Query("token"); {
	case token != "":
		return rm.confirm(c, token, next)
	case answer != signin.Answer{}:
		return rm.finish(c, answer)
	}
	return page.SeeOther(page.LoginPath("error", "", next)), nil
}

func (rm *Room) confirm(c *gin.Context, token, next string) (page.Reply, error) {
	email, err := rm.SignIn.Link(c.Request.Context(), token)
	if err != nil {
		return refused(c, err, next)
	}
	p := &callbackPage{Email: email, Token: token, Next: next, Browser: markOf(rm.Pages.Sessions.Browser(c))}
	p.Title = "Confirmar entrada"
	p.Description = "Confirme que quer entrar na sua conta do Razão neste navegador."
	p.NoIndex = true
	return page.Reply{Page: p}, nil
}

// noReferrer keeps the address, in which there is a token or a code, from every other request.
func noReferrer(c *gin.Context) { c.Header("Referrer-Policy", "no-referrer") }

// markOf says of which browser a form is (double submit): the hash of its cookie, which the forms of other sites do not bring
// along (SameSite=Lax).
func markOf(browser string) string {
	sum := sha256.Sum256([]byte("confirm " + browser))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// fromConfirmation protects the form of confirm against CSRF. Because of noReferrer browsers send it with Origin: null (Fetch,
// "append a request Origin header"), which only the browser's mark tells from a form of somebody else where there is no Sec-Fetch-Site.
func (rm *Room) fromConfirmation(c *gin.Context) {
	nameless := c.GetHeader("Origin") == "null" && c.GetHeader("Sec-Fetch-Site") == ""
	known := rm.Pages.Sessions.KnownBrowser(c)
	if !nameless || known == "" || c.PostForm("navegador") != markOf(known) {
		rm.sameOrigin(c)
	}
}

// finish signs in who comes back from a provider.
func (rm *Room) finish(c *gin.Context, answer signin.Answer) (page.Reply, error) {
	arrival, err := rm.SignIn.Finish(c.Request.Context(), rm.Pages.Sessions.Browser(c), answer)
	if err != nil {
		return refused(c, err, signin.SafeNext(arrival.Next))
	}
	return rm.begin(c, arrival.Account, arrival.Next)
}

// useLink signs in who confirmed a link.
func (rm *Room) useLink(c *gin.Context) (page.Reply, error) {
	next := signin.SafeNext(c.PostForm("next"))
	id, err := rm.SignIn.UseLink(c.Request.Context(), c.PostForm("token"))
	if err != nil {
		return refused(c, err, next)
	}
	return rm.begin(c, id, next)
}

func (rm *Room) begin(c *gin.Context, id account.ID, next string) (page.Reply, error) {
	if _, err := rm.Pages.Sessions.Begin(c, id); err != nil {
		return page.Reply{}, err
	}
	web.EventOf(c.Request.Context()).Account = int64(id)
	return page.SeeOther(next), nil
}

// refused sends people back to /login with the reason. Trouble of ours is no reason.
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
