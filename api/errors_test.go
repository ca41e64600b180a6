package api

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"

	"razao/internal/people/account"
	"razao/internal/store/registry"
	"razao/internal/store/registry/pack"
	"razao/internal/testing/fixture"
	"razao/internal/web"
)

func TestErrors(t *testing.T) {
	t.Parallel()
	s := read(t, fixture.Shared(t))
	revoked, key, err := s.keys.CreateKey(t.Context(), "ana@exemplo.com.br", "revogada")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.keys.RevokeKey(t.Context(), key.ID); err != nil {
		t.Fatal(err)
	}
	good := "Bearer " + s.key
	full := branch(t, fixture.Bakery, "0001")
	tests := []struct {
		name, method, path, authorization string
		status                            int
		code                              string
	}{
		{"no key", "GET", "/v1/cnpj/" + fixture.Bakery, "", 401, "chave_ausente"},
		{"other scheme", "GET", "/v1/cnpj/" + fixture.Bakery, "Basic " + s.key, 401, "chave_ausente"},
		{"scheme alone", "GET", "/v1/cnpj/" + fixture.Bakery, "Bearer ", 401, "chave_ausente"},
		{"key without scheme", "GET", "/v1/cnpj/" + fixture.Bakery, s.key, 401, "chave_ausente"},
		{"malformed key", "GET", "/v1/cnpj/" + fixture.Bakery, "Bearer abc", 401, "chave_invalida"},
		{"key with a typo", "GET", "/v1/cnpj/" + fixture.Bakery, good[:len(good)-1] + "-", 401, "chave_invalida"},
		{"key and more", "GET", "/v1/cnpj/" + fixture.Bakery, good + " x", 401, "chave_invalida"},
		{"revoked key", "GET", "/v1/cnpj/" + fixture.Bakery, "Bearer " + revoked, 401, "chave_invalida"},
		{"the key is checked before the input", "GET", "/v1/cnpj/abc?x=1", "", 401, "chave_ausente"},

		{"masked", "GET", "/v1/cnpj/12.345.678", good, 400, "cnpj_invalido"},
		{"masked, with the slash encoded", "GET", "/v1/cnpj/12.345.678%2F0001-95", good, 400, "cnpj_invalido"},
		{"masked, with its slash", "GET", "/v1/cnpj/12.345.678/0001-95", good, 400, "cnpj_invalido"},
		{"masked, with its slash, of a mode", "GET", "/v2/estabelecimentos/12.345.678/0001-95/full", good, 400, "cnpj_invalido"},
		{"with its slash, without points", "GET", "/v1/cnpj/12345678/0001-95", good, 400, "cnpj_invalido"},
		{"short", "GET", "/v1/cnpj/1234567", good, 400, "cnpj_invalido"},
		{"between", "GET", "/v1/cnpj/123456780001", good, 400, "cnpj_invalido"},
		{"long", "GET", "/v1/cnpj/" + full + "0", good, 400, "cnpj_invalido"},
		{"wrong check digits", "GET", "/v1/cnpj/" + full[:13] + "0", good, 400, "cnpj_invalido"},
		{"letters as check digits", "GET", "/v1/cnpj/" + full[:12] + "AB", good, 400, "cnpj_invalido"},
		{"fourteen zeros", "GET", "/v1/cnpj/00000000000000", good, 400, "cnpj_invalido"},
		{"blanks", "GET", "/v1/cnpj/%20" + fixture.Bakery[1:], good, 400, "cnpj_invalido"},
		{"digits of another script", "GET", "/v1/cnpj/" + url.PathEscape("１２３４５６７８"), good, 400, "cnpj_invalido"},
		{"encoded twice", "GET", "/v1/cnpj/%2531" + fixture.Bakery[1:], good, 400, "cnpj_invalido"},
		{"a NUL", "GET", "/v1/cnpj/1234567%00", good, 400, "cnpj_invalido"},
		{"unknown parameter", "GET", "/v1/cnpj/" + fixture.Bakery + "?limite=20", good, 400, "parametro_invalido"},
		{"query that cannot be read", "GET", "/v1/cnpj/" + fixture.Bakery + "?%zz", good, 400, "parametro_invalido"},

		{"root not in the load", "GET", "/v1/cnpj/00000001", good, 404, "cnpj_nao_encontrado"},
		{"establishment not in the load", "GET", "/v1/cnpj/" + branch(t, fixture.Bakery, "9999"), good, 404, "cnpj_nao_encontrado"},
		{"establishment of a root not in the load", "GET", "/v1/cnpj/" + branch(t, "00000001", "0001"), good, 404, "cnpj_nao_encontrado"},
		{"head asks too", "HEAD", "/v1/cnpj/00000001", good, 404, ""},

		{"no such version", "GET", "/v3/cnpj/" + fixture.Bakery, good, 404, "rota_nao_encontrada"},
		{"no such resource", "GET", "/v1/empresas/" + fixture.Bakery, "", 404, "rota_nao_encontrada"},
		{"slash at the end", "GET", "/v1/cnpj/" + fixture.Bakery + "/", good, 404, "rota_nao_encontrada"},
		{"a path that a slash of a number does not explain", "GET", "/v2/empresas/12345678/socios/95", good, 404, "rota_nao_encontrada"},
		{"no document", "GET", "/v1/cnpj", good, 404, "rota_nao_encontrada"},
		{"upper case", "GET", "/V1/cnpj/" + fixture.Bakery, good, 404, "rota_nao_encontrada"},
		{"method", "POST", "/v1/cnpj/" + fixture.Bakery, good, 405, "metodo_nao_permitido"},
		{"no preflight", "OPTIONS", "/v1/cnpj/" + fixture.Bakery, good, 405, "metodo_nao_permitido"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := s.do(t, tt.method, tt.path, "Authorization", tt.authorization, "Origin", "https://exemplo.com.br", "If-None-Match", "*")
			checkError(t, got, tt.status, tt.code)
			if allow := got.header.Get("Allow"); tt.status == 405 && allow != "GET, HEAD" {
				t.Errorf("Allow %q", allow)
			}
		})
	}
}

