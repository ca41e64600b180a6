package main

import (
	"cmp"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/netip"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"text/tabwriter"
	"time"

	"razao/internal/testing/fixture"
)

// Bounds of responses that count for nobody, in bytes.
const (
	largestUnlimited = 2 << 10   // to requests that no throttle limits
	largestUncounted = 64 << 10  // without a reason
	largestAny       = 2 << 20   // with one
	largestPacked    = 512 << 10 // the same to clients that accept gzip, as nearly all do
)

// Why a response that counts for nobody may be larger than largestUncounted. Each is also behind a
// throttle by network, see TestUncountedIsThrottled.
const (
	oneDocument = "the same bytes for all, encoded and compressed once (web.Document), and cacheable"
	heldPage    = "a page, held in the budget of large bodies and shed with pages; cacheable"
)

// large are the routes whose uncounted responses are larger than largestUncounted, and why.
var large = map[string]string{
	"/static/swagger-ui-bundle.js": oneDocument, "/static/swagger-ui.css": oneDocument,
	"/openapi.json": oneDocument, "/v2/openapi.json": oneDocument, "/municipios.csv": oneDocument,
	"/dicionario": heldPage, "/municipios": heldPage, "/uf/:uf": heldPage,
}

// unlimited are the routes behind no throttle and no guard against guesses, and why. What they
// respond is never larger than largestUnlimited.
var unlimited = map[string]string{
	"/health": "probes of many monitors come through one proxy", "/health/live": "as /health", "/health/ready": "as /health",
	"/.well-known/oauth-authorization-server":   "hosted assistants discover for many people from few addresses",
	"/.well-known/openid-configuration":         "as above",
	"/.well-known/oauth-protected-resource":     "as above",
	"/.well-known/oauth-protected-resource/mcp": "as above",
	"/oauth/token":                    "limited by failures: hosted assistants exchange the tokens of many people",
	"/oauth/revoke":                   "limited by failures",
	"/mcp/":                           "as /mcp",
	"/mcp":                            "without a token: the challenge by which clients discover the authorization server",
	"/v2/empresas/:documento":         "a redirect without a body",
	"/v2/estabelecimentos/:documento": "a redirect without a body",
	"OPTIONS":                         "preflight requests have no body",
}

// TestUncountedIsThrottled sends every request twice from an address that may make one a minute:
// what needs no key, session or other credential is refused then, unless it is small and listed.
func TestUncountedIsThrottled(t *testing.T) {
	t.Parallel()
	l := fixture.LoadRecords(t)
	w := wholeOn(t, l.Pool, filepath.Dir(l.IndexDir), func(s *settings) { s.IPRequests, s.IPClients = 1, 1 })
	client := netip.MustParseAddr("10.0.0.0")
	twice := func(method, path string) (first, second *http.Response, size int) {
		client = client.Next()
		header := []string{"Cookie", "", "X-Forwarded-For", client.String(), "Sec-Fetch-Site", "same-origin"}
		first, second = w.ask(t, method, path, "", header...), w.ask(t, method, path, "", header...)
		for _, resp := range []*http.Response{first, second} {
			body, err := io.ReadAll(resp.Body)
			if err != nil {
				t.Fatal(err)
			}
			size = max(size, len(body))
		}
		return first, second, size
	}
	excused := map[string]bool{}
	for _, route := range w.Routes() {
		first, second, size := twice(route.Method, cmp.Or(examples[route.Path], address(route.Path)))
		what := fmt.Sprintf("%s %s: %d, then %d, %d bytes", route.Method, route.Path, first.StatusCode, second.StatusCode, size)
		excuse := route.Path
		if route.Method == http.MethodOptions {
			excuse = http.MethodOptions
		}
		switch {
		case second.StatusCode == http.StatusTooManyRequests:
		case unlimited[excuse] == "":
			t.Errorf("%s: behind no throttle", what)
		case size > largestUnlimited:
			t.Errorf("%s: behind no throttle and large", what)
		default:
			excused[excuse] = true
		}
	}
	for excuse := range unlimited {
		if !excused[excuse] {
			t.Errorf("%s is limited, or no route", excuse)
		}
	}
	for _, request := range [][2]string{{"GET", "/um/dois/tres"}, {"HEAD", "/um/dois/tres"}, {"PUT", "/busca"}, {"DELETE", "/"}} {
		if first, second, _ := twice(request[0], request[1]); second.StatusCode != http.StatusTooManyRequests {
			t.Errorf("%s: %d, then %d", request, first.StatusCode, second.StatusCode)
		}
	}
	for _, request := range [][2]string{{"GET", "/v2/nada"}, {"GET", "/v1/nada"}, {"PUT", "/v1/cnpj/1"}} {
		if _, _, size := twice(request[0], request[1]); size > largestUnlimited {
			t.Errorf("%s: %d bytes", request, size)
		}
	}
}

// probe is a request whose response is measured.
type probe struct {
	name    string // route, or method of MCP
	counted bool   // against the calls of an account
	method  string
	path    string
	header  []string
	body    string
}

