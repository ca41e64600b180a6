package people_test

import (
	"context"
	"encoding/xml"
	"io"
	"log/slog"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/http"
	"net/http/httptest"
	"net/mail"
	"net/netip"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"golang.org/x/net/html"

	"razao/internal/people/follow"
	mails "razao/internal/people/mail"
	"razao/internal/people/seal"
	"razao/internal/people/webhook"
	"razao/internal/testing/fixture"
	"razao/internal/testing/mailtest"
	"razao/site"
	"razao/site/page/pagetest"
	"razao/site/sitetest"
)

// followers is a site with what tells its followers: by mail to a server on loopback, and by webhook.
type followers struct {
	*sitetest.Site
	mail   *mailtest.Server
	outbox *mails.Outbox
	teller *follow.Teller
	hooks  *webhook.Store
}

// newFollowers serves the first month.
func newFollowers(t *testing.T) *followers {
	t.Helper()
	l := fixture.Empty(t)
	l.Publish(t, fixture.Published(t, "2026-08"))
	f := &followers{mail: &mailtest.Server{}, hooks: webhook.NewStore(l.Pool, seal.New(sitetest.Secret), true)}
	f.Site = sitetest.New(t, l, func(s *sitetest.Setup) { s.Webhooks = f.hooks })
	log := slog.New(slog.DiscardHandler)
	var err error
	if f.outbox, err = mails.Open(l.Pool, mails.Config{URL: f.mail.Start(t), From: "Razão <nao-responda@razao.exemplo>", Log: log}); err != nil {
		t.Fatal(err)
	}
	words, err := site.NewTelling(sitetest.URL, l.Live.Atlas())
	if err != nil {
		t.Fatal(err)
	}
	f.teller = follow.NewTeller(follow.Config{
		Store: follow.NewStore(l.Pool, seal.New(sitetest.Secret)), Live: l.Live, Log: log, URL: sitetest.URL, Digest: words.Digest, Search: words.Search,
	})
	return f
}

// publish publishes the next month and tells of it.
func (f *followers) publish(t *testing.T, month string, edits ...string) {
	t.Helper()
	f.Stores.Publish(t, fixture.Published(t, month, edits...))
	f.tell(t)
}

