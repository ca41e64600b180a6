package oauthserver

import (
	"encoding/json"
	"errors"
	"net/http"
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

// lookAlikes has hosts that read like another, or like nothing that a browser goes to.
var lookAlikes = map[string]string{
	"Cyrillic":                  "cl\u0430ude.ai",
	"Cyrillic, percent-encoded": "cl%D0%B0ude.ai",
	"ASCII, percent-encoded":    "cl%61ude.ai",
	"percent sign":              "claude.ai%252f.mal.exemplo",
	"Greek":                     "cl\u03b1ude.ai",
	"full-width letters":        "\uff43laude.ai",
	"full-width dot":            "claude\uff0eai",
	"ideographic dot":           "claude\u3002ai",
	"half-width dot":            "claude\uff61ai",
	"accent":                    "cl\u00e1ude.ai",
	"combining accent":          "cla\u0301ude.ai",
	"dotless i":                 "claude.a\u0131",
	"long s":                    "clau\u017fe.ai",
	"ligature":                  "o\ufb01ce.exemplo",
	"right-to-left mark":        "claude.ai\u200f",
	"right-to-left override":    "\u202eia.edualc",
	"right-to-left isolate":     "\u2067claude.ai\u2069",
	"zero-width space":          "cla\u200bude.ai",
	"zero-width space, encoded": "cla%E2%80%8Bude.ai",
	"zero-width joiner":         "cla\u200dude.ai",
	"word joiner":               "cla\u2060ude.ai",
	"byte order mark":           "\ufeffclaude.ai",
	"soft hyphen":               "cla\u00adude.ai",
	"grapheme joiner":           "cla\u034fude.ai",
	"variation selector":        "cla\ufe0fude.ai",
	"Hangul filler":             "cla\u3164ude.ai",
	"fraction slash":            "claude.ai\u2044api.mal.exemplo",
	"division slash":            "claude.ai\u2215api.mal.exemplo",
	"big solidus":               "claude.ai\u29f8api.mal.exemplo",
	"full-width question mark":  "claude.ai\uff1fx.mal.exemplo",
	"full-width at":             "claude.ai\uff20mal.exemplo",
	"no-break space":            "claude.ai\u00a0.mal.exemplo",
	"tab":                       "cla\tude.ai",
	"zero":                      "cla\x00ude.ai",
	"dot at the end":            "claude.ai.",
	"dot at the start":          ".claude.ai",
	"two dots":                  "claude..ai",
	"only a dot":                ".",
	"underscore":                "claude_ai.mal.exemplo",
	"underscore at the end":     "claude.ai_",
	"semicolon":                 "claude.ai;.mal.exemplo",
	"comma":                     "claude.ai,mal.exemplo",
	"ampersand":                 "claude.ai&mal.exemplo",
	"bang":                      "claude.ai!mal.exemplo",
	"hyphen at the start":       "-claude.ai",
	"hyphen at the end":         "claude-.ai",
	"empty port":                "claude.ai:",
	"port of zero":              "claude.ai:0",
	"zero before the port":      "claude.ai:0443",
	"port out of range":         "claude.ai:65536",
	"long port":                 "claude.ai:4294967739",
	"port that is a word":       "claude.ai:https",
	"port of other digits":      "claude.ai:\u0664\u0664\u0663",
	"two ports":                 "claude.ai:443:80",
	"decimal address":           "2130706433",
	"hexadecimal address":       "0x7f000001",
	"hexadecimal part":          "1.0x7f",
	"octal address":             "0177.0.0.1",
	"short address":             "127.1",
	"number at the end":         "claude.ai.1",
	"mapped address":            "[::ffff:127.0.0.1]",
	"long IPv6 address":         "[2001:0db8:0:0:0:0:0:1]",
	"IPv6 address in capitals":  "[2001:DB8::1]",
	"IPv6 address with a zone":  "[fe80::1%25eth0]",
	"IPv4 address in brackets":  "[127.0.0.1]",
	"name in brackets":          "[claude.ai]",
	"broken punycode":           "xn--a.exemplo",
	"empty punycode":            "xn--.exemplo",
	"punycode of ASCII":         "xn--claude-.ai",
	"punycode of full width":    "xn--laude-op33a.exemplo",
	"long label":                strings.Repeat("a", 64) + ".exemplo",
	"long name":                 strings.Repeat("a.", 130) + "exemplo",
}

// A host is refused at registration, in client documents, as a client_id, and at use.
func TestLookAlikeHosts(t *testing.T) {
	b := newHarness(t)
	client := b.register(t, callback)
	for name, host := range lookAlikes {
		t.Run(name, func(t *testing.T) {
			for _, address := range []string{"https://" + host + "/callback", "https://" + host, "HTTPS://" + host + "?x=y"} {
				if err := checkRedirect(address); err == nil {
					t.Errorf("%q is allowed, shown as %q", address, destinationOf(address).Host)
				}
				if shown := destinationOf(address); shown != (Destination{}) {
					t.Errorf("%q is shown as %+v", address, shown)
				}
			}
			address := "https://" + host + "/callback"
			body, err := json.Marshal(registration{Redirects: []string{callback, address}})
			must(t, err)
			w := b.send(t, http.MethodPost, "/oauth/register", "application/json", string(body), "")
			if w.Code != http.StatusBadRequest || answerOf[protocolError](t, w).Code != "invalid_redirect_uri" {
				t.Errorf("registered: %d %s", w.Code, w.Body)
			}
			if _, err := b.AddClient(t.Context(), "Interno", []string{address}); !errors.Is(err, ErrClientMetadata) {
				t.Errorf("of the operator: %v", err)
			}
			document, err := json.Marshal(map[string]any{"client_id": "https://a.exemplo/x", "redirect_uris": []string{address}})
			must(t, err)
			if _, err := parseDocument(document, "https://a.exemplo/x"); err == nil {
				t.Error("a document may have it")
			}
			toldPerson(t, b.authorize(t, askingFor(address, callback, "")), ErrMetadataDocument)
			if strings.Contains(host, "\x00") {
				return // which cannot be stored
			}
			// Clients from when the rules were laxer:
			b.execute(t, `UPDATE oauth_client SET redirect_uris = ARRAY[$2, $3] WHERE id = $1`, client, callback, address)
			toldPerson(t, b.authorize(t, askingFor(client, address, "")), ErrRedirectURI)
			b.execute(t, `INSERT INTO oauth_client (id, origin, name, redirect_uris, fresh_until) VALUES ($1, 'document', 'x', ARRAY[$2], now() + interval '1 hour')`,
				address, callback)
			toldPerson(t, b.authorize(t, askingFor(address, callback, "")), ErrMetadataDocument)
			if got := publisherOf(Client{ID: address, Origin: ByDocument}); got != "" {
				t.Errorf("published by %q", got)
			}
		})
	}
	for address, want := range map[string]string{
		"https://xn--clude-5ve.ai/x": "xn--clude-5ve.ai", "https://CIaude.AI/x": "ciaude.ai", "https://claude.ai:443/x": "claude.ai",
		"https://claude.ai:8443": "claude.ai:8443", "https://192.0.2.1/x": "192.0.2.1", "https://[2001:db8::1]:8443/x": "[2001:db8::1]:8443",
		"http://localhost:80/x": "localhost", "https://r3---a.exemplo": "r3---a.exemplo", "https://a.1x.exemplo/": "a.1x.exemplo",
		"https://XN--CLUDE-5VE.ai/x": "xn--clude-5ve.ai",
	} {
		if err := checkRedirect(address); err != nil || destinationOf(address).Host != want {
			t.Errorf("%s: %v, shown as %q, want %q", address, err, destinationOf(address).Host, want)
		}
	}
	for _, id := range []string{"https://A.exemplo/x", "https://a.exemplo:443/x", "https://a.exemplo/\u0430", "https://a.exemplo/%D0%B0\u200b"} {
		if err := checkDocumentURL(id); err == nil {
			t.Errorf("%q is a client_id", id)
		}
	}
	if err := checkRedirect("https://a.exemplo/\u202e"); err == nil {
		t.Error("the path may have a right-to-left override")
	}
	if err := checkDocumentURL("https://xn--clude-5ve.ai/x"); err != nil {
		t.Errorf("punycode is no client_id: %v", err)
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
		"\xffa": "a", "Clau\u00adde\ufeff": "Claude", "\u2067Claude\u2069\u200f": "Claude", "Clau\u034fde": "Claude", "Claude\ufe0f": "Claude",
		"Cl\u115fau\u3164de\uffa0\u17b4": "Claude", "\U000e0041Claude": "Claude", "Claude\u2800": "Claude", "\u2800": "", "a \u200b b": "a b",
		"\u0301Claude": "Claude", "Joa\u0303o": "João", "C\u0300\u0301\u0302\u0303\u0304laude": "C\u0300\u0301laude", "Clau\u180ede\u2061": "Claude",
		"a\u00a0\u3000b": "a b", "<b>x</b>": "<b>x</b>", strings.Repeat("é", 200): strings.Repeat("é", maxName), "\t\u2028": "",
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
		"https://cl%D0%B0ude.ai/", "https://xn--clude-5ve.ai:443/x", "https://0x7f.1/",
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
		if shown := destinationOf(asked).Host; !isASCII(shown) || shown == "" || shown != strings.ToLower(shown) || strings.ContainsAny(shown, "%_@") {
			t.Errorf("%q is shown as %q", asked, shown)
		}
		answered, err := url.Parse(withParameters(asked, url.Values{"code": {"c"}}))
		if err != nil || destinationOf(asked).Scheme != answered.Scheme || answered.Query().Get("code") == "" {
			t.Errorf("%q is answered at %v, %v", asked, answered, err)
		}
	})
}
