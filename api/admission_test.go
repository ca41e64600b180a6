package api

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestEveryRouteIsAdmittedOnce counts how often a request of each route asks for admission: once, or never where no key is
// needed. What comes after, such as bad input, has no say in that.
func TestEveryRouteIsAdmittedOnce(t *testing.T) {
	t.Parallel()
	open := []string{"/v1/openapi.json", "/v2/openapi.json", "/v2/fontes", "/v2/empresas/:documento", "/v2/estabelecimentos/:documento"}
	calls := 0
	engine := newEngine(New(Config{Admit: func(context.Context, string) (Admission, error) {
		calls++
		return Admission{}, nil
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
