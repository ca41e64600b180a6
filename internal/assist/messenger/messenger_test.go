package messenger

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gin-gonic/gin"

	"razao/internal/web"
)

const (
	appSecret      = "segredo do aplicativo"
	verifyToken    = "palavra combinada"
	accessToken    = "EAAG-token-de-acesso"
	phoneID        = "106540352242922"
	telegramSecret = "segredo-do-robo"
	anybody        = "5519999990001"
)

// platform is a fake Graph API. It records what it receives, and responds with each of statuses in
// turn and then with 200. Status 0 never responds.
type platform struct {
	*httptest.Server
	arrived chan struct{} // a message came in

	mu       sync.Mutex
	statuses []int
	code     int // in the body of a failure
	got      []textMessage
	paths    []string
	tokens   []string
}

func newPlatform(t *testing.T, code int, statuses ...int) *platform {
	t.Helper()
	p := &platform{statuses: statuses, code: code, arrived: make(chan struct{}, 1000)}
	ended := make(chan struct{})
	p.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var m textMessage
		if err := json.NewDecoder(r.Body).Decode(&m); err != nil {
			t.Errorf("not a message: %v", err)
		}
		status := p.take(m, r)
		p.arrived <- struct{}{}
		if status == 0 {
			<-ended
			return
		}
		if status == http.StatusTemporaryRedirect {
			w.Header().Set("Location", "/elsewhere")
		}
		w.WriteHeader(status)
		fmt.Fprintf(w, `{"error":{"message":"to %s","code":%d}}`, m.To, p.code)
	}))
	t.Cleanup(func() {
		close(ended)
		p.Close()
	})
	return p
}

func (p *platform) take(m textMessage, r *http.Request) (status int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.got, p.paths, p.tokens = append(p.got, m), append(p.paths, r.URL.Path), append(p.tokens, r.Header.Get("Authorization"))
	if len(p.statuses) == 0 {
		return http.StatusOK
	}
	status, p.statuses = p.statuses[0], p.statuses[1:]
	return status
}

func (p *platform) messages() []textMessage {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]textMessage(nil), p.got...)
}

// hooks are the webhooks behind the real engine.
type hooks struct {
	*Messenger
	handler http.Handler
	log     *lockedBuffer
	stop    func() // waits for the answers that are on their way
}

type lockedBuffer struct {
	mu sync.Mutex
	bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.Buffer.Write(p)
}

func connected(url string) Config {
	return Config{
		WhatsApp: WhatsApp{AppSecret: appSecret, VerifyToken: verifyToken, Token: accessToken, PhoneID: phoneID, URL: url},
		Telegram: Telegram{Secret: telegramSecret},
	}
}

func newHooks(t *testing.T, c Config) *hooks {
	t.Helper()
	h := &hooks{log: &lockedBuffer{}}
	c.BaseURL, c.Log = "https://razao.exemplo/", slog.New(slog.NewTextHandler(h.log, nil))
	var err error
	if h.Messenger, err = New(c); err != nil {
		t.Fatal(err)
	}
	if h.sender != nil {
		h.sender.backoff, h.sender.drain = time.Nanosecond, time.Minute
	}
	engine := web.NewEngine(web.Options{Log: c.Log})
	h.Register(engine)
	engine.NoRoute(func(c *gin.Context) { c.Status(http.StatusNotFound) })
	h.handler = engine
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		h.Run(ctx)
		close(done)
	}()
	h.stop = func() {
		cancel()
		<-done
	}
	t.Cleanup(h.stop)
	return h
}

// call sends a request. header holds name, value pairs.
func (h *hooks) call(t *testing.T, method, path, body string, header ...string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(body))
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.handler.ServeHTTP(w, r)
	return w
}

func signature(body, secret string) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(body))
	return "sha256=" + hex.EncodeToString(mac.Sum(nil))
}

// whatsAppSends delivers a body with a good signature and returns the status.
func (h *hooks) whatsAppSends(t *testing.T, body string) int {
	t.Helper()
	return h.call(t, http.MethodPost, WhatsAppPath, body, "X-Hub-Signature-256", signature(body, appSecret)).Code
}

