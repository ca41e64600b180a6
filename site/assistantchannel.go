package site

import (
	"context"

	"razao/internal/data/ptbr"
	"razao/internal/store/snapshot"
	"razao/site/page"
)

// The paths of the messenger pages. The webhooks are below them.
const (
	whatsAppPath = "/assistente/whatsapp"
	telegramPath = "/assistente/telegram"
)

// channel describes a messenger to visitors.
type channel struct {
	Name, Path string
	Link       string // deep link that opens a chat; "" if not connected
	Contact    string // formatted number or @name; "" if not connected
	Help       string // the help command
	Remembers  string // what the program keeps in memory about users, for the privacy notes
	Groups     bool   // the bot can be added to groups
}

func (s *Site) whatsAppChannel() channel {
	c := channel{Name: "WhatsApp", Path: whatsAppPath, Help: "ajuda", Remembers: "que uma mensagem já foi respondida e quantas vieram do mesmo número"}
	if s.WhatsApp != "" {
		c.Link, c.Contact = "https://wa.me/"+s.WhatsApp, formatWhatsApp(s.WhatsApp)
	}
	return c
}

func (s *Site) telegramChannel() channel {
	c := channel{Name: "Telegram", Path: telegramPath, Help: "/ajuda", Remembers: "quantas vieram da mesma conversa", Groups: true}
	if s.Telegram != "" {
		c.Link, c.Contact = "https://t.me/"+s.Telegram, "@"+s.Telegram
	}
	return c
}

// connected returns the messengers that are configured.
func (s *Site) connected() []channel {
	var all []channel
	for _, c := range []channel{s.whatsAppChannel(), s.telegramChannel()} {
		if c.Link != "" {
			all = append(all, c)
		}
	}
	return all
}

// channelPage explains how to ask from a messenger. Its address is part of the contract, so the
// page exists even if the messenger is not connected; it then says so and is noindex.
type channelPage struct {
	page.Frame
	channel
	Messages []chatMessage
}

// whatsAppPage answers /assistente/whatsapp.
func (s *Site) whatsAppPage(context.Context, *snapshot.Snapshot) page.Page {
	return newChannelPage(s.whatsAppChannel())
}

// telegramPage answers /assistente/telegram.
func (s *Site) telegramPage(context.Context, *snapshot.Snapshot) page.Page {
	return newChannelPage(s.telegramChannel())
}

func newChannelPage(c channel) *channelPage {
	p := &channelPage{channel: c, Messages: readConversations[chatMessage]("messages.json")}
	p.Crumbs, p.Script = page.Trail("Assistente", "/assistente", c.Name), page.Script("copy.js")
	p.Title = "Consulte empresas pelo " + c.Name
	p.Description = "Envie um CNPJ ou o nome de uma empresa pelo " + c.Name + " e receba a situação, a atividade e os registros públicos, com o período " +
		"de cada fonte."
	p.Canonical = c.Path
	p.NoIndex = c.Link == ""
	return p
}

// formatWhatsApp formats a Brazilian number as +55 (11) 3333-0000; foreign numbers only get a "+".
func formatWhatsApp(digits string) string {
	const country, area = "55", 2
	if len(digits) < len(country)+area || digits[:len(country)] != country {
		return "+" + digits
	}
	local := digits[len(country):]
	return "+" + country + " " + ptbr.Phone(local[:area], local[area:])
}
