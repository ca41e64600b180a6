package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
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
	"razao/internal/store/snapshot"
	"razao/internal/testing/fixture"
	"razao/internal/web"
)

// refusedCall is a call and the error that answers it. key is what the Authorization header has.
type refusedCall struct {
	name, method, path, key string
	status                  int
	code                    string
}

func TestErrors(t *testing.T) {
	t.Parallel()
	s := read(t, fixture.Shared(t))
	good := "Bearer " + s.key
	full := branch(t, fixture.Bakery, "0001")
	const v1, company, establishment = "/v1/cnpj/", "/v2/empresas/", "/v2/estabelecimentos/"
	tests := []refusedCall{
		{"no key", "GET", v1 + fixture.Bakery, "", 401, "chave_ausente"},
		{"other scheme", "GET", v1 + fixture.Bakery, "Basic " + s.key, 401, "chave_ausente"},
		{"scheme alone", "GET", v1 + fixture.Bakery, "Bearer ", 401, "chave_ausente"},
		{"key without scheme", "GET", v1 + fixture.Bakery, s.key, 401, "chave_ausente"},
		{"malformed key", "GET", v1 + fixture.Bakery, "Bearer abc", 401, "chave_invalida"},
		{"key with a typo", "GET", v1 + fixture.Bakery, good[:len(good)-1] + "-", 401, "chave_invalida"},
		{"key and more", "GET", v1 + fixture.Bakery, good + " x", 401, "chave_invalida"},
		{"long key", "GET", v1 + fixture.Bakery, "Bearer " + strings.Repeat("a", 8<<10), 401, "chave_invalida"},
		{"revoked key", "GET", v1 + fixture.Bakery, "Bearer " + s.revokedKey(t), 401, "chave_invalida"},
		{"the key is checked before the input", "GET", v1 + "abc?x=1", "", 401, "chave_ausente"},
		{"v2 without a key", "GET", company + fixture.Bakery + "/basic", "", 401, "chave_ausente"},
		{"v2 with a malformed key", "GET", company + fixture.Bakery + "/full", "Bearer abc", 401, "chave_invalida"},
		{"the key is checked before the input of v2", "GET", company + "abc/fontes/xyz?limite=0", "", 401, "chave_ausente"},

		{"masked, with its slash", "GET", v1 + "12.345.678/0001-95", good, 400, "cnpj_invalido"},
		{"masked, with its slash, of a mode", "GET", establishment + "12.345.678/0001-95/full", good, 400, "cnpj_invalido"},
		{"with its slash, without points", "GET", v1 + "12345678/0001-95", good, 400, "cnpj_invalido"},
		{"with its slash, without a hyphen", "GET", v1 + "12345678/000195", good, 400, "cnpj_invalido"},
		{"with its slash and another dash", "GET", v1 + "12.345.678/0001%E2%80%9395", good, 400, "cnpj_invalido"},
		{"with its slash and blanks", "GET", v1 + "12.345.678%20/%200001-95", good, 400, "cnpj_invalido"},
		{"with its slash and letters", "GET", v1 + "12.abc.345/01de-35", good, 400, "cnpj_invalido"},
		{"with its slash, and one at the end", "GET", v1 + "12.345.678/0001-95/", good, 400, "cnpj_invalido"},
		{"with its slash, wrong digits", "GET", v1 + "12.345.678/0001-96", good, 400, "cnpj_invalido"},
		{"with its slash, too short", "GET", v1 + "12.345.678/1-95", good, 400, "cnpj_invalido"},
		{"with its slash, as a resource", "GET", company + "12.345.678/0001-95", good, 400, "cnpj_invalido"},
		{"with its slash, of a source", "GET", company + "12.345.678/0001-95/fontes/ceis", good, 400, "cnpj_invalido"},
		{"with its slash, of partners", "GET", company + "12.345.678/0001-95/socios?limite=2", good, 400, "cnpj_invalido"},
		{"with its slash, without a key", "GET", v1 + "12.345.678/0001-95", "", 400, "cnpj_invalido"},
		{"with its slash escaped", "GET", v1 + "12.345.678%2F0001-95", good, 400, "cnpj_invalido"},
		{"with its slash escaped, as a resource", "GET", company + "12.345.678%2f0001-95/socios", good, 400, "cnpj_invalido"},
		{"long path", "GET", v1 + strings.Repeat("1", 64<<10), good, 400, "cnpj_invalido"},
		{"the document is checked before the source", "GET", company + "abc/fontes/xyz", good, 400, "cnpj_invalido"},

		{"unknown parameter", "GET", v1 + fixture.Bakery + "?limite=20", good, 400, "parametro_invalido"},
		{"query that cannot be read", "GET", v1 + fixture.Bakery + "?%zz", good, 400, "parametro_invalido"},
		{"catalogue with a parameter", "GET", "/v2/fontes?limite=1", "", 400, "parametro_invalido"},
		{"load of the columns that is no number", "GET", "/v2/fontes/ceis/qualidade?carga=x", "", 400, "parametro_invalido"},
		{"load of the columns, twice", "GET", "/v2/fontes/ceis/qualidade?carga=1&carga=2", "", 400, "parametro_invalido"},
		{"resource with a query that cannot be read", "GET", company + fixture.Bakery + "?%zz", "", 400, "parametro_invalido"},
		{"long query", "GET", company + fixture.Bakery + "/basic?cursor=" + strings.Repeat("a", 8<<10), good, 400, "parametro_invalido"},
		{"long cursor", "GET", company + fixture.Bakery + "/socios?cursor=" + strings.Repeat("a", 8<<10), good, 400, "cursor_invalido"},

		{"root not in the load", "GET", v1 + "00000001", good, 404, "cnpj_nao_encontrado"},
		{"establishment not in the load", "GET", v1 + branch(t, fixture.Bakery, "9999"), good, 404, "cnpj_nao_encontrado"},
		{"establishment of a root not in the load", "GET", v1 + branch(t, "00000001", "0001"), good, 404, "cnpj_nao_encontrado"},
		{"partners and Simples alone", "GET", v1 + "99999991", good, 404, "cnpj_nao_encontrado"},
		{"HEAD of a root not in the load", "HEAD", v1 + "00000001", good, 404, ""},

		{"no such source", "GET", company + fixture.Bakery + "/fontes/rntrcm", good, 404, "fonte_nao_encontrada"},
		{"source in upper case", "GET", company + fixture.Bakery + "/fontes/CEIS", good, 404, "fonte_nao_encontrada"},
		{"source with a NUL", "GET", company + fixture.Bakery + "/fontes/ceis%00", good, 404, "fonte_nao_encontrada"},
		{"the company registry is no source", "GET", company + fixture.Bakery + "/fontes/receita", good, 404, "fonte_nao_encontrada"},
		{"the source is checked before the company", "GET", company + "00000001/fontes/xyz", good, 404, "fonte_nao_encontrada"},

		{"columns of no such source", "GET", "/v2/fontes/xyz/qualidade", "", 404, "fonte_nao_encontrada"},
		{"columns of no such load", "GET", "/v2/fontes/ceis/qualidade?carga=999999", "", 404, "carga_nao_encontrada"},

		{"no such version", "GET", "/v3/cnpj/" + fixture.Bakery, good, 404, "rota_nao_encontrada"},
		{"no such resource", "GET", "/v1/empresas/" + fixture.Bakery, "", 404, "rota_nao_encontrada"},
		{"slash at the end", "GET", v1 + fixture.Bakery + "/", good, 404, "rota_nao_encontrada"},
		{"a path that a slash of a number does not explain", "GET", company + "12345678/socios/95", good, 404, "rota_nao_encontrada"},
		{"no document", "GET", "/v1/cnpj", good, 404, "rota_nao_encontrada"},
		{"upper case", "GET", "/V1/cnpj/" + fixture.Bakery, good, 404, "rota_nao_encontrada"},
		{"no such mode", "GET", company + fixture.Bakery + "/completo", "", 404, "rota_nao_encontrada"},
		{"no source named", "GET", company + fixture.Bakery + "/fontes", good, 404, "rota_nao_encontrada"},
		{"partners of an establishment", "GET", establishment + full + "/socios", good, 404, "rota_nao_encontrada"},
		{"slash behind a mode", "GET", company + fixture.Bakery + "/basic/", good, 404, "rota_nao_encontrada"},
		{"resource without document", "GET", "/v2/empresas", good, 404, "rota_nao_encontrada"},

		{"method", "POST", v1 + fixture.Bakery, good, 405, "metodo_nao_permitido"},
		{"no preflight", "OPTIONS", v1 + fixture.Bakery, good, 405, "metodo_nao_permitido"},
		{"method of v2", "POST", company + fixture.Bakery + "/full", good, 405, "metodo_nao_permitido"},
		{"no preflight of v2", "OPTIONS", company + fixture.Bakery + "/basic", good, 405, "metodo_nao_permitido"},
		{"method on the catalogue", "DELETE", "/v2/fontes", "", 405, "metodo_nao_permitido"},
		{"method on a resource", "PUT", company + fixture.Bakery, "", 405, "metodo_nao_permitido"},
	}
	roots := []string{
		"12.345.678", "1234567", "123456789", full[:12], "%20" + fixture.Bakery[1:], "%2531" + fixture.Bakery[1:], "1234567%00",
		"1234567%2F", url.PathEscape("１２３４５６７８"), url.PathEscape("1234567ã"), "1234567%ff",
	}
	numbers := []string{full[:13], full + "0", full[:13] + "0", full[:12] + "AB", "12.345.678%2F0001-95", "00000000000000", "%20" + full[1:]}
	malformed := func(before, mode string, documents ...string) {
		for _, d := range documents {
			tests = append(tests, refusedCall{"document " + d + mode, "GET", before + d + mode, good, 400, "cnpj_invalido"})
		}
	}
	absent := func(before, mode string, documents ...string) {
		for _, d := range documents {
			tests = append(tests,
				refusedCall{"absent " + d + mode, "GET", before + d + mode, good, 404, "cnpj_nao_encontrado"},
				refusedCall{"HEAD of absent " + d + mode, "HEAD", before + d + mode, good, 404, ""})
		}
	}
	malformed(v1, "", append(roots, numbers...)...)
	for _, mode := range []string{"/basic", "/full", "/fontes/pgfn", "/socios", "/estabelecimentos"} {
		malformed(company, mode, append(roots, full)...)
		absent(company, mode, "00000001", "99999991") // of the latter there are only partners and Simples
		for _, bad := range []string{"0", "101", "-1", "abc", "", "1.0", "1e1", "%2B1", "01", "%201", "1%00", "99999999999999999999", "٢٠", "20&limite=20", "%zz"} {
			tests = append(tests, refusedCall{"limite " + bad + mode, "GET", company + fixture.Bakery + mode + "?limite=" + bad, good, 400, "parametro_invalido"})
		}
		tests = append(tests, refusedCall{"unknown parameter" + mode, "GET", company + fixture.Bakery + mode + "?pagina=2", good, 400, "parametro_invalido"})
	}
	for _, mode := range []string{"/basic", "/full", "/fontes/pgfn"} {
		malformed(establishment, mode, append(numbers, fixture.Bakery)...)
		absent(establishment, mode, branch(t, fixture.Bakery, "9999"), branch(t, "00000001", "0001"), branch(t, fixture.Homeless, "0001"))
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := s.do(t, tt.method, tt.path, "Authorization", tt.key, "Origin", "https://exemplo.com.br", "If-None-Match", "*")
			checkError(t, got, tt.status, tt.code)
			if allow := got.header.Get("Allow"); tt.status == 405 && allow != "GET, HEAD" {
				t.Errorf("Allow %q", allow)
			}
		})
	}
	got := s.do(t, "GET", company+fixture.Bakery+"/full?limit=5")
	if !strings.Contains(string(got.body), "Parâmetro desconhecido: limit.") {
		t.Errorf("the parameter is not named: %s", got.body)
	}
}