// telegramSends delivers a body with the secret.
func (h *hooks) telegramSends(t *testing.T, body string) *httptest.ResponseRecorder {
	t.Helper()
	return h.call(t, http.MethodPost, TelegramPath, body, "X-Telegram-Bot-Api-Secret-Token", telegramSecret)
}

// delivered returns a delivery of WhatsApp with messages, each given as JSON.
func delivered(messages ...string) string {
	return `{"object":"whatsapp_business_account","entry":[{"id":"1","changes":[{"field":"messages","value":{"messaging_product":"whatsapp",` +
		`"metadata":{"display_phone_number":"551133330000","phone_number_id":"` + phoneID + `"},"contacts":[{"profile":{"name":"ANA INVENTADA"},"wa_id":"` +
		anybody + `"}],"messages":[` + strings.Join(messages, ",") + `]}}]}]}`
}

// written returns a text message of WhatsApp as JSON.
func written(id, from, text string) string {
	return fmt.Sprintf(`{"from":%q,"id":%q,"timestamp":"1790000000","type":"text","text":{"body":%q}}`, from, id, text)
}

func TestNotConnected(t *testing.T) {
	t.Parallel()
	h := newHooks(t, Config{})
	for _, path := range []string{WhatsAppPath, TelegramPath, WhatsAppPath + "?hub.mode=subscribe&hub.verify_token=&hub.challenge=1"} {
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			header := []string{"X-Hub-Signature-256", signature("{}", ""), "X-Telegram-Bot-Api-Secret-Token", ""}
			if w := h.call(t, method, path, "{}", header...); w.Code != http.StatusNotFound {
				t.Errorf("%s %s: status %d, want 404", method, path, w.Code)
			}
		}
	}
	one := connected("http://127.0.0.1:1")
	one.WhatsApp = WhatsApp{}
	h = newHooks(t, one)
	if w := h.call(t, http.MethodPost, WhatsAppPath, "{}"); w.Code != http.StatusNotFound {
		t.Errorf("WhatsApp when only Telegram is connected: status %d, want 404", w.Code)
	}
	if w := h.telegramSends(t, "{}"); w.Code != http.StatusOK {
		t.Errorf("Telegram when only Telegram is connected: status %d", w.Code)
	}
}

func TestHalfConfigured(t *testing.T) {
	t.Parallel()
	for _, unset := range []func(*WhatsApp){
		func(w *WhatsApp) { w.AppSecret = "" }, func(w *WhatsApp) { w.VerifyToken = "" }, func(w *WhatsApp) { w.Token = "" },
		func(w *WhatsApp) { w.PhoneID = "" }, func(w *WhatsApp) { w.URL = "" },
	} {
		c := connected("http://127.0.0.1:1")
		unset(&c.WhatsApp)
		if _, err := New(c); err == nil {
			t.Error("a setting is missing and nobody says so")
		}
	}
}

// TestWhoSentIt sends requests with valid and invalid authentication.
func TestWhoSentIt(t *testing.T) {
	t.Parallel()
	body := delivered(written("wamid.1", anybody, "ajuda"))
	cases := []struct {
		name, path, body, header, value string
		want                            int
	}{
		{"good signature", WhatsAppPath, body, "X-Hub-Signature-256", signature(body, appSecret), 200},
		{"other secret", WhatsAppPath, body, "X-Hub-Signature-256", signature(body, "outro"), 401},
		{"empty secret", WhatsAppPath, body, "X-Hub-Signature-256", signature(body, ""), 401},
		{"other body", WhatsAppPath, body + " ", "X-Hub-Signature-256", signature(body, appSecret), 401},
		{"no signature", WhatsAppPath, body, "X-Other", "x", 401},
		{"empty signature", WhatsAppPath, body, "X-Hub-Signature-256", "sha256=", 401},
		{"other algorithm", WhatsAppPath, body, "X-Hub-Signature-256", strings.Replace(signature(body, appSecret), "sha256", "sha1", 1), 401},
		{"not hexadecimal", WhatsAppPath, body, "X-Hub-Signature-256", "sha256=zz", 401},
		{"cut signature", WhatsAppPath, body, "X-Hub-Signature-256", signature(body, appSecret)[:40], 401},
		{"good token", TelegramPath, "{}", "X-Telegram-Bot-Api-Secret-Token", telegramSecret, 200},
		{"other token", TelegramPath, "{}", "X-Telegram-Bot-Api-Secret-Token", telegramSecret + "x", 401},
		{"no token", TelegramPath, "{}", "X-Other", "x", 401},
		{"token of the other channel", TelegramPath, "{}", "X-Hub-Signature-256", signature("{}", appSecret), 401},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := newPlatform(t, 0)
			h := newHooks(t, connected(p.URL))
			if w := h.call(t, http.MethodPost, c.path, c.body, c.header, c.value); w.Code != c.want || w.Body.Len() != 0 {
				t.Errorf("status %d, %d bytes, want %d without a body", w.Code, w.Body.Len(), c.want)
			}
			h.stop()
			wanted := 0
			if c.path == WhatsAppPath && c.want == 200 {
				wanted = 1
			}
			if got := len(p.messages()); got != wanted {
				t.Errorf("%d answers sent, want %d", got, wanted)
			}
		})
	}
}

