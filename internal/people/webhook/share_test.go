package webhook

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"razao/internal/data/cnpj"
	"razao/internal/web/outbound"
)

// receiver serves at an address of loopback: to a sender each is another network.
func receiver(t *testing.T, ip string, answer http.HandlerFunc) (url string) {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", ip+":0")
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewUnstartedServer(answer)
	_ = s.Listener.Close()
	s.Listener = listener
	s.Start()
	t.Cleanup(s.Close)
	return s.URL
}

// hang returns an answer that comes when release is called, and says who waits for it.
func hang() (answer http.HandlerFunc, waiting chan string, release func()) {
	end := make(chan struct{})
	waiting = make(chan string, 1000)
	return func(_ http.ResponseWriter, r *http.Request) {
		waiting <- r.URL.Path
		<-end
	}, waiting, func() { close(end) }
}

// answering is a receiver of a stranger, which takes every message at once.
func answering(t *testing.T) (url string, got chan string) {
	t.Helper()
	got = make(chan string, 100)
	return receiver(t, "127.0.0.2", func(_ http.ResponseWriter, r *http.Request) { got <- r.URL.Path }), got
}

// run runs a sender until the test ends; what hangs then is let go.
func run(t *testing.T, s *Sender) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { s.Run(ctx) })
	t.Cleanup(running.Wait)
	t.Cleanup(cancel)
}

// prompt makes webhooks look as if they had taken their last message at once.
func (s *Store) prompt(t *testing.T, webhooks ...int64) {
	t.Helper()
	s.exec(t, `UPDATE webhook SET prompt = true WHERE id = ANY ($1)`, webhooks)
}

// TestManyAccountsOfOneReceiverHoldUpNobody is the attack of free accounts with five webhooks each, to one receiver that hangs: of the
// senders for either kind of webhooks it holds the share of its network. A stranger's webhooks, one that has been told before and a
// new one, are told meanwhile.
func TestManyAccountsOfOneReceiverHoldUpNobody(t *testing.T) {
	t.Parallel()
	s, stranger := newWebhooks(t)
	answer, waiting, release := hang()
	defer release()
	bad := receiver(t, "127.0.0.1", answer)
	good, got := answering(t)
	var all []int64
	for a := range 20 {
		id := newAccount(t, s.pool, fmt.Sprintf("eva%d@exemplo.com", a))
		for w := range Most {
			all = append(all, s.create(t, id, fmt.Sprintf("%s/%d/%d", bad, a, w)))
		}
	}
	for range 3 {
		s.queue(t, all...)
	}
	s.prompt(t, all[:len(all)/2]...) // they hang from now on
	run(t, s.sender(outbound.IsPublicOrLoopback))
	for range 2 * networkShare {
		<-waiting
	}
	old, fresh := s.create(t, stranger, good+"/old"), s.create(t, stranger, good+"/new")
	s.prompt(t, old)
	s.queue(t, old, fresh, old, fresh)
	for range 4 {
		<-got
	}
	if n := len(waiting); n > 0 {
		t.Errorf("the receiver holds %d senders beyond its share", n)
	}
}

// TestAccountOfManyReceiversHoldsUpNobody: of one account, to receivers in networks of their own, its share hangs.
func TestAccountOfManyReceiversHoldsUpNobody(t *testing.T) {
	t.Parallel()
	s, stranger := newWebhooks(t)
	answer, waiting, release := hang()
	defer release()
	good, got := answering(t)
	eva := newAccount(t, s.pool, "eva@exemplo.com")
	var all []int64
	for w := range Most {
		all = append(all, s.create(t, eva, receiver(t, fmt.Sprintf("127.0.0.%d", 10+w), answer)))
	}
	for range sendersAtOnce {
		s.queue(t, all...)
	}
	run(t, s.sender(outbound.IsPublicOrLoopback))
	for range accountShare {
		<-waiting
	}
	s.queue(t, s.create(t, stranger, good))
	<-got
	if n := len(waiting); n > 0 {
		t.Errorf("the account holds %d senders beyond its share of %d", n, accountShare)
	}
}

// TestManyAccountsOfManyReceivers: accounts and receivers without number hold the senders for webhooks that are new or slow, and none
// of those for the others.
func TestManyAccountsOfManyReceivers(t *testing.T) {
	t.Parallel()
	s, stranger := newWebhooks(t)
	answer, waiting, release := hang()
	defer release()
	good, got := answering(t)
	for a := range 3 * sendersAtOnce {
		id := newAccount(t, s.pool, fmt.Sprintf("eva%d@exemplo.com", a))
		s.queue(t, s.create(t, id, receiver(t, fmt.Sprintf("127.0.0.%d", 10+a), answer)))
	}
	run(t, s.sender(outbound.IsPublicOrLoopback))
	for range sendersAtOnce {
		<-waiting
	}
	old := s.create(t, stranger, good)
	s.prompt(t, old)
	s.queue(t, old, old, old)
	for range 3 {
		<-got
	}
	if n := len(waiting); n > 0 {
		t.Errorf("%d senders beside the %d for new webhooks hang", n, sendersAtOnce)
	}
}

