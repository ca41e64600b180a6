package site

import (
	"encoding/base64"
	"encoding/json"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"razao/internal/testing/fixture"
	"razao/site/page/pagetest"
)

// TestAssistantPages asks for the pages before and after something is loaded, with the messengers connected and not.
func TestAssistantPages(t *testing.T) {
	t.Parallel()
	loaded, _ := released.open(t)
	s := newSite(t, fixture.Empty(t), t.TempDir())
	s.WhatsApp, s.Telegram = "551133330000", "razao_bot"
	connected := served(s)
	for h, state := range map[http.Handler]string{loaded: "", connected: "-connected"} {
		comparePages(t, h, "assistant", []pageCase{
			{"programs" + state, "/assistente", 200, []string{"só é alcançado por programas deste computador", "#ZgotmplZ"}},
			{"whatsapp" + state, "/assistente/whatsapp", 200, []string{"t.me", "webhook", "RAZAO_", "#ZgotmplZ"}},
			{"telegram" + state, "/assistente/telegram", 200, []string{"wa.me", "webhook", "RAZAO_", "#ZgotmplZ"}},
		})
	}
	for _, path := range []string{"/assistente", "/assistente/whatsapp", "/assistente/telegram"} {
		body := get(t, loaded, path).Body.String()
		if strings.Count(body, "<pre") != strings.Count(body, `<pre role="region" aria-label="`)+strings.Count(body, `<pre class="said">`) {
			t.Errorf("%s: code in a region without a name", path)
		}
	}
	if page, _ := nothingLoaded.open(t); get(t, page, "/assistente/whatsapp/webhook").Code != http.StatusNotFound {
		t.Error("the website answers for a webhook")
	}
}

// A messenger that is not connected is mentioned only on its own page, which the contract requires.
func TestMessengersThatAreNotConnected(t *testing.T) {
	t.Parallel()
	h, _ := nothingLoaded.open(t)
	for _, path := range []string{"/assistente", "/privacidade", "/termos", "/api", "/login"} {
		pagetest.Texts(t, get(t, h, path).Body.String(), nil, []string{"WhatsApp", "Telegram"})
	}
	for _, path := range []string{whatsAppPath, telegramPath} {
		pagetest.Texts(t, get(t, h, path).Body.String(), []string{`content="noindex"`, "Este site não atende pelo"}, []string{"<pre", "<h2"})
	}
	s := newSite(t, fixture.Empty(t), t.TempDir())
	s.Telegram = "razao_bot"
	one := served(s)
	for _, path := range []string{"/assistente", "/privacidade"} {
		pagetest.Texts(t, get(t, one, path).Body.String(), []string{`href="/assistente/telegram"`}, []string{"WhatsApp"})
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
			pagetest.Texts(t, body, []string{"“" + c.Question + "”", c.Sentence, call.Tool, call.Arguments, call.Answer}, nil)
		}
	}
	s := newSite(t, fixture.Empty(t), t.TempDir())
	s.WhatsApp, s.Telegram = "551133330000", "razao_bot"
	h = served(s)
	for _, path := range []string{whatsAppPath, telegramPath} {
		body := html.UnescapeString(get(t, h, path).Body.String())
		for _, m := range readConversations[chatMessage]("messages.json") {
			pagetest.Texts(t, body, []string{m.Sent, m.Answer}, nil)
		}
	}
}

// TestSentencesSayWhatTheToolsAnswered: each number in the sentence that a person reads is in the answers below it.
func TestSentencesSayWhatTheToolsAnswered(t *testing.T) {
	t.Parallel()
	number := regexp.MustCompile(`\d[\d./,-]*\d|\d`)
	digits := func(text string) string { return regexp.MustCompile(`\D`).ReplaceAllString(text, "") }
	for _, c := range readConversations[conversation]("tools.json") {
		answered := map[string]bool{}
		for _, call := range c.Calls {
			for _, text := range number.FindAllString(call.Answer, -1) {
				answered[digits(text)] = true
			}
		}
		said := number.FindAllString(c.Sentence, -1)
		if len(said) < 2 {
			t.Errorf("%q says no numbers", c.Sentence)
		}
		for _, text := range said {
			parts := strings.Split(text, "/") // a day or a month is published the other way around
			slices.Reverse(parts)
			if !answered[digits(text)] && !answered[strings.Join(parts, "")] {
				t.Errorf("%q: nothing that was answered has %s", c.Sentence, text)
			}
		}
	}
}

func TestFormatWhatsApp(t *testing.T) {
	t.Parallel()
	for digits, want := range map[string]string{
		"551133330000": "+55 (11) 3333-0000", "5511999990000": "+55 (11) 99999-0000", "15550001111": "+15550001111", "55": "+55",
	} {
		if got := formatWhatsApp(digits); got != want {
			t.Errorf("%s: %q, want %q", digits, got, want)
		}
	}
}
