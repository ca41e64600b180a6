package site

import (
	"context"
	"strings"

	"razao/internal/ptbr"
	"razao/internal/snapshot"
	"razao/site/page"
)

// The pages of the messengers. Their webhooks are below them.
const (
	whatsAppPath = "/assistente/whatsapp"
	telegramPath = "/assistente/telegram"
)

// channelPage says how to ask from a messenger, and how to connect it to an installation.
type channelPage struct {
	page.Frame
	Crumbs   []page.Crumb
	Contact  string // whom to write to: digits of a number, or the name of a bot; "" when not connected
	Number   string // Contact as people write a number
	Webhook  code
	Settings code
	Register code // the call that connects the bot
	Messages []chatMessage

	file string
}

func (p *channelPage) Template() string { return p.file }

// whatsAppPage answers /assistente/whatsapp.
func (s *Site) whatsAppPage(context.Context, *snapshot.Snapshot) page.Page {
	p := s.channelPage("assistant_whatsapp", "WhatsApp", whatsAppPath, s.WhatsApp)
	p.Number = formatWhatsApp(s.WhatsApp)
	p.Settings = code{"Variáveis de ambiente do WhatsApp", "RAZAO_WHATSAPP_APP_SECRET=\nRAZAO_WHATSAPP_VERIFY_TOKEN=\n" +
		"RAZAO_WHATSAPP_TOKEN=\nRAZAO_WHATSAPP_PHONE_ID=\nRAZAO_WHATSAPP_NUMBER=5511999990000"}
	return p
}

// telegramPage answers /assistente/telegram.
func (s *Site) telegramPage(context.Context, *snapshot.Snapshot) page.Page {
	p := s.channelPage("assistant_telegram", "Telegram", telegramPath, s.Telegram)
	p.Settings = code{"Variáveis de ambiente do Telegram", "RAZAO_TELEGRAM_SECRET=\nRAZAO_TELEGRAM_USERNAME=nome_do_bot"}
	p.Register = code{"Registro do webhook com curl", `curl "https://api.telegram.org/bot$TOKEN_DO_BOT/setWebhook" \
  -d "url=` + p.Webhook.Text + `" \
  -d "secret_token=$RAZAO_TELEGRAM_SECRET" \
  -d 'allowed_updates=["message"]'`}
	return p
}

func (s *Site) channelPage(file, name, path, contact string) *channelPage {
	p := &channelPage{
		file: file, Contact: contact,
		Webhook:  code{"Endereço do webhook", s.BaseURL + path + "/webhook"},
		Messages: readConversations[chatMessage]("messages.json"),
	}
	p.Title = "Consulte empresas pelo " + name
	p.Description = "Envie um CNPJ ou o nome de uma empresa pelo " + name + " e receba a situação, a atividade e os registros públicos, com o período " +
		"de cada fonte. Como usar, e como ligar o " + name + " a uma instalação do Razão."
	p.Canonical = path
	p.Crumbs = page.Trail("Assistente", "/assistente", name)
	return p
}

// formatWhatsApp writes +55 (11) 3333-0000; numbers of other countries keep their digits together.
func formatWhatsApp(digits string) string {
	const area = 2
	local, brazilian := strings.CutPrefix(digits, "55")
	switch {
	case digits == "":
		return ""
	case !brazilian || len(local) < area:
		return "+" + digits
	}
	return "+55 " + ptbr.Phone(local[:area], local[area:])
}
