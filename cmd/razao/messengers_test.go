package main

import (
	"strings"
	"testing"

	"razao/internal/assist/messenger"
)

// TestMessengerSettings: half a configuration stops the start and says what is missing.
func TestMessengerSettings(t *testing.T) {
	t.Parallel()
	whole := settings{}
	whole.WhatsApp.AppSecret, whole.WhatsApp.VerifyToken, whole.WhatsApp.Token = "segredo", "palavra", "token"
	whole.WhatsApp.PhoneID, whole.WhatsApp.Number = "106540352242922", "551133330000"
	whole.Telegram.Secret, whole.Telegram.Username = "segredo", "razao_bot"
	cases := []struct {
		name   string
		change func(*settings)
		want   string // part of the error; "": none
	}{
		{"whole", func(*settings) {}, ""},
		{"nothing", func(s *settings) { *s = settings{} }, ""},
		{"no app secret", func(s *settings) { s.WhatsApp.AppSecret = "" }, "RAZAO_WHATSAPP_APP_SECRET"},
		{"no number, no token", func(s *settings) { s.WhatsApp.Number, s.WhatsApp.Token = "", "" }, "RAZAO_WHATSAPP_TOKEN, RAZAO_WHATSAPP_NUMBER"},
		{"number as people write it", func(s *settings) { s.WhatsApp.Number = "+55 11 3333-0000" }, "RAZAO_WHATSAPP_NUMBER"},
		{"id that is a path", func(s *settings) { s.WhatsApp.PhoneID = "../1" }, "RAZAO_WHATSAPP_PHONE_ID"},
		{"address that is none", func(s *settings) { s.WhatsApp.URL = "graph.facebook.com" }, "RAZAO_WHATSAPP_URL"},
		{"no username", func(s *settings) { s.Telegram.Username = "" }, "RAZAO_TELEGRAM_USERNAME"},
		{"no secret", func(s *settings) { s.Telegram.Secret = "" }, "RAZAO_TELEGRAM_SECRET"},
		{"username with @", func(s *settings) { s.Telegram.Username = "@razao_bot" }, "RAZAO_TELEGRAM_USERNAME"},
		{"secret that Telegram does not take", func(s *settings) { s.Telegram.Secret = "com espaço" }, "RAZAO_TELEGRAM_SECRET"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := whole
			c.change(&s)
			_, whatsApp := s.whatsApp()
			_, telegram := s.telegram()
			text := ""
			for _, err := range []error{whatsApp, telegram} {
				if err != nil {
					text += err.Error()
				}
			}
			if (text == "") != (c.want == "") || !strings.Contains(text, c.want) {
				t.Errorf("got %q, want %q", text, c.want)
			}
			if strings.Contains(text, "palavra") || strings.Contains(text, "com espaço") {
				t.Errorf("the error has a secret: %s", text)
			}
		})
	}
	whole.WhatsApp.URL = "http://127.0.0.1:9/v1/"
	got, err := whole.whatsApp()
	want := messenger.WhatsApp{AppSecret: "segredo", VerifyToken: "palavra", Token: "token", PhoneID: "106540352242922", URL: "http://127.0.0.1:9/v1"}
	if err != nil || got != want {
		t.Errorf("got %+v, %v; want %+v", got, err, want)
	}
}
