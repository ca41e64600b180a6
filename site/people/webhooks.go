package people

import (
	"context"
	"errors"
	"net/http"
	"strconv"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"

	"razao/internal/data/ptbr"
	"razao/internal/people/account"
	"razao/internal/people/follow"
	"razao/internal/people/signin"
	"razao/internal/people/webhook"
	"razao/internal/web"
	"razao/site/page"
)

const (
	webhooksPath     = "/conta/webhooks"
	deliveriesShown  = 50
	maxEchoedAddress = 500
)

// webhooksPage is /conta/webhooks: addresses, and the log of what was sent to them.
type webhooksPage struct {
	page.Frame
	Flashes []string
	Secret  string // of a webhook created just now, shown this once
	Form    string // id of the form for another one, and of test events
	Address string // rejected, to be corrected
	Problem string // of the address
	Refused string // why something else was not done

	Webhooks   []webhook.Webhook
	Deliveries []delivery
}

// AtOnce is how many such forms an account may send without a pause.
func (p *webhooksPage) AtOnce() int { return webhook.AskedAtOnce }

// Full reports whether the account has as many webhooks as it may.
func (p *webhooksPage) Full() bool { return len(p.Webhooks) >= webhook.Most }

// delivery is an event in the log.
type delivery struct {
	webhook.Delivery
	URL string // of the webhook
}

// Situation says what became of an event.
func (d *delivery) Situation() string {
	tries := ptbr.Counted(d.Tries, "tentativa", "tentativas")
	switch {
	case d.Next != nil && (d.Tries == 0 || d.Answer == ""): // or on its way for the first time
		return "na fila"
	case d.Next != nil:
		return "sem sucesso (" + d.Answer + ") após " + tries + "; próxima às " + ptbr.Moment(*d.Next)
	case d.Delivered != nil:
		return "entregue (" + d.Answer + ") em " + ptbr.Moment(*d.Delivered)
	}
	if d.Answer == webhook.Withdrawn {
		return "não enviado: o que ele dizia foi retirado ou ocultado"
	}
	return "desistimos (" + page.Either(d.Answer == "", "não enviado", d.Answer) + ") após " + tries
}

// disabledTexts say why a webhook is not used.
var disabledTexts = map[string]string{
	webhook.Gone:        "Desligado: o servidor respondeu 410",
	webhook.OtherSecret: "Desligado: o segredo deste site mudou. Exclua e crie de novo",
}

// situationOf says whether something is sent to a webhook.
func situationOf(w *webhook.Webhook) string {
	switch {
	case w.Disabled != "":
		return disabledTexts[w.Disabled]
	case w.Failures == 0:
		return "Em uso"
	}
	failed := "Falhou " + ptbr.Counted(w.Failures, "vez seguida", "vezes seguidas")
	if w.RestsUntil == nil {
		return failed
	}
	return failed + ". Em pausa até " + ptbr.Moment(*w.RestsUntil)
}

// eventTexts are the types of events in words.
var eventTexts = map[string]string{follow.CompanyChanged: "uma empresa mudou", follow.LoadWithdrawn: "uma carga foi retirada", webhook.TestEvent: "teste"}

func (hs *Handlers) webhooks(c *gin.Context) (page.Reply, error) {
	p, err := hs.webhooksPage(c)
	if err != nil {
		return signedOutAt(c, err)
	}
	p.Flashes, p.Secret = hs.takeFlashes(c, newWebhooks)
	return page.Reply{Page: p}, nil
}

func (hs *Handlers) webhooksPage(c *gin.Context) (*webhooksPage, error) {
	who, err := hs.Pages.Visitor(c)
	if err != nil {
		return nil, err
	}
	ctx := c.Request.Context()
	p := &webhooksPage{Form: web.NewForm()}
	p.Crumbs, p.Script = page.Trail("Conta", "/conta", "O que sigo", followingPath, "Webhooks"), page.Script("copy.js")
	p.Title = "Webhooks"
	p.Description = "Endereços que recebem, assinado, o que muda no que a sua conta segue."
	p.Canonical, p.NoIndex = webhooksPath, true
	if p.Webhooks, err = hs.Webhooks.List(ctx, who.Account); err != nil {
		return nil, err
	}
	all, err := hs.Webhooks.Deliveries(ctx, who.Account, deliveriesShown)
	urls := map[int64]string{}
	for _, w := range p.Webhooks {
		urls[w.ID] = w.URL
	}
	for _, d := range all {
		p.Deliveries = append(p.Deliveries, delivery{d, urls[d.Webhook]})
	}
	return p, err
}