// TestTurns claims events: first of the account that holds the fewest senders, then of the webhook whose turn was longest ago, however
// many events another has, and however long they wait.
func TestTurns(t *testing.T) {
	t.Parallel()
	s, ana := newWebhooks(t)
	bia := newAccount(t, s.pool, "bia@exemplo.com")
	first, second, last := s.create(t, ana, "https://a.example/"), s.create(t, ana, "https://b.example/"), s.create(t, bia, "https://c.example/")
	for range 10 {
		s.queue(t, first, second)
	}
	s.exec(t, `UPDATE webhook_delivery SET next_try_at = now() - interval '1 day'`)
	s.queue(t, last)
	sender := s.sender(outbound.IsPublic)
	var held []message
	for _, want := range []int64{first, last, second} {
		m, err := sender.claim(t.Context(), false, held)
		if err != nil || m.webhook != want {
			t.Fatalf("webhook %d is next, %v, want %d", m.webhook, err, want)
		}
		held = append(held, m)
	}
	if m, err := sender.claim(t.Context(), false, held); !errors.Is(err, pgx.ErrNoRows) {
		t.Errorf("a webhook gets a second sender: %+v, %v", m, err)
	}
	m, err := sender.claim(t.Context(), false, nil) // as another process does
	if err != nil || m.webhook != first {
		t.Errorf("webhook %d is next, %v, want %d: its turn was longest ago", m.webhook, err, first)
	}
}

// TestDrips answers byte by byte: in the header the event is not delivered, behind it it is. The sender is free when the request's
// time is over, and the webhook is not among the prompt ones.
func TestDrips(t *testing.T) {
	t.Parallel()
	for name, early := range map[string]string{"header": "", "body": "HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, id := newWebhooks(t)
			url := receiver(t, "127.0.0.1", func(w http.ResponseWriter, _ *http.Request) {
				conn, _, err := http.NewResponseController(w).Hijack()
				if err != nil {
					t.Error(err)
					return
				}
				defer func() { _ = conn.Close() }()
				_, err = conn.Write([]byte(early))
				for ; err == nil; time.Sleep(time.Millisecond) { // until the sender has gone
					_, err = conn.Write([]byte("H"))
				}
			})
			s.queue(t, s.create(t, id, url))
			sender := s.sender(outbound.IsPublicOrLoopback)
			sender.timeout = 100 * time.Millisecond
			due(t, sender)
			d := s.last(t, id)
			if delivered := d.Delivered != nil; delivered != (early != "") || !delivered && d.Answer != "sem conexão" && d.Answer != "sem resposta em 15 s" {
				t.Errorf("%+v", d)
			}
		})
	}
}

// TestRestingWebhookRests lets a webhook fail. Neither a test of its owner nor "reenviar" nor "ligar" wakes it.
func TestRestingWebhookRests(t *testing.T) {
	t.Parallel()
	s, id := newWebhooks(t)
	asked := make(chan string, 10)
	url := receiver(t, "127.0.0.1", func(w http.ResponseWriter, r *http.Request) {
		asked <- r.URL.Path
		w.WriteHeader(http.StatusInternalServerError)
	})
	webhook := s.create(t, id, url)
	s.queue(t, webhook)
	sender := s.sender(outbound.IsPublicOrLoopback)
	due(t, sender)
	all, err := s.List(t.Context(), id)
	if err != nil || len(all) != 1 || all[0].RestsUntil == nil || all[0].Failures != 1 {
		t.Fatalf("%+v, %v", all, err)
	}
	if err := s.Test(t.Context(), id, "formulario", webhook); !errors.Is(err, ErrResting) {
		t.Errorf("a test: %v", err)
	}
	if err := s.Resend(t.Context(), id, s.last(t, id).ID); err != nil {
		t.Error(err)
	}
	if err := s.Enable(t.Context(), id, webhook); err != nil {
		t.Error(err)
	}
	due(t, sender)
	if n := len(asked); n != 1 {
		t.Errorf("a resting webhook was asked %d times", n)
	}
	s.exec(t, `UPDATE webhook SET retry_at = now()`)
	due(t, sender)
	if n := len(asked); n != 2 || s.last(t, id).Tries != 1 {
		t.Errorf("after its rest it was asked %d times", n)
	}
}

// TestGoneIsNoWakeUp answers 410, is used again by its owner, and so on: each time it rests longer, as after any other failure.
func TestGoneIsNoWakeUp(t *testing.T) {
	t.Parallel()
	s, id := newWebhooks(t)
	url := receiver(t, "127.0.0.1", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusGone) })
	webhook := s.create(t, id, url)
	sender := s.sender(outbound.IsPublicOrLoopback)
	for failures := 1; failures <= 3; failures++ {
		s.exec(t, `UPDATE webhook SET retry_at = now()`)
		s.queue(t, webhook)
		due(t, sender)
		if all, err := s.List(t.Context(), id); err != nil || all[0].Disabled != Gone {
			t.Fatalf("%+v, %v", all, err)
		}
		if err := s.Enable(t.Context(), id, webhook); err != nil {
			t.Fatal(err)
		}
		all, err := s.List(t.Context(), id)
		if err != nil || all[0].Disabled != "" || all[0].Failures != failures || all[0].RestsUntil == nil {
			t.Errorf("%+v, %v", all, err)
		}
	}
}

