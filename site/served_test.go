package site

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"razao/internal/people/account"
	"razao/internal/people/contacts"
	"razao/internal/people/mail"
	"razao/internal/people/oauthserver"
	"razao/internal/people/seal"
	"razao/internal/people/signin"
	"razao/internal/testing/fixture"
	"razao/internal/testing/pgtest"
	"razao/internal/web"
)

// published is the release without the mark "invented", recorded is the release with the records of
// loadRecords, and unloaded is the stores before any load.
var (
	published = fixture.Prepare(func(t testing.TB, l *fixture.Loaded) { l.Publish(t, fixture.Published(t, fixture.Month)) })
	recorded  = fixture.Prepare(func(t testing.TB, l *fixture.Loaded) {
		l.Ingest(t)
		loadRecords(t, l)
	})
	unloaded = fixture.Prepare(func(t testing.TB, l *fixture.Loaded) {
		if err := os.MkdirAll(l.Ingester.IndexDir, 0o700); err != nil {
			t.Fatal(err)
		}
	})
)

// visit is a site over a load that all tests share and only read, with a fixed clock and nobody
// signed in.
type visit struct {
	load func(testing.TB) *fixture.Served

	once    sync.Mutex // held while the first test that needs the site makes it
	site    *Site
	handler http.Handler // made once, too: registering routes again would race with requests
}

var (
	released        = visit{load: fixture.Shared}
	releasedRecords = visit{load: recorded.Shared}
	releasedAsTrue  = visit{load: published.Shared}
	nothingLoaded   = visit{load: unloaded.Shared}
)

// open returns the site and what serves it.
func (v *visit) open(t *testing.T) (http.Handler, *Site) {
	t.Helper()
	v.once.Lock()
	defer v.once.Unlock()
	if v.site == nil {
		nobody := pgtest.NewTemplate(t, func(*pgxpool.Pool) {}).Reader(t)
		v.site = newSite(t, &fixture.Loaded{Served: *v.load(t), Pool: nobody}, pgtest.Folder(t))
		v.site.now = today
		v.handler = served(v.site)
	}
	return v.handler, v.site
}

// peopled returns the shared release with a private database for accounts and requests.
func peopled(t *testing.T) *fixture.Loaded {
	t.Helper()
	return &fixture.Loaded{Served: *fixture.Shared(t), Pool: pgtest.Pool(t)}
}

// newHandler returns the site as the program serves it.
func newHandler(t testing.TB, l *fixture.Loaded) (http.Handler, *Site) {
	t.Helper()
	s := newSite(t, l, t.TempDir())
	return served(s), s
}

// newSite returns a site with sign-in. Mails go to a folder when the outbox is flushed.
func newSite(t testing.TB, l *fixture.Loaded, mails string, providers ...signin.Provider) *Site {
	t.Helper()
	accounts := account.NewStore(l.Pool, seal.New("secret of the tests"))
	entrance, err := signin.New(signin.Config{
		Pool: l.Pool, Accounts: accounts, Outbox: outbox(t, l.Pool, mails), Providers: providers, BaseURL: "https://razao.exemplo",
	})
	if err != nil {
		t.Fatal(err)
	}
	oauth, err := oauthserver.New(oauthserver.Config{Pool: l.Pool, Log: slog.New(slog.DiscardHandler), BaseURL: "https://razao.exemplo", Seal: seal.New("secret of the tests")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(oauth.Close)
	s, err := New(Config{
		Live: l.Live, Ping: l.Pool.Ping, BaseURL: "https://razao.exemplo/", Version: "1.2.3",
		SignIn: entrance, Sessions: signin.NewSessions(accounts, "https://razao.exemplo"), Accounts: accounts, OAuth: oauth,
		Contacts: contacts.NewStore(l.Pool), Operator: "contato@razao.exemplo",
		SuggestionTime: time.Minute, // so that a busy machine does not time out
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func outbox(t testing.TB, pool *pgxpool.Pool, dir string) *mail.Outbox {
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

// browser is the Accept header of people; programs send nothing.
const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"

// full returns the CNPJ of the first establishment of a root of the fixture, without mask.
func full(t testing.TB, root string) string {
	t.Helper()
	return fixture.Full(t, root).String()
}

func get(t testing.TB, h http.Handler, target string, headers ...string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, target, nil)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func between(text, before, after string) string {
	_, text, _ = strings.Cut(text, before)
	text, _, _ = strings.Cut(text, after)
	return text
}
