package people_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/mail"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"razao/internal/people/signin"
	"razao/site/sitetest"
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
func link(t *testing.T, p *sitetest.Browser, email, next string) (token, text string) {
	t.Helper()
	if w := p.Post(t, "/auth/magic-link", "email", email, "next", next); w.Code != http.StatusSeeOther {
		t.Fatalf("link for %s: status %d", email, w.Code)
	}
	const query = `DELETE FROM mail_outbox WHERE recipient = $1 RETURNING body`
	if err := p.Site.Stores.Pool.QueryRow(t.Context(), query, email).Scan(&text); err != nil {
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
	h := withProvider(t, newProvider(t, true))
	l := h.Stores
	ana := h.SignedIn(t, "ana@exemplo.com")
	for i, next := range elsewhere {
		escaped := url.QueryEscape(next)
		staysHere(t, next, ana.Open(t, "/login?next="+escaped))
		stranger := h.Visitor()
		staysHere(t, next, stranger.Open(t, "/auth/callback?token=x&next="+escaped))
		staysHere(t, next, stranger.Post(t, "/auth/callback", "token", "x", "next", next))
		staysHere(t, next, stranger.Open(t, "/auth/callback?code=certo&state="+leave(t, stranger, next)))
		token, text := link(t, stranger, fmt.Sprintf("pessoa%d@exemplo.com", i), next)
		if strings.Contains(text, "evil.example") {
			t.Errorf("next %q is in the mail: %s", next, text)
		}
		staysHere(t, next, stranger.Post(t, "/auth/callback", "token", token, "next", next))
		if _, err := l.Pool.Exec(t.Context(), `DELETE FROM signin_quota`); err != nil {
			t.Fatal(err)
		}
	}
}

// TestPlantedSession signs in with a browser in which an attacker has planted cookies (session
// fixation).
func TestPlantedSession(t *testing.T) {
	t.Parallel()
	h := withProvider(t, newProvider(t, true))
	for name, enter := range map[string]func(*sitetest.Browser) *httptest.ResponseRecorder{
		"link": func(p *sitetest.Browser) *httptest.ResponseRecorder {
			token, _ := link(t, p, "ana@exemplo.com", "/")
			return p.Post(t, "/auth/callback", "token", token)
		},
		"provider": func(p *sitetest.Browser) *httptest.ResponseRecorder {
			return p.Open(t, "/auth/callback?code=certo&state="+leave(t, p, "/"))
		},
	} {
		for _, planted := range []string{h.Session(t, "eva@exemplo.com"), sitetest.SessionCookie + "=" + strings.Repeat("A", 43)} {
			ana := h.Browser(planted)
			sitetest.Leads(t, enter(ana), "/")
			if sitetest.SessionCookie+"="+ana.Cookies[sitetest.SessionCookie] == planted {
				t.Errorf("%s: the planted session was kept", name)
			}
			sitetest.Shows(t, ana.Open(t, "/conta"), 200, []string{"ana@exemplo.com"}, []string{"eva@exemplo.com"})
			sitetest.Leads(t, h.Browser(planted).Open(t, "/conta"), "/login?next=%2Fconta")
		}
	}
}

// TestAnswerOfAnotherBrowser delivers a provider's response to another browser (login CSRF).
func TestAnswerOfAnotherBrowser(t *testing.T) {
	t.Parallel()
	h := withProvider(t, newProvider(t, true))
	eva, ana := h.Visitor(), h.Visitor()
	evas := leave(t, eva, "/")
	own := leave(t, ana, "/")
	for name, state := range map[string]string{
		"of the attacker's browser": evas, "cut": own[1:], "longer": own + "x", "empty": "", "of nobody": strings.Repeat("A", 43), "NUL": "%00",
	} {
		sitetest.Leads(t, ana.Open(t, "/auth/callback?code=certo&state="+state), "/login?error=tentativa")
		if ana.Cookies[sitetest.SessionCookie] != "" {
			t.Errorf("state %s: signed in", name)
		}
	}
	sitetest.Leads(t, ana.Open(t, "/auth/callback?code=certo&state="+own+"&iss="+url.QueryEscape("https://evil.example")), "/login?error=provedor")
	sitetest.Leads(t, ana.Open(t, "/auth/callback?code=certo&state="+own), "/login?error=tentativa") // it counted already
}

// TestTwoTabs runs two sign-ins in one browser and finishes them in reverse order.
func TestTwoTabs(t *testing.T) {
	t.Parallel()
	ana := withProvider(t, newProvider(t, true)).Visitor()
	first, second := leave(t, ana, "/estados"), leave(t, ana, "/municipios")
	one, _ := link(t, ana, "ana@exemplo.com", "/")
	two, _ := link(t, ana, "ana@exemplo.com", "/")
	sitetest.Leads(t, ana.Open(t, "/auth/callback?code=certo&state="+second), "/municipios")
	sitetest.Leads(t, ana.Open(t, "/auth/callback?code=certo&state="+first), "/estados")
	sitetest.Leads(t, ana.Post(t, "/auth/callback", "token", two), "/")
	sitetest.Leads(t, ana.Post(t, "/auth/callback", "token", one), "/")
	body := sitetest.Shows(t, ana.Open(t, "/conta"), 200, []string{"ana@exemplo.com"}, nil)
	if n := len(ending.FindAllString(body, -1)); n != 1 {
		t.Errorf("%d sessions are open in one browser", n)
	}
}

var formID = regexp.MustCompile(`(name="formulario" value=)"[A-Z2-7]{26}"`) // random each time

// TestNobodyLearnsWhoHasAnAccount compares all responses for an address with an account to those
// for one without (user enumeration).
func TestNobodyLearnsWhoHasAnAccount(t *testing.T) {
	t.Parallel()
	h := sitetest.Empty(t)
	h.Session(t, "ana@exemplo.com")
	var answers [2][]string
	for i, email := range []string{"ana@exemplo.com", "eva@exemplo.com"} {
		for range 7 { // past the limit of an address
			w := h.Visitor().Post(t, "/auth/magic-link", "email", email)
			header := w.Header().Clone()
			header.Del("X-Request-Id")
			header.Del("Retry-After") // the moments differ
			answers[i] = append(answers[i], formID.ReplaceAllString(fmt.Sprint(w.Code, header, w.Body), `$1"x"`))
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
	h := sitetest.Empty(t)
	const injected = "\r\nBcc: eva@exemplo.com\r\n\r\nTexto"
	for _, email := range []string{
		"ana@exemplo.com" + injected, "ana@exemplo.com\nBcc: eva@exemplo.com", "ana@exemplo.com, eva@exemplo.com", "<ana@exemplo.com>",
		"\"a\r\nBcc: eva\"@exemplo.com", "ana@exemplo.com\x00", "ana@exemplo.com%0d%0aBcc:eva@exemplo.com",
	} {
		sitetest.Shows(t, h.Visitor().Post(t, "/auth/magic-link", "email", email), 422, nil, nil)
	}
	r := sitetest.Form(t, "/auth/magic-link", "same-origin", "email", "ana@exemplo.com", "next", "/conta"+injected)
	r.Header.Set("User-Agent", "x"+injected)
	r.Host = "evil.example"
	sitetest.Leads(t, h.Visitor().Send(r), "/login?aviso=enviado")
	text := h.Mail(t)
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
			ana := sitetest.Empty(t, func(s *sitetest.Setup) {
				s.Now = func() time.Time { return time.Now().Add(skew) }
				s.Providers = []signin.Provider{newProvider(t, true)}
			}).Visitor()
			token, _ := link(t, ana, "ana@exemplo.com", "/")
			sitetest.Leads(t, ana.Post(t, "/auth/callback", "token", token), "/")
			sitetest.Leads(t, ana.Open(t, "/auth/callback?code=certo&state="+leave(t, ana, "/estados")), "/estados")
			sitetest.Leads(t, ana.Post(t, "/conta/chaves", "nome", "planilha"), "/conta#chaves")
			sitetest.Shows(t, ana.Open(t, "/conta"), 200, []string{"Chave criada", "planilha"}, nil)
		})
	}
}
