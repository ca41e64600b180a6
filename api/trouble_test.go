package api

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"razao/internal/data/source"
	"razao/internal/people/account"
	"razao/internal/store/registry"
	"razao/internal/testing/fixture"
	"razao/internal/web"
)

func TestDocumentsInEverySpelling(t *testing.T) {
	t.Parallel()
	s := read(t, fixture.Shared(t))
	full := branch(t, fixture.Letters, "01DE")
	for same, path := range map[string]string{
		"/v1/cnpj/" + strings.ToLower(fixture.Letters):                "/v1/cnpj/" + fixture.Letters,
		"/v1/cnpj/%31%32abc345":                                       "/v1/cnpj/" + fixture.Letters,
		"/v1/cnpj/" + strings.ToLower(full):                           "/v1/cnpj/" + full,
		"/v2/empresas/" + strings.ToLower(fixture.Letters) + "/basic": "/v2/empresas/" + fixture.Letters + "/basic",
		"/v2/empresas/%31%32abc345/full":                              "/v2/empresas/" + fixture.Letters + "/full",
		"/v2/estabelecimentos/" + strings.ToLower(full) + "/full":     "/v2/estabelecimentos/" + full + "/full",
		"/v2/empresas/" + fixture.Chain + "/socios?limite=20":         "/v2/empresas/" + fixture.Chain + "/socios",
	} {
		want, got := s.do(t, "GET", path), s.do(t, "GET", same)
		if want.status != 200 || string(got.body) != string(want.body) {
			t.Errorf("%s: %d %s, want %s", same, got.status, got.body, want.body)
		}
	}
}

func TestBarePathLeadsToBasic(t *testing.T) {
	t.Parallel()
	s := read(t, fixture.Shared(t))
	full := branch(t, fixture.Bakery, "0001")
	for _, tt := range []struct{ path, to string }{
		{"/v2/empresas/" + fixture.Bakery, "/v2/empresas/" + fixture.Bakery + "/basic"},
		{"/v2/empresas/" + fixture.Bakery + "?limite=5", "/v2/empresas/" + fixture.Bakery + "/basic?limite=5"},
		{"/v2/estabelecimentos/" + full, "/v2/estabelecimentos/" + full + "/basic"},
		{"/v2/empresas/%0d%0aX-Y:%201?%0d%0a=1", "/v2/empresas/%0d%0aX-Y:%201/basic?%0D%0A=1"},
		{"/v2/empresas/..%2F..%2F%2Fexemplo.com?%c3%a3=1", "/v2/empresas/..%2F..%2F%2Fexemplo.com/basic?%C3%A3=1"},
	} {
		for _, method := range []string{"GET", "HEAD"} {
			got := s.do(t, method, tt.path, "Authorization", "")
			if got.status != http.StatusPermanentRedirect || got.header.Get("Location") != tt.to || len(got.body) > 0 || got.header.Get("X-Request-ID") != requestID {
				t.Errorf("%s %s: %d, headers %v", method, tt.path, got.status, got.header)
			}
		}
	}
}

// TestSourcesInTrouble compares full, the source's page and the catalogue for a source whose
// records are lost, one that was never loaded and a good one.
func TestSourcesInTrouble(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	crowded(t, l, 5, "ceis", "cnep", "pgfn")
	s := start(t, l)
	if _, err := l.Pool.Exec(t.Context(), `DROP TABLE load_000002.record`); err != nil { // of pgfn, the first of source.All
		t.Fatal(err)
	}
	want := map[string]registry.Status{"pgfn": registry.Failed, "ceis": registry.Found, "cnep": registry.Found}
	var full struct {
		Dados struct {
			RegistrosPublicos map[string]map[string]collectionJSON `json:"registros_publicos"`
		}
		Meta struct{ Disponibilidade string }
	}
	got := s.do(t, "GET", "/v2/empresas/"+fixture.Chain+"/full")
	if err := json.Unmarshal(got.body, &full); err != nil || got.status != 200 || full.Meta.Disponibilidade != "parcial" {
		t.Fatalf("status %d, %v: %s", got.status, err, got.body)
	}
	for _, src := range source.All() {
		status := want[src.ID]
		if status == "" {
			status = registry.Unavailable
		}
		inFull := full.Dados.RegistrosPublicos[src.Theme][src.ID]
		alone := s.collection(t, "/v2/empresas/"+fixture.Chain+"/fontes/"+src.ID)
		if diff := cmp.Diff(inFull, alone); diff != "" || alone.Status != string(status) {
			t.Errorf("%s: %s, want %s (-in full +alone):\n%s", src.ID, alone.Status, status, diff)
		}
		if (alone.Total == nil) != (status != registry.Found) || (len(alone.Itens) == 0) != (status != registry.Found) || alone.Itens == nil {
			t.Errorf("%s: total %v, %d items", src.ID, alone.Total, len(alone.Itens))
		}
		availability := s.availability(t, "/v2/empresas/"+fixture.Chain+"/fontes/"+src.ID)
		if (availability == "completa") != (status == registry.Found) {
			t.Errorf("%s: %s", src.ID, availability)
		}
	}
	if got := s.availability(t, "/v2/empresas/"+fixture.Chain+"/basic"); got != "completa" {
		t.Errorf("basic: %s", got)
	}
	if page := s.collection(t, "/v2/empresas/"+fixture.Bakery+"/fontes/ceis"); page.Status != "sem_ocorrencia" || *page.Total != 0 {
		t.Errorf("without records: %+v", page)
	}
}

