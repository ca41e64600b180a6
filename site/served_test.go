package site

import (
	"log/slog"
	"net/http"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"razao/internal/account"
	"razao/internal/fixture"
	"razao/internal/mail"
	"razao/internal/oauthserver"
	"razao/internal/registry"
	"razao/internal/signin"
	"razao/internal/web"
)

// newHandler returns the site as the program serves it.
func newHandler(t *testing.T, l *fixture.Loaded) (http.Handler, *Site) {
	t.Helper()
	s := newSite(t, l, t.TempDir())
	return served(s), s
}

// newSite returns a site that people can sign in to, with mails that go into a folder once outbox sends them.
func newSite(t *testing.T, l *fixture.Loaded, mails string, providers ...signin.Provider) *Site {
	t.Helper()
	accounts := account.NewStore(l.Pool)
	entrance, err := signin.New(signin.Config{
		Pool: l.Pool, Accounts: accounts, Outbox: outbox(t, l.Pool, mails), Providers: providers, BaseURL: "https://razao.exemplo",
	})
	if err != nil {
		t.Fatal(err)
	}
	oauth, err := oauthserver.New(oauthserver.Config{Pool: l.Pool, Log: slog.New(slog.DiscardHandler), BaseURL: "https://razao.exemplo"})
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(Config{
		Live: l.Live, Ping: l.Pool.Ping, BaseURL: "https://razao.exemplo/", Version: "1.2.3",
		SignIn: entrance, Sessions: signin.NewSessions(accounts, "https://razao.exemplo"), Accounts: accounts, OAuth: oauth,
		Contacts: registry.NewContacts(l.Pool), Operator: "contato@razao.exemplo",
		SuggestionTime: time.Minute, // a busy machine is not what tests of suggestions are about
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func outbox(t *testing.T, pool *pgxpool.Pool, dir string) *mail.Outbox {
	t.Helper()
	o, err := mail.Open(pool, mail.Config{From: "nao-responda@razao.exemplo", Dir: dir, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func served(s *Site) http.Handler {
	engine := web.NewEngine(web.Options{Log: slog.New(slog.DiscardHandler)})
	s.Register(engine)
	engine.NoRoute(s.NotFound)
	engine.NoMethod(s.MethodNotAllowed)
	return engine
}
