package site

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/mail"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"razao/internal/testing/fixture"
)

// elsewhere are values of next that some browser resolves to another site (open redirect).
var elsewhere = []string{
	"https://evil.example", "http:evil.example", "https:/evil.example", "//evil.example", "///evil.example", "////evil.example",
	`/\evil.example`, `\/evil.example`, `\\evil.example`, `/\/evil.example`, "/%2fevil.example", "/%2Fevil.example", "/%5cevil.example",
	"%2f%2fevil.example", "/%252f/evil.example/..//x", "/\t/evil.example", "/\n/evil.example", "/\r\n/evil.example", "\t//evil.example",
	"/%09/evil.example", "/%0a/evil.example", "/%00/evil.example", "\x00//evil.example", " //evil.example", "/.//evil.example",
	"/..//evil.example", "/a/..//evil.example", "javascript:alert(1)", "data:text/html,x", "//evil.example@razao.exemplo",
	"https://razao.exemplo@evil.example/", "https://razao.exemplo.evil.example/", "/\u2028/evil.example", "/\u3000\\evil.example",
	"／／evil.example", "/\u200b//evil.example", "//evil%E3%80%82example", "/conta\r\nSet-Cookie: razao=x", "/conta\r\nLocation: //evil.example",
}

// staysHere fails if a redirect to location leaves the site. It reads the location as browsers do:
// a backslash is a slash, and tabs and line breaks are dropped (WHATWG URL).
func staysHere(t *testing.T, next string, w *httptest.ResponseRecorder) {
	t.Helper()
	location := w.Header().Get("Location")
	read := strings.NewReplacer("\\", "/", "\t", "", "\n", "", "\r", "").Replace(location)
	base := url.URL{Scheme: "https", Host: "razao.exemplo", Path: "/login"}
	target, err := base.Parse(read)
	if err != nil || location == "" || target.Host != base.Host || target.Scheme != base.Scheme || strings.HasPrefix(target.Path, "//") {
		t.Errorf("next %q leads to %q, %v", next, location, err)
	}
	if inner := target.Query().Get("next"); strings.Contains(inner, "evil.example") && !strings.HasPrefix(inner, "/") {
		t.Errorf("next %q is passed on as %q", next, inner)
	}
	if cookies := w.Result().Cookies(); slices.ContainsFunc(cookies, func(c *http.Cookie) bool { return c.Value == "x" }) {
		t.Errorf("next %q set a cookie: %v", next, cookies)
	}
}

// link requests a magic link and returns its token and the text of the mail.
func (p *person) link(t *testing.T, l *fixture.Loaded, email, next string) (token, text string) {
	t.Helper()
	if w := p.post(t, "/auth/magic-link", "email", email, "next", next); w.Code != http.StatusSeeOther {
		t.Fatalf("link for %s: status %d", email, w.Code)
	}
	const query = `DELETE FROM mail_outbox WHERE recipient = $1 RETURNING body`
	if err := l.Pool.QueryRow(t.Context(), query, email).Scan(&text); err != nil {
		t.Fatal(err)
	}
	found := mailedLink.FindStringSubmatch(text)
	if found == nil {
		t.Fatalf("no link in %q", text)
	}
	u, err := url.Parse(found[1])
	if err != nil {
		t.Fatal(err)
	}
	return u.Query().Get("token"), text
}

func TestNextNeverLeadsElsewhere(t *testing.T) {
	t.Parallel()
	l := fixture.Empty(t)
	s := newSite(t, l, t.TempDir(), newProvider(t, true))
	h := served(s)
	ana := newPerson(h, signedIn(t, s, "ana@exemplo.com"))
	for i, next := range elsewhere {
		escaped := url.QueryEscape(next)
		staysHere(t, next, ana.open(t, "/login?next="+escaped))
		stranger := newPerson(h, "")
		staysHere(t, next, stranger.open(t, "/auth/callback?token=x&next="+escaped))
		staysHere(t, next, stranger.post(t, "/auth/callback", "token", "x", "next", next))
		staysHere(t, next, stranger.open(t, "/auth/callback?code=certo&state="+stranger.leave(t, next)))
		token, text := stranger.link(t, l, fmt.Sprintf("pessoa%d@exemplo.com", i), next)
		if strings.Contains(text, "evil.example") {
			t.Errorf("next %q is in the mail: %s", next, text)
		}
		staysHere(t, next, stranger.post(t, "/auth/callback", "token", token, "next", next))
		if _, err := l.Pool.Exec(t.Context(), `DELETE FROM signin_quota`); err != nil {
			t.Fatal(err)
		}
	}
}

