package mail

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"mime"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"razao/internal/testing/mailtest"
	"razao/internal/testing/pgtest"
)

var letter = Message{
	To: "ana@exemplo.com", Subject: "Entrar na Razão", Lifetime: 15 * time.Minute,
	Text: "Olá,\n\nabra https://razao.example/auth/callback?token=abc para entrar.\n.\nRazão\n",
}

func open(t *testing.T, pool *pgxpool.Pool, url string, log *slog.Logger) *Outbox {
	t.Helper()
	o, err := Open(pool, Config{URL: url, From: "Razão <nao-responda@razao.example>", Dir: filepath.Join(t.TempDir(), "mail"), Log: log})
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func silent() *slog.Logger { return slog.New(slog.DiscardHandler) }

func queue(t *testing.T, pool *pgxpool.Pool, m Message) {
	t.Helper()
	err := pgx.BeginFunc(t.Context(), pool, func(tx pgx.Tx) error { return Queue(t.Context(), tx, m) })
	if err != nil {
		t.Fatal(err)
	}
}

// waiting returns how many mails are queued and the longest time until a next try.
func waiting(t *testing.T, pool *pgxpool.Pool) (n int, wait time.Duration) {
	t.Helper()
	const query = `SELECT count(*), coalesce(max(next_try_at) - now(), '0') FROM mail_outbox`
	if err := pool.QueryRow(t.Context(), query).Scan(&n, &wait); err != nil {
		t.Fatal(err)
	}
	return n, wait
}

func send(t *testing.T, o *Outbox) {
	t.Helper()
	if err := o.sendDue(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func TestMailArrivesBySMTP(t *testing.T) {
	t.Parallel()
	for name, s := range map[string]*mailtest.Server{"polite server": {}, "server that hangs up": {HangUp: true}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pool := pgtest.Pool(t)
			o := open(t, pool, s.Start(t), silent())
			queue(t, pool, letter)
			send(t, o)
			send(t, o)
			if n := len(s.Box(letter.To)); n != 1 {
				t.Fatalf("%d mails arrived, want one", n)
			}
			got := <-s.Box(letter.To)
			if !strings.Contains(got.From, "<nao-responda@razao.example>") {
				t.Errorf("envelope from %s", got.From)
			}
			header, text := mailtest.Read(t, got.Raw)
			subject, err := new(mime.WordDecoder).DecodeHeader(header.Get("Subject"))
			if err != nil || subject != letter.Subject {
				t.Errorf("subject %q, %v", subject, err)
			}
			if strings.TrimRight(text, "\n") != strings.TrimRight(letter.Text, "\n") {
				t.Errorf("text %q", text)
			}
			if coding := header.Get("Content-Transfer-Encoding"); coding != "quoted-printable" {
				t.Errorf("a mail in %s", coding)
			}
			if header.Get("Date") == "" || !strings.HasSuffix(header.Get("Message-Id"), "@razao.example>") || header.Get("Auto-Submitted") == "" {
				t.Errorf("headers %v", header)
			}
			if n, _ := waiting(t, pool); n != 0 {
				t.Errorf("%d mails are kept after they were sent", n)
			}
		})
	}
}

func TestBacklog(t *testing.T) {
	t.Parallel()
	pool := pgtest.Pool(t)
	o := open(t, pool, "", silent())
	if b, err := o.Backlog(t.Context()); err != nil || b != (Backlog{}) {
		t.Errorf("nothing waits: %+v, %v", b, err)
	}
	queue(t, pool, letter)
	queue(t, pool, letter)
	const older = `UPDATE mail_outbox SET created_at = created_at - interval '1 hour' WHERE id = (SELECT max(id) FROM mail_outbox)`
	if _, err := pool.Exec(t.Context(), older); err != nil {
		t.Fatal(err)
	}
	if b, err := o.Backlog(t.Context()); err != nil || b.Mails != 2 || b.Oldest < time.Hour || b.Oldest > 2*time.Hour {
		t.Errorf("two wait: %+v, %v", b, err)
	}
	send(t, o)
	if b, err := o.Backlog(t.Context()); err != nil || b != (Backlog{}) {
		t.Errorf("all are sent: %+v, %v", b, err)
	}
}

func TestMailIsTriedAgain(t *testing.T) {
	t.Parallel()
	pool := pgtest.Pool(t)
	var busy atomic.Bool
	busy.Store(true)
	s := &mailtest.Server{Refuse: func(string) string {
		if busy.Load() {
			return "451 try again later"
		}
		return ""
	}}
	o := open(t, pool, s.Start(t), silent())
	queue(t, pool, letter)
	for try, want := range []time.Duration{5, 10, 20, 40} {
		send(t, o)
		send(t, o) // not due
		n, wait := waiting(t, pool)
		if want *= time.Second; n != 1 || wait > want || wait < want-4*time.Second {
			t.Fatalf("after try %d: %d mails wait %s, want one and %s", try+1, n, wait, want)
		}
		if _, err := pool.Exec(t.Context(), `UPDATE mail_outbox SET next_try_at = now()`); err != nil {
			t.Fatal(err)
		}
	}
	busy.Store(false)
	send(t, o)
	if n, _ := waiting(t, pool); n != 0 || len(s.Box(letter.To)) != 1 {
		t.Errorf("%d mails wait and %d arrived, want one to arrive", n, len(s.Box(letter.To)))
	}
}

func TestMailServerIsAway(t *testing.T) {
	t.Parallel()
	pool := pgtest.Pool(t)
	s := &mailtest.Server{}
	url := s.Start(t)
	s.Stop()
	var logged bytes.Buffer
	o := open(t, pool, url, slog.New(slog.NewTextHandler(&logged, nil)))
	queue(t, pool, letter)
	send(t, o)
	if n, wait := waiting(t, pool); n != 1 || wait <= 0 {
		t.Errorf("%d mails wait %s, want one to wait", n, wait)
	}
	if !strings.Contains(logged.String(), "mail not sent") {
		t.Errorf("the log says nothing: %s", &logged)
	}
}

func TestRefusedAndExpiredMailsAreDropped(t *testing.T) {
	t.Parallel()
	pool := pgtest.Pool(t)
	var logged bytes.Buffer
	s := &mailtest.Server{Refuse: func(to string) string { return "550 nobody called " + to }}
	o := open(t, pool, s.Start(t), slog.New(slog.NewTextHandler(&logged, nil)))
	queue(t, pool, letter)
	late := letter
	late.Lifetime = -time.Second
	queue(t, pool, late)
	send(t, o)
	if n, _ := waiting(t, pool); n != 0 || len(s.Box(letter.To)) != 0 {
		t.Errorf("%d mails wait, %d arrived, want none", n, len(s.Box(letter.To)))
	}
	for _, want := range []string{"refused for good", "code 550", "could not be sent in time"} {
		if !strings.Contains(logged.String(), want) {
			t.Errorf("the log does not say %q: %s", want, &logged)
		}
	}
	if strings.Contains(logged.String(), letter.To) {
		t.Errorf("the log names the recipient: %s", &logged)
	}
}

func TestEachMailIsSentByOneProcess(t *testing.T) {
	t.Parallel()
	pool := pgtest.Pool(t)
	s := &mailtest.Server{}
	url := s.Start(t)
	const mails = 20
	for range mails {
		queue(t, pool, letter)
	}
	var processes sync.WaitGroup
	for range 3 {
		o := open(t, pool, url, silent())
		processes.Go(func() {
			if err := o.sendDue(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	processes.Wait()
	if n, _ := waiting(t, pool); n != 0 || len(s.Box(letter.To)) != mails {
		t.Errorf("%d mails wait, %d arrived, want %d to arrive", n, len(s.Box(letter.To)), mails)
	}
}

func TestRunSendsUntilItsContextEnds(t *testing.T) {
	t.Parallel()
	pool := pgtest.Pool(t)
	ctx, stop := context.WithCancel(t.Context())
	s := &mailtest.Server{Refuse: func(string) string { stop(); return "" }} // it arrives although the program is stopping
	o := open(t, pool, s.Start(t), silent())
	queue(t, pool, letter)
	o.Run(ctx)
	if n, _ := waiting(t, pool); n != 0 || len(s.Box(letter.To)) != 1 {
		t.Errorf("%d mails wait, %d arrived, want one to arrive", n, len(s.Box(letter.To)))
	}
}

func TestMailWithoutAServerIsAFile(t *testing.T) {
	t.Parallel()
	pool := pgtest.Pool(t)
	var logged bytes.Buffer
	o := open(t, pool, "", slog.New(slog.NewTextHandler(&logged, nil)))
	queue(t, pool, letter)
	send(t, o)
	files, err := filepath.Glob(filepath.Join(o.transport.(folder).dir, "*.eml"))
	if err != nil || len(files) != 1 {
		t.Fatalf("files %v, %v, want one", files, err)
	}
	raw, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	header, text := mailtest.Read(t, string(raw))
	if header.Get("To") != "<ana@exemplo.com>" || !strings.Contains(text, "https://razao.example/auth/callback?token=abc para entrar.") {
		t.Errorf("mail to %q: %q", header.Get("To"), text)
	}
	if info, err := os.Stat(files[0]); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file is open to others: %v, %v", info.Mode(), err)
	}
	if log := logged.String(); strings.Contains(log, "token") || !strings.Contains(log, files[0]) {
		t.Errorf("the log holds the link, or not where the mail is: %s", log)
	}
}

// A magic link signs in whoever reads it, so the log has only links to loopback.
func TestLinksInTheLog(t *testing.T) {
	t.Parallel()
	pool := pgtest.Pool(t)
	for base, want := range map[string]bool{
		"http://127.0.0.1:8080": true, "http://localhost:8080": true, "http://[::1]:8080": true,
		"https://razao.example": false, "http://razao.example": false, "http://192.168.0.9": false, "https://localhost": false,
		"http://localhost.razao.example": false, "http://localhost@razao.example": false,
	} {
		var logged bytes.Buffer
		o := open(t, pool, "", slog.New(slog.NewTextHandler(&logged, nil)))
		m := letter
		m.Text = "Abra " + base + "/auth/callback?token=abc para entrar."
		queue(t, pool, m)
		send(t, o)
		if got := strings.Contains(logged.String(), "token=abc"); got != want || !strings.Contains(logged.String(), ".eml") {
			t.Errorf("%s: link logged: %t, want %t: %s", base, got, want, &logged)
		}
	}
}

func TestHeaderInjectionIsRefused(t *testing.T) {
	t.Parallel()
	pool := pgtest.Pool(t)
	tests := []struct {
		name   string
		change func(*Message)
	}{
		{"line break in the address", func(m *Message) { m.To = "ana@exemplo.com\r\nBcc: bia@exemplo.com" }},
		{"two addresses", func(m *Message) { m.To = "ana@exemplo.com, bia@exemplo.com" }},
		{"name before the address", func(m *Message) { m.To = "Ana <ana@exemplo.com>" }},
		{"no address", func(m *Message) { m.To = "" }},
		{"line feed in the subject", func(m *Message) { m.Subject = "Olá\nBcc: bia@exemplo.com" }},
		{"carriage return in the subject", func(m *Message) { m.Subject = "Olá\rBcc: bia@exemplo.com" }},
		{"broken UTF-8 in the subject", func(m *Message) { m.Subject = "Ol\xe1" }},
		{"no subject", func(m *Message) { m.Subject = "" }},
		{"NUL in the text", func(m *Message) { m.Text = "a\x00b" }},
		{"carriage return in the text", func(m *Message) { m.Text = "a\rb" }},
	}
	for _, tt := range tests {
		m := letter
		tt.change(&m)
		err := pgx.BeginFunc(t.Context(), pool, func(tx pgx.Tx) error { return Queue(t.Context(), tx, m) })
		if !errors.Is(err, ErrInvalid) {
			t.Errorf("%s: %v, want ErrInvalid", tt.name, err)
		}
	}
	if n, _ := waiting(t, pool); n != 0 {
		t.Errorf("%d mails wait, want none", n)
	}
}

func TestForget(t *testing.T) {
	t.Parallel()
	pool := pgtest.Pool(t)
	o := open(t, pool, "", silent())
	other := letter
	other.To = "bia@exemplo.com"
	queue(t, pool, letter)
	queue(t, pool, other)
	if err := o.Forget(t.Context(), "Ana@exemplo.com"); err != nil {
		t.Fatal(err)
	}
	if n, _ := waiting(t, pool); n != 1 {
		t.Errorf("%d mails wait, want that of another", n)
	}
}

func TestOpenRefusesSettings(t *testing.T) {
	t.Parallel()
	const from = "nao-responda@razao.example"
	tests := []struct {
		url, from string
		ok        bool
	}{
		{"smtp://ana:senha@mail.example:587", from, true},
		{"smtps://ana:senha@mail.example", from, true},
		{"smtp://mail.example?tls=none", from, true},
		{"", from, true},
		{"", "Razão", false},
		{"http://mail.example", from, false},
		{"smtp://", from, false},
		{"smtp://mail.example:porta", from, false},
		{"smtps://mail.example?tls=none", from, false},
		{"smtp://mail.example?tls=optional", from, false},
		{"smtp://ana:senha@mail.example/caixa", from, false},
	}
	for _, tt := range tests {
		_, err := Open(nil, Config{URL: tt.url, From: tt.from})
		if (err == nil) != tt.ok {
			t.Errorf("Open(%q, %q): %v, want ok: %v", tt.url, tt.from, err, tt.ok)
		}
		if err != nil && strings.Contains(err.Error(), "senha") {
			t.Errorf("the error holds the password: %v", err)
		}
	}
}

func TestErrorsDoNotNameTheRecipient(t *testing.T) {
	t.Parallel()
	m := letter
	m.To = "ana@exemplo.com, bia@exemplo.com" // as it cannot be in the outbox
	o := open(t, nil, "", silent())
	if err := o.transport.deliver(t.Context(), o.from, m); !errors.Is(err, errRefused) || strings.Contains(err.Error(), "exemplo") {
		t.Errorf("deliver: %v, want a refusal without the address", err)
	}
}

func TestBackoff(t *testing.T) {
	t.Parallel()
	for tries, want := range map[int]time.Duration{1: 5 * time.Second, 2: 10 * time.Second, 8: 10 * time.Minute, 1000: 10 * time.Minute} {
		if got := backoff(tries); got != want {
			t.Errorf("backoff(%d) = %s, want %s", tries, got, want)
		}
	}
}

// TestDraftsAreWrittenWhenSent queues a digest without a text. It is written when it is sent, has the recipient of the row, and is
// dropped if there is nothing to say any more. One that cannot be written waits.
func TestDraftsAreWrittenWhenSent(t *testing.T) {
	t.Parallel()
	pool := pgtest.Pool(t)
	s := &mailtest.Server{}
	o := open(t, pool, s.Start(t), silent())
	draft := func(text string) {
		t.Helper()
		err := pgx.BeginFunc(t.Context(), pool, func(tx pgx.Tx) error { return QueueDraft(t.Context(), tx, letter.To, text, time.Hour) })
		if err != nil {
			t.Fatal(err)
		}
	}
	draft("digest")
	send(t, o)
	if n, _ := waiting(t, pool); n != 1 {
		t.Errorf("%d drafts wait for somebody who writes them", n)
	}
	draft("obsolete")
	draft("trouble")
	draft("invalid")
	o.Write = func(_ context.Context, text string) (Message, error) {
		m := Message{Subject: "Mudou", Text: text, HTML: "<p>Olá</p>", Unsubscribe: "https://razao.example/avisos/cancelar?token=abc"}
		switch text {
		case "obsolete":
			return Message{}, ErrNothing
		case "trouble":
			return Message{}, errors.New("no database")
		case "invalid":
			m.Unsubscribe = "https://razao.example/\r\nBcc: eva@exemplo.com"
		}
		return m, nil
	}
	send(t, o)
	if n, wait := waiting(t, pool); n != 1 || wait <= 0 {
		t.Errorf("%d drafts wait %s, want the one that could not be written", n, wait)
	}
	if n := len(s.Box(letter.To)); n != 1 {
		t.Fatalf("%d mails arrived", n)
	}
	if got := <-s.Box(letter.To); !strings.Contains(got.Raw, "Subject: Mudou") || !strings.Contains(got.Raw, "List-Unsubscribe: <https://razao.example/avisos/cancelar?token=abc>") {
		t.Error(got.Raw)
	}
	err := pgx.BeginFunc(t.Context(), pool, func(tx pgx.Tx) error {
		return QueueDraft(t.Context(), tx, "ana@exemplo.com\nBcc: bia@exemplo.com", "x", time.Hour)
	})
	if !errors.Is(err, ErrInvalid) {
		t.Errorf("a line break in the recipient: %v", err)
	}
}

// TestSlowMailServerHoldsUpNobody lets a mail server hang for the recipients of an attacker: links of others go out beside them, and so
// do digests, however many wait before them.
func TestSlowMailServerHoldsUpNobody(t *testing.T) {
	t.Parallel()
	pool := pgtest.Pool(t)
	release, hanging := make(chan struct{}), make(chan string, 200)
	s := &mailtest.Server{Refuse: func(to string) string {
		if !strings.HasSuffix(to, "tarpit.example") {
			return ""
		}
		hanging <- to
		<-release
		return "451 later"
	}}
	o := open(t, pool, s.Start(t), silent())
	o.Write = func(context.Context, string) (Message, error) { return Message{Subject: "Mudou", Text: "x"}, nil }
	for i := range 5 * mailsAtOnce {
		m := letter
		m.To = fmt.Sprintf("a@h%d.tarpit.example", i)
		queue(t, pool, m)
		err := pgx.BeginFunc(t.Context(), pool, func(tx pgx.Tx) error { return QueueDraft(t.Context(), tx, m.To, "digest", time.Hour) })
		if err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { o.Run(ctx) })
	for range 2 * domainShare {
		<-hanging
	}
	queue(t, pool, letter) // behind all of them
	err := pgx.BeginFunc(t.Context(), pool, func(tx pgx.Tx) error { return QueueDraft(t.Context(), tx, "bia@exemplo.com", "digest", time.Hour) })
	if err != nil {
		t.Fatal(err)
	}
	<-s.Box(letter.To)
	<-s.Box("bia@exemplo.com")
	if n := len(hanging); n > 0 {
		t.Errorf("the domain holds %d senders beyond its share of %d", n, domainShare)
	}
	cancel()
	close(release)
	running.Wait()
}

// TestRetriesLeaveRoom claims mails of many domains that failed before: half of the senders stay for mails that did not.
func TestRetriesLeaveRoom(t *testing.T) {
	t.Parallel()
	pool := pgtest.Pool(t)
	o := open(t, pool, "", silent())
	for i := range 2 * mailsAtOnce {
		m := letter
		m.To = fmt.Sprintf("a@slow%d.example", i)
		queue(t, pool, m)
	}
	if _, err := pool.Exec(t.Context(), `UPDATE mail_outbox SET tries = 1, next_try_at = now() - interval '1 hour'`); err != nil {
		t.Fatal(err)
	}
	queue(t, pool, letter)
	var held []claim
	for {
		m, err := o.claim(t.Context(), false, held)
		if errors.Is(err, pgx.ErrNoRows) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		held = append(held, m)
	}
	if len(held) != 1+retriesAtOnce || held[0].To != letter.To {
		t.Errorf("claimed %d mails, the first to %s", len(held), held[0].To)
	}
}

func TestDomainOf(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"ana@exemplo.com.br": "exemplo.com.br", "ana@a.b.Exemplo.com.br": "exemplo.com.br", "ana@localhost": "localhost", "ana@[192.0.2.1]": "[192.0.2.1]",
		`"a@b"@exemplo.com`: "exemplo.com",
	} {
		if got := domainOf(address); got != want {
			t.Errorf("%s: %q, want %q", address, got, want)
		}
	}
}
