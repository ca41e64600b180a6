package site

import (
	"encoding/base64"
	"encoding/json"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"razao/internal/fixture"
	"razao/site/page/pagetest"
)

// TestAssistantPages asks for the pages before and after something is loaded, with the messengers connected and not.
func TestAssistantPages(t *testing.T) {
	t.Parallel()
	loaded, _ := released.open(t)
	s := newSite(t, fixture.Empty(t), t.TempDir())
	s.WhatsApp, s.Telegram = "551133330000", "razao_bot"
	connected := served(s)
	cases := []struct {
		path       string
		has        []string // in any case
		on, off    string   // with the messenger connected, and without
		neverShown string
	}{
		{"/assistente", []string{
			"<h1>Pergunte ao Razão pelo seu assistente</h1>", "<code>https://razao.exemplo/mcp</code>", `rel="canonical" href="https://razao.exemplo/assistente"`,
			"claude mcp add --transport http razao https://razao.exemplo/mcp", "gemini mcp add --transport http razao https://razao.exemplo/mcp",
			"60 chamadas por minuto", `href="/conta#autorizacoes"`, `href="/assistente/whatsapp"`, `href="/assistente/telegram"`, "certidão",
		}, "", "", "só é alcançado por programas deste computador"},
		{"/assistente/whatsapp", []string{
			"<h1>Consulte empresas pelo WhatsApp</h1>", "<code>https://razao.exemplo/assistente/whatsapp/webhook</code>", "RAZAO_WHATSAPP_APP_SECRET",
			`rel="canonical" href="https://razao.exemplo/assistente/whatsapp"`,
		}, `href="https://wa.me/551133330000"`, "ainda não está ligada ao WhatsApp", "telegram.org"},
		{"/assistente/telegram", []string{
			"<h1>Consulte empresas pelo Telegram</h1>", "url=https://razao.exemplo/assistente/telegram/webhook", "secret_token=$RAZAO_TELEGRAM_SECRET",
			`rel="canonical" href="https://razao.exemplo/assistente/telegram"`,
		}, `href="https://t.me/razao_bot"`, "ainda não está ligada ao Telegram", "wa.me"},
	}
	for _, c := range cases {
		for h, connected := range map[http.Handler]bool{loaded: false, connected: true} {
			w := get(t, h, c.path, "Accept", browser)
			if w.Code != http.StatusOK {
				t.Fatalf("%s: status %d", c.path, w.Code)
			}
			body := w.Body.String()
			pagetest.Texts(t, html.UnescapeString(body), c.has, []string{c.neverShown, "#ZgotmplZ"})
			pagetest.Form(t, body)
			if c.on != "" && (strings.Contains(body, c.on) != connected || strings.Contains(body, c.off) == connected) {
				t.Errorf("%s: connected %t, but the page says otherwise", c.path, connected)
			}
			if strings.Count(body, "<pre") != strings.Count(body, `<pre role="region" aria-label="`)+strings.Count(body, `<pre class="said">`) {
				t.Errorf("%s: code in a region without a name", c.path)
			}
		}
	}
	if body := get(t, loaded, "/").Body.String(); strings.Count(body, `href="/assistente"`) != 2 {
		t.Error("header or footer do not lead to the assistant")
	}
	if page, _ := nothingLoaded.open(t); get(t, page, "/assistente/whatsapp/webhook").Code != http.StatusNotFound {
		t.Error("the website answers for a webhook")
	}
}

// TestInstallLinks reads the links as the programs that they open do.
func TestInstallLinks(t *testing.T) {
	t.Parallel()
	h, _ := nothingLoaded.open(t)
	body := get(t, h, "/assistente").Body.String()
	link := func(scheme string) *url.URL {
		t.Helper()
		found := regexp.MustCompile(`href="(` + scheme + `:[^"]*)"`).FindStringSubmatch(body)
		if found == nil {
			t.Fatalf("no link with %s:", scheme)
		}
		u, err := url.Parse(html.UnescapeString(found[1]))
		if err != nil {
			t.Fatal(err)
		}
		return u
	}
	cursor := link("cursor")
	config, err := base64.StdEncoding.DecodeString(cursor.Query().Get("config"))
	if err != nil || cursor.Host+cursor.Path != "anysphere.cursor-deeplink/mcp/install" || cursor.Query().Get("name") != "razao" ||
		string(config) != `{"url":"https://razao.exemplo/mcp"}` {
		t.Errorf("Cursor gets %s with %s, %v", cursor, config, err)
	}
	code := link("vscode")
	text, err := url.PathUnescape(code.RawQuery)
	var server remoteServer
	if err != nil || code.Opaque != "mcp/install" || json.Unmarshal([]byte(text), &server) != nil ||
		server != (remoteServer{"razao", "http", "https://razao.exemplo/mcp"}) {
		t.Errorf("VS Code gets %s with %s, %v", code, text, err)
	}
	file := regexp.MustCompile(`(?s)<code>(\{\s+"mcpServers".*?)</code>`).FindStringSubmatch(html.UnescapeString(body))
	if file == nil || !json.Valid([]byte(file[1])) {
		t.Errorf("the file for Cursor is not JSON: %q", file)
	}
}

// TestConversationsAreShown: the pages show what the tools answered, all of it.
func TestConversationsAreShown(t *testing.T) {
	t.Parallel()
	h, _ := nothingLoaded.open(t)
	body := html.UnescapeString(get(t, h, "/assistente").Body.String())
	exchanges := readConversations[conversation]("tools.json")
	if len(exchanges) == 0 {
		t.Error("there are no conversations")
	}
	for _, c := range exchanges {
		for _, call := range c.Calls {
			pagetest.Texts(t, body, []string{"“" + c.Question + "”", call.Tool, call.Arguments, call.Answer}, nil)
		}
	}
	for _, path := range []string{whatsAppPath, telegramPath} {
		body := html.UnescapeString(get(t, h, path).Body.String())
		for _, m := range readConversations[chatMessage]("messages.json") {
			pagetest.Texts(t, body, []string{m.Sent, m.Answer}, nil)
		}
	}
}

func TestFormatWhatsApp(t *testing.T) {
	t.Parallel()
	for digits, want := range map[string]string{
		"": "", "551133330000": "+55 (11) 3333-0000", "5511999990000": "+55 (11) 99999-0000", "15550001111": "+15550001111", "55": "+55",
	} {
		if got := formatWhatsApp(digits); got != want {
			t.Errorf("%s: %q, want %q", digits, got, want)
		}
	}
}
