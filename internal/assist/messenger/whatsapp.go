package messenger

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"

	"razao/internal/web"
)

// Errors for the log; the responses have no body.
var (
	errUnauthenticated = errors.New("webhook request without a valid signature or secret")
	errQueueFull       = errors.New("queue of answers is full or closed")
)

// delivery is a webhook payload of the WhatsApp Cloud API. Other fields are ignored. It has any
// number of messages; reports on the status of sent ones have none.
type delivery struct {
	Entry []struct {
		Changes []struct {
			Value struct {
				Metadata struct {
					PhoneNumberID string `json:"phone_number_id"`
				} `json:"metadata"`
				Messages []whatsAppMessage `json:"messages"`
			} `json:"value"`
		} `json:"changes"`
	} `json:"entry"`
}

// whatsAppMessage is a received message.
type whatsAppMessage struct {
	From    string `json:"from"`
	ID      string `json:"id"`
	Type    string `json:"type"`
	GroupID string `json:"group_id"`
	Text    struct {
		Body string `json:"body"`
	} `json:"text"`
}

// parseDelivery decodes a payload. Its error does not quote the payload.
func parseDelivery(body []byte) (d delivery, err error) {
	if err = json.Unmarshal(body, &d); err != nil {
		err = fmt.Errorf("delivery of WhatsApp: %w", redactJSON(err))
	}
	return d, err
}

// messages returns the messages to a number that expect an answer: not reactions, system messages
// or those of groups.
func (d *delivery) messages(phoneID string) []whatsAppMessage {
	var sent []whatsAppMessage
	for _, entry := range d.Entry {
		for _, change := range entry.Changes {
			if change.Value.Metadata.PhoneNumberID != phoneID {
				continue
			}
			for _, m := range change.Value.Messages {
				if m.From != "" && m.ID != "" && m.GroupID == "" && m.Type != "reaction" && m.Type != "system" {
					sent = append(sent, m)
				}
			}
		}
	}
	return sent
}

// verifyWhatsApp answers the verification request of a new webhook by echoing hub.challenge.
func (m *Messenger) verifyWhatsApp(c *gin.Context) {
	const longestChallenge = 200 // bytes; it is a number
	challenge := c.Query("hub.challenge")
	if c.Query("hub.mode") != "subscribe" || !secretEqual(c.Query("hub.verify_token"), m.WhatsApp.VerifyToken) || len(challenge) > longestChallenge {
		refuse(c, http.StatusUnauthorized, errUnauthenticated)
		return
	}
	c.Data(http.StatusOK, "text/plain; charset=utf-8", []byte(challenge))
}

// whatsApp is the webhook of WhatsApp. It queues the messages of a delivery and returns. If the
// queue is full it responds 503 for the whole delivery; when this comes again, messages already
// queued are recognized as duplicates.
func (m *Messenger) whatsApp(c *gin.Context) {
	body, ok := m.readSigned(c)
	if !ok {
		return
	}
	d, err := parseDelivery(body)
	if err != nil {
		refuse(c, http.StatusBadRequest, err)
		return
	}
	for _, message := range d.messages(m.WhatsApp.PhoneID) {
		if !m.accept(&message) {
			refuse(c, http.StatusServiceUnavailable, errQueueFull)
			return
		}
	}
	c.Status(http.StatusOK)
}

// accept queues a message unless it was delivered before or its sender is silenced. It returns
// false if the queue is full.
func (m *Messenger) accept(message *whatsAppMessage) bool {
	id := "whatsapp " + message.ID
	if !m.limiter.firstDelivery(id) {
		return true
	}
	out := outgoing{to: message.From, text: message.Text.Body}
	accepted := m.limiter.allowIf("whatsapp "+message.From, func(v verdict) bool {
		switch v {
		case silenced:
			return true
		case warned:
			out.answer = slower
		case allowed:
		}
		return m.sender.enqueue(out)
	})
	if !accepted {
		m.limiter.forget(id)
	}
	return accepted
}

// readSigned reads a body and verifies its signature. The signature can be checked only after the
// last byte, so anyone could make the server hold bodies of maxBody: a request without a
// well-formed signature is refused unread, and m.bodySlots bounds how many are read at once. On
// failure it has responded and returns false.
func (m *Messenger) readSigned(c *gin.Context) ([]byte, bool) {
	given, ok := parseSignature(c.GetHeader("X-Hub-Signature-256"))
	if !ok {
		refuse(c, http.StatusUnauthorized, errUnauthenticated)
		return nil, false
	}
	release, err := m.bodySlots.Take(c.Request.Context(), web.ClientOf(c))
	if err != nil {
		tooMany(c, err)
		return nil, false
	}
	defer release()
	mac := hmac.New(sha256.New, []byte(m.WhatsApp.AppSecret))
	body, ok := readBody(c, mac)
	if ok && !hmac.Equal(given, mac.Sum(nil)) {
		refuse(c, http.StatusUnauthorized, errUnauthenticated)
		ok = false
	}
	return body, ok
}

// parseSignature parses X-Hub-Signature-256: "sha256=" and the HMAC-SHA256 of the body in
// hexadecimal.
func parseSignature(header string) (given []byte, ok bool) {
	digits, found := strings.CutPrefix(header, "sha256=")
	given, err := hex.DecodeString(digits)
	return given, found && err == nil && len(given) == sha256.Size
}

// secretEqual compares in constant time, against timing attacks. Hashing first hides the length of
// the secret as well.
func secretEqual(given, secret string) bool {
	a, b := sha256.Sum256([]byte(given)), sha256.Sum256([]byte(secret))
	return subtle.ConstantTimeCompare(a[:], b[:]) == 1
}

// redactJSON drops the input, which somebody wrote, from an error of encoding/json.
func redactJSON(err error) error {
	var mismatch *json.UnmarshalTypeError
	if errors.As(err, &mismatch) {
		return fmt.Errorf("field %s at byte %d is not what it should be", mismatch.Field, mismatch.Offset)
	}
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return fmt.Errorf("not JSON from byte %d", syntax.Offset)
	}
	return errors.New("not JSON")
}
