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

	"razao/internal/fixture"
	"razao/internal/outline"
	"razao/site/page/pagetest"
)

const sessionCookie = "__Host-razao"

// signedIn returns the Cookie header of a browser in which the owner of an address is signed in.
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

// person is somebody at a browser, which keeps cookies.
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

// post sends a form as a page of the site does.
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

// leads fails unless an answer leads somewhere by GET.
func leads(t *testing.T, w *httptest.ResponseRecorder, where string) {
	t.Helper()
	if got := w.Header().Get("Location"); w.Code != http.StatusSeeOther || got != where || w.Header().Get("Cache-Control") != "no-store" {
		t.Fatalf("got %d to %q (%s), want 303 to %q", w.Code, got, w.Header().Get("Cache-Control"), where)
	}
}

// shows fails unless an answer is a page that is for one person alone and has and lacks some texts.
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

// told is shows for a page with a golden file, people/name.outline, and for what must not be in its source. It leaves out what
// toldWhole does not: the usage of an account, which has a line for every day.
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

// letter sends the waiting mails and returns the text of the only one in a folder.
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

// ofToday masks what no two runs have in common: keys and other secrets, and the days and hours of the test.
var ofToday = []outline.Option{
	outline.Masked(`rz_[0-9A-Za-z]+`, "rz_chave"),
	outline.Masked(`((?:token|authorization_id|navegador) value=)\S+?\]`, "${1}segredo]"),
	outline.Masked(`\d\d/\d\d/\d{4}(,? (?:às )?\d\d:\d\d(?::\d\d)?)?`, "dd/mm/aaaa$1"),
	outline.Masked(`\d\d/\d\d\b`, "dd/mm"),
	outline.Masked(`\b\d\d:\d\d(:\d\d)?\b`, "hh:mm"),
}
