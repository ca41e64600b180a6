package messenger

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
)

// body is a request body that tells when it is read. It ends when released.
type body struct {
	io.Reader
	begun atomic.Bool
	first chan struct{}
	ended chan struct{}
}

func newBody(text string) *body {
	return &body{Reader: strings.NewReader(text), first: make(chan struct{}), ended: make(chan struct{})}
}

// Read implements io.Reader.
func (b *body) Read(p []byte) (int, error) {
	if !b.begun.Swap(true) {
		close(b.first)
	}
	<-b.ended
	return b.Reader.Read(p)
}

func (h *hooks) deliver(t *testing.T, b *body, signature, from string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, WhatsAppPath, b)
	r.RemoteAddr = from + ":1234"
	if signature != "" {
		r.Header.Set("X-Hub-Signature-256", signature)
	}
	w := httptest.NewRecorder()
	h.handler.ServeHTTP(w, r)
	return w
}

// TestUnsignedBodiesAreNotRead: a request without a well-formed signature is refused before its
// body is read.
func TestUnsignedBodiesAreNotRead(t *testing.T) {
	t.Parallel()
	h := newHooks(t, connected(newPlatform(t, 0).URL))
	text := delivered(written("wamid.1", anybody, "ajuda"))
	good := signature(text, appSecret)
	for name, header := range map[string]string{
		"none": "", "empty": "sha256=", "no hexadecimal": "sha256=" + strings.Repeat("z", 64), "short": good[:len(good)-2], "long": good + "00",
		"another algorithm": "sha1=" + good[7:], "without its name": good[7:],
	} {
		b := newBody(text)
		close(b.ended)
		if w := h.deliver(t, b, header, "203.0.113.7"); w.Code != http.StatusUnauthorized || b.begun.Load() {
			t.Errorf("%s: status %d, body read: %t", name, w.Code, b.begun.Load())
		}
	}
}

// TestSlowBodies: slow bodies from one network (slowloris) leave slots for others.
func TestSlowBodies(t *testing.T) {
	t.Parallel()
	h := newHooks(t, connected(newPlatform(t, 0).URL))
	text := delivered(written("wamid.1", anybody, "ajuda"))
	forged := signature(text, "outro")
	statuses := make(chan int, bodiesOfOne)
	var slow []*body
	for range bodiesOfOne {
		b := newBody(text)
		slow = append(slow, b)
		go func() { statuses <- h.deliver(t, b, forged, "203.0.113.7").Code }()
		<-b.first
	}
	late := newBody(text)
	close(late.ended)
	if w := h.deliver(t, late, forged, "203.0.113.7"); w.Code != http.StatusTooManyRequests || late.begun.Load() {
		t.Errorf("one too many: status %d, body read: %t", w.Code, late.begun.Load())
	}
	good := newBody(text)
	close(good.ended)
	if w := h.deliver(t, good, signature(text, appSecret), "198.51.100.9"); w.Code != http.StatusOK {
		t.Errorf("of another network: status %d", w.Code)
	}
	for _, b := range slow {
		close(b.ended)
		if status := <-statuses; status != http.StatusUnauthorized {
			t.Errorf("forged: status %d", status)
		}
	}
}