// TestASourceFailsInMidWalk: a page without a cursor ends a collection, so a page that cannot be
// read must be an error.
func TestASourceFailsInMidWalk(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	crowded(t, l, 5, "pgfn")
	s := start(t, l)
	path := "/v2/empresas/" + fixture.Chain + "/fontes/pgfn?limite=2"
	next := s.collection(t, path).URL
	if next == nil {
		t.Fatal("the first page is the only one")
	}
	if _, err := l.Pool.Exec(t.Context(), `DROP TABLE load_000002.record`); err != nil {
		t.Fatal(err)
	}
	got := s.do(t, "GET", *next)
	checkError(t, got, 503, "fonte_indisponivel")
	if got.header.Get("Retry-After") == "" || got.header.Get("Cache-Control") != "no-store" {
		t.Errorf("%v", got.header)
	}
	if page := s.collection(t, path); page.Status != string(registry.Failed) {
		t.Errorf("without a cursor: %+v", page)
	}
}

func (s *service) availability(t testing.TB, path string) string {
	t.Helper()
	var b struct {
		Meta struct{ Disponibilidade string }
	}
	if err := json.Unmarshal(s.do(t, "GET", path).body, &b); err != nil {
		t.Fatal(err)
	}
	return b.Meta.Disponibilidade
}

// TestScope requests establishments: a source that names only companies answers for the company.
func TestScope(t *testing.T) {
	t.Parallel()
	l := fixture.Load(t)
	crowded(t, l, 5)
	s := start(t, l)
	for _, src := range source.All() {
		for path, want := range map[string]string{
			"/v2/empresas/" + fixture.Chain:                                "empresa",
			"/v2/estabelecimentos/" + branch(t, fixture.Chain, crowdFirst): "estabelecimento",
		} {
			total := map[string]int{"empresa": 5, "estabelecimento": 2}
			if src.ID == "habilitacao_aduaneira" {
				want = "empresa"
			}
			if page := s.collection(t, path+"/fontes/"+src.ID); page.Escopo != want || *page.Total != total[want] {
				t.Errorf("%s of %s: scope %s, total %d", src.ID, path, page.Escopo, *page.Total)
			}
		}
	}
}

// TestAdmissionShows checks the response to each outcome of an admission.
func TestAdmissionShows(t *testing.T) {
	t.Parallel()
	known := account.Admission{Limit: 60, Remaining: 0, Reset: time.Unix(1_790_000_040, 0)}
	tests := []struct {
		name      string
		admission account.Admission
		err       error
		status    int
		code      string
		wait      string // a pattern
		limit     string
	}{
		{"over the limit", known, &account.LimitError{Wait: 17200 * time.Millisecond}, 429, "limite_excedido", "18", "60"},
		{"address", account.Admission{}, &web.TooManyError{Wait: time.Nanosecond}, 429, "protecao_ip", "1", ""},
		{"wrapped", account.Admission{}, fmt.Errorf("admit: %w", &account.LimitError{}), 429, "limite_excedido", "1", ""},
		{"bad input is admitted", known, nil, 400, "cnpj_invalido", "", "60"},
		{"nobody can decide", account.Admission{}, context.DeadlineExceeded, 503, "servico_indisponivel", "[3-8]", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			a := New(Config{Admit: func(context.Context, string) (account.Admission, error) { return tt.admission, tt.err }})
			w := httptest.NewRecorder()
			newEngine(a).ServeHTTP(w, httptest.NewRequest("GET", "/v2/empresas/abc/basic", nil))
			checkDocumented(t, "GET", "/v2/empresas/abc/basic", answer{w.Code, w.Header(), w.Body.Bytes()})
			var b web.ErrorBody
			if err := json.Unmarshal(w.Body.Bytes(), &b); err != nil || w.Code != tt.status || b.Error.Code != tt.code {
				t.Errorf("%d %s, %v", w.Code, w.Body, err)
			}
			if got := w.Header().Get("Retry-After"); !regexp.MustCompile("^(" + tt.wait + ")$").MatchString(got) {
				t.Errorf("Retry-After %q", got)
			}
			got := []string{w.Header().Get("X-RateLimit-Limit"), w.Header().Get("X-RateLimit-Remaining"), w.Header().Get("X-RateLimit-Reset")}
			want := []string{"", "", ""}
			if tt.limit != "" {
				want = []string{"60", "0", "1790000040"}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("limits (-want +got):\n%s", diff)
			}
		})
	}
}
