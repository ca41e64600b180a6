package api

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"razao/internal/people/account"
	"razao/internal/people/seal"
	"razao/internal/testing/fixture"
	"razao/internal/testing/pgtest"
	"razao/internal/web"
)

// TestEveryRouteIsAdmittedOnce counts admissions by route: one for each request with a key, bad
// input included, and none where no key is needed.
func TestEveryRouteIsAdmittedOnce(t *testing.T) {
	t.Parallel()
	open := []string{"/v1/openapi.json", "/v2/openapi.json", "/v2/fontes", "/v2/empresas/:documento", "/v2/estabelecimentos/:documento"}
	calls := 0
	engine := newEngine(New(Config{Admit: func(context.Context, string) (account.Admission, error) {
		calls++
		return account.Admission{}, nil
	}}))
	for _, route := range engine.Routes() {
		want := 1
		for _, path := range open {
			if route.Path == path {
				want = 0
			}
		}
		calls = 0
		w := httptest.NewRecorder()
		path := strings.NewReplacer(":documento", "abc", ":cnpj", "abc", ":fonte", "xyz").Replace(route.Path)
		engine.ServeHTTP(w, httptest.NewRequest(route.Method, path+"?%zz", nil))
		if calls != want || w.Code != http.StatusBadRequest {
			t.Errorf("%s %s: admitted %d times, status %d", route.Method, route.Path, calls, w.Code)
		}
	}
}

// TestCallsAreCounted uses the real meter: an admitted call is counted and recorded whatever its
// outcome.
func TestCallsAreCounted(t *testing.T) {
	t.Parallel()
	live, pool := fixture.Shared(t).Live, pgtest.Pool(t)
	keys := account.NewStore(pool, seal.New("secret of the tests"))
	key, made, err := keys.CreateKey(t.Context(), "ana@exemplo.com.br", "contagem")
	if err != nil {
		t.Fatal(err)
	}
	meter := account.OpenMeter(pool, seal.New("secret of the tests"), slog.New(slog.DiscardHandler))
	engine := newEngine(New(Config{
		Live: live, IBGE: testIBGE, Admit: meter.Admit, Record: meter.Record, Failures: web.NewThrottle(3, 3),
	}))
	ask := func(path, authorization string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		r := httptest.NewRequest("GET", path, nil)
		r.Header.Set("Authorization", authorization)
		engine.ServeHTTP(w, r)
		return w
	}
	last := 0
	for i, call := range []struct {
		path   string
		status int
	}{
		{"/v1/cnpj/" + fixture.Bakery, 200},
		{"/v1/cnpj/00000001", 404},
		{"/v2/empresas/" + fixture.Bakery + "/full?limite=0", 400},
		{"/v2/empresas/" + fixture.Bakery + "/fontes/ceis", 200},
	} {
		w := ask(call.path, "Bearer "+key)
		var left int
		if _, err := fmt.Sscan(w.Header().Get("X-RateLimit-Remaining"), &left); err != nil || w.Code != call.status || w.Header().Get("X-RateLimit-Limit") != "60" {
			t.Fatalf("%s: %d, headers %v", call.path, w.Code, w.Header())
		}
		if i > 0 && left != last-1 && left != account.CallsPerMinute-1 { // a minute may end in between
			t.Errorf("%s: %d calls are left after %d", call.path, left, last)
		}
		last = left
	}
	for _, path := range []string{"/v2/fontes", "/v2/openapi.json", "/v2/empresas/" + fixture.Bakery} {
		if w := ask(path, "Bearer "+key); w.Header().Get("X-RateLimit-Limit") != "" {
			t.Errorf("%s counts", path)
		}
	}
	for i, status := range []int{401, 401, 401, 429, 429} {
		w := ask("/v1/cnpj/"+fixture.Bakery, "Bearer rz_wrong")
		if w.Code != status || status == 429 && (w.Header().Get("Retry-After") == "" || !strings.Contains(w.Body.String(), "protecao_ip")) {
			t.Errorf("wrong key, time %d: %d %s", i+1, w.Code, w.Body)
		}
	}
	meter.Close()
	calls, err := keys.Calls(t.Context(), made.Account, 0, 0, 10)
	if err != nil {
		t.Fatal(err)
	}
	type recorded struct {
		Version, Endpoint string
		Status            int
	}
	var got []recorded
	for _, c := range calls {
		if c.Key != made.ID || time.Since(c.At) > time.Hour {
			t.Errorf("call %+v", c)
		}
		got = append(got, recorded{c.Version, c.Endpoint, c.Status})
	}
	want := []recorded{ // newest first
		{"v2", "/v2/empresas/:documento/fontes/:fonte", 200},
		{"v2", "/v2/empresas/:documento/full", 400},
		{"v1", "/v1/cnpj/:cnpj", 404},
		{"v1", "/v1/cnpj/:cnpj", 200},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("history (-want +got):\n%s", diff)
	}
}
