package oauthserver

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"

	"razao/internal/people/seal"
	"razao/internal/testing/pgtest"
	"razao/internal/web"
)

// FuzzForms sends arbitrary forms, queries and metadata to every endpoint: none may fail with a
// 5xx, redirect, or issue a token.
func FuzzForms(f *testing.F) {
	log := slog.New(slog.DiscardHandler)
	s, err := New(Config{Pool: pgtest.Pool(f), Log: log, BaseURL: base, Seal: seal.New("secret of the tests")})
	if err != nil {
		f.Fatal(err)
	}
	engine := web.NewEngine(web.Options{Log: log, BaseURL: base})
	s.Register(engine, page)
	f.Add(uint8(0), "grant_type=authorization_code&code=x&client_id=y&redirect_uri=https://a.exemplo/&code_verifier="+strings.Repeat("v", 43), "")
	f.Add(uint8(0), "grant_type=refresh_token&refresh_token=rzr_x&client_id=y", "Basic eDp5")
	f.Add(uint8(1), "token=x&token_type_hint=refresh_token&token=y", "")
	f.Add(uint8(2), `{"client_name":"x","redirect_uris":["https://a.exemplo/#","myapp:/x"],"grant_types":["implicit"]}`, "")
	f.Add(uint8(3), "response_type=code&client_id=x&redirect_uri=https%3A%2F%2Fa.exemplo&state=%00&code_challenge_method=plain", "")
	f.Fuzz(func(t *testing.T, endpoint uint8, body, authorization string) {
		path := []string{"/oauth/token", "/oauth/revoke", "/oauth/register", "/oauth/authorize"}[endpoint%4]
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, base+path, strings.NewReader(body))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		switch path {
		case "/oauth/register":
			r.Header.Set("Content-Type", "application/json")
		case "/oauth/authorize":
			r.Method, r.Body, r.ContentLength = http.MethodGet, http.NoBody, 0
			r.URL = &url.URL{Path: path, RawQuery: body}
		}
		r.Header.Set("Authorization", authorization)
		w := httptest.NewRecorder()
		engine.ServeHTTP(w, r)
		var answer map[string]any
		isJSON := json.Unmarshal(w.Body.Bytes(), &answer) == nil
		switch {
		case w.Code >= http.StatusInternalServerError:
			t.Errorf("%s %q: %d %s", path, body, w.Code, w.Body)
		case w.Header().Get("Location") != "":
			t.Errorf("%s %q leads to %s", path, body, w.Header().Get("Location"))
		case isJSON && answer["access_token"] != nil:
			t.Errorf("%s %q: a token", path, body)
		}
	})
}

// FuzzRegistration checks that metadata that are not refused have allowed redirect URIs only.
func FuzzRegistration(f *testing.F) {
	f.Add(`{"client_name":"x","redirect_uris":["https://a.exemplo/"],"grant_types":["authorization_code"]}`)
	f.Add(`{"redirect_uris":["javascript:alert(1)","http://localhost:1/x"]}`)
	f.Fuzz(func(t *testing.T, body string) {
		c, _ := gin.CreateTestContext(httptest.NewRecorder())
		c.Request = httptest.NewRequest(http.MethodPost, "/oauth/register", strings.NewReader(body))
		c.Request.Header.Set("Content-Type", "application/json")
		asked, err := readRegistration(c)
		if err == nil && (len(asked.Redirects) == 0 || checkRedirects(asked.Redirects) != nil) {
			t.Errorf("%q: %+v", body, asked)
		}
	})
}
