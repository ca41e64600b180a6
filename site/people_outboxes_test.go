package site_test

import (
	"errors"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"razao/internal/data/cnpj"
	"razao/internal/people/contacts"
	mails "razao/internal/people/mail"
	"razao/internal/people/webhook"
	"razao/internal/store/registry"
	"razao/internal/store/snapshot"
	"razao/internal/testing/fixture"
	"razao/site/sitetest"
)

// What the second month publishes for the bakery: another telephone, which is hidden on request later, beside another name and capital.
const (
	newTelephone        = "32330000"
	newTelephoneInWords = "3233-0000"
)

var calledAnew = []string{"32334455", newTelephone}

// collector is a webhook's server that keeps what it gets.
type collector struct {
	*httptest.Server
	ids, bodies []string
	status      int
}

func newCollector(t *testing.T) *collector {
	t.Helper()
	c := &collector{status: http.StatusInternalServerError}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		c.ids, c.bodies = append(c.ids, r.Header.Get("webhook-id")), append(c.bodies, string(body))
		w.WriteHeader(c.status)
	}))
	t.Cleanup(c.Close)
	return c
}

// outboxes is a site with a follower of the bakery, by mail and by a webhook whose server fails.
type outboxes struct {
	*followers
	ana    *sitetest.Browser
	hook   *collector
	sender *webhook.Sender
}

func newOutboxes(t *testing.T) *outboxes {
	t.Helper()
	f := newFollowers(t)
	o := &outboxes{followers: f, ana: f.SignedIn(t, "ana@exemplo.com"), hook: newCollector(t)}
	o.sender = webhook.NewSender(f.hooks, f.teller.Event, anywhere, slog.New(slog.DiscardHandler))
	sitetest.Leads(t, o.ana.Post(t, "/conta/seguir", "tipo", "empresa", "valor", fixture.Bakery), "/conta/seguindo")
	sitetest.Leads(t, o.ana.Post(t, "/conta/webhooks", "url", o.hook.URL), "/conta/webhooks")
	return o
}

