package signin

import (
	"context"
	"errors"
	"log/slog"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"razao/internal/people/account"
	"razao/internal/people/mail"
	"razao/internal/people/seal"
	"razao/internal/testing/pgtest"
)

// harness is a Service with its database and accounts.
type harness struct {
	*Service
	pool     *pgxpool.Pool
	accounts *account.Store
}

func newHarness(t *testing.T, providers ...Provider) *harness {
	t.Helper()
	pool := pgtest.Pool(t)
	outbox, err := mail.Open(pool, mail.Config{From: "nao-responda@razao.example", Dir: t.TempDir(), Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	b := &harness{pool: pool, accounts: account.NewStore(pool, nil)}
	b.Service, err = New(Config{
		Pool: pool, Accounts: b.accounts, Outbox: outbox, Providers: providers, BaseURL: "https://razao.example/",
	})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// UseLink consumes a link and returns whose it is.
func (b *harness) UseLink(ctx context.Context, token string) (who account.ID, err error) {
	err = b.Service.UseLink(ctx, token, func(_ pgx.Tx, id account.ID) error { who = id; return nil })
	return who, err
}

func (b *harness) execute(t *testing.T, query string, arguments ...any) {
	t.Helper()
	if _, err := b.pool.Exec(t.Context(), query, arguments...); err != nil {
		t.Fatal(err)
	}
}

func (b *harness) count(t *testing.T, table string) (n int) {
	t.Helper()
	if err := b.pool.QueryRow(t.Context(), `SELECT count(*) FROM `+table).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestNewRefusesSettings(t *testing.T) {
	t.Parallel()
	good := Provider{ID: "login", Name: "Login", Issuer: "https://id.example", ClientID: "razao"}
	change := func(f func(*Provider)) []Provider {
		p := good
		f(&p)
		return []Provider{p}
	}
	tests := []struct {
		name, base string
		providers  []Provider
		ok         bool
	}{
		{"no provider", "http://127.0.0.1:8080", nil, true},
		{"two", "https://razao.example", []Provider{good, {ID: "github", Name: "GitHub", Kind: GitHub, ClientID: "razao"}}, true},
		{"no address", "", nil, false},
		{"address of another kind", "ftp://razao.example", nil, false},
		{"the same twice", "https://razao.example", []Provider{good, good}, false},
		{"id that is no path", "https://razao.example", change(func(p *Provider) { p.ID = "Gov/BR" }), false},
		{"no name", "https://razao.example", change(func(p *Provider) { p.Name = "" }), false},
		{"no client", "https://razao.example", change(func(p *Provider) { p.ClientID = "" }), false},
		{"no issuer", "https://razao.example", change(func(p *Provider) { p.Issuer = "" }), false},
		{"unknown kind", "https://razao.example", change(func(p *Provider) { p.Kind = "saml" }), false},
	}
	for _, tt := range tests {
		s, err := New(Config{BaseURL: tt.base, Providers: tt.providers})
		if (err == nil) != tt.ok {
			t.Errorf("%s: %v, want ok: %v", tt.name, err, tt.ok)
		}
		if tt.ok && len(s.Choices()) != len(tt.providers) {
			t.Errorf("%s: choices %v", tt.name, s.Choices())
		}
	}
}

func TestDeletedAccountLeavesNothing(t *testing.T) {
	t.Parallel()
	b := newHarness(t)
	id, err := b.accounts.ByEmail(t.Context(), "ana@exemplo.com")
	if err != nil {
		t.Fatal(err)
	}
	for _, email := range []string{"Ana@exemplo.com", "bia@exemplo.com"} {
		if err := b.SendLink(t.Context(), "", email, "", client); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.Delete(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	for table, want := range map[string]int{"account": 0, "magic_link": 1, "mail_outbox": 1} {
		if got := b.count(t, table); got != want {
			t.Errorf("%s has %d rows, want %d", table, got, want)
		}
	}
	if err := b.Delete(t.Context(), id); !errors.Is(err, account.ErrNoAccount) {
		t.Errorf("second deletion: %v, want ErrNoAccount", err)
	}
}

func TestPurge(t *testing.T) {
	t.Parallel()
	b := newHarness(t, Provider{ID: "github", Name: "GitHub", Kind: GitHub, ClientID: "razao"})
	for range 2 {
		if err := b.SendLink(t.Context(), "", "ana@exemplo.com", "", client); err != nil {
			t.Fatal(err)
		}
		if _, err := b.Start(t.Context(), "github", "/", seal.RandomToken()); err != nil {
			t.Fatal(err)
		}
	}
	for _, table := range []string{"magic_link", "signin_attempt"} {
		b.execute(t, `UPDATE `+table+` SET created_at = now() - interval '16 minutes' WHERE ctid = (SELECT min(ctid) FROM `+table+`)`)
	}
	b.execute(t, `UPDATE signin_quota SET since = now() - interval '16 minutes' WHERE subject = (SELECT min(subject::text)::bytea FROM signin_quota)`)
	if err := b.Purge(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, table := range []string{"magic_link", "signin_attempt", "signin_quota"} {
		if got := b.count(t, table); got != 1 {
			t.Errorf("%s has %d rows, want one", table, got)
		}
	}
}
