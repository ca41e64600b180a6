package api

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5/pgxpool"

	"razao/internal/data/cnpj"
	"razao/internal/people/account"
	"razao/internal/people/follow"
	"razao/internal/people/seal"
	"razao/internal/people/webhook"
	"razao/internal/store/proof"
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
	meter := openMeter(t, pool)
	server := httptest.NewServer(newEngine(New(Config{
		Live: s.Live, Admit: patient(meter, pool), Charge: generous(meter, pool), CursorKey: []byte("a key of the tests"), Checkpoints: checkpoints, BaseURL: "https://razao.exemplo",
		Follows: follow.NewStore(pool, seal.New("secret of the tests")), Webhooks: webhook.NewStore(pool, seal.New("secret of the tests"), false),
		Now: func() time.Time { return time.Date(2026, 10, 15, 12, 0, 0, 0, time.UTC) },
	})))
	t.Cleanup(server.Close)
	s.url = server.URL
	return s
}

var checkpoints = proof.NewSigner(bytes.Repeat([]byte{1}, proof.SeedBytes), "https://razao.exemplo")

// patient is the real admission for tests that ask more often than an account may: it gives the account a new minute before
// the present one is used up.
func patient(meter *account.Meter, pool *pgxpool.Pool) func(context.Context, string) (account.Admission, error) {
	return func(ctx context.Context, token string) (account.Admission, error) {
		a, err := meter.Admit(ctx, token)
		if err == nil && a.Remaining < account.CallsPerMinute/2 {
			_, err = pool.Exec(ctx, `DELETE FROM admission WHERE account_id = $1`, a.Account)
		}
		return a, err
	}
}

// generous is the real charge, of a minute of which nothing is used up.
func generous(meter *account.Meter, pool *pgxpool.Pool) func(context.Context, account.ID, int) (account.Admission, error) {
	return func(ctx context.Context, id account.ID, calls int) (account.Admission, error) {
		if _, err := pool.Exec(ctx, `DELETE FROM admission WHERE account_id = $1`, id); err != nil {
			return account.Admission{}, err
		}
		return meter.Charge(ctx, id, calls)
	}
}

func openMeter(t testing.TB, pool *pgxpool.Pool) *account.Meter {
	t.Helper()
	meter := account.OpenMeter(pool, seal.New("secret of the tests"), slog.New(slog.DiscardHandler))
	t.Cleanup(meter.Close)
	return meter
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
	return s.send(t, method, path, nil, header...)
}

// send is do with a body.
func (s *service) send(t testing.TB, method, path string, content io.Reader, header ...string) answer {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, s.url+path, content)
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

var loadedAt = regexp.MustCompile(`"carregada_em":"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ"`)

// settled replaces what differs from one run to the next.
func settled(body []byte) []byte {
	return loadedAt.ReplaceAll(body, []byte(`"carregada_em":"2026-10-01T08:00:00Z"`))
}

func TestBodies(t *testing.T) {
	t.Parallel()
	s := read(t, fixture.SharedRecords(t))
	headOffice, second := branch(t, fixture.Bakery, "0001"), branch(t, fixture.Bakery, "0003")
	tests := []struct{ file, path string }{
		{"examples/v1", "/v1/cnpj/" + fixture.Bakery},
		{"testdata/v1_branch", "/v1/cnpj/" + second},
		{"testdata/v1_entrepreneur", "/v1/cnpj/" + fixture.OldMEI},
		{"testdata/v1_letters", "/v1/cnpj/" + fixture.Letters},
		{"testdata/v1_company_without_establishment", "/v1/cnpj/" + fixture.Homeless},
		{"testdata/v1_establishment_without_company", "/v1/cnpj/" + fixture.Nameless},
		{"testdata/v1_abroad", "/v1/cnpj/" + fixture.Abroad},
		{"testdata/v1_hostile", "/v1/cnpj/" + fixture.Hostile},
		{"testdata/v1_public_body", "/v1/cnpj/" + fixture.City},
		{"testdata/v1_partner_abroad", "/v1/cnpj/" + fixture.Holding},
		{"examples/v2_fontes", "/v2/fontes"},
		{"examples/" + qualityExample, "/v2/fontes/cepim/qualidade"},
		{"examples/v2_busca", "/v2/busca?q=padaria+campinas&situacao=02&facetas=sim&limite=1"},
		{"testdata/v2_search_partner", "/v2/busca?q=marta+figueira&em=socios&limite=1"},
		{"examples/v2_empresa_basic", "/v2/empresas/" + fixture.Bakery + "/basic?limite=1"},
		{"examples/v2_empresa_full", "/v2/empresas/" + fixture.Bakery + "/full?limite=1"},
		{"examples/v2_empresa_fonte", "/v2/empresas/" + fixture.Bakery + "/fontes/pgfn?limite=2"},
		{"examples/v2_empresa_estabelecimentos", "/v2/empresas/" + fixture.Chain + "/estabelecimentos?limite=1"},
		{"examples/v2_empresa_socios", "/v2/empresas/" + fixture.Chain + "/socios?limite=2"},
		{"examples/v2_estabelecimento_basic", "/v2/estabelecimentos/" + headOffice + "/basic?limite=1"},
		{"examples/v2_estabelecimento_full", "/v2/estabelecimentos/" + second + "/full?limite=1"},
		{"examples/v2_estabelecimento_fonte", "/v2/estabelecimentos/" + headOffice + "/fontes/habilitacao_aduaneira"},
		{"examples/v2_rede", "/v2/empresas/" + fixture.Bakery + "/rede?profundidade=2&limite=4"},
		{"examples/v2_socio_empresas", "/v2/socios/456789-marta-figueira-inventada/empresas?limite=1"},
		{"examples/v2_grupo", "/v2/grupos/" + fixture.Bakery},
		{"examples/v2_caminho", "/v2/caminho?de=" + fixture.Bakery + "&para=ex-249-foreign-example-llc"},
		{"testdata/v2_reconciliar_manifesto", reconcilePath},
		{"examples/v2_reconciliar", reconcilePath + "?queries=" + url.QueryEscape(`{"q0":{"query":"Padaria Estrela do Sul","properties":[{"pid":"municipio","v":"Campinas/SP"}],"limit":2}}`)},
		{"examples/v2_reconciliar_campos", reconcileProposePath + "?type=empresa&limit=3"},
		{"testdata/v2_reconciliar_extend", reconcilePath + "?extend=" + url.QueryEscape(`{"ids":["`+headOffice+`","00000001"],"properties":[{"id":"razao_social"},{"id":"municipio"},{"id":"cnae_fiscal_secundaria"},{"id":"capital_social"},{"id":"data_inicio_atividade"}]}`)},
		{"testdata/v2_company_nameless", "/v2/empresas/" + fixture.Nameless + "/basic"},
		{"testdata/v2_company_homeless", "/v2/empresas/" + fixture.Homeless + "/basic"},
		{"testdata/v2_company_hostile", "/v2/empresas/" + fixture.Hostile + "/basic"},
		{"testdata/v2_body_contracts", "/v2/empresas/" + fixture.City + "/fontes/pncp_orgao"},
	}
	for _, tt := range tests {
		t.Run(tt.file, func(t *testing.T) {
			got := s.do(t, "GET", tt.path)
			if got.status != 200 || got.header.Get("Content-Type") != "application/json; charset=utf-8" {
				t.Fatalf("status %d, type %s: %s", got.status, got.header.Get("Content-Type"), got.body)
			}
			golden(t, tt.file+".json", settled(got.body))
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