// TestErrorsNameTheirParameter has an error of every kind that is about a parameter of path, query or body, and some that are about none.
func TestErrorsNameTheirParameter(t *testing.T) {
	t.Parallel()
	s := read(t, fixture.Shared(t))
	const company = "/v2/empresas/" + fixture.Bakery
	full := branch(t, fixture.Bakery, "0001")
	for path, want := range map[string]struct{ code, parameter, says string }{
		company + "/basic?pagina=2":                           {"parametro_invalido", "pagina", "desconhecido"},
		company + "/basic?" + strings.Repeat("a", 80) + "=2":  {"parametro_invalido", strings.Repeat("a", 60), "desconhecido"},
		company + "/socios?limite=0":                          {"parametro_invalido", "limite", "1 a 100"},
		company + "/socios?limite=1&limite=1":                 {"parametro_invalido", "limite", "repetido"},
		company + "/socios?cursor=x":                          {"cursor_invalido", "cursor", "este limite"},
		company + "/basic?%zz":                                {"parametro_invalido", "", "ler"},
		company + "?%zz":                                      {"parametro_invalido", "", "ler"},
		company + "/fontes/xyz":                               {"fonte_nao_encontrada", "fonte", ""},
		company + "/rede?sentido=x":                           {"parametro_invalido", "sentido", "acima"},
		company + "/rede?formato=x":                           {"parametro_invalido", "formato", ""},
		company + "/rede?pessoas=x":                           {"parametro_invalido", "pessoas", ""},
		company + "/rede?profundidade=9":                      {"parametro_invalido", "profundidade", ""},
		"/v2/empresas/1234567/basic":                          {"cnpj_invalido", "documento", "número de posições"},
		"/v2/empresas/" + full + "/basic":                     {"cnpj_invalido", "documento", "número de posições"},
		"/v2/estabelecimentos/" + full[:13] + "é/full":        {"cnpj_invalido", "documento", "caracteres"},
		"/v2/estabelecimentos/" + full[:12] + "00/full":       {"cnpj_invalido", "documento", "dígitos verificadores"},
		"/v2/estabelecimentos/" + fixture.Bakery + "/full":    {"cnpj_invalido", "documento", "número de posições"},
		"/v2/estabelecimentos/12.345.678/0001-95/full":        {"cnpj_invalido", "documento", "caracteres"},
		"/v2/grupos/12.345.678":                               {"cnpj_invalido", "documento", "caracteres"},
		"/v2/empresas/00000001/fontes/ceis":                   {"cnpj_nao_encontrado", "documento", ""},
		"/v2/empresas/00000001/rede":                          {"cnpj_nao_encontrado", "documento", ""},
		"/v2/socios/456789-ninguem-assim/empresas":            {"socio_nao_encontrado", "id", ""},
		"/v2/socios/x/empresas":                               {"parametro_invalido", "id", ""},
		"/v2/caminho?de=x&para=" + fixture.Bakery:             {"parametro_invalido", "de", ""},
		"/v2/caminho?de=" + fixture.Bakery + "&para=00000001": {"cnpj_nao_encontrado", "para", ""},
		"/v2/caminho?para=" + fixture.Bakery + "&de=00000001": {"cnpj_nao_encontrado", "de", ""},
		"/v2/busca?q=" + full[:12] + "00":                     {"cnpj_invalido", "q", "dígitos verificadores"},
		"/v2/busca":                                           {"parametro_invalido", "q", ""},
		"/v2/busca?uf=XX":                                     {"parametro_invalido", "uf", ""},
		"/v2/busca?q=x&ordem=x":                               {"parametro_invalido", "ordem", ""},
		"/v2/busca?q=x&cursor=x":                              {"cursor_invalido", "cursor", "este limite"},
		"/v2/mudancas?cursor=x":                               {"cursor_invalido", "cursor", "limite pode mudar"},
		"/v2/mudancas?desde=x":                                {"parametro_invalido", "desde", ""},
		"/v2/mudancas?uf=XX":                                  {"parametro_invalido", "uf", ""},
		"/v2/fontes/ceis/qualidade?carga=999999":              {"carga_nao_encontrada", "carga", ""},
		"/v2/reconciliar/previa?id=1":                         {"cnpj_invalido", "id", "número de posições"},
		"/v2/reconciliar/previa?id=00000001":                  {"cnpj_nao_encontrado", "id", ""},
		"/v2/reconciliar?queries=x":                           {"lote_invalido", "queries", ""},
		"/v2/reconciliar?extend=x":                            {"lote_invalido", "extend", ""},
		"/v2/reconciliar?queries=x&extend=x":                  {"lote_invalido", "", ""},
		"/v2/nada":                                            {"rota_nao_encontrada", "", ""},
		"/v1/cnpj/1234567":                                    {"cnpj_invalido", "", "número de posições"}, // the contract of v1 has no further member
		"/v1/cnpj/" + fixture.Bakery + "?x=1":                 {"parametro_invalido", "", ""},
	} {
		got := s.do(t, "GET", path, "Accept", "application/json") // the preview has pages for others
		checkError(t, got, got.status, want.code)
		checkParameter(t, path, got, want.parameter)
		if !strings.Contains(string(got.body), want.says) {
			t.Errorf("%s does not say %q: %s", path, want.says, got.body)
		}
	}
	for body, parameter := range map[string]string{`{"cnpjs":[]}`: "cnpjs", `{"cnpjs":["1"],"campos":["x"]}`: "campos", `{`: ""} {
		got := s.send(t, "POST", batchPath, strings.NewReader(body), "Content-Type", "application/json")
		checkError(t, got, 400, "lote_invalido")
		checkParameter(t, body, got, parameter)
	}
}