func TestVerification(t *testing.T) {
	t.Parallel()
	h := newHooks(t, connected("http://127.0.0.1:1"))
	long := strings.Repeat("1", 300)
	for query, want := range map[string]int{
		"hub.mode=subscribe&hub.verify_token=palavra+combinada&hub.challenge=1158201444":   200,
		"hub.mode=subscribe&hub.verify_token=outra&hub.challenge=1158201444":               401,
		"hub.mode=subscribe&hub.challenge=1158201444":                                      401,
		"hub.mode=unsubscribe&hub.verify_token=palavra+combinada&hub.challenge=1158201444": 401,
		"hub.mode=subscribe&hub.verify_token=palavra+combinada&hub.challenge=" + long:      401,
		"": 401,
	} {
		w := h.call(t, http.MethodGet, WhatsAppPath+"?"+query, "")
		if w.Code != want {
			t.Errorf("%s: status %d, want %d", query, w.Code, want)
		}
		if body := w.Body.String(); want == 200 && (body != "1158201444" || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/plain")) {
			t.Errorf("the challenge is answered with %q, %s", body, w.Header().Get("Content-Type"))
		}
	}
}

// TestProbing: an address that keeps failing authentication is throttled; the platform at another
// address is not.
func TestProbing(t *testing.T) {
	t.Parallel()
	c := connected("http://127.0.0.1:1")
	c.Failures = web.NewThrottle(1, 3)
	h := newHooks(t, c)
	for i := range 5 {
		want := http.StatusUnauthorized
		if i >= 3 {
			want = http.StatusTooManyRequests
		}
		if w := h.call(t, http.MethodPost, TelegramPath, "{}"); w.Code != want {
			t.Errorf("request %d: status %d, want %d", i+1, w.Code, want)
		}
	}
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, TelegramPath, strings.NewReader("{}"))
	r.RemoteAddr = "198.51.100.7:1"
	r.Header.Set("X-Telegram-Bot-Api-Secret-Token", telegramSecret)
	w := httptest.NewRecorder()
	if h.handler.ServeHTTP(w, r); w.Code != http.StatusOK {
		t.Errorf("another address: status %d", w.Code)
	}
}

func TestBodies(t *testing.T) {
	t.Parallel()
	h := newHooks(t, connected("http://127.0.0.1:1"))
	for name, c := range map[string]struct {
		body string
		want int
	}{
		"cut":               {`{"entry":[`, 400},
		"not JSON":          {`ajuda`, 400},
		"empty":             {``, 400},
		"a list":            {`[]`, 400},
		"null":              {`null`, 200},
		"nothing in it":     {`{}`, 200},
		"other types":       {`{"entry":7,"message":"x"}`, 400},
		"many unknown":      {`{"a":[{"b":{}}],"object":"page","update_id":1,"poll":{}}`, 200},
		"more than maxBody": {`{"a":"` + strings.Repeat("x", maxBody) + `"}`, 413},
	} {
		if got := h.whatsAppSends(t, c.body); got != c.want {
			t.Errorf("%s by WhatsApp: status %d, want %d", name, got, c.want)
		}
		if w := h.telegramSends(t, c.body); w.Code != c.want || w.Body.Len() != 0 {
			t.Errorf("%s by Telegram: status %d with %d bytes, want %d", name, w.Code, w.Body.Len(), c.want)
		}
	}
}
