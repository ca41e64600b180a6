package site_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/iotest"

	"razao/internal/web"
	"razao/site/sitetest"
)

const listHead = "--x\r\nContent-Disposition: form-data; name=\"cnpjs\"\r\n\r\n"

// listRequest is a request with a list.
func listRequest(t *testing.T, body io.Reader) *http.Request {
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/lista", body)
	r.Header.Set("Content-Type", "multipart/form-data; boundary=x")
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	return r
}

// listOf sends a list from an address.
func listOf(t *testing.T, b *sitetest.Browser, client string, body io.Reader) *httptest.ResponseRecorder {
	t.Helper()
	r := listRequest(t, body)
	r.RemoteAddr = client + ":1234"
	return b.Send(r)
}

func wholeList() io.Reader { return strings.NewReader(listHead + "12345678000195\r\n--x--\r\n") }

// TestSlowListsHoldUpNobody has four accounts at two addresses begin lists and not go on: lists of others, there and
// elsewhere, are answered.
func TestSlowListsHoldUpNobody(t *testing.T) {
	t.Parallel()
	h := sitetest.WithAccounts(t)
	var slow sync.WaitGroup
	var rest []*io.PipeWriter
	for i, client := range []string{"192.0.2.1", "192.0.2.1", "192.0.2.2", "192.0.2.2"} {
		attacker := h.SignedIn(t, "eva"+string(rune('0'+i))+"@exemplo.com")
		body, send := io.Pipe()
		slow.Go(func() { listOf(t, attacker, client, body) })
		if _, err := io.WriteString(send, listHead); err != nil {
			t.Fatal(err)
		}
		rest = append(rest, send)
	}
	for client, email := range map[string]string{"192.0.2.1": "ana@exemplo.com", "192.0.2.2": "bia@exemplo.com", "203.0.113.1": "caio@exemplo.com"} {
		if w := listOf(t, h.SignedIn(t, email), client, wholeList()); w.Code != http.StatusSeeOther {
			t.Errorf("%s: %d", client, w.Code)
		}
	}
	for _, send := range rest {
		_ = send.CloseWithError(io.ErrUnexpectedEOF)
	}
	slow.Wait()
}

// TestSlowBodiesAreTold: who sends too slowly learns why nothing came of it.
func TestSlowBodiesAreTold(t *testing.T) {
	t.Parallel()
	h := sitetest.WithAccounts(t)
	b := h.SignedIn(t, "ana@exemplo.com")
	w := listOf(t, b, "192.0.2.1", io.MultiReader(strings.NewReader(listHead), iotest.ErrReader(web.ErrSlow)))
	if w.Code != http.StatusRequestTimeout {
		t.Errorf("a list: %d", w.Code)
	}
	sitetest.Golden(t, "trouble/slow", w)
	r := sitetest.Form(t, "/conta/sair", "same-origin")
	r.Body, r.ContentLength = io.NopCloser(iotest.ErrReader(web.ErrSlow)), -1
	if w := b.Send(r); w.Code != http.StatusRequestTimeout {
		t.Errorf("a form: %d", w.Code)
	}
}

// deaf is a client that reads nothing of what is sent to it until it is told to.
type deaf struct {
	*httptest.ResponseRecorder
	once    sync.Once
	writing chan struct{}
	reads   <-chan struct{}
}

func (d *deaf) Write(b []byte) (int, error) {
	d.once.Do(func() { close(d.writing) })
	<-d.reads
	return d.ResponseRecorder.Write(b)
}

// slowReaders are clients that send one request and do not read its answer, until they end.
type slowReaders struct {
	t       *testing.T
	site    *sitetest.Site
	request func(email string) *http.Request
	reads   chan struct{}
	waiting sync.WaitGroup
}

func (s *slowReaders) send(w http.ResponseWriter, client, email string) {
	r := s.request(email)
	r.RemoteAddr = client + ":1234"
	r.Header.Set("Accept", sitetest.HTML)
	r.Header.Set("Cookie", s.site.Session(s.t, email))
	s.site.Engine.ServeHTTP(w, r)
}

