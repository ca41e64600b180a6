package messenger

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

func TestSendersAreLimited(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 9, 1, 12, 0, 0, 0, time.UTC)
	l := newLimiter(func() time.Time { return now })
	for i := range messagesAtOnce {
		if got := l.allow("ana"); got != allowed {
			t.Fatalf("message %d: %v", i+1, got)
		}
	}
	got := []verdict{l.allow("ana"), l.allow("ana"), l.allow("ana"), l.allow("bia")}
	if want := []verdict{warned, silenced, silenced, allowed}; !slices.Equal(got, want) {
		t.Errorf("too many: %v, want %v", got, want)
	}
	now = now.Add(time.Minute / messagesPerMinute)
	got = []verdict{l.allow("ana"), l.allow("ana"), l.allow("ana")}
	if want := []verdict{allowed, warned, silenced}; !slices.Equal(got, want) {
		t.Errorf("later: %v, want %v", got, want)
	}
}

// TestMemoryIsBounded has more messages and people come than are remembered: the oldest are forgotten.
func TestMemoryIsBounded(t *testing.T) {
	t.Parallel()
	l := newLimiter(time.Now)
	for i := range remembered + 10 {
		l.firstDelivery(strconv.Itoa(i))
		l.allow(strconv.Itoa(i))
	}
	if seen, quotas := l.seen.Len(), l.quotas.Len(); seen != remembered || quotas != remembered {
		t.Errorf("%d messages and %d people are remembered, want %d", seen, quotas, remembered)
	}
	if l.firstDelivery("10") || !l.firstDelivery("9") {
		t.Error("others than the oldest are forgotten")
	}
}

func TestSendersAreSlowedDown(t *testing.T) {
	t.Parallel()
	p := newPlatform(t, 0)
	h := newHooks(t, connected(p.URL))
	now := time.Now()
	h.limiter.now = func() time.Time { return now }
	telegram := 0
	for i := range messagesAtOnce + 3 {
		if status := h.whatsAppSends(t, delivered(written("wamid."+strconv.Itoa(i), anybody, "ajuda"))); status != http.StatusOK {
			t.Errorf("status %d", status)
		}
		if w := h.telegramSends(t, newUpdate(5, "private", "ajuda")); w.Body.Len() > 0 {
			telegram++
			if slow := strings.Contains(w.Body.String(), "Espere um minuto"); slow != (telegram == messagesAtOnce+1) {
				t.Errorf("answer %d: told to wait: %t", telegram, slow)
			}
		}
	}
	h.stop()
	got := p.messages()
	slowed := slices.ContainsFunc(got, func(m textMessage) bool { return m.Text.Body == slower })
	if len(got) != messagesAtOnce+1 || !slowed || telegram != messagesAtOnce+1 {
		t.Errorf("%d answers by WhatsApp, told to wait: %t; %d by Telegram; want %d each", len(got), slowed, telegram, messagesAtOnce+1)
	}
}
