package people

import (
	"errors"
	"net/http"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gin-gonic/gin"

	"razao/internal/data/cnpj"
	"razao/internal/people/account"
	"razao/internal/people/contacts"
	"razao/internal/web"
	"razao/site/page"
)

const (
	hidingPath = "/privacidade/ocultar"

	hidingsPerMinute = 1 // refill rate of the token bucket of a client address
	hidingsAtOnce    = 5 // its burst

	maxTypedCNPJ    = 40   // characters of a number with its label, as cnpj.Read takes it
	maxHidingReason = 1000 // characters
)

// hidingPage is the form to request that the contact of an establishment be hidden.
type hidingPage struct {
	page.Frame
	Received bool   // a request has just been stored
	Error    string // of the form as a whole
	Operator string // e-mail address; "": not shown

	CNPJ, Email, Reason                      string // as entered
	CNPJProblem, EmailProblem, ReasonProblem string
}

func (hs *Handlers) newHidingPage() *hidingPage {
	p := &hidingPage{Operator: hs.Operator}
	p.Crumbs = page.Trail("Privacidade", "/privacidade", "Ocultar contato")
	p.Title = "Ocultar dados de contato"
	p.Description = "Peça que a rua, os telefones e o e-mail de um estabelecimento deixem de aparecer nas páginas, nos arquivos e na API do Razão."
	p.Canonical = hidingPath
	return p
}

// askToHide shows the form.
func (hs *Handlers) askToHide(c *gin.Context) (page.Reply, error) {
	p := hs.newHidingPage()
	p.CNPJ = truncated(c.Query("cnpj"), maxTypedCNPJ)
	p.Received = c.Query("aviso") == "recebido"
	return page.Reply{Page: p}, nil
}

// requestHiding stores a request for the operator to decide. The response does not depend on
// whether the establishment exists or its contact is hidden, nor on other requests.
func (hs *Handlers) requestHiding(c *gin.Context) (page.Reply, error) {
	p := hs.newHidingPage()
	request, ok := p.read(c)
	if !ok {
		return page.Reply{Page: p, Status: http.StatusUnprocessableEntity}, nil
	}
	received := page.SeeOther(hidingPath + "?aviso=recebido")
	var busy *web.TooManyError
	if errors.As(hs.hidings.Take(web.ClientOf(c)), &busy) {
		if stored, err := hs.Contacts.Requested(c.Request.Context(), request); stored || err != nil { // a form that is sent again
			return received, err
		}
		c.Header("Retry-After", busy.Seconds())
		p.Error = "Do seu endereço de internet vieram pedidos demais em pouco tempo, e este não foi guardado. Espere um minuto e envie de novo."
		return page.Reply{Page: p, Status: http.StatusTooManyRequests}, nil
	}
	if err := hs.Contacts.Request(c.Request.Context(), request); err != nil {
		return page.Reply{}, err
	}
	return received, nil
}

// read validates the form. It fills the fields and their problems for redisplay; ok is false if
// there is a problem.
func (p *hidingPage) read(c *gin.Context) (request contacts.Request, ok bool) {
	p.CNPJ, p.Email = truncated(c.PostForm("cnpj"), maxTypedCNPJ), truncated(c.PostForm("email"), maxEmail)
	p.Reason = oneLine(c.PostForm("motivo"))
	var err error
	if request.CNPJ, err = cnpj.ReadFull(c.PostForm("cnpj")); err != nil {
		p.CNPJProblem = "Escreva o CNPJ completo do estabelecimento, com 14 posições. Os dois últimos dígitos precisam conferir com os outros."
	}
	if request.Email, err = account.ParseEmail(c.PostForm("email")); err != nil {
		p.EmailProblem = "Escreva um endereço de e-mail completo, como nome@exemplo.com.br."
	}
	if request.Reason = p.Reason; utf8.RuneCountInString(p.Reason) > maxHidingReason {
		p.ReasonProblem = "O motivo tem no máximo 1.000 caracteres."
	}
	return request, p.CNPJProblem+p.EmailProblem+p.ReasonProblem == ""
}

// oneLine collapses whitespace and drops unprintable characters and invalid UTF-8.
func oneLine(text string) string {
	printable := func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case !unicode.IsPrint(r):
			return -1
		}
		return r
	}
	return strings.Join(strings.Fields(strings.Map(printable, strings.ToValidUTF8(text, ""))), " ")
}
