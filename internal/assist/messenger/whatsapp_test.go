package messenger

import (
	"encoding/hex"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestWhatsAppMessages delivers messages that ask something and messages that do not.
func TestWhatsAppMessages(t *testing.T) {
	t.Parallel()
	ask := written("wamid.1", anybody, "ajuda")
	sticker := `{"from":"` + anybody + `","id":"wamid.2","type":"sticker","sticker":{"id":"1"}}`
	cases := []struct {
		name, body string
		answers    int
	}{
		{"text", delivered(ask), 1},
		{"two at once", delivered(ask, written("wamid.9", "5519999990002", "/start")), 2},
		{"sticker", delivered(sticker), 1},
		{"unknown kind", delivered(`{"from":"` + anybody + `","id":"wamid.3","type":"hologram","hologram":{"x":[1]}}`), 1},
		{"text that is empty", delivered(`{"from":"` + anybody + `","id":"wamid.4","type":"text","text":{"body":""}}`), 1},
		{"reaction", delivered(`{"from":"` + anybody + `","id":"wamid.5","type":"reaction","reaction":{"emoji":"x"}}`), 0},
		{"note of the system", delivered(`{"from":"` + anybody + `","id":"wamid.6","type":"system","system":{"body":"x"}}`), 0},
		{"group", delivered(`{"from":"` + anybody + `","group_id":"1","id":"wamid.7","type":"text","text":{"body":"ajuda"}}`), 0},
		{"no sender", delivered(`{"id":"wamid.8","type":"text","text":{"body":"ajuda"}}`), 0},
		{"another number of the same business", strings.Replace(delivered(ask), phoneID, "1", 1), 0},
		{"report", strings.Replace(delivered(), `"messages":[]`, `"statuses":[{"id":"wamid.1","status":"read","recipient_id":"`+anybody+`"}]`, 1), 0},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := newPlatform(t, 0)
			h := newHooks(t, connected(p.URL))
			if status := h.whatsAppSends(t, c.body); status != http.StatusOK {
				t.Errorf("status %d", status)
			}
			h.stop()
			got := p.messages()
			if len(got) != c.answers {
				t.Fatalf("%d answers, want %d", len(got), c.answers)
			}
			for i, m := range got {
				want := textMessage{"whatsapp", "individual", m.To, "text", textBody{Body: h.help()}}
				if m != want || p.paths[i] != "/"+phoneID+"/messages" || p.tokens[i] != "Bearer "+accessToken {
					t.Errorf("sent %+v to %s, want %+v", m, p.paths[i], want)
				}
			}
			if c.name == "text" && got[0].To != anybody {
				t.Errorf("sent to %s", got[0].To)
			}
		})
	}
}

// TestWhatsAppRedelivery: a message delivered twice is answered once.
func TestWhatsAppRedelivery(t *testing.T) {
	t.Parallel()
	p := newPlatform(t, 0)
	h := newHooks(t, connected(p.URL))
	one, two := written("wamid.1", anybody, "ajuda"), written("wamid.2", anybody, "ajuda")
	for _, body := range []string{delivered(one), delivered(one), delivered(one, two), delivered(two)} {
		if status := h.whatsAppSends(t, body); status != http.StatusOK {
			t.Errorf("status %d", status)
		}
	}
	h.stop()
	if got := len(p.messages()); got != 2 {
		t.Errorf("%d answers to two messages", got)
	}
}

