package webhook

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"razao/internal/people/account"
	"razao/internal/people/seal"
	"razao/internal/testing/pgtest"
	"razao/internal/web/outbound"
)

// newWebhooks returns a store on a database of the test's own, with an account.
func newWebhooks(t *testing.T) (*Store, account.ID) {
	t.Helper()
	pool := pgtest.Pool(t)
	return NewStore(pool, seal.New("secret of the tests"), true), newAccount(t, pool, "ana@exemplo.com")
}

func newAccount(t *testing.T, pool *pgxpool.Pool, email string) (id account.ID) {
	t.Helper()
	if err := pool.QueryRow(t.Context(), `INSERT INTO account (email) VALUES ($1) RETURNING id`, email).Scan(&id); err != nil {
		t.Fatal(err)
	}
	return id
}

func (s *Store) create(t *testing.T, id account.ID, address string) int64 {
	t.Helper()
	if _, err := s.Create(t.Context(), id, address, address); err != nil {
		t.Fatal(err)
	}
	all, err := s.List(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return all[len(all)-1].ID
}

func (s *Store) queue(t *testing.T, webhooks ...int64) {
	t.Helper()
	var events []Of
	for _, id := range webhooks {
		events = append(events, Of{id, Event{Type: "teste", Body: "{}"}})
	}
	if err := pgx.BeginFunc(t.Context(), s.pool, func(tx pgx.Tx) error { return Queue(t.Context(), tx, events) }); err != nil {
		t.Fatal(err)
	}
}

func (s *Store) exec(t *testing.T, query string, args ...any) {
	t.Helper()
	if _, err := s.pool.Exec(t.Context(), query, args...); err != nil {
		t.Fatal(err)
	}
}

func (s *Store) sender(reachable func(netip.Addr) bool) *Sender {
	sender := NewSender(s, nil, reachable, slog.New(slog.DiscardHandler))
	sender.pause = func(context.Context, time.Duration) {}
	return sender
}

func due(t *testing.T, sender *Sender) {
	t.Helper()
	if err := sender.SendDue(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func (s *Store) last(t *testing.T, id account.ID) Delivery {
	t.Helper()
	all, err := s.Deliveries(t.Context(), id, 1)
	if err != nil || len(all) != 1 {
		t.Fatalf("deliveries %v, %v", all, err)
	}
	return all[0]
}

func TestAddressesThatAreRefused(t *testing.T) {
	t.Parallel()
	s, id := newWebhooks(t)
	public := NewStore(s.pool, s.seal, false)
	for _, address := range []string{
		"", "exemplo.com", "http://exemplo.com/", "ftp://exemplo.com/", "https://", "https:///x", "https://ana:senha@exemplo.com/", "https://exemplo.com/#x",
		"https://exemplo.com/ x", "javascript:alert(1)", "https://exemplo.com/" + strings.Repeat("x", maxURL),
	} {
		if _, err := public.Create(t.Context(), id, "formulario", address); !errors.Is(err, ErrURL) {
			t.Errorf("%q: %v", address, err)
		}
	}
	for i := range Most {
		if _, err := public.Create(t.Context(), id, strings.Repeat("x", i+1), "https://exemplo.com/"+strconv.Itoa(i)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := public.Create(t.Context(), id, "outro", "https://exemplo.com/0"); !errors.Is(err, ErrSameURL) {
		t.Errorf("an address twice: %v", err)
	}
	if _, err := public.Create(t.Context(), id, "outro", "https://exemplo.com/"); !errors.Is(err, ErrTooMany) {
		t.Errorf("a sixth webhook: %v", err)
	}
	if _, err := public.Create(t.Context(), id+1, "outro", "https://exemplo.com/"); !errors.Is(err, account.ErrNoAccount) {
		t.Errorf("no account: %v", err)
	}
}

// TestSSRF asks for loopback, by name and number, for a private network, and for a public address that
// redirects there: nothing is connected to.
func TestSSRF(t *testing.T) {
	t.Parallel()
	s, id := newWebhooks(t)
	var asked atomic.Int32
	inside := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	t.Cleanup(inside.Close)
	_, port, err := net.SplitHostPort(inside.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	for i, host := range []string{"127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "[::1]", "0.0.0.0"} {
		s.queue(t, s.create(t, id, "http://"+host+":"+port+"/"+strconv.Itoa(i)))
	}
	due(t, s.sender(outbound.IsPublic))
	if asked.Load() != 0 {
		t.Errorf("%d requests went to loopback", asked.Load())
	}
	if d := s.last(t, id); d.Delivered != nil || d.Answer != "sem conexão" {
		t.Errorf("%+v", d)
	}
	s.exec(t, `DELETE FROM webhook`)
	outside := httptest.NewServer(http.RedirectHandler(inside.URL, http.StatusTemporaryRedirect))
	t.Cleanup(outside.Close)
	s.queue(t, s.create(t, id, outside.URL))
	due(t, s.sender(outbound.IsPublicOrLoopback))
	if d := s.last(t, id); asked.Load() != 0 || d.Answer != "307" || d.Delivered != nil {
		t.Errorf("a redirect: %d requests, %+v", asked.Load(), d)
	}
}

// TestThreeDays lets every try fail, and looks at the waits.
func TestThreeDays(t *testing.T) {
	t.Parallel()
	s, id := newWebhooks(t)
	down := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(down.Close)
	s.queue(t, s.create(t, id, down.URL))
	sender := s.sender(outbound.IsPublicOrLoopback)
	var all time.Duration
	for try := 1; ; try++ {
		s.exec(t, `UPDATE webhook SET retry_at = now()`)
		s.exec(t, `UPDATE webhook_delivery SET next_try_at = now()`)
		due(t, sender)
		d := s.last(t, id)
		if d.Tries != try {
			t.Fatalf("%d tries, want %d", d.Tries, try)
		}
		if d.Next == nil {
			break
		}
		all += d.Next.Sub(*d.TriedAt).Round(time.Second)
		var rest time.Duration
		if err := s.pool.QueryRow(t.Context(), `SELECT retry_at - now() FROM webhook`).Scan(&rest); err != nil || rest < waits[try-1]-time.Minute {
			t.Errorf("after try %d the webhook rests for %s, %v", try, rest, err)
		}
	}
	if all < 72*time.Hour || all > 76*time.Hour {
		t.Errorf("given up after %s", all)
	}
	s.queue(t, s.create(t, id, down.URL)) // of a webhook that rests: it is given up when its time is over
	s.exec(t, `UPDATE webhook_delivery SET expires_at = now() - interval '1 s'`)
	if err := s.Purge(t.Context()); err != nil {
		t.Fatal(err)
	}
	var waiting int
	if err := s.pool.QueryRow(t.Context(), `SELECT count(*) FROM webhook_delivery WHERE next_try_at IS NOT NULL`).Scan(&waiting); err != nil || waiting != 0 {
		t.Errorf("%d events wait for ever, %v", waiting, err)
	}
}

// TestHangingWebhookHoldsUpNobody sends to a webhook that does not answer, with many events, and to another.
func TestHangingWebhookHoldsUpNobody(t *testing.T) {
	t.Parallel()
	s, id := newWebhooks(t)
	release := make(chan struct{})
	hanging := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-release }))
	t.Cleanup(hanging.Close)
	arrived := make(chan string, 100)
	healthy := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { arrived <- r.Header.Get("Webhook-Id") }))
	t.Cleanup(healthy.Close)
	bad, good := s.create(t, id, hanging.URL), s.create(t, id, healthy.URL)
	for range 2 * sendersAtOnce {
		s.queue(t, bad)
	}
	s.queue(t, good, good, good)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { s.sender(outbound.IsPublicOrLoopback).Run(ctx); close(done) }()
	ids := map[string]bool{}
	for range 3 {
		ids[<-arrived] = true
	}
	if len(ids) != 3 {
		t.Errorf("ids %v", ids)
	}
	cancel()
	close(release)
	<-done
}

// TestOtherSecret lets a webhook rest whose signatures nobody could verify.
func TestOtherSecret(t *testing.T) {
	t.Parallel()
	s, id := newWebhooks(t)
	s.queue(t, s.create(t, id, "https://exemplo.com/"))
	other := NewStore(s.pool, seal.New("another secret"), true)
	all, err := other.List(t.Context(), id)
	if err != nil || len(all) != 1 || all[0].Disabled != OtherSecret {
		t.Errorf("%+v, %v", all, err)
	}
	due(t, other.sender(func(netip.Addr) bool { t.Error("dialled"); return false }))
	if d := s.last(t, id); d.Tries != 0 {
		t.Errorf("%+v", d)
	}
}
