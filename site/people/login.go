package people

import (
	"errors"
	"net/http"
	"strconv"

	"github.com/gin-gonic/gin"

	"razao/internal/people/account"
	"razao/internal/people/signin"
	"razao/internal/web"
	"razao/site/page"
)

// maxEmail is how many bytes of a rejected address are echoed (RFC 5321 allows 254 in an address).
const maxEmail = 254

// loginPage is /login: the form for a magic link, and the providers.
type loginPage struct {
	page.Frame
	Form    string          // id of the form for a magic link
	Next    string          // where to go after sign-in
	Email   string          // a rejected address, to be corrected
	Problem string          // why it was rejected
	Error   string          // why the last attempt failed
	Message string          // result of the last action
	Choices []signin.Choice // configured providers
}

// loginErrors maps the values of the parameter "error" to texts.
var loginErrors = map[string]string{
	"link":      "Este link de acesso já foi usado ou venceu. Peça outro abaixo: ele vale por 15 minutos e uma única vez.",
	"tentativa": "Esta tentativa de entrar venceu, já terminou ou começou em outro navegador. Comece de novo.",
	"cancelado": "A entrada foi cancelada no provedor. Nada mudou; tente de novo ou use um link por e-mail.",
	"provedor":  "O provedor não respondeu como devia. Tente de novo em instantes ou use um link por e-mail.",
	"email":     "O provedor não confirmou nenhum endereço de e-mail seu. Confirme o endereço no provedor ou use um link por e-mail.",
}

// loginMessages maps the values of the parameter "aviso" to texts.
var loginMessages = map[string]string{
	"enviado":  "Se o endereço estiver certo, a mensagem com o link chega em instantes. O link vale por 15 minutos e uma única vez. Confira também a pasta de spam.",
	"saiu":     "Você saiu da conta neste navegador.",
	"excluida": "A conta foi excluída, com as chaves, as sessões, as autorizações e o histórico de uso.",
}

// newLoginPage returns the page with next, made safe, as the destination.
func (hs *Handlers) newLoginPage(next string) *loginPage {
	p := &loginPage{Form: web.NewForm(), Next: signin.SafeNext(next), Choices: hs.SignIn.Choices()}
	p.Title = "Entrar"
	p.Description = "Entre na sua conta do Razão por um link no e-mail ou por um provedor, para criar chaves da API e ver o uso delas."
	p.Canonical = "/login"
	return p
}

// login answers /login. A signed-in visitor is redirected to next.
func (hs *Handlers) login(c *gin.Context) (page.Reply, error) {
	p := hs.newLoginPage(c.Query("next"))
	if code := c.Query("error"); code != "" {
		p.Error = loginErrors[code]
		if p.Error == "" {
			p.Error = "Não foi possível entrar. Tente de novo."
		}
		return page.Reply{Page: p}, nil
	}
	p.Message = loginMessages[c.Query("aviso")]
	_, err := signin.Current(c)
	switch {
	case errors.Is(err, signin.ErrSignedOut):
		return page.Reply{Page: p}, nil
	case err != nil:
		return page.Reply{}, err
	case p.Next == "/":
		return page.SeeOther("/conta"), nil
	}
	return page.SeeOther(p.Next), nil
}

// sendLink mails a magic link. The response does not reveal whether the address has an account.
func (hs *Handlers) sendLink(c *gin.Context) (page.Reply, error) {
	p := hs.newLoginPage(c.PostForm("next"))
	email := c.PostForm("email")
	err := hs.SignIn.SendLink(c.Request.Context(), c.PostForm(web.FormID), email, p.Next, web.ClientOf(c))
	var quota *signin.QuotaError
	switch {
	case errors.Is(err, account.ErrInvalidEmail):
		p.Email, p.Problem = email[:min(len(email), maxEmail)], "Escreva um endereço de e-mail completo, como nome@exemplo.com.br."
		return page.Reply{Page: p, Status: http.StatusUnprocessableEntity}, nil
	case errors.As(err, &quota):
		c.Header("Retry-After", strconv.Itoa(max(1, int(quota.Wait.Seconds()+.999))))
		p.Error = "Foram pedidos links demais em pouco tempo. Use o último que chegou ou espere um pouco para pedir outro."
		return page.Reply{Page: p, Status: http.StatusTooManyRequests}, nil
	case err != nil:
		return page.Reply{}, err
	}
	return page.SeeOther(page.LoginPath("aviso", "enviado", p.Next)), nil
}

// startSignIn redirects to a provider's authorization endpoint.
func (hs *Handlers) startSignIn(c *gin.Context) (page.Reply, error) {
	next := signin.SafeNext(c.Query("next"))
	address, err := hs.SignIn.Start(c.Request.Context(), c.Param("provider"), next, hs.Pages.Sessions.Browser(c))
	if errors.Is(err, signin.ErrProvider) {
		web.EventOf(c.Request.Context()).Fail(err)
		return page.SeeOther(page.LoginPath("error", "provedor", next)), nil
	}
	if err != nil {
		return page.Reply{}, err
	}
	return page.SeeOther(address), nil
}

// signOut ends the current session.
func (hs *Handlers) signOut(c *gin.Context) (page.Reply, error) {
	if err := hs.Pages.Sessions.End(c); err != nil {
		return page.Reply{}, err
	}
	return page.SeeOther(page.LoginPath("aviso", "saiu", "/")), nil
}