// tell tells of the snapshot in service, twice: what was told is not told again.
func (f *followers) tell(t *testing.T) {
	t.Helper()
	for range 2 {
		if err := f.teller.Tell(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

// send runs an outbox until a mail to an address has arrived.
func (f *followers) send(t *testing.T, to string) mailtest.Mail {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { f.outbox.Run(ctx) })
	defer running.Wait()
	defer cancel()
	select {
	case m := <-f.mail.Box(to):
		return m
	case <-time.After(time.Minute):
		t.Fatalf("no mail to %s", to)
		return mailtest.Mail{}
	}
}

// count returns a number from the database.
func (f *followers) count(t *testing.T, query string, args ...any) (n int) {
	t.Helper()
	if err := f.Stores.Pool.QueryRow(t.Context(), query, args...).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// renamed are edits that change the name and capital of the bakery.
var renamed = []string{
	`"PADARIA ESTRELA DO SUL LTDA";"2062";"49";"480000,00";"03"`, `"PADARIA ESTRELA DO NORTE LTDA";"2062";"49";"500000,00";"03"`,
}

// parts returns the alternatives of a mail by media type.
func parts(t *testing.T, raw string) (header mail.Header, texts map[string]string) {
	t.Helper()
	m, err := mail.ReadMessage(strings.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	media, params, err := mime.ParseMediaType(m.Header.Get("Content-Type"))
	if err != nil || media != "multipart/alternative" {
		t.Fatalf("a mail of type %s, %v", media, err)
	}
	texts = map[string]string{}
	for r := multipart.NewReader(m.Body, params["boundary"]); ; {
		part, err := r.NextRawPart()
		if err == io.EOF {
			return m.Header, texts
		}
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(quotedprintable.NewReader(part))
		if err != nil {
			t.Fatal(err)
		}
		media, _, _ := mime.ParseMediaType(part.Header.Get("Content-Type"))
		texts[media] = strings.ReplaceAll(string(body), "\r\n", "\n")
	}
}

func TestFollowedCompanyIsTold(t *testing.T) {
	t.Parallel()
	f := newFollowers(t)
	ana, bia := f.SignedIn(t, "ana@exemplo.com"), f.SignedIn(t, "bia@exemplo.com")
	told(t, "following-nothing", ana.Open(t, "/conta/seguindo"), 200)
	sitetest.Leads(t, f.Visitor().Open(t, "/conta/seguir?tipo=empresa&valor="+fixture.Bakery), "/login?next=%2Fconta%2Fseguir%3Ftipo%3Dempresa%26valor%3D"+fixture.Bakery)
	told(t, "follow-company", ana.Open(t, "/conta/seguir?tipo=empresa&valor="+fixture.Bakery), 200)
	sitetest.Leads(t, ana.Post(t, "/conta/seguir", "tipo", "empresa", "valor", "12.345.678/0001-95"), "/conta/seguindo")
	sitetest.Leads(t, bia.Post(t, "/conta/seguir", "tipo", "empresa", "valor", "98765432"), "/conta/seguindo")
	told(t, "following-refused", ana.Post(t, "/conta/seguir", "tipo", "empresa", "valor", "12.345.678/0001-96"), 422)
	sitetest.Leads(t, ana.Post(t, "/conta/seguindo/atom"), "/conta/seguindo")
	f.tell(t)
	if n := f.count(t, `SELECT count(*) FROM mail_outbox`); n > 0 {
		t.Fatalf("%d mails before anything changed", n)
	}

	f.publish(t, "2026-09", renamed...)
	if n := f.count(t, `SELECT count(*) FROM mail_outbox`); n != 1 {
		t.Fatalf("%d digests for one account whose company changed", n)
	}
	header, texts := parts(t, f.send(t, "ana@exemplo.com").Raw)
	subject, err := new(mime.WordDecoder).DecodeHeader(header.Get("Subject"))
	if err != nil || subject != "Mudou: Padaria Estrela do Norte Ltda." {
		t.Errorf("subject %q, %v", subject, err)
	}
	for media, text := range texts {
		pagetest.Texts(t, html.UnescapeString(text), []string{
			"Padaria Estrela do Norte Ltda.", "Nome empresarial", "de Padaria Estrela do Sul Ltda. para Padaria Estrela do Norte Ltda.",
			"de R$ 480.000,00 para R$ 500.000,00", "cadastro do CNPJ, 09/2026", sitetest.URL + "/12345678", "/avisos/cancelar?token=",
		}, []string{"\u00a0", "98765432"})
		if media == "text/html" {
			if _, err := html.Parse(strings.NewReader(text)); err != nil {
				t.Error(err)
			}
		}
	}
	if len(texts) != 2 {
		t.Errorf("the mail has %d alternatives", len(texts))
	}
	told(t, "following-told", ana.Open(t, "/conta/seguindo"), 200)
	sitetest.Shows(t, bia.Open(t, "/conta/seguindo"), 200, []string{"Nada ainda"}, []string{"Estrela"})

	address := regexp.MustCompile(`<code>https://razao\.exemplo(/conta/mudancas/[^<]+\.atom)</code>`).FindStringSubmatch(ana.Open(t, "/conta/seguindo").Body.String())[1]
	w := f.Visitor().Open(t, address)
	if w.Code != http.StatusOK {
		t.Fatalf("the feed: %d", w.Code)
	}
	body := w.Body.String()
	var feed struct {
		ID      string   `xml:"http://www.w3.org/2005/Atom id"`
		Updated string   `xml:"updated"`
		Titles  []string `xml:"entry>title"`
		Content []string `xml:"entry>content"`
	}
	if err := xml.Unmarshal([]byte(body), &feed); err != nil || len(feed.Titles) != 1 || feed.ID != sitetest.URL+address {
		t.Fatalf("%v in %s", err, body)
	}
	pagetest.Texts(t, feed.Titles[0]+feed.Content[0], []string{"Padaria Estrela do Norte Ltda. (cadastro do CNPJ, 09/2026)", "Capital social"}, nil)
	sitetest.Leads(t, ana.Post(t, "/conta/seguindo/atom/revogar"), "/conta/seguindo")
	for _, gone := range []string{address, strings.Replace(address, "/conta/mudancas/", "/conta/mudancas/A", 1), "/conta/mudancas/x.atom"} {
		if w := f.Visitor().Open(t, gone); w.Code != http.StatusNotFound {
			t.Errorf("%s: %d", gone, w.Code)
		}
	}

	link := strings.Trim(header.Get("List-Unsubscribe"), "<>")
	path := strings.TrimPrefix(link, sitetest.URL)
	if header.Get("List-Unsubscribe-Post") != "List-Unsubscribe=One-Click" || path == link {
		t.Fatalf("headers %v", header)
	}
	told(t, "unsubscribe", f.Visitor().Open(t, path), 200)
	if n := f.count(t, `SELECT count(*) FROM follower WHERE NOT mails`); n != 0 {
		t.Error("opening the link unsubscribes, as a mail scanner does")
	}
	if w := oneClick(t, f.Site, path+"x"); w.Code != http.StatusNotFound {
		t.Errorf("a forged token: %d", w.Code)
	}
	told(t, "unsubscribed", oneClick(t, f.Site, path), 200)
	f.publish(t, "2026-10")
	if n := f.count(t, `SELECT count(*) FROM mail_outbox`); n != 0 {
		t.Errorf("%d digests after unsubscribing", n)
	}
	sitetest.Shows(t, ana.Open(t, "/conta/seguindo"), 200, []string{"10/2026", "Por e-mail, não", "Ligar"}, nil)

	sitetest.Leads(t, ana.Post(t, "/conta/deixar-de-seguir", "tipo", "empresa", "valor", "12345678"), "/conta/carteira")
	sitetest.Leads(t, ana.Post(t, "/conta/seguindo/avisos", "avisos", "sim"), "/conta/seguindo")
	f.publish(t, "2026-11", renamed...)
	if n := f.count(t, `SELECT count(*) FROM mail_outbox`); n != 0 {
		t.Errorf("%d digests about nothing that is followed", n)
	}
	sitetest.Leads(t, ana.Post(t, "/conta/excluir", "email", "ana@exemplo.com"), "/login?aviso=excluida")
	if n := f.count(t, `SELECT count(*) FROM follow_told JOIN follower USING (account_id) JOIN account a ON a.id = account_id WHERE a.email LIKE 'ana%'`) + f.count(t, `SELECT count(*) FROM follow_told`); n != 0 {
		t.Errorf("%d rows are left of a deleted account", n)
	}
}

// oneClick unsubscribes as a mail program does: without cookies, Origin and Referer, as a form of several parts.
func oneClick(t *testing.T, s *sitetest.Site, path string) *httptest.ResponseRecorder {
	t.Helper()
	var body strings.Builder
	form := multipart.NewWriter(&body)
	if err := form.WriteField("List-Unsubscribe", "One-Click"); err != nil {
		t.Fatal(err)
	}
	_ = form.Close()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, path, strings.NewReader(body.String()))
	r.Header.Set("Content-Type", form.FormDataContentType())
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

// receiver is a webhook's server, which verifies messages with the receiver of Standard Webhooks.
type receiver struct {
	*httptest.Server
	mu     sync.Mutex
	verify *standardwebhooks.Webhook
	fail   int               // so many requests are answered 500
	status int               // of the others; 0: 204
	got    map[string]string // bodies by id
	asked  int
}

func newReceiver(t *testing.T) *receiver {
	t.Helper()
	r := &receiver{got: map[string]string{}}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		body, err := io.ReadAll(q.Body)
		r.mu.Lock()
		defer r.mu.Unlock()
		if err == nil {
			err = r.verify.Verify(body, q.Header)
		}
		if err != nil {
			t.Error(err)
		}
		if r.asked++; r.asked <= r.fail {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		r.got[q.Header.Get("webhook-id")] = string(body)
		w.WriteHeader(max(r.status, http.StatusNoContent))
	}))
	t.Cleanup(r.Close)
	return r
}

func anywhere(netip.Addr) bool { return true }

func TestWebhookIsTold(t *testing.T) {
	t.Parallel()
	f := newFollowers(t)
	ana := f.SignedIn(t, "ana@exemplo.com")
	sitetest.Leads(t, ana.Post(t, "/conta/seguir", "tipo", "empresa", "valor", fixture.Bakery), "/conta/seguindo")
	r := newReceiver(t)
	told(t, "webhook-refused", ana.Post(t, "/conta/webhooks", "url", "ftp://exemplo.com"), 422)
	sitetest.Leads(t, ana.Post(t, "/conta/webhooks", "url", r.URL+"/razao"), "/conta/webhooks")
	body := sitetest.Shows(t, ana.Open(t, "/conta/webhooks"), 200, []string{"Webhook criado"}, nil)
	secret := regexp.MustCompile(`<code>(whsec_[^<]+)</code>`).FindStringSubmatch(body)[1]
	sitetest.Shows(t, ana.Open(t, "/conta/webhooks"), 200, nil, []string{"whsec_"})
	var err error
	if r.verify, err = standardwebhooks.NewWebhook(html.UnescapeString(secret)); err != nil {
		t.Fatal(err)
	}
	sender := webhook.NewSender(f.hooks, anywhere, slog.New(slog.DiscardHandler))
	send := func() {
		t.Helper()
		sender.SendDue(t.Context())
	}
	due := func() {
		t.Helper()
		if _, err := f.Stores.Pool.Exec(t.Context(), `UPDATE webhook SET retry_at = now()`); err != nil {
			t.Fatal(err)
		}
		if _, err := f.Stores.Pool.Exec(t.Context(), `UPDATE webhook_delivery SET next_try_at = now() WHERE next_try_at IS NOT NULL`); err != nil {
			t.Fatal(err)
		}
	}
	f.publish(t, "2026-09", renamed...)
	r.fail = 2
	for range 5 { // two failures, the delivery, and nothing more
		send()
		send() // not due yet
		due()
	}
	if r.asked != 3 || len(r.got) != 1 {
		t.Fatalf("%d requests brought %d messages", r.asked, len(r.got))
	}
	for _, body := range r.got {
		pagetest.Texts(t, body, []string{
			`{"type":"empresa.mudou","timestamp":"`, `"cnpj_raiz":"12345678"`, `"competencia":"2026-09"`, `"comparada_com":"2026-08"`,
			`"evento":"empresa.capital"`, `"antes":{"capital_social":"480000.00"},"depois":{"capital_social":"500000.00"}`,
		}, nil)
	}
	body = sitetest.Shows(t, ana.Open(t, "/conta/webhooks"), 200, []string{"entregue (204)"}, nil)
	event := regexp.MustCompile(`name="evento" value="([^"]+)"`).FindStringSubmatch(body)[1]
	sitetest.Leads(t, ana.Post(t, "/conta/webhooks/reenviar", "evento", event), "/conta/webhooks")
	send()
	if r.asked != 4 || len(r.got) != 1 {
		t.Errorf("sent again: %d requests brought %d messages", r.asked, len(r.got))
	}
	id := regexp.MustCompile(`name="webhook" value="(\d+)"`).FindStringSubmatch(body)[1]
	bia := f.SignedIn(t, "bia@exemplo.com")
	for _, form := range [][]string{
		{"/conta/webhooks/testar", "webhook", id},
		{"/conta/webhooks/excluir", "webhook", id},
		{"/conta/webhooks/ligar", "webhook", id},
		{"/conta/webhooks/reenviar", "evento", event},
		{"/conta/webhooks/reenviar", "evento", "x"},
	} {
		if w := bia.Post(t, form[0], form[1:]...); w.Code != http.StatusNotFound {
			t.Errorf("%v of somebody else: %d", form, w.Code)
		}
	}
	r.status = http.StatusGone
	sitetest.Leads(t, ana.Post(t, "/conta/webhooks/testar", "webhook", id), "/conta/webhooks")
	send()
	sitetest.Shows(t, ana.Open(t, "/conta/webhooks"), 200, []string{"Desligado: o servidor respondeu 410", "desistimos (410)"}, []string{"testar"})
	sitetest.Leads(t, ana.Post(t, "/conta/webhooks/ligar", "webhook", id), "/conta/webhooks")
	sitetest.Leads(t, ana.Post(t, "/conta/webhooks/excluir", "webhook", id), "/conta/webhooks")
	sitetest.Shows(t, ana.Open(t, "/conta/webhooks"), 200, []string{"Nenhum webhook", "Nada foi enviado"}, nil)
}
