package api

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"razao/internal/data/cnpj"
	"razao/internal/data/record"
	"razao/internal/people/account"
	"razao/internal/people/seal"
	"razao/internal/store/registry"
	"razao/internal/store/snapshot"
	"razao/internal/testing/fixture"
	"razao/internal/testing/pgtest"
	"razao/internal/web"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// service is the API on a real server and database.
type service struct {
	*fixture.Served
	keys *account.Store
	url  string
	key  string // active
}

// read serves what all tests share, with accounts of the test's own.
func read(t testing.TB, shared *fixture.Served) *service {
	t.Helper()
	return serve(t, shared, pgtest.Pool(t))
}

// start serves what l holds.
func start(t testing.TB, l *fixture.Loaded) *service {
	t.Helper()
	return serve(t, &l.Served, l.Pool)
}

func serve(t testing.TB, served *fixture.Served, pool *pgxpool.Pool) *service {
	t.Helper()
	s := &service{Served: served, keys: account.NewStore(pool, seal.New("secret of the tests"))}
	var err error
	if s.key, _, err = s.keys.CreateKey(t.Context(), "ana@exemplo.com.br", "testes"); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(newEngine(New(Config{
		Live: s.Live, Admit: patient(t, pool), IBGE: testIBGE, CursorKey: []byte("a key of the tests"),
		Now: func() time.Time { return time.Date(2026, 10, 15, 12, 0, 0, 0, time.UTC) },
	})))
	t.Cleanup(server.Close)
	s.url = server.URL
	return s
}

// patient is the real admission for tests that ask more often than an account may: it gives the account a new minute before
// the present one is used up.
func patient(t testing.TB, pool *pgxpool.Pool) func(context.Context, string) (account.Admission, error) {
	t.Helper()
	meter := account.OpenMeter(pool, seal.New("secret of the tests"), slog.New(slog.DiscardHandler))
	t.Cleanup(meter.Close)
	return func(ctx context.Context, token string) (account.Admission, error) {
		a, err := meter.Admit(ctx, token)
		if err == nil && a.Remaining < account.CallsPerMinute/2 {
			_, err = pool.Exec(ctx, `DELETE FROM admission WHERE account_id = $1`, a.Account)
		}
		return a, err
	}
}

func newEngine(a *API) *gin.Engine {
	engine := web.NewEngine(web.Options{Log: slog.New(slog.DiscardHandler)})
	a.Register(engine)
	engine.NoRoute(a.NotFound)
	engine.NoMethod(a.MethodNotAllowed)
	return engine
}

const requestID = "5f2b8c1e-8f0a-4b6d-9a57-0d9f6c1c2b3a"

// answer is what came back.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// do sends a request with the service's key, unless header has another Authorization.
func (s *service) do(t testing.TB, method, path string, header ...string) answer {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, s.url+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+s.key)
	req.Header.Set("X-Request-ID", requestID)
	req.Header.Set("Accept-Encoding", "identity")
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	resp, err := http.DefaultTransport.RoundTrip(req) // without following redirects
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	got := answer{resp.StatusCode, resp.Header, body}
	checkDocumented(t, method, path, got)
	return got
}

func TestV1Bodies(t *testing.T) {
	t.Parallel()
	s := read(t, fixture.Shared(t))
	tests := []struct{ file, document string }{
		{"examples/v1", fixture.Bakery},
		{"testdata/v1_branch", branch(t, fixture.Bakery, "0003")},
		{"testdata/v1_entrepreneur", fixture.OldMEI},
		{"testdata/v1_letters", fixture.Letters},
		{"testdata/v1_company_without_establishment", fixture.Homeless},
		{"testdata/v1_establishment_without_company", fixture.Nameless},
		{"testdata/v1_abroad", fixture.Abroad},
		{"testdata/v1_hostile", fixture.Hostile},
		{"testdata/v1_public_body", fixture.City},
		{"testdata/v1_partner_abroad", fixture.Holding},
	}
	for _, tt := range tests {
		t.Run(tt.file, func(t *testing.T) {
			got := s.do(t, "GET", "/v1/cnpj/"+tt.document)
			if got.status != http.StatusOK || got.header.Get("Content-Type") != "application/json; charset=utf-8" {
				t.Fatalf("status %d, type %s", got.status, got.header.Get("Content-Type"))
			}
			golden(t, tt.file+".json", got.body)
		})
	}
}

func branch(t testing.TB, root, order string) string {
	t.Helper()
	r, err := cnpj.ParseRoot(root)
	if err != nil {
		t.Fatal(err)
	}
	o, err := cnpj.ParseOrder(order)
	if err != nil {
		t.Fatal(err)
	}
	return cnpj.Join(r, o).String()
}

