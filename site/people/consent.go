package people

import (
	"errors"
	"net/http"
	"net/url"

	"github.com/gin-gonic/gin"

	"razao/internal/people/account"
	"razao/internal/people/oauthserver"
	"razao/internal/people/signin"
	"razao/internal/web"
	"razao/site/page"
)

// consentPage asks whether a program may read in the account's name, or explains why the request
// cannot be granted.
type consentPage struct {
	page.Frame
	Error   consentError // set, with a heading, if the request is refused; the rest is empty then
	Request oauthserver.Request
	Email   string // of the account
	ID      string // of the request
	Limit   int    // calls per minute
}

// consentError explains a refused authorization request.
type consentError struct {
	Heading, Text string
}

// consentErrors maps the values of the parameter "erro" to explanations.
var consentErrors = map[string]consentError{
	"programa": {
		"Programa desconhecido",
		"O programa que pediu acesso não está registrado aqui, ou não está mais: registros sem uso são apagados. " +
			"Remova a conexão com o Razão no programa e conecte de novo, para que ele se registre outra vez.",
	},
	"documento": {
		"Programa não identificado",
		"O programa que pediu acesso se apresenta por um documento na internet, que não pôde ser lido ou não confere. " +
			"Tente de novo em instantes; se continuar assim, avise quem faz o programa.",
	},
	"destino": {
		"Endereço de volta recusado",
		"O pedido leva a resposta a um endereço que não é do programa que diz fazê-lo. Pode ser um engano na configuração do " +
			"programa ou uma tentativa de se passar por ele. Nada foi autorizado.",
	},
	"invalido": {
		"Pedido inválido",
		"O programa fez um pedido que não segue o protocolo OAuth, e por isso não recebe resposta. Nada foi autorizado. Tente " +
			"conectar de novo com a versão mais nova do programa; se continuar assim, avise quem o faz.",
	},
	"pedido": {
		"Pedido encerrado",
		"Este pedido de acesso já foi respondido, venceu ou foi aberto em outro navegador. Volte ao programa; se ele ainda não " +
			"estiver conectado, conecte de novo.",
	},
}

// scopeTexts describes the scopes to users.
var scopeTexts = map[string]string{
	oauthserver.ScopeRead: "Consultar registros públicos",
}

// consent answers /oauth/consent, to which the authorization endpoint redirects.
func (hs *Handlers) consent(c *gin.Context) (page.Reply, error) {
	if code := c.Query("erro"); code != "" {
		return refusedConsent(code, http.StatusOK), nil
	}
	who, err := hs.Pages.Visitor(c)
	if errors.Is(err, signin.ErrSignedOut) {
		return page.SeeOther(page.LoginPath("", "", c.Request.URL.RequestURI())), nil
	}
	if err != nil {
		return page.Reply{}, err
	}
	id := c.Query("authorization_id")
	request, err := hs.OAuth.Request(c.Request.Context(), id, who)
	if code := consentErrorOf(err); code != "" {
		web.EventOf(c.Request.Context()).Fail(err)
		return refusedConsent(code, http.StatusNotFound), nil
	}
	if err != nil {
		return page.Reply{}, err
	}
	return page.Reply{Page: newConsentPage(c, request, id, who)}, nil
}

func newConsentPage(c *gin.Context, request oauthserver.Request, id string, who account.Session) *consentPage {
	p := &consentPage{Request: request, ID: id, Email: who.Email, Limit: account.CallsPerMinute}
	p.Title = "Autorizar " + request.Client.Name
	p.Description = "Decida se um programa pode consultar o Razão em nome da sua conta."
	p.NoIndex = true
	ends := []string{"https"} // always: a loopback client may redirect on to https
	if scheme := request.Destination.Scheme; scheme != "https" {
		ends = append(ends, scheme)
	}
	web.AllowFormsTo(c, ends...)
	c.Header("X-Frame-Options", "DENY") // clickjacking, for browsers without frame-ancestors
	return p
}

// decide approves or denies a request and redirects to the client. Only the session that was shown
// the request can decide it, and only once. Any value but "permitir" denies.
func (hs *Handlers) decide(c *gin.Context) (page.Reply, error) {
	id := c.PostForm("authorization_id")
	who, err := hs.Pages.Visitor(c)
	if errors.Is(err, signin.ErrSignedOut) {
		next := oauthserver.ConsentPath + "?" + url.Values{"authorization_id": {id}}.Encode()
		return page.SeeOther(page.LoginPath("", "", next)), nil
	}
	if err != nil {
		return page.Reply{}, err
	}
	answer := hs.OAuth.Deny
	if c.PostForm("decisao") == "permitir" {
		answer = hs.OAuth.Approve
	}
	address, err := answer(c.Request.Context(), id, who)
	if code := consentErrorOf(err); code != "" {
		web.EventOf(c.Request.Context()).Fail(err)
		return page.SeeOther(oauthserver.ConsentPath + "?erro=" + code), nil
	}
	if err != nil {
		return page.Reply{}, err
	}
	return page.SeeOther(address), nil
}

// refusedConsent returns the page for a refused request; unknown codes mean "pedido".
func refusedConsent(code string, status int) page.Reply {
	p := &consentPage{Error: consentErrors[code]}
	if p.Error.Heading == "" {
		p.Error = consentErrors["pedido"]
	}
	p.Title = p.Error.Heading
	p.Description = p.Error.Text
	p.NoIndex = true
	return page.Reply{Page: p, Status: status}
}

// consentErrorOf returns the key in consentErrors of a refusal, and "" for nil and other errors.
func consentErrorOf(err error) string {
	switch {
	case errors.Is(err, oauthserver.ErrNoRequest):
		return "pedido"
	case errors.Is(err, oauthserver.ErrUnknownClient):
		return "programa"
	case errors.Is(err, oauthserver.ErrMetadataDocument):
		return "documento"
	case errors.Is(err, oauthserver.ErrRedirectURI):
		return "destino"
	case errors.Is(err, oauthserver.ErrBadRequest):
		return "invalido"
	}
	return ""
}

// RefuseAuthorization sends an error page for an authorization request that must not be redirected
// to its client, because client or redirect URI are not trustworthy (RFC 6749 §4.1.2.1). Pass it to
// [oauthserver.Server.Register] as refuse.
func (hs *Handlers) RefuseAuthorization(c *gin.Context, err error) {
	code := consentErrorOf(err)
	if code == "" {
		hs.Pages.Fail(c, err)
		return
	}
	web.EventOf(c.Request.Context()).Fail(err)
	hs.personal(func(*gin.Context) (page.Reply, error) { return refusedConsent(code, http.StatusBadRequest), nil })(c)
}