// probes returns a request for every route that responds to GET, as whoever gets most of it, every
// asset of the pages, and the messages of MCP that do not count.
func (w *whole) probes(t *testing.T) []probe {
	t.Helper()
	byKey := []string{"Cookie", "", "Authorization", "Bearer " + w.key}
	var all []probe
	for _, asset := range regexp.MustCompile(`/static/[\w.-]+`).FindAllString(w.read(t, "GET", "/").body+w.read(t, "GET", "/api/docs").body, -1) {
		name := regexp.MustCompile(`\.[0-9a-f]{12}\.`).ReplaceAllString(asset, ".")
		if !slices.ContainsFunc(all, func(p probe) bool { return p.name == name }) {
			all = append(all, probe{name: name, method: "GET", path: asset, header: []string{"Cookie", ""}})
		}
	}
	for _, route := range w.Routes() {
		if route.Method != http.MethodGet || route.Path == "/static/:asset" {
			continue
		}
		p := probe{name: route.Path, method: "GET", path: cmp.Or(examples[route.Path], address(route.Path)), header: []string{"Cookie", ""}}
		switch {
		case strings.HasPrefix(route.Path, "/v"):
			p.counted = !strings.HasSuffix(route.Path, ".json") && !strings.HasPrefix(route.Path, "/v2/fontes") && !strings.HasSuffix(route.Path, ":documento")
			p.header = byKey
		case strings.HasPrefix(route.Path, "/conta"), route.Path == "/busca.csv", route.Path == "/empresas.csv":
			p.header = nil // signed in
		}
		all = append(all, p)
	}
	for _, method := range []string{
		"tools/list", "resources/list", "resources/templates/list", "prompts/list", "ping", "initialize", "server/discover", "tools/nothing",
	} {
		p := probe{name: "/mcp " + method, method: "POST", path: "/mcp", body: `{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":{}}`}
		p.header = append(slices.Clone(byKey), "Content-Type", "application/json", "Accept", "application/json, text/event-stream")
		switch method {
		case "initialize":
			p.body = strings.Replace(p.body, "{}", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}`, 1)
		case "server/discover":
			p.header = append(p.header, "Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", method)
			p.body = strings.Replace(p.body, "{}", `{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}`, 1)
		}
		all = append(all, p)
	}
	anonymous := []string{"Cookie", ""}
	for name, path := range map[string]string{
		"no such page": "/um/dois/tres", "no such call": "/v2/nada", "/:cnpj.md": "/12345678000195.md", "/municipios.csv?q=": "/municipios.csv?q=a",
	} {
		all = append(all, probe{name: name, method: "GET", path: path, header: anonymous})
	}
	return all
}

// cost is what a probe costs the sender and the server.
type cost struct {
	probe
	status      int
	in          int // bytes of the request
	out, packed int // bytes of the response, without and with gzip
	cpu         time.Duration
}

// send sends a probe, with further headers, and returns how many bytes it has.
func (w *whole) send(t *testing.T, p *probe, further ...string) (in int, answer *httptest.ResponseRecorder) {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), p.method, w.base+p.path, strings.NewReader(p.body))
	r.Header.Set("Cookie", w.cookie)
	for header := append(slices.Clone(p.header), further...); len(header) > 0; header = header[2:] {
		if r.Header.Set(header[0], header[1]); header[1] == "" {
			r.Header.Del(header[0])
		}
	}
	request, err := httputil.DumpRequest(r, true)
	if err != nil {
		t.Fatal(err)
	}
	answer = httptest.NewRecorder()
	w.ServeHTTP(answer, r)
	return len(request), answer
}

// measure sends a probe with and without gzip, and some more times for the CPU time.
func (w *whole) measure(t *testing.T, p probe) cost {
	t.Helper()
	in, plain := w.send(t, &p)
	_, packed := w.send(t, &p, "Accept-Encoding", "gzip")
	c := cost{p, plain.Code, in, plain.Body.Len(), packed.Body.Len(), 0}
	if p.counted || !testing.Verbose() { // an account has sixty calls
		return c
	}
	times := time.Duration(25)
	if p.path == "/mcp" || p.header == nil { // what an account may ask at once is limited
		times = 4
	}
	used := cpuTime(t)
	for range times {
		w.send(t, &p, "Accept-Encoding", "gzip")
	}
	c.cpu = (cpuTime(t) - used) / times
	return c
}

// cpuTime returns the CPU time of this process, other tests included.
func cpuTime(t *testing.T) time.Duration {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// TestAmplification measures what every route responds for what it is sent. What counts for nobody
// is bounded. -v prints a table of them; run it alone for its CPU times.
func TestAmplification(t *testing.T) {
	t.Parallel()
	l := fixture.LoadRecords(t)
	w := wholeOn(t, l.Pool, filepath.Dir(l.IndexDir))
	var costs []cost
	reasons := map[string]bool{}
	for _, p := range w.probes(t) {
		if p.header == nil {
			w.beSomebodyElse(t) // who has not had a file yet
		}
		c := w.measure(t, p)
		costs = append(costs, c)
		switch {
		case p.counted:
		case c.status == http.StatusTooManyRequests:
			t.Errorf("%s was throttled, not measured", p.name)
		case c.out > largestAny || c.packed > largestPacked:
			t.Errorf("%s: %d bytes, %d with gzip", p.name, c.out, c.packed)
		case c.out > largestUncounted && large[p.name] == "":
			t.Errorf("%s: %d bytes, and nobody says why", p.name, c.out)
		case c.out > largestUncounted:
			reasons[p.name] = true
		}
	}
	for name := range large {
		if !reasons[name] {
			t.Errorf("%s is not large, or no route", name)
		}
	}
	slices.SortFunc(costs, func(a, b cost) int { return cmp.Compare(b.out, a.out) })
	var table strings.Builder
	tw := tabwriter.NewWriter(&table, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "route\tstatus\tcounted\tin\tout\tgzip\tout/in\tCPU")
	for _, c := range costs {
		fmt.Fprintf(tw, "%s\t%d\t%t\t%d\t%d\t%d\t%.1f\t%.2f ms\n",
			c.name, c.status, c.counted, c.in, c.out, c.packed, float64(c.out)/float64(c.in), c.cpu.Seconds()*1000)
	}
	_ = tw.Flush()
	t.Log("\n" + table.String())
}
