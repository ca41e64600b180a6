package oauthserver

import (
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestCheckRedirect(t *testing.T) {
	t.Parallel()
	for address, ok := range map[string]bool{
		"https://claude.ai/api/mcp/auth_callback": true, "https://a.exemplo": true, "https://a.exemplo:8443/x?y=z": true,
		"http://localhost:3000/callback": true, "http://127.0.0.1/": true, "http://127.0.0.1:33418": true, "http://[::1]:9/x": true,
		"cursor://anysphere.cursor-mcp/oauth/callback": true, "com.exemplo.app:/oauth": true, "vscode://x/y": true,
		"": false, "callback": false, "/callback": false, "//a.exemplo/callback": false, "https://": false, "https:///x": false,
		"http://a.exemplo/x": false, "http://localhost.a.exemplo/x": false, "http://127.0.0.1.a.exemplo/x": false, "http://10.0.0.1/x": false,
		"http://0.0.0.0/x": false, "https://a.exemplo/x#y": false, "https://a.exemplo/x#": false, "https://ana@a.exemplo/x": false,
		"javascript:alert(1)": false, "javascript://a/%0aalert(1)": false, "JavaScript://a/": false, "data:text/html,x": false,
		"data://x/y": false, "vbscript://x": false, "file:///etc/passwd": false, "blob:https://a.exemplo/x": false, "about:blank": false,
		"mailto:ana@exemplo.com": false, "ws://localhost/x": false, "com.exemplo.app:oauth": false, "https://a.exemplo/\nx": false,
		"https://a.exemplo/x y": false, "https://a.exemplo/\x00": false, "https://a.exemplo/\xff": false, "https://a.exemplo/<x>": false,
		"ms-settings://x": false, "search-ms://query/x": false, "intent://a/b": false, "tel://1": false, "sms://1/x": false, "market://details/x": false,
		"ssh://a.exemplo/x": false, "x-apple.systempreferences://x": false, "x-apple-reminder://x": false, "ftp://a.exemplo/x": false,
		"steam://run/1": false, "slack://open": false, "vscode-insiders://x/y": true, "br.com.exemplo-2://x": true, ".exemplo://x": false,
		"com.://x": false, "com..app://x": false, "1com.exemplo://x": false, "CURSOR://anysphere.cursor-mcp/oauth/callback": true,
		"https://a.exemplo/" + strings.Repeat("x", maxRedirect): false, "https://[::1": false, "http://[fe80::1%25lo]/x": false,
	} {
		if err := checkRedirect(address); (err == nil) != ok {
			t.Errorf("%.60q: %v, want ok: %t", address, err, ok)
		}
	}
}

func TestAnswersKeepWhatTheAddressAsks(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"https://a.exemplo/x":     "https://a.exemplo/x?code=c%26d&iss=i",
		"https://a.exemplo/x?y=z": "https://a.exemplo/x?y=z&code=c%26d&iss=i",
		"https://a.exemplo":       "https://a.exemplo?code=c%26d&iss=i",
		"cursor://a/b":            "cursor://a/b?code=c%26d&iss=i",
	} {
		if got := withParameters(address, url.Values{"code": {"c&d"}, "iss": {"i"}}); got != want {
			t.Errorf("%s: %s, want %s", address, got, want)
		}
	}
}

func TestPrintable(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Claude": "Claude", " Assistente   do\n João ": "Assistente do João", "": "", "\u202eedualC": "edualC", "a\u200bb\u0000c": "abc",
		"\xffa": "a", "<b>x</b>": "<b>x</b>", strings.Repeat("é", 200): strings.Repeat("é", maxName), "\t\u2028": "",
	} {
		if got := printable(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if got := nameOf("\u200b", []string{"https://a.exemplo/x"}); got != "a.exemplo" {
		t.Errorf("a client without a name is called %q", got)
	}
}

func TestDestination(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]Destination{
		"https://claude.ai/x":       {Scheme: "https", Host: "claude.ai"},
		"https://a.exemplo:8443/x":  {Scheme: "https", Host: "a.exemplo:8443"},
		"http://localhost:3000/x":   {Scheme: "http", Host: "localhost:3000", Local: true},
		"cursor://anysphere/x":      {Scheme: "cursor", Host: "cursor://", App: true},
		"com.exemplo.app:/callback": {Scheme: "com.exemplo.app", Host: "com.exemplo.app://", App: true},
	} {
		if diff := cmp.Diff(want, destinationOf(address)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", address, diff)
		}
	}
}

// FuzzRedirects checks that an allowed redirect URI leads browsers to the host that the consent
// page shows.
func FuzzRedirects(f *testing.F) {
	for _, seed := range []string{
		callback, "http://localhost:1/x", "http://[::1]:1", "cursor://x/y", "javascript:x", "https://a@b/", "https:\\\\a\\b", "http://127.0.0.1:99999/",
	} {
		f.Add(seed, seed)
	}
	f.Fuzz(func(t *testing.T, registered, asked string) {
		c := Client{RedirectURIs: []string{registered}}
		if checkRedirects(c.RedirectURIs) != nil || !c.allowsRedirect(asked) {
			return
		}
		if !utf8.ValidString(asked) || strings.ContainsAny(asked, "\\\n\r\t \x00#") {
			t.Errorf("%q may be led to", asked)
		}
		if asked != registered && (!strings.HasPrefix(asked, "http://") || !destinationOf(asked).Local) {
			t.Errorf("%q is taken for %q", asked, registered)
		}
		answered, err := url.Parse(withParameters(asked, url.Values{"code": {"c"}}))
		if err != nil || destinationOf(asked).Scheme != answered.Scheme || answered.Query().Get("code") == "" {
			t.Errorf("%q is answered at %v, %v", asked, answered, err)
		}
	})
}
