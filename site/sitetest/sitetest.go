// Package sitetest serves the whole website in tests: over loads that all tests of a process share
// and only read ([Released], [Records], [Published], [Nothing]), or over stores of a test's own
// ([New]). Tests of a page stand in the package that has the page, as an external test package,
// because this one imports package site.
package sitetest

import (
	"fmt"
	"log/slog"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/jackc/pgx/v5/pgxpool"

	"razao/internal/people/account"
	"razao/internal/people/contacts"
	"razao/internal/people/follow"
	"razao/internal/people/kept"
	"razao/internal/people/oauthserver"
	"razao/internal/people/seal"
	"razao/internal/people/signin"
	"razao/internal/people/webhook"
	"razao/internal/store/proof"
	"razao/internal/testing/fixture"
	"razao/internal/testing/pgtest"
	"razao/internal/web"
	"razao/site"
)

// URL is the public address of the website.
const URL = "https://razao.exemplo"

// Secret is what keys and tokens are derived from.
const Secret = "secret of the tests"

// suggestionTime is so long that a busy machine does not time out.
const suggestionTime = time.Minute

// Site is the website as the program serves it.
type Site struct {
	*site.Site
	*gin.Engine
	Stores *fixture.Loaded
	mails  string // folder that mails go to when the outbox is flushed
}

// Setup is what a site is made of; tests change it.
type Setup struct {
	site.Config
	Providers []signin.Provider
}

// Now is the clock of the shared sites: by then the loads of daily sources are stale, and no others.
func Now() time.Time { return time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC) }

// New returns a site with sign-in over stores.
func New(t testing.TB, l *fixture.Loaded, changes ...func(*Setup)) *Site {
	t.Helper()
	return serve(t, l, t.TempDir(), changes...)
}

// Empty returns a site with sign-in over stores of the test's own without a load.
func Empty(t testing.TB, changes ...func(*Setup)) *Site {
	t.Helper()
	return New(t, fixture.Empty(t), changes...)
}

// WithAccounts returns a site over the invented release with a database of the test's own for
// accounts and requests.
func WithAccounts(t testing.TB, changes ...func(*Setup)) *Site {
	t.Helper()
	return New(t, &fixture.Loaded{Served: *fixture.Shared(t), Pool: pgtest.Pool(t)}, changes...)
}

func serve(t testing.TB, l *fixture.Loaded, mails string, changes ...func(*Setup)) *Site {
	t.Helper()
	accounts := account.NewStore(l.Pool, seal.New(Secret))
	oauth, err := oauthserver.New(oauthserver.Config{Pool: l.Pool, Log: slog.New(slog.DiscardHandler), BaseURL: URL, Seal: seal.New(Secret)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(oauth.Close)
	meter := account.OpenMeter(l.Pool, seal.New(Secret), slog.New(slog.DiscardHandler))
	t.Cleanup(meter.Close)
	setup := Setup{Config: site.Config{
		Live: l.Live, Ping: l.Pool.Ping, BaseURL: URL + "/", Version: "1.2.3", Now: Now, Sessions: signin.NewSessions(accounts, URL),
		Accounts: accounts, Follows: follow.NewStore(l.Pool, seal.New(Secret)), Webhooks: webhook.NewStore(l.Pool, seal.New(Secret), false), Kept: kept.NewStore(l.Pool, seal.New(Secret)), OAuth: oauth, Meter: meter,
		Contacts: contacts.NewStore(l.Pool), Operator: "contato@razao.exemplo", SuggestionTime: suggestionTime,
		Checkpoints: proof.NewSigner(seal.New(Secret).Key("checkpoint"), URL),
	}}
	for _, change := range changes {
		change(&setup)
	}
	setup.SignIn, err = signin.New(signin.Config{
		Pool: l.Pool, Accounts: accounts, Outbox: outbox(t, l.Pool, mails), Providers: setup.Providers, BaseURL: URL,
	})
	if err != nil {
		t.Fatal(err)
	}
	s := Serve(t, setup.Config)
	s.Stores, s.mails = l, mails
	return s
}

// Serve returns a site of any configuration.
func Serve(t testing.TB, cfg site.Config) *Site {
	t.Helper()
	s, err := site.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	engine := web.NewEngine(web.Options{Log: slog.New(slog.DiscardHandler)})
	s.Register(engine)
	engine.NoRoute(s.NotFound)
	engine.NoMethod(s.MethodNotAllowed)
	return &Site{Site: s, Engine: engine}
}

// shared is a site over a load that all tests of the process share and only read, with nobody signed in.
type shared struct {
	load func(testing.TB) *fixture.Served
	once sync.Mutex // held while the first test that needs the site makes it
	site *Site
}

var (
	released  = shared{load: fixture.Shared}
	records   = shared{load: Recorded.Shared}
	published = shared{load: fixture.Prepare(func(t testing.TB, l *fixture.Loaded) { l.Publish(t, fixture.Published(t, fixture.Month)) }).Shared}
	nothing   = shared{load: fixture.Prepare(func(t testing.TB, l *fixture.Loaded) {
		if err := os.MkdirAll(l.Ingester.IndexDir, 0o700); err != nil {
			t.Fatal(err)
		}
	}).Shared}
)

// Released is the site over the invented release, without public records.
func Released(t testing.TB) *Site { t.Helper(); return released.open(t) }

// Records is Released with invented records of nine sources; see loadRecords.
func Records(t testing.TB) *Site { t.Helper(); return records.open(t) }

// Published is Released without the mark of invented data: it has figures per inhabitant and a sitemap.
func Published(t testing.TB) *Site { t.Helper(); return published.open(t) }

// Nothing is the site before any load.
func Nothing(t testing.TB) *Site { t.Helper(); return nothing.open(t) }

func (v *shared) open(t testing.TB) *Site {
	t.Helper()
	v.once.Lock()
	defer v.once.Unlock()
	if v.site == nil {
		nobody := pgtest.NewTemplate(t, func(*pgxpool.Pool) {}).Reader(t)
		v.site = serve(t, &fixture.Loaded{Served: *v.load(t), Pool: nobody}, pgtest.Folder(t))
	}
	return v.site
}

// LoadRecords returns a site over the records of [Records] in stores of the test's own.
func LoadRecords(t testing.TB) *Site { t.Helper(); return New(t, Recorded.Load(t)) }

// Recorded is what [Records] serves.
var Recorded = fixture.Prepare(func(t testing.TB, l *fixture.Loaded) {
	l.Ingest(t)
	loadRecords(t, l)
})

// Changed serves a month in which forty partners left, forty came, and the bakery changed its name,
// left the Simples and closed a branch.
func Changed(t testing.TB) (*fixture.Loaded, *Site) {
	t.Helper()
	edits := []string{
		"ESTRELA DO SUL LTDA", "ESTRELA DO NORTE LTDA", `"12345678";"S";"20120101"`, `"12345678";"N";"20120101"`,
		`"12345678";"0003";"57";"2";"";"02"`, `"12345678";"0003";"57";"2";"";"08"`,
	}
	for i := range 40 {
		edits = append(edits, fmt.Sprintf("ACIONISTA %03d FICTICIO", i), fmt.Sprintf("ACIONISTA %03d NOVO", i))
	}
	l := fixture.Empty(t)
	l.Publish(t, fixture.Published(t, "2026-08"))
	l.Publish(t, fixture.Published(t, "2026-09", edits...))
	return l, New(t, l)
}
