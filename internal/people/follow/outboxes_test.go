package follow_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"razao/internal/data/cnpj"
	"razao/internal/people/contacts"
	"razao/internal/people/mail"
	"razao/internal/store/registry"
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
	*sitetest.Followers
	ana  *sitetest.Browser
	hook *collector
}

func newOutboxes(t *testing.T) *outboxes {
	t.Helper()
	f := sitetest.NewFollowers(t)
	o := &outboxes{f, f.SignedIn(t, "ana@exemplo.com"), newCollector(t)}
	sitetest.Leads(t, o.ana.Post(t, "/conta/seguir", "tipo", "empresa", "valor", fixture.Bakery), "/conta/seguindo")
	sitetest.Leads(t, o.ana.Post(t, "/conta/webhooks", "url", o.hook.URL), "/conta/webhooks")
	return o
}

// post sends what waits for the webhook, whenever it would be due, and returns the last body.
func (o *outboxes) post(t *testing.T) string {
	t.Helper()
	o.Due(t)
	o.SendDue(t)
	if len(o.hook.bodies) == 0 {
		return ""
	}
	return o.hook.bodies[len(o.hook.bodies)-1]
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
		if o.Count(t, `SELECT count(*) FROM `+table+` x WHERE x::text ILIKE '%' || $1 || '%'`, text) > 0 {
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

// TestHiddenContactLeavesNoOutbox notifies of a telephone, by a webhook that fails and by a mail that waits. Then the contact is hidden:
// neither the next try, nor "reenviar", nor the mail has it. Until then tries have the same bytes under the same id, and no table
// beside the records ever has a copy.
func TestHiddenContactLeavesNoOutbox(t *testing.T) {
	t.Parallel()
	o := newOutboxes(t)
	o.Publish(t, "2026-09", append(slices.Clone(sitetest.Renamed), calledAnew...)...)
	if got := o.copies(t, "ESTRELA DO NORTE"); len(got) > 0 { // what the event says beside it
		t.Errorf("tables with what is announced: %v", got)
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
	o.Exec(t, `UPDATE webhook_delivery SET next_try_at = now()`)
	last := o.post(t) // as "reenviar"
	if len(o.hook.bodies) != 5 {
		t.Fatalf("%d requests", len(o.hook.bodies))
	}
	for _, body := range []string{third, last} {
		if strings.Contains(body, newTelephone) || strings.Contains(body, "32334455") || !strings.Contains(body, `"capital_social":500000.00`) {
			t.Errorf("after hiding: %s", body)
		}
	}
	_, texts := o.Digest(t, "ana@exemplo.com")
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
	o.Stores.Publish(t, fixture.Published(t, "2026-09", append(slices.Clone(sitetest.Renamed), calledAnew...)...))
	o.hide(t)
	o.Notify(t)
	o.refresh(t)
	if body := o.post(t); strings.Contains(body, newTelephone) || !strings.Contains(body, "capital_social") {
		t.Errorf("the event: %s", body)
	}
	_, texts := o.Digest(t, "ana@exemplo.com")
	if text := texts["text/plain"]; strings.Contains(text, newTelephoneInWords) || !strings.Contains(text, "500.000,00") {
		t.Errorf("the mail: %s", text)
	}
}

// TestNothingLeftToNotifyOf hides all that an event says, or rolls its load back, before it is sent: it is given up, and the page says why;
// the digest is not sent. A server that does not serve the load yet leaves both for one that does.
func TestNothingLeftToNotifyOf(t *testing.T) {
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
			o.Publish(t, "2026-09", calledAnew...)
			var draft string
			if err := o.Stores.Pool.QueryRow(t.Context(), `SELECT draft FROM mail_outbox`).Scan(&draft); err != nil {
				t.Fatal(err)
			}
			if m, err := o.Notifier.Mail(t.Context(), draft); err != nil || !strings.Contains(m.Text, newTelephoneInWords) {
				t.Fatalf("before: %q, %v", m.Text, err)
			}
			withdraw(o)
			o.refresh(t)
			if _, err := o.Notifier.Mail(t.Context(), draft); !errors.Is(err, mail.ErrNothing) {
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
		o.Publish(t, "2026-09", calledAnew...)
		o.Exec(t, `UPDATE webhook_delivery SET seq = seq + 1`)
		o.post(t)
		if n := o.Count(t, `SELECT count(*) FROM webhook_delivery WHERE next_try_at IS NOT NULL AND tries = 0`); n != 1 || len(o.hook.bodies) > 0 {
			t.Errorf("%d events wait, posted %q", n, o.hook.bodies)
		}
		var draft string
		if err := o.Stores.Pool.QueryRow(t.Context(), `SELECT regexp_replace(draft, '\d+$', '1000000') FROM mail_outbox`).Scan(&draft); err != nil {
			t.Fatal(err)
		}
		if _, err := o.Notifier.Mail(t.Context(), draft); err == nil || errors.Is(err, mail.ErrNothing) {
			t.Errorf("a digest of what is not served yet: %v", err)
		}
	})
}

// TestUnsubscribedDigestIsNotSent: who ends the mails gets none that waited.
func TestUnsubscribedDigestIsNotSent(t *testing.T) {
	t.Parallel()
	o := newOutboxes(t)
	o.Publish(t, "2026-09", sitetest.Renamed...)
	var draft string
	if err := o.Stores.Pool.QueryRow(t.Context(), `SELECT draft FROM mail_outbox`).Scan(&draft); err != nil {
		t.Fatal(err)
	}
	sitetest.Leads(t, o.ana.Post(t, "/conta/seguindo/avisos", "avisos", "nao"), "/conta/seguindo")
	if _, err := o.Notifier.Mail(t.Context(), draft); !errors.Is(err, mail.ErrNothing) {
		t.Errorf("the digest: %v", err)
	}
	for _, broken := range []string{"", "x", "1 2"} {
		if _, err := o.Notifier.Mail(t.Context(), broken); err == nil {
			t.Errorf("the draft %q is written", broken)
		}
	}
}
