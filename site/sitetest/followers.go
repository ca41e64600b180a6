package sitetest

import (
	"context"
	"io"
	"log/slog"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	stdmail "net/mail"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"razao/internal/people/follow"
	"razao/internal/people/mail"
	"razao/internal/people/seal"
	"razao/internal/people/webhook"
	"razao/internal/testing/fixture"
	"razao/internal/testing/mailtest"
	"razao/site"
)

// Followers is a site with what notifies its followers: by mail to a server on loopback, and by webhook.
type Followers struct {
	*Site
	Notifier *follow.Notifier
	Sender   *webhook.Sender
	outbox   *mail.Outbox
	arrived  *mailtest.Server
}

// NewFollowers serves the first month.
func NewFollowers(t *testing.T) *Followers {
	t.Helper()
	l := fixture.Empty(t)
	l.Publish(t, fixture.Published(t, "2026-08"))
	f, log := &Followers{arrived: &mailtest.Server{}}, slog.New(slog.DiscardHandler)
	hooks := webhook.NewStore(l.Pool, seal.New(Secret), true)
	f.Site = New(t, l, func(s *Setup) { s.Webhooks = hooks })
	var err error
	if f.outbox, err = mail.Open(l.Pool, mail.Config{URL: f.arrived.Start(t), From: "Razão <nao-responda@razao.exemplo>", Log: log}); err != nil {
		t.Fatal(err)
	}
	words, err := site.NewNotices(URL, l.Live)
	if err != nil {
		t.Fatal(err)
	}
	f.Notifier = follow.NewNotifier(follow.Config{
		Store: follow.NewStore(l.Pool, seal.New(Secret)), Live: l.Live, Log: log, URL: URL, Digest: words.Digest, Search: words.Search,
	})
	f.outbox.Write = f.Notifier.Mail
	f.Sender = webhook.NewSender(hooks, f.Notifier.Event, func(netip.Addr) bool { return true }, log)
	return f
}

// Renamed are edits that change the name and capital of the bakery.
var Renamed = []string{
	`"PADARIA ESTRELA DO SUL LTDA";"2062";"49";"480000,00";"03"`, `"PADARIA ESTRELA DO NORTE LTDA";"2062";"49";"500000,00";"03"`,
}

// Publish publishes the next month and notifies of it.
func (f *Followers) Publish(t *testing.T, month string, edits ...string) {
	t.Helper()
	f.Stores.Publish(t, fixture.Published(t, month, edits...))
	f.Notify(t)
}

// Notify notifies of the snapshot in service, twice: nobody is notified of anything again.
func (f *Followers) Notify(t *testing.T) {
	t.Helper()
	for range 2 {
		if err := f.Notifier.Notify(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

// Digest runs an outbox until a mail to an address has arrived, and returns its alternatives by media type.
func (f *Followers) Digest(t *testing.T, to string) (header stdmail.Header, texts map[string]string) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { f.outbox.Run(ctx) })
	defer running.Wait()
	defer cancel()
	select {
	case m := <-f.arrived.Box(to):
		return parts(t, m.Raw)
	case <-time.After(time.Minute):
		t.Fatalf("no mail to %s", to)
		return nil, nil
	}
}

func parts(t *testing.T, raw string) (header stdmail.Header, texts map[string]string) {
	t.Helper()
	m, err := stdmail.ReadMessage(strings.NewReader(raw))
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

// SendDue sends what is due to webhooks.
func (f *Followers) SendDue(t *testing.T) {
	t.Helper()
	if err := f.Sender.SendDue(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// Due makes everything due that waits for webhooks.
func (f *Followers) Due(t *testing.T) {
	t.Helper()
	f.Exec(t, `UPDATE webhook SET retry_at = now()`)
	f.Exec(t, `UPDATE webhook_delivery SET next_try_at = now() WHERE next_try_at IS NOT NULL`)
}

// Exec changes the database.
func (f *Followers) Exec(t *testing.T, query string, args ...any) {
	t.Helper()
	if _, err := f.Stores.Pool.Exec(t.Context(), query, args...); err != nil {
		t.Fatal(err)
	}
}

// Count returns a number from the database.
func (f *Followers) Count(t *testing.T, query string, args ...any) (n int) {
	t.Helper()
	if err := f.Stores.Pool.QueryRow(t.Context(), query, args...).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}
