package site

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"razao/internal/testing/fixture"
	"razao/internal/testing/outline"
	"razao/site/page/pagetest"
)

const sessionCookie = "__Host-razao"

// signedIn signs the owner of an address in and returns the browser's Cookie header.
func signedIn(t *testing.T, s *Site, email string) string {
	t.Helper()
	id, err := s.Accounts.ByEmail(t.Context(), email)
	if err != nil {
		t.Fatal(err)
	}
	token, _, err := s.Accounts.StartSession(t.Context(), id, "Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0", "")
	if err != nil {
		t.Fatal(err)
	}
	return sessionCookie + "=" + token
}

// person is a browser with a cookie jar.
type person struct {
	http.Handler
	cookies map[string]string
}

func newPerson(h http.Handler, cookie string) *person {
	p := &person{h, map[string]string{}}
	if name, value, ok := strings.Cut(cookie, "="); ok {
		p.cookies[name] = value
	}
	return p
}

func (p *person) open(t *testing.T, target string) *httptest.ResponseRecorder {
	t.Helper()
	return p.send(httptest.NewRequestWithContext(t.Context(), http.MethodGet, target, nil))
}

// post submits a form same-origin.
func (p *person) post(t *testing.T, target string, fields ...string) *httptest.ResponseRecorder {
	t.Helper()
	return p.send(form(t, target, "same-origin", fields...))
}

func form(t *testing.T, target, from string, fields ...string) *http.Request {
	t.Helper()
	values := url.Values{}
	for i := 0; i < len(fields); i += 2 {
		values.Set(fields[i], fields[i+1])
	}
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, target, strings.NewReader(values.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Sec-Fetch-Site", from)
	return r
}

func (p *person) send(r *http.Request) *httptest.ResponseRecorder {
	for name, value := range p.cookies {
		r.AddCookie(&http.Cookie{Name: name, Value: value})
	}
	r.Header.Set("Accept", browser)
	w := httptest.NewRecorder()
	p.ServeHTTP(w, r)
	for _, c := range w.Result().Cookies() {
		if p.cookies[c.Name] = c.Value; c.MaxAge < 0 {
			delete(p.cookies, c.Name)
		}
	}
	return w
}

// leads fails unless a response is a 303 to an address.
func leads(t *testing.T, w *httptest.ResponseRecorder, where string) {
	t.Helper()
	if got := w.Header().Get("Location"); w.Code != http.StatusSeeOther || got != where || w.Header().Get("Cache-Control") != "no-store" {
		t.Fatalf("got %d to %q (%s), want 303 to %q", w.Code, got, w.Header().Get("Cache-Control"), where)
	}
}

// shows fails unless a response is a no-store page that has and lacks some texts.
func shows(t *testing.T, w *httptest.ResponseRecorder, status int, has, lacks []string) string {
	t.Helper()
	body := w.Body.String()
	if w.Code != status || w.Header().Get("Cache-Control") != "no-store" {
		t.Fatalf("status %d, %q, want %d: %s", w.Code, w.Header().Get("Cache-Control"), status, body)
	}
	pagetest.Texts(t, body, has, lacks)
	pagetest.Form(t, body)
	return body
}

// told is shows with a golden file, people/name.outline. Unlike toldWhole, it leaves out the usage
// of an account, which has a line per day.
func told(t *testing.T, name string, w *httptest.ResponseRecorder, status int, lacks ...string) string {
	t.Helper()
	body := shows(t, w, status, nil, lacks)
	golden(t, "people/"+name, w, append(slices.Clone(ofToday), outline.Without("section", "aria-labelledby", "uso"))...)
	return body
}

func toldWhole(t *testing.T, name string, w *httptest.ResponseRecorder, status int, lacks ...string) string {
	t.Helper()
	body := shows(t, w, status, nil, lacks)
	golden(t, "people/"+name, w, ofToday...)
	return body
}

// letter flushes the outbox and returns the text of the only mail in a folder.
func letter(t *testing.T, l *fixture.Loaded, dir string) string {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	go outbox(t, l.Pool, dir).Run(ctx)
	poll := time.NewTicker(5 * time.Millisecond)
	defer poll.Stop()
	for waiting := 1; waiting > 0; <-poll.C {
		if err := l.Pool.QueryRow(ctx, `SELECT count(*) FROM mail_outbox`).Scan(&waiting); err != nil {
			t.Fatal(err)
		}
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.eml"))
	if err != nil || len(files) != 1 {
		t.Fatalf("mails %v, %v, want one", files, err)
	}
	text, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// ofToday masks what differs between runs: keys, other secrets, dates and times.
var ofToday = []outline.Option{
	outline.Masked(`rz_[0-9A-Za-z]+`, "rz_chave"),
	outline.Masked(`((?:token|authorization_id|navegador) value=)\S+?\]`, "${1}segredo]"),
	outline.Masked(`\d\d/\d\d/\d{4}(,? (?:às )?\d\d:\d\d(?::\d\d)?)?`, "dd/mm/aaaa$1"),
	outline.Masked(`\d\d/\d\d\b`, "dd/mm"),
	outline.Masked(`\b\d\d:\d\d(:\d\d)?\b`, "hh:mm"),
}