// post sends what waits for the webhook, whenever it would be due, and returns the last body.
func (o *outboxes) post(t *testing.T) string {
	t.Helper()
	o.exec(t, `UPDATE webhook SET retry_at = now()`)
	o.exec(t, `UPDATE webhook_delivery SET next_try_at = now() WHERE next_try_at IS NOT NULL`)
	if err := o.sender.SendDue(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(o.hook.bodies) == 0 {
		return ""
	}
	return o.hook.bodies[len(o.hook.bodies)-1]
}

func (o *outboxes) exec(t *testing.T, query string) {
	t.Helper()
	if _, err := o.Stores.Pool.Exec(t.Context(), query); err != nil {
		t.Fatal(err)
	}
}

// hide hides the contacts of all establishments of the bakery, as `razao contacts hide` does.
func (o *outboxes) hide(t *testing.T) {
	t.Helper()
	root, err := cnpj.ParseRoot(fixture.Bakery)
	if err != nil {
		t.Fatal(err)
	}
	store := contacts.NewStore(o.Stores.Pool)
	for _, text := range []string{"0001", "0002", "0003", "00A4"} {
		order, err := cnpj.ParseOrder(text)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := store.Hide(t.Context(), cnpj.Join(root, order), ""); err != nil {
			t.Fatal(err)
		}
	}
}

func (o *outboxes) refresh(t *testing.T) {
	t.Helper()
	if err := o.Stores.Live.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// copies returns the tables beside the records that have a text in any row.
func (o *outboxes) copies(t *testing.T, text string) (tables []string) {
	t.Helper()
	for _, table := range o.tables(t) {
		if o.count(t, `SELECT count(*) FROM `+table+` x WHERE x::text ILIKE '%' || $1 || '%'`, text) > 0 {
			tables = append(tables, table)
		}
	}
	return tables
}

func (o *outboxes) tables(t *testing.T) []string {
	t.Helper()
	var all []string
	const query = `SELECT array_agg(tablename::text ORDER BY tablename) FROM pg_tables WHERE schemaname = current_schema()`
	if err := o.Stores.Pool.QueryRow(t.Context(), query).Scan(&all); err != nil {
		t.Fatal(err)
	}
	if len(all) < 20 {
		t.Fatalf("tables %v", all)
	}
	return all
}

// TestHiddenContactLeavesNoOutbox is told of a telephone, by a webhook that fails and by a mail that waits. Then the contact is hidden:
// neither the next try, nor "reenviar", nor the mail has it. Until then tries have the same bytes under the same id, and no table
// beside the records ever has a copy.
func TestHiddenContactLeavesNoOutbox(t *testing.T) {
	t.Parallel()
	o := newOutboxes(t)
	o.publish(t, "2026-09", append(slices.Clone(renamed), calledAnew...)...)
	if got := o.copies(t, "ESTRELA DO NORTE"); len(got) > 0 { // what the event tells beside it
		t.Errorf("tables with what is to be told: %v", got)
	}
	if got := o.copies(t, "ana@exemplo.com"); !slices.Contains(got, "account") || !slices.Contains(got, "mail_outbox") {
		t.Errorf("the search for copies finds nothing: %v", got)
	}
	first := o.post(t)
	if !strings.Contains(first, newTelephone) || !strings.Contains(first, `"capital_social":500000.00`) {
		t.Fatalf("the event: %s", first)
	}
	if again := o.post(t); again != first || o.hook.ids[0] != o.hook.ids[1] {
		t.Errorf("the second try differs: %s", again)
	}
	o.hide(t)
	o.refresh(t)
	third := o.post(t)
	o.hook.status = http.StatusNoContent
	o.post(t)
	o.exec(t, `UPDATE webhook_delivery SET next_try_at = now()`)
	last := o.post(t) // as "reenviar"
	if len(o.hook.bodies) != 5 {
		t.Fatalf("%d requests", len(o.hook.bodies))
	}
	for _, body := range []string{third, last} {
		if strings.Contains(body, newTelephone) || strings.Contains(body, "32334455") || !strings.Contains(body, `"capital_social":500000.00`) {
			t.Errorf("after hiding: %s", body)
		}
	}
	_, texts := parts(t, o.send(t, "ana@exemplo.com").Raw)
	for media, text := range texts {
		if strings.Contains(text, newTelephoneInWords) || !strings.Contains(text, "500.000,00") {
			t.Errorf("the mail after hiding, %s: %s", media, text)
		}
	}
	if got := append(o.copies(t, newTelephone), o.copies(t, newTelephoneInWords)...); len(got) > 0 {
		t.Errorf("tables with the contact: %v", got)
	}
}

// TestServerThatHasNotNoticedTheHiding: a server that does not know yet that a contact is hidden queues what changed of it. What leaves
// follows the server that sends it, by then.
func TestServerThatHasNotNoticedTheHiding(t *testing.T) {
	t.Parallel()
	o := newOutboxes(t)
	o.Stores.Publish(t, fixture.Published(t, "2026-09", append(slices.Clone(renamed), calledAnew...)...))
	o.hide(t)
	o.tell(t)
	o.refresh(t)
	if body := o.post(t); strings.Contains(body, newTelephone) || !strings.Contains(body, "capital_social") {
		t.Errorf("the event: %s", body)
	}
	_, texts := parts(t, o.send(t, "ana@exemplo.com").Raw)
	if text := texts["text/plain"]; strings.Contains(text, newTelephoneInWords) || !strings.Contains(text, "500.000,00") {
		t.Errorf("the mail: %s", text)
	}
}

// TestNothingLeftToTell hides all that an event says, or rolls its load back, before it is sent: it is given up, and the page says why;
// the digest is not sent. A server that does not serve the load yet leaves both for one that does.
func TestNothingLeftToTell(t *testing.T) {
	t.Parallel()
	for name, withdraw := range map[string]func(*outboxes){
		"hidden": func(o *outboxes) { o.hide(t) },
		"rolled back": func(o *outboxes) {
			if _, err := o.Stores.Ingester.Rollback(t.Context(), registry.Receita); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := newOutboxes(t)
			o.publish(t, "2026-09", calledAnew...)
			var draft string
			if err := o.Stores.Pool.QueryRow(t.Context(), `SELECT draft FROM mail_outbox`).Scan(&draft); err != nil {
				t.Fatal(err)
			}
			if m, err := o.teller.Mail(t.Context(), draft); err != nil || !strings.Contains(m.Text, newTelephoneInWords) {
				t.Fatalf("before: %q, %v", m.Text, err)
			}
			withdraw(o)
			o.refresh(t)
			if _, err := o.teller.Mail(t.Context(), draft); !errors.Is(err, mails.ErrNothing) {
				t.Errorf("a digest of nothing: %v", err)
			}
			o.post(t)
			if len(o.hook.bodies) > 0 {
				t.Errorf("posted %q", o.hook.bodies)
			}
			sitetest.Shows(t, o.ana.Open(t, "/conta/webhooks"), 200, []string{"retirado ou ocultado"}, nil)
		})
	}
	t.Run("not served yet", func(t *testing.T) {
		t.Parallel()
		o := newOutboxes(t)
		o.publish(t, "2026-09", calledAnew...)
		o.exec(t, `UPDATE webhook_delivery SET seq = seq + 1`)
		o.post(t)
		if n := o.count(t, `SELECT count(*) FROM webhook_delivery WHERE next_try_at IS NOT NULL AND tries = 0`); n != 1 || len(o.hook.bodies) > 0 {
			t.Errorf("%d events wait, posted %q", n, o.hook.bodies)
		}
		var draft string
		if err := o.Stores.Pool.QueryRow(t.Context(), `SELECT regexp_replace(draft, '\d+$', '1000000') FROM mail_outbox`).Scan(&draft); err != nil {
			t.Fatal(err)
		}
		if _, err := o.teller.Mail(t.Context(), draft); err == nil || errors.Is(err, mails.ErrNothing) {
			t.Errorf("a digest of what is not served yet: %v", err)
		}
	})
}

// TestUnsubscribedDigestIsNotSent: who ends the mails gets none that waited.
func TestUnsubscribedDigestIsNotSent(t *testing.T) {
	t.Parallel()
	o := newOutboxes(t)
	o.publish(t, "2026-09", renamed...)
	var draft string
	if err := o.Stores.Pool.QueryRow(t.Context(), `SELECT draft FROM mail_outbox`).Scan(&draft); err != nil {
		t.Fatal(err)
	}
	sitetest.Leads(t, o.ana.Post(t, "/conta/seguindo/avisos", "avisos", "nao"), "/conta/seguindo")
	if _, err := o.teller.Mail(t.Context(), draft); !errors.Is(err, mails.ErrNothing) {
		t.Errorf("the digest: %v", err)
	}
	for _, broken := range []string{"", "x", "1 2"} {
		if _, err := o.teller.Mail(t.Context(), broken); err == nil {
			t.Errorf("the draft %q is written", broken)
		}
	}
}

// TestWebhookForms: what an account asks of webhooks is bounded, a resting one is neither tested nor woken, and the page says until when
// it rests. The form of a webhook that is sent again shows no secret for another address.
func TestWebhookForms(t *testing.T) {
	t.Parallel()
	o := newOutboxes(t)
	sitetest.Shows(t, o.ana.Open(t, "/conta/webhooks"), 200, []string{"whsec_"}, nil)
	o.publish(t, "2026-09", renamed...)
	o.post(t)
	sitetest.Shows(t, o.ana.Open(t, "/conta/webhooks"), 200, []string{"Falhou 1 vez seguida. Em pausa até "}, []string{"Enviar teste"})
	var id string
	if err := o.Stores.Pool.QueryRow(t.Context(), `SELECT id::text FROM webhook`).Scan(&id); err != nil {
		t.Fatal(err)
	}
	o.exec(t, `UPDATE webhook SET url = 'https://exemplo.com/'`) // a port of its own is in no golden file
	told(t, "webhook-resting", o.ana.Post(t, "/conta/webhooks/testar", "webhook", id), http.StatusUnprocessableEntity)
	o.exec(t, `DELETE FROM webhook`)
	form := []string{"formulario", "um", "url", o.hook.URL + "/1"}
	sitetest.Leads(t, o.ana.Post(t, "/conta/webhooks", form...), "/conta/webhooks")
	sitetest.Shows(t, o.ana.Open(t, "/conta/webhooks"), 200, []string{"whsec_"}, nil)
	for _, again := range [][]string{{"formulario", "um", "url", o.hook.URL + "/2"}, {"formulario", "dois", "url", o.hook.URL + "/1"}} {
		sitetest.Shows(t, o.ana.Post(t, "/conta/webhooks", again...), http.StatusUnprocessableEntity, []string{`role="alert"`}, []string{"whsec_"})
	}
	var w *httptest.ResponseRecorder
	for range 20 {
		if w = o.ana.Post(t, "/conta/webhooks/testar", "webhook", id); w.Code == http.StatusTooManyRequests {
			break
		}
	}
	if w.Code != http.StatusTooManyRequests || w.Header().Get("Retry-After") == "" {
		t.Errorf("twenty tests: %d", w.Code)
	}
	sitetest.Leads(t, o.SignedIn(t, "bia@exemplo.com").Post(t, "/conta/webhooks", "url", o.hook.URL), "/conta/webhooks")
}

// TestSearchesOfOneAccountHoldUpNobody: who follows many searches is told last, after those with fewer, and each is told before the
// searches of the next are asked.
func TestSearchesOfOneAccountHoldUpNobody(t *testing.T) {
	t.Parallel()
	f := newFollowers(t)
	eva, bia, ana := f.SignedIn(t, "eva@exemplo.com"), f.SignedIn(t, "bia@exemplo.com"), f.SignedIn(t, "ana@exemplo.com")
	for _, uf := range []string{"AC", "AL", "AM", "AP", "BA", "CE", "DF", "ES", "SP"} {
		sitetest.Leads(t, eva.Post(t, "/conta/seguir", "tipo", "busca", "valor", "uf="+uf), "/conta/seguindo")
	}
	sitetest.Leads(t, bia.Post(t, "/conta/seguir", "tipo", "busca", "valor", "uf=SP&situacao=ativa"), "/conta/seguindo")
	sitetest.Leads(t, ana.Post(t, "/conta/seguir", "tipo", "empresa", "valor", fixture.Bakery), "/conta/seguindo")
	search := f.teller.Search
	var queued []int // digests, when a search is asked
	f.teller.Search = func(snap *snapshot.Snapshot, value string) (snapshot.ChangeQuery, error) {
		queued = append(queued, f.count(t, `SELECT count(*) FROM mail_outbox`))
		return search(snap, value)
	}
	f.publish(t, "2026-09", renamed...)
	if want := []int{1, 2, 2, 2, 2, 2, 2, 2, 2, 2}; !slices.Equal(queued, want) {
		t.Errorf("digests queued before each search: %v, want %v", queued, want)
	}
	if n := f.count(t, `SELECT count(*) FROM mail_outbox`); n != 3 {
		t.Errorf("%d digests", n)
	}
}

// bait is the name of a company that was registered to be read in mails, and what programs would make links of.
const bait = "SUA CONTA FOI BLOQUEADA ACESSE https://evil.example OU eva@evil.example"

// TestNamesAreNoBait is told of a company whose name has addresses: in subject, text, HTML and titles of feeds no program
// finds one but ours.
func TestNamesAreNoBait(t *testing.T) {
	t.Parallel()
	o := newOutboxes(t)
	sitetest.Leads(t, o.ana.Post(t, "/conta/seguindo/atom"), "/conta/seguindo")
	o.publish(t, "2026-09", "PADARIA ESTRELA DO SUL LTDA", bait)
	header, texts := parts(t, o.send(t, "ana@exemplo.com").Raw)
	subject, err := new(mime.WordDecoder).DecodeHeader(header.Get("Subject"))
	if err != nil || subject != "Mudou: CNPJ 12345678" {
		t.Errorf("subject %q, %v", subject, err)
	}
	page := o.ana.Open(t, "/conta/seguindo").Body.String()
	feed := regexp.MustCompile(`<code>https://razao\.exemplo(/conta/mudancas/[^<]+\.atom)</code>`).FindStringSubmatch(page)[1]
	for _, path := range []string{feed, "/mudancas.atom", "/12345678000195/mudancas.atom"} {
		titles := regexp.MustCompile(`<title>.*?</title>`).FindAllString(o.Visitor().Open(t, path).Body.String(), -1) // what is text in a feed
		texts[path] = strings.Join(titles, "\n")
	}
	addresses := regexp.MustCompile(`(?i)https?://[^\s<>"]+|\S+@\S+|\S+\.example\b`)
	for where, text := range texts {
		text = html.UnescapeString(html.UnescapeString(text))
		if !strings.Contains(strings.ToLower(text), "https: //evil. example") {
			t.Errorf("%s does not have the name: %s", where, text)
		}
		for _, address := range addresses.FindAllString(text, -1) {
			if !strings.HasPrefix(address, sitetest.URL+"/") {
				t.Errorf("%s: a program makes a link of %q", where, address)
			}
		}
	}
}