// TestWhatsAppBusy: a message refused by a full queue is answered when it is delivered again.
func TestWhatsAppBusy(t *testing.T) {
	t.Parallel()
	p := newPlatform(t, 0, make([]int, sendWorkers)...) // as many never get an answer
	h := newHooks(t, connected(p.URL))
	h.sender.client.Timeout = time.Hour
	send := func(i int) int {
		return h.whatsAppSends(t, delivered(written(fmt.Sprint("wamid.", i), fmt.Sprint(i), "ajuda")))
	}
	for i := range sendWorkers {
		if status := send(i); status != http.StatusOK {
			t.Fatalf("message %d: status %d", i, status)
		}
		<-p.arrived
	}
	for i := range maxQueued {
		if status := send(sendWorkers + i); status != http.StatusOK {
			t.Fatalf("message %d: status %d", sendWorkers+i, status)
		}
	}
	const late = sendWorkers + maxQueued
	for range 2 {
		if status := send(late); status != http.StatusServiceUnavailable {
			t.Errorf("one too many: status %d, want 503", status)
		}
	}
	if status := send(late - 1); status != http.StatusOK {
		t.Errorf("one that waits already: status %d", status)
	}
	<-h.sender.queue
	if status := send(late); status != http.StatusOK {
		t.Errorf("delivered again when there is a place: status %d", status)
	}
	h.sender.drain = 0 // the platform will never answer
	h.stop()
	if status := send(late + 1); status != http.StatusServiceUnavailable {
		t.Errorf("after the end: status %d, want 503", status)
	}
	if strings.Contains(h.log.String(), "panic") {
		t.Errorf("panic\n%s", h.log)
	}
}

// TestFullQueueCostsNoTokens redelivers messages to a full queue (backpressure): that takes nothing
// from the sender's bucket, and the warning to slow down is not lost.
func TestFullQueueCostsNoTokens(t *testing.T) {
	t.Parallel()
	c := connected("http://127.0.0.1:1")
	c.BaseURL, c.Log = "https://razao.exemplo/", slog.New(slog.DiscardHandler)
	m, err := New(c) // not run: what is queued stays
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	m.limiter.now = func() time.Time { return now }
	sent := 0
	send := func(from string) (accepted bool) {
		sent++
		return m.accept(&whatsAppMessage{From: from, ID: fmt.Sprint(sent)})
	}
	queued := func() (answer string) {
		select {
		case out := <-m.sender.queue:
			return out.answer
		default:
			return "nothing is queued"
		}
	}
	full := func() {
		t.Helper()
		for range maxQueued {
			if !send(fmt.Sprint("other ", sent)) {
				t.Fatal("a free place is refused")
			}
		}
		for i := range messagesAtOnce + 3 {
			if send(anybody) {
				t.Errorf("message %d to a full queue is accepted", i+1)
			}
		}
		for range maxQueued {
			_ = queued()
		}
	}
	full()
	for i := range messagesAtOnce {
		if !send(anybody) {
			t.Fatalf("message %d is refused", i+1)
		}
		if answer := queued(); answer != "" {
			t.Errorf("message %d is answered with %q", i+1, answer)
		}
	}
	full()
	if accepted, answer := send(anybody), queued(); !accepted || answer != slower {
		t.Errorf("too many: accepted %t, answered with %q, want the warning", accepted, answer)
	}
	if accepted := send(anybody); !accepted || len(m.sender.queue) > 0 {
		t.Errorf("after the warning: accepted %t, %d answers are queued, want none", accepted, len(m.sender.queue))
	}
}

// TestWhatsAppTries sends to a platform that fails transiently or for good.
func TestWhatsAppTries(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name     string
		code     int
		statuses []int
		tries    int
		lost     bool
	}{
		{"at once", 0, nil, 1, false},
		{"after trouble", 0, []int{500, 503, 429}, 4, false},
		{"too much at the moment", 131056, []int{400, 400}, 3, false},
		{"trouble without end", 0, []int{500, 500, 500, 500, 500}, maxTries, true},
		{"refused", 131026, []int{400}, 1, true},
		{"token expired", 190, []int{401}, 1, true},
		{"sent elsewhere", 0, []int{307}, 1, true},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := newPlatform(t, c.code, c.statuses...)
			h := newHooks(t, connected(p.URL))
			h.whatsAppSends(t, delivered(written("wamid.1", anybody, "ajuda")))
			for range c.tries {
				<-p.arrived
			}
			h.stop()
			if got := len(p.messages()); got != c.tries {
				t.Errorf("%d tries, want %d", got, c.tries)
			}
			if lost := strings.Contains(h.log.String(), "send an answer"); lost != c.lost {
				t.Errorf("logged as lost: %t, want %t\n%s", lost, c.lost, h.log)
			}
		})
	}
}