// aMoment matches the Retry-After of a 503 (web.RetryAfter).
var aMoment = regexp.MustCompile(`^[3-8]$`)

// checkError checks what all errors have in common: status, code, headers and body.
func checkError(t *testing.T, got answer, status int, code string) {
	t.Helper()
	if got.status != status || got.header.Get("Cache-Control") != "no-store" || got.header.Get("X-Request-ID") != requestID {
		t.Errorf("status %d, want %d; headers %v", got.status, status, got.header)
	}
	if challenge := got.header.Get("WWW-Authenticate"); (challenge == "Bearer") != (status == 401) {
		t.Errorf("WWW-Authenticate %q", challenge)
	}
	if wait := got.header.Get("Retry-After"); aMoment.MatchString(wait) != (status == 503) {
		t.Errorf("Retry-After %q", wait)
	}
	rates := 0
	for name := range got.header {
		if strings.HasPrefix(name, "Access-Control-") {
			t.Errorf("header %s", name)
		}
		if strings.HasPrefix(name, "X-Ratelimit-") {
			rates++
		}
	}
	unrecognised := status == 401 || status == 405 || code == "rota_nao_encontrada"
	if rates != 0 && rates != 3 || rates > 0 && unrecognised {
		t.Errorf("%d headers about the limit", rates)
	}
	if code == "" {
		return // an answer to HEAD
	}
	var b web.ErrorBody
	if err := json.Unmarshal(got.body, &b); err != nil {
		t.Fatalf("%v: %s", err, got.body)
	}
	if b.Error.Code != code || b.RequestID != requestID || !strings.HasSuffix(b.Error.Message, ".") {
		t.Errorf("body %s, want code %s", got.body, code)
	}
	if again := string(marshal(t, b)); again != string(got.body) {
		t.Errorf("body %s has more than its three fields", got.body)
	}
}

func TestUnknownParameterIsNamed(t *testing.T) {
	t.Parallel()
	tests := []struct {
		query string
		known []string
		want  string // "": accepted
	}{
		{"", nil, ""},
		{"&&", nil, ""},
		{"limite=20&cursor=x", []string{"limite", "cursor"}, ""},
		{"limite=20", nil, "Parâmetro desconhecido: limite."},
		{"z=1&limite=20&b=2", []string{"limite"}, "Parâmetro desconhecido: b."},
		{"p%C3%A1gina=1", nil, "Parâmetro desconhecido: página."},
		{strings.Repeat("ã", 100) + "=1", nil, "Parâmetro desconhecido: " + strings.Repeat("ã", 60) + "."},
		{"=1", nil, "Não foi possível ler os parâmetros da consulta."},
		{"a=%zz", []string{"a"}, "Não foi possível ler os parâmetros da consulta."},
		{"a=1;b=2", []string{"a", "b"}, "Não foi possível ler os parâmetros da consulta."},
	}
	for _, tt := range tests {
		_, err := parameters(&url.URL{RawQuery: tt.query}, tt.known...)
		got := ""
		if err != nil {
			got = failureOf(err).message
		}
		if got != tt.want {
			t.Errorf("?%s: %q, want %q", tt.query, got, tt.want)
		}
		if err != nil && strings.Contains(err.Error(), "limite") {
			t.Errorf("?%s: the log would say %q", tt.query, err)
		}
	}
}

