package sitetest

import (
	"context"
	"encoding/csv"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"razao/internal/people/mail"
	"razao/site/page/pagetest"
)

// HTML is the Accept header of people; programs send none.
const HTML = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"

// SessionCookie is the cookie of whoever is signed in.
const SessionCookie = "__Host-razao"

// Get requests an address as a program does, with headers as pairs.
func (s *Site) Get(t testing.TB, target string, headers ...string) *httptest.ResponseRecorder {
	t.Helper()
	return Get(t, s.Engine, target, headers...)
}

// Get is [Site.Get] of any handler.
func Get(t testing.TB, h http.Handler, target string, headers ...string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, target, nil)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// Status fails unless an address answers with a status.
func (s *Site) Status(t testing.TB, want int, target string, headers ...string) {
	t.Helper()
	if w := s.Get(t, target, headers...); w.Code != want {
		t.Errorf("%.200s: status %d, want %d: %.2000s", target, w.Code, want, w.Body)
	}
}

// Body returns the body of a response that must be a 200.
func (s *Site) Body(t testing.TB, target string, headers ...string) string {
	t.Helper()
	w := s.Get(t, target, headers...)
	if w.Code != http.StatusOK {
		t.Fatalf("%.200s: status %d, want 200: %.2000s", target, w.Code, w.Body)
	}
	return w.Body.String()
}

// Page returns a page that must be a 200, parsed.
func (s *Site) Page(t testing.TB, target string) pagetest.Document {
	t.Helper()
	return pagetest.Parse(t, s.Body(t, target))
}

// Texts fails unless an address answers with 200 and a body that has and lacks some texts.
func (s *Site) Texts(t testing.TB, target string, has, lacks []string) {
	t.Helper()
	if !pagetest.Texts(t, s.Body(t, target), has, lacks) {
		t.Errorf("on %.200s", target)
	}
}

// Table returns the rows of a response that must be a complete CSV attachment, by column.
func Table(t testing.TB, w *httptest.ResponseRecorder) []map[string]string {
	t.Helper()
	if w.Code != http.StatusOK || w.Header().Get("Content-Type") != "text/csv; charset=utf-8" ||
		!strings.HasPrefix(w.Header().Get("Content-Disposition"), "attachment; filename=") {
		t.Fatalf("status %d, %v", w.Code, w.Header())
	}
	lines, err := csv.NewReader(w.Body).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var table []map[string]string
	for _, line := range lines[1:] {
		row := map[string]string{}
		for i, value := range line {
			row[lines[0][i]] = value
		}
		table = append(table, row)
	}
	return table
}

// Browser is a browser of a person: it accepts pages and keeps cookies.
type Browser struct {
	Site    *Site
	Cookies map[string]string
}

// Browser returns a browser that has a cookie, "name=value", or none.
func (s *Site) Browser(cookie string) *Browser {
	b := &Browser{s, map[string]string{}}
	if name, value, ok := strings.Cut(cookie, "="); ok {
		b.Cookies[name] = value
	}
	return b
}

// Visitor returns a browser in which nobody is signed in.
func (s *Site) Visitor() *Browser { return s.Browser("") }

// SignedIn returns a browser in which the owner of an address is signed in.
func (s *Site) SignedIn(t testing.TB, email string) *Browser {
	t.Helper()
	return s.Browser(s.Session(t, email))
}

// Session signs the owner of an address in and returns the browser's Cookie header.
func (s *Site) Session(t testing.TB, email string) string {
	t.Helper()
	id, err := s.Accounts.ByEmail(t.Context(), email)
	if err != nil {
		t.Fatal(err)
	}
	token, _, err := s.Accounts.StartSession(t.Context(), id, "Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0", "")
	if err != nil {
		t.Fatal(err)
	}
	return SessionCookie + "=" + token
}

// Open requests an address.
func (b *Browser) Open(t testing.TB, target string) *httptest.ResponseRecorder {
	t.Helper()
	return b.Send(httptest.NewRequestWithContext(t.Context(), http.MethodGet, target, nil))
}

// Post submits a form of the site, with fields as pairs.
func (b *Browser) Post(t testing.TB, target string, fields ...string) *httptest.ResponseRecorder {
	t.Helper()
	return b.Send(Form(t, target, "same-origin", fields...))
}

// Form returns the request for a form that comes from elsewhere: a value of Sec-Fetch-Site.
func Form(t testing.TB, target, from string, fields ...string) *http.Request {
	t.Helper()
	values := url.Values{}
	for i := 0; i < len(fields); i += 2 {
		values.Add(fields[i], fields[i+1])
	}
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, target, strings.NewReader(values.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Sec-Fetch-Site", from)
	return r
}

// Send sends a request with the cookies of the browser and keeps those of the response.
func (b *Browser) Send(r *http.Request) *httptest.ResponseRecorder {
	for name, value := range b.Cookies {
		r.AddCookie(&http.Cookie{Name: name, Value: value})
	}
	r.Header.Set("Accept", HTML)
	w := httptest.NewRecorder()
	b.Site.ServeHTTP(w, r)
	for _, c := range w.Result().Cookies() {
		if b.Cookies[c.Name] = c.Value; c.MaxAge < 0 {
			delete(b.Cookies, c.Name)
		}
	}
	return w
}

// Leads fails unless a response is a 303 to an address that no cache keeps.
func Leads(t testing.TB, w *httptest.ResponseRecorder, where string) {
	t.Helper()
	if got := w.Header().Get("Location"); w.Code != http.StatusSeeOther || got != where || w.Header().Get("Cache-Control") != "no-store" {
		t.Fatalf("got %d to %q (%s), want 303 to %q", w.Code, got, w.Header().Get("Cache-Control"), where)
	}
}

// Shows fails unless a response is a page that no cache keeps and that has and lacks some texts.
func Shows(t testing.TB, w *httptest.ResponseRecorder, status int, has, lacks []string) string {
	t.Helper()
	body := w.Body.String()
	if w.Code != status || w.Header().Get("Cache-Control") != "no-store" {
		t.Fatalf("status %d, %q, want %d: %s", w.Code, w.Header().Get("Cache-Control"), status, body)
	}
	pagetest.Texts(t, body, has, lacks)
	pagetest.Form(t, body)
	return body
}

func outbox(t testing.TB, pool *pgxpool.Pool, dir string) *mail.Outbox {
	t.Helper()
	o, err := mail.Open(pool, mail.Config{From: "nao-responda@razao.exemplo", Dir: dir, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// Mail flushes the outbox and returns the text of the only mail that was ever sent.
func (s *Site) Mail(t testing.TB) string {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	go outbox(t, s.Stores.Pool, s.mails).Run(ctx)
	poll := time.NewTicker(5 * time.Millisecond)
	defer poll.Stop()
	for waiting := 1; waiting > 0; <-poll.C {
		if err := s.Stores.Pool.QueryRow(ctx, `SELECT count(*) FROM mail_outbox`).Scan(&waiting); err != nil {
			t.Fatal(err)
		}
	}
	files, err := filepath.Glob(filepath.Join(s.mails, "*.eml"))
	if err != nil || len(files) != 1 {
		t.Fatalf("mails %v, %v, want one", files, err)
	}
	text, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
