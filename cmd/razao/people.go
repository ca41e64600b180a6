package main

import (
	"context"
	"fmt"
	"log/slog"
	"net/netip"
	"net/url"
	"path/filepath"
	"time"

	"razao/internal/people/account"
	"razao/internal/people/follow"
	"razao/internal/people/kept"
	"razao/internal/people/mail"
	"razao/internal/people/oauthserver"
	"razao/internal/people/seal"
	"razao/internal/people/signin"
	"razao/internal/people/webhook"
	"razao/internal/store/database"
	"razao/internal/store/snapshot"
	"razao/internal/web"
	"razao/internal/web/outbound"
	"razao/site"
)

// people are the parts that know who is signed in or calling.
type people struct {
	accounts *account.Store
	outbox   *mail.Outbox
	service  *signin.Service
	sessions *signin.Sessions
	oauth    *oauthserver.Server
	follows  *follow.Store
	webhooks *webhook.Store
	kept     *kept.Store
	seal     *seal.Sealer
	failures *web.Throttle // wrong keys and tokens by address, wherever they are sent
}

// people assembles accounts, mail, sign-in, sessions and the OAuth server.
func (a *app) people(db *database.DB) (*people, error) {
	s := &a.settings
	secret, err := a.secret()
	if err != nil {
		return nil, err
	}
	p := &people{seal: seal.New(secret), failures: web.NewThrottle(s.IPFailures, s.IPFailures)}
	p.accounts = account.NewStore(db.Control, p.seal)
	if p.outbox, err = mail.Open(db.Control, s.mails(a.log)); err != nil {
		return nil, err
	}
	p.service, err = signin.New(signin.Config{
		Pool: db.Control, Accounts: p.accounts, Outbox: p.outbox, Providers: s.providers(), BaseURL: s.BaseURL,
	})
	if err != nil {
		return nil, fmt.Errorf("sign-in: %w", err)
	}
	p.sessions = signin.NewSessions(p.accounts, s.BaseURL)
	p.follows = follow.NewStore(db.Control, p.seal)
	p.webhooks = webhook.NewStore(db.Control, p.seal, s.isLocal())
	p.kept = kept.NewStore(db.Control, p.seal)
	p.oauth, err = oauthserver.New(oauthserver.Config{
		Pool: db.Control, Log: a.log, BaseURL: s.BaseURL,
		NewClients: web.NewThrottle(s.IPClients, s.IPClients), Requests: s.pageThrottle(),
		Seal: p.seal, Failures: p.failures,
	})
	if err != nil {
		return nil, fmt.Errorf("RAZAO_BASE_URL: %w", err)
	}
	return p, nil
}

// isLocal reports whether the public address is this machine's own. Whoever uses the server can then reach
// what else listens on loopback, so webhooks may go there.
func (s *settings) isLocal() bool {
	u, err := url.Parse(s.BaseURL)
	if err != nil {
		return false
	}
	ip, err := netip.ParseAddr(u.Hostname())
	return u.Hostname() == "localhost" || err == nil && ip.IsLoopback()
}

// notifier returns what notifies followers of changes.
func (a *app) notifier(live *snapshot.Live, p *people) (*follow.Notifier, error) {
	words, err := site.NewNotices(a.settings.BaseURL, live)
	if err != nil {
		return nil, err
	}
	return follow.NewNotifier(follow.Config{
		Store: p.follows, Live: live, Log: a.log, URL: a.settings.BaseURL, Digest: words.Digest, Search: words.Search,
	}), nil
}

// sender returns what sends events to webhooks, as the notifier writes them.
func (a *app) sender(p *people, notifier *follow.Notifier) *webhook.Sender {
	reachable := outbound.IsPublic
	if a.settings.isLocal() {
		reachable = outbound.IsPublicOrLoopback
	}
	return webhook.NewSender(p.webhooks, notifier.Event, reachable, a.log)
}

// mails returns how mails are sent.
func (s *settings) mails(log *slog.Logger) mail.Config {
	return mail.Config{URL: s.SMTPURL, From: s.MailFrom, Dir: filepath.Join(s.Data, "mail"), Log: log}
}

// providers returns the configured identity providers in the order in which they are offered.
func (s *settings) providers() []signin.Provider {
	var all []signin.Provider
	if s.OIDC.Issuer != "" {
		all = append(all, signin.Provider{
			ID: "oidc", Name: s.OIDC.Name, Issuer: s.OIDC.Issuer, ClientID: s.OIDC.ClientID, ClientSecret: s.OIDC.ClientSecret,
		})
	}
	if s.GitHub.ClientID != "" {
		all = append(all, signin.Provider{
			ID: "github", Name: "GitHub", Kind: signin.GitHub, ClientID: s.GitHub.ClientID, ClientSecret: s.GitHub.ClientSecret,
		})
	}
	return all
}

const (
	purgeEvery   = 5 * time.Minute // expiry is checked on use: this only frees space
	purgeTimeout = time.Minute     // of one kind; the rest is deleted the next time
)

// purge deletes expired sessions, links, attempts, tokens and lists until ctx ends.
func (a *app) purge(ctx context.Context, p *people) {
	tick := time.NewTicker(purgeEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		for _, purge := range []func(context.Context) error{p.accounts.Purge, p.service.Purge, p.oauth.Purge, p.follows.Purge, p.webhooks.Purge, p.kept.Purge} {
			limited, cancel := context.WithTimeout(ctx, purgeTimeout)
			if err := purge(limited); err != nil && ctx.Err() == nil {
				a.log.Error("delete what has expired", "error", err)
			}
			cancel()
		}
	}
}