// createWebhook creates a webhook and redirects to the page that shows its secret once, as createKey does.
func (hs *Handlers) createWebhook(c *gin.Context) (page.Reply, error) {
	who, err := hs.Pages.Visitor(c)
	if err != nil {
		return signedOut(err)
	}
	address := oneLine(c.PostForm("url"))
	secret, failed := hs.Webhooks.Create(c.Request.Context(), who.Account, c.PostForm(web.FormID), address)
	problem, status := webhookProblem(c, failed)
	switch {
	case failed == nil && hs.keepSecret(c, newWebhooks, secret):
		return page.SeeOther(webhooksPath), nil
	case failed == nil: // the flash failed and the secret cannot be read again, so this response must show it
	case errors.Is(failed, account.ErrNoAccount):
		return signedOut(signin.ErrSignedOut)
	case problem == "":
		return page.Reply{}, failed
	}
	p, err := hs.webhooksPage(c)
	if err != nil {
		return signedOut(err)
	}
	p.Secret = secret
	if problem != "" {
		p.Problem, p.Address = problem, truncated(address, maxEchoedAddress)
	}
	return page.Reply{Page: p, Status: status}, nil
}

// webhookProblem puts into words why something was not done, with the status of the page that says so; "" for
// errors that are not the visitor's.
func webhookProblem(c *gin.Context, err error) (problem string, status int) {
	var busy *web.TooManyError
	switch {
	case errors.As(err, &busy):
		c.Header("Retry-After", busy.Seconds())
		return "Foram pedidos demais em pouco tempo, e este não foi atendido. Espere um minuto e envie de novo.", http.StatusTooManyRequests
	case errors.Is(err, webhook.ErrURL):
		problem = "Escreva um endereço completo que começa com https://, sem usuário e sem #."
	case errors.Is(err, webhook.ErrTooMany):
		problem = "A conta já tem cinco webhooks. Exclua um para criar outro."
	case errors.Is(err, webhook.ErrSameURL):
		problem = "A conta já tem um webhook com este endereço."
	case errors.Is(err, webhook.ErrFormUsed):
		problem = "Este formulário já criou um webhook, cujo segredo não pode ser mostrado de novo. Envie outra vez para criar outro."
	case errors.Is(err, webhook.ErrResting):
		problem = "O webhook está em pausa depois de falhas, e nada é enviado antes que ela acabe."
	default:
		return "", 0
	}
	return problem, http.StatusUnprocessableEntity
}

// changeWebhooks runs do, and redirects to the page with a flash message.
func (hs *Handlers) changeWebhooks(c *gin.Context, flash string, do func(ctx context.Context, who account.Session) error) (page.Reply, error) {
	answer, err := hs.changeAccountAt(c, webhooksPath, flash, do)
	problem, status := webhookProblem(c, err)
	if problem == "" {
		return answer, err
	}
	p, err := hs.webhooksPage(c)
	if err != nil {
		return signedOut(err)
	}
	p.Refused = problem
	return page.Reply{Page: p, Status: status}, nil
}

// webhookOf returns the webhook that a form is about; 0, which none has, if it is not a number.
func webhookOf(c *gin.Context) int64 {
	id, err := strconv.ParseInt(c.PostForm("webhook"), 10, 64)
	if err != nil {
		return 0
	}
	return id
}

func (hs *Handlers) deleteWebhook(c *gin.Context) (page.Reply, error) {
	return hs.changeAccountAt(c, webhooksPath, "Webhook excluído.", func(ctx context.Context, who account.Session) error {
		return hs.Webhooks.Delete(ctx, who.Account, webhookOf(c))
	})
}

func (hs *Handlers) enableWebhook(c *gin.Context) (page.Reply, error) {
	return hs.changeWebhooks(c, "Webhook ligado.", func(ctx context.Context, who account.Session) error {
		return hs.Webhooks.Enable(ctx, who.Account, webhookOf(c))
	})
}

func (hs *Handlers) testWebhook(c *gin.Context) (page.Reply, error) {
	return hs.changeWebhooks(c, "Evento de teste na fila: o resultado aparece abaixo em segundos.", func(ctx context.Context, who account.Session) error {
		return hs.Webhooks.Test(ctx, who.Account, c.PostForm(web.FormID), webhookOf(c))
	})
}

func (hs *Handlers) resendEvent(c *gin.Context) (page.Reply, error) {
	return hs.changeWebhooks(c, "O evento vai ser enviado de novo, com o mesmo id, assim que o webhook não estiver em pausa.", func(ctx context.Context, who account.Session) error {
		id, err := uuid.Parse(c.PostForm("evento"))
		if err != nil {
			return webhook.ErrNone
		}
		return hs.Webhooks.Resend(ctx, who.Account, id)
	})
}
