package main

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"razao/internal/assist/assistant"
	"razao/internal/assist/messenger"
	"razao/internal/store/snapshot"
	"razao/internal/web"
)

// graphAPI is the base address of WhatsApp's Cloud API, in the version that messages are written
// for.
const graphAPI = "https://graph.facebook.com/v23.0"

var (
	whatsAppNumber   = regexp.MustCompile(`^[1-9][0-9]{7,14}$`)
	whatsAppURL      = regexp.MustCompile(`^https?://[^?#\s]+$`)
	whatsAppPhoneID  = regexp.MustCompile(`^[0-9]+$`)
	telegramUsername = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]{4,31}$`)
	telegramSecret   = regexp.MustCompile(`^[A-Za-z0-9_-]{1,256}$`) // what setWebhook accepts as secret_token
)

// messengers returns what answers the configured messengers.
func (a *app) messengers(live *snapshot.Live) (*messenger.Messenger, error) {
	whatsApp, err := a.settings.whatsApp()
	if err != nil {
		return nil, err
	}
	telegram, err := a.settings.telegram()
	if err != nil {
		return nil, err
	}
	return messenger.New(messenger.Config{
		Assistant: assistant.New(assistant.Config{Live: live, BaseURL: a.settings.BaseURL}),
		BaseURL:   a.settings.BaseURL, WhatsApp: whatsApp, Telegram: telegram, Log: a.log,
		Failures: web.NewThrottle(a.settings.IPFailures, a.settings.IPFailures),
	})
}

// whatsApp returns the settings of WhatsApp, the zero value if there are none. An error names the
// setting that is missing or malformed.
func (s *settings) whatsApp() (messenger.WhatsApp, error) {
	w := &s.WhatsApp
	given, err := allOrNone([]setting{
		{"RAZAO_WHATSAPP_APP_SECRET", w.AppSecret},
		{"RAZAO_WHATSAPP_VERIFY_TOKEN", w.VerifyToken},
		{"RAZAO_WHATSAPP_TOKEN", w.Token},
		{"RAZAO_WHATSAPP_PHONE_ID", w.PhoneID},
		{"RAZAO_WHATSAPP_NUMBER", w.Number},
	})
	url := strings.TrimRight(cmp.Or(w.URL, graphAPI), "/")
	switch {
	case err != nil || !given:
		return messenger.WhatsApp{}, err
	case !whatsAppPhoneID.MatchString(w.PhoneID):
		return messenger.WhatsApp{}, fmt.Errorf("RAZAO_WHATSAPP_PHONE_ID: %q is not the id of a number, which has only digits", w.PhoneID)
	case !whatsAppNumber.MatchString(w.Number):
		return messenger.WhatsApp{}, fmt.Errorf("RAZAO_WHATSAPP_NUMBER: %q is not a number with its country, as 5511999990000", w.Number)
	case !whatsAppURL.MatchString(url):
		return messenger.WhatsApp{}, fmt.Errorf("RAZAO_WHATSAPP_URL: %q is not an address, as %s", w.URL, graphAPI)
	}
	return messenger.WhatsApp{AppSecret: w.AppSecret, VerifyToken: w.VerifyToken, Token: w.Token, PhoneID: w.PhoneID, URL: url}, nil
}

// telegram returns the settings of the Telegram bot, the zero value if there are none. An error
// names the setting that is missing or malformed.
func (s *settings) telegram() (messenger.Telegram, error) {
	t := &s.Telegram
	given, err := allOrNone([]setting{{"RAZAO_TELEGRAM_SECRET", t.Secret}, {"RAZAO_TELEGRAM_USERNAME", t.Username}})
	switch {
	case err != nil || !given:
		return messenger.Telegram{}, err
	case !telegramSecret.MatchString(t.Secret):
		return messenger.Telegram{}, fmt.Errorf("RAZAO_TELEGRAM_SECRET has other characters than letters, digits, _ and -, or too many")
	case !telegramUsername.MatchString(t.Username):
		return messenger.Telegram{}, fmt.Errorf("RAZAO_TELEGRAM_USERNAME: %q is not the name of a bot, which goes without @", t.Username)
	}
	return messenger.Telegram{Secret: t.Secret}, nil
}
