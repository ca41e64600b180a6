package signin

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"razao/internal/people/account"
)

var client = netip.MustParseAddr("192.0.2.1")

var linkInMail = regexp.MustCompile(`https://razao\.example/auth/callback\?\S+`)

// lastLink returns the parameters of the link in the latest mail to an address.
func (b *harness) lastLink(t *testing.T, email string) url.Values {
	t.Helper()
	const query = `SELECT body FROM mail_outbox WHERE recipient = $1 ORDER BY id DESC LIMIT 1`
	var text string
	if err := b.pool.QueryRow(t.Context(), query, email).Scan(&text); err != nil {
		t.Fatalf("mail to %s: %v", email, err)
	}
	u, err := url.Parse(linkInMail.FindString(text))
	if err != nil || u.Query().Get("token") == "" {
		t.Fatalf("no link in %q: %v", text, err)
	}
	return u.Query()
}

func (b *harness) mustSend(t *testing.T, email, next string) url.Values {
	t.Helper()
	if err := b.SendLink(t.Context(), "", email, next, client); err != nil {
		t.Fatal(err)
	}
	parsed, err := account.ParseEmail(email)
	if err != nil {
		t.Fatal(err)
	}
	return b.lastLink(t, parsed)
}

func TestSignInByMail(t *testing.T) {
	t.Parallel()
	b := newHarness(t)
	link := b.mustSend(t, " Ana@Exemplo.com", "/busca?q=a&uf=SP")
	if link.Get("next") != "/busca?q=a&uf=SP" {
		t.Errorf("next is %q", link.Get("next"))
	}
	if n := b.count(t, "account"); n != 0 {
		t.Errorf("asking for a link made %d accounts", n)
	}
	token := link.Get("token")
	for range 3 { // a mail scanner, then the person
		if email, err := b.Link(t.Context(), token); email != "Ana@exemplo.com" || err != nil {
			t.Fatalf("Link = %q, %v", email, err)
		}
	}
	first, err := b.UseLink(t.Context(), token)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.UseLink(t.Context(), token); !errors.Is(err, ErrLink) {
		t.Errorf("link used twice: %v, want ErrLink", err)
	}
	if _, err := b.Link(t.Context(), token); !errors.Is(err, ErrLink) {
		t.Errorf("page of a used link: %v, want ErrLink", err)
	}
	link = b.mustSend(t, "ana@exemplo.com", "//evil.example")
	if link.Has("next") {
		t.Errorf("next is %q", link.Get("next"))
	}
	if second, err := b.UseLink(t.Context(), link.Get("token")); err != nil || second != first {
		t.Errorf("second sign-in: account %d, %v, want %d", second, err, first)
	}
}

