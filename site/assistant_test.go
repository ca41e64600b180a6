package site_test

import (
	"encoding/base64"
	"encoding/json"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"razao/site"
	"razao/site/page/pagetest"
	"razao/site/sitetest"
)

// TestAssistantPages asks for the pages before and after something is loaded, with the messengers connected and not.
func TestAssistantPages(t *testing.T) {
	t.Parallel()
	loaded := sitetest.Released(t)
	connected := sitetest.Empty(t, func(s *sitetest.Setup) { s.WhatsApp, s.Telegram = "551133330000", "razao_bot" })
	for h, state := range map[*sitetest.Site]string{loaded: "", connected: "-connected"} {
		h.Compare(t, "assistant", []sitetest.Page{
			sitetest.Case("programs"+state, "/assistente", 200, "só é alcançado por programas deste computador", "#ZgotmplZ"),
			sitetest.Case("whatsapp"+state, "/assistente/whatsapp", 200, "t.me", "webhook", "RAZAO_", "#ZgotmplZ"),
			sitetest.Case("telegram"+state, "/assistente/telegram", 200, "wa.me", "webhook", "RAZAO_", "#ZgotmplZ"),
		})
	}
	for _, path := range []string{"/assistente", "/assistente/whatsapp", "/assistente/telegram"} {
		body := loaded.Body(t, path)
		if strings.Count(body, "<pre") != strings.Count(body, `<pre role="region" aria-label="`)+strings.Count(body, `<pre class="said">`) {
			t.Errorf("%s: code in a region without a name", path)
		}
	}
	if page := sitetest.Nothing(t); page.Get(t, "/assistente/whatsapp/webhook").Code != http.StatusNotFound {
		t.Error("the website answers for a webhook")
	}
}

// A messenger that is not connected is mentioned only on its own page, which the contract requires.
func TestMessengersThatAreNotConnected(t *testing.T) {
	t.Parallel()
	h := sitetest.Nothing(t)
	for _, path := range []string{"/assistente", "/privacidade", "/termos", "/api", "/login"} {
		h.Texts(t, path, nil, []string{"WhatsApp", "Telegram"})
	}
	for _, path := range []string{"/assistente/whatsapp", "/assistente/telegram"} {
		h.Texts(t, path, []string{`content="noindex"`, "Este site não atende pelo"}, []string{"<pre", "<h2"})
	}
	one := sitetest.Empty(t, func(s *sitetest.Setup) { s.Telegram = "razao_bot" })
	for _, path := range []string{"/assistente", "/privacidade"} {
		one.Texts(t, path, []string{`href="/assistente/telegram"`}, []string{"WhatsApp"})
	}
}

// TestInstallLinks reads the links as the programs that they open do.
func TestInstallLinks(t *testing.T) {
	t.Parallel()
	h := sitetest.Nothing(t)
	body := h.Body(t, "/assistente")
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
	var server site.RemoteServer
	if err != nil || code.Opaque != "mcp/install" || json.Unmarshal([]byte(text), &server) != nil ||
		server != (site.RemoteServer{"razao", "http", "https://razao.exemplo/mcp"}) {
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
	h := sitetest.Nothing(t)
	body := html.UnescapeString(h.Body(t, "/assistente"))
	exchanges := site.Conversations("tools.json")
	if len(exchanges) == 0 {
		t.Error("there are no conversations")
	}
	for _, c := range exchanges {
		for _, call := range c.Calls {
			pagetest.Texts(t, body, []string{"“" + c.Question + "”", c.Sentence, call.Tool, call.Arguments, call.Answer}, nil)
		}
	}
	h = sitetest.Empty(t, func(s *sitetest.Setup) { s.WhatsApp, s.Telegram = "551133330000", "razao_bot" })
	for _, path := range []string{"/assistente/whatsapp", "/assistente/telegram"} {
		body := html.UnescapeString(h.Body(t, path))
		for _, m := range site.ChatMessages("messages.json") {
			pagetest.Texts(t, body, []string{m.Sent, m.Answer}, nil)
		}
	}
}