// golden compares a body, which has no white space of its own, with an indented file.
func golden(t *testing.T, name string, body []byte) {
	t.Helper()
	var compact, indented bytes.Buffer
	if err := json.Compact(&compact, body); err != nil || !bytes.Equal(compact.Bytes(), body) {
		t.Fatalf("not compact JSON: %v", err)
	}
	if err := json.Indent(&indented, body, "", "  "); err != nil {
		t.Fatal(err)
	}
	indented.WriteByte('\n')
	path := filepath.FromSlash(name)
	if *update {
		if err := os.WriteFile(path, indented.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), indented.String()); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

// TestV1AgreesWithTheContract compares the response for every company with the stored records.
func TestV1AgreesWithTheContract(t *testing.T) {
	t.Parallel()
	s := read(t, fixture.Shared(t))
	snap, err := s.Live.Acquire()
	if err != nil {
		t.Fatal(err)
	}
	defer snap.Release()
	roots := []string{
		fixture.Bakery, fixture.Holding, fixture.MEI, fixture.OldMEI, fixture.Letters, fixture.Closed, fixture.Chain,
		fixture.Homeless, fixture.Nameless, fixture.Abroad, fixture.Hostile, fixture.City,
	}
	for _, root := range roots {
		rec := recordsOf(t, snap, root)
		check := func(document string, rec *records) {
			t.Helper()
			got := s.do(t, "GET", "/v1/cnpj/"+document)
			want := fmt.Sprintf(`{"dados":%s,"meta":{"versao":"v1","competencia":%q,"requisicao_id":%q}}`, expected{t, snap.Domains}.dados(rec), fixture.Month, requestID)
			if string(got.body) != want {
				t.Errorf("%s (-want +got):\n%s", document, cmp.Diff(want, string(got.body)))
			}
		}
		check(root, rec)
		for i := range rec.establishments {
			one := *rec
			one.establishments = rec.establishments[i : i+1]
			check(one.establishments[0].CNPJ.String(), &one)
		}
	}
}

// recordsOf reads everything that a snapshot has of a root.
func recordsOf(t *testing.T, snap *snapshot.Snapshot, root string) *records {
	t.Helper()
	r, err := cnpj.ParseRoot(root)
	if err != nil {
		t.Fatal(err)
	}
	h, err := snap.Company(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	rec := &records{root: r}
	if h.HasCompany {
		rec.company = &h.Company
	}
	if h.HasSimples {
		rec.simples = &h.Simples
	}
	err = snap.Establishments(t.Context(), &h, registry.Range{Limit: h.Establishments}, func(e *record.Establishment) error {
		rec.establishments = append(rec.establishments, *e)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	err = snap.Partners(t.Context(), &h, registry.Range{Limit: h.Partners}, func(p *record.Partner) error {
		rec.partners = append(rec.partners, *p)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

func TestV1ReadsTheIdentifier(t *testing.T) {
	t.Parallel()
	s := read(t, fixture.Shared(t))
	want := s.do(t, "GET", "/v1/cnpj/"+fixture.Letters).body
	for _, same := range []string{strings.ToLower(fixture.Letters), "%31%32abc345"} {
		if got := s.do(t, "GET", "/v1/cnpj/"+same); !bytes.Equal(got.body, want) {
			t.Errorf("%s: %d %s", same, got.status, got.body)
		}
	}
	full := branch(t, fixture.Letters, "01DE")
	if got := s.do(t, "GET", "/v1/cnpj/"+strings.ToLower(full)); got.status != 200 || !bytes.Contains(got.body, []byte(full)) {
		t.Errorf("%s in lower case: %d", full, got.status)
	}
	chain := s.do(t, "GET", "/v1/cnpj/"+fixture.Chain)
	var body struct {
		Dados struct {
			Estabelecimentos []struct{ CNPJ string }
			Socios           []struct{}
		}
	}
	if err := json.Unmarshal(chain.body, &body); err != nil {
		t.Fatal(err)
	}
	if e, p := len(body.Dados.Estabelecimentos), len(body.Dados.Socios); e != fixture.ChainSize || p != fixture.ChainQSA {
		t.Errorf("%d establishments and %d partners", e, p)
	}
	if bytes.Contains(s.do(t, "GET", "/v1/cnpj/"+fixture.OldMEI).body, []byte(fixture.HiddenCPF)) {
		t.Error("a CPF is served")
	}
}

func TestV1Conditional(t *testing.T) {
	t.Parallel()
	s := read(t, fixture.Shared(t))
	const path = "/v1/cnpj/" + fixture.Bakery
	first := s.do(t, "GET", path)
	tag := first.header.Get("ETag")
	if tag == "" || first.header.Get("Cache-Control") != "private, no-cache" || first.header.Get("Vary") != "Accept-Encoding" {
		t.Fatalf("headers %v", first.header)
	}
	other := s.do(t, "GET", path, "X-Request-ID", uuid.NewString())
	if bytes.Equal(other.body, first.body) || other.header.Get("ETag") != tag {
		t.Errorf("the tag depends on the request: %s, %s", tag, other.header.Get("ETag"))
	}
	if got := s.do(t, "GET", "/v1/cnpj/"+fixture.Closed).header.Get("ETag"); got == tag {
		t.Errorf("two companies share the tag %s", tag)
	}
	for _, method := range []string{"GET", "HEAD"} {
		got := s.do(t, method, path, "If-None-Match", tag)
		if got.status != http.StatusNotModified || len(got.body) > 0 || got.header.Get("ETag") != tag ||
			got.header.Get("X-Request-ID") != requestID || got.header.Get("Cache-Control") != "private, no-cache" {
			t.Errorf("%s: status %d, %d bytes, headers %v", method, got.status, len(got.body), got.header)
		}
	}
	if got := s.do(t, "GET", path, "If-None-Match", tag, "Authorization", ""); got.status != http.StatusUnauthorized {
		t.Errorf("a tag opens the door: %d", got.status)
	}
	head := s.do(t, "HEAD", path)
	if head.status != 200 || len(head.body) > 0 || head.header.Get("Content-Length") != fmt.Sprint(len(first.body)) || head.header.Get("ETag") != tag {
		t.Errorf("HEAD: status %d, %d bytes, headers %v", head.status, len(head.body), head.header)
	}
}

func TestV1Gzip(t *testing.T) {
	t.Parallel()
	s := read(t, fixture.Shared(t))
	const path = "/v1/cnpj/" + fixture.Chain
	plain := s.do(t, "GET", path)
	req, err := http.NewRequestWithContext(t.Context(), "GET", s.url+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+s.key)
	req.Header.Set("X-Request-ID", requestID)
	resp, err := http.DefaultClient.Do(req) // asks for gzip and undoes it
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	if err != nil || !resp.Uncompressed || !bytes.Equal(body, plain.body) {
		t.Errorf("%d bytes, compressed %v, %v; want the %d plain ones", len(body), resp.Uncompressed, err, len(plain.body))
	}
	tag := resp.Header.Get("ETag")
	if got := s.do(t, "GET", path, "If-None-Match", tag, "Accept-Encoding", "gzip"); got.status != http.StatusNotModified {
		t.Errorf("compressed and current: %d", got.status)
	}
}

// BenchmarkV1Request is one whole call over loopback, client, key check and database included.
func BenchmarkV1Request(b *testing.B) {
	s := read(b, fixture.Shared(b))
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if got := s.do(b, "GET", "/v1/cnpj/"+fixture.Bakery); got.status != http.StatusOK {
				b.Errorf("status %d", got.status)
			}
		}
	})
}

// TestConnections looks at what clients do to a connection: several requests at once, and headers without end.
func TestConnections(t *testing.T) {
	t.Parallel()
	s := read(t, fixture.Shared(t))
	conn, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	documents := []string{fixture.Bakery, "00000000000000", fixture.Letters, "nada/aqui", fixture.Chain}
	statuses := []int{200, 400, 200, 404, 200}
	for _, d := range documents {
		_, err := fmt.Fprintf(conn, "GET /v1/cnpj/%s HTTP/1.1\r\nHost: x\r\nAuthorization: bearer %s\r\n\r\n", d, s.key)
		if err != nil {
			t.Fatal(err)
		}
	}
	answers := bufio.NewReader(conn)
	for i, d := range documents {
		resp, err := http.ReadResponse(answers, nil)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		if err != nil || resp.StatusCode != statuses[i] || !json.Valid(body) {
			t.Errorf("pipelined %s: status %d, %d bytes, %v", d, resp.StatusCode, len(body), err)
		}
	}

	if got := s.do(t, "GET", "/v1/cnpj/"+fixture.Bakery, "Authorization", "Bearer "+strings.Repeat("a", 8<<10)); got.status != 401 {
		t.Errorf("a long key: %d", got.status)
	}
	if got := s.do(t, "GET", "/v1/cnpj/"+strings.Repeat("1", 64<<10)); got.status != 400 {
		t.Errorf("a long path: %d", got.status)
	}
	if got := s.do(t, "GET", "/v1/cnpj/"+fixture.Bakery, "X-Long", strings.Repeat("a", 2<<20)); got.status != http.StatusRequestHeaderFieldsTooLarge {
		t.Errorf("endless headers: %d", got.status)
	}
	if got := s.do(t, "GET", "/v1/cnpj/"+fixture.Bakery); got.status != 200 {
		t.Errorf("after all that: %d", got.status)
	}
}
