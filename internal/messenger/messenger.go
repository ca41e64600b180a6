// Package messenger lets people ask Razão from a messenger: it takes the messages that WhatsApp and Telegram deliver to their
// webhooks, and answers a CNPJ or a name with what the tools of package assistant say. A message that cannot be proved to come
// from the platform is refused, what people send is neither kept nor logged, and a messenger that is not configured has no
// webhook at all.
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
	"razao/internal/web"
)

// The paths that the platforms call.
const (
	WhatsAppPath = "/assistente/whatsapp/webhook"
	TelegramPath = "/assistente/telegram/webhook"
)

const (
	answerTime = 8 * time.Second // for the work behind one answer
	maxBody    = 3 << 20         // bytes; WhatsApp announces that it delivers as many
)

// Config is what a Messenger needs. A channel whose settings are all empty is not connected.
type Config struct {
	Assistant *assistant.Assistant
	// BaseURL is the public address, for links.
	BaseURL  string
	WhatsApp WhatsApp
	Telegram Telegram
	Failures *web.Throttle // of requests from one address that prove nothing; nil: as many as it likes
	Log      *slog.Logger
}

// WhatsApp are the settings of a number on the WhatsApp Cloud API: all of them or none.
type WhatsApp struct {
	AppSecret   string // signs what is delivered
	VerifyToken string // agreed upon with the platform, which repeats it when the webhook is registered
	Token       string // allows to send messages
	PhoneID     string // of the number that answers
	URL         string // of the Graph API with its version, without a slash at its end
}

// Telegram are the settings of a bot.
type Telegram struct {
	Secret string // secret_token of setWebhook
}

// Messenger answers messages. It is made by New and safe for concurrent use.
type Messenger struct {
	Config
	guard   *guard
	courier *courier // nil when WhatsApp is not connected
}

// New returns a messenger. The error says that a channel is configured by halves.
func New(c Config) (*Messenger, error) {
	c.BaseURL = strings.TrimRight(c.BaseURL, "/")
	m := &Messenger{Config: c, guard: newGuard(time.Now)}
	switch w := &c.WhatsApp; {
	case *w == WhatsApp{}:
	case w.AppSecret == "" || w.VerifyToken == "" || w.Token == "" || w.PhoneID == "" || w.URL == "":
		return nil, errors.New("WhatsApp needs all of its settings, or none")
	default:
		m.courier = newCourier(w, m.reply, func(err error) { m.Log.Error("send an answer", "error", err) })
	}
	return m, nil
}

// Register adds the webhooks of the channels that are connected.
func (m *Messenger) Register(r *gin.Engine) {
	hooks := r.Group("/", web.Recover(fail), web.LimitFailures(m.Failures, tooMany), web.Deadline(answerTime))
	if m.courier != nil {
		hooks.GET(WhatsAppPath, m.verifyWhatsApp)
		hooks.POST(WhatsAppPath, m.whatsApp)
	}
	if m.Telegram.Secret != "" {
		hooks.POST(TelegramPath, m.telegram)
	}
}

// Run sends the answers that do not fit into those of a webhook until ctx ends; then it sends those that wait, for as long as
// a stop may take, and returns. What arrives later is refused, so that the platform delivers it again.
func (m *Messenger) Run(ctx context.Context) {
	if m.courier == nil {
		<-ctx.Done()
		return
	}
	m.courier.run(ctx)
}

// reply answers a message in the background: what went wrong goes to the log.
func (m *Messenger) reply(ctx context.Context, text string) string {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	answer, err := m.Answer(ctx, text)
	if err != nil {
		m.Log.Error("answer a message", "error", err)
	}
	return answer
}

// tooMany answers an address that sent too much which proves nothing.
func tooMany(c *gin.Context, err error) {
	var blocked *web.TooManyError
	if errors.As(err, &blocked) {
		c.Header("Retry-After", blocked.Seconds())
	}
	refuse(c, http.StatusTooManyRequests, err)
}

// fail answers what was not foreseen, so that the platform delivers the message again.
func fail(c *gin.Context, err error) { refuse(c, http.StatusServiceUnavailable, err) }

// refuse answers without a body: nobody reads it.
func refuse(c *gin.Context, status int, err error) {
	web.EventOf(c.Request.Context()).Fail(err)
	c.Header("Cache-Control", "no-store")
	c.AbortWithStatus(status)
}

// readBody returns the body of a request as it was sent. When it returns false the request is answered.
func readBody(c *gin.Context) ([]byte, bool) {
	body, err := io.ReadAll(http.MaxBytesReader(c.Writer, c.Request.Body, maxBody))
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
