package oauthserver

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/dns/dnsmessage"
	"golang.org/x/oauth2"

	"razao/internal/web"
	"razao/internal/web/outbound"
)

// publisher serves client metadata documents and counts the requests.
type publisher struct {
	*httptest.Server
	asked atomic.Int32
}

// publisher starts a publisher that b reaches.
func (b *harness) publisher(t *testing.T, answer http.HandlerFunc) *publisher {
	t.Helper()
	p := &publisher{}
	p.Server = httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.asked.Add(1)
		answer(w, r)
	}))
	t.Cleanup(p.Close)
	b.reach(p, anywhere)
	return p
}

// wasAsked fails unless a publisher got so many requests.
func (p *publisher) wasAsked(t *testing.T, want int32) {
	t.Helper()
	if n := p.asked.Load(); n != want {
		t.Errorf("%d requests reached the publisher, want %d", n, want)
	}
}

// reach makes b trust the certificate of a publisher, and connect to addresses for which reachable
// is true.
func (b *harness) reach(p *publisher, reachable func(netip.Addr) bool) {
	b.documents = newFetcher(reachable)
	b.documents.client.Transport.(*http.Transport).TLSClientConfig = p.Client().Transport.(*http.Transport).TLSClientConfig
}

func anywhere(netip.Addr) bool { return true }

// describing serves a valid document for the requested URL, changed by change.
func describing(change func(map[string]any)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		d := map[string]any{
			"client_id": "https://" + r.Host + r.URL.String(), "client_name": "Documentado", "redirect_uris": []string{callback, "http://localhost/callback"},
			"token_endpoint_auth_method": "none", "logo_uri": "https://assistente.exemplo/logo.png",
		}
		if change != nil {
			change(d)
		}
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		_ = json.NewEncoder(w).Encode(d)
	}
}

func TestClientWithADocument(t *testing.T) {
	b := newHarness(t)
	p := b.publisher(t, describing(nil))
	id := p.URL + "/oauth/cliente.json"
	issued := b.tokens(t, b.code(t, b.ana, id, callback))
	if access := b.alive(t, issued.Access); access.ClientID != id || access.Client != "Documentado" {
		t.Errorf("access %+v", access)
	}
	b.tokens(t, refreshing(id, issued.Refresh))
	request := b.requestID(t, askingFor(id, "http://localhost:5555/callback", oauth2.GenerateVerifier()))
	shown, err := b.Request(t.Context(), request, b.ana)
	if err != nil || shown.Publisher != strings.TrimPrefix(p.URL, "https://") || !shown.Destination.Local {
		t.Errorf("shown %+v, %v", shown, err)
	}
	p.wasAsked(t, 1)
	b.execute(t, `UPDATE oauth_client SET fresh_until = now()`)
	b.requestID(t, asking(id))
	p.wasAsked(t, 2)
	b.execute(t, `UPDATE oauth_client SET fresh_until = now() - interval '8 days'`)
	p.Close()
	toldPerson(t, b.authorize(t, asking(id)), ErrMetadataDocument)
	b.alive(t, issued.Access)
}