// TestPlantedSession signs in with a browser in which an attacker has planted cookies (session
// fixation).
func TestPlantedSession(t *testing.T) {
	t.Parallel()
	l := fixture.Empty(t)
	s := newSite(t, l, t.TempDir(), newProvider(t, true))
	h := served(s)
	for name, enter := range map[string]func(*person) *httptest.ResponseRecorder{
		"link": func(p *person) *httptest.ResponseRecorder {
			token, _ := p.link(t, l, "ana@exemplo.com", "/")
			return p.post(t, "/auth/callback", "token", token)
		},
		"provider": func(p *person) *httptest.ResponseRecorder {
			return p.open(t, "/auth/callback?code=certo&state="+p.leave(t, "/"))
		},
	} {
		for _, planted := range []string{signedIn(t, s, "eva@exemplo.com"), sessionCookie + "=" + strings.Repeat("A", 43)} {
			ana := newPerson(h, planted)
			leads(t, enter(ana), "/")
			if sessionCookie+"="+ana.cookies[sessionCookie] == planted {
				t.Errorf("%s: the planted session was kept", name)
			}
			shows(t, ana.open(t, "/conta"), 200, []string{"ana@exemplo.com"}, []string{"eva@exemplo.com"})
			leads(t, newPerson(h, planted).open(t, "/conta"), "/login?next=%2Fconta")
		}
	}
}

// TestAnswerOfAnotherBrowser delivers a provider's response to another browser (login CSRF).
func TestAnswerOfAnotherBrowser(t *testing.T) {
	t.Parallel()
	h := served(newSite(t, fixture.Empty(t), t.TempDir(), newProvider(t, true)))
	eva, ana := newPerson(h, ""), newPerson(h, "")
	evas := eva.leave(t, "/")
	own := ana.leave(t, "/")
	for name, state := range map[string]string{
		"of the attacker's browser": evas, "cut": own[1:], "longer": own + "x", "empty": "", "of nobody": strings.Repeat("A", 43), "NUL": "%00",
	} {
		leads(t, ana.open(t, "/auth/callback?code=certo&state="+state), "/login?error=tentativa")
		if ana.cookies[sessionCookie] != "" {
			t.Errorf("state %s: signed in", name)
		}
	}
	leads(t, ana.open(t, "/auth/callback?code=certo&state="+own+"&iss="+url.QueryEscape("https://evil.example")), "/login?error=provedor")
	leads(t, ana.open(t, "/auth/callback?code=certo&state="+own), "/login?error=tentativa") // it counted already
}

// TestTwoTabs runs two sign-ins in one browser and finishes them in reverse order.
func TestTwoTabs(t *testing.T) {
	t.Parallel()
	l := fixture.Empty(t)
	ana := newPerson(served(newSite(t, l, t.TempDir(), newProvider(t, true))), "")
	first, second := ana.leave(t, "/estados"), ana.leave(t, "/municipios")
	one, _ := ana.link(t, l, "ana@exemplo.com", "/")
	two, _ := ana.link(t, l, "ana@exemplo.com", "/")
	leads(t, ana.open(t, "/auth/callback?code=certo&state="+second), "/municipios")
	leads(t, ana.open(t, "/auth/callback?code=certo&state="+first), "/estados")
	leads(t, ana.post(t, "/auth/callback", "token", two), "/")
	leads(t, ana.post(t, "/auth/callback", "token", one), "/")
	body := shows(t, ana.open(t, "/conta"), 200, []string{"ana@exemplo.com"}, nil)
	if n := len(ending.FindAllString(body, -1)); n != 1 {
		t.Errorf("%d sessions are open in one browser", n)
	}
}

