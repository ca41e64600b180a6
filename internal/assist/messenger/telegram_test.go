package messenger

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// newUpdate returns an update of Telegram with a text message.
func newUpdate(chat int64, kind, text string) string {
	return fmt.Sprintf(`{"update_id":7,"message":{"message_id":1,"from":{"id":9,"is_bot":false},"chat":{"id":%d,"type":%q},"date":1790000000,"text":%q}}`,
		chat, kind, text)
}

// TestTelegramMessages delivers updates that ask something and updates that do not.
func TestTelegramMessages(t *testing.T) {
	t.Parallel()
	h := newHooks(t, connected("http://127.0.0.1:1"))
	cases := []struct {
		name, body string
		chat       int64 // 0: no answer
	}{
		{"command", newUpdate(11, "private", "/start"), 11},
		{"command with more", newUpdate(12, "private", "/start abc"), 12},
		{"help", newUpdate(13, "private", "/ajuda"), 13},
		{"sticker", `{"message":{"chat":{"id":14,"type":"private"},"sticker":{"file_id":"x"}}}`, 14},
		{"command in a group", newUpdate(-15, "supergroup", "/ajuda@razao_bot"), -15},
		{"company in a group", newUpdate(-16, "group", "12.345.678/0001-95"), 0},
		{"command with a CNPJ in a group", newUpdate(-17, "group", "/cnpj 12345678000195"), -17},
		{"joined a group", `{"message":{"chat":{"id":-18,"type":"group"},"new_chat_members":[{"id":1}]}}`, 0},
		{"bot", `{"message":{"from":{"is_bot":true},"chat":{"id":19,"type":"private"},"text":"/start"}}`, 0},
		{"edit", `{"edited_message":{"chat":{"id":20,"type":"private"},"text":"/start"}}`, 0},
		{"channel", `{"channel_post":{"chat":{"id":21,"type":"channel"},"text":"/start"}}`, 0},
		{"large chat", newUpdate(-1001234567890123, "supergroup", "/start"), -1001234567890123},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for range 2 { // what is delivered again was not answered, as far as Telegram knows
				w := h.telegramSends(t, c.body)
				if w.Code != http.StatusOK {
					t.Fatalf("status %d", w.Code)
				}
				if c.chat == 0 {
					if w.Body.Len() > 0 {
						t.Errorf("answered with %s", w.Body)
					}
					return
				}
				var got sendMessage
				if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
					t.Fatal(err)
				}
				if want := (sendMessage{"sendMessage", c.chat, h.help(), linkPreview{true}}); got != want {
					t.Errorf("answered with %+v, want %+v", got, want)
				}
				if kind := w.Header().Get("Content-Type"); !strings.HasPrefix(kind, "application/json") {
					t.Errorf("content type %s", kind)
				}
			}
		})
	}
}

// FuzzUpdate delivers arbitrary bodies.
func FuzzUpdate(f *testing.F) {
	f.Add([]byte(newUpdate(1, "private", "ajuda")))
	f.Add([]byte(`{"message":null}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		var u telegramUpdate
		if json.Unmarshal(body, &u) == nil && u.Message.asks() && u.Message.Chat.ID == 0 {
			t.Error("nobody is to be answered")
		}
	})
}
