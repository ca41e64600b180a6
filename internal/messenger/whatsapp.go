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
)

var (
	errProof = errors.New("the request does not prove that the platform sent it")
	errBusy  = errors.New("too many answers wait: the platform is asked to deliver the message again")
)

// delivery is what the WhatsApp Cloud API posts to a webhook, as far as it matters here. A delivery may hold several messages,
// and often holds none: reports of what became of those that were sent come the same way.
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

// whatsAppMessage is what a person sent.
type whatsAppMessage struct {
	From    string `json:"from"`
	ID      string `json:"id"`
	Type    string `json:"type"`
	GroupID string `json:"group_id"`
	Text    struct {
		Body string `json:"body"`
	} `json:"text"`
}

func parseDelivery(body []byte) (d delivery, err error) {
	if err = json.Unmarshal(body, &d); err != nil {
		err = fmt.Errorf("delivery of WhatsApp: %w", withoutText(err))
	}
	return d, err
}

// messages returns what people sent to a number. A reaction to a message, a note of the system and what is said in a group ask
// for nothing.
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

// verifyWhatsApp answers the platform's question, when the webhook is registered, whether it is wanted.
func (m *Messenger) verifyWhatsApp(c *gin.Context) {
	const longestChallenge = 200 // bytes; it is a number
	challenge := c.Query("hub.challenge")
	if c.Query("hub.mode") != "subscribe" || !same(c.Query("hub.verify_token"), m.WhatsApp.VerifyToken) || len(challenge) > longestChallenge {
		refuse(c, http.StatusUnauthorized, errProof)
		return
	}
	c.Header("Cache-Control", "no-store")
	c.Data(http.StatusOK, "text/plain; charset=utf-8", []byte(challenge))
}

// whatsApp takes what the platform delivers. The answers are sent later: a platform that waits delivers again.
func (m *Messenger) whatsApp(c *gin.Context) {
	body, ok := readBody(c)
	if !ok {
		return
	}
	if !signed(body, c.GetHeader("X-Hub-Signature-256"), m.WhatsApp.AppSecret) {
		refuse(c, http.StatusUnauthorized, errProof)
		return
	}
	d, err := parseDelivery(body)
	if err != nil {
		refuse(c, http.StatusBadRequest, err)
		return
	}
	for _, message := range d.messages(m.WhatsApp.PhoneID) {
		if !m.take(&message) {
			c.Header("Retry-After", "60")
			refuse(c, http.StatusServiceUnavailable, errBusy)
			return
		}
	}
	c.Status(http.StatusOK)
}

// take sees to it that a message is answered once. It returns false when no more answers can wait.
func (m *Messenger) take(message *whatsAppMessage) bool {
	id := "whatsapp " + message.ID
	if !m.guard.first(id) {
		return true
	}
	q := question{to: message.From, text: message.Text.Body}
	switch m.guard.admit("whatsapp " + message.From) {
	case silenced:
		return true
	case warned:
		q.answer = slower
	case admitted:
	}
	if !m.courier.offer(q) {
		m.guard.forget(id)
		return false
	}
	return true
}

// signed reports whether a header is the signature of a body: "sha256=" and the HMAC in hexadecimal digits.
func signed(body []byte, header, secret string) bool {
	digits, found := strings.CutPrefix(header, "sha256=")
	given, err := hex.DecodeString(digits)
	if !found || err != nil {
		return false
	}
	mac := hmac.New(sha256.New, []byte(secret))
	_, _ = mac.Write(body) // never fails
	return hmac.Equal(given, mac.Sum(nil))
}

// same compares a secret in a time that does not depend on what is given, nor on how long the secret is.
func same(given, secret string) bool {
	a, b := sha256.Sum256([]byte(given)), sha256.Sum256([]byte(secret))
	return subtle.ConstantTimeCompare(a[:], b[:]) == 1
}

// withoutText leaves out of an error about JSON what stood there.
func withoutText(err error) error {
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