func TestLinkOpensOnce(t *testing.T) {
	t.Parallel()
	b := newHarness(t)
	token := b.mustSend(t, "ana@exemplo.com", "").Get("token")
	var opened atomic.Int32
	var all sync.WaitGroup
	for range 10 {
		all.Go(func() {
			_, err := b.UseLink(t.Context(), token)
			if err == nil {
				opened.Add(1)
			} else if !errors.Is(err, ErrLink) {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if opened.Load() != 1 {
		t.Errorf("the link opened %d times", opened.Load())
	}
}

func TestLinkExpires(t *testing.T) {
	t.Parallel()
	b := newHarness(t)
	tests := []struct {
		age   time.Duration
		alive bool
	}{
		{14*time.Minute + 50*time.Second, true},
		{LinkLifetime + time.Second, false},
	}
	for _, tt := range tests {
		token := b.mustSend(t, "ana@exemplo.com", "").Get("token")
		b.execute(t, `UPDATE magic_link SET created_at = now() - $1::interval`, tt.age)
		if _, err := b.Link(t.Context(), token); (err == nil) != tt.alive || err != nil && !errors.Is(err, ErrLink) {
			t.Errorf("page after %s: %v", tt.age, err)
		}
		if _, err := b.UseLink(t.Context(), token); (err == nil) != tt.alive || err != nil && !errors.Is(err, ErrLink) {
			t.Errorf("use after %s: %v", tt.age, err)
		}
	}
}

func TestTamperedLinks(t *testing.T) {
	t.Parallel()
	b := newHarness(t)
	token := b.mustSend(t, "ana@exemplo.com", "").Get("token")
	for _, bad := range []string{"", token[1:], token + "=", strings.ToLower(token), "\x00", strings.Repeat("a", 10_000)} {
		if _, err := b.UseLink(t.Context(), bad); !errors.Is(err, ErrLink) {
			t.Errorf("token %.50q: %v, want ErrLink", bad, err)
		}
	}
	var row string
	if err := b.pool.QueryRow(t.Context(), `SELECT magic_link::text FROM magic_link`).Scan(&row); err != nil || strings.Contains(row, token) {
		t.Errorf("the row holds the token: %s, %v", row, err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := b.UseLink(ended, token); err == nil || errors.Is(err, ErrLink) {
		t.Errorf("no answer from the database: %v, want trouble", err)
	}
	if _, err := b.Link(ended, token); err == nil || errors.Is(err, ErrLink) {
		t.Errorf("no answer from the database: %v, want trouble", err)
	}
}

// TestNobodyLearnsWhoHasAnAccount compares the effects of requesting a link for a known and an
// unknown address.
func TestNobodyLearnsWhoHasAnAccount(t *testing.T) {
	t.Parallel()
	b := newHarness(t)
	if _, err := b.accounts.ByEmail(t.Context(), "ana@exemplo.com"); err != nil {
		t.Fatal(err)
	}
	var texts [2]string
	for i, email := range []string{"ana@exemplo.com", "eva@exemplo.com"} {
		token := b.mustSend(t, email, "").Get("token")
		const query = `SELECT subject || body FROM mail_outbox WHERE recipient = $1`
		if err := b.pool.QueryRow(t.Context(), query, email).Scan(&texts[i]); err != nil {
			t.Fatal(err)
		}
		texts[i] = strings.ReplaceAll(texts[i], token, "TOKEN")
		for range linksPerAddress - 1 {
			b.mustSend(t, email, "")
		}
		var quota *QuotaError
		if err := b.SendLink(t.Context(), "", email, "", client); !errors.As(err, &quota) {
			t.Errorf("%s: %v, want a QuotaError", email, err)
		}
	}
	if texts[0] != texts[1] {
		t.Errorf("the mails differ:\n%s\n%s", texts[0], texts[1])
	}
}

func TestMailBombing(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		email func(i int) string
		from  func(i int) string
		want  int
	}{
		{
			"one address, from everywhere",
			func(i int) string { return []string{"ana@exemplo.com", "ANA@EXEMPLO.COM"}[i%2] },
			func(i int) string { return fmt.Sprintf("192.0.2.%d", i) },
			linksPerAddress,
		},
		{
			"one mailbox by many addresses, from everywhere",
			func(i int) string { return fmt.Sprintf("ana+%d@exemplo.com", i) },
			func(i int) string { return fmt.Sprintf("192.0.2.%d", i) },
			linksPerAddress,
		},
		{
			"many addresses, from one client",
			func(i int) string { return fmt.Sprintf("ana%d@exemplo.com", i) },
			func(int) string { return "192.0.2.1" },
			linksPerClient,
		},
		{
			"many addresses, from one network of IPv6",
			func(i int) string { return fmt.Sprintf("ana%d@exemplo.com", i) },
			func(i int) string { return fmt.Sprintf("2001:db8::%x", i) },
			linksPerClient,
		},
		{
			"many people",
			func(i int) string { return fmt.Sprintf("ana%d@exemplo.com", i) },
			func(i int) string { return fmt.Sprintf("2001:db8:0:%x::1", i) },
			50,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := newHarness(t)
			var all sync.WaitGroup
			for i := range 50 {
				all.Go(func() {
					err := b.SendLink(t.Context(), "", tt.email(i), "", netip.MustParseAddr(tt.from(i)))
					var quota *QuotaError
					if err != nil && (!errors.As(err, &quota) || quota.Wait <= 0 || quota.Wait > LinkLifetime) {
						t.Error(err)
					}
				})
			}
			all.Wait()
			if links, mails := b.count(t, "magic_link"), b.count(t, "mail_outbox"); links != tt.want || mails != tt.want {
				t.Errorf("%d links and %d mails, want %d", links, mails, tt.want)
			}
			b.execute(t, `UPDATE signin_quota SET since = since - interval '15 minutes'`)
			if err := b.SendLink(t.Context(), "", tt.email(0), "", netip.MustParseAddr(tt.from(0))); err != nil {
				t.Errorf("after the wait: %v", err)
			}
		})
	}
}

// TestFormSentTwice sends forms again, at once and with the quota of the address used up: a form sends one mail to an address, and
// counts once. After a quarter of an hour, or for another address, it sends another.
func TestFormSentTwice(t *testing.T) {
	t.Parallel()
	b := newHarness(t)
	send := func(form, email string) error {
		return b.SendLink(t.Context(), form, email, "", netip.MustParseAddr("192.0.2.1"))
	}
	for i := range linksPerAddress {
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				if err := send(fmt.Sprint("form ", i), "ana@exemplo.com"); err != nil {
					t.Errorf("form %d: %v", i, err)
				}
			})
		}
		all.Wait()
	}
	sent := func(want int) {
		t.Helper()
		if links, mails := b.count(t, "magic_link"), b.count(t, "mail_outbox"); links != want || mails != want {
			t.Errorf("%d links and %d mails, want %d", links, mails, want)
		}
	}
	sent(linksPerAddress)
	for range 2 {
		if err := send("one more", "ana@exemplo.com"); !errors.As(err, new(*QuotaError)) {
			t.Errorf("a form beyond the quota: %v", err)
		}
	}
	if err := send("form 0", "bia@exemplo.com"); err != nil {
		t.Errorf("another address: %v", err)
	}
	sent(linksPerAddress + 1)
	b.execute(t, `UPDATE signin_quota SET since = since - interval '15 minutes'`)
	if err := send("form 0", "ana@exemplo.com"); err != nil {
		t.Errorf("later: %v", err)
	}
	sent(linksPerAddress + 2)
}

// TestClientsWithoutAnAddress requests links over a Unix socket, where every client's address is
// unknown: they share no quota, or one of them could lock out the others. Each mailbox keeps its own.
func TestClientsWithoutAnAddress(t *testing.T) {
	t.Parallel()
	b := newHarness(t)
	for i := range linksPerClient + 1 {
		if err := b.SendLink(t.Context(), "", fmt.Sprintf("ana%d@exemplo.com", i), "", netip.Addr{}); err != nil {
			t.Fatalf("link %d: %v", i+1, err)
		}
	}
	for i := range linksPerAddress + 1 {
		err := b.SendLink(t.Context(), "", "bia@exemplo.com", "", netip.Addr{})
		if exceeded := errors.As(err, new(*QuotaError)); exceeded != (i == linksPerAddress) || err != nil && !exceeded {
			t.Errorf("link %d to one mailbox: %v", i+1, err)
		}
	}
}

func TestBadAddressesGetNoMail(t *testing.T) {
	t.Parallel()
	b := newHarness(t)
	bad := []string{
		"", "ana", "ana@exemplo.com\r\nBcc: bia@exemplo.com", "ana@exemplo.com%0aBcc: bia@exemplo.com", "ana@exemplo.com,bia@exemplo.com",
		"Ana <ana@exemplo.com>", "аna@exemplo.com", "\u212Aat@exemplo.com", "ana@[127.0.0.1]", strings.Repeat("a", 300) + "@exemplo.com",
	}
	for _, email := range bad {
		if err := b.SendLink(t.Context(), "", email, "", client); !errors.Is(err, account.ErrInvalidEmail) {
			t.Errorf("%q: %v, want ErrInvalidEmail", email, err)
		}
	}
	if n := b.count(t, "mail_outbox"); n != 0 {
		t.Errorf("%d mails were queued", n)
	}
	if err := b.SendLink(t.Context(), "", "ana@exemplo.com", "/a\r\nb", netip.Addr{}); err != nil {
		t.Errorf("client without an address: %v", err)
	}
}
