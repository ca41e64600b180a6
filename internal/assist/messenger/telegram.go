package messenger

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"razao/internal/web"
)

// telegramUpdate is an Update of the Telegram Bot API. Other fields are ignored.
type telegramUpdate struct {
	Message *telegramMessage `json:"message"` // nil for edits, channel posts, buttons and the like
}

// telegramMessage is a Message of the Bot API.
type telegramMessage struct {
	From struct {
		IsBot bool `json:"is_bot"`
	} `json:"from"`
	Chat struct {
		ID   int64  `json:"id"`
		Type string `json:"type"` // "private" or a kind of group
	} `json:"chat"`
	Text string `json:"text"`
}

// asks reports whether to answer: everything in private chats, only commands in groups. Bots are
// never answered, which could loop.
func (m *telegramMessage) asks() bool {
	return m != nil && m.Chat.ID != 0 && !m.From.IsBot && (m.Chat.Type == "private" || isCommand(m.Text))
}

// sendMessage calls the Bot API's method of this name from the response to a webhook.
type sendMessage struct {
	Method      string      `json:"method"`
	ChatID      int64       `json:"chat_id"`
	Text        string      `json:"text"`
	LinkPreview linkPreview `json:"link_preview_options"`
}

type linkPreview struct {
	IsDisabled bool `json:"is_disabled"`
}

// telegram is the webhook of Telegram.
func (m *Messenger) telegram(c *gin.Context) {
	if !secretEqual(c.GetHeader("X-Telegram-Bot-Api-Secret-Token"), m.Telegram.Secret) { // before the body is read
		refuse(c, http.StatusUnauthorized, errUnauthenticated)
		return
	}
	body, ok := readBody(c, io.Discard)
	if !ok {
		return
	}
	var u telegramUpdate
	if err := json.Unmarshal(body, &u); err != nil {
		refuse(c, http.StatusBadRequest, fmt.Errorf("update of Telegram: %w", redactJSON(err)))
		return
	}
	if !u.Message.asks() {
		c.Status(http.StatusOK)
		return
	}
	text := slower
	switch m.limiter.allow("telegram " + strconv.FormatInt(u.Message.Chat.ID, 10)) {
	case silenced:
		c.Status(http.StatusOK)
		return
	case allowed:
		var err error
		text, err = m.Answer(c.Request.Context(), u.Message.Text)
		web.EventOf(c.Request.Context()).Fail(err)
	case warned:
	}
	call, err := json.Marshal(sendMessage{"sendMessage", u.Message.Chat.ID, text, linkPreview{true}})
	if err != nil {
		fail(c, fmt.Errorf("answer for Telegram: %w", err))
		return
	}
	c.Data(http.StatusOK, "application/json; charset=utf-8", call)
}

// isCommand reports whether a text is a bot command, such as /start or /ajuda@bot. All commands are
// answered with the help.
func isCommand(text string) bool { return strings.HasPrefix(text, "/") }