// TestWhatsAppHangs: a platform that does not respond is given up; a broken connection is retried.
func TestWhatsAppHangs(t *testing.T) {
	t.Parallel()
	lost := make(chan error, 1)
	h := newHooks(t, connected(newPlatform(t, 0, make([]int, maxTries)...).URL))
	h.sender.client.Timeout = time.Millisecond
	h.sender.failed = func(err error) { lost <- err }
	h.whatsAppSends(t, delivered(written("wamid.1", anybody, "ajuda")))
	if err := <-lost; !strings.Contains(err.Error(), fmt.Sprintf("after %d tries", maxTries)) {
		t.Errorf("given up with %v", err)
	}

	p := newPlatform(t, 0, 0)
	h = newHooks(t, connected(p.URL))
	h.whatsAppSends(t, delivered(written("wamid.1", anybody, "ajuda")))
	<-p.arrived
	p.CloseClientConnections()
	<-p.arrived
	h.stop()
	if got := p.messages(); len(got) != 2 || got[0] != got[1] {
		t.Errorf("sent %v, want the same answer twice", got)
	}
}

// TestStop: answers queued at shutdown are sent without waiting for backoffs.
func TestStop(t *testing.T) {
	t.Parallel()
	p := newPlatform(t, 0, 500)
	h := newHooks(t, connected(p.URL))
	h.sender.backoff = time.Hour
	var want []string
	for i := range 20 {
		want = append(want, fmt.Sprint(100+i))
		h.whatsAppSends(t, delivered(written(fmt.Sprint("wamid.", i), want[i], "ajuda")))
	}
	h.stop()
	var got []string
	for _, m := range p.messages() {
		got = append(got, m.To)
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("answers to %v, want %v", got, want)
	}
}

// TestLogs: the log never has who asks, or what.
func TestLogs(t *testing.T) {
	t.Parallel()
	p := newPlatform(t, 131026, 400, 500, 500, 500, 500)
	h := newHooks(t, connected(p.URL))
	secretText := "ajuda"
	h.whatsAppSends(t, delivered(written("wamid.1", anybody, secretText)))
	h.whatsAppSends(t, delivered(written("wamid.2", anybody, secretText)))
	h.whatsAppSends(t, `{"entry":[{"changes":[{"value":{"messages":[{"from":`+anybody+`}]}}]}]}`)
	h.whatsAppSends(t, `{"entry": ajuda`)
	h.telegramSends(t, `{"message":{"chat":{"id":77001122.5},"text":"ajuda"}}`)
	h.telegramSends(t, `{"message":{"chat":{"id":"77001122"},"text":"ajuda"}}`)
	h.telegramSends(t, `{"message":{"chat":{"id":77001122,"type":"private"},"text":"ajuda"}}`)
	h.stop()
	log := h.log.String()
	for _, secret := range []string{anybody, secretText, "77001122", "ANA INVENTADA", accessToken, appSecret, telegramSecret, verifyToken, "wamid"} {
		if strings.Contains(log, secret) {
			t.Errorf("the log has %q\n%s", secret, log)
		}
	}
	if !strings.Contains(log, "code 131026") || !strings.Contains(log, "route=/assistente/whatsapp/webhook") {
		t.Errorf("the log lacks what happened\n%s", log)
	}
}

// FuzzDelivery delivers arbitrary bodies.
func FuzzDelivery(f *testing.F) {
	f.Add([]byte(delivered(written("wamid.1", anybody, "ajuda"))), "sha256=00")
	f.Add([]byte(`{"entry":[{"changes":[{"value":null}]},null]}`), "")
	f.Fuzz(func(t *testing.T, body []byte, header string) {
		if given, ok := parseSignature(header); ok && !strings.EqualFold(header, "sha256="+hex.EncodeToString(given)) {
			t.Errorf("%q is taken for a signature", header)
		}
		d, err := parseDelivery(body)
		if err != nil && strings.Contains(err.Error(), anybody) {
			t.Errorf("the error names a sender: %v", err)
		}
		for _, m := range d.messages(phoneID) {
			if m.From == "" || m.ID == "" {
				t.Errorf("a message of nobody: %+v", m)
			}
		}
	})
}