// TestNobodyLearnsWhoHasAnAccount compares all responses for an address with an account to those
// for one without (user enumeration).
func TestNobodyLearnsWhoHasAnAccount(t *testing.T) {
	t.Parallel()
	h, s := newHandler(t, fixture.Empty(t))
	signedIn(t, s, "ana@exemplo.com")
	var answers [2][]string
	for i, email := range []string{"ana@exemplo.com", "eva@exemplo.com"} {
		for range 7 { // past the limit of an address
			w := newPerson(h, "").post(t, "/auth/magic-link", "email", email)
			header := w.Header().Clone()
			header.Del("X-Request-Id")
			header.Del("Retry-After") // the moments differ
			answers[i] = append(answers[i], fmt.Sprint(w.Code, header, w.Body))
		}
	}
	if diff := cmp.Diff(answers[0], answers[1]); diff != "" {
		t.Errorf("(-with account +without):\n%s", diff)
	}
	if last := answers[0][6]; !strings.HasPrefix(last, "429") {
		t.Errorf("the last answer is %.100s", last)
	}
}

// TestMailHasNoForeignHeaders attempts header injection through every field that ends up in a mail.
func TestMailHasNoForeignHeaders(t *testing.T) {
	t.Parallel()
	l := fixture.Empty(t)
	mails := t.TempDir()
	h := served(newSite(t, l, mails))
	const injected = "\r\nBcc: eva@exemplo.com\r\n\r\nTexto"
	for _, email := range []string{
		"ana@exemplo.com" + injected, "ana@exemplo.com\nBcc: eva@exemplo.com", "ana@exemplo.com, eva@exemplo.com", "<ana@exemplo.com>",
		"\"a\r\nBcc: eva\"@exemplo.com", "ana@exemplo.com\x00", "ana@exemplo.com%0d%0aBcc:eva@exemplo.com",
	} {
		shows(t, newPerson(h, "").post(t, "/auth/magic-link", "email", email), 422, nil, nil)
	}
	r := form(t, "/auth/magic-link", "same-origin", "email", "ana@exemplo.com", "next", "/conta"+injected)
	r.Header.Set("User-Agent", "x"+injected)
	r.Host = "evil.example"
	leads(t, newPerson(h, "").send(r), "/login?aviso=enviado")
	text := letter(t, l, mails)
	m, err := mail.ReadMessage(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if to := m.Header["To"]; !slices.Equal(to, []string{"<ana@exemplo.com>"}) || len(m.Header["Bcc"]) > 0 || len(m.Header["Cc"]) > 0 {
		t.Errorf("headers %v", m.Header)
	}
	if strings.Contains(text, "eva@") || strings.Contains(text, "evil.example") {
		t.Errorf("the mail has what a stranger wrote: %s", text)
	}
}

// TestClocksThatDiffer skews the server's clock: only the database's clock decides about expiry.
func TestClocksThatDiffer(t *testing.T) {
	t.Parallel()
	for name, skew := range map[string]time.Duration{"ahead": 400 * 24 * time.Hour, "behind": -400 * 24 * time.Hour} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := fixture.Empty(t)
			s := newSite(t, l, t.TempDir(), newProvider(t, true))
			s.now = func() time.Time { return time.Now().Add(skew) }
			ana := newPerson(served(s), "")
			token, _ := ana.link(t, l, "ana@exemplo.com", "/")
			leads(t, ana.post(t, "/auth/callback", "token", token), "/")
			leads(t, ana.open(t, "/auth/callback?code=certo&state="+ana.leave(t, "/estados")), "/estados")
			leads(t, ana.post(t, "/conta/chaves", "nome", "planilha"), "/conta#chaves")
			shows(t, ana.open(t, "/conta"), 200, []string{"Chave criada", "planilha"}, nil)
		})
	}
}