func TestDocumentsThatAreRefused(t *testing.T) {
	b := newHarness(t)
	kind := func(media string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			full := httptest.NewRecorder()
			describing(nil)(full, r)
			w.Header().Set("Content-Type", media)
			_, _ = w.Write(full.Body.Bytes())
		}
	}
	body := func(text string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write([]byte(text))
		}
	}
	member := func(name string, value any) http.HandlerFunc {
		return describing(func(d map[string]any) { d[name] = value })
	}
	tests := []struct {
		name   string
		answer http.HandlerFunc
		ok     bool
	}{
		{"good", describing(nil), true},
		{"good of a kind of JSON", kind("application/client+json"), true},
		{"as long as it may be", member("x", strings.Repeat("x", maxDocument-400)), true},
		{"key of its own, which is not asked for", member("token_endpoint_auth_method", "private_key_jwt"), true},
		{"oversize", member("x", strings.Repeat("x", maxDocument)), false},
		{"oversize without a length", func(w http.ResponseWriter, r *http.Request) {
			describing(nil)(w, r)
			for range 1 << 10 {
				if _, err := w.Write([]byte(strings.Repeat(" ", 1<<10))); err != nil {
					return
				}
				_ = http.NewResponseController(w).Flush()
			}
		}, false},
		{"compressed", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			full := httptest.NewRecorder()
			describing(nil)(full, r)
			_, _ = z.Write(full.Body.Bytes())
			_ = z.Close()
		}, false},
		{"redirecting", func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/outro" {
				describing(func(d map[string]any) { d["client_id"] = "https://" + r.Host + "/cliente" })(w, r)
				return
			}
			http.Redirect(w, r, "/outro", http.StatusFound)
		}, false},
		{"client_id that differs", member("client_id", "https://claude.ai/oauth/cliente"), false},
		{"client_id with other case", describing(func(d map[string]any) { d["client_id"] = strings.ToUpper(d["client_id"].(string)) }), false},
		{"no client_id", member("client_id", ""), false},
		{"no redirects", member("redirect_uris", []string{}), false},
		{"hostile redirect", member("redirect_uris", []string{callback, "javascript:alert(1)"}), false},
		{"redirects that are no list", member("redirect_uris", callback), false},
		{"secret", member("client_secret", "x"), false},
		{"secret by its method", member("token_endpoint_auth_method", "client_secret_basic"), false},
		{"page", kind("text/html"), false},
		{"no type", kind(""), false},
		{"not found", func(w http.ResponseWriter, r *http.Request) { http.NotFound(w, r) }, false},
		{"no JSON", body("<html>"), false},
		{"list", body("[]"), false},
		{"null", body("null"), false},
		{"nothing", body(""), false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := b.publisher(t, tt.answer)
			w := b.authorize(t, asking(p.URL+"/cliente"))
			if tt.ok {
				location(t, w)
			} else {
				toldPerson(t, w, ErrMetadataDocument)
			}
			p.wasAsked(t, 1)
		})
	}
	b.keeps(t, "oauth_client", 4)
}

func TestAddressesThatAreNoDocuments(t *testing.T) {
	b := newHarness(t)
	p := b.publisher(t, describing(nil))
	host := strings.TrimPrefix(p.URL, "https://")
	for _, address := range []string{
		"https://", "https:///cliente", p.URL, p.URL + "/", p.URL + "/a/../cliente", p.URL + "/./cliente", p.URL + "/a/%2e%2e/cliente",
		p.URL + "//cliente", p.URL + "/cliente#x", p.URL + "/cliente#", "https://ana@" + host + "/cliente", "https://ana:x@" + host + "/cliente",
		p.URL + "/cli ente", p.URL + "/cliente\x00", p.URL + "/" + strings.Repeat("x", maxDocumentURL),
	} {
		w := b.authorize(t, asking(address))
		if w.Code != http.StatusBadRequest || w.Header().Get("Location") != "" {
			t.Errorf("%.60q: status %d", address, w.Code)
		}
	}
	p.wasAsked(t, 0)
}

// No request reaches a private address (SSRF), however the address is written.
func TestForgedDocumentRequests(t *testing.T) {
	b := newHarness(t)
	p := b.publisher(t, describing(nil))
	b.reach(p, outbound.IsPublic)
	port := p.Listener.Addr().(*net.TCPAddr).Port
	for _, host := range []string{"127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0", "[::]", "127.1", "2130706433", "0x7f000001"} {
		toldPerson(t, b.authorize(t, asking(fmt.Sprintf("https://%s:%d/cliente", host, port))), ErrMetadataDocument)
	}
	p.wasAsked(t, 0)
	b.reach(p, anywhere)
	b.requestID(t, asking(p.URL+"/cliente"))
}

// TestDNSRebinding has a name resolve to an allowed address at first and to another one afterwards.
func TestDNSRebinding(t *testing.T) {
	b := newHarness(t)
	p := b.publisher(t, describing(nil))
	public, private := netip.MustParseAddr("127.0.0.1"), netip.MustParseAddr("127.0.0.2")
	var mu sync.Mutex
	var checked []string
	b.reach(p, func(a netip.Addr) bool {
		mu.Lock()
		defer mu.Unlock()
		checked = append(checked, a.String())
		return a == public
	})
	names := newNames(t, public, private)
	b.documents.client.Dialer.Resolver = &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "udp", names)
	}}
	id := fmt.Sprintf("https://example.com:%d/cliente", p.Listener.Addr().(*net.TCPAddr).Port) // as in the certificate
	b.requestID(t, asking(id))
	b.execute(t, `UPDATE oauth_client SET fresh_until = now()`)
	toldPerson(t, b.authorize(t, asking(id)), ErrMetadataDocument)
	p.wasAsked(t, 1)
	if diff := cmp.Diff([]string{"127.0.0.1", "127.0.0.2"}, checked); diff != "" {
		t.Errorf("checked addresses (-want +got):\n%s", diff)
	}
}

