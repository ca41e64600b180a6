package mail

import (
	"bytes"
	"net/mail"
	"strings"
	"testing"

	smtp "github.com/wneessen/go-mail"
)

// FuzzCompose looks for header injection (CWE-93): any message that check accepts becomes a mail
// with one recipient and without further headers.
func FuzzCompose(f *testing.F) {
	f.Add("ana@exemplo.com.br", "Entrar", "https://razao.exemplo/auth/callback?token=x\n")
	f.Add("ana@exemplo.com.br\r\nBcc: b@exemplo.com.br", "a\r\nBcc: b@exemplo.com.br", "\r\n.\r\nRCPT TO:<b@exemplo.com.br>")
	from := &mail.Address{Name: "Razão", Address: "razao@exemplo.com.br"}
	f.Fuzz(func(t *testing.T, to, subject, text string) {
		message, err := compose(from, Message{To: to, Subject: subject, Text: text}, smtp.EncodingQP)
		if err != nil {
			return
		}
		var raw bytes.Buffer
		if _, err := message.WriteTo(&raw); err != nil {
			return
		}
		read, err := mail.ReadMessage(&raw)
		if err != nil {
			t.Fatalf("%q, %q: %v", to, subject, err)
		}
		for name, values := range read.Header {
			switch name {
			case "Bcc", "Cc", "Reply-To":
				t.Errorf("%q, %q: header %s: %q", to, subject, name, values)
			case "To", "From", "Subject":
				if len(values) != 1 {
					t.Errorf("%q, %q: %d headers %s", to, subject, len(values), name)
				}
			}
		}
		if all, err := read.Header.AddressList("To"); err != nil || len(all) != 1 {
			t.Errorf("%q: recipients %v, %v", to, all, err)
		}
	})
}

// FuzzParseServer checks that the error for a refused setting does not contain its password.
func FuzzParseServer(f *testing.F) {
	f.Add("smtp://ana:segredo-segredo@mail.exemplo:25?tls=none")
	f.Add("smtps://mail.exemplo:99999999999999999999")
	f.Fuzz(func(t *testing.T, raw string) {
		if _, err := parseServer("smtp://ana:segredo-segredo@" + raw); err != nil && strings.Contains(err.Error(), "segredo-segredo") {
			t.Errorf("%q: %v", raw, err)
		}
		if s, err := parseServer(raw); err == nil && s.host == "" {
			t.Errorf("%q has no host", raw)
		}
	})
}
