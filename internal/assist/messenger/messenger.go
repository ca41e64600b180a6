// Package messenger answers questions by WhatsApp and Telegram. A person sends a CNPJ or a name;
// package assistant answers; this package authenticates, limits and formats.
//
// Deliveries come to webhooks and are authenticated before they are parsed: WhatsApp by an
// HMAC-SHA256 signature of the body, Telegram by a secret header. Addresses that fail repeatedly
// are throttled. The two platforms differ in how answers go back:
//
//   - Telegram takes the answer in the response to the webhook, so no bot token is needed and
//     nothing is queued. A redelivery is answered again, because the first response did not arrive.
//   - WhatsApp calls a slow webhook again, so messages are queued and the webhook returns at once.
//     Workers answer them over the Cloud API with retries and exponential backoff. Redeliveries are
//     deduplicated by message id. A full queue responds 503 (backpressure), upon which the platform
//     delivers again.
//
// Each person has a token bucket. All state is in memory, bounded and per process. What people
// write is neither stored nor logged, nor is who wrote it. A platform that is not configured has no
// routes.
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

	"razao/internal/assist/assistant"
	"razao/internal/recovery"
	"razao/internal/web"
)

// Paths of the webhooks, as they are registered with the platforms.
const (
	WhatsAppPath = "/assistente/whatsapp/webhook"
	TelegramPath = "/assistente/telegram/webhook"
)

const (
	answerTime = 8 * time.Second // deadline of one answer
	maxBody    = 3 << 20         // bytes: the documented maximum of WhatsApp's webhooks

	// WhatsApp's signature is known only when the whole body was read. These bound the
	// unauthenticated bodies held in memory: in all, and from one network (web.Site).
	bodiesAtOnce = 16
	bodiesOfOne  = 4
	bodyWait     = 5 * time.Second // of a body for one that is being read
)

// Config holds the dependencies of a Messenger. A platform whose settings are all empty is not
// connected.
type Config struct {
	Assistant *assistant.Assistant
	BaseURL   string // public URL, for links; a trailing slash is ignored
	WhatsApp  WhatsApp
	Telegram  Telegram
	Failures  *web.Throttle // throttles addresses by failed authentications; nil means no limit
	Log       *slog.Logger  // for errors outside requests
}

// WhatsApp holds the settings of a number on the WhatsApp Cloud API: all of them or none.
type WhatsApp struct {
	AppSecret   string // HMAC key of the signature of deliveries
	VerifyToken string // shared secret, expected when the webhook is registered
	Token       string // access token to send messages
	PhoneID     string // id of the number that answers
	URL         string // Graph API with version, without trailing slash
}

// Telegram holds the settings of a bot.
type Telegram struct {
	Secret string // secret_token of setWebhook; "" means not connected
}

// Messenger answers messages. It is safe for concurrent use. WhatsApp's answers are sent only while
// Run runs.
type Messenger struct {
	Config
	limiter   *limiter
	sender    *sender          // nil when WhatsApp is not connected
	bodySlots *web.SharedSlots // WhatsApp bodies being read
}

// New returns a messenger. It fails if WhatsApp is configured only in part.
func New(c Config) (*Messenger, error) {
	c.BaseURL = strings.TrimRight(c.BaseURL, "/")
	m := &Messenger{Config: c, limiter: newLimiter(time.Now), bodySlots: web.NewSharedSlots(bodiesAtOnce, web.Share{Network: bodiesOfOne}, bodyWait)}
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

// Run sends WhatsApp's answers until ctx is done, then drains the queue for at most drainTimeout.
// Messages that arrive later get a 503, so that the platform delivers them again. It must be called
// once, even without WhatsApp, when it just waits for ctx.
func (m *Messenger) Run(ctx context.Context) {
	if m.sender == nil {
		<-ctx.Done()
		return
	}
	m.sender.run(ctx)
}

// reply answers a message outside a request. There is no request to log its errors, so it logs them
// itself.
func (m *Messenger) reply(ctx context.Context, text string) string {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	answer, err := m.Answer(ctx, text)
	if err != nil {
		m.Log.Error("answer a message", "error", err)
	}
	return answer
}

// tooMany responds 429 to an address over its limit, and 503 when there was no slot for the request
// in time.
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

// refuse responds without a body and records err for the log line.
func refuse(c *gin.Context, status int, err error) {
	web.EventOf(c.Request.Context()).Fail(err)
	if status == http.StatusServiceUnavailable {
		c.Header("Retry-After", web.RetryAfter())
	}
	c.AbortWithStatus(status)
}

// readBody reads up to maxBody bytes and copies them to copied as well. On failure it has
// responded, 413 or 400, and returns false.
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