// newNames starts a DNS server that answers the first query with the address first and all others
// with then, and returns its address.
func newNames(t *testing.T, first, then netip.Addr) string {
	t.Helper()
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	must(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	go func() {
		address, buffer := first, make([]byte, 1<<10)
		for {
			n, from, err := conn.ReadFrom(buffer)
			if err != nil {
				return
			}
			var m dnsmessage.Message
			if m.Unpack(buffer[:n]) != nil {
				continue
			}
			m.Response, m.Additionals = true, nil
			if q := m.Questions[0]; q.Type == dnsmessage.TypeA {
				m.Answers = []dnsmessage.Resource{{
					Header: dnsmessage.ResourceHeader{Name: q.Name, Type: q.Type, Class: q.Class},
					Body:   &dnsmessage.AResource{A: address.As4()},
				}}
				address = then
			}
			if packed, err := m.Pack(); err == nil {
				_, _ = conn.WriteTo(packed, from)
			}
		}
	}()
	return conn.LocalAddr().String()
}

// Sites that do not respond occupy at most documentsAtOnce fetches, and do not affect clients that
// are stored.
func TestSlowDocuments(t *testing.T) {
	b := newHarness(t)
	arrived, release := make(chan struct{}, 2*documentsAtOnce), make(chan struct{})
	p := b.publisher(t, func(_ http.ResponseWriter, r *http.Request) {
		arrived <- struct{}{}
		select {
		case <-release:
		case <-r.Context().Done():
		}
	})
	known := b.register(t, callback)
	var all sync.WaitGroup
	for i := range 2 * documentsAtOnce {
		all.Go(func() {
			from := netip.AddrFrom4([4]byte{198, 51, 100, byte(i)})
			if _, err := b.documents.fetch(t.Context(), fmt.Sprintf("%s/cliente/%d", p.URL, i), from); err == nil {
				t.Error("a document that never came")
			}
		})
	}
	for range documentsAtOnce {
		<-arrived
	}
	b.requestID(t, asking(known))
	p.wasAsked(t, documentsAtOnce)
	close(release)
	all.Wait()
	if b.documents.client.Timeout != documentTimeout {
		t.Error("a document may take for ever")
	}
}

func TestDocumentsOfOneAddressAreLimited(t *testing.T) {
	b := newHarness(t, func(c *Config) { c.NewClients = web.NewThrottle(1, 3) })
	p := b.publisher(t, describing(nil))
	for i, want := range []int{303, 303, 303, 429} {
		if w := b.authorize(t, asking(fmt.Sprintf("%s/cliente/%d", p.URL, i))); w.Code != want {
			t.Errorf("document %d: status %d, want %d", i, w.Code, want)
		}
	}
	b.requestID(t, asking(p.URL+"/cliente/0")) // is known
}

func TestFreshness(t *testing.T) {
	t.Parallel()
	for header, want := range map[string]time.Duration{
		"": defaultFresh, "public": defaultFresh, "max-age=x": defaultFresh, "public, max-age=7200": 2 * time.Hour, "MAX-AGE=7200": 2 * time.Hour,
		`max-age="7200"`: 2 * time.Hour, "max-age=0": minFresh, "max-age=-1": minFresh, "no-store": minFresh, "no-cache, max-age=7200": minFresh,
		"max-age=999999999": maxFresh, "max-age=99999999999999999999": defaultFresh,
	} {
		if got := freshness(header); got != want {
			t.Errorf("%q: %s, want %s", header, got, want)
		}
	}
}

func FuzzParseDocument(f *testing.F) {
	const address = "https://assistente.exemplo/cliente"
	f.Add([]byte(`{"client_id":"` + address + `","client_name":"x","redirect_uris":["https://a.exemplo/b","cursor://x/y"]}`))
	f.Add([]byte(`{"client_id":"` + address + `","redirect_uris":["http://[::1]:1"]}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		c, err := parseDocument(body, address)
		if err != nil {
			return
		}
		if c.ID != address || c.Name == "" || len(c.RedirectURIs) == 0 || checkRedirects(c.RedirectURIs) != nil || printable(c.Name) != c.Name {
			t.Errorf("%+v", c)
		}
	})
}