func checkParameter(t *testing.T, what string, got answer, want string) {
	t.Helper()
	var b web.ErrorBody
	if err := json.Unmarshal(got.body, &b); err != nil || b.Error.Parameter != want || strings.Contains(string(got.body), `"parametro"`) != (want != "") {
		t.Errorf("%s: %v, want the parameter %q: %s", what, err, want, got.body)
	}
}

// TestProblemDetails asks for errors in the form of RFC 9457.
func TestProblemDetails(t *testing.T) {
	t.Parallel()
	s := read(t, fixture.Shared(t))
	const path = "/v2/empresas/" + fixture.Bakery + "/socios?limite=0"
	want := `{"type":"https://razao.exemplo/api#parametro_invalido","title":"Bad Request","status":400,` +
		`"detail":"Parâmetro inválido: limite. Envie um número inteiro de 1 a 100.","instance":"urn:uuid:` + requestID + `",` +
		`"codigo":"parametro_invalido","parametro":"limite","requisicao_id":"` + requestID + `"}`
	for accept, problem := range map[string]bool{
		"application/problem+json": true, "application/json, application/problem+json": true, "APPLICATION/Problem+JSON; q=0.5, */*": true,
		"application/json, application/problem+json;q=0.9": false, "application/problem+json;q=0": false, "*/*": false, "": false, "application/json": false,
	} {
		got := s.do(t, "GET", path, "Accept", accept)
		if vary := got.header.Get("Vary"); got.status != 400 || vary != "Accept, Accept-Encoding" {
			t.Errorf("Accept %q: %d, Vary %q", accept, got.status, vary)
		}
		if problem != (got.header.Get("Content-Type") == "application/problem+json") || problem != (string(got.body) == want) {
			t.Errorf("Accept %q: %s %s", accept, got.header.Get("Content-Type"), got.body)
		}
		if !problem {
			checkError(t, got, 400, "parametro_invalido")
		}
	}
	if got := s.do(t, "GET", "/v2/empresas/"+fixture.Bakery+"/basic", "Accept", "application/problem+json"); got.status != 200 || got.header.Get("Content-Type") != contentType {
		t.Errorf("no error: %d %s", got.status, got.header.Get("Content-Type"))
	}
	for path, want := range map[string]string{"/v1/cnpj/abc": "400 cnpj_invalido cnpj", "/v2/nada": "404 rota_nao_encontrada ", "/v2/empresas/00000001/basic": "404 cnpj_nao_encontrado documento"} {
		var p struct {
			Status                          int
			Type, Detail, Codigo, Parametro string
			RequisicaoID                    string `json:"requisicao_id"`
		}
		got := s.do(t, "GET", path, "Accept", "application/problem+json")
		err := json.Unmarshal(got.body, &p)
		if said := fmt.Sprint(p.Status, " ", p.Codigo, " ", p.Parametro); err != nil || said != want || !strings.HasSuffix(p.Type, "#"+p.Codigo) || p.Detail == "" || p.RequisicaoID != requestID {
			t.Errorf("%s: %v, want %s: %s", path, err, want, got.body)
		}
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
		if strings.HasPrefix(name, "X-Ratelimit-") || strings.HasPrefix(name, "Ratelimit") {
			rates++
		}
	}
	unrecognised := status == 401 || status == 405 || code == "rota_nao_encontrada"
	if rates != 0 && rates != len(rateHeaders()) || rates > 0 && unrecognised {
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

// TestTroubleIsNeverNotFound has look-ups that fail: none is answered with an absence.
func TestTroubleIsNeverNotFound(t *testing.T) {
	t.Parallel()
	const bakery, chain = fixture.Bakery, "/v2/empresas/" + fixture.Chain
	unavailable := func(t *testing.T, s *service, paths ...string) {
		t.Helper()
		for _, path := range paths {
			checkError(t, s.do(t, "GET", path), 503, "servico_indisponivel")
		}
	}
	t.Run("no snapshot", func(t *testing.T) {
		t.Parallel()
		s := start(t, fixture.Empty(t))
		unavailable(t, s, "/v1/cnpj/"+bakery, "/v2/empresas/"+bakery+"/basic", "/v2/fontes")
		checkError(t, s.do(t, "GET", "/v1/cnpj/abc"), 400, "cnpj_invalido")
		checkError(t, s.do(t, "GET", "/v2/empresas/abc/basic"), 400, "cnpj_invalido")
	})
	t.Run("a snapshot whose records were dropped", func(t *testing.T) {
		t.Parallel()
		l := fixture.Load(t)
		alter(t, l, `UPDATE load SET state = 'dropped'`)
		live := snapshot.Open(t.Context(), l.Store, t.TempDir(), fixture.Atlas(t), slog.New(slog.DiscardHandler))
		t.Cleanup(live.Close)
		l.Live = live
		unavailable(t, start(t, l), "/v1/cnpj/"+bakery, "/v2/empresas/"+bakery+"/full", "/v2/fontes")
	})
	last := branch(t, fixture.Chain, fmt.Sprintf("%04d", fixture.ChainSize-1)) // in the last row
	for name, spoil := range map[string]string{
		"a row that the head announces is missing": `DELETE FROM load_000001.record WHERE seq > 0`,
		"a row that does not decode, midway":       `UPDATE load_000001.record SET doc = '\x01ff' WHERE seq > 0`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := fixture.Load(t)
			s := start(t, l)
			if got := s.do(t, "GET", "/v2/estabelecimentos/"+last+"/basic"); got.status != 200 {
				t.Fatalf("before anything is lost: %d", got.status)
			}
			alter(t, l, spoil)
			unavailable(t, s, "/v1/cnpj/"+last, "/v1/cnpj/"+fixture.Chain, "/v2/estabelecimentos/"+last+"/basic", "/v2/estabelecimentos/"+last+"/full",
				chain+"/estabelecimentos?limite=100", chain+"/full?limite=100")
			if got := s.do(t, "GET", "/v1/cnpj/"+bakery); got.status != 200 {
				t.Errorf("another company: %d %s", got.status, got.body)
			}
		})
	}
	t.Run("no database", func(t *testing.T) {
		t.Parallel()
		l := fixture.Load(t)
		s := start(t, l)
		l.Pool.Close()
		unavailable(t, s, "/v1/cnpj/"+bakery, "/v2/empresas/"+bakery+"/full")
		checkError(t, s.do(t, "GET", "/v1/cnpj/"+bakery, "Authorization", "Bearer abc"), 401, "chave_invalida")
	})
}

// alter runs a statement on the database behind a load.
func alter(t *testing.T, l *fixture.Loaded, statement string) {
	t.Helper()
	if _, err := l.Pool.Exec(t.Context(), statement); err != nil {
		t.Fatal(err)
	}
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
		"/v1": true, "/v1/": true, "/v1/cnpj/x": true, "/v2/empresas": true, "/v10/x": false, "/": false, "": false, "/api/v1": false, "/V1/x": true,
		"//v2/empresas": true, "/V2": true, "///v1": true, "/./v2/x": true, "/x/../v2/y": true, "/v2/../busca": false, "/v": false, "/x/v2": false,
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