// begin sends the request, and returns when its answer has begun.
func (s *slowReaders) begin(client, email string) {
	w := &deaf{ResponseRecorder: httptest.NewRecorder(), writing: make(chan struct{}), reads: s.reads}
	s.waiting.Go(func() { s.send(w, client, email) })
	<-w.writing
}

// served sends the request of a client that reads.
func (s *slowReaders) served(client, email string, want int) *httptest.ResponseRecorder {
	s.t.Helper()
	w := httptest.NewRecorder()
	if s.send(w, client, email); w.Code != want {
		s.t.Errorf("%s at %s: %d, want %d", email, client, w.Code, want)
	}
	return w
}

// end has all answers read.
func (s *slowReaders) end() {
	close(s.reads)
	s.waiting.Wait()
}

const office, home = "192.0.2.1", "203.0.113.1"

// TestSlowDownloadsHoldUpNobody has one person, and then others at the same address, begin downloads and not
// read them: that closes them to the person, and then to the address, and to nobody else. Lists go on.
func TestSlowDownloadsHoldUpNobody(t *testing.T) {
	t.Parallel()
	_, h := sitetest.Changed(t)
	s := slowReaders{t: t, site: h, reads: make(chan struct{}), request: func(string) *http.Request {
		return httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/mudancas/lista.csv", nil)
	}}
	s.begin(office, "ana@exemplo.com")
	w := s.served(office, "ana@exemplo.com", http.StatusTooManyRequests)
	if w.Header().Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}
	sitetest.Golden(t, "trouble/one-at-a-time", w)
	s.served(home, "ana@exemplo.com", http.StatusTooManyRequests)
	s.served(office, "bia@exemplo.com", http.StatusOK)
	s.begin(office, "bia@exemplo.com")
	s.begin(office, "caio@exemplo.com")
	s.served(office, "davi@exemplo.com", http.StatusTooManyRequests)
	s.served(home, "davi@exemplo.com", http.StatusOK)
	if w := listOf(t, h.SignedIn(t, "ana@exemplo.com"), office, wholeList()); w.Code != http.StatusSeeOther {
		t.Errorf("a list meanwhile: %d", w.Code)
	}
	s.end()
	s.served(office, "davi@exemplo.com", http.StatusOK)
}

// TestSlowReadersOfListsHoldNoMore has one person, and then others at the same address, download lists and not read them: that closes
// these files to the person, and then to the address, and to nobody else.
func TestSlowReadersOfListsHoldNoMore(t *testing.T) {
	t.Parallel()
	h := sitetest.WithAccounts(t)
	files := map[string]string{}
	for _, email := range []string{"ana@exemplo.com", "bia@exemplo.com", "caio@exemplo.com", "davi@exemplo.com"} {
		files[email] = listOf(t, h.SignedIn(t, email), home, wholeList()).Header().Get("Location") + "/linhas.csv"
	}
	s := slowReaders{t: t, site: h, reads: make(chan struct{}), request: func(email string) *http.Request {
		return httptest.NewRequestWithContext(t.Context(), http.MethodGet, files[email], nil)
	}}
	s.begin(office, "ana@exemplo.com")
	s.begin(office, "ana@exemplo.com")
	s.served(home, "ana@exemplo.com", http.StatusTooManyRequests)
	s.served(office, "bia@exemplo.com", http.StatusOK)
	s.begin(office, "bia@exemplo.com")
	s.begin(office, "caio@exemplo.com")
	s.served(office, "davi@exemplo.com", http.StatusTooManyRequests)
	s.served(home, "davi@exemplo.com", http.StatusOK)
	if w := listOf(t, h.SignedIn(t, "ana@exemplo.com"), office, wholeList()); w.Code != http.StatusSeeOther {
		t.Errorf("a list meanwhile: %d", w.Code)
	}
	s.end()
	s.served(office, "ana@exemplo.com", http.StatusOK)
}
