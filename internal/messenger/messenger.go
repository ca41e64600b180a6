// Package messenger answers questions by WhatsApp and Telegram: webhooks take a CNPJ or a name, package assistant answers it.
//
// Requests are authenticated (HMAC signature of WhatsApp, secret token of Telegram). Telegram's answer is the response to its
// webhook; WhatsApp's is sent by a queue in the background, because that webhook must return quickly. What people write is
// neither stored nor logged. A platform that is not configured has no routes.
package messenger

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"razao/internal/assistant"
	"razao/internal/recovery"
	"razao/internal/web"
)

// Paths of the webhooks.
const (
	WhatsAppPath = "/assistente/whatsapp/webhook"
	TelegramPath = "/assistente/telegram/webhook"
)

const (
	answerTime = 8 * time.Second // deadline of one answer
	maxBody    = 3 << 20         // bytes: the documented maximum of WhatsApp's webhooks

	// WhatsApp's bodies that are being read, whose senders are not known yet: in all, and of one network (web.Site).
	bodiesAtOnce = 16
	bodiesOfOne  = 4
)

// Config are the dependencies of a Messenger. A platform whose settings are all empty is not connected.
type Config struct {
	Assistant *assistant.Assistant
	BaseURL   string // public URL, for links
	WhatsApp  WhatsApp
	Telegram  Telegram
	Failures  *web.Throttle // of unauthenticated requests by address; nil: no limit
	Log       *slog.Logger
}

// WhatsApp are the settings of a number on the WhatsApp Cloud API: all of them or none.
type WhatsApp struct {
	AppSecret   string // key of the signature of deliveries
	VerifyToken string // expected when the webhook is registered
	Token       string // access token to send messages
	PhoneID     string // of the number that answers
	URL         string // Graph API with version, without trailing slash
}

// Telegram are the settings of a bot.
type Telegram struct {
	Secret string // secret_token of setWebhook; "": not connected
}

// Messenger answers messages. It is made by New and safe for concurrent use.
type Messenger struct {
	Config
	guard  *guard
	sender *sender // nil when WhatsApp is not connected
	unread *web.Slots
}

// New returns a messenger. The error is that WhatsApp is configured only in part.
func New(c Config) (*Messenger, error) {
	c.BaseURL = strings.TrimRight(c.BaseURL, "/")
	m := &Messenger{Config: c, guard: newGuard(time.Now), unread: web.NewSlots(bodiesAtOnce, bodiesOfOne)}
	switch w := &c.WhatsApp; {
	case *w == WhatsApp{}:
	case w.AppSecret == "" || w.VerifyToken == "" || w.Token == "" || w.PhoneID == "" || w.URL == "":
		return nil, errors.New("WhatsApp needs all of its settings, or none")
	default:
		m.sender = newSender(w, m.reply, func(err error) { m.Log.Error("send an answer", recovery.Attrs(err)...) })
	}
	return m, nil
}

// Register adds the webhooks of the connected platforms.
func (m *Messenger) Register(r *gin.Engine) {
	hooks := r.Group("/", web.Recover(fail), web.Guard{Failures: m.Failures, Fail: tooMany}.Limit, web.Deadline(answerTime))
	if m.sender != nil {
		hooks.GET(WhatsAppPath, m.verifyWhatsApp)
		hooks.POST(WhatsAppPath, m.whatsApp)
	}
	if m.Telegram.Secret != "" {
		hooks.POST(TelegramPath, m.telegram)
	}
}

// Run sends WhatsApp's answers until ctx is done, then drains the queue for at most 15 s. Messages that arrive later get 503,
// so that the platform delivers them again.
func (m *Messenger) Run(ctx context.Context) {
	if m.sender == nil {
		<-ctx.Done()
		return
	}
	m.sender.run(ctx)
}

// reply answers a message outside a request, so it logs its errors itself.
func (m *Messenger) reply(ctx context.Context, text string) string {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	answer, err := m.Answer(ctx, text)
	if err != nil {
		m.Log.Error("answer a message", "error", err)
	}
	return answer
}

// tooMany responds to an address over a limit, or when there was no place for its request in time.
func tooMany(c *gin.Context, err error) {
	var blocked *web.TooManyError
	if !errors.As(err, &blocked) {
		fail(c, err)
		return
	}
	c.Header("Retry-After", blocked.Seconds())
	refuse(c, http.StatusTooManyRequests, err)
}

// fail responds 503, upon which the platform delivers the message again.
func fail(c *gin.Context, err error) { refuse(c, http.StatusServiceUnavailable, err) }

// refuse responds without a body.
func refuse(c *gin.Context, status int, err error) {
	web.EventOf(c.Request.Context()).Fail(err)
	if status == http.StatusServiceUnavailable {
		c.Header("Retry-After", web.RetryAfter())
	}
	c.AbortWithStatus(status)
}

// readBody returns the body of a request, up to maxBody, and writes it to copied as well. If it returns false it has responded.
func readBody(c *gin.Context, copied io.Writer) ([]byte, bool) {
	body, err := io.ReadAll(io.TeeReader(http.MaxBytesReader(c.Writer, c.Request.Body, maxBody), copied))
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		refuse(c, http.StatusRequestEntityTooLarge, err)
		return nil, false
	case err != nil:
		refuse(c, http.StatusBadRequest, err)
		return nil, false
	}
	return body, true
}