// TestNowhereIsOneReasonAndOneTime: a name that leads into this server's network, an address in it and a name that does not exist have
// the same words, and none is told sooner than a server that does not answer.
func TestNowhereIsOneReasonAndOneTime(t *testing.T) {
	t.Parallel()
	s, id := newWebhooks(t)
	sender := s.sender(outbound.IsPublic)
	var waited []time.Duration
	var mu sync.Mutex
	sender.pause = func(_ context.Context, d time.Duration) {
		mu.Lock()
		defer mu.Unlock()
		waited = append(waited, d)
	}
	for _, address := range []string{"http://localhost:1/", "http://10.0.0.1/", "http://[fd00::1]/", "http://does-not-exist.invalid/"} {
		s.queue(t, s.create(t, id, address))
	}
	due(t, sender)
	all, err := s.Deliveries(t.Context(), id, 10)
	if err != nil || len(all) != 4 {
		t.Fatalf("%+v, %v", all, err)
	}
	for _, d := range all {
		if d.Answer != "sem conexão" {
			t.Errorf("%+v", d)
		}
	}
	if len(waited) != 4 || slices.Min(waited) <= 0 || slices.Max(waited) > answerTimeout {
		t.Errorf("waited %v", waited)
	}
}

// TestFormWithAnotherAddress sends the form of a webhook again: with the same address it shows the same secret for five minutes, with
// another one, or later, none.
func TestFormWithAnotherAddress(t *testing.T) {
	t.Parallel()
	s, id := newWebhooks(t)
	const address = "https://exemplo.com/"
	secret, err := s.Create(t.Context(), id, "formulario", address)
	if err != nil || !strings.HasPrefix(secret, secretPrefix) {
		t.Fatal(secret, err)
	}
	if again, err := s.Create(t.Context(), id, "formulario", address); err != nil || again != secret {
		t.Errorf("the same form: %q, %v", again, err)
	}
	if again, err := s.Create(t.Context(), id, "formulario", address+"outro"); !errors.Is(err, ErrFormUsed) || again != "" {
		t.Errorf("with another address: %q, %v", again, err)
	}
	s.exec(t, `UPDATE webhook SET created_at = created_at - interval '6 minutes'`)
	if again, err := s.Create(t.Context(), id, "formulario", address); !errors.Is(err, ErrFormUsed) || again != "" {
		t.Errorf("later: %q, %v", again, err)
	}
	if again, err := s.Create(t.Context(), id, "outro", address); !errors.Is(err, ErrSameURL) || again != "" {
		t.Errorf("another form: %q, %v", again, err)
	}
}

// TestBodiesAreNotStored queues an event about a company. Its body is written at each try, under the same id; what cannot be written
// yet is no failure of the receiver, and what is withdrawn is given up.
func TestBodiesAreNotStored(t *testing.T) {
	t.Parallel()
	s, id := newWebhooks(t)
	got := make(chan string, 10)
	url := receiver(t, "127.0.0.1", func(w http.ResponseWriter, r *http.Request) {
		got <- r.Header.Get("Webhook-Id")
		w.WriteHeader(http.StatusServiceUnavailable)
	})
	webhook := s.create(t, id, url)
	about := Subject{Seq: 7, Root: cnpj.Root(42)}
	err := pgx.BeginFunc(t.Context(), s.pool, func(tx pgx.Tx) error {
		return Queue(t.Context(), tx, []Of{{webhook, Event{Type: "empresa.mudou", About: &about}}})
	})
	if err != nil {
		t.Fatal(err)
	}
	outcomes := []error{ErrNotYet, errors.New("no database"), nil, ErrWithdrawn}
	sender := s.sender(func(a netip.Addr) bool { return outbound.IsPublicOrLoopback(a) })
	for try, outcome := range outcomes {
		sender.write = func(_ context.Context, of Subject, at time.Time) (string, error) {
			if of != about || at.IsZero() {
				t.Errorf("an event about %+v at %s", of, at)
			}
			return "{}", outcome
		}
		s.exec(t, `UPDATE webhook SET retry_at = now()`)
		s.exec(t, `UPDATE webhook_delivery SET next_try_at = now()`)
		due(t, sender)
		if d := s.last(t, id); d.Tries != []int{0, 0, 1, 2}[try] || (d.Next == nil) != (outcome == ErrWithdrawn) { //nolint:errorlint // as it is in the table
			t.Errorf("after %v: %+v", outcome, d)
		}
	}
	if d := s.last(t, id); len(got) != 1 || d.Answer != Withdrawn {
		t.Errorf("asked %d times, %+v", len(got), d)
	}
	err = pgx.BeginFunc(t.Context(), s.pool, func(tx pgx.Tx) error {
		return Queue(t.Context(), tx, []Of{{webhook, Event{Type: "empresa.mudou", Body: `{"email":"ana@exemplo.com"}`}}})
	})
	if err == nil {
		t.Error("what a load changed of a company is stored as text")
	}
}