func TestTroubleIsNeverNotFound(t *testing.T) {
	t.Parallel()
	t.Run("no snapshot", func(t *testing.T) {
		t.Parallel()
		s := start(t, fixture.Empty(t))
		checkError(t, s.do(t, "GET", "/v1/cnpj/"+fixture.Bakery), 503, "servico_indisponivel")
		checkError(t, s.do(t, "GET", "/v1/cnpj/abc"), 400, "cnpj_invalido")
	})
	t.Run("a stored row that does not decode, midway", func(t *testing.T) {
		t.Parallel()
		l := fixture.Load(t)
		s := start(t, l)
		const spoil = `UPDATE load_000001.record SET doc = '\x01ff' WHERE seq = 2`
		if _, err := l.Pool.Exec(t.Context(), spoil); err != nil {
			t.Fatal(err)
		}
		checkError(t, s.do(t, "GET", "/v1/cnpj/"+fixture.Chain), 503, "servico_indisponivel")
		if got := s.do(t, "GET", "/v1/cnpj/"+fixture.Bakery); got.status != 200 {
			t.Errorf("another company: %d %s", got.status, got.body)
		}
	})
	t.Run("no database", func(t *testing.T) {
		t.Parallel()
		l := fixture.Load(t)
		s := start(t, l)
		l.Pool.Close()
		checkError(t, s.do(t, "GET", "/v1/cnpj/"+fixture.Bakery), 503, "servico_indisponivel")
		checkError(t, s.do(t, "GET", "/v1/cnpj/"+fixture.Bakery, "Authorization", "Bearer abc"), 401, "chave_invalida")
	})
}

// TestHandlerFailures runs handlers that fail after they have appended part of a body.
func TestHandlerFailures(t *testing.T) {
	t.Parallel()
	a := New(Config{Admit: admitAll})
	engine := newEngine(a)
	routes := engine.Group("", web.Recover(a.fail))
	for path, end := range map[string]func() error{
		"/good":  func() error { return nil },
		"/error": func() error { return pack.ErrCorrupt },
		"/panic": func() error { panic("broken") },
	} {
		routes.GET(path, a.open(func(_ *gin.Context, b *body) error {
			b.bytes = append(b.bytes, `{"dados":{}}`...)
			return end()
		}))
	}
	ask := func(path string) answer {
		w := httptest.NewRecorder()
		r := httptest.NewRequest("GET", path, nil)
		r.Header.Set("X-Request-ID", requestID)
		engine.ServeHTTP(w, r)
		return answer{w.Code, w.Header(), w.Body.Bytes()}
	}
	checkError(t, ask("/error"), 503, "servico_indisponivel")
	checkError(t, ask("/panic"), 503, "servico_indisponivel")
	if got := ask("/good"); got.status != 200 || string(got.body) != `{"dados":{}}` {
		t.Errorf("after them: %d %s", got.status, got.body)
	}
}

func TestOwns(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]bool{
		"/v1": true, "/v1/": true, "/v1/cnpj/x": true, "/v2/empresas": true, "/v10/x": false, "/": false, "": false, "/api/v1": false, "/V1/x": false,
	} {
		if got := Owns(path); got != want {
			t.Errorf("Owns(%q) = %v", path, got)
		}
	}
}

func TestFailureOfKeepsRefusalsApart(t *testing.T) {
	t.Parallel()
	refusals := []error{account.ErrMissingKey, account.ErrInvalidKey, &registry.AbsentError{}, errNoRoute, errMethod}
	for _, err := range refusals {
		if f := failureOf(err); f.status == http.StatusServiceUnavailable {
			t.Errorf("%v is answered with %d", err, f.status)
		}
	}
	for _, err := range []error{errors.New("unforeseen"), registry.ErrNoSnapshot, registry.ErrNoLoad, registry.ErrGone, pack.ErrCorrupt, account.ErrNotFound} {
		if f := failureOf(err); f.status != http.StatusServiceUnavailable {
			t.Errorf("%v is answered with %d", err, f.status)
		}
	}
}

func admitAll(context.Context, string) (account.Admission, error) { return account.Admission{}, nil }
